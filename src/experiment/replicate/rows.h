/* The result rows of a replicate (include/regret/results.h), one line each. */
#ifndef REGRET_EXPERIMENT_ROWS_H
#define REGRET_EXPERIMENT_ROWS_H

#include "experiment/replicate/details.h"
#include "regret/buffer.h"

/* `cell_key` is what regret_run_plan_cell_key() says of the cell. */
int rows_write(struct regret_buffer *text, const struct measures *measures,
               const struct details *details, size_t cell, uint64_t seed, const char *cell_key);
/* How many rows a replicate has. */
size_t rows_count(const struct regret_config *config, const struct run_inputs *inputs);

#endif
