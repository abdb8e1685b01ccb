/* `rate` beyond one table: contrasts, rows, the papers' studies. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "cli/internal.h"
#include "rate/contrast.h"
#include "rate/report.h"
#include "rate/typos.h"
#include "regret/status.h"

/* `regret rate contrast`. */

static int parse_effect(enum regret_rate_effect_kind *out, const char *word)
{
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        if (strcmp(word, regret_rate_effect_name((enum regret_rate_effect_kind)k)) == 0) {
            *out = (enum regret_rate_effect_kind)k;
            return REGRET_OK;
        }
    }
    return regret_fail(REGRET_E_INPUT,
                       "\"%s\" is no effect; give naive, single_ATE, single_ATT, single_ATU, "
                       "RATE_ATE, RATE_ATT, RATE_ATU, drift_w1 or drift_w0",
                       word);
}

/* "models,naive": bits of the kinds; NULL: 0. */
static int parse_kinds(unsigned *out, const char *text)
{
    *out = 0;
    while (text != NULL && *text != '\0') {
        size_t length = strcspn(text, ",");
        int k = 0;
        for (; k < REGRET_N_CONTRASTS; k++) {
            const char *name = regret_rate_contrast_name((enum regret_rate_contrast_kind)k);
            if (strlen(name) == length && strncmp(name, text, length) == 0) {
                break;
            }
        }
        if (k == REGRET_N_CONTRASTS) {
            return regret_fail(
                REGRET_E_INPUT,
                "\"%.*s\" is no kind of contrast; give models, rewriters, attributes, datasets, "
                "naive, single or treated, with commas between",
                (int)length, text);
        }
        *out |= 1U << k;
        text += length + (text[length] == ',');
    }
    return REGRET_OK;
}

static int contrast_rows(struct regret_buffer *document, int *estimated,
                         struct regret_rate_rows *rows, const struct rate_arguments *a,
                         const void *options)
{
    FREED_BY(regret_rate_contrasts_free) struct regret_rate_contrasts contrasts = {0};
    (void)estimated;
    TRY(regret_rate_contrast(&contrasts, rows, options));
    if (a->figures != NULL) {
        TRY(regret_rate_draw_contrasts(a->figures, rows, &contrasts));
    }
    regret_rate_write_contrasts(document, a->table_format, rows, &contrasts);
    return REGRET_OK;
}

int run_rate_contrast(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a = RATE_ARGUMENTS;
    struct regret_rate_contrast_options contrast = {0};
    const char *between = NULL, *effect = "RATE_ATE", *scale = "usual";
    const struct cli_option options[] = {
        CLI_OPTION(
            "between", 0, CLI_STRING, &between, "LIST",
            "models, rewriters, attributes, datasets, naive, single, treated (default: all)"),
        CLI_OPTION("effect", 'e', CLI_STRING, &effect, "NAME",
                   "between models, attributes and datasets (default RATE_ATE)"),
        CLI_OPTION("scale", 0, CLI_STRING, &scale, "reward|d|usual",
                   "d is Cohen's; usual (default): d between models, else reward"),
        RATE_FIGURES_OPTION(a),
        CLI_OPTION("seed", 's', CLI_U64, &a.seed, "N", "of the simultaneous intervals (default 1)"),
        RATE_CLUSTER_OPTION(a),
        RATE_FORMAT_OPTIONS(a),
        RATE_ROWS_OPTIONS(a),
        {0}};
    if (rate_parse(&a, self, options, 1, argc, argv)) {
        return a.code;
    }
    int rc;
    TRY_CLEANUP(parse_kinds(&contrast.kinds, between));
    TRY_CLEANUP(parse_effect(&contrast.effect, effect));
    contrast.scale = scale[0] == 'd'   ? REGRET_SCALE_D
                     : scale[0] == 'r' ? REGRET_SCALE_REWARD
                                       : REGRET_SCALE_USUAL;
    contrast.clusters = a.options.clusters;
    contrast.seed = a.seed;
    return rate_run(contrast_rows, &contrast, &a);
cleanup:
    return cli_report(rc);
}

/* `regret rate estimate` and `regret rate shift`. */

static int any_estimate(const struct regret_rate_estimate *estimates, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < REGRET_N_EFFECTS; k++) {
            if (estimates[i].effects[k].missing == NULL) {
                return 1;
            }
        }
    }
    return 0;
}

/* Where rows have no room to say it. */
static void warn_of_predictions(const struct regret_rate_estimate *estimates, size_t n)
{
    size_t predicted = 0;
    for (size_t i = 0; i < n; i++) {
        predicted += estimates[i].n_predicted;
    }
    if (predicted > 0) {
        cli_say("predicted labels were taken for labels: where they err the effects are biased, "
                "mostly towards nothing, and their intervals do not know it");
    }
}

