/* A model of a run. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "experiment/pool_source.h"
#include "experiment/population.h"
#include "model/model.h"
#include "pool/agreement.h"
#include "pool/votes.h"
#include "regret/buffer.h"
#include "regret/experiment.h"
#include "regret/status.h"
#include "regret/task.h"

FREED_POINTER(struct regret_run_plan, regret_run_plan_free)
FREED_POINTER(struct spread_pool, spread_pool_free)
FREED_POINTER(cJSON, cJSON_Delete)
FREED_POINTER(struct regret_pool, regret_pool_free)

/* What a model is made from, of a run. */
struct origin {
    struct regret_config config;
    struct regret_buffer settings; /* a JSON object of the keys that a model depends on */
    char *digest;                  /* of the pool that was run on; owned */
};

static void origin_clear(struct origin *o)
{
    regret_buffer_free(&o->settings);
    regret_free(o->digest);
}

/* The keys by which scores, contexts and words of a cell are told from another's. */
static int shapes_a_model(const char *key)
{
    static const char *const beginnings[] = {"reward.", "spread.", "grid.",     "contexts.hard",
                                             "synth.",  "text.",   "features.b"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        if (strncmp(key, beginnings[i], strlen(beginnings[i])) == 0) {
            return 1;
        }
    }
    return 0;
}

static void put_settings(struct regret_buffer *out, const struct regret_config *config)
{
    struct regret_key_help key;
    size_t n = 0;
    regret_buffer_append(out, "{");
    for (size_t i = 0; regret_config_key(&key, i); i++) {
        if (shapes_a_model(key.name)) {
            regret_buffer_printf(out, "%s\"%s\":", n++ > 0 ? "," : "", key.name);
            regret_config_key_json(out, config, i);
        }
    }
    regret_buffer_append(out, "}");
}

/* The one cell that is meant. */
static int choose_cell(struct origin *out, const struct regret_run_plan *plan, size_t cell,
                       const char *path)
{
    size_t n = regret_run_plan_cells(plan);
    if (cell != REGRET_MODEL_ANY_CELL && cell >= n) {
        return regret_fail(REGRET_E_INPUT, "%s: there is no cell %zu; the run has %zu, from 0",
                           path, cell, n);
    }
    regret_run_plan_cell(&out->config, plan, cell == REGRET_MODEL_ANY_CELL ? 0 : cell);
    put_settings(&out->settings, &out->config);
    for (size_t c = 1; cell == REGRET_MODEL_ANY_CELL && c < n; c++) {
        struct regret_config other;
        struct regret_buffer settings = REGRET_BUFFER_INIT;
        regret_run_plan_cell(&other, plan, c);
        put_settings(&settings, &other);
        int differs = strcmp(regret_buffer_get(&settings), regret_buffer_get(&out->settings)) != 0;
        regret_buffer_free_into(&out->settings, &settings);
        if (differs) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: its cells have different rewards, grids or words (cell 0 and "
                               "cell %zu); say which is meant with --cell N",
                               path, c);
        }
    }
    return regret_buffer_status(&out->settings);
}

/* The digest that run.json has of its pool. */
static int read_digest(struct origin *out, const char *path)
{
    const struct regret_place at = {path, 0};
    const cJSON *pool = NULL;
    const char *digest = NULL;
    FREED_BY(cJSON_Delete_at) cJSON *json = NULL;
    TRY(regret_json_read_file(&json, path));
    TRY(regret_json_get_object(&pool, json, "pool", at));
    TRY(regret_json_get_string(&digest, pool, "digest", at));
    return regret_strdup(&out->digest, digest);
}

static int origin_read(struct origin *out, const char *run_folder, size_t cell)
{
    FREED_BY(regret_run_plan_free_at) struct regret_run_plan *plan = NULL;
    FREED char *path = NULL;
    TRY(regret_path_join(&path, run_folder, "run.json"));
    TRY(read_digest(out, path));
    TRY(regret_run_plan_read(&plan, path, NULL, 0));
    TRY(choose_cell(out, plan, cell, path));
    if (out->config.task == REGRET_TASK_WORLD) {
        return regret_fail(
            REGRET_E_INPUT,
            "%s: a controlled world rewards outputs by their words alone and draws them "
            "anew; a model of new requests wants a run on the scores of a pool",
            path);
    }
    return REGRET_OK;
}

/* ---- the scores ---- */

/* Arrays of a grid in the form of struct regret_model_data; all owned, what they point to is not. */
struct scores {
    struct regret_grid *grid;
    double *reward, *target;
    const char **text, **tag, **agent;
    const struct regret_covariate **covariate;
    int votes; /* 1: they are values of agents and what votes say beside */
};

static void scores_clear(struct scores *s)
{
    regret_grid_free(s->grid);
    regret_free(s->reward);
    regret_free(s->target);
    regret_free(s->text);
    regret_free(s->tag);
    regret_free(s->covariate);
    regret_free(s->agent);
}

/* Where nothing was observed and nothing put in its place there is no score. */
static void mark_holes(struct scores *s)
{
    const struct regret_grid *g = s->grid;
    for (size_t cell = 0; g->imputed == 0 && cell < g->n_contexts * g->n_agents; cell++) {
        s->target[cell] = g->outputs[regret_grid_first(g, cell)] != NULL ? s->target[cell] : NAN;
    }
}

/* The share of a vote that the agent has won, ties as halves: the mean of the draws there are. */
static double won_on(const struct regret_grid *g, size_t x, size_t agent)
{
    size_t cell = x * g->n_agents + agent, first = regret_grid_first(g, cell);
    size_t end = regret_grid_first(g, cell + 1);
    double sum = 0.0;
    for (size_t p = first; p < end; p++) {
        sum += regret_grid_quality(g, p, 0);
    }
    return sum / (double)(end - first);
}

