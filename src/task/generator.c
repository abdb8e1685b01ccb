/* Generators of pools. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "regret/status.h"
#include "regret/synth.h"

FREED_POINTER(struct regret_pool, regret_pool_free)
FREED_POINTER(struct regret_synth, regret_synth_close)

enum { MAX_GENERATORS = 16 };

static const struct regret_generator *registered[MAX_GENERATORS];
static size_t n_registered;

int regret_generator_register(const struct regret_generator *g)
{
    for (size_t i = 0; i < n_registered; i++) {
        if (registered[i] == g) {
            return REGRET_OK;
        }
        if (strcmp(registered[i]->name, g->name) == 0) {
            return regret_fail(REGRET_E_INPUT,
                               "there is a generator \"%s\" already; name this one "
                               "otherwise",
                               g->name);
        }
    }
    if (n_registered == MAX_GENERATORS) {
        return regret_fail(REGRET_E_INPUT,
                           "generator \"%s\": there are %d already, which is all "
                           "there is room for",
                           g->name, (int)MAX_GENERATORS);
    }
    registered[n_registered++] = g;
    return REGRET_OK;
}

const struct regret_generator *regret_generator_at(size_t i)
{
    return i < n_registered ? registered[i] : NULL;
}

static int unknown_generator(const char *pool)
{
    char names[512] = "";
    for (size_t i = 0; i < n_registered; i++) {
        size_t length = strlen(names);
        const char *between = i == 0 ? "" : i + 1 < n_registered ? ", " : " and ";
        snprintf(names + length, sizeof names - length, "%s\"" REGRET_SYNTH_PREFIX "%s\"", between,
                 registered[i]->name);
    }
    if (n_registered == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "pool = \"%s\": this program has no generators; register them "
                           "(regret_generator_register) or name a pool folder",
                           pool);
    }
    return regret_fail(REGRET_E_INPUT,
                       "pool = \"%s\": only %s can be generated; name one of them or a pool folder",
                       pool, names);
}

int regret_generator_find(const struct regret_generator **out, const char *pool)
{
    static const size_t prefix = sizeof REGRET_SYNTH_PREFIX - 1;
    for (size_t i = 0; i < n_registered; i++) {
        if (strncmp(pool, REGRET_SYNTH_PREFIX, prefix) == 0 &&
            strcmp(pool + prefix, registered[i]->name) == 0) {
            *out = registered[i];
            return REGRET_OK;
        }
    }
    return unknown_generator(pool);
}

/* --- a generator at work --- */

struct regret_synth {
    const struct regret_generator *generator;
    uint64_t seed;
    void *state;                      /* the generator's; owned */
    size_t index;                     /* of the context in the state; SIZE_MAX: none */
    const struct regret_buffer *text; /* of that context */
};

int regret_synth_open(struct regret_synth **out, const struct regret_generator *g, uint64_t seed)
{
    FREED_BY(regret_synth_close_at) struct regret_synth *synth = NULL;
    TRY(REGRET_NEW(&synth, 1));
    *synth = (struct regret_synth){.generator = g, .seed = seed, .index = SIZE_MAX};
    TRY(regret_calloc(&synth->state, 1, g->state_size, "the state of a generator"));
    TRY(g->open(synth->state));
    *out = synth;
    synth = NULL;
    return REGRET_OK;
}

void regret_synth_close(struct regret_synth *synth)
{
    if (synth != NULL) {
        if (synth->state != NULL) {
            synth->generator->close(synth->state);
        }
        regret_free(synth->state);
        regret_free(synth);
    }
}

/* Has context `index` in the state. */
static int begin(struct regret_synth *s, size_t index)
{
    const struct regret_generator *g = s->generator;
    if (index >= REGRET_POOL_MAX_CONTEXTS) {
        return regret_fail(REGRET_E_INPUT, "%s: %s %zu asked for; the last one is %d", g->name,
                           g->context, index, (int)REGRET_POOL_MAX_CONTEXTS - 1);
    }
    if (s->index != index) {
        s->index = SIZE_MAX;
        TRY(g->begin(&s->text, s->state, s->seed, index));
        s->index = index;
    }
    return REGRET_OK;
}

int regret_synth_context(struct regret_context *out, struct regret_synth *s, size_t index)
{
    char id[64];
    FREED char *name = NULL, *text = NULL;
    TRY(begin(s, index));
    snprintf(id, sizeof id, "%s-%05zu", s->generator->name, index);
    TRY(regret_strdup(&name, id));
    TRY(regret_strndup(&text, regret_buffer_get(s->text), s->text->length));
    *out = (struct regret_context){.id = name, .text = text};
    name = text = NULL;
    return REGRET_OK;
}

int regret_synth_output(struct regret_output *out, struct regret_synth *s, size_t index,
                        size_t agent, uint32_t draw)
{
    const struct regret_generator *g = s->generator;
    struct regret_output made = {(uint32_t)index, (uint32_t)agent, draw, NULL, NULL};
    if (agent >= g->n_agents) {
        return regret_fail(REGRET_E_INPUT, "%s: agent %zu asked for; the last one is %zu", g->name,
                           agent, g->n_agents - 1);
    }
    TRY(begin(s, index));
    TRY(g->answer(&made.text, &made.values, s->state, agent, draw));
    *out = made;
    return REGRET_OK;
}

/* --- a whole pool --- */

