/* `regret rate check`. */
#include "base/core/try.h"
#include "cli/rate/arguments.h"
#include "cli/rate/cmd_rate.h"

static int check(struct regret_buffer *document, int *estimated, struct regret_rate_rows *rows,
                 const struct rate_arguments *a, const void *options)
{
    FREED_BY(regret_rate_check_free) struct regret_rate_check check = {0};
    TRY(regret_rate_check(&check, rows, options));
    regret_rate_write_check(document, a->table_format, rows, &check);
    *estimated = check.n_movements + check.n_wins + check.n_flips > 0;
    return REGRET_OK;
}

int run_rate_check(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a;
    struct cli_list off_target = {.count = 0};
    const char *classifier = NULL;
    struct cli_arguments files;
    int code = 0;
    rate_arguments_init(&a);
    const struct cli_option options[] = {
        RATE_FORMAT_OPTIONS(a),
        {"off-target", 0, CLI_LIST, &off_target, "MODEL",
         "a \"reward model\" whose score is an off-target attribute", 0, 0},
        {"classifier", 0, CLI_STRING, &classifier, "HOW",
         "of W, for flips: length:T, score:MODEL:T or text", 0, 0},
        RATE_CLUSTER_OPTION(a),
        RATE_SOURCE_OPTIONS(a),
        {0}};
    if (rate_parse(&files, &code, &a, self, options, argc, argv)) {
        return code;
    }
    a.keep_texts = 1;
    const struct regret_rate_check_options how = {off_target.items, off_target.count, classifier,
                                                  a.options.clusters};
    return rate_run(check, &how, &a, &files);
}
