/* F4 of the paper: where one way of learning overtakes another along the reward design. */
#include <math.h>

#include "report/tables.h"

/* A difference along one key: `minuend` minus the family `subtrahend`, or minus the best OBS-based
 * one where that is NULL. */
struct crossing {
    enum design design;
    const char *symbol, *minuend, *subtrahend;
};

static const struct crossing crossings[] = {
    {DESIGN_LAMBDA_FIX, "λ_fix", "representation-exp", NULL},
    {DESIGN_OMEGA, "ω", "grounded", "obs-only"},
};

static size_t find_subtrahend(const struct crossing *c, const struct slice *s)
{
    return c->subtrahend != NULL ? regret_results_subject(s->r, REGRET_ROW_FAMILY, c->subtrahend)
                                 : best_obs_based(s);
}

static void put_subtrahend(struct table *t, const struct crossing *c, const struct slice *s)
{
    size_t subject = find_subtrahend(c, s);
    if (subject == REGRET_NO_ROW) {
        table_number(t, NAN, REGRET_DECIMALS);
        return;
    }
    struct estimate e = slice_estimate(s, REGRET_MEASURE_REGRET, subject);
    table_cell(t, c->subtrahend != NULL ? NULL : s->r->subjects[subject].name, e.mean, e.se,
               REGRET_DECIMALS, TABLE_NUMBER | TABLE_SE);
}

static int put_rows(struct table *t, const struct crossing *c, const struct groups *columns,
                    size_t minuend)
{
    int rc = REGRET_OK;
    table_row(t, "%s", c->minuend);
    for (size_t j = 0; j < columns->n; j++) {
        struct estimate e =
            slice_estimate(&columns->items[j].slice, REGRET_MEASURE_REGRET, minuend);
        table_estimate(t, e.mean, e.se, REGRET_DECIMALS);
    }
    table_row(t, "%s", c->subtrahend != NULL ? c->subtrahend : "best OBS-based method");
    for (size_t j = 0; j < columns->n; j++) {
        put_subtrahend(t, c, &columns->items[j].slice);
    }
    table_row(t, "difference");
    for (size_t j = 0; rc == REGRET_OK && j < columns->n; j++) {
        struct paired p = {NAN, NAN, NAN, NAN, 0};
        const struct slice *s = &columns->items[j].slice;
        size_t subject = find_subtrahend(c, s);
        if (subject != REGRET_NO_ROW) {
            rc =
                slice_paired(&p, s, REGRET_MEASURE_REGRET, minuend, REGRET_MEASURE_REGRET, subject);
        }
        table_cell(t, NULL, p.mean, p.se, REGRET_DECIMALS,
                   TABLE_NUMBER | TABLE_SE | TABLE_SIGNED |
                       (paired_separable(&p) && p.mean < 0.0 ? TABLE_BEST : 0U));
    }
    return rc;
}

static int put_block(struct table *t, const struct group *block, const struct crossing *c)
{
    const struct regret_results *r = block->slice.r;
    size_t key = design_key(r, c->design);
    size_t minuend = regret_results_subject(r, REGRET_ROW_FAMILY, c->minuend);
    struct groups columns = {0};
    if (key == REGRET_NO_ROW || minuend == REGRET_NO_ROW) {
        return REGRET_OK;
    }
    int rc = groups_split(&columns, &block->slice, &key, 1);
    if (rc != REGRET_OK) {
        return rc;
    }
    table_block(t, "%s%s%s minus %s along %s", block->heading,
                block->heading[0] != '\0' ? ": " : "", c->minuend,
                c->subtrahend != NULL ? c->subtrahend : "the best OBS-based method", c->symbol);
    table_column(t, "Mean regret");
    for (size_t j = 0; j < columns.n; j++) {
        size_t cell = columns.items[j].slice.cells[0];
        table_column(t, "%s %s", c->symbol,
                     r->keys[key].values[r->cell_value[cell + r->n_cells * key]]);
    }
    rc = put_rows(t, c, &columns, minuend);
    groups_free(&columns);
    return rc;
}

int make_crossover(struct table *t, const struct regret_results *r)
{
    struct plan p = {0};
    begin_report_table(t, r, "crossover", "Where one method overtakes another");
    if (design_key(r, DESIGN_LAMBDA_FIX) == REGRET_NO_ROW &&
        design_key(r, DESIGN_OMEGA) == REGRET_NO_ROW) {
        table_note(t, "This run sweeps neither reward.lambda_fix nor reward.omega, so nothing can "
                      "cross over.");
        return REGRET_OK;
    }
    int rc = plan_make(&p, r, 0);
    for (size_t i = 0; i < p.blocks.n; i++) {
        for (size_t k = 0; rc == REGRET_OK && k < sizeof crossings / sizeof *crossings; k++) {
            rc = put_block(t, &p.blocks.items[i], &crossings[k]);
        }
    }
    table_note(t, "Below 0 the first method recommends better; in bold where the 95 %% bootstrap "
                  "interval of the paired difference over seeds lies below 0. Means over the other "
                  "cells and the seeds ± standard error over seeds; the best OBS-based method is "
                  "that of each column, and its choice is not counted in the error.");
    plan_free(&p);
    return rc;
}
