#include "regret/value.h"

#include <math.h>

void regret_value_dm(double *value, const double *prediction, const uint32_t *agent,
                     const unsigned char *eval, size_t pairs, size_t n_agents)
{
    for (size_t a = 0; a < n_agents; a++) {
        double sum = 0.0, n = 0.0;
        for (size_t p = 0; p < pairs; p++) {
            if (eval[p] && agent[p] == a) {
                sum += prediction[p];
                n += 1.0;
            }
        }
        value[a] = sum / n;
    }
}

void regret_value_dr(double *dr, double *sndr, const double *dm, const struct regret_rows *exp,
                     const double *cross_fit, const uint32_t *agent, size_t n_agents)
{
    for (size_t a = 0; a < n_agents; a++) {
        double residuals = 0.0, n = 0.0;
        for (size_t i = 0; i < exp->n; i++) {
            double residual = exp->y[i] - cross_fit[i];
            if (isnan(residual)) {
                residuals = NAN;
            } else if (agent[exp->pair[i]] == a) {
                residuals += residual;
                n += 1.0;
            }
        }
        dr[a] = dm[a] + (double)n_agents * residuals / (double)exp->n;
        sndr[a] = n > 0.0 || isnan(residuals) ? dm[a] + residuals / n : dm[a];
    }
}
