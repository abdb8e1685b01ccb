/* Memory. Every allocation of the library goes through here, so that a test can make the k-th one
 * fail and see that nothing leaks and nothing is half-done. */
#ifndef REGRET_ALLOC_H
#define REGRET_ALLOC_H

#include <stddef.h>

#include "regret/status.h"

/* Allocates `count` zeroed elements of `size` bytes into *out. `count * size` is checked for
 * overflow; a zero-size request gives a valid pointer that must be freed. REGRET_E_NOMEM names
 * `what` in its message. */
REGRET_API int regret_calloc(void **out, size_t count, size_t size, const char *what);

/* Grows *block to hold `count` elements of `size` bytes (contents kept, the new part undefined).
 * On failure *block is untouched. */
REGRET_API int regret_realloc(void **block, size_t count, size_t size, const char *what);

/* Makes room for one more element in an array of n of `capacity`, which at least doubles when it is
 * full. On failure both are untouched. */
REGRET_API int regret_grow(void **array, size_t *capacity, size_t n, size_t size, const char *what);

/* Frees a block of the functions above; NULL is allowed. */
REGRET_API void regret_free(void *block);

/* A zero-terminated copy of `length` bytes of `text`. */
REGRET_API int regret_strndup(char **out, const char *text, size_t length);
REGRET_API int regret_strdup(char **out, const char *text);

/* Typed allocation: REGRET_NEW(&array, count) zeroes and names the expression in the message. */
#define REGRET_NEW(out, count) regret_calloc((void **)(out), (count), sizeof **(out), #out)

/* For tests: after `n` further successful allocations on any thread every one fails, those of cJSON
 * among them (its global hooks are ours meanwhile), until called with a negative number (the
 * default: never fail). */
REGRET_API void regret_alloc_fail_after(long n);

#endif
