/* What grid.policy did about missing outputs, in words. */
#ifndef REGRET_EXPERIMENT_GRID_LOSSES_H
#define REGRET_EXPERIMENT_GRID_LOSSES_H

#include "regret/buffer.h"

struct grid_loss {
    size_t contexts, agents; /* left out */
    size_t imputed;          /* outputs that count as 0 */
    size_t observed,
        pairs;         /* pairs of the grid that are observed, of how many; 0 of 0 where all are */
    size_t comparable; /* contexts with two of them */
};

/* "392 contexts and 4 agents left out for missing outputs", "12 missing outputs counted as 0", "1480 of 60000 pairs
 * observed (2.5 %), two or more on 612 contexts"; nothing where nothing is lost. */
void grid_losses(struct regret_buffer *text, const struct grid_loss *loss);

#endif
