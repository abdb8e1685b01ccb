#include "synth/newswire.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "regret/status.h"
#include "regret/synth.h"
#include "synth/agents.h"

enum { COMPONENTS = 4, COUNTS = 1, VALUES = COMPONENTS + COUNTS + NEWSWIRE_LABELS };

static const char *const component_names[COMPONENTS] = {"faithfulness", "coverage", "clarity",
                                                        "conciseness"};
static const char *const count_names[COUNTS] = {"unsupported_claims"};

static const struct regret_synth_agent agents[NEWSWIRE_AGENTS] = {
    {"small-brief", "Simulated small model: brief", 1.0},
    {"small-detailed", "Simulated small model: detailed", 1.6},
    {"small-bullets", "Simulated small model: bullet points", 1.1},
    {"small-plain", "Simulated small model: plain language", 1.2},
    {"small-numbers", "Simulated small model: figures first", 1.1},
    {"small-quotes", "Simulated small model: led by quotations", 1.2},
    {"small-cautious", "Simulated small model: cautious", 1.3},
    {"small-vivid", "Simulated small model: vivid", 1.3},
    {"large-brief", "Simulated large model: brief", 5.0},
    {"large-detailed", "Simulated large model: detailed", 8.0},
    {"large-bullets", "Simulated large model: bullet points", 5.5},
    {"large-plain", "Simulated large model: plain language", 6.0},
    {"large-numbers", "Simulated large model: figures first", 5.5},
    {"large-quotes", "Simulated large model: led by quotations", 6.0},
    {"large-cautious", "Simulated large model: cautious", 6.5},
    {"large-vivid", "Simulated large model: vivid", 6.5},
    {"lead-3", "First three sentences", 0.0},
    {"textrank", "TextRank, four sentences", 0.05},
    {"lexrank", "Continuous LexRank, three sentences", 0.05},
    {"sumbasic", "SumBasic, up to a hundred words", 0.05},
};

struct state {
    struct newswire_corpus corpus;
    uint64_t seed;
    size_t index;
    struct newswire_article article;
    struct newswire_summary summary;
    double values[VALUES]; /* of the summary */
    size_t stands; /* 1 + the extractive agent whose summary this is, for every draw; else 0 */
};

static void close_state(void *of)
{
    struct state *state = of;
    newswire_article_free(&state->article);
    newswire_summary_free(&state->summary);
    newswire_corpus_free(&state->corpus);
}

static int open_in(void *of, const struct newswire_difficulty *difficulty)
{
    struct state *state = of;
    state->article.difficulty = difficulty;
    state->article.corpus = &state->corpus;
    return newswire_corpus_read(&state->corpus);
}

static int open_hard(void *of)
{
    return open_in(of, &newswire_hard);
}

static int open_ceiling(void *of)
{
    return open_in(of, &newswire_ceiling);
}

static int begin(const struct regret_buffer **text, void *of, uint64_t seed, size_t index)
{
    struct state *state = of;
    state->seed = seed;
    state->index = index;
    state->stands = 0;
    *text = &state->article.text;
    return newswire_article_write(&state->article, seed, index);
}

int newswire_summarize(struct newswire_summary *s, const struct newswire_article *article,
                       uint64_t seed, size_t index, size_t agent, uint32_t draw)
{
    newswire_summary_clear(s);
    return agent < NEWSWIRE_LEAD3 ? newswire_abstract(s, article, seed, index, agent, draw)
                                  : newswire_extract(s, article, agent);
}

/* Summarizes, judges and labels. */
static int summarize(struct state *state, size_t agent, uint32_t draw)
{
    struct newswire_summary *summary = &state->summary;
    double *values = state->values;
    if (state->stands == agent + 1) {
        return REGRET_OK;
    }
    state->stands = 0;
    TRY(newswire_summarize(summary, &state->article, state->seed, state->index, agent, draw));
    struct newswire_scores scores = newswire_judge(summary, &state->article);
    values[0] = scores.faithfulness;
    values[1] = scores.coverage;
    values[2] = scores.clarity;
    values[3] = scores.conciseness;
    values[4] = scores.unsupported_claims;
    newswire_label(values + COMPONENTS + COUNTS, &state->article,
                   regret_buffer_get(&summary->text));
    state->stands = agent >= NEWSWIRE_LEAD3 ? agent + 1 : 0;
    return REGRET_OK;
}

