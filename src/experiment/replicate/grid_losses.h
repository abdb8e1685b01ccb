/* What grid.policy did about missing outputs, in words. */
#ifndef REGRET_EXPERIMENT_GRID_LOSSES_H
#define REGRET_EXPERIMENT_GRID_LOSSES_H

#include "regret/buffer.h"

/* "392 contexts and 4 agents left out for missing outputs", "12 missing outputs counted as 0";
 * nothing where nothing is lost. */
void grid_losses(struct regret_buffer *text, size_t contexts, size_t agents, size_t imputed);

#endif
