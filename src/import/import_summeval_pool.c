/* The pool made of SummEval's records. What becomes of what: include/regret/import.h. */
#include <math.h>
#include <string.h>

#include "import/import_summeval.h"
#include "import/summary_scores.h"
#include "regret/alloc.h"
#include "regret/text.h"

enum { FAITHFULNESS, COVERAGE, CLARITY, CONCISENESS, N_COMPONENTS };
static const char *const COMPONENT_NAMES[N_COMPONENTS] = {"faithfulness", "coverage", "clarity",
                                                          "conciseness"};

/* The systems of SummEval that were judged, as its authors list them. */
static const char *const TITLES[][2] = {{"M0", "LEAD-3"},
                                        {"M1", "NEUSUM"},
                                        {"M2", "BanditSum"},
                                        {"M5", "RNES"},
                                        {"M8", "Pointer-generator"},
                                        {"M9", "Fast-abs-rl"},
                                        {"M10", "Bottom-up"},
                                        {"M11", "Improve-abs"},
                                        {"M12", "Unified-ext-abs"},
                                        {"M13", "ROUGESal"},
                                        {"M14", "Multi-task (entailment and questions)"},
                                        {"M15", "Closed-book decoder"},
                                        {"M17", "T5"},
                                        {"M20", "GPT-2 from human preferences"},
                                        {"M22", "BART"},
                                        {"M23", "PEGASUS"}};

static const char *title_of(const struct summeval_thing *system)
{
    for (size_t i = 0; i < sizeof TITLES / sizeof *TITLES; i++) {
        if (strcmp(TITLES[i][0], system->id) == 0) {
            return TITLES[i][1];
        }
    }
    return system->given;
}

/* Copies n names into a fresh array of strings. The count is set first, for regret_pool_free(). */
static int copy_names(char ***out, size_t *count, const char *(*name)(size_t), size_t n)
{
    int rc = REGRET_NEW(out, n);
    if (rc != REGRET_OK) {
        return rc;
    }
    *count = n;
    for (size_t i = 0; rc == REGRET_OK && i < n; i++) {
        rc = regret_strdup(&(*out)[i], name(i));
    }
    return rc;
}

static const char *count_name(size_t i)
{
    (void)i;
    return "unsupported_claims";
}

static int build_description(struct regret_pool *pool, const struct regret_import_options *options)
{
    const struct {
        char **to;
        const char *text;
    } strings[] = {
        {&pool->name, options->name != NULL ? options->name : "summeval"},
        {&pool->title, "SummEval: expert judgements of summaries of news articles"},
        {&pool->version, "1"},
        {&pool->licence, "MIT (judgements); articles: rights of their publishers"},
        {&pool->source, "SummEval, TACL 2021, doi:10.1162/tacl_a_00373, in the layout of G-Eval"}};
    int rc = REGRET_OK;
    for (size_t i = 0; rc == REGRET_OK && i < sizeof strings / sizeof *strings; i++) {
        rc = regret_strdup(strings[i].to, strings[i].text);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&pool->components, N_COMPONENTS);
    }
    if (rc == REGRET_OK) {
        pool->n_components = N_COMPONENTS;
    }
    for (size_t k = 0; rc == REGRET_OK && k < N_COMPONENTS; k++) {
        pool->components[k].low = 1.0;
        pool->components[k].high = 5.0;
        rc = regret_strdup(&pool->components[k].name, COMPONENT_NAMES[k]);
    }
    if (rc == REGRET_OK) {
        rc = copy_names(&pool->counts, &pool->n_counts, count_name, 1);
    }
    if (rc == REGRET_OK) {
        rc = copy_names(&pool->aux, &pool->n_aux, regret_text_statistic_name, REGRET_STATISTICS);
    }
    return rc != REGRET_OK ? rc : regret_pool_default_segments(pool);
}

/* An agent's cost: the mean number of tokens of its outputs. */
static int set_costs(struct regret_pool *pool, const struct summeval *s, const double *tokens)
{
    size_t *outputs = NULL;
    int rc = REGRET_NEW(&outputs, s->systems.n);
    if (rc != REGRET_OK) {
        return rc;
    }
    for (size_t i = 0; i < s->n; i++) {
        pool->agents[s->records[i].agent].cost += tokens[i];
        outputs[s->records[i].agent]++;
    }
    for (size_t a = 0; a < s->systems.n; a++) {
        pool->agents[a].cost /= (double)outputs[a];
    }
    regret_free(outputs);
    return REGRET_OK;
}

