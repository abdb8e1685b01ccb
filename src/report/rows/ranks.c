#include "report/rows/ranks.h"

#include <math.h>

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

double rank_in(const struct ranking *ranking, size_t family, size_t cell, long seed)
{
    struct standing s = standing_in(ranking, family, cell, seed);
    return s.lower == REGRET_NO_ROW ? NAN : standing_rank(s);
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
