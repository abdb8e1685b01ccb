/* Measures of a family in a replicate, and of baselines. */
#ifndef EXPERIMENT_MEASURES_H
#define EXPERIMENT_MEASURES_H

#include <stddef.h>

#include "experiment/curves.h"

/* Recommendations that want no estimator: what families are held against. */

/* Those of row_baselines that the run has: those by tag only where a grid has two tags, those by strengths only of a pool of
 * votes, so that every replicate of a run has the same rows. */
struct row_baseline_list baselines_of(const struct run_inputs *inputs);

/* What they take agents to be worth on the held-out contexts of a fold, from its rows on training contexts: of what
 * is observed on a context the agent of the largest is recommended. The caller frees out->surface. */
int baselines_make(struct baselines *out, const struct setting *setting, const struct draws *draws,
                   const struct run_inputs *inputs);

/* What a baseline, one that goes by rows of EXP or OBS, takes agents to be worth on n contexts, [n × n_agents]: the means of
 * the rows on contexts of their kind, however few; of a kind without any, of all. Of "BT" by strengths (curves.h). */
int baselines_means(double *surface, const struct row_baseline *baseline,
                    const struct setting *setting, const struct draws *draws, const size_t *context,
                    size_t n);

/* Of baseline i, and mu, which is the oracle's; [n_test × n_agents]. */
const double *baselines_surface(const struct baselines *baselines, size_t i);
const double *baselines_truth(const struct baselines *baselines);

/* What a grid with unobserved pairs asks of a replicate (protocol §3, §6, §7). */

/* How EXP draws over the training contexts of the split, as estimates weigh them; zeroes where nothing is unobserved. */
int observed_support(struct exp_support *out, const struct setting *setting);
void observed_support_clear(struct exp_support *support);

/* REGRET_E_INPUT: no held-out context has two observed agents. */
int observed_check_split(const struct setting *setting);

/* out[a]: the mean of mu(x,a) over those of n contexts on which the agent is observed; NaN of an agent observed on none. */
void observed_means(double *out, const struct setting *setting, const size_t *contexts, size_t n);

/* What a surface [n_test × n_agents] recommends of all agents that EXP could draw on any context, whether observed on
 * the held-out context or not: choice [n_test]; where propensities know no such agent on contexts of this kind, too. Only where
 * pairs are unobserved. */
void observed_recommend(size_t *choice, const struct setting *setting, const double *surface);

/* What the errors of a family of one's own say of whether it has seen what was held out (docs/formats.md). */

/* Fills in the list "leak" of a family's row (include/regret/results.h): NaN where the predictions do not tell. */
int leaks_take(double out[REGRET_N_LEAK], const struct setting *setting, const double *prediction);

/* The last step of a replicate: how good its estimates and baselines are. */

int measures_take(struct measures *out, const struct setting *setting, const struct draws *draws,
                  const struct fitted_proxy *proxy, const struct estimates *estimates,
                  const struct values *values, const struct baselines *baselines);

/* How many rows of kind "fit" a replicate over the pool has. */
size_t measures_fits(const struct regret_pool *pool);

#endif
