/* `regret rate typos` and `regret rate world`. */
#include <string.h>

#include "base/core/try.h"
#include "cli/rate/arguments.h"
#include "cli/rate/cmd_rate.h"

static int export_typos(const char *path, const char *column, size_t percent,
                        const struct rate_arguments *a, const char *dataset)
{
    struct regret_rate_texts texts = {NULL, 0};
    struct regret_buffer document = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(regret_rate_texts_read(&texts, path, column));
    rc = regret_rate_write_typo_texts(&document, &texts, percent, a->seed, dataset);
cleanup:
    regret_rate_texts_free(&texts);
    return cli_print(&document, rc);
}

/* Rows that were exported, rewritten and scored. */
static int typos_and_print(struct rate_arguments *a, const char *dataset,
                           const struct cli_arguments *files)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_rate_typos *typos = NULL;
    struct regret_rate_typo_rates rates = {.dataset = dataset};
    struct regret_buffer document = REGRET_BUFFER_INIT;
    size_t n = 0;
    int rc;
    a->dataset_field = "typo_percent";
    TRY_CLEANUP(rate_load(&rows, a, files));
    TRY_CLEANUP(regret_rate_scored_typos(&typos, &n, &rates, rows, &a->options));
    if (a->figures != NULL) {
        TRY_CLEANUP(regret_rate_draw_typos(a->figures, typos, n, &rates));
    }
    regret_rate_write_typos(&document, a->table_format, typos, n, &rates);
cleanup:
    regret_rate_typos_free(typos, n);
    regret_rate_rows_free(rows);
    return cli_print(&document, rc);
}

int run_rate_typos(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a;
    const char *column = "text", *dataset = "texts";
    size_t percent = SIZE_MAX;
    rate_arguments_init(&a);
    const struct cli_option options[] = {
        {"export", 0, CLI_SIZE, &percent, "PERCENT",
         "FILE holds texts: write them as JSONL, with typos in so many words", 0, 100},
        {"column", 'c', CLI_STRING, &column, "NAME", "column or field of the texts (default text)",
         0, 0},
        {"seed", 's', CLI_U64, &a.seed, "N", "of the typos (default 1)", 0, 0},
        {"dataset", 0, CLI_STRING, &dataset, "NAME", "a name for the texts", 0, 0},
        {"se", 0, CLI_STRING, &a.se, "paired|unpaired",
         "(default paired); unpaired as in the authors' code", 0, 0},
        {"cluster", 0, CLI_STRING, &a.cluster, "KEY",
         "rows that depend: of one prompt (default), of one KEY, or none", 0, 0},
        RATE_FORMAT_OPTION(a),
        RATE_FIGURES_OPTION(a),
        {0}};
    struct cli_arguments files;
    int code = 0;
    if (rate_parse(&files, &code, &a, self, options, argc, argv)) {
        return code;
    }
    if (percent == SIZE_MAX) {
        return typos_and_print(&a, dataset, &files);
    }
    return files.count == 1
               ? export_typos(files.items[0], column, percent, &a, dataset)
               : cli_usage_error(
                     "--export takes one file of texts; see 'regret rate typos --help'");
}

/* The worlds asked for: all, or one by name; their number. */
static size_t choose_worlds(size_t worlds[REGRET_RATE_N_WORLDS], const char *name)
{
    size_t n = 0;
    for (size_t k = 0; k < REGRET_RATE_N_WORLDS; k++) {
        if (strcmp(name, "all") == 0 || strcmp(name, regret_rate_worlds()[k].name) == 0) {
            worlds[n++] = k;
        }
    }
    return n;
}

static int run_worlds(struct regret_buffer *document, const struct rate_arguments *a,
                      const size_t *worlds, size_t n, size_t n_rows, size_t replicates)
{
    struct regret_rate_world_result results[REGRET_RATE_N_WORLDS * REGRET_RATE_N_WORLD_ESTIMATORS];
    for (size_t i = 0; i < n; i++) {
        TRY(regret_rate_world_run(results + i * REGRET_RATE_N_WORLD_ESTIMATORS,
                                  &regret_rate_worlds()[worlds[i]], n_rows, replicates, a->seed,
                                  a->threads));
    }
    regret_rate_write_worlds(document, a->table_format, worlds, n, results);
    return REGRET_OK;
}

static int export_world(struct regret_buffer *document, size_t world, size_t n_rows, uint64_t seed)
{
    struct regret_rate_rows *rows = NULL;
    TRY(regret_rate_world_rows(&rows, &regret_rate_worlds()[world], n_rows, seed, 0));
    regret_rate_write_rows(document, rows);
    regret_rate_rows_free(rows);
    return REGRET_OK;
}

int run_rate_world(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a;
    const char *world = "all";
    size_t n_rows = 1000, replicates = 2000, worlds[REGRET_RATE_N_WORLDS] = {0}, n = 0;
    int export_rows = 0;
    rate_arguments_init(&a);
    const struct cli_option options[] = {
        {"world", 'w', CLI_STRING, &world, "valid|direction|interaction|all",
         "which of them (default all)", 0, 0},
        {"rows", 'n', CLI_SIZE, &n_rows, "N", "rows of a replicate (default 1000)", 8, 1e8},
        {"replicates", 'R', CLI_SIZE, &replicates, "N", "replicates (default 2000)", 2, 1e6},
        {"seed", 's', CLI_U64, &a.seed, "N", "(default 1)", 0, 0},
        {"threads", 't', CLI_THREADS, &a.threads, "N", "(default: all allowed)", 1, 1024},
        RATE_FORMAT_OPTION(a),
        {"cluster", 0, CLI_STRING, &a.cluster, "KEY",
         "refused: rows of these worlds are independent", 0, 0},
        {"export", 0, CLI_FLAG, &export_rows, NULL, "write the rows of one replicate as JSONL", 0,
         0},
        {0}};
    struct regret_buffer document = REGRET_BUFFER_INIT;
    int code = 0;
    if (cli_parse_options(&code, self, options, argc, argv)) {
        return code;
    }
    if (a.cluster != NULL) {
        return cli_usage_error(
            "the rows of these worlds are drawn one by one, so that there are no "
            "clusters; reports/rate/coverage.csv has coverage where there are");
    }
    int rc;
    TRY_CLEANUP(rate_arguments_settle(&a));
    n = choose_worlds(worlds, world);
    rc = export_rows ? export_world(&document, worlds[0], n_rows, a.seed)
                     : run_worlds(&document, &a, worlds, n, n_rows, replicates);
cleanup:
    return cli_print(&document, rc);
}
