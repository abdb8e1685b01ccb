/* T12, T13 and T14 of the paper: who wins where, and by how much. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/multiplicity.h"
#include "report/rows/winners.h"
#include "report/tables/spec.h"

/* The winners of the cells of a block. */
struct wins {
    struct winner *items;
    size_t n, capacity;
};

FREED_FIELDS(wins, of->items)

static int keep_win(struct wins *wins, const struct winner *w)
{
    TRY(regret_grow((void **)&wins->items, &wins->capacity, wins->n, sizeof *wins->items, "wins"));
    wins->items[wins->n++] = *w;
    return REGRET_OK;
}

static int put_winner(struct table *t, const struct slice *s, const struct table_data *d,
                      struct wins *wins)
{
    struct winner w;
    TRY(find_winner(&w, s, d->ranked, d->n_ranked));
    if (w.first == REGRET_NO_ROW) {
        table_text(t, "–");
        return REGRET_OK;
    }
    TRY(keep_win(wins, &w));
    const char *first = d->r->subjects[w.first].name;
    if (w.second == REGRET_NO_ROW) {
        table_text(t, "%s", first);
        return REGRET_OK;
    }
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_printf(&text, "%s%s%s", first, w.clear ? "" : " ≈ ",
                         w.clear ? "" : d->r->subjects[w.second].name);
    int rc = regret_buffer_status(&text);
    table_cell(t, regret_buffer_get(&text), w.lead, NAN, measure_decimals(REGRET_MEASURE_REGRET),
               TABLE_NUMBER | TABLE_SIGNED);
    regret_buffer_free(&text);
    return rc;
}

static int put_row(struct table *t, const struct group *row, const struct winner_map *map,
                   const struct table_data *d, struct wins *wins)
{
    FREED_BY(regret_buffer_free) struct regret_buffer label = REGRET_BUFFER_INIT;
    FREED_BY(slice_free) struct slice cell = {0};
    append_key_values(&label, &row->slice, map->rows, map->n_rows);
    TRY(regret_buffer_status(&label));
    table_row(t, "%s", regret_buffer_get(&label));
    table_keys_of(t, TABLE_KEY_OF_ROW, &row->slice);
    for (size_t v = 0; v < d->r->keys[map->column.key].n_values; v++) {
        slice_free(&cell);
        TRY(slice_where(&cell, &row->slice, map->column.key, v));
        TRY(put_winner(t, &cell, d, wins));
    }
    return REGRET_OK;
}

static int put_map(struct table *t, const struct group *block, const struct winner_map *map,
                   const struct table_data *d, struct wins *wins)
{
    const struct regret_key *column = &d->r->keys[map->column.key];
    const size_t keys[] = {map->rows[0].key, map->rows[1].key};
    FREED_BY(groups_free) struct groups rows = {0};
    TRY(groups_split(&rows, &block->slice, keys, map->n_rows));
    table_block_of(t, block, "");
    table_column(t, "Cell");
    for (size_t v = 0; v < column->n_values; v++) {
        table_column(t, "%s %s", map->column.symbol, column->values[v]);
        table_key(t, TABLE_KEY_OF_COLUMN, column->name, column->values[v]);
    }
    for (size_t i = 0; i < rows.n; i++) {
        TRY(put_row(t, &rows.items[i], map, d, wins));
    }
    return REGRET_OK;
}

/* The wins of a family (of all: REGRET_NO_ROW), and how many of them are clear; and are still where their
 * p-value is held against .05 adjusted in one way or the other. */
static void put_tally(struct table *t, const char *name, size_t family, const struct wins *wins,
                      const double *holm, const double *benjamini_hochberg)
{
    const double size = 0.05;
    double n = 0.0, clear = 0.0, by_holm = 0.0, by_bh = 0.0;
    for (size_t i = 0; i < wins->n; i++) {
        const struct winner *win = &wins->items[i];
        int counts = family == REGRET_NO_ROW || win->first == family;
        n += counts;
        clear += counts && win->clear;
        by_holm += counts && win->clear && holm[i] <= size;
        by_bh += counts && win->clear && benjamini_hochberg[i] <= size;
    }
    table_row(t, "%s", name);
    table_number(t, n, 0);
    table_number(t, clear, 0);
    table_number(t, by_holm, 0);
    table_number(t, by_bh, 0);
}

static int put_tallies(struct table *t, const struct group *block, const struct table_data *d,
                       const struct wins *wins)
{
    FREED double *holm = NULL, *bh = NULL;
    TRY(REGRET_NEW(&holm, wins->n));
    TRY(REGRET_NEW(&bh, wins->n));
    for (size_t i = 0; i < wins->n; i++) {
        bh[i] = wins->items[i].p;
    }
    TRY(regret_holm(holm, bh, wins->n));
    TRY(regret_benjamini_hochberg(bh, bh, wins->n));
    table_block_of(t, block, "cells won");
    TABLE_HEADS(t, "Family", "Wins", "Of them separable from the second", "Holm",
                "Benjamini–Hochberg");
    for (size_t i = 0; i < d->n_ranked; i++) {
        put_tally(t, d->r->subjects[d->ranked[i]].name, d->ranked[i], wins, holm, bh);
    }
    put_tally(t, "all", REGRET_NO_ROW, wins, holm, bh);
    return REGRET_OK;
}

static int put_block(struct table *t, const struct group *block, const struct winner_map *map,
                     const struct table_data *d)
{
    FREED_BY(wins_fields) struct wins wins = {0};
    TRY(put_map(t, block, map, d, &wins));
    return put_tallies(t, block, d, &wins);
}

int put_winners(struct table *t, const struct table_data *d)
{
    FREED_BY(groups_free) struct groups blocks = {0};
    FREED size_t *keys = NULL;
    TRY(REGRET_NEW(&keys, d->r->n_keys + 1));
    const struct winner_map map = winner_map(d->r, keys);
    TRY(groups_split(&blocks, &d->all, map.blocks, map.n_blocks));
    for (size_t i = 0; i < blocks.n; i++) {
        TRY(put_block(t, &blocks.items[i], &map, d));
    }
    return REGRET_OK;
}
