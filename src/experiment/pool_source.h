/* Pools by name, and pairs of rows. */
#ifndef EXPERIMENT_POOL_SOURCE_H
#define EXPERIMENT_POOL_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/threads.h"
#include "regret/experiment.h"
#include "regret/pool.h"
#include "regret/task.h"

/* One split of a seed, by contexts and by pairs. */

struct pair_split {
    struct regret_split *contexts;
    unsigned char *train, *test, *reference; /* [pairs] 1: observed, and of such a context */
};

/* The folds of a seed: 1 with a single split, those of contexts.folds, or one a tag of the grid's
 * contexts. */
size_t context_folds(const struct regret_config *config, const struct regret_grid *grid);
/* The contexts of one. REGRET_E_INPUT: contexts.split asks for tags that the contexts have not. */
int context_split_make(struct regret_split **out, const struct regret_grid *grid,
                       const struct regret_config *config, size_t fold, uint64_t seed);

int pair_split_make(struct pair_split *out, const struct regret_grid *grid,
                    const struct regret_config *config, size_t fold, uint64_t seed);
void pair_split_clear(struct pair_split *split);

/* Where the texts come from: a pool folder, or a pool generated when the run starts. */

/* The pool of a configuration; free it with regret_pool_free(). A generated one gets a digest of
 * its contents, so that a resumed run can tell it from another. */
int pool_source_open(struct regret_pool **out, const struct regret_config *config);

/* Given what reading the pool or, where that `is_read`, making its features came to: where memory ran out, the message says
 * how much these take, and how many contexts would fit into what there was before. Returns rc. */
int pool_source_explain(int rc, const struct regret_config *config,
                        const struct memory_left *before, int is_read);

/* More contexts of the same kind as the grid's, without outputs: at most `wanted` of the pool's
 * that are not in the grid, then contexts past the generated ones. */
struct spare_contexts {
    const char **text; /* [n] */
    size_t n;
    struct regret_context *made; /* owned: those that were generated for this */
    size_t n_made;
};
int spare_contexts_find(struct spare_contexts *out, const struct regret_config *config,
                        const struct regret_grid *grid, size_t wanted);
void spare_contexts_clear(struct spare_contexts *spare);

#endif
