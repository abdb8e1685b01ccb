#include "evaluate/plan/prior.h"

#include <math.h>

/* The logarithm of the means' likelihood, their centre integrated out, and that centre. */
static double likelihood(double *centre, const double *mean, const double *se2, size_t n, double sd)
{
    double weights = 0.0, sum = 0.0, log_sum = 0.0, squares = 0.0;
    for (size_t a = 0; a < n; a++) {
        if (isfinite(se2[a])) {
            double v = se2[a] + sd * sd;
            weights += 1.0 / v;
            sum += mean[a] / v;
            log_sum += log(v);
        }
    }
    *centre = weights > 0.0 ? sum / weights : 0.5;
    for (size_t a = 0; a < n; a++) {
        squares +=
            isfinite(se2[a]) ? (mean[a] - *centre) * (mean[a] - *centre) / (se2[a] + sd * sd) : 0.0;
    }
    return -0.5 * (log_sum + squares + (weights > 0.0 ? log(weights) : 0.0));
}

struct prior prior_fit(const double *mean, const double *se2, size_t n)
{
    /* The deviation is u²/2, u in (0,1): nodes are dense where errors are small. */
    enum { STEPS = 400 };
    double log_density[STEPS], centre[STEPS], most = -INFINITY, all = 0.0, sum = 0.0;
    for (size_t i = 0; i < STEPS; i++) {
        double u = ((double)i + 0.5) / STEPS;
        log_density[i] = likelihood(&centre[i], mean, se2, n, 0.5 * u * u) + log(u);
        most = fmax(most, log_density[i]);
    }
    for (size_t i = 0; i < STEPS; i++) {
        all += exp(log_density[i] - most);
    }
    for (size_t i = 0; i < STEPS; i++) {
        sum += exp(log_density[i] - most);
        if (sum >= 0.5 * all) {
            double u = ((double)i + 0.5) / STEPS;
            return (struct prior){centre[i], 0.5 * u * u};
        }
    }
    return (struct prior){0.5, 0.5};
}
