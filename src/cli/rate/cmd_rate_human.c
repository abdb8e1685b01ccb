/* `regret rate human`. */
#include "base/core/try.h"
#include "cli/rate/arguments.h"
#include "cli/rate/cmd_rate.h"

static int calibrate(struct regret_buffer *document, int *estimated, struct regret_rate_rows *rows,
                     const struct rate_arguments *a, const void *human)
{
    FREED_BY(regret_rate_calibration_free) struct regret_rate_calibration calibration = {0};
    TRY(regret_rate_calibrate(&calibration, rows, human, &a->options));
    *estimated = calibration.n_choices > 0;
    regret_rate_write_calibration(document, a->table_format, rows, &calibration);
    return REGRET_OK;
}

int run_rate_human(const struct cli_command *self, int argc, char **argv)
{
    const char *human = "human";
    struct rate_arguments a;
    struct cli_arguments files;
    int code = 0;
    rate_arguments_init(&a);
    const struct cli_option options[] = {
        {"human", 0, CLI_STRING, &human, "MODEL",
         "the \"reward model\" whose scores are people's labels (default human)", 0, 0},
        RATE_CLUSTER_OPTION(a),
        RATE_FORMAT_OPTIONS(a),
        RATE_ROWS_OPTIONS(a),
        {0}};
    return rate_parse(&files, &code, &a, self, options, argc, argv)
               ? code
               : rate_run(calibrate, human, &a, &files);
}
