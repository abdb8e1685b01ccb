/* Agents within requests. */
#ifndef VALUE_WITHIN_H
#define VALUE_WITHIN_H

#include <stddef.h>
#include <stdint.h>

/* The effects α of agents within n requests, which are rows of y (by request, m each, NaN where unknown): the least Σ (y_ia − α_a − u_i)²
 * over all α and u, of mean 0 over the agents that are joined, by chains of three common requests a link. */
struct within_effects {
    size_t m, n_joined;
    unsigned char *joined; /* [m] owned, as the others */
    double *effect;        /* [m] 0 of those not joined */
    double *
        worth; /* [m] requests with every joined agent that would tell it as well; 0 of those not joined */
    double *factor; /* [m × m] Cholesky's, of the equations, with J/n_joined to make them regular */
};
int within_effects_make(struct within_effects *out, const double *y, size_t m,
                        const size_t *request, size_t n);
void within_effects_free(struct within_effects *e);
/* What x, a number of each agent as `own` has it, says of agents that are not joined there: `all`, that of all requests, held against those that
 * are joined in both. */
void within_fill_in(double *x, const double *all, const struct within_effects *own,
                    const struct within_effects *whole);
/* u of a request with the scores y [m]; NaN where no joined agent is known. */
double within_request(const struct within_effects *e, const double *y);

/* Of n requests and m agents, in strata. */
struct within {
    size_t n, m;
    double *
        effect; /* [m] θ; NaN of an agent that is not ranked: no chain of three common requests a link joins it to
                                   the most agents in strata of more than 15 % of the requests. Owned, as the others */
    double common; /* the mean of u: θ + common is what an agent is worth over all requests */
    double *influence, *common_influence; /* [n × m] and [n], of a request on these */
    size_t n_strata;
    uint32_t *stratum;                 /* [n] those of few requests are one */
    double *share;                     /* [n_strata] of the requests */
    struct within_effects *own, whole; /* [n_strata], and of all requests */
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

/* How much of a difference θ_b − θ_a each request holds: h [n], of sum 1; 1/n each where all is known. y as it was given. O(strata m² + n m). */
int within_leverage(double *h, const struct within *w, const double *y, size_t a, size_t b);

#endif
