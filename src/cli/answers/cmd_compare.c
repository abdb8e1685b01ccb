#include "base/core/try.h"
#include "cli/terminal/cli.h"
#include "regret/report.h"

static int run_compare(const struct cli_command *self, int argc, char **argv)
{
    const char *word = NULL;
    int safe_csv = 0, json = 0, any_pools = 0;
    const struct cli_option options[] = {
        {"format", 'f', CLI_STRING, &word, "text|md|csv|tex|html|json",
         "of the table (default text)", 0, 0},
        CLI_JSON(json),
        {"different-pools", 0, CLI_FLAG, &any_pools, NULL,
         "compare runs of different pools, whose contexts are not the same", 0, 0},
        CLI_SAFE_CSV(safe_csv),
        {0}};
    struct cli_arguments rest;
    struct regret_results *a = NULL, *b = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    enum regret_format format = REGRET_FORMAT_TEXT;
    int code = 0;
    if (cli_parse(&rest, &code, self, options, 2, 2, argc, argv)) {
        return code;
    }
    word = cli_format(word, json);
    if (word == NULL) {
        return CLI_USAGE;
    }
    enum regret_compare_pools pools = any_pools ? REGRET_ANY_POOLS : REGRET_ONE_POOL;
    int rc;
    TRY_CLEANUP(regret_format_parse(&format, word));
    TRY_CLEANUP(regret_results_read(&a, rest.items[0]));
    TRY_CLEANUP(regret_results_read(&b, rest.items[1]));
    rc = regret_report_compare(&text, a, b, pools, format);
cleanup:
    regret_results_free(a);
    regret_results_free(b);
    return cli_print_csv(&text, rc, safe_csv && format == REGRET_FORMAT_CSV);
}

const struct cli_command cmd_compare = {
    .name = "compare",
    .synopsis = "RUN_A RUN_B [--format text|md|csv|tex|html|json] [--different-pools] [--safe-csv]",
    .summary = "compare the regrets of two runs, paired by cell and seed",
    .detail = "Matches cells by their keys and seeds by their numbers, and prints for each family\n"
              "the mean regret in both runs, the paired difference B − A with its standard error\n"
              "over seeds and 95 % bootstrap interval, and everything that does not match.\n"
              "Runs of different pools are refused without --different-pools.\n"
              "JSON is a table of typed columns (docs/formats.md).",
    .examples = "regret compare runs/before runs/after\n"
                "regret compare runs/hashed runs/with-agent --format csv",
    .run = run_compare,
};
