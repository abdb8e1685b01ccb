/* Families for practice, beyond the paper's: for the question which of these agents for which of my requests.
 *
 * Offers: family_mixed and family_stack, which the list in estimate/families.c names.
 * Way: mixed.c lays out effects of agents, tags, texts and of OBS → mixed_rows.c gathers the rows for linalg/mixed, which
 * chooses the variances → predictions of every pair; picked.c finds words by which agents differ. stack.c fits its members with folds of contexts left out, stack_means.c
 * those that are means → stack_choice.c weighs them (linalg/dense) and chooses a library.
 * Uses: base/core, estimate/fit, linalg/dense, linalg/design, linalg/mixed, linalg/sparse.
 */
#ifndef REGRET_ESTIMATE_PRACTICE_ROOM_H
#define REGRET_ESTIMATE_PRACTICE_ROOM_H

#include "estimate/practice/mixed.h"

#endif
