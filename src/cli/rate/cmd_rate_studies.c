/* `regret rate typos`, `regret rate world` and `regret rate example`. */
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "cli/rate/arguments.h"
#include "cli/rate/cmd_rate.h"

/* Only what a rewriter needs: the originals. */
static int export_typos(struct regret_buffer *document, const struct regret_rate_texts *texts,
                        const struct regret_rate_typo_options *options, size_t percent)
{
    struct regret_rate_rows *rows = NULL;
    TRY(regret_rate_typo_rows(&rows, texts, percent, options));
    for (size_t i = 0; i < rows->n_rows; i++) {
        regret_buffer_printf(document, "{\"id\": \"%zu\", \"dataset\": ", i + 1);
        regret_buffer_json_string(document, options->dataset);
        regret_buffer_printf(document,
                             ", \"attribute\": \"starts_with_vowel\", \"w\": %s, \"typo_percent\": "
                             "%zu, \"completions\": {\"original\": ",
                             rows->w[i] == REGRET_LABEL_1 ? "true" : "false", percent);
        regret_buffer_json_string(document, rows->texts[i].completion[REGRET_SIDE_ORIGINAL]);
        regret_buffer_append(document, "}}\n");
    }
    regret_rate_rows_free(rows);
    return REGRET_OK;
}

static int show_typos(struct regret_buffer *document, const struct rate_arguments *a,
                      const struct regret_rate_typos *typos, size_t n,
                      const struct regret_rate_typo_options *options)
{
    if (a->figures != NULL) {
        TRY(regret_rate_draw_typos(a->figures, typos, n, options));
    }
    regret_rate_write_typos(document, a->table_format, typos, n, options);
    return REGRET_OK;
}

static int typos_and_print(const struct rate_arguments *a,
                           const struct regret_rate_typo_options *typo_options, const char *path,
                           const char *column, size_t percent)
{
    struct regret_rate_texts texts = {NULL, 0};
    struct regret_rate_typos *typos = NULL;
    struct regret_buffer document = REGRET_BUFFER_INIT;
    size_t n = 0;
    int rc;
    TRY_CLEANUP(regret_rate_texts_read(&texts, path, column));
    if (percent <= 100) {
        rc = export_typos(&document, &texts, typo_options, percent);
        goto cleanup;
    }
    TRY_CLEANUP(regret_rate_typos(&typos, &n, &texts, typo_options, &a->options));
    rc = show_typos(&document, a, typos, n, typo_options);
cleanup:
    regret_rate_typos_free(typos, n);
    regret_rate_texts_free(&texts);
    return cli_print(&document, rc);
}

/* Rows that were exported, rewritten and scored. */
static int scored_typos_and_print(struct rate_arguments *a,
                                  struct regret_rate_typo_options *typo_options,
                                  const struct cli_arguments *files)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_rate_typos *typos = NULL;
    struct regret_buffer document = REGRET_BUFFER_INIT;
    size_t n = 0;
    int rc;
    a->dataset_field = "typo_percent";
    TRY_CLEANUP(rate_load(&rows, a, files));
    TRY_CLEANUP(regret_rate_scored_typos(&typos, &n, typo_options, rows, &a->options));
    rc = show_typos(&document, a, typos, n, typo_options);
cleanup:
    regret_rate_typos_free(typos, n);
    regret_rate_rows_free(rows);
    return cli_print(&document, rc);
}

