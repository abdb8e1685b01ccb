#include <math.h>

#include "evaluate/worth/worth.h"
#include "value/miss.h"

/* σ² */
static double mean_square_of_misses(const struct worth_parts *parts, size_t n, double *agents)
{
    double square = 0.0, variance = 0.0, squares = 0.0;
    *agents = 0.0;
    for (size_t a = 0; a < n; a++) {
        if (parts[a].effective >= 2.0) {
            square += parts[a].correction * parts[a].correction;
            variance += parts[a].by_rows;
            squares += parts[a].by_rows * parts[a].by_rows;
            *agents += 1.0;
        }
    }
    return mean_above_zero((square - variance) / *agents, sqrt(2.0 * squares) / *agents);
}

void direct_intervals(struct regret_valued *direct, const struct worth_parts *parts, size_t n,
                      double level)
{
    double agents, miss = mean_square_of_misses(parts, n, &agents);
    for (size_t a = 0; a < n; a++) {
        struct regret_valued *v = direct + a, about = *v;
        double known = parts[a].effective >= 2.0 ? 1.0 : NAN, rows = parts[a].by_rows;
        double weight = miss + rows > 0.0 ? miss / (miss + rows) : 0.0, left = weight * rows;
        double total = parts[a].by_surface + left;
        about.value = v->value + weight * parts[a].correction;
        about.error = known * sqrt(total);
        about.df = total * total /
                   (parts[a].by_surface * parts[a].by_surface / (parts[a].clusters - 1.0) +
                    left * left / (agents + 1.0));
        valued_set_interval(&about, level);
        about.value = v->value;
        *v = about;
    }
}
