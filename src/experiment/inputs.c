#include "experiment/inputs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/threads.h"
#include "experiment/cell_cost.h"
#include "experiment/external.h"
#include "experiment/features.h"
#include "experiment/internal.h"
#include "experiment/pool_source.h"
#include "experiment/population.h"
#include "pool/agreement.h"
#include "pool/votes.h"
#include "regret/evaluate.h"
#include "regret/experiment.h"
#include "regret/status.h"
#include "regret/task.h"

FREED_POINTER(struct run_inputs, run_inputs_free)

/* A controlled world over the texts of a feature set. */
struct world_input {
    struct regret_config config; /* the options it was made by */
    const struct feature_set *features;
    struct regret_controlled_world *world;
};

/* Whether a proxy of the plan reads text statistics or terms of the outputs. */
static int wants_texts(const struct regret_run_plan *plan)
{
    for (size_t c = 0; c < regret_run_plan_cells(plan); c++) {
        struct regret_config config;
        regret_run_plan_cell(&config, plan, c);
        if (config.proxy.kind != REGRET_PROXY_PREDICTED_LABELS) {
            return 1;
        }
    }
    return 0;
}

static int same_features(const struct regret_feature_options *a,
                         const struct regret_feature_options *b)
{
    return a->buckets == b->buckets && a->output == b->output && a->context == b->context &&
           a->overlap == b->overlap && a->shape == b->shape && a->agent == b->agent &&
           a->patch == b->patch && a->tag == b->tag && a->agent_tag == b->agent_tag &&
           a->columns == b->columns && a->agent_columns == b->agent_columns &&
           a->agent_words == b->agent_words && a->seed == b->seed;
}

static int same_spread(const struct regret_spread_options *a, const struct regret_spread_options *b)
{
    return a->within == b->within && a->agents == b->agents && a->contexts == b->contexts &&
           a->noise == b->noise && a->seed == b->seed;
}

static int same_set(const struct regret_config *a, const struct regret_config *b)
{
    return same_spread(&a->spread, &b->spread) && a->grid.policy == b->grid.policy &&
           a->grid.hard_contexts == b->grid.hard_contexts && a->logging_rank == b->logging_rank &&
           a->context_rank == b->context_rank && a->context_sample == b->context_sample &&
           a->solver == b->solver && a->text_max_bytes == b->text_max_bytes &&
           same_features(&a->features, &b->features) &&
           family_list_crosses_words(&a->families) == family_list_crosses_words(&b->families);
}

/* *same: equal in every key that begins with `prefix`. */
static int same_keys(int *same, const struct regret_config *a, const struct regret_config *b,
                     const char *prefix)
{
    struct regret_buffer y = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer x = REGRET_BUFFER_INIT;
    for (size_t i = 0; config_key_at(i) != NULL; i++) {
        const struct config_key *key = config_key_at(i);
        if (strncmp(key->name, prefix, strlen(prefix)) == 0) {
            config_key_json(&x, a, key);
            config_key_json(&y, b, key);
        }
    }
    *same = strcmp(regret_buffer_get(&x), regret_buffer_get(&y)) == 0;
    regret_buffer_free_into(&x, &y);
    return regret_buffer_status(&x);
}

/* The configuration of a cell with the largest budgets of those that share its feature set. */
static struct regret_config with_largest_budgets(const struct regret_config *config,
                                                 const struct regret_run_plan *plan)
{
    struct regret_config largest = *config;
    for (size_t c = 0; c < regret_run_plan_cells(plan); c++) {
        struct regret_config other;
        regret_run_plan_cell(&other, plan, c);
        if (same_set(config, &other)) {
            largest.n_obs = other.n_obs > largest.n_obs ? other.n_obs : largest.n_obs;
            largest.n_exp = other.n_exp > largest.n_exp ? other.n_exp : largest.n_exp;
        }
    }
    return largest;
}

/* *pool: with the scores that a cell reads, another one where these are not the pool's own. */
static int place_pool(const struct regret_pool **pool, struct run_inputs *in,
                      const struct regret_config *config, size_t cells)
{
    size_t i = 0;
    if (!regret_spread_is_on(&config->spread)) {
        return REGRET_OK;
    }
    if (in->spreads == NULL) {
        TRY(REGRET_NEW(&in->spreads, cells));
    }
    while (i < in->n_spreads && !same_spread(&in->spreads[i]->options, &config->spread)) {
        i++;
    }
    if (i == in->n_spreads) {
        TRY(spread_pool_create(&in->spreads[i], *pool, &config->spread));
        in->n_spreads++;
    }
    *pool = &in->spreads[i]->pool;
    return REGRET_OK;
}

