#include <stdio.h>

#include "cli/cli.h"
#include "regret/import.h"

static int run_summeval(const struct cli_command *self, int argc, char **argv)
{
    const char *output = NULL;
    struct regret_import_options import = REGRET_IMPORT_OPTIONS_INIT;
    struct regret_import_report report;
    int force = 0, code = 0;
    const struct cli_option options[] = {
        {"output", 'o', CLI_STRING, &output, "POOL", "the folder to write (required)", 0, 0},
        {"force", 'f', CLI_FLAG, &force, NULL, "replace a pool that is there already", 0, 0},
        {"name", 0, CLI_STRING, &import.name, "NAME", "name of the pool (default: summeval)", 0, 0},
        {"drop-unscored", 0, CLI_FLAG, &import.drop_unscored, NULL,
         "leave out records without all scores instead of refusing them", 0, 0},
        {0}};
    struct cli_arguments rest;
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    if (output == NULL) {
        return cli_usage_error("say where to write: -o POOL");
    }
    int rc = regret_import_summeval(&report, rest.items[0], output, &import, force);
    if (rc == 0) {
        fprintf(stderr,
                "regret: %s holds %zu contexts, %zu agents, %zu outputs; %zu records left out\n",
                output, report.contexts, report.agents, report.outputs, report.dropped);
    }
    return cli_report(rc);
}

static const struct cli_command import_commands[] = {
    {.name = "import summeval",
     .synopsis = "FILE -o POOL [--force]",
     .summary = "SummEval's expert judgements, a JSON array in the layout of G-Eval",
     .detail = "consistency becomes faithfulness, relevance coverage, (coherence + fluency)/2\n"
               "clarity; conciseness, the count unsupported_claims and the aux labels are made\n"
               "by formulas that the pool's README.md and regret/import.h state.",
     .examples = "regret import summeval summeval.json -o summeval\nregret pool show summeval",
     .run = run_summeval},
    {0}};

static int run_import(const struct cli_command *self, int argc, char **argv)
{
    return cli_dispatch(self, import_commands, argc, argv);
}

const struct cli_command cmd_import = {
    .name = "import",
    .synopsis = "summeval FILE -o POOL [options]",
    .summary = "make a pool of a public data set",
    .run = run_import,
};
