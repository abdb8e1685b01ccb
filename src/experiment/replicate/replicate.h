/* One fold of a replicate: a pure function of (pool, cell, seed, fold), made in steps. Each step reads the values of
 * those before it and hands on one of its own:
 *
 *   setting → draws → features → proxy → estimates → values → baselines → measures
 */
#ifndef REGRET_EXPERIMENT_REPLICATE_H
#define REGRET_EXPERIMENT_REPLICATE_H

#include "experiment/measures/steps.h"

/* Runs every step of one fold of one cell at one seed; free with replicate_free(). The plan and its inputs must
 * outlive the replicate. */
int replicate_run(struct replicate **out, const struct replicate_source *from,
                  const struct replicate_place *at);
void replicate_free(struct replicate *r);

/* What the estimators are asked; borrows from all four. */
struct regret_problem replicate_problem(const struct setting *setting, const struct draws *draws,
                                        const struct replicate_features *features,
                                        const struct fitted_proxy *proxy,
                                        const struct estimates *estimates);
/* What intervals of a family's values rest on; borrows from both. */
struct regret_value_problem replicate_value_problem(const struct replicate *replicate,
                                                    const struct regret_estimate *estimate);
/* Marks the pairs of OBS and EXP rows; returns how many were not marked before. */
size_t draws_mark(unsigned char *mark, const struct draws *draws);

#endif
