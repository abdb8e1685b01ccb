/* The grid of a pool, contexts × agents × draws, that replicates are drawn from, however many holes the pool has:
 * complete, or with the missing pairs known as unobserved; and the names and tags that its parts are told by.
 *
 * Offers: regret_grid_cut() and what a pair of the grid holds; grid_drop_greedily(), the largest part without holes;
 * tags and labels of agents, and their lists in JSON (grid_json_agents() and the like).
 * Way: a pool → grid_policy.c chooses contexts and agents → grid.c lays out pairs, with the tags of tags.c → struct
 * regret_grid; agent_labels.c shortens ids for tables, grid_lists.c lists them.
 * Uses: base/core, base/text, pool/files.
 */
#ifndef REGRET_POOL_GRID_ROOM_H
#define REGRET_POOL_GRID_ROOM_H

#include "pool/grid/agent_labels.h"
#include "pool/grid/grid_lists.h"
#include "pool/grid/grid_policy.h"
#include "pool/grid/tags.h"

#endif
