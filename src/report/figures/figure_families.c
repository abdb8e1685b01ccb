/* Figures of the families over all cells. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/multiplicity.h"
#include "report/figures/figure.h"
#include "report/rows/ranks.h"

/* ---------------------------------------------------------------- rows of families and baselines */

/* A row and a series for each ranked family, then for each baseline but the oracle, whose regret is 0. */
struct shown {
    size_t *subjects; /* owned */
    size_t n;
};

static void show(struct chart *c, struct shown *s, const struct regret_results *r, size_t subject,
                 int style)
{
    s->subjects[s->n++] = subject;
    chart_row(c, "%s", r->subjects[subject].name);
    chart_series(c, style, "%s", r->subjects[subject].name);
}

static int show_families(struct chart *c, struct shown *s, const struct table_data *d,
                         int baselines)
{
    const struct regret_results *r = d->r;
    *s = (struct shown){NULL, 0};
    TRY(REGRET_NEW(&s->subjects, r->n_subjects));
    for (size_t i = 0; i < d->n_ranked; i++) {
        show(c, s, r, d->ranked[i], family_style(r, d->ranked[i]));
    }
    for (size_t i = r->n_families; baselines && i < r->n_subjects; i++) {
        if (is_shown_baseline(r, i)) {
            show(c, s, r, i, baseline_style(r->subjects[i].name));
        }
    }
    return REGRET_OK;
}

int figure_overall(struct chart *c, const struct table_data *d)
{
    struct shown shown = {NULL, 0};
    struct groups panels = {0};
    size_t *keys = NULL;
    int rc;
    chart_begin(c, CHART_INTERVALS, "regret", "Held-out regret of every family");
    figure_facts(c, d,
                 d->r->n_seeds > 1 ? "whiskers: 95 % intervals of the mean (Student's t over seeds)"
                                   : "one seed only, so no intervals");
    chart_caption(c,
                  "Lower is better: the value lost, per held-out context, against the best agent "
                  "for that context. best-exp and best-obs recommend one agent for every "
                  "context, by its mean in EXP or OBS; random picks any. Seeds share their "
                  "contexts among families: whether two differ is in the figure of ranks and the "
                  "table summary.");
    chart_axes(c, "mean held-out regret", "");
    c->from_zero = 1;
    TRY_CLEANUP(show_families(c, &shown, d, 1));
    TRY_CLEANUP(REGRET_NEW(&keys, 2 * (d->r->n_keys + 1)));
    TRY_CLEANUP(groups_split(&panels, &d->all, keys, panel_keys(keys, d, REGRET_NO_ROW, 1)));
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
    regret_free(keys);
    return rc;
}

int figure_seeds(struct chart *c, const struct table_data *d)
{
    struct shown shown = {NULL, 0};
    chart_begin(c, CHART_STRIPS, "seeds", "How much the seeds differ");
    if (d->r->n_seeds < 2) {
        return REGRET_OK;
    }
    figure_facts(c, d, "a point: a seed; box: quartiles; whiskers: 5th and 95th percentile");
    chart_caption(c, "Regret of each seed, mean over all cells. A seed draws the held-out contexts "
                     "and the rows of OBS and EXP.");
    chart_axes(c, "regret of a seed, mean over cells", "");
    c->from_zero = 1;
    int rc;
    TRY_CLEANUP(show_families(c, &shown, d, 1));
    chart_panel(c, "%s", "");
    for (size_t k = 0; k < shown.n; k++) {
        for (size_t seed = 0; seed < d->r->n_seeds; seed++) {
            double value = seed_mean(&d->all, REGRET_MEASURE_REGRET, shown.subjects[k], seed);
            chart_point(c, (struct chart_point){
                               .series = k, .row = k, .value = value, .low = NAN, .high = NAN});
        }
    }
cleanup:
    regret_free(shown.subjects);
    return rc;
}

