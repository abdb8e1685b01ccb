/* T7, T10 and T11 of the paper: value estimation by DM, DR and SNDR. */
#include <math.h>

#include "report/tables.h"

/* The share of cells (in %) in which the mean DR error is below the mean DM error; NaN without
 * cells that have both. */
static double improved_share(const struct slice *s, size_t family)
{
    size_t n = 0, better = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        double dm = cell_mean(s->r, REGRET_MEASURE_DM_RMSE, family, s->cells[i]);
        double dr = cell_mean(s->r, REGRET_MEASURE_DR_RMSE, family, s->cells[i]);
        if (isfinite(dm) && isfinite(dr)) {
            n++;
            better += dr < dm;
        }
    }
    return n > 0 ? 100.0 * (double)better / (double)n : NAN;
}

static int put_difference(struct table *t, const struct slice *s, enum regret_measure m, size_t f)
{
    struct paired p = {NAN, NAN, NAN, NAN, 0};
    double mean = slice_estimate(s, m, f).mean - slice_estimate(s, REGRET_MEASURE_DM_RMSE, f).mean;
    int rc = slice_paired(&p, s, m, f, REGRET_MEASURE_DM_RMSE, f);
    table_signed_estimate(t, mean, p.se, RMSE_DECIMALS);
    return rc;
}

static int put_block(struct table *t, const struct slice *s, const char *heading,
                     const struct plan *p)
{
    static const char *const heads[] = {"Method",
                                        "DM RMSE",
                                        "DR RMSE",
                                        "SNDR RMSE",
                                        "DR − DM",
                                        "SNDR − DM",
                                        "DR better (% of cells)"};
    static const enum regret_measure measures[] = {REGRET_MEASURE_DM_RMSE, REGRET_MEASURE_DR_RMSE,
                                                   REGRET_MEASURE_SNDR_RMSE};
    int rc = REGRET_OK;
    table_block(t, "%s", heading);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        table_column(t, "%s", heads[i]);
    }
    for (size_t i = 0; rc == REGRET_OK && i < p->n_ranked; i++) {
        size_t f = p->families[i];
        table_row(t, "%s", p->r->subjects[f].name);
        for (size_t k = 0; k < 3; k++) {
            struct estimate e = slice_estimate(s, measures[k], f);
            table_estimate(t, e.mean, e.se, RMSE_DECIMALS);
        }
        rc = put_difference(t, s, REGRET_MEASURE_DR_RMSE, f);
        if (rc == REGRET_OK) {
            rc = put_difference(t, s, REGRET_MEASURE_SNDR_RMSE, f);
        }
        table_number(t, improved_share(s, f), 0);
    }
    return rc;
}

/* The block over all budgets, then one for each n_exp. */
static int put_group(struct table *t, const struct group *group, const struct plan *p)
{
    static const size_t n_exp[] = {REGRET_KEY_N_EXP};
    struct groups budgets = {0};
    const char *comma = group->heading[0] != '\0' ? ", " : "";
    struct regret_text heading = REGRET_TEXT_INIT;
    regret_text_printf(&heading, "%s%sall budgets", group->heading, comma);
    int rc = regret_text_status(&heading);
    if (rc == REGRET_OK) {
        rc = put_block(t, &group->slice, regret_text_get(&heading), p);
    }
    if (rc == REGRET_OK && p->r->keys[REGRET_KEY_N_EXP].n_values > 1) {
        rc = groups_split(&budgets, &group->slice, n_exp, 1);
    }
    for (size_t i = 0; rc == REGRET_OK && i < budgets.n; i++) {
        regret_text_clear(&heading);
        regret_text_printf(&heading, "%s%s%s", group->heading, comma, budgets.items[i].heading);
        rc = regret_text_status(&heading);
        if (rc == REGRET_OK) {
            rc = put_block(t, &budgets.items[i].slice, regret_text_get(&heading), p);
        }
    }
    groups_free(&budgets);
    regret_text_free(&heading);
    return rc;
}

int make_values(struct table *t, const struct regret_results *r)
{
    struct plan p = {0};
    int any = 0;
    begin_report_table(t, r, "values", "Error of the agents' estimated values");
    int rc = plan_make(&p, r, 0);
    for (size_t i = 0; rc == REGRET_OK && i < p.n_ranked; i++) {
        any |= has_measure(r, REGRET_MEASURE_DM_RMSE, p.families[i]);
    }
    for (size_t i = 0; rc == REGRET_OK && any && i < p.blocks.n; i++) {
        rc = put_group(t, &p.blocks.items[i], &p);
    }
    if (any) {
        table_note(t, "Root mean square error over agents of the estimated value, mean over cells "
                      "and seeds ± standard error over seeds; differences are paired over seeds "
                      "(negative: the correction helps). DM: the direct method; DR: doubly robust "
                      "with cross-fitting; SNDR: self-normalised DR. DR better: cells whose mean "
                      "DR error is below the mean DM error.");
    } else {
        table_note(t, "This run has no value estimates: they were switched off in its "
                      "configuration.");
    }
    plan_free(&p);
    return rc;
}
