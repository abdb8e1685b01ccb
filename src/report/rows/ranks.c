#include "report/rows/ranks.h"

#include <math.h>

#include "base/core/try.h"

double regret_in(const struct ranking *ranking, size_t family, size_t cell, long seed)
{
    const struct regret_results *r = ranking->r;
    return seed == ALL_SEEDS
               ? cell_mean(r, REGRET_MEASURE_REGRET, family, cell)
               : regret_results_value(r, REGRET_MEASURE_REGRET, family, cell, (size_t)seed);
}

static void standing_count(struct standing *s, double own, double other)
{
    int below = mean_is_below(other, own);
    s->lower += (size_t)below;
    s->equal += !below && !mean_is_below(own, other);
}

double standing_rank(struct standing s)
{
    return (double)s.lower + 0.5 * (double)(s.equal + 1);
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

void place_families(struct placed *out, const struct ranking *ranking, const struct slice *cells)
{
    for (size_t i = 0; i < ranking->n; i++) {
        struct placed x = {i, average_rank(ranking, cells, ranking->families[i])};
        size_t j = i;
        for (; j > 0 && x.rank < out[j - 1].rank; j--) {
            out[j] = out[j - 1];
        }
        out[j] = x;
    }
}

/* ---------------------------------------------------------------- average ranks of resamples */

static struct standing standing_by(const struct mean_regrets *m, size_t cell, size_t family)
{
    const double *y = m->mean + cell * m->ranking->n;
    struct standing s = {0, 0};
    for (size_t i = 0; i < m->ranking->n; i++) {
        standing_count(&s, y[family], y[i]);
    }
    return s;
}

static double rank_by(const struct mean_regrets *m, size_t family, const void *context)
{
    double sum = 0.0;
    (void)context;
    for (size_t cell = 0; cell < m->cells->n_cells; cell++) {
        sum += standing_rank(standing_by(m, cell, family));
    }
    return sum / (double)m->cells->n_cells;
}

/* The deviation over the resamples of the difference of two families' ranks; `d` has room for it. */
static double deviation_of(double *d, const struct resampled *ranks, size_t a, size_t b)
{
    for (size_t k = 0; k < PAIRED_RESAMPLES; k++) {
        d[k] = ranks->number[a * PAIRED_RESAMPLES + k] - ranks->number[b * PAIRED_RESAMPLES + k];
    }
    double deviation = resampled_se(d);
    return deviation > MEANS_TIE ? deviation : 0.0; /* equal ranks, summed in another order */
}

int average_rank_p_values(double *p, const struct ranking *ranking, const struct slice *cells)
{
    struct resampled ranks = {0};
    double d[PAIRED_RESAMPLES];
    size_t n = ranking->n;
    TRY(resample_means(&ranks, ranking, cells, rank_by, n, NULL));
    for (size_t i = 0; i < n * n; i++) {
        struct paired difference = {.mean = average_rank(ranking, cells, ranking->families[i / n]) -
                                            average_rank(ranking, cells, ranking->families[i % n]),
                                    .se = ranks.n_seeds > 1 ? deviation_of(d, &ranks, i / n, i % n)
                                                            : NAN,
                                    .n = ranks.n_seeds};
        p[i] = paired_p(&difference, 0.0);
    }
    resampled_free(&ranks);
    return REGRET_OK;
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
