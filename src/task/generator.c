#include "task/generator.h"

#include <stdio.h>

#include "regret/alloc.h"

static int name_pool(struct regret_pool *pool, const struct generator *g)
{
    int status = regret_strdup(&pool->name, g->name);
    if (status == REGRET_OK) {
        status = regret_strdup(&pool->title, g->title);
    }
    if (status == REGRET_OK) {
        status = regret_strdup(&pool->version, "1");
    }
    if (status == REGRET_OK) {
        status = regret_strdup(&pool->licence, "Apache-2.0");
    }
    if (status == REGRET_OK) {
        status = regret_strdup(&pool->source, g->source);
    }
    pool->synthetic = 1;
    return status;
}

static int add_agents(struct regret_pool *pool, const struct generator *g)
{
    int status = REGRET_NEW(&pool->agents, g->n_agents);
    if (status != REGRET_OK) {
        return status;
    }
    pool->n_agents = g->n_agents;
    for (size_t i = 0; i < pool->n_agents && status == REGRET_OK; i++) {
        const struct generator_agent from = g->agent(i);
        struct regret_agent *agent = &pool->agents[i];
        agent->cost = from.cost;
        status = regret_strdup(&agent->id, from.id);
        if (status == REGRET_OK) {
            status = regret_strdup(&agent->title, from.title);
        }
    }
    return status;
}

static void desk_free(void *desk, const struct generator *g)
{
    if (desk == NULL) {
        return;
    }
    g->clear(desk);
    regret_free(desk);
}

/* The context on the desk. */
static int make_context(struct regret_context *out, const struct generator *g, const void *desk,
                        size_t index)
{
    const struct regret_text *from = g->text(desk);
    char id[64];
    char *name = NULL, *text = NULL;
    snprintf(id, sizeof id, "%s-%05zu", g->name, index);
    int status = regret_strdup(&name, id);
    if (status == REGRET_OK) {
        status = regret_strndup(&text, regret_text_get(from), from->length);
    }
    if (status != REGRET_OK) {
        regret_free(name);
        return status;
    }
    *out = (struct regret_context){.id = name, .text = text};
    return REGRET_OK;
}

/* An output on the context on the desk, which has number `index`. */
static int make_output(struct regret_output *out, const struct generator *g, void *desk,
                       size_t index, size_t agent, uint32_t draw)
{
    char *text = NULL;
    double *values = NULL;
    int status = g->output(&text, &values, desk, agent, draw);
    if (status != REGRET_OK) {
        return status;
    }
    *out = (struct regret_output){.context = (uint32_t)index,
                                  .agent = (uint32_t)agent,
                                  .draw = draw,
                                  .text = text,
                                  .values = values};
    return REGRET_OK;
}

/* Adds context `index` with all its outputs. */
static int add_context(struct regret_pool *pool, const struct generator *g, void *desk,
                       uint64_t seed, size_t index, size_t draws)
{
    int status = g->lay_out(desk, seed, index);
    if (status == REGRET_OK) {
        status = make_context(&pool->contexts[index], g, desk, index);
    }
    if (status != REGRET_OK) {
        return status;
    }
    pool->n_contexts++;
    for (size_t agent = 0; agent < g->n_agents; agent++) {
        for (size_t draw = 0; draw < draws; draw++) {
            status =
                make_output(&pool->outputs[pool->n_outputs], g, desk, index, agent, (uint32_t)draw);
            if (status != REGRET_OK) {
                return status;
            }
            pool->n_outputs++;
        }
    }
    return REGRET_OK;
}

static int check_sizes(const struct generator *g, size_t contexts, size_t draws)
{
    if (contexts < 1 || contexts > REGRET_POOL_MAX_CONTEXTS) {
        return regret_fail(REGRET_E_INPUT, "%s: %zu %ss asked for; choose between 1 and %d",
                           g->name, contexts, g->context, (int)REGRET_POOL_MAX_CONTEXTS);
    }
    size_t most = (size_t)REGRET_POOL_MAX_OUTPUTS / (contexts * g->n_agents);
    if (draws < 1 || draws > most) {
        return regret_fail(REGRET_E_INPUT,
                           "%s: %zu draws of %zu %ss and %zu agents asked for; a pool has room for "
                           "1 to %zu",
                           g->name, draws, contexts, g->context, g->n_agents, most);
    }
    return REGRET_OK;
}

int generator_pool(struct regret_pool **out, const struct generator *g, uint64_t seed,
                   size_t contexts, size_t draws)
{
    struct regret_pool *pool = NULL;
    void *desk = NULL;
    int status = check_sizes(g, contexts, draws);
    if (status == REGRET_OK) {
        status = REGRET_NEW(&pool, 1);
    }
    if (status == REGRET_OK) {
        status = name_pool(pool, g);
    }
    if (status == REGRET_OK) {
        status = add_agents(pool, g);
    }
    if (status == REGRET_OK) {
        status = g->describe(pool);
    }
    if (status == REGRET_OK) {
        status = regret_calloc(&desk, 1, g->desk_size, "&desk");
    }
    if (status == REGRET_OK) {
        status = REGRET_NEW(&pool->contexts, contexts);
    }
    if (status == REGRET_OK) {
        status = REGRET_NEW(&pool->outputs, contexts * g->n_agents * draws);
    }
    for (size_t i = 0; i < contexts && status == REGRET_OK; i++) {
        status = add_context(pool, g, desk, seed, i, draws);
    }
    desk_free(desk, g);
    if (status != REGRET_OK) {
        regret_pool_free(pool);
        return status;
    }
    *out = pool;
    return REGRET_OK;
}

/* A desk with context `index` on it. */
static int open_desk(void **out, const struct generator *g, uint64_t seed, size_t index)
{
    void *desk = NULL;
    if (index >= REGRET_POOL_MAX_CONTEXTS) {
        return regret_fail(REGRET_E_INPUT, "%s: %s %zu asked for; the last one is %d", g->name,
                           g->context, index, (int)REGRET_POOL_MAX_CONTEXTS - 1);
    }
    int status = regret_calloc(&desk, 1, g->desk_size, "&desk");
    if (status == REGRET_OK) {
        status = g->lay_out(desk, seed, index);
    }
    if (status != REGRET_OK) {
        desk_free(desk, g);
        return status;
    }
    *out = desk;
    return REGRET_OK;
}

int generator_context(struct regret_context *out, const struct generator *g, uint64_t seed,
                      size_t index)
{
    void *desk = NULL;
    int status = open_desk(&desk, g, seed, index);
    if (status == REGRET_OK) {
        status = make_context(out, g, desk, index);
    }
    desk_free(desk, g);
    return status;
}

int generator_redraw(struct regret_output *out, const struct generator *g, uint64_t seed,
                     size_t index, size_t agent, uint32_t draw)
{
    void *desk = NULL;
    if (agent >= g->n_agents) {
        return regret_fail(REGRET_E_INPUT, "%s: agent %zu asked for; the last one is %zu", g->name,
                           agent, g->n_agents - 1);
    }
    int status = open_desk(&desk, g, seed, index);
    if (status == REGRET_OK) {
        status = make_output(out, g, desk, index, agent, draw);
    }
    desk_free(desk, g);
    return status;
}
