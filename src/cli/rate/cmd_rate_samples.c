/* `regret rate samples`. */
#include "base/core/try.h"
#include "cli/rate/arguments.h"
#include "cli/rate/cmd_rate.h"

static int print_samples(const struct rate_arguments *a, const struct cli_arguments *files,
                         size_t per_group)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_buffer document = REGRET_BUFFER_INIT;
    size_t shown = 0;
    int rc;
    TRY_CLEANUP(rate_load(&rows, a, files));
    TRY_CLEANUP(regret_rate_write_samples(&document, a->table_format, rows, per_group, &shown));
    if (shown == 0) {
        rc = regret_fail(REGRET_E_INPUT, "no row has W and all three texts; give them as "
                                         "\"completions\"");
    }
cleanup:
    regret_rate_rows_free(rows);
    return rate_print(&document, rc, a);
}

int run_rate_samples(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a;
    struct cli_arguments files;
    size_t per_group = 2;
    int code = 0;
    rate_arguments_init(&a);
    a.keep_texts = 1;
    const struct cli_option options[] = {{"rows", 'n', CLI_SIZE, &per_group, "N",
                                          "of each dataset and attribute (default 2)", 1, 1e6},
                                         RATE_FORMAT_OPTIONS(a),
                                         RATE_ROWS_OPTIONS(a),
                                         {0}};
    return rate_parse(&files, &code, &a, self, options, argc, argv)
               ? code
               : print_samples(&a, &files, per_group);
}
