/* `regret rewrite human`. */
#include "base/try.h"
#include "cli/cmd_rewrite.h"

static int calibrate_and_print(const struct rewrite_arguments *a, const struct cli_arguments *files,
                               const char *human)
{
    struct regret_rate_calibration calibration = {0};
    struct regret_rate_rows *rows = NULL;
    struct regret_text document = REGRET_TEXT_INIT;
    int rc, found = 0;
    TRY_CLEANUP(rewrite_load(&rows, a, files));
    TRY_CLEANUP(regret_rate_calibrate(&calibration, rows, human, &a->options));
    found = calibration.n_choices > 0;
    regret_rate_write_calibration(&document, a->table_format, rows, &calibration);
    rc = rewrite_print_issues(rows, a->table_format);
cleanup:
    regret_rate_calibration_free(&calibration);
    regret_rate_rows_free(rows);
    return rewrite_exit(rewrite_print(&document, rc, a), found);
}

int run_rewrite_human(const struct cli_command *self, int argc, char **argv)
{
    const char *human = "human";
    struct rewrite_arguments a;
    struct cli_arguments files;
    int code = 0;
    rewrite_arguments_init(&a);
    const struct cli_option options[] = {
        {"human", 0, CLI_STRING, &human, "MODEL",
         "the \"reward model\" whose scores are people's labels (default human)", 0, 0},
        REWRITE_CLUSTER_OPTION(a),
        REWRITE_FORMAT_OPTIONS(a),
        REWRITE_ROWS_OPTIONS(a),
        {0}};
    if (rewrite_parse(&files, &code, &a, self, options, argc, argv)) {
        return code;
    }
    return calibrate_and_print(&a, &files, human);
}
