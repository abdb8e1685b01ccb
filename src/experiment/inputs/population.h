/* The population of contexts that values are wanted for, where it is not the one that was run on (protocol §6). */
#ifndef REGRET_EXPERIMENT_POPULATION_H
#define REGRET_EXPERIMENT_POPULATION_H

#include "experiment/features/feature_set.h"
#include "regret/task.h"
#include "regret/world.h"

/* A file {"context id": weight, …}. */
struct population_file; /* opaque */

/* Every weight is a finite number of at least 0, or REGRET_E_INPUT. Linear in the file. */
int population_file_read(struct population_file **out, const char *path);
void population_file_free(struct population_file *file); /* NULL is fine */
/* The XXH3-128 of the file. */
const char *population_file_digest(const struct population_file *file);

/* ω of the contexts of the cell's grid, [n_contexts], of mean one; NULL with transport.shift 0. `world` is NULL
 * with task "pool", `file` where no cell wants one. REGRET_E_INPUT: an s(x) that does not vary or that the task
 * has not, a context without a weight. O(n_contexts + their bytes). */
int population_weigh(double **out, const struct regret_config *config,
                     const struct feature_set *features,
                     const struct regret_controlled_world *world,
                     const struct population_file *file);

/* Refuses a split whose reference or training contexts have no weight at all. `weight` may be NULL. */
int population_check_split(const double *weight, const struct regret_split *split, uint64_t seed);
/* Σ ω over some contexts; their number where `weight` is NULL. */
double population_of(const double *weight, const size_t *contexts, size_t n);

#endif
