/* Measures of values. */
#ifndef VALUE_MEASURE_H
#define VALUE_MEASURE_H

#include <stddef.h>

#include "value/gathered.h"

/* Over the contexts that EXP draws from: the variance `by_rows` that rows give b's estimates on average, the share
 * `rho` of their noise that DM has too, being fitted to the same rows, and the mean square `apart` of what else b is, so
 * that E b² = apart + rho² by_rows. From there to the population, what these contexts differ by: it is in no estimate,
 * and adds to all. */
struct miss_law {
    double apart, rho, by_rows, between;
};
struct surface_miss {
    double
        *b; /* [n_agents] V_DM(a) − V_DR(a), unbiased; NULL: nothing is known, nothing is missed */
    struct miss_law of_value;      /* over agents */
    struct miss_law of_difference; /* b(a) − b(b), over pairs of agents */
};
/* Nothing is known without out-of-fold predictions; NaN where these are undefined or rest on one context. What was
 * made until a failure is to be cleared, too. */
int surface_miss_fill(struct surface_miss *out, const struct gathered *g);
void surface_miss_clear(struct surface_miss *miss);

/* What value `kind` of a, less that of b (or NO_AGENT), misses: into the variance. Nothing where it is corrected. */
void surface_miss_add(struct value_variance *v, const struct surface_miss *miss,
                      const struct gathered *g, size_t kind, size_t a, size_t b);

/* The mean of a mean square given an unbiased estimate m with standard error s, and that it is not negative (a flat
 * prior): that of a normal law cut at 0, m + s φ(m/s)/Φ(m/s). Armstrong, Kolesár and Plagborg-Møller, "Robust
 * empirical Bayes confidence intervals", Econometrica 90, 2022, do so for the second moment of what they estimate. */
double mean_above_zero(double m, double s);

#endif
