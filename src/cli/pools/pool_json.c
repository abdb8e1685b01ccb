#include "cli/pools/pool_json.h"

#include <math.h>

#include "report/render/table.h"

static void text(struct table *t, const char *value)
{
    table_text(t, "%s", value != NULL ? value : "");
}

static void count(struct table *t, size_t value)
{
    table_number(t, (double)value, 0);
}

static void put_pool(struct table *t, const struct regret_pool *p,
                     const struct regret_pool_stats *s)
{
    table_block(t, "pool");
    TABLE_HEADS(t, "name", "title", "version", "licence", "source", "digest", "origin", "contexts",
                "agents", "outputs", "pairs", "missing pairs", "least draws", "most draws",
                "empty outputs", "words a context", "words an output");
    table_row(t, "%s", p->name);
    text(t, p->title);
    text(t, p->version);
    text(t, p->licence);
    text(t, p->source);
    text(t, p->digest);
    text(t, p->synthetic ? "SYNTHETIC" : "collected");
    const size_t counts[] = {p->n_contexts,    p->n_agents,    p->n_outputs,  s->pairs,
                             s->missing_pairs, s->least_draws, s->most_draws, s->empty_outputs};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        count(t, counts[i]);
    }
    table_number(t, s->context_words.mean, 1);
    table_number(t, s->output_words.mean, 1);
}

static void put_tags(struct table *t, const struct regret_pool_stats *s)
{
    table_block(t, "contexts by tag");
    TABLE_HEADS(t, "tag", "contexts");
    for (size_t i = 0; i < s->n_tags; i++) {
        table_row(t, "%s", s->tags[i].name != NULL ? s->tags[i].name : "");
        count(t, s->tags[i].contexts);
    }
}

/* Only where there are any. */
static void put_columns(struct table *t, const struct regret_pool *p,
                        const struct regret_pool_stats *s)
{
    if (p->n_columns == 0) {
        return;
    }
    table_block(t, "columns of contexts");
    TABLE_HEADS(t, "column", "kind", "different words", "blank", "mean", "sd", "low", "high");
    for (size_t j = 0; j < p->n_columns; j++) {
        int is_word = p->columns[j].kind == REGRET_COLUMN_WORD;
        const struct regret_spread *n = &s->columns[j].number;
        const double numbers[] = {n->mean, n->sd, n->low, n->high};
        table_row(t, "%s", p->columns[j].name);
        text(t, regret_column_kind_name(p->columns[j].kind));
        table_number(t, is_word ? (double)s->columns[j].words : NAN, 0);
        table_number(t, is_word ? NAN : (double)s->columns[j].blank, 0);
        for (size_t i = 0; i < 4; i++) {
            table_number(t, is_word ? NAN : numbers[i], 4);
        }
    }
}

/* A row a source of a step; one without sources has a row of its own. */
static void put_history(struct table *t, const struct regret_pool *p)
{
    if (p->n_history == 0) {
        return;
    }
    table_block(t, "history");
    TABLE_HEADS(t, "step", "pool", "what", "program", "date", "from", "from date", "digest");
    for (size_t i = 0; i < p->n_history; i++) {
        const struct regret_pool_step *step = &p->history[i];
        for (size_t k = 0; k < step->n_from || k == 0; k++) {
            table_row(t, "%zu", i + 1);
            text(t, step->pool);
            text(t, step->what);
            text(t, step->program);
            text(t, step->date);
            text(t, k < step->n_from ? step->from[k].name : NULL);
            text(t, k < step->n_from ? step->from[k].date : NULL);
            text(t, k < step->n_from ? step->from[k].digest : NULL);
        }
    }
}

static void put_agents(struct table *t, const struct regret_pool *p,
                       const struct regret_pool_stats *s)
{
    table_block(t, "agents");
    TABLE_HEADS(t, "agent", "title", "cost", "outputs", "missing contexts", "quality",
                "sd over contexts", "best on", "words", "one text for every context");
    for (size_t a = 0; a < p->n_agents; a++) {
        const struct regret_agent_stats *agent = &s->agents[a];
        table_row(t, "%s", regret_agent_name(&p->agents[a]));
        text(t, p->agents[a].title);
        table_number(t, p->agents[a].cost, 4);
        count(t, agent->outputs);
        count(t, agent->missing);
        table_number(t, agent->quality.mean, 3);
        table_number(t, agent->quality.sd, 3);
        table_number(t, s->grid_contexts > 0 ? agent->best : (double)NAN, 2);
        table_number(t, agent->words.mean, 1);
        text(t, agent->constant ? "yes" : "no");
    }
}

