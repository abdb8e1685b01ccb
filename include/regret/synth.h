/* Generated pools: contexts, the outputs of agents on them and their scores, made by a program. What
 * a generator makes of context i depends on (seed, i, agent, draw) alone: it is the same on every
 * machine and however many contexts are made, and any output can be drawn again. A generator is the
 * SIM of its pool.
 *
 * The library has no generator of its own. A program registers those it has; configurations and
 * commands then find them by name, "synth:NAME" in the place of a pool's folder. */
#ifndef REGRET_SYNTH_H
#define REGRET_SYNTH_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

/* Before the name of a generator, in the place of a pool. */
#define REGRET_SYNTH_PREFIX "synth:"

/* An agent of a generated pool; the texts are static. */
struct regret_synth_agent {
    const char *id, *title;
    double cost;
};

/* What a generator is and does. The functions that can fail return a status; all of them may run on
 * several threads at once, on a state each. */
struct regret_generator {
    const char *name;                      /* of its pools; ids and messages begin with it */
    const char *title, *version, *licence; /* of its pools */
    const char *source;                    /* of its pools */
    const char *about;                     /* a line for people: what is in its pools */
    const char *context, *contexts;        /* what these are called: "article", "articles" */
    size_t default_contexts;               /* of a pool, where nobody says otherwise */
    size_t n_agents;
    struct regret_synth_agent (*agent)(size_t agent);
    /* README.md of a pool, in which @AGENTS@ (a table), @SEED@, @CONTEXTS@ and @DRAWS@ are put in. */
    const char *(*card)(void);
    /* Components, counts, segments, aux labels of a pool that has none. */
    int (*describe)(struct regret_pool *pool);
    /* What the scores of a finished pool are changed by; NULL: by nothing. The seed of its noise is the pool's. The means
     * that it goes by are those of the whole pool, so that scores then depend on how many contexts are made; they are
     * given in steps of 1/10000. */
    const struct regret_spread_options *spread;
    size_t state_size;
    int (*open)(void *state); /* zeroed; reads what the generator needs, holds no context yet */
    /* Makes context `index` in the state, in the place of an earlier one; *text is the state's. */
    int (*begin)(const struct regret_buffer **text, void *state, uint64_t seed, size_t index);
    /* An output on that context, scored; the caller owns text and values. */
    int (*answer)(char **text, double **values, void *state, size_t agent, uint32_t draw);
    void (*close)(void *state); /* frees what it holds, also where opening failed on the way */
};

struct regret_synth_options {
    uint64_t seed;
    size_t contexts; /* 1 .. REGRET_POOL_MAX_CONTEXTS */
    size_t draws;    /* outputs of each (context, agent), >= 1; the grid within the pool's limits */
};
#define REGRET_SYNTH_OPTIONS_INIT                                                                  \
    {                                                                                              \
        1, 80, 1                                                                                   \
    }

/* Makes a generator known, which must stay valid; before any other thread runs. Once more is fine.
 * REGRET_E_INPUT when another has its name or there is no room. */
REGRET_API int regret_generator_register(const struct regret_generator *generator);
/* The i-th one registered; NULL past the last. */
REGRET_API const struct regret_generator *regret_generator_at(size_t i);
/* The one of the pool "synth:NAME". REGRET_E_INPUT names those there are. */
REGRET_API int regret_generator_find(const struct regret_generator **out, const char *pool);

/* The whole pool in memory; free it with regret_pool_free(). Outputs are sorted by context, agent,
 * draw. REGRET_E_INPUT when a size is out of range. */
REGRET_API int regret_synth_pool(struct regret_pool **out, const struct regret_generator *generator,
                                 const struct regret_synth_options *options);
/* The card (README.md) of that pool, to be freed with regret_free(). */
REGRET_API int regret_synth_card(char **out, const struct regret_generator *generator,
                                 const struct regret_synth_options *options);

/* A generator at work on the pool of one seed, by one thread at a time. It keeps the context made
 * last: outputs are cheapest in the order of their contexts. */
struct regret_synth; /* opaque */
REGRET_API int regret_synth_open(struct regret_synth **out,
                                 const struct regret_generator *generator, uint64_t seed);
REGRET_API void regret_synth_close(struct regret_synth *synth); /* NULL is fine */
/* Context `index` (0 .. REGRET_POOL_MAX_CONTEXTS - 1). The caller owns out->id and out->text and
 * frees both with regret_free(). */
REGRET_API int regret_synth_context(struct regret_context *out, struct regret_synth *synth,
                                    size_t index);
/* The output of `agent` on it; draw k is byte for byte the pool's draw k, and there are always more. Scores are those
 * before the generator's `spread`, which is of whole pools.
 * The caller owns out->text and out->values and frees both with regret_free(). */
REGRET_API int regret_synth_output(struct regret_output *out, struct regret_synth *synth,
                                   size_t index, size_t agent, uint32_t draw);

#endif
