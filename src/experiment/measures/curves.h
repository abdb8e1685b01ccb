/* What the policies of a replicate are worth for what they cost: the lists by price of its rows (protocol §7). */
#ifndef REGRET_EXPERIMENT_CURVES_H
#define REGRET_EXPERIMENT_CURVES_H

#include "experiment/measures/steps.h"
#include "regret/costs.h"
#include "results/row/row.h"

/* Sums over folds, weighted by their held-out contexts, then means; all NULL without costs.enabled. */
struct curves {
    size_t n_agents, n_families;
    struct row_baseline_list baselines;
    double weight;       /* held-out contexts of all folds */
    double *agent_value; /* [n_agents] */
    double *subject;     /* [(n_families + baselines.n) × CURVE_NUMBERS] */
};
/* Of a subject: values by price, costs by price, then enum regret_budget. */
enum { CURVE_NUMBERS = 2 * REGRET_N_PRICES + REGRET_N_BUDGET };

/* Takes one fold; the first makes the arrays. */
int curves_add(struct curves *curves, const struct replicate *replicate);
void curves_finish(struct curves *curves);
void curves_clear(struct curves *curves); /* safe on a zeroed one */

/* Hands the lists of subject `i`, families first, then baselines, to its row; borrowed. */
void curves_lend(struct row *row, const struct curves *curves, size_t i);

#endif