static int check_sizes(const struct regret_generator *g, const struct regret_synth_options *o)
{
    if (o->contexts < 1 || o->contexts > REGRET_POOL_MAX_CONTEXTS) {
        return regret_fail(REGRET_E_INPUT, "%s: %zu %s asked for; choose between 1 and %d", g->name,
                           o->contexts, g->contexts, (int)REGRET_POOL_MAX_CONTEXTS);
    }
    size_t most = (size_t)REGRET_POOL_MAX_OUTPUTS / (o->contexts * g->n_agents);
    if (o->draws < 1 || o->draws > most) {
        return regret_fail(REGRET_E_INPUT,
                           "%s: %zu draws of %zu %s and %zu agents asked for; a pool has room for "
                           "1 to %zu",
                           g->name, o->draws, o->contexts, g->contexts, g->n_agents, most);
    }
    return REGRET_OK;
}

static int describe(struct regret_pool *pool, const struct regret_generator *g)
{
    pool->synthetic = 1;
    TRY(regret_strdup(&pool->name, g->name));
    TRY(regret_strdup(&pool->title, g->title));
    TRY(regret_strdup(&pool->version, g->version));
    TRY(regret_strdup(&pool->licence, g->licence));
    TRY(regret_strdup(&pool->source, g->source));
    TRY(REGRET_NEW(&pool->agents, g->n_agents));
    for (pool->n_agents = 0; pool->n_agents < g->n_agents;) {
        const struct regret_synth_agent from = g->agent(pool->n_agents);
        struct regret_agent *agent = &pool->agents[pool->n_agents++];
        agent->cost = from.cost;
        TRY(regret_strdup(&agent->id, from.id));
        TRY(regret_strdup(&agent->title, from.title));
    }
    return g->describe(pool);
}

/* Adds context `index` with all its outputs. */
static int add_context(struct regret_pool *pool, struct regret_synth *synth, size_t index,
                       size_t draws)
{
    TRY(regret_synth_context(&pool->contexts[index], synth, index));
    pool->n_contexts++;
    for (size_t agent = 0; agent < pool->n_agents; agent++) {
        for (size_t draw = 0; draw < draws; draw++) {
            TRY(regret_synth_output(&pool->outputs[pool->n_outputs], synth, index, agent,
                                    (uint32_t)draw));
            pool->n_outputs++;
        }
    }
    return REGRET_OK;
}

/* The scores of a finished pool as the generator has them changed: with noise of the pool's own seed, and in steps of
 * 1/10000, so that they print short and no machine's last bits are in them. */
static int spread(struct regret_pool *pool, const struct regret_generator *g, uint64_t seed)
{
    struct regret_spread_options options = *g->spread;
    options.seed = seed;
    TRY(regret_pool_spread(pool, &options, NULL));
    for (size_t i = 0; i < pool->n_outputs; i++) {
        for (size_t k = 0; k < pool->n_components; k++) {
            pool->outputs[i].values[k] = round(1e4 * pool->outputs[i].values[k]) / 1e4;
        }
    }
    return REGRET_OK;
}

int regret_synth_pool(struct regret_pool **out, const struct regret_generator *g,
                      const struct regret_synth_options *o)
{
    FREED_BY(regret_pool_free_at) struct regret_pool *pool = NULL;
    FREED_BY(regret_synth_close_at) struct regret_synth *synth = NULL;
    TRY(check_sizes(g, o));
    TRY(REGRET_NEW(&pool, 1));
    TRY(describe(pool, g));
    TRY(REGRET_NEW(&pool->contexts, o->contexts));
    TRY(REGRET_NEW(&pool->outputs, o->contexts * g->n_agents * o->draws));
    TRY(regret_synth_open(&synth, g, o->seed));
    for (size_t i = 0; i < o->contexts; i++) {
        TRY(add_context(pool, synth, i, o->draws));
    }
    if (g->spread != NULL) {
        TRY(spread(pool, g, o->seed));
    }
    *out = pool;
    pool = NULL;
    return REGRET_OK;
}

/* --- its card --- */

static void put_agents(struct regret_buffer *t, const struct regret_generator *g)
{
    regret_buffer_append(t, "| id | what it is | cost |\n|---|---|---|\n");
    for (size_t i = 0; i < g->n_agents; i++) {
        const struct regret_synth_agent agent = g->agent(i);
        regret_buffer_printf(t, "| `%s` | %s | %.2f |\n", agent.id, agent.title, agent.cost);
    }
}

/* What stands for the marker at `at`; returns the marker's length, 0 where there is none. */
static size_t put_marker(struct regret_buffer *t, const char *at, const struct regret_generator *g,
                         const struct regret_synth_options *o)
{
    static const char *const markers[] = {"@AGENTS@\n", "@SEED@", "@CONTEXTS@", "@DRAWS@"};
    size_t i = 0;
    while (i < 4 && strncmp(at, markers[i], strlen(markers[i])) != 0) {
        i++;
    }
    switch (i) {
    case 0:
        put_agents(t, g);
        break;
    case 1:
        regret_buffer_printf(t, "%" PRIu64, o->seed);
        break;
    case 2:
        regret_buffer_printf(t, "%zu", o->contexts);
        break;
    case 3:
        regret_buffer_printf(t, "%zu", o->draws);
        break;
    default:
        return 0;
    }
    return strlen(markers[i]);
}

int regret_synth_card(char **out, const struct regret_generator *g,
                      const struct regret_synth_options *o)
{
    FREED_BY(regret_buffer_free) struct regret_buffer t = REGRET_BUFFER_INIT;
    for (const char *at = g->card(); *at != '\0';) {
        size_t plain = strcspn(at, "@");
        regret_buffer_append_n(&t, at, plain);
        at += plain;
        size_t marker = put_marker(&t, at, g, o);
        if (marker == 0 && *at != '\0') {
            regret_buffer_append_char(&t, *at);
            marker = 1;
        }
        at += marker;
    }
    TRY(regret_buffer_status(&t));
    return regret_strndup(out, regret_buffer_get(&t), t.length);
}
