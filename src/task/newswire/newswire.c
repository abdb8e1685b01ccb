/* The public face: pool, simulator. */
#include "regret/newswire.h"

#include <stdio.h>
#include <string.h>

#include "regret/alloc.h"
#include "task/newswire/summary.h"

enum { VALUES = REGRET_NEWSWIRE_COMPONENTS + REGRET_NEWSWIRE_COUNTS + REGRET_NEWSWIRE_AUX };

_Static_assert((int)NEWSWIRE_AGENTS == (int)REGRET_NEWSWIRE_AGENTS, "agents of the table");
_Static_assert((int)NEWSWIRE_LABELS == (int)REGRET_NEWSWIRE_AUX, "labels of the table");

struct regret_newswire {
    uint64_t seed;
};

/* One article and one summary at a time: too large for the stack of a thread. */
struct desk {
    struct newswire_article article;
    struct newswire_summary summary;
};

static const char *const component_names[REGRET_NEWSWIRE_COMPONENTS] = {"faithfulness", "coverage",
                                                                        "clarity", "conciseness"};

static void desk_free(struct desk *desk)
{
    if (desk == NULL)
        return;
    newswire_article_free(&desk->article);
    newswire_summary_free(&desk->summary);
    regret_free(desk);
}

static int make_context(struct regret_context *out, const struct newswire_article *article,
                        size_t index)
{
    char id[32];
    char *name = NULL, *text = NULL;
    snprintf(id, sizeof id, "newswire-%05zu", index);
    int status = regret_strdup(&name, id);
    if (status == REGRET_OK)
        status = regret_strndup(&text, regret_text_get(&article->text), article->text.length);
    if (status != REGRET_OK) {
        regret_free(name);
        return status;
    }
    *out = (struct regret_context){.id = name, .text = text};
    return REGRET_OK;
}

/* Summarizes, judges and labels. */
static int make_output(struct regret_output *out, struct desk *desk, uint64_t seed, size_t index,
                       size_t agent, uint32_t draw)
{
    struct newswire_summary *summary = &desk->summary;
    char *text = NULL;
    double *values = NULL;
    int status = newswire_summarize(summary, &desk->article, seed, index, agent, draw);
    if (status == REGRET_OK)
        status = regret_strndup(&text, regret_text_get(&summary->text), summary->text.length);
    if (status == REGRET_OK)
        status = REGRET_NEW(&values, VALUES);
    if (status != REGRET_OK) {
        regret_free(text);
        return status;
    }
    struct newswire_scores scores = newswire_judge(summary, &desk->article);
    values[0] = scores.faithfulness;
    values[1] = scores.coverage;
    values[2] = scores.clarity;
    values[3] = scores.conciseness;
    values[4] = scores.unsupported_claims;
    newswire_label(values + 5, &desk->article, text);
    *out = (struct regret_output){.context = (uint32_t)index,
                                  .agent = (uint32_t)agent,
                                  .draw = draw,
                                  .text = text,
                                  .values = values};
    return REGRET_OK;
}

static int name_pool(struct regret_pool *pool)
{
    static const char source[] =
        "Made by the newswire generator of regret (regret pool synth newswire); no text or person "
        "in it is real";
    int status = regret_strdup(&pool->name, "newswire");
    if (status == REGRET_OK)
        status = regret_strdup(&pool->title, "Newswire: synthetic news and twenty summarizers");
    if (status == REGRET_OK)
        status = regret_strdup(&pool->version, "1");
    if (status == REGRET_OK)
        status = regret_strdup(&pool->licence, "Apache-2.0");
    if (status == REGRET_OK)
        status = regret_strdup(&pool->source, source);
    pool->synthetic = 1;
    return status;
}

static int add_agents(struct regret_pool *pool)
{
    int status = REGRET_NEW(&pool->agents, REGRET_NEWSWIRE_AGENTS);
    if (status != REGRET_OK)
        return status;
    pool->n_agents = REGRET_NEWSWIRE_AGENTS;
    for (size_t i = 0; i < pool->n_agents && status == REGRET_OK; i++) {
        struct regret_agent *agent = &pool->agents[i];
        agent->cost = newswire_agents[i].cost;
        status = regret_strdup(&agent->id, newswire_agents[i].id);
        if (status == REGRET_OK)
            status = regret_strdup(&agent->title, newswire_agents[i].title);
    }
    return status;
}

static int add_names(char ***names, size_t *n, const char *const *from, size_t count)
{
    int status = REGRET_NEW(names, count);
    if (status != REGRET_OK)
        return status;
    *n = count;
    for (size_t i = 0; i < count && status == REGRET_OK; i++)
        status = regret_strdup(&(*names)[i], from[i]);
    return status;
}

/* Four components 0..5 and a segment of readers for each: 0.55 on its own, 0.15 on the others. */
static int add_components(struct regret_pool *pool)
{
    int status = REGRET_NEW(&pool->components, REGRET_NEWSWIRE_COMPONENTS);
    if (status != REGRET_OK)
        return status;
    pool->n_components = REGRET_NEWSWIRE_COMPONENTS;
    status = REGRET_NEW(&pool->segments, REGRET_NEWSWIRE_COMPONENTS);
    if (status != REGRET_OK)
        return status;
    pool->n_segments = REGRET_NEWSWIRE_COMPONENTS;
    for (size_t i = 0; i < pool->n_components && status == REGRET_OK; i++) {
        struct regret_component *component = &pool->components[i];
        struct regret_segment *segment = &pool->segments[i];
        char name[32];
        snprintf(name, sizeof name, "%s-first", component_names[i]);
        component->low = 0.0;
        component->high = 5.0;
        status = regret_strdup(&component->name, component_names[i]);
        if (status == REGRET_OK)
            status = regret_strdup(&segment->name, name);
        if (status == REGRET_OK)
            status = REGRET_NEW(&segment->weights, REGRET_NEWSWIRE_COMPONENTS);
        for (size_t k = 0; k < pool->n_components && status == REGRET_OK; k++)
            segment->weights[k] = k == i ? 0.55 : 0.15;
    }
    return status;
}