/* Finds or makes the feature set of a cell. */
static int place_features(struct run_inputs *in, size_t cell, const struct regret_config *config,
                          const struct regret_run_plan *plan, const struct regret_pool *pool,
                          int texts_wanted)
{
    size_t i = 0;
    while (i < in->n_features && !same_set(&in->features[i]->config, config)) {
        i++;
    }
    in->features_of[cell] = i;
    if (i == in->n_features) {
        const struct regret_config largest = with_largest_budgets(config, plan);
        TRY(place_pool(&pool, in, config, regret_run_plan_cells(plan)));
        TRY(feature_set_create(&in->features[i], &largest, pool, texts_wanted));
        in->n_features++;
    }
    return REGRET_OK;
}

static int create_world(struct world_input *out, const struct feature_set *features,
                        const struct regret_config *config)
{
    const struct regret_world_source source = {.n_contexts = features->grid->n_contexts,
                                               .n_agents = features->grid->n_agents,
                                               .n_draws = features->grid->n_draws,
                                               .first = features->grid->first,
                                               .phi = features->phi,
                                               .context_phi = features->phi_context,
                                               .embedding = features->embedding,
                                               .embedding_rank = features->embedding_rank};
    out->config = *config;
    out->features = features;
    return regret_controlled_world_create(&out->world, &source, &config->world);
}

/* Finds or makes the world of a cell. */
static int place_world(struct run_inputs *in, size_t cell, const struct regret_config *config)
{
    const struct feature_set *features = run_inputs_features(in, cell);
    size_t i = 0;
    for (int same = 0; i < in->n_worlds; i++) {
        TRY(same_keys(&same, &in->worlds[i].config, config, "world."));
        if (same && in->worlds[i].features == features) {
            break;
        }
    }
    in->world_of[cell] = i;
    if (i == in->n_worlds) {
        TRY(create_world(&in->worlds[i], features, config));
        in->n_worlds++;
    }
    return REGRET_OK;
}

/* Is an outcome that of a vote between the two agents that are observed on its context? Other scores, maps and what a policy of
 * the grid fills in say something else. */
static int is_of_votes(const struct run_inputs *in, size_t cell, const struct regret_config *config)
{
    return config->task == REGRET_TASK_POOL && in->spreads == NULL &&
           grid_is_of_votes(run_inputs_features(in, cell)->grid) &&
           strcmp(regret_reward_map_at((size_t)config->reward.map)->name, "smooth") == 0;
}

static int make_votes(struct run_inputs *in)
{
    TRY(REGRET_NEW(&in->votes, in->n_features));
    for (size_t i = 0; i < in->n_features; i++) {
        TRY(grid_votes_make(&in->votes[i], in->features[i]->grid));
    }
    return REGRET_OK;
}

int run_inputs_create(struct run_inputs **out, const struct regret_run_plan *plan,
                      const struct regret_pool *pool)
{
    FREED_BY(run_inputs_free_at) struct run_inputs *in = NULL;
    size_t cells = regret_run_plan_cells(plan);
    int texts_wanted = wants_texts(plan);
    TRY(REGRET_NEW(&in, 1));
    TRY(REGRET_NEW(&in->features_of, cells));
    TRY(REGRET_NEW(&in->features, cells));
    TRY(REGRET_NEW(&in->world_of, cells));
    int votes = pool != NULL;
    for (size_t c = 0; c < cells; c++) {
        struct regret_config config;
        regret_run_plan_cell(&config, plan, c);
        TRY(place_features(in, c, &config, plan, pool, texts_wanted));
        if (config.task == REGRET_TASK_WORLD) {
            TRY(in->worlds == NULL ? REGRET_NEW(&in->worlds, cells) : REGRET_OK);
            TRY(place_world(in, c, &config));
        }
        votes = votes && is_of_votes(in, c, &config);
    }
    TRY(votes ? make_votes(in) : REGRET_OK);
    *out = in;
    in = NULL;
    return REGRET_OK;
}

void run_inputs_free(struct run_inputs *in)
{
    if (in == NULL) {
        return;
    }
    for (size_t i = 0; i < in->n_worlds; i++) {
        regret_controlled_world_free(in->worlds[i].world);
    }
    for (size_t i = 0; in->votes != NULL && i < in->n_features; i++) {
        grid_votes_free(&in->votes[i]);
    }
    regret_free(in->votes);
    for (size_t i = 0; i < in->n_features; i++) {
        feature_set_free(in->features[i]);
    }
    for (size_t i = 0; i < in->n_spreads; i++) {
        spread_pool_free(in->spreads[i]);
    }
    regret_free(in->spreads);
    external_close(in->external);
    regret_free(in->features);
    regret_free(in->features_of);
    regret_free(in->worlds);
    regret_free(in->world_of);
    regret_free(in);
}

