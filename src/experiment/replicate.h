/* One replicate of a cell. */
#ifndef EXPERIMENT_REPLICATE_H
#define EXPERIMENT_REPLICATE_H

#include <stddef.h>

#include "experiment/curves.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"

/* One fold of a replicate: a pure function of (pool, cell, seed, fold), made in steps. Each step reads the values of
 * those before it and hands on one of its own:
 *
 *   setting → draws → features → proxy → estimates → values → baselines → measures
 */

/* Runs every step of one fold of one cell at one seed; free with replicate_free(). The plan and its inputs must
 * outlive the replicate. */
int replicate_run(struct replicate **out, const struct replicate_source *from,
                  const struct replicate_place *at);
void replicate_free(struct replicate *r);

/* What the estimators are asked; borrows from all four. */
struct regret_problem replicate_problem(const struct setting *setting, const struct draws *draws,
                                        const struct replicate_features *features,
                                        const struct fitted_proxy *proxy,
                                        const struct estimates *estimates);
/* What intervals of a family's values rest on; borrows from both. */
struct regret_value_problem replicate_value_problem(const struct replicate *replicate,
                                                    const struct regret_estimate *estimate);
/* Marks the pairs of OBS and EXP rows; returns how many were not marked before. */
size_t draws_mark(unsigned char *mark, const struct draws *draws);

/* What grid.policy did about missing outputs, in words. */

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
