/* `regret rate estimate` and `regret rate shift`. */
#include <stdlib.h>

#include "base/core/try.h"
#include "cli/rate/arguments.h"
#include "cli/rate/cmd_rate.h"
#include "regret/alloc.h"

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
    struct rate_arguments a;
    rate_arguments_init(&a);
    const struct cli_option options[] = {
        RATE_FORMAT_OPTIONS(a),
        RATE_SE_OPTIONS(a),
        {"bootstrap", 'b', CLI_SIZE, &a.bootstrap, "N", "replicates (default: no bootstrap)", 2,
         1e6},
        {"seed", 's', CLI_U64, &a.seed, "N", "of the bootstrap (default 1)", 0, 0},
        {"threads", 't', CLI_THREADS, &a.threads, "N", "of the bootstrap (default: all allowed)", 1,
         1024},
        RATE_PREDICT_OPTION(a),
        RATE_ROWS_OPTIONS(a),
        RATE_FIGURES_OPTION(a),
        {0}};
    struct cli_arguments files;
    int code = 0;
    if (rate_parse(&files, &code, &a, self, options, argc, argv)) {
        return code;
    }
    a.keep_texts = a.figures != NULL; /* the page shows some */
    return rate_run(estimate, NULL, &a, &files);
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
    struct rate_arguments a;
    const char *sizes = NULL;
    rate_arguments_init(&a);
    const struct cli_option options[] = {
        RATE_FORMAT_OPTIONS(a),
        RATE_SE_OPTIONS(a),
        {"seed", 's', CLI_U64, &a.seed, "N", "of the samples (default 1)", 0, 0},
        {"z-field", 'z', CLI_STRING, &a.z_field, "KEY", "the boolean that is Z (default z)", 0, 0},
        {"z-above", 0, CLI_DOUBLE, &a.z_above, "T", "Z is a rating, 1 above T", 0, 0},
        {"sizes", 0, CLI_STRING, &sizes, "LIST", "print the numbers of rows for these cells", 0, 0},
        RATE_ROWS_OPTIONS(a),
        RATE_FIGURES_OPTION(a),
        {0}};
    struct cli_arguments files;
    int code = 0;
    if (cli_parse(&files, &code, self, options, 0, 256, argc, argv)) {
        return code;
    }
    int rc = rate_arguments_settle(&a);
    if (rc != REGRET_OK) {
        return cli_report(rc);
    }
    if ((sizes == NULL) == (files.count == 0)) {
        return cli_usage_error("give files or --sizes; see 'regret rate shift --help'");
    }
    return sizes != NULL ? print_counts(sizes, a.table_format) : rate_run(shift, NULL, &a, &files);
}
