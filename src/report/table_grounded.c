/* T9 of the paper: the grounded variants among themselves. */
#include <math.h>

#include "regret/alloc.h"
#include "regret/quantile.h"
#include "report/tables.h"

static const char *const names[] = {"grounded-linear", "grounded", "grounded-anchored"};
enum { N_VARIANTS = 3, GROUNDED = 1, ANCHORED = 2 };

/* Cells in which variant `i` has the lowest mean (a tie counts for each), among cells in which all
 * present variants have one. */
static size_t count_wins(const struct slice *s, const size_t *family, size_t i)
{
    size_t wins = 0;
    for (size_t c = 0; c < s->n_cells; c++) {
        double own = cell_mean(s->r, REGRET_MEASURE_REGRET, family[i], s->cells[c]);
        int won = isfinite(own);
        for (size_t j = 0; j < N_VARIANTS; j++) {
            if (family[j] != REGRET_NO_ROW) {
                double other = cell_mean(s->r, REGRET_MEASURE_REGRET, family[j], s->cells[c]);
                won = won && own <= other;
            }
        }
        wins += (size_t)won;
    }
    return wins;
}

/* The share of cells (in %) in which the variant's mean is below grounded's. */
static double beaten_share(const struct slice *s, size_t variant, size_t grounded)
{
    size_t n = 0, better = 0;
    for (size_t c = 0; c < s->n_cells; c++) {
        double x = cell_mean(s->r, REGRET_MEASURE_REGRET, variant, s->cells[c]);
        double y = cell_mean(s->r, REGRET_MEASURE_REGRET, grounded, s->cells[c]);
        if (isfinite(x) && isfinite(y)) {
            n++;
            better += x < y;
        }
    }
    return n > 0 ? 100.0 * (double)better / (double)n : NAN;
}

static int put_variant(struct table *t, const struct slice *s, const size_t *family, size_t i)
{
    size_t grounded = family[GROUNDED];
    struct estimate e = slice_estimate(s, REGRET_MEASURE_REGRET, family[i]);
    struct paired p = {NAN, NAN, NAN, NAN, 0};
    int rc = REGRET_OK;
    int compared = i != GROUNDED && grounded != REGRET_NO_ROW;
    if (compared) {
        rc = slice_paired(&p, s, REGRET_MEASURE_REGRET, family[i], REGRET_MEASURE_REGRET, grounded);
    }
    table_row(t, "%s", names[i]);
    table_number(t, (double)count_wins(s, family, i), 0);
    table_estimate(t, e.mean, e.se, REGRET_DECIMALS);
    table_number(t, slice_estimate(s, REGRET_MEASURE_TOP1, family[i]).mean, 3);
    table_number(t, slice_estimate(s, REGRET_MEASURE_TOP3, family[i]).mean, 3);
    table_number(t, compared ? beaten_share(s, family[i], grounded) : NAN, 0);
    table_signed(t, p.mean, REGRET_DECIMALS);
    table_signed(t, p.low, REGRET_DECIMALS);
    table_signed(t, p.high, REGRET_DECIMALS);
    return rc;
}

static int put_variants(struct table *t, const struct group *block, const size_t *family)
{
    static const char *const heads[] = {
        "Variant",       "Wins (cells)", "Macro regret ± SE",
        "Top-1",         "Top-3",        "Beats grounded (% of cells)",
        "Δ to grounded", "95 % low",     "95 % high"};
    int rc = REGRET_OK;
    table_block(t, "%s%s%zu cells", block->heading, block->heading[0] != '\0' ? ": " : "",
                block->slice.n_cells);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        table_column(t, "%s", heads[i]);
    }
    for (size_t i = 0; rc == REGRET_OK && i < N_VARIANTS; i++) {
        if (family[i] != REGRET_NO_ROW) {
            rc = put_variant(t, &block->slice, family, i);
        }
    }
    return rc;
}

/* How often each λ was chosen, over all cells and seeds. */
static int put_lambdas(struct table *t, const struct regret_results *r, size_t anchored)
{
    double *lambda = NULL;
    size_t n = 0;
    int rc = REGRET_NEW(&lambda, r->n_rows);
    if (rc != REGRET_OK) {
        return rc;
    }
    for (size_t row = 0; row < r->n_rows; row++) {
        if (r->row_subject[row] == anchored && isfinite(r->measure[REGRET_MEASURE_LAMBDA][row])) {
            lambda[n++] = r->measure[REGRET_MEASURE_LAMBDA][row];
        }
    }
    regret_sort_numbers(lambda, n);
    if (n > 0) {
        table_block(t, "λ chosen by grounded-anchored, %zu fits", n);
        table_column(t, "λ");
        table_column(t, "Fits");
        table_column(t, "Share (%%)");
    }
    for (size_t i = 0, end = 0; i < n; i = end) {
        for (end = i; end < n && lambda[end] == lambda[i]; end++) {
        }
        table_row(t, "%.10g", lambda[i]);
        table_number(t, (double)(end - i), 0);
        table_number(t, 100.0 * (double)(end - i) / (double)n, 1);
    }
    regret_free(lambda);
    return REGRET_OK;
}

int make_grounded(struct table *t, const struct regret_results *r)
{
    struct plan p = {0};
    size_t family[N_VARIANTS], present = 0;
    begin_report_table(t, r, "grounded", "The grounded variants");
    int rc = plan_make(&p, r, 0);
    for (size_t i = 0; i < N_VARIANTS; i++) {
        family[i] = regret_results_subject(r, REGRET_ROW_FAMILY, names[i]);
        present += family[i] != REGRET_NO_ROW && i != GROUNDED;
    }
    if (present == 0) {
        table_note(t, "This run has neither grounded-linear nor grounded-anchored among its "
                      "families, so there is nothing to compare.");
        plan_free(&p);
        return rc;
    }
    for (size_t i = 0; rc == REGRET_OK && i < p.blocks.n; i++) {
        rc = put_variants(t, &p.blocks.items[i], family);
    }
    if (rc == REGRET_OK && family[ANCHORED] != REGRET_NO_ROW) {
        rc = put_lambdas(t, r, family[ANCHORED]);
    }
    table_note(t, "Wins: cells in which the variant has the lowest mean regret of those shown (a "
                  "tie counts for each). Macro regret: mean over cells and seeds ± standard error "
                  "over seeds. Top-1 and top-3: mean agent-ranking accuracy. Δ to grounded: paired "
                  "difference over seeds with its 95 %% bootstrap interval; negative is better.");
    plan_free(&p);
    return rc;
}