/* rows x n_components numbers, column-major; without agents, rows are components. */
static void put_matrix(struct table *t, const char *heading, const struct regret_pool *p,
                       const double *matrix, int by_agent)
{
    size_t rows = by_agent ? p->n_agents : p->n_components;
    table_block(t, "%s", heading);
    table_column(t, "%s", by_agent ? "agent" : "component");
    for (size_t k = 0; k < p->n_components; k++) {
        table_column(t, "%s", p->components[k].name);
    }
    for (size_t i = 0; i < rows; i++) {
        table_row(t, "%s", by_agent ? regret_agent_name(&p->agents[i]) : p->components[i].name);
        for (size_t k = 0; k < p->n_components; k++) {
            table_number(t, matrix[k * rows + i], 3);
        }
    }
}

static void put_values(struct table *t, const struct regret_pool *p,
                       const struct regret_pool_stats *s)
{
    table_block(t, "values over outputs");
    TABLE_HEADS(t, "value", "kind", "outputs", "mean", "sd", "low", "high");
    for (size_t i = 0; i < p->n_components + p->n_counts + p->n_aux; i++) {
        table_row(t, "%s", regret_pool_value_name(p, i));
        text(t, i < p->n_components                 ? "component"
                : i < p->n_components + p->n_counts ? "count"
                                                    : "aux");
        count(t, s->values[i].n);
        table_number(t, s->values[i].mean, 4);
        table_number(t, s->values[i].sd, 4);
        table_number(t, s->values[i].low, 4);
        table_number(t, s->values[i].high, 4);
    }
}

static void put_histograms(struct table *t, const struct regret_pool *p,
                           const struct regret_pool_stats *s)
{
    table_block(t, "outputs by tenths of the normalised component");
    table_column(t, "component");
    for (int b = 0; b < REGRET_POOL_BINS; b++) {
        table_column(t, "0.%d", b);
    }
    for (size_t k = 0; k < p->n_components; k++) {
        table_row(t, "%s", p->components[k].name);
        for (size_t b = 0; b < REGRET_POOL_BINS; b++) {
            count(t, s->histogram[k * REGRET_POOL_BINS + b]);
        }
    }
}

static void put_grid(struct table *t, const struct regret_pool_stats *s)
{
    table_block(t, "the largest complete sub-grid");
    TABLE_HEADS(t, "contexts", "agents", "difficulty", "sd", "low", "quartile 1", "median",
                "quartile 3", "high", "variance of quality", "share of agents", "share of contexts",
                "share of agents x contexts");
    table_row_of_cells(t);
    const double numbers[] = {(double)s->grid_contexts,
                              (double)s->grid_agents,
                              s->difficulty.mean,
                              s->difficulty.sd,
                              s->difficulty.low,
                              s->difficulty_quartile[0],
                              s->difficulty_quartile[1],
                              s->difficulty_quartile[2],
                              s->difficulty.high,
                              s->quality_variance,
                              s->agent_share,
                              s->context_share,
                              s->interaction_share};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        table_number(t, numbers[i], 4);
    }
}

static void put_extremes(struct table *t, const struct regret_pool *p,
                         const struct regret_pool_stats *s)
{
    table_block(t, "extreme outputs");
    TABLE_HEADS(t, "quantity", "outputs", "contexts", "quartile 1", "quartile 3", "extreme",
                "by agent", "on context");
    for (size_t i = 0; i < s->n_extremes; i++) {
        const struct regret_pool_extreme *e = &s->extremes[i];
        table_row(t, "%s", regret_pool_quantity_name(p, e->quantity));
        count(t, e->outputs);
        count(t, e->contexts);
        table_number(t, e->quartile[0], 4);
        table_number(t, e->quartile[1], 4);
        table_number(t, e->value, 4);
        text(t, regret_agent_name(&p->agents[p->outputs[e->output].agent]));
        text(t, regret_context_name(&p->contexts[p->outputs[e->output].context]));
    }
}

static void finish(struct regret_buffer *out, struct table *t)
{
    regret_buffer_fail(out, render(out, t, REGRET_FORMAT_JSON));
    table_free(t);
}

/* The blocks that both have. */
static void begin(struct table *t, const char *name, const struct regret_pool *p,
                  const struct regret_pool_stats *s)
{
    table_begin(t, name, "%s", p->title != NULL && p->title[0] != '\0' ? p->title : p->name);
    put_pool(t, p, s);
    put_tags(t, s);
    put_columns(t, p, s);
    put_agents(t, p, s);
    put_history(t, p);
}

void pool_show_json(struct regret_buffer *out, const struct regret_pool *p,
                    const struct regret_pool_stats *s)
{
    struct table t;
    begin(&t, "pool", p, s);
    finish(out, &t);
}

void pool_stats_json(struct regret_buffer *out, const struct regret_pool *p,
                     const struct regret_pool_stats *s)
{
    struct table t;
    begin(&t, "pool-stats", p, s);
    put_matrix(&t, "mean normalised components by agent", p, s->agent_components, 1);
    put_values(&t, p, s);
    put_histograms(&t, p, s);
    put_matrix(&t, "correlation of the components over outputs", p, s->correlation, 0);
    if (s->grid_contexts > 0) {
        put_grid(&t, s);
    }
    put_extremes(&t, p, s);
    finish(out, &t);
}
