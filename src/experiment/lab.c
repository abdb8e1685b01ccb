#include "experiment/lab.h"

#include <string.h>

#include "experiment/simulator.h"
#include "regret/alloc.h"
#include "regret/text.h"

/* Past so many pairs a dense Gram matrix would surprise a shared machine; past a system of such a
 * side so would the fits of a sparse lab: five times side² doubles and a minute a replicate. */
enum { MAX_DENSE_PAIRS = 12000, MAX_SIDE = 6144, MAX_BUCKETS = 4096 };

void lab_free(struct lab *lab)
{
    if (lab == NULL) {
        return;
    }
    regret_grid_free(lab->grid);
    regret_free(lab->agent);
    regret_free(lab->context);
    regret_csr_free(lab->phi);
    regret_csr_free(lab->phi_context);
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

/* e(x): of the router, fitted on the grid's contexts; of a world, on more of their kind. */
static int embed_contexts(struct lab *lab, const char **grid_texts)
{
    const struct regret_config *c = &lab->config;
    int world = c->task == REGRET_TASK_WORLD;
    struct regret_embed_options options = REGRET_EMBED_OPTIONS_INIT;
    struct spare_contexts spare = {0};
    const char **texts = NULL;
    double *e = NULL;
    size_t n = lab->grid->n_contexts, found = 0;
    options.svd.rank = lab->embedding_rank = world ? c->context_rank : c->router_rank;
    options.max_fit = world ? c->context_sample : options.max_fit;
    if (lab->embedding_rank == 0) {
        return REGRET_OK;
    }
    int rc = REGRET_NEW(&lab->embedding, n * lab->embedding_rank);
    if (rc == REGRET_OK && world && n < c->context_sample) {
        rc = spare_contexts_find(&spare, c, lab->grid, c->context_sample - n);
    }
    if (rc != REGRET_OK || (rc = REGRET_NEW(&texts, n + spare.n)) != REGRET_OK ||
        (rc = REGRET_NEW(&e, (n + spare.n) * lab->embedding_rank)) != REGRET_OK) {
        goto cleanup;
    }
    memcpy(texts, grid_texts, n * sizeof *texts);
    if (spare.n > 0) {
        memcpy(texts + n, spare.text, spare.n * sizeof *texts);
    }
    rc = regret_embed_texts(e, &found, texts, n + spare.n, NULL, 0, &options);
    for (size_t j = 0; rc == REGRET_OK && j < lab->embedding_rank; j++) {
        memcpy(lab->embedding + j * n, e + j * (n + spare.n), n * sizeof *e);
    }
cleanup:
    regret_free(texts);
    regret_free(e);
    spare_contexts_clear(&spare);
    return rc;
}

static int build_dense(struct lab *lab, const struct regret_pairs *pairs)
{
    int rc = regret_features_build(&lab->phi, pairs, &lab->config.features);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&lab->gram, lab->pairs * lab->pairs);
    }
    return rc == REGRET_OK ? regret_csr_gram(lab->gram, lab->phi, NULL) : rc;
}

/* Namespaces add, so φ is built in two parts: of each pair all but the context's, and the context's
 * of each context once. */
static int build_sparse(struct lab *lab, const struct regret_pairs *pairs)
{
    const struct regret_feature_options *all = &lab->config.features;
    const struct regret_feature_options context = {
        .buckets = all->buckets, .context = all->context, .tf = all->tf, .seed = all->seed};
    struct regret_feature_options own = *all;
    size_t n = lab->grid->n_contexts;
    uint32_t *index = NULL;
    own.context = 0.0;
    int rc = regret_features_build(&lab->phi, pairs, &own);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&index, n);
    }
    for (size_t x = 0; rc == REGRET_OK && x < n; x++) {
        index[x] = (uint32_t)x;
    }
    if (rc == REGRET_OK) {
        struct regret_pairs contexts = *pairs;
        contexts.n_pairs = n;
        contexts.outputs = pairs->contexts; /* not looked at: the output's namespaces are off */
        contexts.context = index;
        rc = regret_features_build(&lab->phi_context, &contexts, &context);
    }
    regret_free(index);
    return rc;
}

static int build_texts(struct lab *lab, const struct regret_pairs *pairs)
{
    const struct regret_terms_options terms = REGRET_TERMS_OPTIONS_INIT;
    int rc = regret_terms_build(&lab->terms, pairs->outputs, &terms);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&lab->statistics, lab->pairs * REGRET_STATISTICS);
    }
    return rc == REGRET_OK ? regret_text_statistics(lab->statistics, pairs) : rc;
}

/* Tokens, φ with its Gram matrix, terms, statistics and the context embedding. */
static int build_features(struct lab *lab, int texts_wanted)
{
    const struct regret_grid *g = lab->grid;
    const char **texts = NULL, **context_texts = NULL;
    struct regret_tokens *contexts = NULL, *outputs = NULL;
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
    rc = lab->sparse ? build_sparse(lab, &pairs) : build_dense(lab, &pairs);
    if (rc == REGRET_OK && (texts_wanted || !lab->sparse)) {
        rc = build_texts(lab, &pairs);
    }
cleanup:
    regret_free(texts);
    regret_free(context_texts);
    regret_tokens_free(contexts);
    regret_tokens_free(outputs);
    return rc;
}

int lab_check_size(const struct lab *lab, const struct regret_config *config)
{
    size_t drawn = config->n_obs + config->n_exp, buckets = config->features.buckets;
    if (!lab->sparse || buckets <= MAX_SIDE || drawn <= MAX_SIDE) {
        return REGRET_OK;
    }
    return regret_fail(REGRET_E_INPUT,
                       "%s%s: fits of n_obs + n_exp = %zu rows on %zu columns are too large for a "
                       "grid of %zu pairs (contexts x agents x draws); use at most %d rows, or "
                       "features.buckets of at most %d",
                       config->task == REGRET_TASK_WORLD ? "the controlled world over " : "pool ",
                       lab->grid->pool->name, drawn, buckets, lab->pairs, MAX_SIDE, MAX_BUCKETS);
}

int lab_create(struct lab **out, const struct regret_config *config, const struct regret_pool *pool,
               int texts_wanted)
{
    struct lab *lab = NULL;
    int rc = REGRET_NEW(&lab, 1);
    if (rc != REGRET_OK || (rc = regret_grid_cut(&lab->grid, pool, &config->grid)) != REGRET_OK) {
        goto cleanup;
    }
    lab->config = *config;
    lab->pairs = regret_grid_pairs(lab->grid);
    lab->sparse = config->task == REGRET_TASK_WORLD || lab->pairs > MAX_DENSE_PAIRS;
    if ((rc = index_pairs(lab)) != REGRET_OK || (rc = copy_scores(lab)) != REGRET_OK ||
        (rc = build_features(lab, texts_wanted)) != REGRET_OK) {
        goto cleanup;
    }
    *out = lab;
    lab = NULL;
cleanup:
    lab_free(lab);
    return rc;
}
