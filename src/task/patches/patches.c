/* The public face: pool, simulator. */
#include "regret/patches.h"

#include <stdio.h>
#include <string.h>

#include "pool/coding_pool.h"
#include "regret/alloc.h"
#include "task/patches/agents.h"

_Static_assert((int)PATCHES_AGENTS == (int)REGRET_PATCHES_AGENTS, "agents of the table");
_Static_assert((int)CODING_COMPONENTS == (int)REGRET_PATCHES_COMPONENTS, "components");

struct regret_patches {
    uint64_t seed;
};

/* One issue and one diff at a time: too large for the stack of a thread. */
struct desk {
    struct patches_issue issue;
    struct regret_issue *words; /* of the issue, for the components */
    struct regret_text diff;
};

static void desk_free(struct desk *desk)
{
    if (desk == NULL)
        return;
    patches_issue_clear(&desk->issue);
    regret_issue_free(desk->words);
    regret_text_free(&desk->diff);
    regret_free(desk);
}

/* Puts issue `index` on the desk. */
static int lay_out(struct desk *desk, uint64_t seed, size_t index)
{
    regret_issue_free(desk->words);
    desk->words = NULL;
    int status = patches_issue_make(&desk->issue, seed, index);
    if (status == REGRET_OK)
        status = regret_issue_read(&desk->words, regret_text_get(&desk->issue.text),
                                   desk->issue.text.length);
    return status;
}

static int make_context(struct regret_context *out, const struct patches_issue *issue)
{
    char id[32];
    char *name = NULL, *text = NULL;
    snprintf(id, sizeof id, "patches-%05zu", (size_t)issue->index);
    int status = regret_strdup(&name, id);
    if (status == REGRET_OK)
        status = regret_strndup(&text, regret_text_get(&issue->text), issue->text.length);
    if (status != REGRET_OK) {
        regret_free(name);
        return status;
    }
    *out = (struct regret_context){.id = name, .text = text};
    return REGRET_OK;
}

/* Answers, judges and labels. */
static int make_output(struct regret_output *out, struct desk *desk, size_t agent, uint32_t draw)
{
    char *text = NULL;
    double *values = NULL;
    int success = 0;
    regret_text_clear(&desk->diff);
    int status = patches_answer(&desk->diff, &desk->issue, agent, draw);
    const char *diff = regret_text_get(&desk->diff);
    if (status == REGRET_OK)
        status = patches_judge_diff(&success, &desk->issue, diff);
    if (status == REGRET_E_INPUT)
        status = regret_fail_prefix(REGRET_E_INTERNAL, "patches: a diff of %s on issue %zu",
                                    patches_agents[agent].id, (size_t)desk->issue.index);
    if (status == REGRET_OK)
        status = regret_strndup(&text, diff, desk->diff.length);
    if (status == REGRET_OK)
        status = REGRET_NEW(&values, CODING_VALUES);
    if (status == REGRET_OK)
        status = coding_values(values, NULL, NULL, success, text, desk->diff.length, desk->words);
    if (status != REGRET_OK) {
        regret_free(text);
        regret_free(values);
        return status;
    }
    *out = (struct regret_output){.context = (uint32_t)desk->issue.index,
                                  .agent = (uint32_t)agent,
                                  .draw = draw,
                                  .text = text,
                                  .values = values};
    return REGRET_OK;
}

static int name_pool(struct regret_pool *pool)
{
    static const char source[] =
        "Made by the patches generator of regret (regret pool synth patches); no project, issue or "
        "agent in it is real";
    int status = regret_strdup(&pool->name, "patches");
    if (status == REGRET_OK)
        status = regret_strdup(&pool->title, "Patches: synthetic issues and twelve coding agents");
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
    int status = REGRET_NEW(&pool->agents, REGRET_PATCHES_AGENTS);
    if (status != REGRET_OK)
        return status;
    pool->n_agents = REGRET_PATCHES_AGENTS;
    for (size_t i = 0; i < pool->n_agents && status == REGRET_OK; i++) {
        struct regret_agent *agent = &pool->agents[i];
        agent->cost = patches_agents[i].cost;
        status = regret_strdup(&agent->id, patches_agents[i].id);
        if (status == REGRET_OK)
            status = regret_strdup(&agent->title, patches_agents[i].title);
    }
    return status;
}

