/* Figures along keys, ranks, means and costs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "chart/svg.h"
#include "regret/status.h"
#include "regret/task.h"
#include "report/figures.h"
#include "report/internal.h"
#include "report/ranks.h"
#include "stats/multiplicity.h"

/* Value against cost: families by price, single agents and their hull. */

/* The last, which no family of the program has. */
enum { AGENTS_STYLE = CHART_N_SERIES_STYLES - 1 };

static void add_point(struct chart *c, size_t series, double cost, double value)
{
    struct chart_point p = plain_point(series, 0, value);
    p.x = cost;
    chart_point(c, p);
}

/* A point of a curve; drawn once where prices do not tell policies apart. */
static void add_curve(struct chart *c, const struct cost_curve *curve, size_t series)
{
    const struct regret_cost_point *before = NULL;
    for (size_t k = REGRET_N_PRICES; k-- > 0;) {
        const struct regret_cost_point *p = &curve->points[k];
        if (before == NULL || p->cost != before->cost || p->value != before->value) {
            add_point(c, series, p->cost, p->value);
        }
        before = p;
    }
}

static void add_agents(struct chart *c, const struct cost_board *b)
{
    size_t hull = chart_series(c, CHART_STYLE_REFERENCE, "hull of single agents");
    for (size_t i = 0; i < b->n_hull; i++) {
        add_point(c, hull, b->hull[i].cost, b->hull[i].value);
    }
    if (b->n_hull > 0 && b->hull[b->n_hull - 1].cost < b->high) { /* what is had at any more */
        add_point(c, hull, b->high, b->hull[b->n_hull - 1].value);
    }
    size_t agents = chart_series(c, AGENTS_STYLE, "single agents");
    for (size_t i = 0; i < b->grid->n_agents; i++) {
        chart_point(c, (struct chart_point){.series = agents,
                                            .row = i,
                                            .x = b->agents[i].point.cost,
                                            .value = b->agents[i].point.value,
                                            .low = NAN,
                                            .high = NAN,
                                            .flags = CHART_NAMED});
        chart_row(c, "%s", b->grid->agents[b->agents[i].agent]);
    }
}

static void add_board(struct chart *c, const struct table_data *d, const struct cost_board *b)
{
    chart_panel(c, "%s", "");
    for (size_t i = 0; i < b->n_curves; i++) {
        const struct regret_subject *s = &d->r->subjects[b->curves[i].subject];
        if (s->kind == REGRET_ROW_FAMILY) {
            int style = family_style(d->r, b->curves[i].subject);
            add_curve(c, &b->curves[i], chart_series(c, style, "%s", s->name));
        }
    }
    add_agents(c, b);
}

int figure_costs(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    struct cost_board b = {0};
    (void)spec;
    TRY(cost_board_make(&b, &d->all, d->ranked, d->n_ranked));
    if (b.n_curves > 0) {
        add_board(c, d, &b);
    }
    cost_board_free(&b);
    return REGRET_OK;
}

/* Figures of lines over the values of a key. */

/* More lines than these are no picture any more; the tables have them all. */
enum { MOST_SERIES = 16 };

/* The lines: of each a subject and a measure. */
struct drawn {
    size_t subject[MOST_SERIES];
    enum regret_measure measure[MOST_SERIES];
    size_t n;
};

static void add_line(struct chart *c, struct drawn *lines, size_t subject, enum regret_measure m,
                     int style, const char *name)
{
    if (lines->n < MOST_SERIES) {
        lines->subject[lines->n] = subject;
        lines->measure[lines->n++] = m;
        chart_series(c, style, "%s", name);
    }
}

/* Families that have the measure, then the baselines but the oracle, whose regret is 0. */
static void add_families(struct chart *c, struct drawn *lines, const struct table_data *d,
                         enum regret_measure m)
{
    const struct regret_results *r = d->r;
    for (size_t i = 0; i < d->n_ranked; i++) {
        if (has_measure(r, m, d->ranked[i])) {
            add_line(c, lines, d->ranked[i], m, family_style(r, d->ranked[i]),
                     r->subjects[d->ranked[i]].name);
        }
    }
    for (size_t i = r->n_families; m == REGRET_MEASURE_REGRET && i < r->n_subjects; i++) {
        const char *name = r->subjects[i].name;
        if (is_shown_baseline(r, i) && has_measure(r, m, i)) {
            add_line(c, lines, i, m, baseline_style(&r->subjects[i]), name);
        }
    }
}

