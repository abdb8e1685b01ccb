#include "pool/statistics.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
#include "base/text.h"
#include "pool/grid.h"
#include "pool/votes.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

/* Outputs that stand far outside the others. */

static double quantity_of(const struct regret_pool *pool, size_t quantity, size_t output)
{
    const struct regret_output *o = &pool->outputs[output];
    text_store_pass(quantity == 0 ? pool->texts : NULL, o->text);
    return quantity == 0 ? (double)strlen(o->text) : o->values[pool->n_components + quantity - 1];
}

/* How far a value lies outside the quartiles, in their distance; 0 within. */
static double distance(double value, const double quartile[2])
{
    double outside = value > quartile[1]   ? value - quartile[1]
                     : value < quartile[0] ? quartile[0] - value
                                           : 0.0;
    return outside / (quartile[1] - quartile[0]);
}

/* Counts what lies too far out. Outputs stand by context. */
static void count_far(struct regret_pool_extreme *e, const double *value,
                      const struct regret_pool *pool)
{
    double farthest = 0.0;
    uint32_t last = UINT32_MAX;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        double d = distance(value[i], e->quartile);
        if (d > REGRET_POOL_FAR) {
            e->outputs++;
            e->contexts += pool->outputs[i].context != last;
            last = pool->outputs[i].context;
        }
        if (d > farthest) {
            farthest = d;
            e->output = i;
            e->value = value[i];
        }
    }
}

/* 1 where texts are the agents' names, which stand for outputs that nobody gave. */
static int are_names(const struct regret_pool *pool)
{
    size_t i = 0;
    while (i < pool->n_outputs &&
           strcmp(pool->outputs[i].text, pool->agents[pool->outputs[i].agent].id) == 0) {
        i++;
    }
    return i == pool->n_outputs;
}

int regret_pool_extremes(struct regret_pool_extreme **out, size_t *n,
                         const struct regret_pool *pool)
{
    size_t quantities = 1 + pool->n_counts + pool->n_aux, outputs = pool->n_outputs;
    FREED struct regret_pool_extreme *found = NULL;
    FREED double *value = NULL, *sorted = NULL;
    *n = 0;
    TRY(REGRET_NEW(&found, quantities));
    TRY(REGRET_NEW(&value, outputs));
    TRY(REGRET_NEW(&sorted, outputs));
    for (size_t q = (size_t)are_names(pool); q < quantities && outputs > 0; q++) {
        struct regret_pool_extreme e = {.quantity = q};
        for (size_t i = 0; i < outputs; i++) {
            sorted[i] = value[i] = quantity_of(pool, q, i);
        }
        regret_sort_numbers(sorted, outputs);
        e.quartile[0] = regret_quantile(sorted, outputs, 0.25);
        e.quartile[1] = regret_quantile(sorted, outputs, 0.75);
        if (e.quartile[1] > e.quartile[0]) {
            count_far(&e, value, pool);
        }
        if (e.outputs > 0) {
            found[(*n)++] = e;
        }
    }
    *out = found;
    found = NULL;
    return REGRET_OK;
}

const char *regret_pool_quantity_name(const struct regret_pool *pool, size_t quantity)
{
    return quantity == 0 ? "bytes of text"
                         : regret_pool_value_name(pool, pool->n_components + quantity - 1);
}

FREED_POINTER(struct regret_pool_stats, regret_pool_stats_free)
FREED_POINTER(struct regret_grid, regret_grid_free)

/* Qualities nearer than this differ by rounding. */
static const double EQUAL = 1e-12;

/* Welford's update; `sd` holds the sum of squared deviations until spread_finish(). */
static void spread_add(struct regret_spread *s, double value)
{
    s->low = s->n == 0 || value < s->low ? value : s->low;
    s->high = s->n == 0 || value > s->high ? value : s->high;
    s->n++;
    double delta = value - s->mean;
    s->mean += delta / (double)s->n;
    s->sd += delta * (value - s->mean);
}

static void spread_finish(struct regret_spread *s)
{
    s->sd = s->n < 2 ? 0.0 : sqrt(s->sd / (double)(s->n - 1));
}