static int add_issue(struct regret_pool *pool, struct desk *desk, uint64_t seed, size_t index,
                     size_t draws)
{
    int status = lay_out(desk, seed, index);
    if (status == REGRET_OK)
        status = make_context(&pool->contexts[index], &desk->issue);
    if (status != REGRET_OK)
        return status;
    pool->n_contexts++;
    for (size_t agent = 0; agent < REGRET_PATCHES_AGENTS; agent++)
        for (size_t draw = 0; draw < draws; draw++) {
            status = make_output(&pool->outputs[pool->n_outputs], desk, agent, (uint32_t)draw);
            if (status != REGRET_OK)
                return status;
            pool->n_outputs++;
        }
    return REGRET_OK;
}

static int check_options(const struct regret_patches_options *options)
{
    if (options->issues < 1 || options->issues > REGRET_POOL_MAX_CONTEXTS)
        return regret_fail(REGRET_E_INPUT, "patches: %zu issues asked for; choose between 1 and %d",
                           options->issues, (int)REGRET_POOL_MAX_CONTEXTS);
    size_t most = (size_t)REGRET_POOL_MAX_OUTPUTS / (options->issues * REGRET_PATCHES_AGENTS);
    if (options->draws < 1 || options->draws > most)
        return regret_fail(REGRET_E_INPUT,
                           "patches: %zu draws of %zu issues and %d agents asked for; a pool has "
                           "room for 1 to %zu",
                           options->draws, options->issues, (int)REGRET_PATCHES_AGENTS, most);
    return REGRET_OK;
}

int regret_patches_generate(struct regret_pool **out, const struct regret_patches_options *options)
{
    const struct regret_patches_options defaults = REGRET_PATCHES_OPTIONS_INIT;
    const struct regret_patches_options *o = options != NULL ? options : &defaults;
    struct regret_pool *pool = NULL;
    struct desk *desk = NULL;
    int status = check_options(o);
    if (status == REGRET_OK)
        status = REGRET_NEW(&pool, 1);
    if (status == REGRET_OK)
        status = name_pool(pool);
    if (status == REGRET_OK)
        status = add_agents(pool);
    if (status == REGRET_OK)
        status = coding_pool_describe(pool);
    if (status == REGRET_OK)
        status = REGRET_NEW(&desk, 1);
    if (status == REGRET_OK)
        status = REGRET_NEW(&pool->contexts, o->issues);
    if (status == REGRET_OK)
        status = REGRET_NEW(&pool->outputs, o->issues * REGRET_PATCHES_AGENTS * o->draws);
    for (size_t i = 0; i < o->issues && status == REGRET_OK; i++)
        status = add_issue(pool, desk, o->seed, i, o->draws);
    desk_free(desk);
    if (status != REGRET_OK) {
        regret_pool_free(pool);
        return status;
    }
    *out = pool;
    return REGRET_OK;
}

int regret_patches_open(struct regret_patches **out, uint64_t seed)
{
    struct regret_patches *sim = NULL;
    int status = REGRET_NEW(&sim, 1);
    if (status != REGRET_OK)
        return status;
    sim->seed = seed;
    *out = sim;
    return REGRET_OK;
}

void regret_patches_close(struct regret_patches *sim)
{
    regret_free(sim);
}

/* A desk with issue `index` on it. */
static int open_desk(struct desk **out, uint64_t seed, size_t index)
{
    struct desk *desk = NULL;
    if (index >= REGRET_POOL_MAX_CONTEXTS)
        return regret_fail(REGRET_E_INPUT, "patches: issue %zu asked for; the last one is %d",
                           index, (int)REGRET_POOL_MAX_CONTEXTS - 1);
    int status = REGRET_NEW(&desk, 1);
    if (status == REGRET_OK)
        status = lay_out(desk, seed, index);
    if (status != REGRET_OK) {
        desk_free(desk);
        return status;
    }
    *out = desk;
    return REGRET_OK;
}

int regret_patches_issue(const struct regret_patches *sim, size_t index,
                         struct regret_context *context)
{
    struct desk *desk = NULL;
    int status = open_desk(&desk, sim->seed, index);
    if (desk != NULL)
        status = make_context(context, &desk->issue);
    desk_free(desk);
    return status;
}

int regret_patches_redraw(const struct regret_patches *sim, size_t issue, size_t agent,
                          uint32_t draw, struct regret_output *output)
{
    struct desk *desk = NULL;
    if (agent >= REGRET_PATCHES_AGENTS)
        return regret_fail(REGRET_E_INPUT, "patches: agent %zu asked for; the last one is %d",
                           agent, (int)REGRET_PATCHES_AGENTS - 1);
    int status = open_desk(&desk, sim->seed, issue);
    if (desk != NULL)
        status = make_output(output, desk, agent, draw);
    desk_free(desk);
    return status;
}
