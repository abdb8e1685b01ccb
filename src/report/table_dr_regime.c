/* F5 of the paper: when the correction by EXP pays, as n_exp grows. */
#include <math.h>

#include "report/regime.h"
#include "report/tables.h"

enum { N_ESTIMATORS = 3 };
static const enum regret_measure measures[N_ESTIMATORS] = {
    REGRET_MEASURE_DM_RMSE, REGRET_MEASURE_DR_RMSE, REGRET_MEASURE_SNDR_RMSE};
static const char *const labels[N_ESTIMATORS] = {"DM RMSE", "DR RMSE", "SNDR RMSE"};
static const char *const differences[N_ESTIMATORS] = {"", "DR − DM", "SNDR − DM"};

static int put_difference_row(struct table *t, const struct groups *columns, size_t family,
                              size_t i)
{
    int rc = REGRET_OK;
    table_row(t, "%s", differences[i]);
    for (size_t j = 0; rc == REGRET_OK && j < columns->n; j++) {
        struct paired p;
        rc = slice_paired(&p, &columns->items[j].slice, measures[i], family, measures[0], family);
        if (rc == REGRET_OK) {
            table_cell(t, NULL, p.mean, p.se, RMSE_DECIMALS,
                       TABLE_NUMBER | TABLE_SE | TABLE_SIGNED | (p.high < 0.0 ? TABLE_BEST : 0U));
        }
    }
    return rc;
}

static int put_family(struct table *t, const struct group *block, size_t family)
{
    static const size_t n_exp[] = {REGRET_KEY_N_EXP};
    const struct regret_results *r = block->slice.r;
    struct groups columns = {0};
    int rc = groups_split(&columns, &block->slice, n_exp, 1);
    if (rc != REGRET_OK) {
        return rc;
    }
    table_block(t, "%s%s%s", block->heading, block->heading[0] != '\0' ? ": " : "",
                r->subjects[family].name);
    table_column(t, "Error of the values");
    for (size_t j = 0; j < columns.n; j++) {
        size_t cell = columns.items[j].slice.cells[0];
        table_column(
            t, "n_exp %s",
            r->keys[REGRET_KEY_N_EXP].values[r->cell_value[cell + r->n_cells * REGRET_KEY_N_EXP]]);
    }
    for (size_t i = 0; i < N_ESTIMATORS; i++) {
        table_row(t, "%s", labels[i]);
        for (size_t j = 0; j < columns.n; j++) {
            struct estimate e = slice_estimate(&columns.items[j].slice, measures[i], family);
            table_estimate(t, e.mean, e.se, RMSE_DECIMALS);
        }
    }
    for (size_t i = 1; rc == REGRET_OK && i < N_ESTIMATORS; i++) {
        rc = put_difference_row(t, &columns, family, i);
    }
    groups_free(&columns);
    return rc;
}

static int note_regime(struct table *t, const struct group *block)
{
    struct regime regime = regime_read(&block->slice);
    struct regret_text text = REGRET_TEXT_INIT;
    regime_describe(&text, &regime);
    int rc = regret_text_status(&text);
    if (rc == REGRET_OK) {
        table_note(t, "%s%s%s", block->heading, block->heading[0] != '\0' ? ": " : "",
                   regret_text_get(&text));
    }
    regret_text_free(&text);
    return rc;
}

static int put_block(struct table *t, const struct group *block, const struct plan *p)
{
    int rc = REGRET_OK;
    for (size_t i = 0; rc == REGRET_OK && i < p->n_ranked; i++) {
        if (has_measure(p->r, REGRET_MEASURE_DM_RMSE, p->families[i])) {
            rc = put_family(t, block, p->families[i]);
        }
    }
    return rc == REGRET_OK ? note_regime(t, block) : rc;
}

static int has_values(const struct plan *p)
{
    int any = 0;
    for (size_t i = 0; i < p->n_ranked; i++) {
        any |= has_measure(p->r, REGRET_MEASURE_DR_RMSE, p->families[i]);
    }
    return any;
}

int make_dr_regime(struct table *t, const struct regret_results *r)
{
    struct plan p = {0};
    begin_report_table(t, r, "dr-regime", "Value estimation as the experiment grows");
    int rc = plan_make(&p, r, 0);
    if (rc != REGRET_OK) {
        return rc;
    }
    if (r->keys[REGRET_KEY_N_EXP].n_values < 2) {
        table_note(t, "This run does not sweep n_exp, so nothing grows.");
    } else if (!has_values(&p)) {
        table_note(t, "This run has no value estimates: they were switched off in its "
                      "configuration.");
    } else {
        for (size_t i = 0; rc == REGRET_OK && i < p.blocks.n; i++) {
            rc = put_block(t, &p.blocks.items[i], &p);
        }
        table_note(t, "Root mean square error over agents of the estimated value, mean over the "
                      "other cells and the seeds ± standard error over seeds. Differences are "
                      "paired over the seeds that have both numbers in every cell of the column; "
                      "in bold where their 95 %% bootstrap interval lies below 0, so that the "
                      "correction by EXP helps.");
    }
    plan_free(&p);
    return rc;
}
