/* What few labels and many judgements say of the means of agents, where OBS sees another outcome than EXP. */
#ifndef REGRET_EXPERIMENT_RUN_LABELLED_H
#define REGRET_EXPERIMENT_RUN_LABELLED_H

#include "experiment/inputs/run_inputs.h"
#include "regret/buffer.h"

/* Appends the lists of struct regret_run_means.labelled as members of an object, for a cell and its configuration; nothing
 * where OBS and EXP see the same. The labels are the outcomes of the EXP that the first seed draws (its first fold);
 * judgements what OBS's outcome is of every other pair of the grid with an output. */
int run_labelled_put(struct regret_buffer *out, const struct run_inputs *inputs, size_t cell,
                     const struct regret_config *config);

#endif
