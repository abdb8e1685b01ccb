/* Mean ranks of the families, and which of them differ. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/multiplicity.h"
#include "report/figures/figure.h"
#include "report/rows/ranks.h"

/* A family's mean rank over cells and seeds, and over the cells of each seed. */
struct mean_rank {
    size_t family;
    double rank;
    double *seed; /* n_seeds; owned */
};
struct mean_ranks {
    struct mean_rank *items; /* n of them, best first; owned */
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

/* One more, in its place. */
static int add_rank(struct mean_ranks *m, const struct table_data *d, const struct ranking *ranking,
                    size_t family)
{
    struct mean_rank x = {.family = family};
    size_t seeds = 0, j = m->n;
    TRY(REGRET_NEW(&x.seed, m->n_seeds));
    for (size_t k = 0; k < m->n_seeds; k++) {
        x.seed[k] = seed_rank(&d->all, ranking, family, k);
        x.rank += isfinite(x.seed[k]) ? x.seed[k] : 0.0;
        seeds += isfinite(x.seed[k]) != 0;
    }
    x.rank = seeds > 0 ? x.rank / (double)seeds : NAN;
    for (; j > 0 && x.rank < m->items[j - 1].rank; j--) {
        m->items[j] = m->items[j - 1];
    }
    m->items[j] = x;
    m->n++;
    return REGRET_OK;
}

static int ranks_make(struct mean_ranks *m, const struct table_data *d)
{
    const struct ranking ranking = {d->r, d->ranked, d->n_ranked};
    m->n_seeds = d->r->n_seeds;
    TRY(REGRET_NEW(&m->items, d->n_ranked));
    for (size_t i = 0; i < d->n_ranked; i++) {
        TRY(add_rank(m, d, &ranking, d->ranked[i]));
    }
    return REGRET_OK;
}

static void ranks_free(struct mean_ranks *m)
{
    for (size_t i = 0; i < m->n; i++) {
        regret_free(m->items[i].seed);
    }
    regret_free(m->items);
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
            for (size_t k = 0; k < m->n_seeds; k++) {
                differences[k] = m->items[a].seed[k] - m->items[b].seed[k];
            }
            struct paired moments =
                paired_moments(differences, keep_finite(differences, m->n_seeds));
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
                                                .low = m->items[a].rank,
                                                .high = m->items[b].rank});
            reached = b;
        }
    }
}

int figure_ranks(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    struct mean_ranks m = {NULL, 0, 0};
    double *p = NULL;
    int rc;
    (void)spec;
    c->decimals = 2;
    TRY_CLEANUP(ranks_make(&m, d));
    TRY_CLEANUP(REGRET_NEW(&p, m.n * m.n));
    TRY_CLEANUP(rank_p_values(p, &m));
    chart_panel(c, "%s", "");
    for (size_t i = 0; i < m.n && m.n > 1; i++) {
        size_t k = chart_series(c, family_style(d->r, m.items[i].family), "%s",
                                d->r->subjects[m.items[i].family].name);
        chart_point(c, plain_point(k, 0, m.items[i].rank));
    }
    add_bars(c, &m, p);
cleanup:
    ranks_free(&m);
    regret_free(p);
    return rc;
}
