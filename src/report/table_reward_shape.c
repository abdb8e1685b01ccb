/* T6 of the paper: regret under each reward map, and how well the target is fitted linearly. */
#include <math.h>
#include <string.h>

#include "report/tables.h"

static const size_t map_key[] = {REGRET_KEY_MAP};

static size_t find_map(const struct regret_results *r, const char *map)
{
    const struct regret_key *key = &r->keys[REGRET_KEY_MAP];
    for (size_t v = 0; v < key->n_values; v++) {
        if (strcmp(key->values[v], map) == 0) {
            return v;
        }
    }
    return REGRET_NO_ROW;
}

static void put_row(struct table *t, const struct groups *maps, enum regret_measure m,
                    size_t subject, const struct group *plain, const struct group *sharp,
                    int decimals)
{
    struct estimate at_plain = {NAN, NAN}, at_sharp = {NAN, NAN};
    for (size_t j = 0; j < maps->n; j++) {
        struct estimate e = slice_estimate(&maps->items[j].slice, m, subject);
        table_estimate(t, e.mean, e.se, decimals);
        if (&maps->items[j] == plain) {
            at_plain = e;
        } else if (&maps->items[j] == sharp) {
            at_sharp = e;
        }
    }
    if (plain != NULL && sharp != NULL) {
        table_signed(t, at_sharp.mean - at_plain.mean, decimals);
    }
}

static void put_fits(struct table *t, const struct groups *maps, const struct group *plain,
                     const struct group *sharp)
{
    static const struct {
        const char *fit, *label;
    } rows[] = {{"proxy", "R² of the target on the proxy"},
                {"components", "R² of the target on the raw components"},
                {"success", "R² of the target on success alone"}};
    const struct regret_results *r = maps->items[0].slice.r;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t subject = regret_results_subject(r, REGRET_ROW_FIT, rows[i].fit);
        if (subject != REGRET_NO_ROW && has_measure(r, REGRET_MEASURE_R2, subject)) {
            table_row(t, "%s", rows[i].label);
            put_row(t, maps, REGRET_MEASURE_R2, subject, plain, sharp, R2_DECIMALS);
        }
    }
}

static int put_block(struct table *t, const struct plan *p, const struct group *block)
{
    struct groups maps = {0};
    int rc = groups_split(&maps, &block->slice, map_key, 1);
    if (rc != REGRET_OK) {
        return rc;
    }
    const struct regret_results *r = p->r;
    size_t smooth = find_map(r, "smooth"), sharpened = find_map(r, "sharpened");
    const struct group *plain = NULL, *sharp = NULL;
    table_block(t, "%s", block->heading);
    table_column(t, "Method");
    for (size_t j = 0; j < maps.n; j++) {
        size_t v = r->cell_value[maps.items[j].slice.cells[0] + r->n_cells * REGRET_KEY_MAP];
        table_column(t, "%s", r->keys[REGRET_KEY_MAP].values[v]);
        plain = v == smooth ? &maps.items[j] : plain;
        sharp = v == sharpened ? &maps.items[j] : sharp;
    }
    if (plain != NULL && sharp != NULL) {
        table_column(t, "sharpened − smooth");
    }
    for (size_t i = 0; i < p->n_ranked; i++) {
        table_row(t, "%s", r->subjects[p->families[i]].name);
        put_row(t, &maps, REGRET_MEASURE_REGRET, p->families[i], plain, sharp, REGRET_DECIMALS);
    }
    for (size_t j = 0; t->status == REGRET_OK && p->n_ranked > 1 && j < maps.n; j++) {
        table_stress_lowest(t, 0, p->n_ranked, j + 1);
    }
    for (size_t i = r->n_families; i < r->n_subjects; i++) {
        if (r->subjects[i].kind == REGRET_ROW_BASELINE &&
            has_measure(r, REGRET_MEASURE_REGRET, i)) {
            table_row(t, "%s", r->subjects[i].name);
            put_row(t, &maps, REGRET_MEASURE_REGRET, i, plain, sharp, REGRET_DECIMALS);
        }
    }
    put_fits(t, &maps, plain, sharp);
    groups_free(&maps);
    return rc;
}

int make_reward_shape(struct table *t, const struct regret_results *r)
{
    struct plan p = {0};
    begin_report_table(t, r, "reward-shape", "Regret and target fit by reward map");
    int rc = plan_make(&p, r, 0);
    for (size_t i = 0; rc == REGRET_OK && i < p.blocks.n; i++) {
        rc = put_block(t, &p, &p.blocks.items[i]);
    }
    table_note(t, "Rows of families: mean held-out regret over the budget and β cells and the "
                  "seeds ± standard error over seeds. R²: out of sample, of a linear fit of the "
                  "cached target on the training contexts, scored on the held-out contexts; mean "
                  "over cells and seeds.");
    if (r->keys[REGRET_KEY_MAP].n_values == 1) {
        table_note(t, "This run has one reward map only: %s.", r->keys[REGRET_KEY_MAP].values[0]);
    }
    plan_free(&p);
    return rc;
}
