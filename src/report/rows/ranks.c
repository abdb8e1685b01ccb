#include "report/rows/ranks.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "value/resample.h"

double regret_in(const struct ranking *ranking, size_t family, size_t cell, long seed)
{
    const struct regret_results *r = ranking->r;
    return seed == ALL_SEEDS
               ? cell_mean(r, REGRET_MEASURE_REGRET, family, cell)
               : regret_results_value(r, REGRET_MEASURE_REGRET, family, cell, (size_t)seed);
}

void standing_count(struct standing *s, double own, double other)
{
    int below = mean_is_below(other, own);
    s->lower += (size_t)below;
    s->equal += !below && !mean_is_below(own, other);
}

double standing_rank(struct standing s)
{
    return (double)s.lower + 0.5 * (double)(s.equal + 1);
}

double standing_win(struct standing s)
{
    return s.lower == 0 ? 1.0 / (double)s.equal : 0.0;
}

struct standing standing_in(const struct ranking *ranking, size_t family, size_t cell, long seed)
{
    struct standing s = {0, 0};
    double own = regret_in(ranking, family, cell, seed);
    for (size_t i = 0; i < ranking->n; i++) {
        double other = regret_in(ranking, ranking->families[i], cell, seed);
        if (!isfinite(other)) {
            return (struct standing){REGRET_NO_ROW, 0};
        }
        standing_count(&s, own, other);
    }
    return s;
}

double average_rank(const struct ranking *ranking, const struct slice *cells, size_t family)
{
    double sum = 0.0, n = 0.0;
    for (size_t i = 0; i < cells->n_cells; i++) {
        struct standing s = standing_in(ranking, family, cells->cells[i], ALL_SEEDS);
        if (s.lower != REGRET_NO_ROW) {
            sum += standing_rank(s);
            n += 1.0;
        }
    }
    return n > 0.0 ? sum / n : NAN;
}

/* ---------------------------------------------------------------- average ranks of resamples */

/* Regrets of the families in the cells, family fastest, one such table a seed; and room for their mean. */
struct seed_tables {
    size_t n_seeds, n_cells, n_families;
    double *regret, *mean; /* owned */
};

/* 1 when the seed has every number; they are copied to `out`. */
static int copy_seed(double *out, const struct ranking *ranking, const struct slice *cells,
                     size_t seed)
{
    int whole = 1;
    for (size_t i = 0; i < cells->n_cells * ranking->n; i++) {
        out[i] = regret_in(ranking, ranking->families[i % ranking->n], cells->cells[i / ranking->n],
                           (long)seed);
        whole &= isfinite(out[i]) != 0;
    }
    return whole;
}

static int tables_make(struct seed_tables *t, const struct ranking *ranking,
                       const struct slice *cells)
{
    size_t size = cells->n_cells * ranking->n;
    *t = (struct seed_tables){0, cells->n_cells, ranking->n, NULL, NULL};
    TRY(REGRET_NEW(&t->mean, size));
    TRY(REGRET_NEW(&t->regret, (cells->r->n_seeds + 1) * size));
    for (size_t s = 0; s < cells->r->n_seeds; s++) {
        t->n_seeds += (size_t)copy_seed(t->regret + t->n_seeds * size, ranking, cells, s);
    }
    return REGRET_OK;
}

static void tables_free(struct seed_tables *t)
{
    regret_free(t->regret);
    regret_free(t->mean);
}

/* Average ranks by the mean over the seeds that were drawn. */
static void rank_drawn(double *rank, struct seed_tables *t, const uint32_t *drawn)
{
    size_t n = t->n_families, size = t->n_cells * n;
    memset(t->mean, 0, size * sizeof *t->mean);
    for (size_t k = 0; k < t->n_seeds; k++) {
        for (size_t i = 0; i < size; i++) {
            t->mean[i] += t->regret[drawn[k] * size + i] / (double)t->n_seeds;
        }
    }
    memset(rank, 0, n * sizeof *rank);
    for (size_t i = 0; i < size; i++) {
        const double *cell = t->mean + i / n * n;
        struct standing s = {0, 0};
        for (size_t j = 0; j < n; j++) {
            standing_count(&s, t->mean[i], cell[j]);
        }
        rank[i % n] += standing_rank(s) / (double)t->n_cells;
    }
}

/* The ranks of every resample, [PAIRED_RESAMPLES × families]. The draws are those of paired_from(). */
static int rank_resamples(double *rank, struct seed_tables *t)
{
    uint32_t *drawn = NULL;
    TRY(REGRET_NEW(&drawn, t->n_seeds));
    for (size_t k = 0; k < PAIRED_RESAMPLES; k++) {
        resample_draw(drawn, t->n_seeds, 0, k);
        rank_drawn(rank + k * t->n_families, t, drawn);
    }
    regret_free(drawn);
    return REGRET_OK;
}

/* The deviation over the resamples of the difference of two families' ranks. */
static double deviation_of(const double *rank, size_t a, size_t b, size_t n)
{
    double sum = 0.0, squares = 0.0;
    for (size_t k = 0; k < PAIRED_RESAMPLES; k++) {
        sum += (rank[k * n + a] - rank[k * n + b]) / PAIRED_RESAMPLES;
    }
    for (size_t k = 0; k < PAIRED_RESAMPLES; k++) {
        double d = rank[k * n + a] - rank[k * n + b] - sum;
        squares += d * d;
    }
    double deviation = sqrt(squares / (PAIRED_RESAMPLES - 1));
    return deviation > MEANS_TIE ? deviation : 0.0; /* equal ranks, summed in another order */
}

int average_rank_p_values(double *p, const struct ranking *ranking, const struct slice *cells)
{
    struct seed_tables t = {0};
    double *rank = NULL;
    size_t n = ranking->n;
    int rc;
    TRY_CLEANUP(tables_make(&t, ranking, cells));
    TRY_CLEANUP(REGRET_NEW(&rank, PAIRED_RESAMPLES * n));
    TRY_CLEANUP(t.n_seeds > 1 ? rank_resamples(rank, &t) : REGRET_OK);
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++) {
            struct paired d = {.mean = average_rank(ranking, cells, ranking->families[a]) -
                                       average_rank(ranking, cells, ranking->families[b]),
                               .se = t.n_seeds > 1 ? deviation_of(rank, a, b, n) : NAN,
                               .n = t.n_seeds};
            p[a * n + b] = paired_p(&d, 0.0);
        }
    }
cleanup:
    tables_free(&t);
    regret_free(rank);
    return rc;
}

double best_of_cell(const struct ranking *ranking, size_t cell)
{
    double best = INFINITY;
    for (size_t i = 0; i < ranking->n; i++) {
        double mean = regret_in(ranking, ranking->families[i], cell, ALL_SEEDS);
        best = mean < best ? mean : best;
    }
    return best;
}

double excess_in(const struct ranking *ranking, size_t family, size_t cell, long seed)
{
    double best = best_of_cell(ranking, cell);
    return best > 0.0 ? 100.0 * (regret_in(ranking, family, cell, seed) / best - 1.0) : NAN;
}
