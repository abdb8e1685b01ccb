/* A guess held against the table: does import take it by the map? */
#include "base/core/try.h"
#include "import/guess/guess.h"
#include "regret/alloc.h"

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

/* The agent with the most holes: whose blanks may mean something. */
static int find_lacking(struct table_guess *g, const struct regret_pool *pool)
{
    size_t *pairs = NULL, least = 0;
    TRY(REGRET_NEW(&pairs, pool->n_agents));
    for (size_t i = 0; i < pool->n_outputs; i++) {
        pairs[pool->outputs[i].agent] += pool->outputs[i].draw == 0;
    }
    for (size_t a = 1; a < pool->n_agents; a++) {
        least = pairs[a] < pairs[least] ? a : least;
    }
    g->lacks = pool->n_agents > 0 ? pool->n_contexts - pairs[least] : 0;
    regret_free(pairs);
    regret_free(g->lacking);
    g->lacking = NULL;
    return g->lacks > 0 ? regret_strdup(&g->lacking, regret_agent_name(&pool->agents[least]))
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
    rc = options.drop_unscored ? find_lacking(g, pool) : REGRET_OK;
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