const struct feature_set *run_inputs_features(const struct run_inputs *in, size_t cell)
{
    return in->features[in->features_of[cell]];
}

const struct regret_controlled_world *run_inputs_world(const struct run_inputs *in, size_t cell)
{
    return in->n_worlds > 0 ? in->worlds[in->world_of[cell]].world : NULL;
}

double run_inputs_clipped(const struct run_inputs *in, size_t cell)
{
    const struct regret_pool *pool = run_inputs_features(in, cell)->grid->pool;
    for (size_t i = 0; i < in->n_spreads; i++) {
        if (&in->spreads[i]->pool == pool) {
            return (double)in->spreads[i]->clipped / (double)(pool->n_outputs * pool->n_components);
        }
    }
    return NAN;
}

size_t run_inputs_folds(const struct run_inputs *in, const struct regret_run_plan *plan)
{
    size_t most = 0;
    for (size_t cell = 0; cell < regret_run_plan_cells(plan); cell++) {
        struct regret_config config;
        regret_run_plan_cell(&config, plan, cell);
        size_t folds = context_folds(&config, run_inputs_features(in, cell)->grid);
        most = folds > most ? folds : most;
    }
    return most;
}

size_t run_inputs_tags(const struct run_inputs *in)
{
    size_t most = 0;
    for (size_t i = 0; i < in->n_features; i++) {
        size_t n = in->features[i]->grid->n_tags;
        most = n > most ? n : most;
    }
    return most;
}

size_t run_inputs_labels(const struct run_inputs *in, size_t cell)
{
    const struct regret_controlled_world *world = run_inputs_world(in, cell);
    return world != NULL ? world->options.labels : run_inputs_features(in, cell)->grid->pool->n_aux;
}

int run_inputs_task(struct regret_task **out, const struct run_inputs *in, size_t cell,
                    const struct regret_config *config)
{
    const struct feature_set *f = run_inputs_features(in, cell);
    const struct regret_cached_source source = {f->grid, f->embedding, f->embedding_rank, f->aux};
    struct regret_cached_task *task = NULL;
    if (config->task == REGRET_TASK_WORLD) {
        return regret_world_task_create(out, run_inputs_world(in, cell), config->logging.beta);
    }
    TRY(regret_cached_task_create(&task, &source, &config->reward, &config->outcome,
                                  &config->logging));
    *out = &task->base;
    return REGRET_OK;
}

/* What the logging policy and the proxies of a cached pool ask for. */
static int check_pool_cell(const struct feature_set *features, const struct regret_config *config)
{
    const struct regret_grid *g = features->grid;
    double *reward = NULL;
    TRY(regret_reward_build(&reward, g, &config->reward));
    regret_free(reward);
    if (config->logging.slate > g->n_agents) {
        return regret_fail(REGRET_E_INPUT,
                           "router.slate = %zu cannot be drawn from the %s's %zu agent%s%s; use "
                           "--set router.slate=%zu or less",
                           config->logging.slate, g->dropped_agents > 0 ? "grid" : "pool",
                           g->n_agents, g->n_agents == 1 ? "" : "s",
                           g->dropped_agents > 0 ? " (grid.policy leaves out those with missing "
                                                   "outputs; 'regret pool show' counts them)"
                                                 : "",
                           g->n_agents);
    }
    if (config->proxy.kind == REGRET_PROXY_PREDICTED_LABELS && g->pool->n_aux == 0) {
        return regret_fail(REGRET_E_INPUT, "proxy.kind = \"predicted-labels\" needs aux labels, "
                                           "and the pool has none; use \"tfidf-svd\"");
    }
    return REGRET_OK;
}

/* Curves lead from the cheapest agent to the dearest, and a budget is above the one. */
static int check_costs(const struct regret_grid *grid, const struct regret_config *config)
{
    double low = INFINITY, high = -INFINITY;
    if (!config->details) {
        return regret_fail(REGRET_E_INPUT, "costs.enabled keeps lists in the rows, and details is "
                                           "false; --set details=true, or costs.enabled=false");
    }
    for (size_t a = 0; a < grid->n_agents; a++) {
        double cost = grid->pool->agents[grid->agents[a]].cost;
        low = fmin(low, cost);
        high = fmax(high, cost);
    }
    if (!(high > low)) {
        return regret_fail(REGRET_E_INPUT,
                           "costs.enabled: the %zu agent%s of the grid cost%s %g each, so that no "
                           "price tells them apart; give pool.json their costs, or --set "
                           "costs.enabled=false",
                           grid->n_agents, grid->n_agents == 1 ? "" : "s",
                           grid->n_agents == 1 ? "s" : "", low);
    }
    return config->budget == 0.0 || config->budget >= low
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "costs.budget = %g is less than the cheapest agent costs, %g; use "
                             "--set costs.budget=%g or more",
                             config->budget, low, low);
}

