/* The public face: pool, simulator. */
#include "regret/newswire.h"

#include <stdio.h>

#include "regret/alloc.h"
#include "task/generator.h"
#include "task/newswire/summary.h"

enum { VALUES = REGRET_NEWSWIRE_COMPONENTS + REGRET_NEWSWIRE_COUNTS + REGRET_NEWSWIRE_AUX };

_Static_assert((int)NEWSWIRE_AGENTS == (int)REGRET_NEWSWIRE_AGENTS, "agents of the table");
_Static_assert((int)NEWSWIRE_LABELS == (int)REGRET_NEWSWIRE_AUX, "labels of the table");

struct regret_newswire {
    uint64_t seed;
};

struct desk {
    uint64_t seed;
    size_t index;
    struct newswire_article article;
    struct newswire_summary summary;
};

static const char *const component_names[REGRET_NEWSWIRE_COMPONENTS] = {"faithfulness", "coverage",
                                                                        "clarity", "conciseness"};

static void clear(void *on)
{
    struct desk *desk = on;
    newswire_article_free(&desk->article);
    newswire_summary_free(&desk->summary);
}

static int lay_out(void *on, uint64_t seed, size_t index)
{
    struct desk *desk = on;
    desk->seed = seed;
    desk->index = index;
    return newswire_article_write(&desk->article, seed, index);
}

static const struct regret_text *article_text(const void *on)
{
    const struct desk *desk = on;
    return &desk->article.text;
}

/* Summarizes, judges and labels. */
static int make_output(char **out, double **out_values, void *on, size_t agent, uint32_t draw)
{
    struct desk *desk = on;
    struct newswire_summary *summary = &desk->summary;
    char *text = NULL;
    double *values = NULL;
    int status = newswire_summarize(summary, &desk->article, desk->seed, desk->index, agent, draw);
    if (status == REGRET_OK) {
        status = regret_strndup(&text, regret_text_get(&summary->text), summary->text.length);
    }
    if (status == REGRET_OK) {
        status = REGRET_NEW(&values, VALUES);
    }
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
    *out = text;
    *out_values = values;
    return REGRET_OK;
}

static struct generator_agent agent_of_table(size_t agent)
{
    const struct newswire_agent *from = &newswire_agents[agent];
    return (struct generator_agent){from->id, from->title, from->cost};
}

static int add_names(char ***names, size_t *n, const char *const *from, size_t count)
{
    int status = REGRET_NEW(names, count);
    if (status != REGRET_OK) {
        return status;
    }
    *n = count;
    for (size_t i = 0; i < count && status == REGRET_OK; i++) {
        status = regret_strdup(&(*names)[i], from[i]);
    }
    return status;
}

/* Four components 0..5 and a segment of readers for each: 0.55 on its own, 0.15 on the others. */
static int add_components(struct regret_pool *pool)
{
    int status = REGRET_NEW(&pool->components, REGRET_NEWSWIRE_COMPONENTS);
    if (status != REGRET_OK) {
        return status;
    }
    pool->n_components = REGRET_NEWSWIRE_COMPONENTS;
    status = REGRET_NEW(&pool->segments, REGRET_NEWSWIRE_COMPONENTS);
    if (status != REGRET_OK) {
        return status;
    }
    pool->n_segments = REGRET_NEWSWIRE_COMPONENTS;
    for (size_t i = 0; i < pool->n_components && status == REGRET_OK; i++) {
        struct regret_component *component = &pool->components[i];
        struct regret_segment *segment = &pool->segments[i];
        char name[32];
        snprintf(name, sizeof name, "%s-first", component_names[i]);
        component->low = 0.0;
        component->high = 5.0;
        status = regret_strdup(&component->name, component_names[i]);
        if (status == REGRET_OK) {
            status = regret_strdup(&segment->name, name);
        }
        if (status == REGRET_OK) {
            status = REGRET_NEW(&segment->weights, REGRET_NEWSWIRE_COMPONENTS);
        }
        for (size_t k = 0; k < pool->n_components && status == REGRET_OK; k++) {
            segment->weights[k] = k == i ? 0.55 : 0.15;
        }
    }
    return status;
}

static int describe(struct regret_pool *pool)
{
    static const char *const counts[] = {"unsupported_claims"};
    int status = add_components(pool);
    if (status == REGRET_OK) {
        status = add_names(&pool->counts, &pool->n_counts, counts, REGRET_NEWSWIRE_COUNTS);
    }
    if (status == REGRET_OK) {
        status = add_names(&pool->aux, &pool->n_aux, newswire_label_names, REGRET_NEWSWIRE_AUX);
    }
    return status;
}

static const struct generator newswire = {
    .name = "newswire",
    .title = "Newswire: synthetic news and twenty summarizers",
    .source =
        "Made by the newswire generator of regret (regret pool synth newswire); no text or person "
        "in it is real",
    .context = "article",
    .n_agents = REGRET_NEWSWIRE_AGENTS,
    .agent = agent_of_table,
    .describe = describe,
    .desk_size = sizeof(struct desk),
    .lay_out = lay_out,
    .text = article_text,
    .output = make_output,
    .clear = clear,
};

int regret_newswire_generate(struct regret_pool **out,
                             const struct regret_newswire_options *options)
{
    const struct regret_newswire_options defaults = REGRET_NEWSWIRE_OPTIONS_INIT;
    const struct regret_newswire_options *o = options != NULL ? options : &defaults;
    return generator_pool(out, &newswire, o->seed, o->articles, o->draws);
}

int regret_newswire_open(struct regret_newswire **out, uint64_t seed)
{
    struct regret_newswire *sim = NULL;
    int status = REGRET_NEW(&sim, 1);
    if (status != REGRET_OK) {
        return status;
    }
    sim->seed = seed;
    *out = sim;
    return REGRET_OK;
}

void regret_newswire_close(struct regret_newswire *sim)
{
    regret_free(sim);
}

int regret_newswire_article(const struct regret_newswire *sim, size_t index,
                            struct regret_context *context)
{
    return generator_context(context, &newswire, sim->seed, index);
}

int regret_newswire_redraw(const struct regret_newswire *sim, size_t article, size_t agent,
                           uint32_t draw, struct regret_output *output)
{
    return generator_redraw(output, &newswire, sim->seed, article, agent, draw);
}
