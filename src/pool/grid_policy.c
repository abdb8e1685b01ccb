#include "pool/grid_policy.h"

#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

/* A list of what a grid has: of contexts `among`, where that is not NULL, and of one column. */
struct listed {
    const struct regret_grid *grid;
    enum grid_list what;
    const size_t *among;
    size_t column;
};

static void put_covariate(struct regret_buffer *t, const struct regret_column *column,
                          const struct regret_covariate *value)
{
    if (column->kind == REGRET_COLUMN_WORD) {
        regret_buffer_json_string(t, value->word);
    } else {
        regret_buffer_json_number(t, value->number);
    }
}

static void put_agent(struct regret_buffer *t, enum grid_list what, const struct regret_agent *a)
{
    if (what == GRID_AGENT_COSTS) {
        regret_buffer_json_number(t, a->cost);
    } else {
        regret_buffer_json_string(t, what == GRID_AGENT_IDS ? a->id : regret_agent_name(a));
    }
}

static void put_element(struct regret_buffer *t, const void *of, size_t i)
{
    const struct listed *l = of;
    const struct regret_grid *g = l->grid;
    const struct regret_pool *pool = g->pool;
    size_t x = l->among != NULL ? l->among[i] : i;
    switch (l->what) {
    case GRID_AGENT_IDS:
    case GRID_AGENT_NAMES:
    case GRID_AGENT_COSTS:
        put_agent(t, l->what, &pool->agents[g->agents[i]]);
        return;
    case GRID_CONTEXT_IDS:
        regret_buffer_json_string(t, pool->contexts[g->contexts[x]].id);
        return;
    case GRID_CONTEXT_NAMES:
        regret_buffer_json_string(t, regret_context_name(&pool->contexts[g->contexts[x]]));
        return;
    case GRID_TAGS:
    case GRID_CONTEXT_TAGS:
        regret_buffer_json_string(t, g->tags[l->what == GRID_TAGS ? i : g->kind[i]].name);
        return;
    case GRID_FIRST_PAIRS:
        regret_buffer_printf(t, "%zu", regret_grid_first(g, i));
        return;
    case GRID_COLUMN:
        put_covariate(t, &pool->columns[l->column],
                      &pool->contexts[g->contexts[i]].columns[l->column]);
        return;
    }
}

void grid_json(struct regret_buffer *t, const char *before, const struct regret_grid *g,
               enum grid_list what)
{
    const struct listed l = {g, what, NULL, 0};
    size_t n = what <= GRID_AGENT_COSTS   ? g->n_agents
               : what == GRID_TAGS        ? g->n_tags
               : what == GRID_FIRST_PAIRS ? g->n_contexts * g->n_agents + 1
                                          : g->n_contexts;
    regret_buffer_append(t, before);
    json_list(t, n, put_element, &l);
}

void grid_json_contexts(struct regret_buffer *t, const struct regret_grid *g, const size_t *context,
                        size_t n)
{
    const struct listed l = {g, GRID_CONTEXT_IDS, context, 0};
    json_list(t, n, put_element, &l);
}

static void put_column(struct regret_buffer *t, const void *of, size_t j)
{
    const struct regret_grid *g = of;
    const struct listed l = {g, GRID_COLUMN, NULL, j};
    regret_buffer_append(t, "{\"name\":");
    regret_buffer_json_string(t, g->pool->columns[j].name);
    regret_buffer_append(t, ",\"values\":");
    json_list(t, g->n_contexts, put_element, &l);
    regret_buffer_append_char(t, '}');
}

void grid_json_columns(struct regret_buffer *t, const struct regret_grid *g)
{
    json_list(t, g->pool->n_columns, put_column, g);
}