static int check_cell(const struct feature_set *features, const struct regret_config *config)
{
    size_t folds = context_folds(config, features->grid);
    /* No fold of a number of them is smaller than the last; those of tags are as large as they are. */
    size_t first = config->split == REGRET_SPLIT_ONE_KIND ? 0 : folds - 1;
    for (size_t fold = first; fold < folds; fold++) {
        struct regret_split *split = NULL;
        TRY(context_split_make(&split, features->grid, config, fold, 0));
        regret_split_free(split);
    }
    TRY(cell_check_solver(config, features));
    TRY(config->costs ? check_costs(features->grid, config) : REGRET_OK);
    return config->task == REGRET_TASK_POOL ? check_pool_cell(features, config) : REGRET_OK;
}

/* Every cell's draws must be possible before anything is written; `path` is the configuration's. */
static int run_inputs_check(const struct run_inputs *in, const struct regret_run_plan *plan,
                            const char *path)
{
    for (size_t c = 0; c < regret_run_plan_cells(plan); c++) {
        struct regret_config config;
        regret_run_plan_cell(&config, plan, c);
        int rc = check_cell(run_inputs_features(in, c), &config);
        if (rc != REGRET_OK) {
            return regret_fail_prefix(rc, "%s: cell %zu", path, c);
        }
    }
    return REGRET_OK;
}

int run_open_plan(struct regret_run_plan **out, const struct regret_run_options *o)
{
    return o->config_text == NULL ? regret_run_plan_read(out, o->config, o->sets, o->n_sets)
                                  : regret_run_plan_parse(out, o->config_text, o->config_length,
                                                          o->config, o->sets, o->n_sets);
}

/* After a grid could not be cut: is it because more hard contexts are asked for than there are? */
static int explain_grid(int rc, const struct regret_run_plan *plan, const struct regret_pool *pool,
                        const char *path)
{
    char reason[1024];
    snprintf(reason, sizeof reason, "%s", regret_error_message());
    for (size_t c = 0; rc == REGRET_E_INPUT && c < regret_run_plan_cells(plan); c++) {
        struct regret_config config;
        struct regret_grid *whole = NULL;
        regret_run_plan_cell(&config, plan, c);
        size_t hard = config.grid.hard_contexts;
        config.grid.hard_contexts = 0;
        if (hard <= 1 || regret_grid_cut(&whole, pool, &config.grid) != REGRET_OK) {
            continue;
        }
        size_t n = whole->n_contexts;
        regret_grid_free(whole);
        if (hard > n) {
            return regret_fail(rc,
                               "%s: contexts.hard = %zu, but the grid of pool \"%s\" has %zu; "
                               "--set contexts.hard=0 keeps them all",
                               path, hard, pool->name, n);
        }
    }
    return regret_fail(rc, "%s", reason);
}

/* Says who is in no order by votes. */
static int tell_apart(const struct run_inputs *in, regret_notice_callback *notice, void *context)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t i = 0; in->votes != NULL && i < in->n_features && text.length == 0; i++) {
        TRY(grid_votes_caution(&text, &in->votes[i]));
    }
    if (text.length > 0) {
        notice(context, regret_buffer_get(&text));
    }
    return REGRET_OK;
}

int run_open_inputs(struct run_inputs **out, const struct regret_run_plan *plan,
                    const struct regret_pool *pool, const char *path,
                    const struct regret_command_options *commands, regret_notice_callback *notice,
                    void *notice_context)
{
    struct run_inputs *inputs = NULL;
    TRY(external_check_allowed(plan, commands, path));
    struct regret_config first;
    regret_run_plan_cell(&first, plan, 0);
    struct memory_left before;
    memory_left(&before);
    int rc = run_inputs_create(&inputs, plan, pool);
    if (rc != REGRET_OK) {
        return explain_grid(pool_source_explain(rc, &first, &before, 1), plan, pool, path);
    }
    TRY_CLEANUP(run_inputs_check(inputs, plan, path));
    TRY_CLEANUP(notice != NULL ? tell_apart(inputs, notice, notice_context) : REGRET_OK);
    TRY_CLEANUP(external_open(&inputs->external, plan, pool, commands));
    *out = inputs;
    inputs = NULL;
cleanup:
    run_inputs_free(inputs);
    return rc;
}