int run_rate_typos(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a;
    struct regret_rate_typo_options typos = {.dataset = "texts"};
    const char *rates = "0,5,10,15,20,25,30", *column = "text";
    size_t percent = SIZE_MAX;
    int scored = 0;
    rate_arguments_init(&a);
    const struct cli_option options[] = {
        {"column", 'c', CLI_STRING, &column, "NAME", "column or field of the texts (default text)",
         0, 0},
        {"rates", 'r', CLI_STRING, &rates, "LIST", "percent of the words (default 0,5,…,30)", 0, 0},
        {"seed", 's', CLI_U64, &a.seed, "N", "of the typos and the rewriter (default 1)", 0, 0},
        {"dataset", 0, CLI_STRING, &typos.dataset, "NAME", "a name for the texts", 0, 0},
        {"se", 0, CLI_STRING, &a.se, "paired|unpaired",
         "(default paired); unpaired as in the authors' code", 0, 0},
        {"cluster", 0, CLI_STRING, &a.cluster, "KEY",
         "with --scored: rows that depend: of one prompt (default), of one KEY, or none", 0, 0},
        RATE_FORMAT_OPTION(a),
        RATE_FIGURES_OPTION(a),
        {"scored", 0, CLI_FLAG, &scored, NULL,
         "FILE... are exported rows of several rates, rewritten and scored", 0, 0},
        {"export", 0, CLI_SIZE, &percent, "PERCENT", "write the texts with typos as JSONL instead",
         0, 100},
        {0}};
    struct cli_arguments files;
    int code = 0;
    if (cli_parse(&files, &code, self, options, 1, 256, argc, argv)) {
        return code;
    }
    if (files.count > 1 && !scored) {
        return cli_usage_error("give one file of texts, or --scored; see 'regret rate typos "
                               "--help'");
    }
    if (a.cluster != NULL && !scored) {
        return cli_usage_error("--cluster goes with --scored: the simulated rewriter takes every "
                               "text by itself, so that no rows depend on each other");
    }
    typos.seed = a.seed;
    int rc;
    TRY_CLEANUP(rate_arguments_settle(&a));
    TRY_CLEANUP(rate_parse_list(typos.percents, &typos.n_rates, 1, REGRET_RATE_TYPO_MAX, 100,
                                "--rates", rates));
    return scored ? scored_typos_and_print(&a, &typos, &files)
                  : typos_and_print(&a, &typos, files.items[0], column, percent);
cleanup:
    return cli_report(rc);
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

/* "ACCURACY,SHARE[,TILT]" */
static int parse_predicted(struct regret_rate_predicted_world *out, const char *text)
{
    double number[3] = {0.0, 0.0, 0.0};
    const char *at = text;
    char *end = NULL;
    int n = 0;
    do {
        number[n] = strtod(at, &end);
        n += end != at;
        at = end + 1;
    } while (n > 0 && n < 3 && *end == ',');
    out->accuracy = number[0];
    out->labelled = number[1];
    out->tilt = number[2];
    return n >= 2 && *end == '\0'
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "--predicted wants ACCURACY,SHARE or ACCURACY,SHARE,TILT such as "
                             "0.85,0.2, not \"%s\"",
                             text);
}

static int run_predicted(struct regret_buffer *document, const struct rate_arguments *a,
                         const char *predicted, size_t world, size_t n_rows, size_t replicates)
{
    struct regret_rate_predicted_world how = {.n_rows = n_rows};
    struct regret_rate_predicted_result
        results[REGRET_RATE_N_WAYS * REGRET_RATE_N_PREDICTED_EFFECTS];
    TRY(parse_predicted(&how, predicted));
    TRY(regret_rate_world_predicted(results, &regret_rate_worlds()[world], &how, replicates,
                                    a->seed, a->threads));
    regret_rate_write_predicted(document, a->table_format, &how, results);
    return REGRET_OK;
}

int run_rate_world(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a;
    const char *world = "all", *predicted = NULL;
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
        {"predicted", 0, CLI_STRING, &predicted, "A,S[,T]",
         "W predicted with accuracy A (A+T where Z=1, A-T where not), known of a share S", 0, 0},
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
         : predicted != NULL
             ? run_predicted(&document, &a, predicted, worlds[0], n_rows, replicates)
             : run_worlds(&document, &a, worlds, n, n_rows, replicates);
cleanup:
    return cli_print(&document, rc);
}

int run_rate_example(const struct cli_command *self, int argc, char **argv)
{
    const char *folder = NULL;
    int force = 0;
    const struct cli_option options[] = {
        {"output", 'o', CLI_STRING, &folder, "DIR", "where the folder shall appear", 0, 0},
        {"force", 0, CLI_FLAG, &force, NULL, "replace an older example set there", 0, 0},
        {0}};
    int code = 0;
    if (cli_parse_options(&code, self, options, argc, argv)) {
        return code;
    }
    if (folder == NULL) {
        return cli_usage_error("where to? give -o DIR");
    }
    return cli_report(regret_rate_example(folder, force));
}