/* How much of what a vote says over a's chance against b differences of values are met by, where a does by as much better
 * against all of m agents. */
static double share_of_vote(size_t m)
{
    return (double)m / (2.0 * (double)(m - 1));
}

/* In the place of a's win s from b: the value of a, and that share of what s has over a's chance against b. */
static int put_values(struct scores *s)
{
    FREED_BY(grid_votes_free) struct grid_votes v = {0};
    size_t m = s->grid->n_agents;
    TRY(grid_votes_make(&v, s->grid));
    for (size_t x = 0; x < s->grid->n_contexts; x++) {
        for (size_t k = 0; k < 2; k++) {
            size_t a = regret_grid_observed_agent(s->grid, x, k);
            size_t b = regret_grid_observed_agent(s->grid, x, 1 - k);
            double won = won_on(s->grid, x, a);
            double value = v.fit->agents[a].value;
            double over = won + grid_votes_as_met(&v, a, b) - value;
            s->target[x * m + a] += value + share_of_vote(m) * over - won;
        }
    }
    return REGRET_OK;
}

static int scores_read(struct scores *s, const struct regret_config *config,
                       const struct regret_pool *pool)
{
    TRY(regret_grid_cut(&s->grid, pool, &config->grid));
    TRY(regret_reward_build(&s->reward, s->grid, &config->reward));
    TRY(regret_target_build(&s->target, s->grid, s->reward));
    mark_holes(s);
    s->votes = grid_is_of_votes(s->grid);
    if (s->votes) {
        TRY(put_values(s));
    }
    TRY(REGRET_NEW(&s->text, s->grid->n_contexts));
    TRY(REGRET_NEW(&s->tag, s->grid->n_contexts));
    TRY(REGRET_NEW(&s->covariate, s->grid->n_contexts));
    TRY(REGRET_NEW(&s->agent, s->grid->n_agents));
    for (size_t x = 0; x < s->grid->n_contexts; x++) {
        s->text[x] = regret_grid_context_text(s->grid, x);
        s->tag[x] = pool->contexts[s->grid->contexts[x]].tag;
        s->covariate[x] = pool->contexts[s->grid->contexts[x]].columns;
    }
    for (size_t a = 0; a < s->grid->n_agents; a++) {
        s->agent[a] = regret_agent_name(&pool->agents[s->grid->agents[a]]);
    }
    return REGRET_OK;
}

static int fit_pool(struct regret_model **out, const struct origin *o,
                    const struct regret_pool *pool, size_t threads)
{
    FREED_BY(spread_pool_free_at) struct spread_pool *spread = NULL;
    FREED_BY(scores_clear) struct scores s = {0};
    if (regret_spread_is_on(&o->config.spread)) {
        TRY(spread_pool_create(&spread, pool, &o->config.spread));
    }
    TRY(scores_read(&s, &o->config, spread != NULL ? &spread->pool : pool));
    const struct regret_model_data data = {.n_contexts = s.grid->n_contexts,
                                           .n_agents = s.grid->n_agents,
                                           .text = s.text,
                                           .tag = s.tag,
                                           .agent = s.agent,
                                           .column = s.grid->pool->columns,
                                           .covariate = s.covariate,
                                           .n_columns = s.grid->pool->n_columns,
                                           .target = s.target,
                                           .features = o->config.features,
                                           .max_bytes = o->config.text_max_bytes,
                                           .pool = pool->name,
                                           .pool_digest = pool->digest,
                                           .settings = regret_buffer_get(&o->settings)};
    TRY(regret_model_fit(out, &data, threads));
    if (s.votes) { /* intervals hold a whole vote */
        (*out)->value_factor /= share_of_vote(s.grid->n_agents);
    }
    return REGRET_OK;
}

int regret_model_of_run(struct regret_model **out, const char *run_folder, size_t cell,
                        size_t threads)
{
    FREED_BY(origin_clear) struct origin o = {.settings = REGRET_BUFFER_INIT};
    FREED_BY(regret_pool_free_at) struct regret_pool *pool = NULL;
    FREED_BY(regret_threads_restore) size_t before = regret_threads_allow(threads);
    TRY(origin_read(&o, run_folder, cell));
    int rc = pool_source_open(&pool, &o.config);
    if (rc == REGRET_E_INPUT || rc == REGRET_E_IO) {
        return regret_fail_suffix(rc, "; paths of a run begin in the folder that it was made in");
    }
    TRY(rc);
    if (strcmp(pool->digest, o.digest) != 0) {
        return regret_fail(
            REGRET_E_INPUT,
            "%s: pool %s is not the one that was run on (its digest is %s, the run's "
            "%s); run again, or put the pool back",
            run_folder, o.config.pool, pool->digest, o.digest);
    }
    return fit_pool(out, &o, pool, threads);
}

int regret_model_check_run(const struct regret_model *model, const char *run_folder, size_t cell)
{
    FREED_BY(origin_clear) struct origin o = {.settings = REGRET_BUFFER_INIT};
    TRY(origin_read(&o, run_folder, cell));
    if (strcmp(model->pool_digest, o.digest) != 0) {
        return regret_fail(
            REGRET_E_INPUT,
            "the model was made of another pool than %s was run on (%s, digest %s and "
            "%s); make it anew",
            run_folder, model->pool, model->pool_digest, o.digest);
    }
    if (strcmp(model->settings, regret_buffer_get(&o.settings)) != 0) {
        return regret_fail(
            REGRET_E_INPUT,
            "the model was made with another reward, grid or words than %s has (%s and "
            "%s); make it anew",
            run_folder, model->settings, regret_buffer_get(&o.settings));
    }
    return REGRET_OK;
}
