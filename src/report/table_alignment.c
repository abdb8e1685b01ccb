/* F3 of the paper: how well the proxy, and success alone, explain the target along lambda_fix. */
#include "report/tables.h"

static int put_block(struct table *t, const struct group *block, size_t key)
{
    const struct regret_results *r = block->slice.r;
    struct groups columns = {0};
    int rc = groups_split(&columns, &block->slice, &key, 1);
    if (rc != REGRET_OK) {
        return rc;
    }
    table_block(t, "%s", block->heading);
    table_column(t, "R² of the target on");
    for (size_t j = 0; j < columns.n; j++) {
        size_t cell = columns.items[j].slice.cells[0];
        table_column(t, "λ_fix %s", r->keys[key].values[r->cell_value[cell + r->n_cells * key]]);
    }
    put_fit_rows(t, &columns, "");
    groups_free(&columns);
    return rc;
}

int make_alignment(struct table *t, const struct regret_results *r)
{
    struct plan p = {0};
    begin_report_table(t, r, "alignment", "What explains the target as success counts for more");
    size_t key = design_key(r, DESIGN_LAMBDA_FIX);
    if (key == REGRET_NO_ROW) {
        table_note(t, "This run does not sweep reward.lambda_fix, so there is nothing to align.");
        return REGRET_OK;
    }
    int rc = plan_make(&p, r, 0);
    for (size_t i = 0; rc == REGRET_OK && i < p.blocks.n; i++) {
        rc = put_block(t, &p.blocks.items[i], key);
    }
    table_note(t,
               "R²: out of sample, of a linear fit of the cached target on the training contexts, "
               "scored on the held-out contexts; mean over the other cells and the seeds ± "
               "standard error over seeds. λ_fix: the weight of success in the utility.");
    plan_free(&p);
    return rc;
}
