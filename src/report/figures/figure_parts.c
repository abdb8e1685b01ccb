/* What figures share: colours, words, rows, panels and points. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/estimate.h"
#include "regret/families.h"
#include "report/figures/figure.h"
#include "report/rows/regime.h"

/* More panels than these are no picture any more; the tables have them all. */
enum { MOST_PANELS = 8 };

/* The place of the name among the program's families; their number where it is none of them. */
static size_t registered(const char *name)
{
    size_t k = 0;
    while (k < regret_family_count() && strcmp(regret_family_at(k)->name, name) != 0) {
        k++;
    }
    return k;
}

int family_style(const struct regret_results *r, size_t family)
{
    size_t known = regret_family_count(), style = registered(r->subjects[family].name);
    for (size_t f = 0, own = style; own == known && f < family; f++) {
        style += registered(r->subjects[f].name) == known;
    }
    return (int)(style % CHART_N_SERIES_STYLES);
}

int baseline_style(const struct regret_subject *baseline)
{
    const char *source = baseline->source != NULL ? baseline->source : "";
    int by_exp = strcmp(source, "EXP") == 0, by_obs = strcmp(source, "OBS") == 0;
    switch (baseline->rule) {
    case REGRET_RULE_SINGLE:
        return by_exp   ? CHART_STYLE_REFERENCE
               : by_obs ? CHART_STYLE_REFERENCE_2
                        : CHART_STYLE_REFERENCE_6;
    case REGRET_RULE_BY_TAG:
        return by_exp   ? CHART_STYLE_REFERENCE_4
               : by_obs ? CHART_STYLE_REFERENCE_5
                        : CHART_STYLE_REFERENCE_7;
    default:
        return CHART_STYLE_REFERENCE_3;
    }
}

void figure_facts(struct chart *c, const struct table_data *d, const char *interval)
{
    const struct regret_results *r = d->r;
    chart_facts(c, "%s (%s), %zu cell%s, %zu seed%s; %s", r->run.pool_name,
                r->run.synthetic ? "SYNTHETIC data" : "real task", r->n_cells,
                r->n_cells == 1 ? "" : "s", r->n_seeds, r->n_seeds == 1 ? "" : "s", interval);
}

/* What the measure can be; an interval is not drawn beyond. */
static struct range measure_range(enum regret_measure m)
{
    switch (m) {
    case REGRET_MEASURE_R2:
    case REGRET_MEASURE_R2_CLIPPED:
        return (struct range){-INFINITY, 1.0};
    case REGRET_MEASURE_SPEARMAN:
    case REGRET_MEASURE_KENDALL:
        return (struct range){-1.0, 1.0};
    case REGRET_MEASURE_LAMBDA:
    case REGRET_MEASURE_ALPHA:
        return (struct range){0.0, 1.0};
    default:
        return (struct range){0.0, INFINITY};
    }
}

struct chart_point estimate_point(const struct slice *s, enum regret_measure m, size_t subject)
{
    struct estimate e = slice_estimate(s, m, subject);
    double half = half_width(e.se, e.n);
    struct range range = measure_range(m);
    return (struct chart_point){.value = e.mean,
                                .low = half >= 0.0 ? fmax(e.mean - half, range.low) : NAN,
                                .high = half >= 0.0 ? fmin(e.mean + half, range.high) : NAN};
}

struct chart_point plain_point(size_t series, size_t row, double value)
{
    return (struct chart_point){
        .series = series, .row = row, .value = value, .low = NAN, .high = NAN};
}

struct chart_point paired_point(size_t series, size_t row, const struct paired *p)
{
    return (struct chart_point){
        .series = series, .row = row, .value = p->mean, .low = p->low, .high = p->high};
}

/* ---------------------------------------------------------------- rows and panels */

static void show(struct chart *c, struct shown *s, const struct regret_results *r, size_t subject,
                 int style)
{
    s->subjects[s->n++] = subject;
    chart_row(c, "%s", r->subjects[subject].name);
    chart_series(c, style, "%s", r->subjects[subject].name);
}

int show_families(struct chart *c, struct shown *s, const struct table_data *d)
{
    const struct regret_results *r = d->r;
    *s = (struct shown){NULL, 0};
    TRY(REGRET_NEW(&s->subjects, r->n_subjects));
    for (size_t i = 0; i < d->n_ranked; i++) {
        show(c, s, r, d->ranked[i], family_style(r, d->ranked[i]));
    }
    for (size_t i = r->n_families; i < r->n_subjects; i++) {
        if (is_shown_baseline(r, i)) {
            show(c, s, r, i, baseline_style(&r->subjects[i]));
        }
    }
    return REGRET_OK;
}

/* Whether a key makes panels of the figure along `key`; parameters of the reward may be averaged over. */
static int makes_panels(const struct regret_results *r, size_t candidate, size_t key)
{
    const struct regret_reward_parameter *p = reward_parameter(r->keys[candidate].name);
    return candidate != key && r->keys[candidate].n_values > 1 && !(p != NULL && p->averaged);
}

/* The keys that make them; `keys` has room for 2·(n_keys + 1). */
static size_t panel_keys(size_t *keys, const struct table_data *d, size_t key, int by_map)
{
    size_t n = 0, panels = 1, *candidates = keys + d->r->n_keys + 1;
    size_t n_candidates = 1 + extra_keys(candidates + 1, d->r);
    candidates[0] = REGRET_KEY_MAP;
    for (size_t i = by_map ? 0 : 1; i < n_candidates; i++) {
        size_t values = d->r->keys[candidates[i]].n_values;
        if (makes_panels(d->r, candidates[i], key) && panels * values <= MOST_PANELS) {
            panels *= values;
            keys[n++] = candidates[i];
        }
    }
    return n;
}

int split_panels(struct groups *out, const struct slice *cells, const struct table_data *d,
                 size_t key, int by_map)
{
    FREED size_t *keys = NULL;
    TRY(REGRET_NEW(&keys, 2 * (d->r->n_keys + 1)));
    return groups_split(out, cells, keys, panel_keys(keys, d, key, by_map));
}
