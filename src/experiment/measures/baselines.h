/* Recommendations that want no estimator: what families are held against. */
#ifndef REGRET_EXPERIMENT_BASELINES_H
#define REGRET_EXPERIMENT_BASELINES_H

#include "experiment/measures/steps.h"

/* Those of row_baselines that the run has: those by tag only where a grid has two tags, those by strengths only of a pool of
 * votes, so that every replicate of a run has the same rows. */
struct row_baseline_list baselines_of(const struct run_inputs *inputs);

/* What they take agents to be worth on the held-out contexts of a fold, from its rows on training contexts: of what
 * is observed on a context the agent of the largest is recommended. The caller frees out->surface. */
int baselines_make(struct baselines *out, const struct setting *setting, const struct draws *draws,
                   const struct run_inputs *inputs);

/* What a baseline, one that goes by rows of EXP or OBS, takes agents to be worth on n contexts, [n × n_agents]: the means of
 * the rows on contexts of their kind, however few; of a kind without any, of all. Of "PPI" by
 * prediction-powered inference, of "BT" by strengths (strengths.h). */
int baselines_means(double *surface, const struct row_baseline *baseline,
                    const struct setting *setting, const struct draws *draws, const size_t *context,
                    size_t n);

/* Of baseline i, and mu, which is the oracle's; [n_test × n_agents]. */
const double *baselines_surface(const struct baselines *baselines, size_t i);
const double *baselines_truth(const struct baselines *baselines);

#endif