static void add_fits(struct chart *c, struct drawn *lines, const struct table_data *d,
                     enum regret_measure m)
{
    const struct regret_results *r = d->r;
    for (size_t i = r->n_families, k = 0; i < r->n_subjects; i++) {
        if (r->subjects[i].kind == REGRET_ROW_FIT && has_measure(r, m, i)) {
            add_line(c, lines, i, m, (int)k++, r->subjects[i].name);
        }
    }
}

/* The lines of a panel, over the groups of its cells by the key. */
static int add_points(struct chart *c, const struct slice *s, size_t key, const struct drawn *lines)
{
    struct groups levels = {0};
    TRY(groups_split(&levels, s, &key, 1));
    for (size_t j = 0; j < levels.n; j++) {
        const struct slice *level = &levels.items[j].slice;
        char *end = NULL;
        double x = strtod(slice_value(level, key), &end);
        for (size_t k = 0; k < lines->n && *end == '\0'; k++) {
            struct chart_point p = estimate_point(level, lines->measure[k], lines->subject[k]);
            p.series = k;
            p.x = x;
            chart_point(c, p);
        }
    }
    groups_free(&levels);
    return REGRET_OK;
}

/* A panel for each family that has the values. */
static int add_family_panels(struct chart *c, const struct table_data *d, size_t key,
                             const struct figure_spec *spec)
{
    struct drawn lines = {.n = 0};
    for (size_t k = 0; k < 3 && spec->measure_names[k] != NULL; k++) {
        add_line(c, &lines, 0, spec->measures[k], (int)k, spec->measure_names[k]);
    }
    for (size_t i = 0; i < d->n_ranked; i++) {
        if (!has_measure(d->r, spec->measures[0], d->ranked[i])) {
            continue;
        }
        for (size_t k = 0; k < lines.n; k++) {
            lines.subject[k] = d->ranked[i];
        }
        chart_panel(c, "%s", d->r->subjects[d->ranked[i]].name);
        TRY(add_points(c, &d->all, key, &lines));
    }
    return REGRET_OK;
}

/* Panels of some cells, `of` at the head of each. */
static int add_panels_of(struct chart *c, const struct table_data *d, const struct slice *cells,
                         const char *of, size_t key, const struct figure_spec *spec,
                         const struct drawn *lines)
{
    FREED_BY(groups_free) struct groups panels = {0};
    TRY(split_panels(&panels, cells, d, key, spec->by_map));
    for (size_t i = 0; i < panels.n; i++) {
        const char *heading = panels.items[i].heading;
        chart_panel(c, "%s%s%s", of, of[0] != '\0' && heading[0] != '\0' ? ", " : "", heading);
        TRY(add_points(c, &panels.items[i].slice, key, lines));
    }
    return REGRET_OK;
}

/* All cells and, where the run has others, beside them those that the paper shows alone. */
static int add_panels(struct chart *c, const struct table_data *d, size_t key,
                      const struct figure_spec *spec)
{
    struct drawn lines = {.n = 0};
    FREED_BY(slice_free) struct slice part = {0};
    char all[64] = "", one[64] = "";
    size_t at = spec->at_key != NULL ? find_axis(d->r, spec->at_key) : REGRET_NO_ROW;
    if (spec->of == FIGURE_OF_FITS) {
        add_fits(c, &lines, d, spec->measures[0]);
    } else {
        add_families(c, &lines, d, spec->measures[0]);
    }
    if (at != REGRET_NO_ROW && d->r->keys[at].n_values > 1) {
        const char *symbol = reward_parameter(spec->at_key)->symbol;
        snprintf(all, sizeof all, "all %s", symbol);
        snprintf(one, sizeof one, "%s = %s", symbol, spec->at_value);
        TRY(slice_where(&part, &d->all, at, value_number(&d->r->keys[at], spec->at_value)));
    }
    TRY(add_panels_of(c, d, &d->all, part.n_cells > 0 ? all : "", key, spec, &lines));
    return part.n_cells > 0 ? add_panels_of(c, d, &part, one, key, spec, &lines) : REGRET_OK;
}

