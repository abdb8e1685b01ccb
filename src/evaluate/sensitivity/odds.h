/* The marginal sensitivity model: Tan, JASA 101 (2006) 1619-1637; Zhao, Small and Bhattacharya, JRSS B 81 (2019) 735-761. */
#ifndef REGRET_EVALUATE_SENSITIVITY_ODDS_H
#define REGRET_EVALUATE_SENSITIVITY_ODDS_H

#include <stddef.h>

#include "regret/log.h"

/* Outcomes of OBS by agent, in classes of equal width, each row with e(x), the chance that its agent is chosen: as given, else the
 * agent's share of the rows of the tag, else of all rows. */
struct odds {
    size_t n_agents, n_classes;
    double *one;    /* [agents × classes] Σ 1 */
    double *one_y;  /* Σ y */
    double *more;   /* Σ (1/e − 1) */
    double *more_y; /* Σ (1/e − 1) y */
    double *value;  /* [agents] Σ y/e / Σ 1/e; NaN without rows */
    size_t *rows;   /* [agents] */
};

int odds_build(struct odds *out, const struct regret_log *log);
void odds_free(struct odds *odds);

/* Bounds of an agent's value where what is unrecorded changes the odds of being chosen by a factor of `lambda` at most, either
 * way: the least and the largest of Σ y (1 + λ_i (1/e_i − 1)) / Σ (1 + λ_i (1/e_i − 1)) over 1/Λ <= λ_i <= Λ, taken at one of the
 * thresholds in y (their section 4.4). Exact where outcomes of a class are equal, else to 1 part in the classes. O(classes). */
void odds_bounds(double *low, double *high, const struct odds *odds, size_t agent, double lambda);

/* The least Λ at which some other agent's value may be as large as the agent's, and which agent; 1 where one is, infinite
 * where none can be. To 1e-6. */
double odds_of_change(size_t *other, const struct odds *odds, size_t agent);

/* How much a tag moves the odds of an agent's being chosen: exp of the mean, over its rows, of |ln of the odds within the tag
 * over those of all rows|; NaN without tags. */
int odds_by_tag(double *out, const struct regret_log *logged, size_t agent);

#endif