int pool_pairs_make(struct pool_pairs *out, const struct regret_pool *pool)
{
    size_t n = 0;
    *out = (struct pool_pairs){NULL, 0, NULL};
    for (size_t i = 0; i < pool->n_outputs; i++) {
        n += pool->outputs[i].draw == 0;
    }
    TRY(REGRET_NEW(&out->pairs, n));
    TRY(REGRET_NEW(&out->start, pool->n_contexts + 1));
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        if (o->draw == 0) {
            out->pairs[out->n++] = (struct pool_pair){o->context, o->agent, 0, (uint32_t)i};
            out->start[o->context + 1]++;
        }
        out->pairs[out->n - 1].n_draws++;
    }
    for (size_t x = 0; x < pool->n_contexts; x++) {
        out->start[x + 1] += out->start[x];
    }
    return REGRET_OK;
}

void pool_pairs_free(struct pool_pairs *p)
{
    regret_free(p->pairs);
    regret_free(p->start);
    *p = (struct pool_pairs){NULL, 0, NULL};
}

const struct pool_pair *pool_pairs_find(const struct pool_pairs *p, size_t context, size_t agent)
{
    size_t low = p->start[context], high = p->start[context + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->pairs[middle].agent < agent) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < p->start[context + 1] && p->pairs[low].agent == agent ? &p->pairs[low] : NULL;
}

int grid_keep_all(struct grid_kept *kept, const struct regret_pool *pool)
{
    TRY(REGRET_NEW(&kept->contexts, pool->n_contexts));
    TRY(REGRET_NEW(&kept->agents, pool->n_agents));
    kept->n_contexts = pool->n_contexts;
    kept->n_agents = pool->n_agents;
    memset(kept->contexts, 1, pool->n_contexts);
    memset(kept->agents, 1, pool->n_agents);
    return REGRET_OK;
}

void grid_kept_free(struct grid_kept *kept)
{
    regret_free(kept->contexts);
    regret_free(kept->agents);
    *kept = (struct grid_kept){NULL, NULL, 0, 0};
}

int grid_require_all(const struct regret_pool *pool, const struct pool_pairs *p)
{
    for (size_t x = 0; x < pool->n_contexts; x++) {
        for (size_t a = 0; a < pool->n_agents; a++) {
            if (pool_pairs_find(p, x, a) != NULL) {
                continue;
            }
            return regret_fail(
                REGRET_E_INPUT,
                "pool \"%s\" has no output of agent \"%s\" on context \"%s\" (%zu of "
                "%zu pairs are missing); add the outputs, or choose \"observed\", "
                "\"complete\" or \"impute-zero\"",
                pool->name, pool->agents[a].id, pool->contexts[x].id,
                pool->n_contexts * pool->n_agents - p->n, pool->n_contexts * pool->n_agents);
        }
    }
    return REGRET_OK;
}

void grid_drop_empty(struct grid_kept *kept, const struct regret_pool *pool,
                     const struct pool_pairs *p)
{
    memset(kept->agents, 0, pool->n_agents);
    for (size_t i = 0; i < p->n; i++) {
        kept->agents[p->pairs[i].agent] = 1;
    }
    kept->n_agents = 0;
    for (size_t a = 0; a < pool->n_agents; a++) {
        kept->n_agents += kept->agents[a];
    }
    for (size_t x = 0; x < pool->n_contexts; x++) {
        kept->contexts[x] = p->start[x + 1] > p->start[x];
        kept->n_contexts -= !kept->contexts[x];
    }
}

struct heap_entry {
    uint32_t missing; /* as it was when the entry was last moved: never too small */
    uint32_t context;
};

/* State of the greedy rule. The missing pairs of a context never grow in number while contexts and
 * agents are dropped, so a heap whose entries are brought up to date only at its top finds the
 * context that misses most. */
struct greedy {
    uint32_t *by_context; /* kept agents without an output on each context */
    uint32_t *by_agent;   /* kept contexts without an output of each agent */
    struct heap_entry *heap;
    size_t heap_size;
};

FREED_FIELDS(greedy, of->by_context, of->by_agent, of->heap)

/* Does a stand above b: more missing, then the lower index? */
static int above(struct heap_entry a, struct heap_entry b)
{
    return a.missing != b.missing ? a.missing > b.missing : a.context < b.context;
}

