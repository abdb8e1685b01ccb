#include "import/guess_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "import/guess.h"
#include "import/profile.h"
#include "import/table_source.h"
#include "pool/grid_policy.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* Pairs of a context and an agent: those that a run would keep of a table with holes, and how the draws of one differ. */

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

/* The table read once more: for what the columns hold together, and by import, by the map that was guessed. */

static int take_next(int *more, struct table_source *source, guess_take_row *take, void *context)
{
    TRY(table_source_next(source, more));
    return *more ? take(context, source) : REGRET_OK;
}

/* The next row, or that there is none; of a bad one, of which import speaks when it comes to it, nothing is taken. */
static int next_row(int *more, struct table_source *source, guess_take_row *take, void *context)
{
    int rc = take_next(more, source, take, context);
    if (rc != REGRET_E_INPUT || source->over) {
        return rc;
    }
    *more = 1;
    return take(context, NULL);
}

int guess_read(const struct table_guess *g, const char *path, const char *const *field,
               size_t n_fields, guess_take_row *take, void *context)
{
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct table_source source = {0};
    int more = 1, rc;
    options.layout = g->is_json ? REGRET_TABLE_LAYOUT_JSONL : REGRET_TABLE_LAYOUT_CSV;
    options.separator = g->separator;
    TRY_CLEANUP(table_source_open(&source, path, &options, field, n_fields, NULL));
    source.decimal_comma = g->profile.decimal_comma;
    for (size_t row = 0; more && row < g->profile.rows; row++) {
        TRY_CLEANUP(next_row(&more, &source, take, context));
    }
cleanup:
    table_source_close(&source);
    return rc == REGRET_E_INPUT ? REGRET_OK : rc;
}

/* ---------------------------------------------------------------- numbers */

/* Numbers that may be scores, or tell of contexts. */
static int is_looked_at(const struct table_guess *g, size_t k)
{
    const struct profile_column *c = &g->profile.column[k];
    enum guess_role role = g->role[k];
    return c->numbers > 0 && column_fits_map(c->name) &&
           (role == GUESS_NONE || role == GUESS_OWN || role == GUESS_COMPONENT ||
            role == GUESS_AUX) &&
           (2 * c->numbers > c->filled || g->is_score[k]);
}

int guess_numbers_take(struct table_guess *g)
{
    const struct table_profile *p = &g->profile;
    struct guess_numbers *x = &g->numbers;
    TRY(REGRET_NEW(&x->column, p->n_columns));
    for (size_t k = 0; k < p->n_columns; k++) {
        if (is_looked_at(g, k)) {
            x->column[x->m++] = k;
        }
    }
    if (x->m == 0) {
        return REGRET_OK;
    }
    x->n = p->rows;
    TRY(REGRET_NEW(&x->value, x->n * x->m));
    for (size_t i = 0; i < x->n; i++) {
        for (size_t j = 0; j < x->m; j++) {
            x->value[i * x->m + j] = p->number[i * p->n_columns + x->column[j]];
        }
    }
    return REGRET_OK;
}

size_t guess_numbers_place(const struct guess_numbers *x, size_t k)
{
    size_t j = 0;
    while (j < x->m && x->column[j] != k) {
        j++;
    }
    return j < x->m ? j : GUESS_NO_COLUMN;
}

void guess_numbers_free(struct guess_numbers *x)
{
    regret_free(x->column);
    regret_free(x->value);
    *x = (struct guess_numbers){0};
}

/* ---------------------------------------------------------------- by import */

struct first_note {
    char *text; /* owned */
    int failed; /* 1: there was no memory for it */
};

/* Keeps what is said of the first bad row. */
static void take_note(void *context, const char *message)
{
    struct first_note *first = context;
    if (first->text == NULL) {
        first->failed |= regret_strdup(&first->text, message) != REGRET_OK;
    }
}

/* Hashes of agents and of contexts that they were asked: pairs of a long table; of a wide one, answers that are there. */
static int find_asked(struct profile_pair **out, size_t *n, const struct table_guess *g)
{
    const struct table_profile *p = &g->profile;
    const uint64_t blank = regret_hash64("", 0);
    size_t field = 0;
    if (!g->is_wide) {
        return table_profile_distinct(out, n, p, g->at[GUESS_AGENT], g->at[GUESS_CONTEXT]);
    }
    while (field < g->wide.n_fields && g->wide.field[field].role != GUESS_OUTPUT) {
        field++;
    }
    *n = 0;
    TRY(REGRET_NEW(out, p->rows * g->wide.n_agents));
    for (size_t a = 0; field < g->wide.n_fields && a < g->wide.n_agents; a++) {
        const char *name = g->wide.agent[a], *pattern = g->wide.field[field].over.name;
        size_t k = 0;
        while (k < p->n_columns && !guess_wide_is_column(p->column[k].name, pattern, name)) {
            k++;
        }
        for (size_t i = 0; k < p->n_columns && i < p->rows; i++) {
            const uint64_t *row = &p->cell[i * p->n_columns];
            (*out)[*n] =
                (struct profile_pair){regret_hash64(name, strlen(name)), row[g->at[GUESS_CONTEXT]]};
            *n += row[k] != blank;
        }
    }
    return REGRET_OK;
}

