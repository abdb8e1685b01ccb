/* What a grid with holes means for the conclusions. */
#ifndef REGRET_REPORT_GRID_CAUTION_H
#define REGRET_REPORT_GRID_CAUTION_H

#include "regret/results.h"

/* Appends a sentence where a tenth of the grid or more is outputs that are missing and count as 0, or are unobserved, or
 * where it holds less than nine tenths of the pool's pairs; nothing else. */
void grid_caution(struct regret_buffer *out, const struct regret_run_facts *run);
/* Appends " NAME has outputs of 20 of 80 contexts: …" of at most three agents that are seen on few. */
void say_partial_agents(struct regret_buffer *out, const struct regret_results *r);

#endif
