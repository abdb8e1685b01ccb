#include <string.h>

#include "experiment/config_keys.h"
#include "experiment/lab.h"
#include "regret/alloc.h"

/* Whether a proxy of the plan reads text statistics or terms of the outputs. */
static int wants_texts(const struct regret_plan *plan)
{
    for (size_t c = 0; c < regret_plan_cells(plan); c++) {
        struct regret_config config;
        regret_plan_cell(&config, plan, c);
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
           a->patch == b->patch && a->tf == b->tf && a->seed == b->seed;
}

static int same_lab(const struct regret_config *a, const struct regret_config *b)
{
    return a->grid.policy == b->grid.policy && a->grid.hard_contexts == b->grid.hard_contexts &&
           a->router_rank == b->router_rank && a->context_rank == b->context_rank &&
           a->context_sample == b->context_sample && same_features(&a->features, &b->features);
}

/* Equal in every key that begins with `prefix`. */
static int same_keys(const struct regret_config *a, const struct regret_config *b,
                     const char *prefix)
{
    struct regret_text x = REGRET_TEXT_INIT, y = REGRET_TEXT_INIT;
    for (size_t i = 0; config_key_at(i) != NULL; i++) {
        const struct config_key *key = config_key_at(i);
        if (strncmp(key->name, prefix, strlen(prefix)) == 0) {
            config_key_json(&x, a, key);
            config_key_json(&y, b, key);
        }
    }
    int same = strcmp(regret_text_get(&x), regret_text_get(&y)) == 0;
    regret_text_free(&x);
    regret_text_free(&y);
    return same;
}

/* Finds or makes the lab of a cell. */
static int place_lab(struct lab_set *set, size_t cell, const struct regret_config *config,
                     const struct regret_pool *pool, int texts_wanted)
{
    size_t i = 0;
    while (i < set->n && !same_lab(&set->labs[i]->config, config)) {
        i++;
    }
    set->of_cell[cell] = i;
    if (i < set->n) {
        return REGRET_OK;
    }
    int rc = lab_create(&set->labs[i], config, pool, texts_wanted);
    set->n += rc == REGRET_OK;
    return rc;
}

static int place_world(struct lab_set *set, size_t cell, const struct regret_config *config)
{
    const struct lab *lab = set->labs[set->of_cell[cell]];
    size_t i = 0;
    while (i < set->n_worlds &&
           !(set->worlds[i]->lab == lab && same_keys(&set->worlds[i]->config, config, "world."))) {
        i++;
    }
    set->world_of_cell[cell] = i;
    if (i < set->n_worlds) {
        return REGRET_OK;
    }
    int rc = lab_world_create(&set->worlds[i], lab, config);
    set->n_worlds += rc == REGRET_OK;
    return rc;
}

int lab_set_create(struct lab_set **out, const struct regret_plan *plan,
                   const struct regret_pool *pool)
{
    struct lab_set *set = NULL;
    size_t cells = regret_plan_cells(plan);
    int texts_wanted = wants_texts(plan);
    int rc = REGRET_NEW(&set, 1);
    if (rc != REGRET_OK || (rc = REGRET_NEW(&set->of_cell, cells)) != REGRET_OK ||
        (rc = REGRET_NEW(&set->labs, cells)) != REGRET_OK ||
        (rc = REGRET_NEW(&set->world_of_cell, cells)) != REGRET_OK ||
        (rc = REGRET_NEW(&set->worlds, cells)) != REGRET_OK) {
        goto cleanup;
    }
    for (size_t c = 0; rc == REGRET_OK && c < cells; c++) {
        struct regret_config config;
        regret_plan_cell(&config, plan, c);
        rc = place_lab(set, c, &config, pool, texts_wanted);
        if (rc == REGRET_OK && config.task == REGRET_TASK_WORLD) {
            rc = place_world(set, c, &config);
        }
    }
    if (rc == REGRET_OK) {
        *out = set;
        set = NULL;
    }
cleanup:
    lab_set_free(set);
    return rc;
}

void lab_set_free(struct lab_set *set)
{
    if (set == NULL) {
        return;
    }
    for (size_t i = 0; i < set->n_worlds; i++) {
        lab_world_free(set->worlds[i]);
    }
    for (size_t i = 0; i < set->n; i++) {
        lab_free(set->labs[i]);
    }
    regret_free(set->labs);
    regret_free(set->of_cell);
    regret_free(set->worlds);
    regret_free(set->world_of_cell);
    regret_free(set);
}

const struct lab_world *lab_set_world(const struct lab_set *set, size_t cell)
{
    return set->n_worlds > 0 ? set->worlds[set->world_of_cell[cell]] : NULL;
}

/* What the router and the proxies of a cached pool ask for. */
static int check_pool_cell(const struct lab *lab, const struct regret_config *config)
{
    double *reward = NULL;
    int rc = regret_reward_build(&reward, lab->grid, &config->reward);
    regret_free(reward);
    if (rc == REGRET_OK && config->router.slate > lab->grid->n_agents) {
        rc = regret_fail(REGRET_E_INPUT,
                         "router.slate = %zu cannot be drawn from the pool's %zu agent%s; use "
                         "--set router.slate=%zu or less",
                         config->router.slate, lab->grid->n_agents,
                         lab->grid->n_agents == 1 ? "" : "s", lab->grid->n_agents);
    }
    if (rc == REGRET_OK && config->proxy.kind == REGRET_PROXY_PREDICTED_LABELS &&
        lab->grid->pool->n_aux == 0) {
        rc = regret_fail(REGRET_E_INPUT, "proxy.kind = \"predicted-labels\" needs aux labels, "
                                         "and the pool has none; use \"tfidf-svd\"");
    }
    return rc;
}

int lab_set_check(const struct lab_set *set, const struct regret_plan *plan, const char *path)
{
    for (size_t c = 0; c < regret_plan_cells(plan); c++) {
        struct regret_config config;
        struct regret_split *split = NULL;
        const struct lab *lab = set->labs[set->of_cell[c]];
        regret_plan_cell(&config, plan, c);
        int rc = regret_split_make(&split, lab->grid->n_contexts, config.train_share, 0);
        regret_split_free(split);
        if (rc == REGRET_OK) {
            rc = lab_check_size(lab, &config);
        }
        if (rc == REGRET_OK && config.task == REGRET_TASK_POOL) {
            rc = check_pool_cell(lab, &config);
        }
        if (rc != REGRET_OK) {
            return regret_fail_prefix(rc, "%s: cell %zu", path, c);
        }
    }
    return REGRET_OK;
}