/* The agent who was asked the most contexts that have no score: whose blanks may mean something. */
static int find_lacking(struct table_guess *g, const struct regret_pool *pool)
{
    FREED struct profile_pair *asked = NULL;
    FREED size_t *pairs = NULL;
    FREED uint64_t *hash = NULL;
    size_t n = 0, agent = 0;
    g->lacks = 0;
    TRY(find_asked(&asked, &n, g));
    TRY(REGRET_NEW(&pairs, pool->n_agents));
    TRY(REGRET_NEW(&hash, pool->n_agents));
    for (size_t i = 0; i < pool->n_outputs; i++) {
        pairs[pool->outputs[i].agent] += pool->outputs[i].draw == 0;
    }
    for (size_t a = 0; a < pool->n_agents; a++) {
        const char *name = regret_agent_name(&pool->agents[a]);
        hash[a] = regret_hash64(name, strlen(name));
    }
    for (size_t i = 0, end; i < n; i = end) {
        size_t a = 0;
        for (end = i + 1; end < n && asked[end].a == asked[i].a; end++) {
        }
        while (a < pool->n_agents && hash[a] != asked[i].a) {
            a++;
        }
        if (a < pool->n_agents && end - i > pairs[a] + g->lacks) {
            g->lacks = end - i - pairs[a];
            g->lacks_of = end - i;
            agent = a;
        }
    }
    regret_free(g->lacking);
    g->lacking = NULL;
    return g->lacks > 0 ? regret_strdup(&g->lacking, regret_agent_name(&pool->agents[agent]))
                        : REGRET_OK;
}

static int import_once(struct table_guess *g, const char *path, const char *map_path)
{
    struct regret_table_options options = g->import;
    struct regret_pool *pool = NULL;
    struct first_note first = {NULL, 0};
    int rc;
    options.into = &pool;
    options.note = take_note;
    options.note_context = &first;
    TRY_CLEANUP(regret_import_table(&g->imported, path, map_path, NULL, &options, 0));
    TRY_CLEANUP(first.failed ? regret_fail(REGRET_E_NOMEM, "out of memory: a note") : REGRET_OK);
    rc = options.drop_unscored && !g->votes.is_found && !g->profile.cut &&
                 !(g->is_wide && options.repeats == REGRET_REPEATS_DRAWS)
             ? find_lacking(g, pool)
             : REGRET_OK;
cleanup:
    regret_pool_free(pool);
    regret_free(g->refused);
    g->refused = first.text;
    return rc;
}

static int keep_refusal(struct table_guess *g)
{
    g->fails = 1;
    regret_free(g->refused);
    g->refused = NULL;
    return regret_strdup(&g->refused, regret_error_message());
}

/* What is left counts: the configuration must fit it. */
static void take_counts(struct table_guess *g)
{
    const struct regret_table_report *r = &g->imported;
    g->lost_agents = g->agents > r->agents ? g->agents - r->agents : 0;
    g->lost_contexts =
        !g->votes.is_found && g->contexts > r->contexts ? g->contexts - r->contexts : 0;
    g->pairs = !g->votes.is_found && r->pairs < g->pairs ? r->pairs : g->pairs;
    if (g->lost_agents + g->lost_contexts > 0) {
        g->agents -= g->lost_agents;
        g->contexts -= g->lost_contexts;
        g->grid_agents = g->grid_agents < g->agents ? g->grid_agents : g->agents;
        g->grid_contexts = g->grid_contexts < g->contexts ? g->grid_contexts : g->contexts;
    }
}

int table_guess_try(struct table_guess *g, const char *path, const char *map_path)
{
    int *const more[] = {&g->import.drop_unscored, &g->import.skip_bad};
    int drops = g->import.drop_unscored, rc = import_once(g, path, map_path);
    for (size_t i = 0; i < 2 && rc == REGRET_E_INPUT; i++) {
        *more[i] = 1;
        rc = import_once(g, path, map_path);
    }
    if (rc == REGRET_E_INPUT) {
        return keep_refusal(g);
    }
    TRY(rc);
    g->import.drop_unscored = drops || g->imported.unscored > 0; /* not where it drops nothing */
    take_counts(g);
    g->fails = (g->lost_agents > 0 && g->imported.bad > 0) || g->agents < 2;
    return REGRET_OK;
}
