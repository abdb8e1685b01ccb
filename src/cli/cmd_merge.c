#include <stdio.h>

#include "cli/cli.h"
#include "regret/experiment.h"
#include "regret/report.h"

static int run_merge(const struct cli_command *self, int argc, char **argv)
{
    struct cli_arguments rest;
    const char *out = NULL;
    int code = 0, force = 0, no_report = 0;
    const struct cli_option options[] = {
        {"output", 'o', CLI_STRING, &out, "RUN", "the whole run's folder (needed)", 0, 0},
        {"force", 0, CLI_FLAG, &force, NULL, "replace an existing run folder", 0, 0},
        {"no-report", 0, CLI_FLAG, &no_report, NULL, "write only the rows", 0, 0},
        {0}};
    if (cli_parse(&rest, &code, self, options, 1, sizeof rest.items / sizeof *rest.items, argc,
                  argv)) {
        return code;
    }
    if (out == NULL) {
        return cli_usage_error("merge wants a folder for the whole run: -o RUN");
    }
    int rc = regret_merge(out, rest.items, rest.count, force);
    if (rc == REGRET_OK && !no_report) {
        rc = regret_report_write(out, NULL, NULL);
    }
    if (rc == REGRET_OK) {
        cli_say("joined %zu %s in %s", rest.count, rest.count == 1 ? "shard" : "shards", out);
    }
    return cli_report(rc);
}

const struct cli_command cmd_merge = {
    .name = "merge",
    .synopsis = "RUN... -o RUN",
    .summary = "join the shards of a run",
    .detail = "The merged rows are the bytes of an unsharded run. Shards of different\n"
              "configurations or pools, missing, doubled or unfinished ones are refused.",
    .examples = "regret merge runs/main-1 runs/main-2 -o runs/main\n"
                "regret merge runs/part-* -o runs/whole",
    .run = run_merge,
};