static size_t count_words(const char *text)
{
    size_t words = 0;
    int inside = 0;
    for (; *text != '\0'; text++) {
        int space = *text == ' ' || (*text >= '\t' && *text <= '\r');
        words += !space && !inside;
        inside = !space;
    }
    return words;
}

static double output_quality(const struct regret_pool *pool, const struct regret_output *o)
{
    double sum = 0.0;
    for (size_t k = 0; k < pool->n_components; k++) {
        sum += regret_pool_quality(pool, o, k);
    }
    return sum / (double)pool->n_components;
}

static size_t bin_of(double quality)
{
    size_t bin = (size_t)(quality * REGRET_POOL_BINS);
    return bin < REGRET_POOL_BINS ? bin : REGRET_POOL_BINS - 1;
}

/* One output: its text, its values, its share in the agent's means. */
static void add_output(struct regret_pool_stats *s, const struct regret_pool *pool,
                       const struct regret_output *o)
{
    size_t words = count_words(o->text);
    struct regret_agent_stats *agent = &s->agents[o->agent];
    agent->outputs++;
    spread_add(&agent->words, (double)words);
    spread_add(&s->output_words, (double)words);
    s->empty_outputs += words == 0;
    for (size_t k = 0; k < pool->n_components; k++) {
        double q = regret_pool_quality(pool, o, k);
        s->agent_components[k * pool->n_agents + o->agent] += q;
        s->histogram[k * REGRET_POOL_BINS + bin_of(q)]++;
    }
    for (size_t k = 0; k < pool->n_components + pool->n_counts + pool->n_aux; k++) {
        spread_add(&s->values[k], o->values[k]);
    }
}

/* Runs of outputs that share context and agent are the pairs. */
static void add_outputs(struct regret_pool_stats *s, const struct regret_pool *pool)
{
    size_t found = 0;
    for (size_t i = 0, end; i < pool->n_outputs; i = end) {
        const struct regret_output *first = &pool->outputs[i];
        double quality = 0.0;
        for (end = i; end < pool->n_outputs && pool->outputs[end].context == first->context &&
                      pool->outputs[end].agent == first->agent;
             end++) {
            add_output(s, pool, &pool->outputs[end]);
            quality += output_quality(pool, &pool->outputs[end]);
        }
        size_t draws = end - i;
        spread_add(&s->agents[first->agent].quality, quality / (double)draws);
        s->least_draws = found == 0 || draws < s->least_draws ? draws : s->least_draws;
        s->most_draws = draws > s->most_draws ? draws : s->most_draws;
        found++;
    }
    s->pairs = pool->n_contexts * pool->n_agents;
    s->missing_pairs = s->pairs - found;
}

static void finish_outputs(struct regret_pool_stats *s, const struct regret_pool *pool)
{
    for (size_t a = 0; a < pool->n_agents; a++) {
        struct regret_agent_stats *agent = &s->agents[a];
        spread_finish(&agent->quality);
        spread_finish(&agent->words);
        agent->missing = pool->n_contexts - agent->quality.n;
        for (size_t k = 0; k < pool->n_components && agent->outputs > 0; k++) {
            s->agent_components[k * pool->n_agents + a] /= (double)agent->outputs;
        }
    }
    for (size_t k = 0; k < pool->n_components + pool->n_counts + pool->n_aux; k++) {
        spread_finish(&s->values[k]);
    }
    spread_finish(&s->output_words);
}

/* Pearson's r from the means already known. */
static void correlate(struct regret_pool_stats *s, const struct regret_pool *pool)
{
    size_t n = pool->n_components;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const double *v = pool->outputs[i].values;
        for (size_t k = 0; k < n; k++) {
            for (size_t l = 0; l <= k; l++) {
                s->correlation[l * n + k] +=
                    (v[k] - s->values[k].mean) * (v[l] - s->values[l].mean);
            }
        }
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t l = 0; l < k; l++) {
            double scale = sqrt(s->correlation[k * n + k]) * sqrt(s->correlation[l * n + l]);
            double r = scale > 0.0 ? s->correlation[l * n + k] / scale : 0.0;
            s->correlation[l * n + k] = s->correlation[k * n + l] = r;
        }
    }
    for (size_t k = 0; k < n; k++) {
        s->correlation[k * n + k] = s->correlation[k * n + k] > 0.0 ? 1.0 : 0.0;
    }
}

