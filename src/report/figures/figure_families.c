/* Figures of the families over all cells. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/quantile.h"
#include "report/figures/figure.h"
#include "report/rows/contenders.h"

FREED_FIELDS(shown, of->subjects)

/* Rows beyond so many times the middle of the rows' upper ends only point there, or the others would be one smear. */
static const double FAR = 3.0;

/* Of all panels together. */
static int limit_axis(struct chart *c)
{
    double *ends = NULL;
    size_t n = 0;
    for (size_t i = 0; i < c->n_panels; i++) {
        n += c->panels[i].n_points;
    }
    TRY(REGRET_NEW(&ends, n));
    n = 0;
    for (size_t i = 0; i < c->n_panels; i++) {
        for (size_t j = 0; j < c->panels[i].n_points; j++) {
            const struct chart_point *p = &c->panels[i].points[j];
            double end = isfinite(p->high) ? p->high : p->value;
            if (end > 0.0) {
                ends[n++] = end;
            }
        }
    }
    if (n > 2) {
        regret_sort_numbers(ends, n);
        double far = FAR * ends[n / 2];
        c->limit = ends[n - 1] > far ? far : 0.0;
    }
    regret_free(ends);
    return REGRET_OK;
}

static struct chart_point less_best(const struct contender *x, size_t row)
{
    struct chart_point p = paired_point(row, row, &x->to_best);
    if (x->verdict == CONTENDER_BEST) {
        p.x = x->mean;
        p.low = p.high = NAN;
        p.flags = CHART_ORIGIN;
    } else if (x->verdict == CONTENDER_TIED || x->verdict == CONTENDER_UNKNOWN) {
        p.flags = CHART_TIE;
    }
    return p;
}

static int add_less_best(struct chart *c, const struct group *group, const struct contenders *rows)
{
    struct contenders here;
    TRY(contenders_make(&here, &group->slice));
    chart_panel(c, "%s", group->heading);
    for (size_t i = 0; here.n_families > 0 && i < here.n; i++) {
        for (size_t row = 0; row < rows->n; row++) {
            if (rows->items[row].subject == here.items[i].subject) {
                chart_point(c, less_best(&here.items[i], row));
            }
        }
    }
    contenders_free(&here);
    return REGRET_OK;
}

/* The families, then the baselines, by their mean over all cells. */
int figure_less_best(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    FREED_BY(contenders_free) struct contenders rows = {0};
    FREED_BY(groups_free) struct groups panels = {0};
    (void)spec;
    TRY(contenders_make(&rows, &d->all));
    c->numbered = 1;
    for (size_t i = 0; i < rows.n; i++) {
        size_t x = rows.items[i].subject;
        chart_row(c, "%s", d->r->subjects[x].name);
        chart_series(
            c, i < rows.n_families ? family_style(d->r, x) : baseline_style(&d->r->subjects[x]),
            "%s", d->r->subjects[x].name);
    }
    TRY(split_panels(&panels, &d->all, d, REGRET_NO_ROW, 1));
    for (size_t i = 0; i < panels.n; i++) {
        TRY(add_less_best(c, &panels.items[i], &rows));
    }
    return limit_axis(c);
}

int figure_seeds(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    FREED_BY(shown_fields) struct shown shown = {NULL, 0};
    (void)spec;
    TRY(show_families(c, &shown, d));
    chart_panel(c, "%s", "");
    for (size_t k = 0; k < shown.n; k++) {
        for (size_t seed = 0; seed < d->r->n_seeds; seed++) {
            double value = seed_mean(&d->all, REGRET_MEASURE_REGRET, shown.subjects[k], seed);
            chart_point(c, plain_point(k, k, value));
        }
    }
    return REGRET_OK;
}

/* The paired difference of two subjects' regrets. */
static int add_difference(struct chart *c, const struct slice *s, size_t a, size_t b, size_t series,
                          size_t row)
{
    struct paired p;
    TRY(slice_paired(&p, s, REGRET_MEASURE_REGRET, a, REGRET_MEASURE_REGRET, b));
    chart_point(c, paired_point(series, row, &p));
    return REGRET_OK;
}

int figure_best_agent(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    const struct regret_results *r = d->r;
    FREED size_t *baselines = NULL;
    (void)spec;
    TRY(REGRET_NEW(&baselines, r->n_subjects));
    size_t n = baselines_by_rows(baselines, r);
    for (size_t i = 0; i < d->n_ranked; i++) {
        chart_row(c, "%s", r->subjects[d->ranked[i]].name);
    }
    chart_panel(c, "%s", "");
    for (size_t b = 0; b < n; b++) {
        size_t k = chart_series(c, CHART_N_SERIES_STYLES - 5 - (int)b, "less %s",
                                r->subjects[baselines[b]].name);
        for (size_t i = 0; i < d->n_ranked; i++) {
            TRY(add_difference(c, &d->all, d->ranked[i], baselines[b], k, i));
        }
    }
    return REGRET_OK;
}

static int add_variants(struct chart *c, const struct group *group)
{
    const struct regret_results *r = group->slice.r;
    chart_panel(c, "%s", group->heading);
    for (size_t f = 0, k = 0; f < r->n_families; f++) {
        if (family_is_ranked(r, f)) {
            continue;
        }
        size_t base = regret_results_subject(r, REGRET_ROW_FAMILY, r->subjects[f].variant_of);
        TRY(base != REGRET_NO_ROW ? add_difference(c, &group->slice, f, base, k, k) : REGRET_OK);
        k++;
    }
    return REGRET_OK;
}

int figure_variants(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    const struct regret_results *r = d->r;
    (void)spec;
    for (size_t f = 0; f < r->n_families; f++) {
        if (!family_is_ranked(r, f)) {
            chart_row(c, "%s less %s", r->subjects[f].name, r->subjects[f].variant_of);
            chart_series(c, family_style(r, f), "%s", r->subjects[f].name);
        }
    }
    for (size_t i = 0; i < d->groups.n && d->groups.n <= 8; i++) {
        TRY(add_variants(c, &d->groups.items[i]));
    }
    return REGRET_OK;
}
