#include "pool/grid/grid_lists.h"

#include "base/text/json_list.h"

static const struct regret_agent *agent_of(const struct regret_grid *g, size_t a)
{
    return &g->pool->agents[g->agents[a]];
}

static const struct regret_context *context_of(const struct regret_grid *g, size_t x)
{
    return &g->pool->contexts[g->contexts[x]];
}

static void put_agent_id(struct regret_buffer *t, const void *g, size_t a)
{
    regret_buffer_json_string(t, agent_of(g, a)->id);
}

static void put_agent_name(struct regret_buffer *t, const void *g, size_t a)
{
    regret_buffer_json_string(t, regret_agent_name(agent_of(g, a)));
}

void grid_json_agents(struct regret_buffer *t, const struct regret_grid *g, enum grid_naming naming)
{
    json_list(t, g->n_agents, naming == GRID_BY_ID ? put_agent_id : put_agent_name, g);
}

static void put_context_id(struct regret_buffer *t, const void *g, size_t x)
{
    regret_buffer_json_string(t, context_of(g, x)->id);
}

static void put_context_name(struct regret_buffer *t, const void *g, size_t x)
{
    regret_buffer_json_string(t, regret_context_name(context_of(g, x)));
}

void grid_json_contexts(struct regret_buffer *t, const struct regret_grid *g,
                        enum grid_naming naming)
{
    json_list(t, g->n_contexts, naming == GRID_BY_ID ? put_context_id : put_context_name, g);
}

/* Some contexts of a grid. */
struct some {
    const struct regret_grid *grid;
    const size_t *context;
};

static void put_one(struct regret_buffer *t, const void *of, size_t i)
{
    const struct some *some = of;
    put_context_id(t, some->grid, some->context[i]);
}

void grid_json_some_contexts(struct regret_buffer *t, const struct regret_grid *g,
                             const size_t *context, size_t n)
{
    const struct some some = {g, context};
    json_list(t, n, put_one, &some);
}

static void put_first(struct regret_buffer *t, const void *of, size_t cell)
{
    regret_buffer_printf(t, "%zu", regret_grid_first(of, cell));
}

void grid_json_first(struct regret_buffer *t, const struct regret_grid *g)
{
    if (g->first != NULL) {
        regret_buffer_append(t, ",\n\"first_pair\":");
        json_list(t, g->n_contexts * g->n_agents + 1, put_first, g);
    }
}

static void put_tag(struct regret_buffer *t, const void *of, size_t i)
{
    const struct regret_grid *g = of;
    regret_buffer_json_string(t, g->tags[i].name);
}

void grid_json_tags(struct regret_buffer *t, const struct regret_grid *g)
{
    json_list(t, g->n_tags, put_tag, g);
}

static void put_context_tag(struct regret_buffer *t, const void *of, size_t x)
{
    const struct regret_grid *g = of;
    put_tag(t, g, g->kind[x]);
}

void grid_json_context_tags(struct regret_buffer *t, const struct regret_grid *g)
{
    json_list(t, g->n_contexts, put_context_tag, g);
}

/* A column of a grid's pool. */
struct of_column {
    const struct regret_grid *grid;
    size_t column;
};

static void put_covariate(struct regret_buffer *t, const void *of, size_t x)
{
    const struct of_column *c = of;
    const struct regret_covariate *v = &context_of(c->grid, x)->columns[c->column];
    if (c->grid->pool->columns[c->column].kind == REGRET_COLUMN_WORD) {
        regret_buffer_json_string(t, v->word);
    } else {
        regret_buffer_json_number(t, v->number);
    }
}

static void put_column(struct regret_buffer *t, const void *g, size_t j)
{
    const struct of_column of = {g, j};
    regret_buffer_append(t, "{\"name\":");
    regret_buffer_json_string(t, of.grid->pool->columns[j].name);
    regret_buffer_append(t, ",\"values\":");
    json_list(t, of.grid->n_contexts, put_covariate, &of);
    regret_buffer_append_char(t, '}');
}

void grid_json_columns(struct regret_buffer *t, const struct regret_grid *g)
{
    json_list(t, g->pool->n_columns, put_column, g);
}

static void put_cost(struct regret_buffer *t, const void *g, size_t a)
{
    regret_buffer_json_number(t, agent_of(g, a)->cost);
}

void grid_json_costs(struct regret_buffer *t, const struct regret_grid *g)
{
    json_list(t, g->n_agents, put_cost, g);
}