int figure_lines(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    size_t key = find_axis(d->r, spec->key);
    const struct regret_reward_parameter *p = reward_parameter(spec->key);
    if (key == REGRET_NO_ROW || d->r->keys[key].n_values < 2) {
        return REGRET_OK;
    }
    if (spec->x_name == NULL) {
        chart_axes(c, p != NULL && p->symbol != NULL ? p->symbol : spec->key, spec->y_name);
    }
    return spec->of == FIGURE_OF_MEASURES ? add_family_panels(c, d, key, spec)
                                          : add_panels(c, d, key, spec);
}

/* The mean reward of the agents by tag. */

enum { MOST_PANELS = 8, MOST_ROWS = 30, MEAN = 0, BEST = 1 };

static void figure_means_add_point(struct chart *c, const struct regret_run_means *m, size_t group,
                                   size_t agent, size_t row, size_t series)
{
    struct chart_point p = plain_point(series, row, means_of(m, group, agent));
    struct limits l = means_limits(m, group, agent);
    p.low = l.low;
    p.high = l.high;
    chart_point(c, p);
}

/* The agents of the rows in one group of an item. */
static int add_panel(struct chart *c, const struct slice *cells, size_t group,
                     const char *const *rows, size_t n, const char *heading)
{
    const struct regret_run_means *m = &cells->r->means[cells->r->cell_means[cells->cells[0]]];
    const struct regret_run_grid *grid = means_grid(cells);
    struct means_best *best = NULL;
    TRY(means_best(&best, m));
    chart_panel(c, "%s", heading);
    for (size_t a = 0; a < m->n_agents; a++) {
        size_t row = texts_find(rows, n, grid->agents[a]);
        int marked = best[group].separable && best[group].first == a;
        if (row < n && isfinite(means_of(m, group, a))) {
            figure_means_add_point(c, m, group, a, row, marked ? BEST : MEAN);
        }
    }
    regret_free(best);
    return REGRET_OK;
}

/* The tags of most contexts, of a run with one item. */
static int add_tags(struct chart *c, const struct slice *cells, const char *const *rows, size_t n)
{
    const struct regret_run_means *m = &cells->r->means[0];
    FREED_BY(regret_buffer_free) struct regret_buffer heading = REGRET_BUFFER_INIT;
    FREED size_t *groups = NULL;
    TRY(means_order_groups(&groups, m));
    for (size_t i = 0; i <= m->n_tags && i < MOST_PANELS; i++) {
        size_t g = groups[i];
        regret_buffer_clear(&heading);
        regret_buffer_printf(&heading, "%s (%.0f)", means_group_name(m, g), m->contexts[g]);
        TRY(add_panel(c, cells, g, rows, n, regret_buffer_get(&heading)));
    }
    return regret_buffer_status(&heading);
}

/* All contexts of each item, of a run with several. */
static int add_item(struct chart *c, const struct regret_results *r, size_t item,
                    const char *const *rows, size_t n)
{
    FREED_BY(regret_buffer_free) struct regret_buffer heading = REGRET_BUFFER_INIT;
    FREED_BY(slice_free) struct slice cells = {0};
    TRY(means_cells(&cells, r, item));
    means_heading(&heading, &cells);
    TRY(add_panel(c, &cells, 0, rows, n, regret_buffer_get(&heading)));
    return regret_buffer_status(&heading);
}

static const char of_votes[] =
    "Higher is better. The chance that an agent's answer is preferred to that of another, drawn "
    "uniformly, by all votes, or those of the tag. The best is marked where its lead, adjusted by "
    "Holm, tells it from the second.";

static void say_left_out(struct chart *c, const struct regret_results *r, const char *caption,
                         size_t rows)
{
    const struct regret_run_means *m = &r->means[0];
    size_t panels = r->n_means > 1 ? r->n_means : m->n_tags + 1;
    if (rows < m->n_agents || panels > MOST_PANELS) {
        chart_caption(
            c, "%s Shown are %zu of %zu agents and %zu of %zu panels; the table means has all.",
            caption, rows, m->n_agents, panels < MOST_PANELS ? panels : (size_t)MOST_PANELS,
            panels);
    }
}