static int estimate(struct regret_buffer *document, int *estimated, struct regret_rate_rows *rows,
                    const struct rate_arguments *a, const void *options)
{
    FREED struct regret_rate_estimate *estimates = NULL;
    size_t n = 0;
    (void)options;
    TRY(regret_rate_estimate(&estimates, &n, rows, &a->options));
    warn_of_predictions(estimates, n);
    if (a->figures != NULL) {
        TRY(regret_rate_draw_estimates(a->figures, rows, estimates, n));
    }
    regret_rate_write_estimates(document, a->table_format, rows, estimates, n);
    *estimated = any_estimate(estimates, n);
    return REGRET_OK;
}

int run_rate_estimate(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a = RATE_ARGUMENTS;
    const struct cli_option options[] = {
        RATE_FORMAT_OPTIONS(a),
        RATE_SE_OPTIONS(a),
        {"bootstrap", 'b', CLI_SIZE, &a.bootstrap, "N", "replicates (default: no bootstrap)", 2,
         1e6},
        CLI_OPTION("seed", 's', CLI_U64, &a.seed, "N", "of the bootstrap (default 1)"),
        {"threads", 't', CLI_THREADS, &a.threads, "N", "of the bootstrap (default: all allowed)", 1,
         1024},
        RATE_PREDICT_OPTION(a),
        RATE_ROWS_OPTIONS(a),
        RATE_FIGURES_OPTION(a),
        {0}};
    if (rate_parse(&a, self, options, 1, argc, argv)) {
        return a.code;
    }
    a.keep_texts = a.figures != NULL; /* the page shows some */
    return rate_run(estimate, NULL, &a);
}

/* "A1Z1,A0Z1,A1Z0,A0Z0" */
static int parse_sizes(size_t cell[4], const char *text)
{
    const char *at = text;
    for (size_t k = 0; k < 4; k++) {
        char *end = NULL;
        cell[k] = strtoul(at, &end, 10);
        if (*at < '0' || *at > '9' || cell[k] > 999999999 || *end != (k < 3 ? ',' : '\0')) {
            return regret_fail(REGRET_E_INPUT,
                               "--sizes (A1Z1,A0Z1,A1Z0,A0Z0) wants 4 whole numbers up to "
                               "999999999 with commas between, not \"%s\"",
                               text);
        }
        at = end + 1;
    }
    return REGRET_OK;
}

static int print_counts(const char *sizes, enum regret_format format)
{
    struct regret_rate_shift_cells counts[REGRET_RATE_SHIFT_LEVELS];
    struct regret_buffer document = REGRET_BUFFER_INIT;
    size_t cell[4] = {0};
    int rc;
    TRY_CLEANUP(parse_sizes(cell, sizes));
    regret_rate_shift_counts(counts,
                             (struct regret_rate_shift_cells){cell[0], cell[1], cell[2], cell[3]});
    regret_rate_write_counts(&document, format, counts);
cleanup:
    return cli_print(&document, rc);
}

static int check_z(const struct regret_rate_rows *rows, const char *field)
{
    for (size_t i = 0; i < rows->n_rows; i++) {
        if (rows->z[i] <= REGRET_LABEL_1) {
            return REGRET_OK;
        }
    }
    return regret_fail(REGRET_E_INPUT,
                       "no row has a boolean \"%s\"; name the key of Z by --z-field KEY",
                       field != NULL ? field : "z");
}

static int shift(struct regret_buffer *document, int *estimated, struct regret_rate_rows *rows,
                 const struct rate_arguments *a, const void *options)
{
    FREED struct regret_rate_shift *shifts = NULL;
    size_t n = 0;
    (void)options;
    *estimated = 0;
    TRY(check_z(rows, a->z_field));
    TRY(regret_rate_shift(&shifts, &n, rows, &a->options));
    if (a->figures != NULL) {
        TRY(regret_rate_draw_shift(a->figures, rows, shifts, n));
    }
    regret_rate_write_shift(document, a->table_format, rows, shifts, n);
    for (size_t i = 0; i < n && !*estimated; i++) {
        *estimated =
            shifts[i].missing == NULL && any_estimate(shifts[i].levels, REGRET_RATE_SHIFT_LEVELS);
    }
    return REGRET_OK;
}

int run_rate_shift(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a = RATE_ARGUMENTS;
    const char *sizes = NULL;
    const struct cli_option options[] = {
        RATE_FORMAT_OPTIONS(a),
        RATE_SE_OPTIONS(a),
        CLI_OPTION("seed", 's', CLI_U64, &a.seed, "N", "of the samples (default 1)"),
        CLI_OPTION("z-field", 'z', CLI_STRING, &a.z_field, "KEY",
                   "the boolean that is Z (default z)"),
        CLI_OPTION("z-above", 0, CLI_DOUBLE, &a.z_above, "T", "Z is a rating, 1 above T"),
        CLI_OPTION("sizes", 0, CLI_STRING, &sizes, "LIST",
                   "print the numbers of rows for these cells"),
        RATE_ROWS_OPTIONS(a),
        RATE_FIGURES_OPTION(a),
        {0}};
    if (rate_parse(&a, self, options, 0, argc, argv)) {
        return a.code;
    }
    if ((sizes == NULL) == (a.files.count == 0)) {
        return cli_usage_error("give files or --sizes; see 'regret rate shift --help'");
    }
    return sizes != NULL ? print_counts(sizes, a.table_format) : rate_run(shift, NULL, &a);
}

