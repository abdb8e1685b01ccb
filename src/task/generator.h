/* What the generators of pools share. A generated pool is a full grid: every context with `draws`
 * outputs of every agent. What is made of context i depends on (seed, i, agent, draw) alone, so
 * that one generator fills a pool and redraws any output of it later. A generator lays a context
 * out on its desk (what it knows of the context, and room for one output) and makes outputs there,
 * one after the other; a desk is too large for the stack of a thread. */
#ifndef REGRET_TASK_GENERATOR_H
#define REGRET_TASK_GENERATOR_H

#include "regret/pool.h"
#include "regret/text_buffer.h"

struct generator_agent {
    const char *id, *title;
    double cost;
};

struct generator {
    const char *name, *title, *source; /* of the pool; ids of contexts and messages begin with the
                                          name */
    const char *context;               /* what a context is called in messages: "article" */
    size_t n_agents;
    struct generator_agent (*agent)(size_t agent);
    /* Components, counts, segments, aux labels of a pool that has none. */
    int (*describe)(struct regret_pool *pool);
    size_t desk_size; /* a zeroed desk is an empty one */
    /* Puts a context on a desk, which is empty or has an earlier context on it. */
    int (*lay_out)(void *desk, uint64_t seed, size_t index);
    const struct regret_text *(*text)(const void *desk); /* of the context on the desk */
    /* The text and values of an output, judged and labelled; the caller owns both. */
    int (*output)(char **text, double **values, void *desk, size_t agent, uint32_t draw);
    void (*clear)(void *desk); /* frees what the desk holds */
};

/* The whole pool: `contexts` of them, `draws` outputs of each (context, agent). REGRET_E_INPUT when
 * a size is out of range. */
int generator_pool(struct regret_pool **out, const struct generator *g, uint64_t seed,
                   size_t contexts, size_t draws);

/* Context `index` as the pool of this seed has it; the caller owns id and text. */
int generator_context(struct regret_context *out, const struct generator *g, uint64_t seed,
                      size_t index);

/* The output of `agent` on context `index`; the caller owns text and values. */
int generator_redraw(struct regret_output *out, const struct generator *g, uint64_t seed,
                     size_t index, size_t agent, uint32_t draw);

#endif
