/* Mean ranks of the families, and which of them differ. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/multiplicity.h"
#include "report/figures/figure.h"
#include "report/rows/ranks.h"

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

int figure_ranks(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    struct mean_ranks m = {NULL, NULL, NULL, 0, 0};
    double *p = NULL;
    int rc;
    (void)spec;
    c->decimals = 2;
    TRY_CLEANUP(ranks_make(&m, d));
    TRY_CLEANUP(REGRET_NEW(&p, m.n * m.n));
    TRY_CLEANUP(rank_p_values(p, &m));
    chart_panel(c, "%s", "");
    for (size_t i = 0; i < m.n && m.n > 1; i++) {
        size_t k = chart_series(c, family_style(d->r, m.family[i]), "%s",
                                d->r->subjects[m.family[i]].name);
        chart_point(c, plain_point(k, 0, m.rank[i]));
    }
    add_bars(c, &m, p);
cleanup:
    ranks_free(&m);
    regret_free(p);
    return rc;
}
