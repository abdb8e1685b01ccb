/* `regret rewrite check`. */
#include "base/try.h"
#include "cli/cmd_rewrite.h"

static int check_and_print(const struct rewrite_arguments *a, const struct cli_arguments *files,
                           const struct regret_rate_check_options *options)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_rate_check check = {0};
    struct regret_text document = REGRET_TEXT_INIT;
    int rc, found = 0;
    TRY_CLEANUP(rewrite_load(&rows, a, files));
    TRY_CLEANUP(regret_rate_check(&check, rows, options));
    regret_rate_write_check(&document, a->table_format, rows, &check);
    found = check.n_movements + check.n_wins + check.n_flips > 0;
    rc = rewrite_print_issues(rows, a->table_format);
cleanup:
    regret_rate_check_free(&check);
    regret_rate_rows_free(rows);
    return rewrite_exit(rewrite_print(&document, rc, a), found);
}

int run_rewrite_check(const struct cli_command *self, int argc, char **argv)
{
    struct rewrite_arguments a;
    struct cli_list off_target = {.count = 0};
    const char *classifier = NULL;
    struct cli_arguments files;
    int code = 0;
    rewrite_arguments_init(&a);
    const struct cli_option options[] = {
        REWRITE_FORMAT_OPTIONS(a),
        {"off-target", 0, CLI_LIST, &off_target, "MODEL",
         "a \"reward model\" whose score is an off-target attribute", 0, 0},
        {"classifier", 0, CLI_STRING, &classifier, "HOW",
         "of W, for flips: length:T, score:MODEL:T or text", 0, 0},
        REWRITE_CLUSTER_OPTION(a),
        REWRITE_SOURCE_OPTIONS(a),
        {0}};
    if (rewrite_parse(&files, &code, &a, self, options, argc, argv)) {
        return code;
    }
    a.keep_texts = 1;
    const struct regret_rate_check_options how = {off_target.items, off_target.count, classifier,
                                                  a.options.clusters};
    return check_and_print(&a, &files, &how);
}
