/* How rows are divided among agents. */
#ifndef REGRET_EVALUATE_PLAN_SHARES_H
#define REGRET_EVALUATE_PLAN_SHARES_H

#include "evaluate/plan/pilot.h"

void shares_uniform(double *share, const struct pilot *p);
/* By Neyman (1934): proportional to the deviation of a row, times the root of `differences` for the reference. */
void shares_neyman(double *share, const struct pilot *p, size_t reference, double differences);

#endif
