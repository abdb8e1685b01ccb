/* Rows of OBS and EXP as they would have been logged on a cached pool.
 *
 * Offers: regret_cached_task_create(), regret_split_make(), regret_draw_obs() and _exp() (regret/task.h).
 * Way: split.c divides the contexts → logging_policy.c chooses the agents of OBS, cached_task.c tells outcomes by the
 * rewards → draw.c draws the rows of either task.
 * Uses: base/core, linalg/spectrum, pool/grid, task/reward.
 */
#ifndef REGRET_TASK_DRAW_ROOM_H
#define REGRET_TASK_DRAW_ROOM_H

#endif
