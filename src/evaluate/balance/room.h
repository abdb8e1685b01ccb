/* Does the assignment of a trial depend on anything that was known before it?
 *
 * Offers: struct assignment (what the stated probabilities allow to be permuted), struct block and block_*() (what assignment may
 * depend on), permutation_test(), weighted_test() (where nothing can be permuted), sequence_test(), binomial_two_sided().
 * Way: assignment.c tells units, strata and labels of EXP → block.c and words.c make features of units → permute.c permutes labels
 * within strata, weighted.c compares weighted means where only the probability of the assigned agent is known, sequence.c looks at neighbours in
 * time.
 * Uses: base/core, evaluate/clusters, linalg/sparse, log/core, text/words.
 */
#ifndef REGRET_EVALUATE_BALANCE_ROOM_H
#define REGRET_EVALUATE_BALANCE_ROOM_H

#include "evaluate/balance/assignment.h"
#include "evaluate/balance/binomial.h"
#include "evaluate/balance/block.h"
#include "evaluate/balance/permute.h"
#include "evaluate/balance/sequence.h"
#include "evaluate/balance/weighted.h"

#endif
