#include "regret/value.h"

#include <math.h>

enum { BLOCK = 256 }; /* agents with a pass over the pairs */

static double weight_of(const struct regret_context_weights *w, size_t pair)
{
    return w != NULL && w->weight != NULL ? w->weight[w->context[pair]] : 1.0;
}

/* The agents from `first` on, at most BLOCK. */
static void dm_of_block(double *value, const double *prediction, const uint32_t *agent,
                        const unsigned char *eval, size_t pairs, size_t first, size_t n_agents,
                        const struct regret_context_weights *weights)
{
    double n[BLOCK] = {0.0};
    for (size_t a = 0; a < n_agents; a++) {
        value[first + a] = 0.0;
    }
    for (size_t p = 0; p < pairs; p++) {
        size_t a = agent[p] - first; /* wraps below `first` */
        if (eval[p] && a < n_agents) {
            double weight = weight_of(weights, p);
            value[first + a] += weight * prediction[p];
            n[a] += weight;
        }
    }
    for (size_t a = 0; a < n_agents; a++) {
        value[first + a] /= n[a];
    }
}

void regret_value_dm(double *value, const double *prediction, const uint32_t *agent,
                     const unsigned char *eval, size_t pairs, size_t n_agents,
                     const struct regret_context_weights *weights)
{
    for (size_t first = 0; first < n_agents; first += BLOCK) {
        size_t n = n_agents - first < BLOCK ? n_agents - first : BLOCK;
        dm_of_block(value, prediction, agent, eval, pairs, first, n, weights);
    }
}

void regret_value_dr(double *dr, double *sndr, const double *dm, const struct regret_rows *exp,
                     const double *cross_fit, const uint32_t *agent, size_t n_agents,
                     const struct regret_context_weights *weights)
{
    for (size_t a = 0; a < n_agents; a++) {
        double residuals = 0.0, n = 0.0, all = 0.0;
        for (size_t i = 0; i < exp->n; i++) {
            double weight = weight_of(weights, exp->pair[i]);
            double residual = weight * (exp->y[i] - cross_fit[i]);
            all += weight;
            if (isnan(residual)) {
                residuals = NAN;
            } else if (agent[exp->pair[i]] == a) {
                residuals += residual;
                n += weight;
            }
        }
        dr[a] = dm[a] + (double)n_agents * residuals / all;
        int has_none = n == 0.0 && all > 0.0 && !isnan(residuals);
        sndr[a] = has_none ? dm[a] : dm[a] + residuals / n; /* 0/0 where nobody has any */
    }
}

double regret_effective_number(const double *weight, size_t n)
{
    double sum = 0.0, squares = 0.0, largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, weight[i]);
    }
    for (size_t i = 0; i < n; i++) {
        double share = weight[i] / largest; /* squares of tiny weights are no zeroes */
        sum += share;
        squares += share * share;
    }
    return sum * sum / squares;
}
