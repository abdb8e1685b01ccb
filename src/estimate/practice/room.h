/* Families for practice, beyond the paper's: for the question which of these agents for which of my requests.
 *
 * Offers: family_mixed, which the list in estimate/families.c names.
 * Way: mixed.c lays out effects of agents, tags, texts and of OBS → mixed_rows.c gathers the rows for linalg/mixed, which
 * chooses the variances → predictions of every pair.
 * Uses: base/core, estimate/fit, linalg/design, linalg/mixed.
 */
#ifndef REGRET_ESTIMATE_PRACTICE_ROOM_H
#define REGRET_ESTIMATE_PRACTICE_ROOM_H

#include "estimate/practice/mixed.h"

#endif
