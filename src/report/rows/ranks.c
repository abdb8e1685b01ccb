#include "report/rows/ranks.h"

#include <math.h>

double regret_in(const struct ranking *ranking, size_t family, size_t cell, long seed)
{
    const struct regret_results *r = ranking->r;
    return seed == ALL_SEEDS
               ? cell_mean(r, REGRET_MEASURE_REGRET, family, cell)
               : regret_results_value(r, REGRET_MEASURE_REGRET, family, cell, (size_t)seed);
}

double rank_in(const struct ranking *ranking, size_t family, size_t cell, long seed)
{
    double own = regret_in(ranking, family, cell, seed);
    size_t less = 0, equal = 0;
    for (size_t i = 0; i < ranking->n; i++) {
        double other = regret_in(ranking, ranking->families[i], cell, seed);
        if (!isfinite(other)) {
            return NAN;
        }
        less += other < own;
        equal += other == own;
    }
    return (double)less + 0.5 * (double)(equal + 1);
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
