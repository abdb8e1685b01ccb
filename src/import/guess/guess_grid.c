/* Pairs of a context and an agent: those that a run would keep of a table with holes, and how the draws of one differ. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "import/guess/guess.h"
#include "pool/grid/grid_policy.h"
#include "regret/alloc.h"
#include "regret/hash.h"

FREED_FIELDS(regret_pool, of->outputs)

/* The n pairs of context and agent as outputs of the pool, whose agents are these. */
static int make_outputs(struct regret_pool *pool, const struct profile_pair *pair, size_t n,
                        const struct profile_pair *agents)
{
    uint32_t context = 0;
    TRY(REGRET_NEW(&pool->outputs, n));
    pool->n_outputs = n;
    for (size_t i = 0; i < n; i++) {
        const struct profile_pair key = {pair[i].b, pair[i].b};
        const struct profile_pair *agent =
            bsearch(&key, agents, pool->n_agents, sizeof *agents, profile_pair_compare);
        context += i > 0 && pair[i].a != pair[i - 1].a;
        pool->outputs[i] =
            (struct regret_output){.context = context, .agent = (uint32_t)(agent - agents)};
    }
    return REGRET_OK;
}

static int find_largest(struct table_guess *g, const struct regret_pool *pool)
{
    FREED_BY(pool_pairs_free) struct pool_pairs pairs = {NULL, 0, NULL};
    FREED_BY(grid_kept_free) struct grid_kept kept = {NULL, NULL, 0, 0};
    TRY(pool_pairs_make(&pairs, pool));
    TRY(grid_keep_all(&kept, pool));
    TRY(grid_drop_greedily(&kept, pool, &pairs));
    g->grid_contexts = kept.n_contexts;
    g->grid_agents = kept.n_agents;
    return REGRET_OK;
}

int guess_grid(struct table_guess *g)
{
    size_t context = g->at[GUESS_CONTEXT], agent = g->at[GUESS_AGENT], n = 0;
    FREED_BY(regret_pool_fields) struct regret_pool pool = {.n_contexts = g->contexts};
    FREED struct profile_pair *pair = NULL, *agents = NULL;
    g->grid_contexts = g->contexts;
    g->grid_agents = g->agents;
    if (g->is_wide || g->pairs == g->contexts * g->agents) {
        return REGRET_OK;
    }
    TRY(table_profile_distinct(&pair, &n, &g->profile, context, agent));
    TRY(table_profile_distinct(&agents, &pool.n_agents, &g->profile, agent, agent));
    TRY(make_outputs(&pool, pair, n, agents));
    return find_largest(g, &pool);
}

/* The draws of a pair stand together once rows are in the order of a hash of theirs. */
int guess_spread(struct table_guess *g)
{
    const struct table_profile *p = &g->profile;
    struct profile_pair *row = NULL;
    double squares = 0.0;
    size_t score = 0, freedom = 0;
    while (score < p->n_columns && !g->is_score[score]) {
        score++;
    }
    TRY(REGRET_NEW(&row, p->rows));
    for (size_t i = 0; i < p->rows; i++) {
        const uint64_t *cell = &p->cell[i * p->n_columns];
        uint64_t key[2] = {cell[g->at[GUESS_CONTEXT]], cell[g->at[GUESS_AGENT]]};
        row[i] = (struct profile_pair){regret_hash64(key, sizeof key), i};
    }
    qsort(row, p->rows, sizeof *row, profile_pair_compare);
    for (size_t i = 0, end; i < p->rows && score < p->n_columns; i = end) {
        double sum = 0.0, square = 0.0, n = 0.0;
        for (end = i; end < p->rows && row[end].a == row[i].a; end++) {
            double x = p->number[row[end].b * p->n_columns + score];
            sum += isnan(x) ? 0.0 : x;
            square += isnan(x) ? 0.0 : x * x;
            n += !isnan(x);
        }
        squares += n > 0.0 ? square - sum * sum / n : 0.0;
        freedom += n > 1.0 ? (size_t)n - 1 : 0;
    }
    g->spread = freedom > 0 ? sqrt(fmax(squares, 0.0) / (double)freedom) : NAN;
    regret_free(row);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- contexts that are one */

enum { LONG_TEXT = 20 };

/* Whether column k is a text that follows from the contexts. */
static int is_text_of_context(int *out, const struct table_guess *g, size_t k)
{
    const struct profile_column *c = &g->profile.column[k];
    *out = 0;
    return k != g->at[GUESS_CONTEXT] && c->numbers == 0 && c->filled == g->profile.rows &&
                   c->mean_bytes >= LONG_TEXT
               ? table_profile_follows(out, &g->profile, k, g->at[GUESS_CONTEXT])
               : REGRET_OK;
}

/* A column that is called as texts are is an id all the same by a word for one, "prompt_id", or by its values of single words. */
static int may_be_id(const struct profile_column *c)
{
    return column_words(c->name, GUESS_TEXT) == 0 || column_words(c->name, COLUMN_ID) > 0 ||
           (c->mean_bytes < LONG_TEXT && strchr(c->other.text, ' ') == NULL);
}

/* Requests that come again under other ids are no new ones: where a text does for a tenth of them, and tells all others that a context has, it is the
 * context. */
int guess_copies_find(struct table_guess *g)
{
    const struct profile_column *c = g->profile.column;
    size_t id = g->at[GUESS_CONTEXT], found = GUESS_NO_COLUMN;
    int is_told = g->context == GUESS_NO_COLUMN && may_be_id(&c[id]);
    for (size_t k = 0; k < g->profile.n_columns && is_told; k++) {
        int is_text = 0;
        TRY(is_text_of_context(&is_text, g, k));
        int is_request = is_text && column_words(c[k].name, GUESS_TEXT) > 0 &&
                         column_words(c[k].name, GUESS_TAG) == 0;
        found = is_request && c[k].distinct < c[id].distinct ? k : found;
    }
    for (size_t k = 0; k < g->profile.n_columns && found != GUESS_NO_COLUMN; k++) {
        int is_text = 0, follows = 1;
        TRY(is_text_of_context(&is_text, g, k));
        TRY(is_text ? table_profile_follows(&follows, &g->profile, k, found) : REGRET_OK);
        found = follows ? found : GUESS_NO_COLUMN;
    }
    if (found != GUESS_NO_COLUMN && 10 * c[found].distinct >= 9 * c[id].distinct) {
        g->again = c[id].distinct - c[found].distinct;
        found = GUESS_NO_COLUMN;
    }
    g->ids = found != GUESS_NO_COLUMN ? id : GUESS_NO_COLUMN;
    g->at[GUESS_CONTEXT] = found != GUESS_NO_COLUMN ? found : id;
    return REGRET_OK;
}
