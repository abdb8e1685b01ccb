/* What a run reads. */
#ifndef EXPERIMENT_INPUTS_H
#define EXPERIMENT_INPUTS_H

#include <stddef.h>

#include "experiment/features.h"
#include "experiment/population.h"
#include "pool/agreement.h"
#include "regret/experiment.h"
#include "regret/task.h"

/* What the replicates of a plan share: feature sets and controlled worlds, each distinct one made
 * once. */

struct world_input;
struct external;

struct run_inputs {
    struct feature_set **features; /* [n_features] */
    size_t n_features;
    size_t *features_of; /* [cells] */
    struct spread_pool *
        *spreads; /* [n_spreads] pools with other scores; NULL where no cell has one */
    size_t n_spreads;
    struct world_input *worlds; /* [n_worlds]; none with task "pool" */
    size_t n_worlds;
    size_t *world_of; /* [cells] */
    struct grid_votes
        *votes; /* [n_features]; NULL unless rows of every cell are outcomes of votes */
    struct external
        *external; /* owned; NULL without families of one's own, and before they are opened */
};

/* `cache` may be NULL. */
int run_inputs_create(struct run_inputs **out, const struct regret_run_plan *plan,
                      const struct regret_pool *pool);
void run_inputs_free(struct run_inputs *inputs);

const struct feature_set *run_inputs_features(const struct run_inputs *inputs, size_t cell);
/* The scores of a cell's pool that spread.* moved into their range, a share of all; NaN where it is read as it is. */
double run_inputs_clipped(const struct run_inputs *inputs, size_t cell);
/* The world of a cell; NULL with task "pool". */
const struct regret_controlled_world *run_inputs_world(const struct run_inputs *inputs,
                                                       size_t cell);
/* The most folds that a cell has. */
size_t run_inputs_folds(const struct run_inputs *inputs, const struct regret_run_plan *plan);
/* The most tags, contexts without one counting as one, that the contexts of a cell's grid have. */
size_t run_inputs_tags(const struct run_inputs *inputs);
/* The labels that a proxy of the cell may predict. */
size_t run_inputs_labels(const struct run_inputs *inputs, size_t cell);
/* The task of a cell, whose configuration is `config`; freed with regret_task_free(). */
int run_inputs_task(struct regret_task **out, const struct run_inputs *inputs, size_t cell,
                    const struct regret_config *config);

/* Does a plan fit its pool? */

/* The plan of a run, from the file or the text that its options have. */
int run_open_plan(struct regret_run_plan **out, const struct regret_run_options *options);

/* The inputs of the plan, once every cell's draws are known to be possible, with its families of one's own opened;
 * `commands` may be NULL where none is allowed, and must outlive them. `notice`, which may be NULL, is told who is in no
 * order by votes. What does not fit is told with `path`, the configuration's, and the --set that would repair it. */
int run_open_inputs(struct run_inputs **out, const struct regret_run_plan *plan,
                    const struct regret_pool *pool, const char *path,
                    const struct regret_command_options *commands, regret_notice_callback *notice,
                    void *notice_context);

#endif
