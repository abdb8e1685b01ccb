/* `regret rewrite dose`. */
#include "base/try.h"
#include "cli/cmd_rewrite.h"
#include "regret/alloc.h"

static int dose_and_print(const struct rewrite_arguments *a, const struct cli_arguments *files,
                          const char *level)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_rate_dose *doses = NULL;
    struct regret_text document = REGRET_TEXT_INIT;
    size_t n = 0;
    int rc, estimated = 0;
    TRY_CLEANUP(rewrite_load(&rows, a, files));
    TRY_CLEANUP(regret_rate_doses(&doses, &n, rows, level, &a->options));
    if (a->figures != NULL) {
        TRY_CLEANUP(regret_rate_draw_doses(a->figures, rows, doses, n, level));
    }
    for (size_t k = 0; k < n; k++) {
        estimated |= doses[k].slope.missing == NULL || doses[k].naive.missing == NULL;
    }
    regret_rate_write_doses(&document, a->table_format, rows, doses, n);
    rc = rewrite_print_issues(rows, a->table_format);
cleanup:
    regret_free(doses);
    regret_rate_rows_free(rows);
    return rewrite_exit(rewrite_print(&document, rc, a), estimated);
}

int run_rewrite_dose(const struct cli_command *self, int argc, char **argv)
{
    struct rewrite_arguments a;
    struct cli_arguments files;
    const char *level = "level";
    int code = 0;
    rewrite_arguments_init(&a);
    const struct cli_option options[] = {
        {"level", 'l', CLI_STRING, &level, "MODEL",
         "the \"reward model\" whose scores are the levels (default level)", 0, 0},
        REWRITE_CLUSTER_OPTION(a),
        REWRITE_FORMAT_OPTIONS(a),
        REWRITE_FIGURES_OPTION(a),
        REWRITE_SOURCE_OPTIONS(a),
        {0}};
    return rewrite_parse(&files, &code, &a, self, options, argc, argv)
               ? code
               : dose_and_print(&a, &files, level);
}
