/* `regret rate dose`. */
#include "base/core/try.h"
#include "cli/rate/arguments.h"
#include "cli/rate/cmd_rate.h"
#include "regret/alloc.h"

static int fit_doses(struct regret_buffer *document, int *estimated, struct regret_rate_rows *rows,
                     const struct rate_arguments *a, const void *level)
{
    FREED struct regret_rate_dose *doses = NULL;
    size_t n = 0;
    *estimated = 0;
    TRY(regret_rate_doses(&doses, &n, rows, level, &a->options));
    if (a->figures != NULL) {
        TRY(regret_rate_draw_doses(a->figures, rows, doses, n, level));
    }
    for (size_t k = 0; k < n; k++) {
        *estimated |= doses[k].slope.missing == NULL || doses[k].naive.missing == NULL;
    }
    regret_rate_write_doses(document, a->table_format, rows, doses, n);
    return REGRET_OK;
}

int run_rate_dose(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a;
    struct cli_arguments files;
    const char *level = "level";
    int code = 0;
    rate_arguments_init(&a);
    const struct cli_option options[] = {
        {"level", 'l', CLI_STRING, &level, "MODEL",
         "the \"reward model\" whose scores are the levels (default level)", 0, 0},
        RATE_CLUSTER_OPTION(a),
        RATE_FORMAT_OPTIONS(a),
        RATE_FIGURES_OPTION(a),
        RATE_SOURCE_OPTIONS(a),
        {0}};
    return rate_parse(&files, &code, &a, self, options, argc, argv)
               ? code
               : rate_run(fit_doses, level, &a, &files);
}
