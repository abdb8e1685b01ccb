/* How rows are divided among cells. */
#ifndef REGRET_EVALUATE_PLAN_SHARES_H
#define REGRET_EVALUATE_PLAN_SHARES_H

#include "evaluate/plan/pilot.h"

/* Uniform over agents, tags as requests have them; and by Neyman (1934): proportional to share of the tag times deviation
 * within the cell, times the root of `differences` for the reference. Where tags come as they come, each keeps its share. */
void shares_uniform(double *share, const struct pilot *p);
void shares_neyman(double *share, const struct pilot *p, size_t reference, double differences,
                   int choose_tags);

#endif
