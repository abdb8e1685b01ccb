/* Agents that give one text to every context. */
#ifndef REGRET_REPORT_CONSTANT_AGENTS_H
#define REGRET_REPORT_CONSTANT_AGENTS_H

#include "regret/results.h"

/* Appends sentences about three at most: for how many held-out contexts it is the best, and for how many the
 * families recommend it; how many more there are; or one where all are so. Nothing where there is none, or where the
 * rows hold no lists. */
void constant_agents_describe(struct regret_buffer *out, const struct regret_results *r);

#endif