/* The names of the agents that are shown, the best first. */
static int name_rows(struct chart *c, const char **rows, size_t n, const struct slice *first)
{
    size_t *agents = NULL;
    TRY(means_order_agents(&agents, &first->r->means[0]));
    for (size_t i = 0; i < n; i++) {
        rows[i] = means_grid(first)->agents[agents[i]];
        chart_row(c, "%s", rows[i]);
    }
    regret_free(agents);
    return REGRET_OK;
}

int figure_means(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    const struct regret_results *r = d->r;
    FREED_BY(slice_free) struct slice first = {0};
    FREED const char **rows = NULL;
    if (r->n_means == 0) {
        return REGRET_OK;
    }
    size_t n = r->means[0].n_agents < MOST_ROWS ? r->means[0].n_agents : MOST_ROWS;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(&rows, n));
    TRY(means_cells(&first, r, 0));
    TRY(name_rows(c, rows, n, &first));
    c->overlaid = 1;
    int votes = has_strengths(r);
    if (votes) {
        chart_title(c, "Values of the agents by tag");
        chart_axes(c, "value", "");
        chart_caption(c, "%s", of_votes);
    }
    chart_series(c, MEAN, "mean");
    chart_series(c, BEST, "best, separable from the second");
    if (r->n_means == 1) {
        TRY(add_tags(c, &first, rows, n));
    }
    for (size_t i = 0; r->n_means > 1 && i < r->n_means && i < MOST_PANELS; i++) {
        TRY(add_item(c, r, i, rows, n));
    }
    say_left_out(c, r, votes ? of_votes : spec->caption, n);
    return REGRET_OK;
}

/* Average ranks of the families, and which of them differ. */

/* p[a * n + b]: that items a and b have the same average rank, adjusted by Holm for all pairs; 1 where there is
 * nothing to test by. */
static int adjusted_p_values(double *p, const struct placed *items, const struct ranking *ranking,
                             const struct slice *cells)
{
    size_t n = ranking->n, n_pairs = 0;
    FREED double *plain = NULL, *pairs = NULL;
    TRY(REGRET_NEW(&plain, n * n));
    TRY(REGRET_NEW(&pairs, n * n));
    TRY(average_rank_p_values(plain, ranking, cells));
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            pairs[n_pairs++] = plain[items[a].place * n + items[b].place];
        }
    }
    TRY(regret_holm(pairs, pairs, n_pairs));
    for (size_t a = 0, i = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++, i++) {
            p[a * n + b] = isnan(pairs[i]) ? 1.0 : pairs[i];
        }
    }
    return REGRET_OK;
}

/* The longest runs of neighbours of which no two differ. */
static void add_bars(struct chart *c, const struct placed *items, size_t n, const double *p)
{
    size_t reached = 0;
    for (size_t a = 0; a < n; a++) {
        size_t b = a;
        int same = 1;
        while (same && b + 1 < n) {
            for (size_t k = a; k <= b; k++) {
                same = same && p[k * n + b + 1] > 0.05;
            }
            b += (size_t)same;
        }
        if (b > a && b > reached) {
            chart_point(c, (struct chart_point){.series = CHART_NO_SERIES,
                                                .value = NAN,
                                                .low = items[a].rank,
                                                .high = items[b].rank});
            reached = b;
        }
    }
}

int figure_ranks(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    const struct ranking ranking = {d->r, d->ranked, d->n_ranked};
    FREED struct placed *items = NULL;
    FREED double *p = NULL;
    size_t n = d->n_ranked;
    (void)spec;
    c->decimals = 2;
    TRY(REGRET_NEW(&items, n));
    TRY(REGRET_NEW(&p, n * n));
    place_families(items, &ranking, &d->all);
    TRY(adjusted_p_values(p, items, &ranking, &d->all));
    chart_panel(c, "%s", "");
    for (size_t i = 0; i < n && n > 1; i++) {
        size_t family = d->ranked[items[i].place];
        size_t k = chart_series(c, family_style(d->r, family), "%s", d->r->subjects[family].name);
        chart_point(c, plain_point(k, 0, items[i].rank));
    }
    add_bars(c, items, n, p);
    return REGRET_OK;
}

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

static int figure_winners_add_panel(struct chart *c, const struct group *block,
                                    const struct groups *rows, const struct winner_map *map,
                                    const struct shown *who)
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
        TRY(figure_winners_add_panel(c, &blocks.items[i], &rows, map, &who));
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
