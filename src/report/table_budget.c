/* T5 of the paper: regret by (N_OBS, N_EXP). */
#include <math.h>

#include "regret/alloc.h"
#include "report/tables.h"

static const size_t budget_keys[] = {REGRET_KEY_N_OBS, REGRET_KEY_N_EXP};

static void put_best_row(struct table *t, const struct groups *columns)
{
    table_row(t, "best OBS-based method");
    for (size_t j = 0; j < columns->n; j++) {
        const struct slice *s = &columns->items[j].slice;
        size_t best = best_obs_based(s);
        if (best == REGRET_NO_ROW) {
            table_number(t, NAN, REGRET_DECIMALS);
            continue;
        }
        struct estimate e = slice_estimate(s, REGRET_MEASURE_REGRET, best);
        table_cell(t, s->r->subjects[best].name, e.mean, e.se, REGRET_DECIMALS,
                   TABLE_NUMBER | TABLE_SE);
    }
}

static int put_difference_row(struct table *t, const struct groups *columns, size_t exp_only)
{
    int rc = REGRET_OK;
    table_row(t, "exp-only minus best OBS-based");
    for (size_t j = 0; rc == REGRET_OK && j < columns->n; j++) {
        const struct slice *s = &columns->items[j].slice;
        struct paired p = {NAN, NAN, NAN, NAN, 0};
        size_t best = best_obs_based(s);
        double mean = NAN;
        if (best != REGRET_NO_ROW && exp_only != REGRET_NO_ROW) {
            mean = slice_estimate(s, REGRET_MEASURE_REGRET, exp_only).mean -
                   slice_estimate(s, REGRET_MEASURE_REGRET, best).mean;
            rc = slice_paired(&p, s, REGRET_MEASURE_REGRET, exp_only, REGRET_MEASURE_REGRET, best);
        }
        table_signed_estimate(t, mean, p.se, REGRET_DECIMALS);
    }
    return rc;
}

static int put_block(struct table *t, const struct plan *p, const struct group *block)
{
    struct groups columns = {0};
    int rc = groups_split(&columns, &block->slice, budget_keys, 2);
    if (rc != REGRET_OK) {
        return rc;
    }
    const struct regret_results *r = p->r;
    table_block(t, "%s", block->heading);
    table_column(t, "Method");
    for (size_t j = 0; j < columns.n; j++) {
        size_t cell = columns.items[j].slice.cells[0];
        table_column(
            t, "n_obs %s, n_exp %s",
            r->keys[REGRET_KEY_N_OBS].values[r->cell_value[cell + r->n_cells * REGRET_KEY_N_OBS]],
            r->keys[REGRET_KEY_N_EXP].values[r->cell_value[cell + r->n_cells * REGRET_KEY_N_EXP]]);
    }
    put_regret_rows(t, p->families, p->n_ranked, &columns);
    put_best_row(t, &columns);
    rc = put_difference_row(t, &columns, regret_results_subject(r, REGRET_ROW_FAMILY, "exp-only"));
    groups_free(&columns);
    return rc;
}

int make_budget(struct table *t, const struct regret_results *r)
{
    struct plan p = {0};
    begin_report_table(t, r, "budget", "Regret by budget");
    int rc = plan_make(&p, r, 1);
    for (size_t i = 0; rc == REGRET_OK && i < p.blocks.n; i++) {
        rc = put_block(t, &p, &p.blocks.items[i]);
    }
    table_note(t, "Mean held-out regret over the β cells and seeds of a column ± its standard "
                  "error over seeds. Best OBS-based: the lowest mean of obs-only, grounded, cvci "
                  "and cvci-residual in the column (its SE does not count the choice); the "
                  "difference to it is paired over seeds.");
    plan_free(&p);
    return rc;
}
