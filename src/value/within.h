/* Agents within requests. */
#ifndef VALUE_WITHIN_H
#define VALUE_WITHIN_H

#include <stddef.h>
#include <stdint.h>

/* Of n requests and m agents. */
struct within {
    size_t n, m;
    double *
        effect; /* [m] θ; NaN of an agent that is not ranked: no chain of three common requests a link joins it to
                                   the most agents in strata of more than 15 % of the requests. Owned, as the others */
    double common; /* the mean of u: θ + common is what an agent is worth over all requests */
    double *influence, *common_influence; /* [n × m] and [n], of a request on these */
};

/* y is [n × m], by request, NaN where unknown; `stratum` NULL: there is one. Strata of few requests are one together.
 * O(n m² + strata m³). */
int within_make(struct within *out, const double *y, size_t n, size_t m, const uint32_t *stratum,
                size_t n_strata);
void within_free(struct within *w);

/* θ_a less θ_b, or less the mean of all that are ranked where b is SIZE_MAX, and its standard error; NaN of agents that are
 * not ranked. */
struct within_gain {
    double gain, se;
};
struct within_gain within_gain(const struct within *w, size_t a, size_t b);
/* The standard error of θ_a + common. */
double within_level_se(const struct within *w, size_t a);

#endif
