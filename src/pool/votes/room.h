/* A pool of votes as comparisons of two agents each.
 *
 * Offers: regret_votes_of_pool() (regret/votes.h); votes_of_grid().
 * Way: votes.c takes the outputs of a context, two agents' → one comparison a draw, with its prompt and its tag.
 * Uses: base/core, pool/files, pool/grid.
 */
#ifndef REGRET_POOL_VOTES_ROOM_H
#define REGRET_POOL_VOTES_ROOM_H

#include "pool/votes/votes.h"
#include "regret/votes.h"

#endif
