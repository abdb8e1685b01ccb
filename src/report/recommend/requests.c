/* Requests one by one, for a page: what was asked, what agents answered and were scored, and whom each source names. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/escape.h"
#include "regret/alloc.h"
#include "regret/text.h"
#include "report/recommend/filters.h"
#include "report/recommend/for_page.h"
#include "report/render/table.h"

enum {
    ALL_AGENTS = 12, /* of more only those are shown whom a source names */
    PROMPT_BYTES = 4000,
    OUTPUT_BYTES = 1500,
    PAGE_BYTES = 1 << 24
};

/* A context as it is written. */
struct request {
    const struct answer *a;
    const struct regret_pool *pool;
    size_t x;             /* of the run's grid */
    size_t context;       /* of the pool */
    size_t first, end;    /* its outputs in the pool */
    unsigned char *named; /* [n_agents of the grid] room: whom a source names */
};

static const char *agent_of(const struct request *q, size_t source)
{
    return q->a->s->grid->agents[recommend_item(q->a->s, source, q->x)->agent];
}

static void put_cut(struct regret_buffer *out, const char *element, const char *text, size_t most)
{
    struct regret_buffer cut = REGRET_BUFFER_INIT;
    regret_buffer_append_n(&cut, text, regret_text_cut(text, most));
    regret_buffer_append(&cut, strlen(text) > most ? " …" : "");
    html_element(out, element, regret_buffer_get(&cut));
    regret_buffer_free_into(out, &cut);
}

/* "code: exp-only, cvci and vote say bravo; ..." as a list, an agent a line. */
static void put_sources(struct regret_buffer *out, struct request *q)
{
    const struct recommend *s = q->a->s;
    memset(q->named, 0, s->grid->n_agents);
    regret_buffer_append(out, "<ul class=\"sentences\">\n");
    for (size_t i = 0; i < s->n_sources; i++) {
        size_t agent = recommend_item(s, i, q->x)->agent, n = 0;
        struct regret_buffer words = REGRET_BUFFER_INIT;
        if (recommend_item(s, i, q->x)->replicates == 0 || q->named[agent]) {
            continue;
        }
        q->named[agent] = 1;
        regret_buffer_printf(&words, "%s:", s->grid->agents[agent]);
        for (size_t j = i; j < s->n_sources; j++) {
            const struct recommended *item = recommend_item(s, j, q->x);
            if (item->replicates > 0 && item->agent == agent) {
                regret_buffer_printf(&words, "%s %s", n++ > 0 ? "," : "", recommend_source(s, j));
            }
        }
        html_element(out, "li", regret_buffer_get(&words));
        regret_buffer_free_into(out, &words);
    }
    regret_buffer_append(out, "</ul>\n");
}

/* The place of a name in the grid of the run, its number of agents where it is in none. */
static size_t grid_agent(const struct request *q, const char *name)
{
    const struct regret_run_grid *grid = q->a->s->grid;
    size_t a = 0;
    while (a < grid->n_agents && strcmp(grid->agents[a], name) != 0) {
        a++;
    }
    return a;
}

/* "score 4.2, length 120" */
static void put_scores(struct regret_buffer *out, const struct regret_pool *pool,
                       const struct regret_output *o)
{
    struct regret_buffer words = REGRET_BUFFER_INIT;
    for (size_t k = 0; k < pool->n_components; k++) {
        regret_buffer_printf(&words, "%s%s %.4g", k > 0 ? ", " : "", pool->components[k].name,
                             o->values[k]);
    }
    html_element(out, "p class=\"data\"", regret_buffer_get(&words));
    regret_buffer_free_into(out, &words);
}

static void put_outputs(struct regret_buffer *out, const struct request *q)
{
    regret_buffer_append(out, "<div class=\"texts\">\n");
    for (size_t i = q->first; i < q->end; i++) {
        const struct regret_output *o = &q->pool->outputs[i];
        const char *name = regret_agent_name(&q->pool->agents[o->agent]);
        size_t agent = grid_agent(q, name), n = q->a->s->grid->n_agents;
        if (agent == n || (n > ALL_AGENTS && !q->named[agent])) {
            continue;
        }
        regret_buffer_append(out, "<div>\n");
        html_element(out, q->named[agent] ? "h3" : "h3 class=\"other\"", name);
        put_scores(out, q->pool, o);
        put_cut(out, "p", o->text, OUTPUT_BYTES);
        regret_buffer_append(out, "</div>\n");
    }
    regret_buffer_append(out, "</div>\n");
}

static void put_request(struct regret_buffer *out, struct request *q)
{
    const struct answer *a = q->a;
    const struct recommended *item = recommend_item(a->s, a->source, q->x);
    const char *tag = recommend_tag(a->s, q->x);
    struct regret_buffer words = REGRET_BUFFER_INIT;
    regret_buffer_printf(out, "<details class=\"request\" id=\"request-%zu\">\n<summary>", q->x);
    regret_buffer_printf(&words, "%s%s%s%s: %s", a->s->grid->contexts[q->x],
                         tag != NULL ? " (" : "", tag != NULL ? tag : "", tag != NULL ? ")" : "",
                         agent_of(q, a->source));
    if (isfinite(item->value.mean)) {
        regret_buffer_printf(&words, ", worth %.4f", item->value.mean);
    }
    html_escape(out, regret_buffer_get(&words));
    regret_buffer_free_into(out, &words);
    regret_buffer_append(out, "</summary>\n");
    put_cut(out, "p class=\"prompt\"", q->pool->contexts[q->context].text, PROMPT_BYTES);
    put_sources(out, q);
    put_outputs(out, q);
    regret_buffer_append(out, "</details>\n");
}

/* The outputs of a context follow one another. */
static void find_outputs(struct request *q)
{
    q->first = q->end;
    while (q->first < q->pool->n_outputs && q->pool->outputs[q->first].context < q->context) {
        q->first++;
    }
    q->end = q->first;
    while (q->end < q->pool->n_outputs && q->pool->outputs[q->end].context == q->context) {
        q->end++;
    }
}

/* Both the grid's contexts and the pool's stand in the pool's order. */
int requests_html(struct regret_buffer *out, const struct answer *a, const struct regret_pool *pool)
{
    const struct regret_run_grid *grid = a->s->grid;
    struct request q = {.a = a, .pool = pool};
    size_t shown = 0, begin = out->length;
    TRY(REGRET_NEW(&q.named, grid->n_agents));
    for (; q.context < pool->n_contexts && q.x < grid->n_contexts; q.context++) {
        if (strcmp(regret_context_name(&pool->contexts[q.context]), grid->contexts[q.x]) != 0) {
            continue;
        }
        find_outputs(&q);
        if (recommend_item(a->s, a->source, q.x)->replicates > 0 &&
            out->length - begin < PAGE_BYTES) {
            put_request(out, &q);
            shown++;
        }
        q.x++;
    }
    regret_free(q.named);
    if (shown < a->rules.n_contexts) {
        regret_buffer_printf(out, "<p class=\"rests\">Shown are %zu of %zu requests.</p>\n", shown,
                             a->rules.n_contexts);
    }
    return regret_buffer_status(out);
}
