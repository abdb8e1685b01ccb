/* Figures of the families over all cells. */
#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/figures/figure.h"

int figure_overall(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    struct shown shown = {NULL, 0};
    struct groups panels = {0};
    int rc;
    (void)spec;
    TRY_CLEANUP(show_families(c, &shown, d, 1));
    TRY_CLEANUP(split_panels(&panels, &d->all, d, REGRET_NO_ROW, 1));
    for (size_t i = 0; i < panels.n; i++) {
        chart_panel(c, "%s", panels.items[i].heading);
        for (size_t k = 0; k < shown.n; k++) {
            struct chart_point p =
                estimate_point(&panels.items[i].slice, REGRET_MEASURE_REGRET, shown.subjects[k]);
            p.series = p.row = k;
            chart_point(c, p);
        }
    }
cleanup:
    groups_free(&panels);
    regret_free(shown.subjects);
    return rc;
}

int figure_seeds(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    struct shown shown = {NULL, 0};
    int rc;
    (void)spec;
    TRY_CLEANUP(show_families(c, &shown, d, 1));
    chart_panel(c, "%s", "");
    for (size_t k = 0; k < shown.n; k++) {
        for (size_t seed = 0; seed < d->r->n_seeds; seed++) {
            double value = seed_mean(&d->all, REGRET_MEASURE_REGRET, shown.subjects[k], seed);
            chart_point(c, plain_point(k, k, value));
        }
    }
cleanup:
    regret_free(shown.subjects);
    return rc;
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
    size_t *baselines = NULL;
    int rc = REGRET_OK;
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
            TRY_CLEANUP(add_difference(c, &d->all, d->ranked[i], baselines[b], k, i));
        }
    }
cleanup:
    regret_free(baselines);
    return rc;
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
