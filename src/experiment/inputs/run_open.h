/* Does a plan fit its pool? */
#ifndef REGRET_EXPERIMENT_RUN_OPEN_H
#define REGRET_EXPERIMENT_RUN_OPEN_H

#include "experiment/inputs/run_inputs.h"
#include "regret/experiment.h"

struct regret_command_options;
struct regret_run_options;

/* The plan of a run, from the file or the text that its options have. */
int run_open_plan(struct regret_run_plan **out, const struct regret_run_options *options);

/* The inputs of the plan, once every cell's draws are known to be possible, with its families of one's own opened;
 * `commands` may be NULL where none is allowed, and must outlive them. `notice`, which may be NULL, is told who is in no
 * order by votes: after the run, recommend refuses to name any of these. What does not fit is told with `path`, the configuration's, and the --set that would repair it. */
int run_open_inputs(struct run_inputs **out, const struct regret_run_plan *plan,
                    const struct regret_pool *pool, const char *path,
                    const struct regret_command_options *commands, regret_notice_callback *notice,
                    void *notice_context);

#endif
