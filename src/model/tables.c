#include "model/model.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "pool/votes.h"
#include "regret/status.h"

void score_table_free(struct score_table *s)
{
    regret_votes_free(s->votes);
    texts_free(s->tag_name, s->n_tags);
    texts_free(s->agent, s->m);
    regret_free(s->y);
    regret_free(s->tag);
    regret_free(s->text);
    regret_free(s->cost);
    regret_free(s->covariate);
    regret_free(s->cluster);
    *s = (struct score_table){0};
}

static double score_of(const struct regret_pool *pool, const struct regret_output *output,
                       size_t component)
{
    double sum = 0.0;
    for (size_t k = 0; component == REGRET_EACH_COMPONENT && k < pool->n_components; k++) {
        sum += regret_pool_quality(pool, output, k);
    }
    return component == REGRET_EACH_COMPONENT ? sum / (double)pool->n_components
                                              : regret_pool_quality(pool, output, component);
}

/* The means of the draws of every pair. */
static int fill_scores(struct score_table *s, const struct regret_pool *pool, size_t component)
{
    FREED double *draws = NULL;
    TRY(REGRET_NEW(&s->y, s->n * s->m));
    TRY(REGRET_NEW(&draws, s->n * s->m));
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        s->y[o->context * s->m + o->agent] += score_of(pool, o, component);
        draws[o->context * s->m + o->agent] += 1.0;
    }
    for (size_t c = 0; c < s->n * s->m; c++) {
        s->y[c] = draws[c] > 0.0 ? s->y[c] / draws[c] : (double)NAN;
    }
    return REGRET_OK;
}

/* Requests that share a text are no two; texts of which there are few say nothing of a request. */
static int find_clusters(struct score_table *s)
{
    enum { LEAST_TEXTS = 10 };
    FREED_BY(names_free) struct names texts = {0};
    TRY(REGRET_NEW(&s->cluster, s->n));
    for (size_t i = 0; i < s->n; i++) {
        TRY(names_enter(&s->cluster[i], &texts, s->text[i]));
    }
    if (texts.n < LEAST_TEXTS) {
        regret_free(s->text);
        s->text = NULL;
    }
    if (texts.n == s->n || texts.n < LEAST_TEXTS) {
        regret_free(s->cluster);
        s->cluster = NULL;
    }
    return REGRET_OK;
}

static int fill_requests(struct score_table *s, const struct regret_pool *pool)
{
    FREED_BY(names_free) struct names tags = {0};
    int has_text = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct regret_context *x = &pool->contexts[i];
        s->text[i] = x->text;
        has_text |= x->text[0] != '\0';
        TRY(names_enter(&s->tag[i], &tags, x->tag != NULL ? x->tag : ""));
        if (s->tag[i] == s->n_tags) {
            TRY(regret_strdup(&s->tag_name[s->n_tags], x->tag != NULL ? x->tag : ""));
            s->n_tags++;
        }
    }
    if (s->n_tags < 2) {
        texts_free(s->tag_name, s->n_tags);
        regret_free(s->tag);
        s->tag_name = NULL;
        s->tag = NULL;
        s->n_tags = 0;
    }
    if (pool->n_columns > 0) {
        s->column = pool->columns;
        s->n_columns = pool->n_columns;
        TRY(REGRET_NEW(&s->covariate, s->n));
        for (size_t i = 0; i < s->n; i++) {
            s->covariate[i] = pool->contexts[i].columns;
        }
    }
    if (!has_text) {
        regret_free(s->text);
        s->text = NULL;
    }
    return s->text != NULL ? find_clusters(s) : REGRET_OK;
}

static int fill_agents(struct score_table *s, const struct regret_pool *pool)
{
    int differ = 0;
    for (size_t a = 0; a < s->m; a++) {
        TRY(regret_strdup(&s->agent[a], regret_agent_name(&pool->agents[a])));
        differ |= pool->agents[a].cost != pool->agents[0].cost;
    }
    if (differ) {
        TRY(REGRET_NEW(&s->cost, s->m));
        for (size_t a = 0; a < s->m; a++) {
            s->cost[a] = pool->agents[a].cost;
        }
    }
    return REGRET_OK;
}

static void fill_scale(struct score_table *s, const struct regret_pool *pool, size_t component)
{
    s->measure = "";
    s->one = 1.0;
    if (component != REGRET_EACH_COMPONENT) {
        const struct regret_component *c = &pool->components[component];
        s->measure = c->name;
        s->zero = c->is_turned ? c->high : c->low;
        s->one = c->is_turned ? c->low : c->high;
    }
}

int score_table_of_pool(struct score_table *out, const struct regret_pool *pool, size_t component)
{
    FREED_BY(score_table_free) struct score_table s = {.n = pool->n_contexts, .m = pool->n_agents};
    s.name = pool->title != NULL ? pool->title : pool->name;
    s.synthetic = pool->synthetic;
    TRY(REGRET_NEW(&s.tag, s.n));
    TRY(REGRET_NEW(&s.tag_name, s.n));
    TRY(REGRET_NEW(&s.text, s.n));
    TRY(REGRET_NEW(&s.agent, s.m));
    component = pool->n_components == 1 ? 0 : component;
    TRY(regret_pool_is_of_votes(pool) ? regret_votes_of_pool(&s.votes, pool)
                                      : fill_scores(&s, pool, component));
    TRY(fill_requests(&s, pool));
    TRY(fill_agents(&s, pool));
    fill_scale(&s, pool, component);
    *out = s;
    s = (struct score_table){0};
    return REGRET_OK;
}

size_t score_table_greatest(const struct score_table *s, const double *x, const unsigned char *may)
{
    const double rounding = 1e-12;
    size_t best = REGRET_NO_AGENT;
    for (size_t a = 0; a < s->m; a++) {
        double gap = best == REGRET_NO_AGENT ? INFINITY : x[a] - x[best];
        if (may[a] &&
            (gap > rounding || (gap > -rounding && strcmp(s->agent[a], s->agent[best]) < 0))) {
            best = a;
        }
    }
    return best;
}