static void sift_down(struct heap_entry *heap, size_t n, size_t i)
{
    struct heap_entry moving = heap[i];
    for (size_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && above(heap[child + 1], heap[child])) {
            child++;
        }
        if (!above(heap[child], moving)) {
            break;
        }
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moving;
}

/* The kept context that misses most. The heap holds exactly the kept contexts, at least one. */
static uint32_t worst_context(struct greedy *g)
{
    while (g->heap[0].missing != g->by_context[g->heap[0].context]) {
        g->heap[0].missing = g->by_context[g->heap[0].context];
        sift_down(g->heap, g->heap_size, 0);
    }
    return g->heap[0].context;
}

static size_t worst_agent(const struct greedy *g, const struct grid_kept *kept, size_t n_agents)
{
    size_t worst = n_agents;
    for (size_t a = 0; a < n_agents; a++) {
        if (kept->agents[a] && (worst == n_agents || g->by_agent[a] > g->by_agent[worst])) {
            worst = a;
        }
    }
    return worst;
}

/* Drops the context at the top of the heap. */
static void drop_context(struct greedy *g, struct grid_kept *kept, const struct regret_pool *pool,
                         const struct pool_pairs *p, size_t x)
{
    kept->contexts[x] = 0;
    kept->n_contexts--;
    g->heap[0] = g->heap[--g->heap_size];
    sift_down(g->heap, g->heap_size, 0);
    size_t next = p->start[x];
    for (size_t a = 0; a < pool->n_agents; a++) {
        if (next < p->start[x + 1] && p->pairs[next].agent == a) {
            next++;
        } else {
            g->by_agent[a]--;
        }
    }
}

static void drop_agent(struct greedy *g, struct grid_kept *kept, const struct regret_pool *pool,
                       const struct pool_pairs *p, size_t a)
{
    kept->agents[a] = 0;
    kept->n_agents--;
    for (size_t x = 0; x < pool->n_contexts; x++) {
        if (kept->contexts[x] && pool_pairs_find(p, x, a) == NULL) {
            g->by_context[x]--;
        }
    }
}

static void count_missing(struct greedy *g, const struct regret_pool *pool,
                          const struct pool_pairs *p)
{
    for (size_t a = 0; a < pool->n_agents; a++) {
        g->by_agent[a] = (uint32_t)pool->n_contexts;
    }
    for (size_t i = 0; i < p->n; i++) {
        g->by_agent[p->pairs[i].agent]--;
    }
    for (size_t x = 0; x < pool->n_contexts; x++) {
        g->by_context[x] = (uint32_t)(pool->n_agents - (p->start[x + 1] - p->start[x]));
        g->heap[x] = (struct heap_entry){g->by_context[x], (uint32_t)x};
    }
    g->heap_size = pool->n_contexts;
    for (size_t i = g->heap_size / 2; i-- > 0;) {
        sift_down(g->heap, g->heap_size, i);
    }
}

int grid_drop_greedily(struct grid_kept *kept, const struct regret_pool *pool,
                       const struct pool_pairs *p)
{
    FREED_BY(greedy_fields) struct greedy g = {NULL, NULL, NULL, 0};
    TRY(REGRET_NEW(&g.by_context, pool->n_contexts));
    TRY(REGRET_NEW(&g.by_agent, pool->n_agents));
    TRY(REGRET_NEW(&g.heap, pool->n_contexts));
    count_missing(&g, pool, p);
    /* A row or column is dropped only when no other misses a larger share. What is dropped last
     * among empty ones is never all there is: a pool has an output, so the loop ends with one. */
    for (;;) {
        size_t x = worst_context(&g), a = worst_agent(&g, kept, pool->n_agents);
        uint64_t missing_x = g.by_context[x], missing_a = g.by_agent[a];
        if (missing_x == 0) {
            break;
        }
        /* missing_x / agents kept >= missing_a / contexts kept, without rounding */
        if (missing_x * kept->n_contexts >= missing_a * kept->n_agents) {
            drop_context(&g, kept, pool, p, x);
        } else {
            drop_agent(&g, kept, pool, p, a);
        }
    }
    return REGRET_OK;
}
