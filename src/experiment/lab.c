#include "experiment/lab.h"

#include <string.h>

#include "regret/alloc.h"
#include "regret/text.h"

/* The Gram matrix of the pool is dense; past this many pairs it would surprise a shared machine. */
enum { MAX_PAIRS = 12000 };

static void lab_free(struct lab *lab)
{
    if (lab == NULL) {
        return;
    }
    regret_grid_free(lab->grid);
    regret_free(lab->agent);
    regret_free(lab->context);
    regret_csr_free(lab->phi);
    regret_free(lab->gram);
    regret_terms_free(lab->terms);
    regret_free(lab->statistics);
    regret_free(lab->aux);
    regret_free(lab->components);
    regret_free(lab->embedding);
    regret_free(lab);
}

static int index_pairs(struct lab *lab)
{
    const struct regret_grid *g = lab->grid;
    int rc = REGRET_NEW(&lab->agent, lab->pairs);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&lab->context, lab->pairs);
    }
    for (size_t p = 0; rc == REGRET_OK && p < lab->pairs; p++) {
        size_t cell = p / g->n_draws;
        lab->context[p] = (uint32_t)(cell / g->n_agents);
        lab->agent[p] = (uint32_t)(cell % g->n_agents);
    }
    return rc;
}

static int copy_scores(struct lab *lab)
{
    const struct regret_pool *pool = lab->grid->pool;
    int rc = REGRET_NEW(&lab->aux, lab->pairs * pool->n_aux);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&lab->components, lab->pairs * pool->n_components);
    }
    for (size_t p = 0; rc == REGRET_OK && p < lab->pairs; p++) {
        for (size_t j = 0; j < pool->n_aux; j++) {
            lab->aux[j * lab->pairs + p] = regret_grid_aux(lab->grid, p, j);
        }
        for (size_t k = 0; k < pool->n_components; k++) {
            lab->components[k * lab->pairs + p] = regret_grid_quality(lab->grid, p, k);
        }
    }
    return rc;
}

static int embed_contexts(struct lab *lab, const char **texts)
{
    struct regret_embed_options options = REGRET_EMBED_OPTIONS_INIT;
    options.svd.rank = lab->config.router_rank;
    lab->embedding_rank = lab->config.router_rank;
    size_t found = 0;
    int rc = REGRET_NEW(&lab->embedding, lab->grid->n_contexts * lab->embedding_rank);
    if (rc == REGRET_OK) {
        rc = regret_embed_texts(lab->embedding, &found, texts, lab->grid->n_contexts, NULL, 0,
                                &options);
    }
    return rc;
}

/* Tokens, φ with its Gram matrix, terms, statistics and the context embedding. */
static int build_features(struct lab *lab)
{
    const struct regret_grid *g = lab->grid;
    const char **texts = NULL, **context_texts = NULL;
    struct regret_tokens *contexts = NULL, *outputs = NULL;
    const struct regret_terms_options terms = REGRET_TERMS_OPTIONS_INIT;
    int rc = REGRET_NEW(&texts, lab->pairs);
    if (rc != REGRET_OK || (rc = REGRET_NEW(&context_texts, g->n_contexts)) != REGRET_OK) {
        goto cleanup;
    }
    for (size_t x = 0; x < g->n_contexts; x++) {
        context_texts[x] = regret_grid_context_text(g, x);
    }
    if ((rc = regret_tokens_build(&contexts, context_texts, g->n_contexts)) != REGRET_OK ||
        (rc = embed_contexts(lab, context_texts)) != REGRET_OK) {
        goto cleanup;
    }
    for (size_t p = 0; p < lab->pairs; p++) {
        texts[p] = regret_grid_output_text(g, p);
    }
    if ((rc = regret_tokens_build(&outputs, texts, lab->pairs)) != REGRET_OK) {
        goto cleanup;
    }
    struct regret_pairs pairs = {lab->pairs, contexts, outputs,      lab->context,
                                 lab->agent, texts,    context_texts};
    if ((rc = regret_features_build(&lab->phi, &pairs, &lab->config.features)) != REGRET_OK ||
        (rc = REGRET_NEW(&lab->gram, lab->pairs * lab->pairs)) != REGRET_OK ||
        (rc = regret_csr_gram(lab->gram, lab->phi, NULL)) != REGRET_OK ||
        (rc = regret_terms_build(&lab->terms, outputs, &terms)) != REGRET_OK ||
        (rc = REGRET_NEW(&lab->statistics, lab->pairs * REGRET_STATISTICS)) != REGRET_OK) {
        goto cleanup;
    }
    rc = regret_text_statistics(lab->statistics, &pairs);
cleanup:
    regret_free(texts);
    regret_free(context_texts);
    regret_tokens_free(contexts);
    regret_tokens_free(outputs);
    return rc;
}

static int lab_create(struct lab **out, const struct regret_config *config,
                      const struct regret_pool *pool)
{
    struct lab *lab = NULL;
    int rc = REGRET_NEW(&lab, 1);
    if (rc != REGRET_OK || (rc = regret_grid_cut(&lab->grid, pool, &config->grid)) != REGRET_OK) {
        goto cleanup;
    }
    lab->config = *config;
    lab->pairs = regret_grid_pairs(lab->grid);
    if (lab->pairs > MAX_PAIRS) {
        rc = regret_fail(
            REGRET_E_INPUT,
            "pool %s has %zu pairs (contexts x agents x draws); at most %d are handled: "
            "lower contexts.hard",
            pool->name, lab->pairs, MAX_PAIRS);
        goto cleanup;
    }
    if ((rc = index_pairs(lab)) != REGRET_OK || (rc = copy_scores(lab)) != REGRET_OK ||
        (rc = build_features(lab)) != REGRET_OK) {
        goto cleanup;
    }
    *out = lab;
    lab = NULL;
cleanup:
    lab_free(lab);
    return rc;
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
           a->router_rank == b->router_rank && same_features(&a->features, &b->features);
}

int lab_set_create(struct lab_set **out, const struct regret_plan *plan,
                   const struct regret_pool *pool)
{
    struct lab_set *set = NULL;
    size_t cells = regret_plan_cells(plan);
    int rc = REGRET_NEW(&set, 1);
    if (rc != REGRET_OK || (rc = REGRET_NEW(&set->of_cell, cells)) != REGRET_OK ||
        (rc = REGRET_NEW(&set->labs, cells)) != REGRET_OK) {
        goto cleanup;
    }
    for (size_t c = 0; c < cells; c++) {
        struct regret_config config;
        regret_plan_cell(&config, plan, c);
        size_t i = 0;
        while (i < set->n && !same_lab(&set->labs[i]->config, &config)) {
            i++;
        }
        if (i == set->n) {
            if ((rc = lab_create(&set->labs[i], &config, pool)) != REGRET_OK) {
                goto cleanup;
            }
            set->n++;
        }
        set->of_cell[c] = i;
    }
    *out = set;
    set = NULL;
cleanup:
    lab_set_free(set);
    return rc;
}

void lab_set_free(struct lab_set *set)
{
    if (set == NULL) {
        return;
    }
    for (size_t i = 0; i < set->n; i++) {
        lab_free(set->labs[i]);
    }
    regret_free(set->labs);
    regret_free(set->of_cell);
    regret_free(set);
}
