/* What a cell costs in memory and time. */
#ifndef EXPERIMENT_CELL_COST_H
#define EXPERIMENT_CELL_COST_H

#include <stddef.h>
#include <stdint.h>

#include "experiment/features.h"

/* What a replicate of a cell will take, estimated from the configuration and the sizes of its grid
 * alone. Shards are cut by it, so it is whole-number arithmetic: the same on every machine. */

/* The most a replicate may cost, so that the costs of every cell and seed add up in 64 bits. */
#define CELL_COST_MOST ((uint64_t)1 << 30)

/* The work of a cell (estimate/session.h; `labels` are those that a proxy may predict) weighed by what a multiply-add of each kind took where it was measured; in units of
 * about a microsecond there, and from 1 to CELL_COST_MOST. */
uint64_t cell_cost(const struct regret_config *cell, const struct feature_set *features,
                   size_t labels);

/* The memory that a replicate takes besides what all share, by its rows and columns: a bound that is within a factor of two of
 * what was measured. */
double cell_bytes(const struct regret_config *cell, const struct feature_set *features);

/* How fits on φ are solved, in a feature set that is there: never REGRET_SOLVER_AUTO. */
enum regret_solver cell_solver(const struct regret_config *cell,
                               const struct feature_set *features);
/* Stored elements of a row of φ: a pair's own, and what all pairs of a context have in common. */
struct row_sizes {
    uint64_t own, shared;
};
/* Whether a feature set without its features should be sparse: it would be too large, or dearer to factorise than to
 * iterate in with such rows. `cell` has the largest budgets that will use it. */
int cell_wants_sparse(const struct regret_config *cell, const struct feature_set *features,
                      struct row_sizes row);
/* Refuses a cell whose fits would be too large for the solver it asks for. */
int cell_check_solver(const struct regret_config *cell, const struct feature_set *features);

/* How many different ones are expected among `draws` of `n`, drawn evenly. */
uint64_t cell_distinct(uint64_t n, uint64_t draws);

/* How long rows of φ are, before they are made. */

/* By φ of a few pairs, evenly from the set; `texts` of all its pairs (NULL: of none), and of its contexts. */
int row_sample(struct row_sizes *out, const struct feature_set *set, const char *const *texts,
               const char *const *context_texts);

#endif