static int answer(char **out, double **out_values, void *of, size_t agent, uint32_t draw)
{
    struct state *state = of;
    const struct regret_buffer *summary = &state->summary.text;
    FREED char *text = NULL;
    double *values = NULL;
    TRY(summarize(state, agent, draw));
    TRY(regret_strndup(&text, regret_buffer_get(summary), summary->length));
    TRY(REGRET_NEW(&values, VALUES));
    memcpy(values, state->values, sizeof state->values);
    *out = text;
    *out_values = values;
    text = NULL;
    return REGRET_OK;
}

static struct regret_synth_agent agent_at(size_t agent)
{
    return agents[agent];
}

static const char *card_hard(void)
{
    return data_text(newswire_files, DATA_FOLDER "newswire/card.md");
}

static const char *card_ceiling(void)
{
    return data_text(newswire_files, DATA_FOLDER "newswire-ceiling/card.md");
}

static const char *card_fitted(void)
{
    return data_text(newswire_files, DATA_FOLDER "newswire-fitted/card.md");
}

static int add_names(char ***names, size_t *n, const char *const *from, size_t count)
{
    TRY(REGRET_NEW(names, count));
    for (*n = 0; *n < count; ++*n) {
        TRY(regret_strdup(&(*names)[*n], from[*n]));
    }
    return REGRET_OK;
}

/* A segment of readers for component i: it weighs 0.55, the others 0.15. */
static int fill_segment(struct regret_segment *segment, size_t i)
{
    char name[32];
    snprintf(name, sizeof name, "%s-first", component_names[i]);
    TRY(regret_strdup(&segment->name, name));
    TRY(REGRET_NEW(&segment->weights, COMPONENTS));
    for (size_t k = 0; k < COMPONENTS; k++) {
        segment->weights[k] = k == i ? 0.55 : 0.15;
    }
    return REGRET_OK;
}

static int describe(struct regret_pool *pool)
{
    TRY(REGRET_NEW(&pool->components, COMPONENTS));
    pool->n_components = COMPONENTS;
    TRY(REGRET_NEW(&pool->segments, COMPONENTS));
    pool->n_segments = COMPONENTS;
    for (size_t i = 0; i < COMPONENTS; i++) {
        pool->components[i].high = 5.0;
        TRY(regret_strdup(&pool->components[i].name, component_names[i]));
        TRY(fill_segment(&pool->segments[i], i));
    }
    TRY(add_names(&pool->counts, &pool->n_counts, count_names, COUNTS));
    return add_names(&pool->aux, &pool->n_aux, newswire_label_names, NEWSWIRE_LABELS);
}

/* What the generators have in common. */
#define NEWSWIRE                                                                                   \
    .version = "1", .licence = "Apache-2.0", .context = "article", .contexts = "articles",         \
    .default_contexts = 80, .n_agents = NEWSWIRE_AGENTS, .agent = agent_at, .describe = describe,  \
    .state_size = sizeof(struct state), .begin = begin, .answer = answer, .close = close_state

const struct regret_generator newswire_generator = {
    NEWSWIRE,
    .name = "newswire",
    .title = "Newswire: synthetic news and twenty summarizers",
    .source =
        "Made by the newswire generator of regret (regret pool synth newswire); no text or person "
        "in it is real",
    .about = "news articles, twenty summarisers, a judge that compares facts",
    .card = card_hard,
    .open = open_hard,
};

const struct regret_generator newswire_ceiling_generator = {
    NEWSWIRE,
    .name = "newswire-ceiling",
    .title = "Newswire near its ceiling: synthetic news, twenty summarizers that seldom err",
    .source = "Made by the newswire-ceiling generator of regret (regret pool synth "
              "newswire-ceiling); no text or person in it is real",
    .about = "the same articles and summarisers, which seldom err, and a lenient judge",
    .card = card_ceiling,
    .open = open_ceiling,
};

static const struct regret_generator newswire_fitted_generator = {
    NEWSWIRE,
    .name = "newswire-fitted",
    .title = "Newswire fitted to published levels: synthetic news, twenty summarizers that are "
             "nearly alike",
    .source = "Made by the newswire-fitted generator of regret (regret pool synth "
              "newswire-fitted); no text or person "
              "in it is real",
    .about = "the articles and summaries of newswire-ceiling with scores that lie closer together",
    .card = card_fitted,
    .open = open_ceiling,
    .spread = &newswire_fitted,
};

/* The one table: nothing else names them. */
static const struct regret_generator *const generators[] = {
    &newswire_generator, &newswire_ceiling_generator, &newswire_fitted_generator};

int synth_register(void)
{
    for (size_t i = 0; i < sizeof generators / sizeof generators[0]; i++) {
        TRY(regret_generator_register(generators[i]));
    }
    return REGRET_OK;
}