static int describe_difficulty(struct regret_pool_stats *s, const struct regret_grid *grid)
{
    double *sorted = NULL;
    TRY(REGRET_NEW(&sorted, grid->n_contexts));
    memcpy(sorted, grid->difficulty, grid->n_contexts * sizeof *sorted);
    regret_sort_numbers(sorted, grid->n_contexts);
    for (size_t x = 0; x < grid->n_contexts; x++) {
        spread_add(&s->difficulty, sorted[x]);
    }
    spread_finish(&s->difficulty);
    for (size_t i = 0; i < 3; i++) {
        s->difficulty_quartile[i] =
            regret_quantile(sorted, grid->n_contexts, 0.25 * (double)(i + 1));
    }
    regret_free(sorted);
    return REGRET_OK;
}

/* q(x,a) over the draws of the grid. */
static double grid_quality(const struct regret_grid *grid, size_t x, size_t a)
{
    size_t cell = x * grid->n_agents + a, first = regret_grid_first(grid, cell);
    size_t end = regret_grid_first(grid, cell + 1);
    double sum = 0.0;
    for (size_t p = first; p < end; p++) {
        sum += output_quality(grid->pool, grid->outputs[p]);
    }
    return sum / (double)(end - first);
}

/* Gives the context to its best agent; of several as good, but for rounding, a part to each. */
static void share_best(struct regret_pool_stats *s, const struct regret_grid *grid, const double *q)
{
    double most = q[0], n = 0.0;
    for (size_t a = 0; a < grid->n_agents; a++) {
        most = fmax(most, q[a]);
    }
    for (size_t a = 0; a < grid->n_agents; a++) {
        n += q[a] >= most - EQUAL;
    }
    for (size_t a = 0; a < grid->n_agents; a++) {
        s->agents[grid->agents[a]].best += q[a] >= most - EQUAL ? 1.0 / n : 0.0;
    }
}

/* Agent means and their grand mean; shares out the contexts on the way. */
static double agent_means(struct regret_pool_stats *s, const struct regret_grid *grid,
                          const double *q, double *mean)
{
    double grand = 0.0;
    for (size_t x = 0; x < grid->n_contexts; x++) {
        for (size_t a = 0; a < grid->n_agents; a++) {
            mean[a] += q[x * grid->n_agents + a] / (double)grid->n_contexts;
        }
        share_best(s, grid, q + x * grid->n_agents);
    }
    for (size_t a = 0; a < grid->n_agents; a++) {
        grand += mean[a] / (double)grid->n_agents;
    }
    return grand;
}

static int decompose(struct regret_pool_stats *s, const struct regret_grid *grid)
{
    size_t n = grid->n_contexts, m = grid->n_agents;
    FREED double *q = NULL, *mean = NULL;
    TRY(REGRET_NEW(&q, n * m));
    TRY(REGRET_NEW(&mean, m));
    for (size_t i = 0; i < n * m; i++) {
        q[i] = grid_quality(grid, i / m, i % m);
    }
    double grand = agent_means(s, grid, q, mean);
    double agents = 0.0, contexts = 0.0, rest = 0.0;
    for (size_t x = 0; x < n; x++) {
        double row = 0.0;
        for (size_t a = 0; a < m; a++) {
            row += q[x * m + a] / (double)m;
        }
        contexts += (double)m * (row - grand) * (row - grand);
        for (size_t a = 0; a < m; a++) {
            double e = q[x * m + a] - row - mean[a] + grand;
            rest += e * e;
        }
    }
    for (size_t a = 0; a < m; a++) {
        agents += (double)n * (mean[a] - grand) * (mean[a] - grand);
    }
    double total = agents + contexts + rest;
    s->quality_variance = total / (double)(n * m);
    if (total > 0.0) {
        s->agent_share = agents / total;
        s->context_share = contexts / total;
        s->interaction_share = rest / total;
    }
    return REGRET_OK;
}

