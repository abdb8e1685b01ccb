/* Two pools made one, and a part of a pool.
 *
 * Offers: regret_pool_join(), regret_pool_select() (regret/pool_join.h).
 * Way: two pools → match.c finds which contexts, agents and outputs are the same, names.c which names of values and
 * columns, and both refuse what differs → join.c moves what is new and lays values out by the names of both. One
 * pool → select.c keeps what matches, by chance a part of it.
 * Uses: base/core, base/text, pool/files, pool/grid.
 */
#ifndef REGRET_POOL_JOIN_ROOM_H
#define REGRET_POOL_JOIN_ROOM_H

#include "regret/pool_join.h"

#endif
