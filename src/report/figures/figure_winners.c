#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/figures/figure.h"
#include "report/rows/winners.h"

FREED_FIELDS(shown, of->subjects)

/* The axis with the symbol of the reward's parameter, where it is one: labels are to be short. */
static struct key_axis short_axis(const struct regret_results *r, const struct key_axis *axis)
{
    const struct regret_reward_parameter *p = reward_parameter(r->keys[axis->key].name);
    return (struct key_axis){axis->key, p != NULL && p->symbol != NULL ? p->symbol : axis->symbol};
}

/* The labels of rows and columns, which all panels share: those of all cells. */
static int add_labels(struct chart *c, const struct table_data *d, const struct winner_map *map,
                      struct groups *rows)
{
    const struct regret_key *column = &d->r->keys[map->column.key];
    const size_t keys[] = {map->rows[0].key, map->rows[1].key};
    const struct key_axis axes[] = {short_axis(d->r, &map->rows[0]),
                                    short_axis(d->r, &map->rows[1])};
    FREED_BY(regret_buffer_free) struct regret_buffer label = REGRET_BUFFER_INIT;
    TRY(groups_split(rows, &d->all, keys, map->n_rows));
    for (size_t i = 0; i < rows->n; i++) {
        regret_buffer_clear(&label);
        append_key_values(&label, &rows->items[i].slice, axes, map->n_rows);
        TRY(regret_buffer_status(&label));
        chart_row(c, "%s", regret_buffer_get(&label));
    }
    for (size_t v = 0; v < column->n_values; v++) {
        const char *symbol = short_axis(d->r, &map->column).symbol;
        chart_column(c, "%s%s%s", symbol, symbol[0] != '\0' ? " " : "", column->values[v]);
    }
    return REGRET_OK;
}

/* The cells of `a` that are of `b`, too. */
static int intersect(struct slice *out, const struct slice *a, const struct slice *b)
{
    TRY(slice_copy(out, a));
    size_t n = 0;
    for (size_t i = 0, j = 0; i < a->n_cells; i++) {
        while (j < b->n_cells && b->cells[j] < a->cells[i]) {
            j++;
        }
        if (j < b->n_cells && b->cells[j] == a->cells[i]) {
            out->cells[n++] = a->cells[i];
        }
    }
    out->n_cells = n;
    return REGRET_OK;
}

/* The subject's place among those that may win. */
static size_t series_of(const struct shown *who, size_t subject)
{
    size_t i = 0;
    while (i + 1 < who->n && who->subjects[i] != subject) {
        i++;
    }
    return i;
}

static int add_cell(struct chart *c, const struct slice *s, const struct shown *who, size_t row,
                    size_t column)
{
    struct winner w;
    TRY(find_winner(&w, s, who->subjects, who->n));
    if (w.first != REGRET_NO_ROW && w.second != REGRET_NO_ROW) {
        chart_point(c, (struct chart_point){.series = series_of(who, w.first),
                                            .row = row,
                                            .column = column,
                                            .value = w.lead,
                                            .cell = s->n_cells == 1 ? s->cells[0] + 1 : 0,
                                            .flags = w.clear ? 0 : CHART_TIE});
    }
    return REGRET_OK;
}

static int add_panel(struct chart *c, const struct group *block, const struct groups *rows,
                     const struct winner_map *map, const struct shown *who)
{
    const struct regret_results *r = block->slice.r;
    FREED_BY(slice_free) struct slice row = {0};
    FREED_BY(slice_free) struct slice cell = {0};
    chart_panel(c, "%s", block->heading);
    for (size_t i = 0; i < rows->n; i++) {
        slice_free(&row);
        TRY(intersect(&row, &block->slice, &rows->items[i].slice));
        for (size_t v = 0; v < r->keys[map->column.key].n_values; v++) {
            slice_free(&cell);
            TRY(slice_where(&cell, &row, map->column.key, v));
            TRY(cell.n_cells > 0 ? add_cell(c, &cell, who, i, v) : REGRET_OK);
        }
    }
    return REGRET_OK;
}

/* The ranked families and, with `baselines`, those that recommend by rows of EXP or OBS, each a series. */
static int add_contenders(struct chart *c, struct shown *who, const struct table_data *d,
                          int baselines)
{
    const struct regret_subject *subjects = d->r->subjects;
    TRY(REGRET_NEW(&who->subjects, d->r->n_subjects));
    for (; who->n < d->n_ranked; who->n++) {
        size_t family = who->subjects[who->n] = d->ranked[who->n];
        chart_series(c, family_style(d->r, family), "%s", subjects[family].name);
    }
    size_t end = who->n + (baselines ? baselines_by_rows(who->subjects + who->n, d->r) : 0);
    for (; who->n < end; who->n++) {
        const struct regret_subject *baseline = &subjects[who->subjects[who->n]];
        chart_series(c, baseline_style(baseline), "%s", baseline->name);
    }
    return REGRET_OK;
}

/* Series, labels and a panel for each group of the keys that make no axis. */
static int add_map(struct chart *c, const struct table_data *d, const struct winner_map *map,
                   int baselines)
{
    FREED_BY(groups_free) struct groups blocks = {0};
    FREED_BY(groups_free) struct groups rows = {0};
    FREED_BY(shown_fields) struct shown who = {0};
    c->decimals = measure_decimals(REGRET_MEASURE_REGRET);
    TRY(add_contenders(c, &who, d, baselines));
    TRY(add_labels(c, d, map, &rows));
    TRY(groups_split(&blocks, &d->all, map->blocks, map->n_blocks));
    for (size_t i = 0; i < blocks.n; i++) {
        TRY(add_panel(c, &blocks.items[i], &rows, map, &who));
    }
    return REGRET_OK;
}

int figure_winners(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    size_t *keys = NULL;
    (void)spec;
    if (d->all.n_cells < 2 || d->n_ranked < 2) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&keys, d->r->n_keys + 1));
    const struct winner_map map = winner_map(d->r, keys);
    int rc = add_map(c, d, &map, 0);
    regret_free(keys);
    return rc;
}

int figure_phase(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    const struct regret_results *r = d->r;
    size_t *keys = NULL;
    struct winner_map map;
    (void)spec;
    if (d->n_ranked < 2) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&keys, r->n_keys + 1));
    int rc = REGRET_OK;
    if (phase_map(&map, r, keys)) {
        c->across = r->keys[REGRET_KEY_BETA].n_values;
        chart_axes(c, r->keys[map.column.key].name, "");
        rc = add_map(c, d, &map, 1);
    }
    regret_free(keys);
    return rc;
}
