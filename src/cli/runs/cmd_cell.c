#include "base/core/try.h"
#include "cli/terminal/cli.h"
#include "cli/terminal/find.h"
#include "regret/config.h"
#include "regret/experiment.h"

/* The cells of a configuration, one JSON object a line. */
static int list_cells(const char *config, const struct cli_list *sets)
{
    struct regret_run_plan *plan = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(find_plan(&plan, config, sets));
    for (size_t c = 0; c < regret_run_plan_cells(plan); c++) {
        regret_buffer_printf(&text, "{\"cell\":%zu,\"key\":", c);
        regret_run_plan_cell_key(&text, plan, c);
        regret_buffer_append(&text, "}\n");
    }
cleanup:
    regret_run_plan_free(plan);
    return cli_print(&text, rc);
}

/* Who is held out, of all cells and seeds. */
static int print_splits(const char *config, const struct cli_list *sets)
{
    struct regret_run_plan *plan = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(find_plan(&plan, config, sets));
    rc = regret_export_splits(&text, plan);
cleanup:
    regret_run_plan_free(plan);
    return cli_print(&text, rc);
}

static int run_cell(const struct cli_command *self, int argc, char **argv)
{
    struct cli_arguments rest;
    struct cli_list sets = {{NULL}, 0};
    const char *folder = NULL;
    size_t cell = 0, fold = 0;
    uint64_t seed = 0;
    struct regret_command_options commands = {0, cli_cancelled, NULL};
    int code = 0, force = 0, splits = 0;
    const struct cli_option options[] = {
        {"export", 'o', CLI_STRING, &folder, "DIR", "folder to write; without it, lists the cells",
         0, 0},
        {"splits", 0, CLI_FLAG, &splits, NULL,
         "print which contexts are held out, of all cells and seeds", 0, 0},
        {"cell", 0, CLI_SIZE, &cell, "K", "cell of the sweep, from 0 (default 0)", 0, 0},
        {"seed", 0, CLI_U64, &seed, "S", "seed of the replicate (default 0)", 0, 0},
        {"fold", 0, CLI_SIZE, &fold, "F", "fold of contexts.folds to write (default 0)", 0, 0},
        CLI_SET(&sets),
        {"force", 0, CLI_FLAG, &force, NULL, "replace an earlier export", 0, 0},
        CLI_ALLOW_COMMANDS(&commands),
        {0}};
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    if (splits && folder != NULL) {
        return cli_usage_error("--splits prints those of all seeds and --export writes one "
                               "replicate; give one");
    }
    struct find_inputs found;
    code = find_inputs(&found, &rest.items[0], &sets, folder != NULL || splits);
    if (code != 0) {
        return code;
    }
    if (folder != NULL && rest.items[0] == FIND_STANDARD) {
        return cli_usage_error("--export wants the configuration in a file; 'regret config -' "
                               "prints one of what standard input gives");
    }
    if (splits) {
        return print_splits(rest.items[0], &sets);
    }
    if (folder == NULL) {
        return list_cells(rest.items[0], &sets);
    }
    if (commands.allow) {
        cli_catch_interrupts(); /* a command ends with us */
    }
    int rc = regret_export_cell(folder, rest.items[0], sets.items, sets.count, cell, seed, fold,
                                force, &commands);
    if (rc != REGRET_OK) {
        return cli_report(rc);
    }
    cli_say("wrote %s", folder);
    return CLI_OK;
}

const struct cli_command cmd_cell = {
    .name = "cell",
    .synopsis = "CONFIG [--splits | --cell K --seed S --export DIR]",
    .summary = "list the cells of a sweep, print its splits, or write out one replicate",
    .detail =
        "An export holds every number of one (cell, seed), so that it can be checked from\n"
        "outside: cell.json, phi.mtx (Matrix Market), z-KIND.csv, obs.csv, exp.csv, target.csv,\n"
        "folds.json, predictions.csv, hyper.json, values.csv, bootstrap intervals of the values\n"
        "in intervals.csv and differences.csv, and where family mixed or stack is fitted\n"
        "words.csv and own.csv, the w(x) and k(x) that they cross with agents. Indices count\n"
        "from 0. With contexts.folds a result row is the mean over folds, an export one fold.\n"
        "--splits prints one JSON object with the ids of the contexts that each seed holds out\n"
        "(docs/formats.md).",
    .examples = "regret cell configs/main.json\n"
                "regret cell configs/main.json --splits\n"
                "regret cell configs/main.json --cell 7 --seed 3 --export cell-7-3",
    .run = run_cell,
};