static int build_agents(struct regret_pool *pool, const struct summeval *s, const double *tokens)
{
    int rc = REGRET_NEW(&pool->agents, s->systems.n);
    if (rc != REGRET_OK) {
        return rc;
    }
    pool->n_agents = s->systems.n;
    for (size_t a = 0; rc == REGRET_OK && a < s->systems.n; a++) {
        rc = regret_strdup(&pool->agents[a].id, s->systems.thing[a].id);
        if (rc == REGRET_OK) {
            rc = regret_strdup(&pool->agents[a].title, title_of(&s->systems.thing[a]));
        }
    }
    return rc != REGRET_OK ? rc : set_costs(pool, s, tokens);
}

static int build_contexts(struct regret_pool *pool, const struct summeval *s)
{
    int rc = REGRET_NEW(&pool->contexts, s->documents.n);
    if (rc != REGRET_OK) {
        return rc;
    }
    pool->n_contexts = s->documents.n;
    for (size_t x = 0; rc == REGRET_OK && x < s->documents.n; x++) {
        rc = regret_strdup(&pool->contexts[x].id, s->documents.thing[x].id);
        if (rc == REGRET_OK) {
            rc = regret_strdup(&pool->contexts[x].text, s->documents.thing[x].source);
        }
    }
    return rc;
}

static int build_outputs(struct regret_pool *pool, const struct summeval *s,
                         const struct summary_scores *computed)
{
    int rc = REGRET_NEW(&pool->outputs, s->n);
    if (rc != REGRET_OK) {
        return rc;
    }
    pool->n_outputs = s->n;
    for (size_t i = 0; rc == REGRET_OK && i < s->n; i++) {
        const struct summeval_record *r = &s->records[i];
        struct regret_output *o = &pool->outputs[i];
        o->context = r->context;
        o->agent = r->agent;
        rc = regret_strdup(&o->text, r->output);
        if (rc == REGRET_OK) {
            rc = REGRET_NEW(&o->values, N_COMPONENTS + 1 + REGRET_STATISTICS);
        }
        if (rc != REGRET_OK) {
            break;
        }
        o->values[FAITHFULNESS] = r->scores[CONSISTENCY];
        o->values[COVERAGE] = r->scores[RELEVANCE];
        o->values[CLARITY] = (r->scores[COHERENCE] + r->scores[FLUENCY]) / 2.0;
        o->values[CONCISENESS] = computed->conciseness[i];
        o->values[N_COMPONENTS] = round(5.0 - r->scores[CONSISTENCY]);
        for (size_t j = 0; j < REGRET_STATISTICS; j++) {
            o->values[N_COMPONENTS + 1 + j] = computed->statistics[j * s->n + i];
        }
    }
    return rc;
}

static int compute_scores(struct summary_scores *out, const struct summeval *s)
{
    const char **outputs = NULL, **sources = NULL, **references = NULL;
    uint32_t *context = NULL;
    int rc = REGRET_NEW(&outputs, s->n);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&context, s->n);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&sources, s->documents.n);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&references, s->documents.n);
    }
    if (rc == REGRET_OK) {
        for (size_t x = 0; x < s->documents.n; x++) {
            sources[x] = s->documents.thing[x].source;
            references[x] = s->documents.thing[x].reference;
        }
        for (size_t i = 0; i < s->n; i++) {
            outputs[i] = s->records[i].output;
            context[i] = s->records[i].context;
        }
        struct summary_texts texts = {s->n, s->documents.n, outputs, sources, references, context};
        rc = summary_scores_make(out, &texts);
    }
    regret_free(outputs);
    regret_free(context);
    regret_free(sources);
    regret_free(references);
    return rc;
}

int summeval_pool(struct regret_pool **out, const struct summeval *s,
                  const struct regret_import_options *options)
{
    struct summary_scores computed = {NULL, NULL, NULL};
    struct regret_pool *pool = NULL;
    int rc = REGRET_NEW(&pool, 1);
    if (rc == REGRET_OK) {
        rc = compute_scores(&computed, s);
    }
    if (rc == REGRET_OK) {
        rc = build_description(pool, options);
    }
    if (rc == REGRET_OK) {
        rc = build_agents(pool, s, computed.tokens);
    }
    if (rc == REGRET_OK) {
        rc = build_contexts(pool, s);
    }
    if (rc == REGRET_OK) {
        rc = build_outputs(pool, s, &computed);
    }
    if (rc == REGRET_OK) {
        rc = regret_pool_check(pool);
    }
    if (rc == REGRET_OK) {
        *out = pool;
        pool = NULL;
    }
    regret_pool_free(pool);
    summary_scores_free(&computed);
    return rc;
}
