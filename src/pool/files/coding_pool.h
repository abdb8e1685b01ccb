/* What every pool of patches has in common, made from public data or by the generator: components
 * success, size, locality, focus; patch statistics as aux labels; the user types as segments. */
#ifndef REGRET_SRC_POOL_CODING_POOL_H
#define REGRET_SRC_POOL_CODING_POOL_H

#include "regret/patch.h"
#include "regret/pool.h"

enum { CODING_SUCCESS, CODING_SIZE, CODING_LOCALITY, CODING_FOCUS, CODING_COMPONENTS };
enum { CODING_VALUES = CODING_COMPONENTS + REGRET_PATCH_STATISTICS }; /* of an output */

/* Sets components, aux labels and segments of a pool, in the place of those it has. Segments are the user types of
 * protocol §2: three quarters of a type's weight lie on (size, locality, focus) as the protocol
 * has it and one quarter on success, which the utility map takes out again (w̃). */
int coding_pool_describe(struct regret_pool *pool);

/* The CODING_VALUES values of an output: success (0 or 1), the components and statistics of the
 * patch of `length` bytes at `text`. *changed (may be NULL) gets its added and removed lines,
 * *files (may be NULL) the files it touches. */
int coding_values(double *values, size_t *changed, size_t *files, int success, const char *text,
                  size_t length, const struct regret_patch_issue *issue);

#endif
