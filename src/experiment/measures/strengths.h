/* Agents of a pool of votes by their strengths (regret/bradley_terry.h) in the votes that a replicate sees. */
#ifndef REGRET_EXPERIMENT_STRENGTHS_H
#define REGRET_EXPERIMENT_STRENGTHS_H

#include "experiment/measures/steps.h"

/* The probability of winning against an agent of average strength, [n × n_agents] on n contexts; NaN of an agent without rows.
 * A row of OBS or EXP is a vote of its agent against the other that is observed on its context: which of the two a logger
 * took makes no other vote of it. By tag: θ of the tag is drawn to that of all by a ridge of 1. */
int strengths_take(double *surface, enum regret_rule rule, const struct setting *setting,
                   const struct draws *draws, const size_t *context, size_t n);

#endif