/* `regret rate typos` and `regret rate world`. */

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

/* Of rows that were exported, rewritten and scored. */
static int typos(struct regret_buffer *document, int *estimated, struct regret_rate_rows *rows,
                 const struct rate_arguments *a, const void *dataset)
{
    struct regret_rate_typo_rates rates = {.dataset = dataset};
    struct regret_rate_typos *found = NULL;
    size_t n = 0;
    int rc;
    (void)estimated;
    TRY_CLEANUP(regret_rate_scored_typos(&found, &n, &rates, rows, &a->options));
    if (a->figures != NULL) {
        TRY_CLEANUP(regret_rate_draw_typos(a->figures, found, n, &rates));
    }
    regret_rate_write_typos(document, a->table_format, found, n, &rates);
cleanup:
    regret_rate_typos_free(found, n);
    return rc;
}

int run_rate_typos(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a = RATE_ARGUMENTS;
    const char *column = "text", *dataset = "texts";
    size_t percent = SIZE_MAX;
    const struct cli_option options[] = {
        {"export", 0, CLI_SIZE, &percent, "PERCENT",
         "FILE holds texts: write them as JSONL, with typos in so many words", 0, 100},
        CLI_OPTION("column", 'c', CLI_STRING, &column, "NAME",
                   "column or field of the texts (default text)"),
        CLI_OPTION("seed", 's', CLI_U64, &a.seed, "N", "of the typos (default 1)"),
        CLI_OPTION("dataset", 0, CLI_STRING, &dataset, "NAME", "a name for the texts"),
        CLI_OPTION("se", 0, CLI_STRING, &a.se, "paired|unpaired",
                   "(default paired); unpaired as in the authors' code"),
        CLI_OPTION("cluster", 0, CLI_STRING, &a.cluster, "KEY",
                   "rows that depend: of one prompt (default), of one KEY, or none"),
        RATE_FORMAT_OPTION(a),
        RATE_FIGURES_OPTION(a),
        {0}};
    if (rate_parse(&a, self, options, 1, argc, argv)) {
        return a.code;
    }
    if (percent == SIZE_MAX) {
        a.dataset_field = "typo_percent";
        a.without_issues = 1;
        return rate_run(typos, dataset, &a);
    }
    return a.files.count == 1
               ? export_typos(a.files.items[0], column, percent, &a, dataset)
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
    struct rate_arguments a = RATE_ARGUMENTS;
    const char *world = "all";
    size_t n_rows = 1000, replicates = 2000, worlds[REGRET_RATE_N_WORLDS] = {0}, n = 0;
    int export_rows = 0;
    const struct cli_option options[] = {
        CLI_OPTION("world", 'w', CLI_STRING, &world, "valid|direction|interaction|all",
                   "which of them (default all)"),
        {"rows", 'n', CLI_SIZE, &n_rows, "N", "rows of a replicate (default 1000)", 8, 1e8},
        {"replicates", 'R', CLI_SIZE, &replicates, "N", "replicates (default 2000)", 2, 1e6},
        CLI_OPTION("seed", 's', CLI_U64, &a.seed, "N", "(default 1)"),
        {"threads", 't', CLI_THREADS, &a.threads, "N", "(default: all allowed)", 1, 1024},
        RATE_FORMAT_OPTION(a),
        CLI_OPTION("cluster", 0, CLI_STRING, &a.cluster, "KEY",
                   "refused: rows of these worlds are independent"),
        CLI_FLAG_OPTION("export", 0, &export_rows, "write the rows of one replicate as JSONL"),
        {0}};
    struct regret_buffer document = REGRET_BUFFER_INIT;
    if (cli_parse_options(&a.code, self, options, argc, argv)) {
        return a.code;
    }
    if (a.cluster != NULL) {
        return cli_usage_error(
            "the rows of these worlds are drawn one by one, so that there are no "
            "clusters; reports/rate/coverage.csv has coverage where there are");
    }
    int rc;
    TRY_CLEANUP(regret_format_parse(&a.table_format, a.format));
    n = choose_worlds(worlds, world);
    rc = export_rows ? export_world(&document, worlds[0], n_rows, a.seed)
                     : run_worlds(&document, &a, worlds, n, n_rows, replicates);
cleanup:
    return cli_print(&document, rc);
}
