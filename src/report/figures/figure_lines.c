/* Figures of lines over the values of a key. */
#include <stdio.h>
#include <stdlib.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/task.h"
#include "report/figures/figure.h"

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