/* Which agents give one text to every context, of two at least. */
static int find_constant(struct regret_pool_stats *s, const struct regret_pool *pool)
{
    FREED const struct regret_output **first = NULL;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(&first, pool->n_agents));
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        struct regret_agent_stats *agent = &s->agents[o->agent];
        if (first[o->agent] == NULL) {
            first[o->agent] = o;
            agent->constant = agent->quality.n > 1;
        }
        agent->constant &= strcmp(o->text, first[o->agent]->text) == 0;
    }
    return REGRET_OK;
}

static int describe_grid(struct regret_pool_stats *s, const struct regret_pool *pool)
{
    FREED_BY(regret_grid_free_at) struct regret_grid *grid = NULL;
    if (regret_pool_is_of_votes(pool) && s->missing_pairs > 0) {
        return REGRET_OK; /* complete are the votes of one pair of agents */
    }
    TRY(regret_grid_cut(&grid, pool, NULL));
    s->grid_contexts = grid->n_contexts;
    s->grid_agents = grid->n_agents;
    TRY(describe_difficulty(s, grid));
    return decompose(s, grid);
}

static int count_different(size_t *out, const struct regret_pool *pool, size_t j)
{
    struct id_table words = {NULL, 0, 0};
    TRY(id_table_reserve(&words, pool->n_contexts));
    for (size_t x = 0; x < pool->n_contexts; x++) {
        id_table_put(&words, pool->contexts[x].columns[j].word, x);
    }
    *out = words.n;
    id_table_free(&words);
    return REGRET_OK;
}

static int describe_columns(struct regret_pool_stats *s, const struct regret_pool *pool)
{
    TRY(REGRET_NEW(&s->columns, pool->n_columns));
    for (size_t j = 0; j < pool->n_columns; j++) {
        int is_word = pool->columns[j].kind == REGRET_COLUMN_WORD;
        TRY(is_word ? count_different(&s->columns[j].words, pool, j) : REGRET_OK);
        for (size_t x = 0; !is_word && x < pool->n_contexts; x++) {
            double number = pool->contexts[x].columns[j].number;
            s->columns[j].blank += isnan(number) != 0;
            if (!isnan(number)) {
                spread_add(&s->columns[j].number, number);
            }
        }
        spread_finish(&s->columns[j].number);
    }
    return REGRET_OK;
}

int regret_pool_stats_make(struct regret_pool_stats **out, const struct regret_pool *pool)
{
    FREED_BY(regret_pool_stats_free_at) struct regret_pool_stats *s = NULL;
    size_t n = pool->n_components;
    TRY(REGRET_NEW(&s, 1));
    TRY(REGRET_NEW(&s->agents, pool->n_agents));
    TRY(REGRET_NEW(&s->agent_components, pool->n_agents * n));
    TRY(REGRET_NEW(&s->values, n + pool->n_counts + pool->n_aux));
    TRY(REGRET_NEW(&s->histogram, n * REGRET_POOL_BINS));
    TRY(REGRET_NEW(&s->correlation, n * n));
    add_outputs(s, pool);
    finish_outputs(s, pool);
    TRY(find_constant(s, pool));
    correlate(s, pool);
    for (size_t x = 0; x < pool->n_contexts; x++) {
        spread_add(&s->context_words, (double)count_words(pool->contexts[x].text));
    }
    spread_finish(&s->context_words);
    TRY(pool_tags_number(&s->tags, &s->n_tags, NULL, pool, NULL, pool->n_contexts));
    TRY(describe_columns(s, pool));
    TRY(describe_grid(s, pool));
    TRY(regret_pool_extremes(&s->extremes, &s->n_extremes, pool));
    *out = s;
    s = NULL;
    return REGRET_OK;
}

void regret_pool_stats_free(struct regret_pool_stats *s)
{
    if (s == NULL) {
        return;
    }
    regret_free(s->agents);
    regret_free(s->tags);
    regret_free(s->columns);
    regret_free(s->agent_components);
    regret_free(s->values);
    regret_free(s->histogram);
    regret_free(s->correlation);
    regret_free(s->extremes);
    regret_free(s);
}
