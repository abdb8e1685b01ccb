/* T12, T13 and T14 of the paper: who wins where, and by how much. */
#include <math.h>
#include <stdio.h>

#include "regret/alloc.h"
#include "report/tables.h"

/* The axes of the map. Rows are budgets and columns β, as in T12 and T13. When β is not swept, an
 * extra key takes its place; when no budget is swept either, two extra keys make the map, as in T14
 * (λ_fix against ω). The rest makes blocks. */
struct axes {
    size_t rows[2], n_rows; /* keys */
    size_t column;          /* key */
    const size_t *blocks;   /* n_blocks keys */
    size_t n_blocks;
};

/* `keys`: the reward map and the extra keys, `n` in all; rearranged. */
static void choose_axes(struct axes *a, const struct regret_results *r, size_t *keys, size_t n)
{
    int budget = r->keys[REGRET_KEY_N_OBS].n_values > 1 || r->keys[REGRET_KEY_N_EXP].n_values > 1;
    *a = (struct axes){{REGRET_KEY_N_OBS, REGRET_KEY_N_EXP}, 2, REGRET_KEY_BETA, keys, n};
    if (r->keys[REGRET_KEY_BETA].n_values > 1 || n < 2) {
        return;
    }
    size_t taken = !budget && n >= 3 ? 2 : 1;
    if (taken == 2) {
        a->rows[0] = keys[1];
        a->n_rows = 1;
    }
    a->column = keys[taken];
    keys[taken] = REGRET_KEY_MAP;
    a->blocks = keys + taken;
    a->n_blocks = n - taken;
}

/* Wins of a family in a block, and how many of them can be told from the second. */
struct tally {
    size_t wins, clear;
};

/* The two lowest means, in order; REGRET_NO_ROW where there are fewer. */
static void find_two(size_t two[2], double mean[2], const struct slice *s, const struct plan *p)
{
    two[0] = two[1] = REGRET_NO_ROW;
    mean[0] = mean[1] = INFINITY;
    for (size_t i = 0; i < p->n_ranked; i++) {
        double m = slice_estimate(s, REGRET_MEASURE_REGRET, p->families[i]).mean;
        if (m < mean[0]) {
            two[1] = two[0];
            mean[1] = mean[0];
            two[0] = i;
            mean[0] = m;
        } else if (m < mean[1]) {
            two[1] = i;
            mean[1] = m;
        }
    }
}

static int put_winner(struct table *t, const struct slice *s, const struct plan *p,
                      struct tally *tally)
{
    size_t two[2];
    double mean[2];
    char text[300];
    find_two(two, mean, s, p);
    if (two[0] == REGRET_NO_ROW) {
        table_text(t, "–");
        return REGRET_OK;
    }
    const char *first = p->r->subjects[p->families[two[0]]].name;
    tally[two[0]].wins++;
    if (two[1] == REGRET_NO_ROW) {
        table_text(t, "%s", first);
        return REGRET_OK;
    }
    struct paired d;
    int rc = slice_paired(&d, s, REGRET_MEASURE_REGRET, p->families[two[1]], REGRET_MEASURE_REGRET,
                          p->families[two[0]]);
    if (rc != REGRET_OK) {
        return rc;
    }
    int clear = paired_separable(&d);
    tally[two[0]].clear += (size_t)clear;
    snprintf(text, sizeof text, "%s%s%s", first, clear ? "" : " ≈ ",
             clear ? "" : p->r->subjects[p->families[two[1]]].name);
    table_cell(t, text, mean[1] - mean[0], NAN, REGRET_DECIMALS, TABLE_NUMBER | TABLE_SIGNED);
    return REGRET_OK;
}

static void put_label(struct table *t, const struct group *row, const struct axes *a)
{
    const struct regret_results *r = row->slice.r;
    size_t cell = row->slice.cells[0];
    struct regret_text label = REGRET_TEXT_INIT;
    for (size_t i = 0; i < a->n_rows; i++) {
        const struct regret_key *key = &r->keys[a->rows[i]];
        regret_text_printf(&label, "%s%s %s", i > 0 ? ", " : "", key->name,
                           key->values[r->cell_value[cell + r->n_cells * a->rows[i]]]);
    }
    table_row(t, "%s", regret_text_get(&label));
    if (t->status == REGRET_OK) {
        t->status = regret_text_status(&label);
    }
    regret_text_free(&label);
}

static int put_map(struct table *t, const struct group *block, const struct axes *a,
                   const struct plan *p, struct tally *tally)
{
    const struct regret_key *column = &p->r->keys[a->column];
    struct groups rows = {0};
    int rc = groups_split(&rows, &block->slice, a->rows, a->n_rows);
    table_block(t, "%s", block->heading);
    table_column(t, "Cell");
    for (size_t v = 0; v < column->n_values; v++) {
        table_column(t, "%s %s", a->column == REGRET_KEY_BETA ? "β" : column->name,
                     column->values[v]);
    }
    for (size_t i = 0; rc == REGRET_OK && i < rows.n; i++) {
        put_label(t, &rows.items[i], a);
        for (size_t v = 0; rc == REGRET_OK && v < column->n_values; v++) {
            struct slice cell = {0};
            rc = slice_where(&cell, &rows.items[i].slice, a->column, v);
            if (rc == REGRET_OK) {
                rc = put_winner(t, &cell, p, tally);
            }
            slice_free(&cell);
        }
    }
    groups_free(&rows);
    return rc;
}

static void put_tally(struct table *t, const struct group *block, const struct plan *p,
                      const struct tally *tally)
{
    table_block(t, "%s%scells won", block->heading, block->heading[0] != '\0' ? ": " : "");
    table_column(t, "Family");
    table_column(t, "Wins");
    table_column(t, "Of them separable from the second");
    for (size_t i = 0; i < p->n_ranked; i++) {
        table_row(t, "%s", p->r->subjects[p->families[i]].name);
        table_number(t, (double)tally[i].wins, 0);
        table_number(t, (double)tally[i].clear, 0);
    }
}

static int put_block(struct table *t, const struct group *block, const struct axes *a,
                     const struct plan *p)
{
    struct tally *tally = NULL;
    int rc = REGRET_NEW(&tally, p->n_ranked);
    if (rc == REGRET_OK) {
        rc = put_map(t, block, a, p, tally);
    }
    if (rc == REGRET_OK) {
        put_tally(t, block, p, tally);
    }
    regret_free(tally);
    return rc;
}

int make_winners(struct table *t, const struct regret_results *r)
{
    struct plan p = {0};
    struct groups blocks = {0};
    struct axes axes = {0};
    size_t *keys = NULL;
    begin_report_table(t, r, "winners", "Winner and its lead over the second");
    int rc = plan_make(&p, r, 0);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&keys, r->n_keys + 1);
    }
    if (rc == REGRET_OK) {
        keys[0] = REGRET_KEY_MAP;
        choose_axes(&axes, r, keys, 1 + extra_keys(keys + 1, r));
        rc = groups_split(&blocks, &p.all, axes.blocks, axes.n_blocks);
    }
    for (size_t i = 0; rc == REGRET_OK && i < blocks.n; i++) {
        rc = put_block(t, &blocks.items[i], &axes, &p);
    }
    table_note(t, "Each place names the family of lowest mean regret over seeds and by how much "
                  "the second is worse. \"a ≈ b\": the 95 %% bootstrap interval of the paired "
                  "difference over seeds between the two holds 0, so the win of a over b is not "
                  "separable. Equal means: the first in the run's order of families.");
    groups_free(&blocks);
    plan_free(&p);
    regret_free(keys);
    return rc;
}