static int add_frame(struct regret_pool *pool)
{
    static const char *const counts[] = {"unsupported_claims"};
    int status = name_pool(pool);
    if (status == REGRET_OK)
        status = add_agents(pool);
    if (status == REGRET_OK)
        status = add_components(pool);
    if (status == REGRET_OK)
        status = add_names(&pool->counts, &pool->n_counts, counts, REGRET_NEWSWIRE_COUNTS);
    if (status == REGRET_OK)
        status = add_names(&pool->aux, &pool->n_aux, newswire_label_names, REGRET_NEWSWIRE_AUX);
    return status;
}

static int add_article(struct regret_pool *pool, struct desk *desk, uint64_t seed, size_t index,
                       size_t draws)
{
    int status = newswire_article_write(&desk->article, seed, index);
    if (status == REGRET_OK)
        status = make_context(&pool->contexts[index], &desk->article, index);
    if (status != REGRET_OK)
        return status;
    pool->n_contexts++;
    for (size_t agent = 0; agent < REGRET_NEWSWIRE_AGENTS; agent++)
        for (size_t draw = 0; draw < draws; draw++) {
            status = make_output(&pool->outputs[pool->n_outputs], desk, seed, index, agent,
                                 (uint32_t)draw);
            if (status != REGRET_OK)
                return status;
            pool->n_outputs++;
        }
    return REGRET_OK;
}

static int check_options(const struct regret_newswire_options *options)
{
    if (options->articles < 1 || options->articles > REGRET_POOL_MAX_CONTEXTS)
        return regret_fail(REGRET_E_INPUT,
                           "newswire: %zu articles asked for; choose between 1 and %d",
                           options->articles, (int)REGRET_POOL_MAX_CONTEXTS);
    size_t most = (size_t)REGRET_POOL_MAX_OUTPUTS / (options->articles * REGRET_NEWSWIRE_AGENTS);
    if (options->draws < 1 || options->draws > most)
        return regret_fail(REGRET_E_INPUT,
                           "newswire: %zu draws of %zu articles and %d agents asked for; a pool "
                           "has room for 1 to %zu",
                           options->draws, options->articles, (int)REGRET_NEWSWIRE_AGENTS, most);
    return REGRET_OK;
}

int regret_newswire_generate(struct regret_pool **out,
                             const struct regret_newswire_options *options)
{
    const struct regret_newswire_options defaults = REGRET_NEWSWIRE_OPTIONS_INIT;
    const struct regret_newswire_options *o = options != NULL ? options : &defaults;
    struct regret_pool *pool = NULL;
    struct desk *desk = NULL;
    int status = check_options(o);
    if (status == REGRET_OK)
        status = REGRET_NEW(&pool, 1);
    if (status == REGRET_OK)
        status = add_frame(pool);
    if (status == REGRET_OK)
        status = REGRET_NEW(&desk, 1);
    if (status == REGRET_OK)
        status = REGRET_NEW(&pool->contexts, o->articles);
    if (status == REGRET_OK)
        status = REGRET_NEW(&pool->outputs, o->articles * REGRET_NEWSWIRE_AGENTS * o->draws);
    for (size_t i = 0; i < o->articles && status == REGRET_OK; i++)
        status = add_article(pool, desk, o->seed, i, o->draws);
    desk_free(desk);
    if (status != REGRET_OK) {
        regret_pool_free(pool);
        return status;
    }
    *out = pool;
    return REGRET_OK;
}

int regret_newswire_open(struct regret_newswire **out, uint64_t seed)
{
    struct regret_newswire *sim = NULL;
    int status = REGRET_NEW(&sim, 1);
    if (status != REGRET_OK)
        return status;
    sim->seed = seed;
    *out = sim;
    return REGRET_OK;
}

void regret_newswire_close(struct regret_newswire *sim)
{
    regret_free(sim);
}

/* A desk with article `index` on it. */
static int open_desk(struct desk **out, uint64_t seed, size_t index)
{
    struct desk *desk = NULL;
    if (index >= REGRET_POOL_MAX_CONTEXTS)
        return regret_fail(REGRET_E_INPUT, "newswire: article %zu asked for; the last one is %d",
                           index, (int)REGRET_POOL_MAX_CONTEXTS - 1);
    int status = REGRET_NEW(&desk, 1);
    if (status == REGRET_OK)
        status = newswire_article_write(&desk->article, seed, index);
    if (status != REGRET_OK) {
        desk_free(desk);
        return status;
    }
    *out = desk;
    return REGRET_OK;
}

int regret_newswire_article(const struct regret_newswire *sim, size_t index,
                            struct regret_context *context)
{
    struct desk *desk = NULL;
    int status = open_desk(&desk, sim->seed, index);
    if (desk != NULL)
        status = make_context(context, &desk->article, index);
    desk_free(desk);
    return status;
}

int regret_newswire_redraw(const struct regret_newswire *sim, size_t article, size_t agent,
                           uint32_t draw, struct regret_output *output)
{
    struct desk *desk = NULL;
    if (agent >= REGRET_NEWSWIRE_AGENTS)
        return regret_fail(REGRET_E_INPUT, "newswire: agent %zu asked for; the last one is %d",
                           agent, (int)REGRET_NEWSWIRE_AGENTS - 1);
    int status = open_desk(&desk, sim->seed, article);
    if (desk != NULL)
        status = make_output(output, desk, sim->seed, article, agent, draw);
    desk_free(desk);
    return status;
}