int figure_best_agent(struct chart *c, const struct table_data *d)
{
    static const char *const baselines[] = {"best-exp", "best-obs"};
    const struct regret_results *r = d->r;
    size_t n = 0;
    chart_begin(c, CHART_INTERVALS, "best-agent", "Against recommending one agent for all");
    if (r->n_seeds < 2) {
        return REGRET_OK;
    }
    figure_facts(c, d, "whiskers: 95 % bootstrap intervals of the paired difference over seeds");
    chart_caption(c, "Regret of the family less that of recommending to every context the agent of "
                     "the best mean in EXP (best-exp) or in OBS (best-obs). Left of 0 the family "
                     "is worth its while; an interval that holds 0 decides nothing.");
    chart_axes(c, "difference of mean regret", "");
    c->from_zero = 1;
    for (size_t i = 0; i < d->n_ranked; i++) {
        chart_row(c, "%s", r->subjects[d->ranked[i]].name);
    }
    chart_panel(c, "%s", "");
    for (size_t b = 0; b < sizeof baselines / sizeof *baselines; b++) {
        size_t baseline = regret_results_subject(r, REGRET_ROW_BASELINE, baselines[b]);
        if (baseline == REGRET_NO_ROW) {
            continue;
        }
        chart_series(c, CHART_N_SERIES_STYLES - 5 - (int)b, "less %s", baselines[b]);
        for (size_t i = 0; i < d->n_ranked; i++) {
            struct paired p;
            TRY(slice_paired(&p, &d->all, REGRET_MEASURE_REGRET, d->ranked[i],
                             REGRET_MEASURE_REGRET, baseline));
            chart_point(c,
                        (struct chart_point){
                            .series = n, .row = i, .value = p.mean, .low = p.low, .high = p.high});
        }
        n++;
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- variants */

static int add_variant(struct chart *c, const struct slice *s, size_t variant, size_t k)
{
    const struct regret_results *r = s->r;
    size_t base = regret_results_subject(r, REGRET_ROW_FAMILY, r->subjects[variant].variant_of);
    struct paired p;
    if (base == REGRET_NO_ROW) {
        return REGRET_OK;
    }
    TRY(slice_paired(&p, s, REGRET_MEASURE_REGRET, variant, REGRET_MEASURE_REGRET, base));
    chart_point(c, (struct chart_point){
                       .series = k, .row = k, .value = p.mean, .low = p.low, .high = p.high});
    return REGRET_OK;
}

int figure_variants(struct chart *c, const struct table_data *d)
{
    const struct regret_results *r = d->r;
    chart_begin(c, CHART_INTERVALS, "variants", "Variants against the family they are of");
    if (r->n_seeds < 2) {
        return REGRET_OK;
    }
    figure_facts(c, d, "whiskers: 95 % bootstrap intervals of the paired difference over seeds");
    chart_caption(c, "Regret of the variant less that of its family. Left of 0 the variant "
                     "recommends better; an interval that holds 0 decides nothing.");
    chart_axes(c, "difference of mean regret", "");
    c->from_zero = 1;
    for (size_t f = 0; f < r->n_families; f++) {
        if (!family_is_ranked(r, f)) {
            chart_row(c, "%s less %s", r->subjects[f].name, r->subjects[f].variant_of);
            chart_series(c, family_style(r, f), "%s", r->subjects[f].name);
        }
    }
    for (size_t i = 0; i < d->groups.n && d->groups.n <= 8; i++) {
        chart_panel(c, "%s", d->groups.items[i].heading);
        for (size_t f = 0, k = 0; f < r->n_families; f++) {
            if (!family_is_ranked(r, f)) {
                TRY(add_variant(c, &d->groups.items[i].slice, f, k++));
            }
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- ranks */

/* Mean ranks over the cells, by seed and in all, in the order of the mean. */
struct mean_ranks {
    size_t *family; /* n of them, best first; owned */
    double *rank;   /* their means over cells and seeds; owned */
    double *seed;   /* n × n_seeds, row-major: the mean over the cells of that seed; owned */
    size_t n, n_seeds;
};

/* NaN unless all families have all cells of the seed. */
static double seed_rank(const struct slice *s, const struct ranking *ranking, size_t family,
                        size_t seed)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->n_cells; i++) {
        sum += rank_in(ranking, family, s->cells[i], (long)seed);
    }
    return sum / (double)s->n_cells;
}

static void swap_ranks(struct mean_ranks *m, size_t a, size_t b)
{
    size_t family = m->family[a];
    double rank = m->rank[a];
    m->family[a] = m->family[b];
    m->rank[a] = m->rank[b];
    m->family[b] = family;
    m->rank[b] = rank;
    for (size_t k = 0; k < m->n_seeds; k++) {
        double x = m->seed[a * m->n_seeds + k];
        m->seed[a * m->n_seeds + k] = m->seed[b * m->n_seeds + k];
        m->seed[b * m->n_seeds + k] = x;
    }
}

static int ranks_make(struct mean_ranks *m, const struct table_data *d)
{
    const struct ranking ranking = {d->r, d->ranked, d->n_ranked};
    m->n = d->n_ranked;
    m->n_seeds = d->r->n_seeds;
    TRY(REGRET_NEW(&m->family, m->n));
    TRY(REGRET_NEW(&m->rank, m->n));
    TRY(REGRET_NEW(&m->seed, m->n * m->n_seeds));
    for (size_t i = 0; i < m->n; i++) {
        m->family[i] = d->ranked[i];
        size_t seeds = 0;
        for (size_t k = 0; k < m->n_seeds; k++) {
            double x = seed_rank(&d->all, &ranking, d->ranked[i], k);
            m->seed[i * m->n_seeds + k] = x;
            m->rank[i] += isfinite(x) ? x : 0.0;
            seeds += isfinite(x) != 0;
        }
        m->rank[i] = seeds > 0 ? m->rank[i] / (double)seeds : NAN;
    }
    for (size_t i = 1; i < m->n; i++) {
        for (size_t j = i; j > 0 && m->rank[j] < m->rank[j - 1]; j--) {
            swap_ranks(m, j, j - 1);
        }
    }
    return REGRET_OK;
}

static void ranks_free(struct mean_ranks *m)
{
    regret_free(m->family);
    regret_free(m->rank);
    regret_free(m->seed);
}

/* p[a * n + b]: of the hypothesis that two families have the same mean rank, by the paired differences over
 * seeds, adjusted by Holm for all pairs; 1 where there is nothing to test by. */
static int rank_p_values(double *p, const struct mean_ranks *m)
{
    double *differences = NULL, *pairs = NULL;
    size_t n_pairs = 0;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&differences, m->n_seeds));
    TRY_CLEANUP(REGRET_NEW(&pairs, m->n * m->n));
    for (size_t a = 0; a < m->n; a++) {
        for (size_t b = a + 1; b < m->n; b++) {
            size_t n = 0;
            for (size_t k = 0; k < m->n_seeds; k++) {
                double x = m->seed[a * m->n_seeds + k] - m->seed[b * m->n_seeds + k];
                differences[n] = x;
                n += isfinite(x) != 0;
            }
            struct paired moments = paired_moments(differences, n);
            pairs[n_pairs++] = paired_p(&moments, 0.0);
        }
    }
    TRY_CLEANUP(regret_holm(pairs, pairs, n_pairs));
    for (size_t a = 0, i = 0; a < m->n; a++) {
        for (size_t b = a + 1; b < m->n; b++, i++) {
            p[a * m->n + b] = isnan(pairs[i]) ? 1.0 : pairs[i];
        }
    }
cleanup:
    regret_free(differences);
    regret_free(pairs);
    return rc;
}

/* The longest runs of neighbours of which no two differ. */
static void add_bars(struct chart *c, const struct mean_ranks *m, const double *p)
{
    size_t reached = 0;
    for (size_t a = 0; a < m->n; a++) {
        size_t b = a;
        int same = 1;
        while (same && b + 1 < m->n) {
            for (size_t k = a; k <= b; k++) {
                same = same && p[k * m->n + b + 1] > 0.05;
            }
            b += (size_t)same;
        }
        if (b > a && b > reached) {
            chart_point(c, (struct chart_point){.series = CHART_NO_SERIES,
                                                .value = NAN,
                                                .low = m->rank[a],
                                                .high = m->rank[b]});
            reached = b;
        }
    }
}

int figure_ranks(struct chart *c, const struct table_data *d)
{
    struct mean_ranks m = {NULL, NULL, NULL, 0, 0};
    double *p = NULL;
    int rc;
    chart_begin(c, CHART_RANKS, "ranks", "Mean ranks of the families");
    if (d->n_ranked < 2 || d->r->n_seeds < 2) {
        return REGRET_OK;
    }
    figure_facts(c, d,
                 "bars join families whose ranks cannot be told apart (paired t tests over "
                 "seeds, Holm, 5 %)");
    chart_caption(c, "Rank 1 recommends best. Ranks of the regret within each cell and seed, mean "
                     "over both; seeds, not cells, are the replicates of the tests.");
    chart_axes(c, "mean rank", "");
    c->decimals = 2;
    TRY_CLEANUP(ranks_make(&m, d));
    TRY_CLEANUP(REGRET_NEW(&p, m.n * m.n));
    TRY_CLEANUP(rank_p_values(p, &m));
    chart_panel(c, "%s", "");
    for (size_t i = 0; i < m.n; i++) {
        size_t k = chart_series(c, family_style(d->r, m.family[i]), "%s",
                                d->r->subjects[m.family[i]].name);
        chart_point(c,
                    (struct chart_point){.series = k, .value = m.rank[i], .low = NAN, .high = NAN});
    }
    add_bars(c, &m, p);
cleanup:
    ranks_free(&m);
    regret_free(p);
    return rc;
}
