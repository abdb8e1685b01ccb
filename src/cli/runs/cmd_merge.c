#include <stdio.h>

#include "base/core/try.h"
#include "cli/terminal/cli.h"
#include "regret/file.h"
#include "regret/report.h"
#include "regret/results.h"

/* After the error, a line or two for every shard that would repair it; nothing for other errors. */
static void print_missing(const struct cli_arguments *runs)
{
    struct regret_buffer lines = REGRET_BUFFER_INIT, shown = REGRET_BUFFER_INIT;
    if (regret_merge_missing(&lines, runs->items, runs->count) == REGRET_OK) {
        regret_buffer_append_visible(&shown, regret_buffer_get(&lines));
        fputs(regret_buffer_get(&shown), stderr);
    }
    regret_buffer_free(&lines);
    regret_buffer_free(&shown);
}

static int report_refusal(int rc, const struct cli_arguments *runs)
{
    int code = cli_report(rc);
    if (rc == REGRET_E_INPUT) {
        print_missing(runs);
    }
    return code;
}

/* The report is a part of what appears. */
static int on_finish(void *context, const char *folder)
{
    (void)context;
    return regret_report_write(folder, NULL, NULL);
}

static void put_output(struct regret_buffer *t, const char *out, int report)
{
    regret_buffer_printf(
        t, "would write %s: run.json, rows and times of shard 1 of 1%s%s\n", out,
        report ? ", report/" : "",
        regret_file_exists(out) && !regret_folder_is_empty(out) ? "; replaces what is there" : "");
}

/* Says what would be joined, and then what the merge would say. */
static int dry_merge(const char *out, const struct cli_arguments *runs,
                     const struct regret_merge_options *merge)
{
    struct regret_buffer lines = REGRET_BUFFER_INIT, shown = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(regret_merge_preview(&lines, out, runs->items, runs->count, merge));
    put_output(&lines, out, merge->finish != NULL);
cleanup:
    regret_buffer_append_visible(&shown, regret_buffer_get(&lines));
    regret_buffer_free_into(&shown, &lines);
    int code = report_refusal(rc, runs), printed = cli_print(&shown, REGRET_OK);
    return code != CLI_OK ? code : printed;
}

static int run_merge(const struct cli_command *self, int argc, char **argv)
{
    struct cli_arguments rest;
    const char *out = NULL;
    struct regret_merge_options merge = {.force = 0};
    int code = 0, no_report = 0, dry = 0;
    const struct cli_option options[] = {
        {"output", 'o', CLI_STRING, &out, "RUN", "the whole run's folder (needed)", 0, 0},
        {"force", 0, CLI_FLAG, &merge.force, NULL, "replace an existing run folder", 0, 0},
        {"dry-run", 'n', CLI_FLAG, &dry, NULL,
         "check everything, say what would be joined, and write nothing", 0, 0},
        {"no-report", 0, CLI_FLAG, &no_report, NULL, "write only the rows", 0, 0},
        {0}};
    if (cli_parse(&rest, &code, self, options, 1, sizeof rest.items / sizeof *rest.items, argc,
                  argv)) {
        return code;
    }
    if (out == NULL) {
        return cli_usage_error("merge wants a folder for the whole run: -o RUN");
    }
    merge.finish = no_report ? NULL : on_finish;
    if (dry) {
        return dry_merge(out, &rest, &merge);
    }
    int rc = regret_merge(out, rest.items, rest.count, &merge);
    if (rc != REGRET_OK) {
        return report_refusal(rc, &rest);
    }
    cli_say("joined %zu %s in %s", rest.count, rest.count == 1 ? "shard" : "shards", out);
    return CLI_OK;
}

const struct cli_command cmd_merge = {
    .name = "merge",
    .synopsis = "RUN... -o RUN",
    .summary = "join the shards of a run",
    .detail =
        "The merged rows are the bytes of an unsharded run. Shards of different\n"
        "configurations or pools, missing, doubled or unfinished ones are refused; the cells and\n"
        "seeds that are not there are listed, each with the command that computes them. --dry-run\n"
        "says on stdout of every folder which shard it is and how much of it is there, or why it "
        "is\n"
        "refused, with the rows found, missing and doubled; it ends as the merge would, but for "
        "what\n"
        "only writing can tell.",
    .examples = "regret merge runs/main-1 runs/main-2 -o runs/main\n"
                "regret merge runs/part-* -o runs/whole --dry-run\n"
                "regret merge runs/part-* -o runs/whole",
    .run = run_merge,
};
