/* Regret along one swept key: `beta` in blocks of reward map and extra keys, `sweep` for every key,
 * averaged over all the others. */
#include "regret/alloc.h"
#include "report/tables.h"

/* The held-out R² of the target, so that the sweep of a reward shows what it does to the proxy. */
void put_fit_rows(struct table *t, const struct groups *columns, const char *prefix)
{
    const struct regret_results *r = columns->items[0].slice.r;
    for (size_t i = 0; i < r->n_subjects; i++) {
        if (r->subjects[i].kind != REGRET_ROW_FIT || !has_measure(r, REGRET_MEASURE_R2, i)) {
            continue;
        }
        table_row(t, "%s%s", prefix, r->subjects[i].name);
        for (size_t j = 0; j < columns->n; j++) {
            struct estimate e = slice_estimate(&columns->items[j].slice, REGRET_MEASURE_R2, i);
            table_estimate(t, e.mean, e.se, R2_DECIMALS);
        }
    }
}

static int put_sweep(struct table *t, const struct slice *s, const char *heading, size_t key,
                     const size_t *families, size_t n)
{
    struct groups columns = {0};
    const struct regret_results *r = s->r;
    int rc = groups_split(&columns, s, &key, 1);
    if (rc != REGRET_OK) {
        return rc;
    }
    table_block(t, "%s", heading);
    table_column(t, "Family");
    for (size_t j = 0; j < columns.n; j++) {
        size_t cell = columns.items[j].slice.cells[0];
        table_column(t, "%s %s", key == REGRET_KEY_BETA ? "β" : r->keys[key].name,
                     r->keys[key].values[r->cell_value[cell + r->n_cells * key]]);
    }
    put_regret_rows(t, families, n, &columns);
    put_fit_rows(t, &columns, "R² on ");
    groups_free(&columns);
    return rc;
}

int make_beta(struct table *t, const struct regret_results *r)
{
    struct plan p = {0};
    begin_report_table(t, r, "beta", "Regret by confounding strength β");
    int rc = plan_make(&p, r, 1);
    for (size_t i = 0; rc == REGRET_OK && i < p.blocks.n; i++) {
        rc = put_sweep(t, &p.blocks.items[i].slice, p.blocks.items[i].heading, REGRET_KEY_BETA,
                       p.families, p.n_ranked);
    }
    table_note(t, "Mean held-out regret over the budget cells and the seeds ± standard error over "
                  "seeds. β moves only the OBS router: 0 takes the latent user out of it. R²: "
                  "held-out linear "
                  "fit of the target.");
    plan_free(&p);
    return rc;
}

int make_sweep(struct table *t, const struct regret_results *r)
{
    struct plan p = {0};
    begin_report_table(t, r, "sweep", "Regret by each swept key");
    int rc = plan_make(&p, r, 0);
    size_t swept = 0;
    for (size_t k = 0; rc == REGRET_OK && k < r->n_keys; k++) {
        if (r->keys[k].n_values > 1) {
            swept++;
            rc = put_sweep(t, &p.all, r->keys[k].name, k, p.families, p.n_ranked);
        }
    }
    table_note(
        t, swept > 0
               ? "Mean held-out regret over all cells that have the value (so averaged over "
                 "every other swept key) and the seeds ± standard error over seeds. R²: held-out "
                 "linear fit of the target."
               : "This run sweeps no key: it has one cell.");
    plan_free(&p);
    return rc;
}
