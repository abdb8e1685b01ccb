/* patches: a synthetic coding pool and its simulator.
 *
 * Everything here is made by a program. An issue is a fault seeded in a right program: one of ten
 * small projects of several modules, written in a subset of Python that the library interprets. A
 * fault is one of eight kinds (off by one, comparison, operator, constant, wrong or swapped names,
 * condition, missing check, missing step), in the function a user calls or in one that it calls. A
 * user tells of it in words: the symptom, an example with the results of both programs, sometimes
 * the function, the file, a guess at the cause. Twelve agents hand in unified diffs, each in its
 * manner and with its skill, which depends on the kind of the fault.
 *
 * success is 1 when the program, patched by applying the text of the diff, passes every hidden
 * test: the calls on which the right program says what is right, run by the interpreter. size,
 * locality and focus are those of include/regret/patch.h, and so are the aux labels; nothing is
 * drawn at random apart from the texts. The rules are stated by regret_patches_card().
 *
 * The generator can redraw any (issue, agent) pair: it is the SIM of the pool. All bytes depend on
 * (seed, issue, agent, draw) alone, through streams of REGRET_RNG_PATCHES: they are the same on
 * every machine, and issue i does not depend on how many issues are made. */
#ifndef REGRET_PATCHES_H
#define REGRET_PATCHES_H

#include <stddef.h>
#include <stdint.h>

#include "regret/pool.h"
#include "regret/status.h"

enum {
    REGRET_PATCHES_AGENTS = 12,
    REGRET_PATCHES_COMPONENTS = 4 /* success, size, locality, focus */
};

struct regret_patches_options {
    uint64_t seed;
    size_t issues; /* 1 .. REGRET_POOL_MAX_CONTEXTS */
    size_t draws;  /* outputs of each (issue, agent), >= 1; the grid within the pool's limits */
};
#define REGRET_PATCHES_OPTIONS_INIT                                                                \
    {                                                                                              \
        1, 96, 1                                                                                   \
    }

/* The whole pool in memory; free it with regret_pool_free(). `options` may be NULL for the
 * defaults. Outputs are sorted by context, agent, draw. The first 98 issues are about different
 * functions; from some hundreds on, faults come again, mostly with other examples. REGRET_E_INPUT
 * when a size is out of range. O(issues × draws), about 5 ms an issue with all its agents. */
REGRET_API int regret_patches_generate(struct regret_pool **out,
                                       const struct regret_patches_options *options);

/* The simulator. It holds no state but the seed, so one may serve many threads. */
struct regret_patches;
REGRET_API int regret_patches_open(struct regret_patches **out, uint64_t seed);
REGRET_API void regret_patches_close(struct regret_patches *sim);

/* Issue `index` (0 .. REGRET_POOL_MAX_CONTEXTS - 1) as the pool of this seed has it. The caller
 * owns context->id and context->text and frees both with regret_free(). */
REGRET_API int regret_patches_issue(const struct regret_patches *sim, size_t index,
                                    struct regret_context *context);

/* The output of `agent` on `issue`, any `draw`; draw k is byte for byte the cached draw k. The text
 * is a diff, or empty. The caller owns output->text and output->values (4 components, then the
 * statistics of include/regret/patch.h) and frees both with regret_free(). */
REGRET_API int regret_patches_redraw(const struct regret_patches *sim, size_t issue, size_t agent,
                                     uint32_t draw, struct regret_output *output);

/* The card (README.md) of the pool these options make, into *out, to be freed with regret_free().
 * `options` may be NULL for the defaults. */
REGRET_API int regret_patches_card(char **out, const struct regret_patches_options *options);

#endif
