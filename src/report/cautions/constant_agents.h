/* Agents that give one text to every context, and whether families go by outputs at all. */
#ifndef REGRET_REPORT_CONSTANT_AGENTS_H
#define REGRET_REPORT_CONSTANT_AGENTS_H

#include "regret/results.h"

/* Appends sentences about three at most: for how many held-out contexts it is the best, and for how many the
 * families recommend it; how many more there are; or one where all are so. Nothing where there is none, or where the
 * rows hold no lists. */
void constant_agents_describe(struct regret_buffer *out, const struct regret_results *r);

/* 1 where the families read outputs that say more than whose they are: who is best for a request is then known only once
 * all agents have answered it. */
int outputs_are_read(const struct regret_results *r);

#endif
