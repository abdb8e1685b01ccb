#include "experiment/features/feature_build.h"

#include <math.h>
#include <string.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "experiment/config/family_list.h"
#include "experiment/features/cell_cost.h"
#include "experiment/features/covariates.h"
#include "experiment/features/feature_set.h"
#include "experiment/features/row_sample.h"
#include "experiment/pool/pool_source.h"
#include "regret/alloc.h"
#include "regret/text.h"
#include "text/features/features.h"
#include "text/features/own_columns.h"

FREED_POINTER(struct regret_tokens, regret_tokens_free)
FREED_POINTER(struct feature_set, feature_set_free)

static int index_pairs(struct feature_set *set)
{
    const struct regret_grid *g = set->grid;
    TRY(REGRET_NEW(&set->agent, set->pairs));
    TRY(REGRET_NEW(&set->context, set->pairs));
    TRY(g->first != NULL ? REGRET_NEW(&set->share, set->pairs) : REGRET_OK);
    for (size_t cell = 0; cell < g->n_contexts * g->n_agents; cell++) {
        size_t first = regret_grid_first(g, cell), end = regret_grid_first(g, cell + 1);
        for (size_t p = first; p < end; p++) {
            set->context[p] = (uint32_t)(cell / g->n_agents);
            set->agent[p] = (uint32_t)(cell % g->n_agents);
            if (set->share != NULL) {
                set->share[p] = (double)g->n_draws / (double)(end - first);
            }
        }
    }
    return REGRET_OK;
}

static int copy_scores(struct feature_set *set)
{
    const struct regret_pool *pool = set->grid->pool;
    TRY(REGRET_NEW(&set->aux, set->pairs * pool->n_aux));
    TRY(REGRET_NEW(&set->components, set->pairs * pool->n_components));
    for (size_t p = 0; p < set->pairs; p++) {
        for (size_t j = 0; j < pool->n_aux; j++) {
            set->aux[j * set->pairs + p] = regret_grid_aux(set->grid, p, j);
        }
        for (size_t k = 0; k < pool->n_components; k++) {
            set->components[k * set->pairs + p] = regret_grid_quality(set->grid, p, k);
        }
    }
    return REGRET_OK;
}

/* e(x): of the logging policy, fitted on the grid's contexts; of a world, on more of their kind. */
static int embed_contexts(struct feature_set *set, const char **grid_texts)
{
    const struct regret_config *c = &set->config;
    int world = c->task == REGRET_TASK_WORLD;
    struct regret_embed_options options = REGRET_EMBED_OPTIONS_INIT;
    FREED_BY(spare_contexts_clear) struct spare_contexts spare = {0};
    FREED const char **texts = NULL;
    FREED double *e = NULL;
    size_t n = set->grid->n_contexts, found = 0;
    options.svd.rank = set->embedding_rank = world ? c->context_rank : c->logging_rank;
    options.max_fit = world ? c->context_sample : options.max_fit;
    if (set->embedding_rank == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&set->embedding, n * set->embedding_rank));
    if (world && n < c->context_sample) {
        TRY(spare_contexts_find(&spare, c, set->grid, c->context_sample - n));
    }
    TRY(REGRET_NEW(&texts, n + spare.n));
    TRY(REGRET_NEW(&e, (n + spare.n) * set->embedding_rank));
    memcpy(texts, grid_texts, n * sizeof *texts);
    if (spare.n > 0) {
        memcpy(texts + n, spare.text, spare.n * sizeof *texts);
    }
    TRY(regret_embed_texts(e, &found, texts, n + spare.n, NULL, 0, &options));
    for (size_t j = 0; j < set->embedding_rank; j++) {
        memcpy(set->embedding + j * n, e + j * (n + spare.n), n * sizeof *e);
    }
    return REGRET_OK;
}

static int read_words(struct feature_set *set, const char *const *texts)
{
    if (!family_list_crosses_words(&set->config.families)) {
        return REGRET_OK;
    }
    TRY(regret_embed_words(&set->words, &set->words_rank, texts, set->grid->n_contexts));
    TRY(own_columns_make(&set->own, &set->own_rank, set->columns));
    return regret_common_words(&set->common_words, &set->word_names, texts, set->grid->n_contexts);
}

static int build_gram(struct feature_set *set)
{
    TRY(REGRET_NEW(&set->gram, set->pairs * set->pairs));
    return regret_csr_gram(set->gram, set->phi, NULL);
}

static int build_texts(struct feature_set *set, const struct regret_pairs *pairs)
{
    const struct regret_terms_options terms = REGRET_TERMS_OPTIONS_INIT;
    TRY(regret_terms_build(&set->terms, pairs->outputs, &terms));
    TRY(REGRET_NEW(&set->statistics, set->pairs * REGRET_STATISTICS));
    return regret_text_statistics(set->statistics, pairs);
}

/* An agent that gives one text wherever it is observed gives it where it is not, too: texts of unobserved pairs. */
static int stand_in(const char **texts, struct feature_set *set)
{
    const struct regret_grid *g = set->grid;
    const char **one = NULL;
    set->outputs_known = 1;
    if (g->observed == NULL) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&one, g->n_agents));
    for (size_t a = 0; a < g->n_agents; a++) {
        int is_constant = regret_grid_is_constant(g, a);
        for (size_t x = 0; x < g->n_contexts && is_constant && one[a] == NULL; x++) {
            size_t pair = regret_grid_first(g, x * g->n_agents + a);
            one[a] = regret_grid_is_unobserved(g, pair) ? NULL : texts[pair];
        }
    }
    for (size_t p = 0; p < set->pairs; p++) {
        if (regret_grid_is_unobserved(g, p)) {
            texts[p] = one[set->agent[p]] != NULL ? one[set->agent[p]] : texts[p];
            set->outputs_known &= one[set->agent[p]] != NULL;
        }
    }
    regret_free(one);
    return REGRET_OK;
}

/* The texts of the outputs, each as far as `text.max_bytes` lets it be seen: those that are cut are
 * copied into `cut` (both: one a pair), which the caller frees. */
static int output_texts(const char **texts, char **cut, struct feature_set *set)
{
    for (size_t p = 0; p < set->pairs; p++) {
        texts[p] = regret_grid_output_text(set->grid, p);
    }
    TRY(stand_in(texts, set));
    for (size_t p = 0; p < set->pairs; p++) {
        size_t n = texts[p] != NULL ? regret_text_cut(texts[p], set->config.text_max_bytes) : 0;
        if (n > 0 && texts[p][n] != '\0') {
            TRY(REGRET_NEW(&cut[p], n + 1));
            memcpy(cut[p], texts[p], n);
            texts[p] = cut[p];
        }
    }
    return REGRET_OK;
}

/* Tokens, φ, terms and statistics. */
static int read_texts(struct feature_set *set, const char *const *texts,
                      const char *const *context_texts, int texts_wanted)
{
    const struct regret_grid *g = set->grid;
    FREED_BY(regret_tokens_free_at) struct regret_tokens *contexts = NULL;
    FREED_BY(regret_tokens_free_at) struct regret_tokens *outputs = NULL;
    TRY(regret_tokens_build(&contexts, context_texts, g->n_contexts));
    TRY(regret_tokens_build(&outputs, texts, set->pairs));
    struct regret_pairs pairs = {.n_pairs = set->pairs,
                                 .contexts = contexts,
                                 .outputs = outputs,
                                 .context = set->context,
                                 .agent = set->agent,
                                 .n_agents = g->n_agents,
                                 .output_texts = texts,
                                 .context_texts = context_texts,
                                 .tag = g->kind,
                                 .n_tags = g->n_tags,
                                 .columns = set->columns};
    TRY(features_build_parts(&set->phi, set->sparse ? &set->phi_context : NULL, &pairs,
                             &set->config.features));
    if (texts_wanted) {
        return build_texts(set, &pairs);
    }
    return REGRET_OK;
}

static int choose_kind(struct feature_set *set, const char *const *texts,
                       const char *const *context_texts)
{
    struct row_sizes row;
    set->sparse = set->config.task == REGRET_TASK_WORLD;
    if (!set->sparse) {
        TRY(row_sample(&row, set, texts, context_texts));
        set->sparse = cell_wants_sparse(&set->config, set, row);
    }
    return REGRET_OK;
}

/* All that is made of texts; the Gram matrix of φ; the context embedding. */
static int build_features(struct feature_set *set, int texts_wanted)
{
    const struct regret_grid *g = set->grid;
    const char **texts = NULL, **context_texts = NULL;
    char **cut = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&texts, set->pairs));
    TRY_CLEANUP(REGRET_NEW(&cut, set->pairs));
    TRY_CLEANUP(REGRET_NEW(&context_texts, g->n_contexts));
    for (size_t x = 0; x < g->n_contexts; x++) {
        context_texts[x] = regret_grid_context_text(g, x);
    }
    TRY_CLEANUP(output_texts(texts, cut, set));
    TRY_CLEANUP(choose_kind(set, texts, context_texts));
    texts_wanted |= !set->sparse;
    TRY_CLEANUP(read_texts(set, texts, context_texts, texts_wanted));
    TRY_CLEANUP(embed_contexts(set, context_texts));
    TRY_CLEANUP(read_words(set, context_texts));
    rc = set->sparse ? REGRET_OK : build_gram(set);
cleanup:
    regret_free(texts);
    texts_free(cut, set->pairs);
    regret_free(context_texts);
    return rc;
}

int feature_set_create(struct feature_set **out, const struct regret_config *config,
                       const struct regret_pool *pool, int texts_wanted)
{
    FREED_BY(feature_set_free_at) struct feature_set *set = NULL;
    TRY(REGRET_NEW(&set, 1));
    TRY(regret_grid_cut(&set->grid, pool, &config->grid));
    set->config = *config;
    set->pairs = regret_grid_pairs(set->grid);
    if (config->features.columns > 0.0 || config->features.agent_columns > 0.0) {
        TRY(covariates_encode(&set->columns, set->grid));
    }
    TRY(index_pairs(set));
    TRY(copy_scores(set));
    TRY(build_features(set, texts_wanted));
    *out = set;
    set = NULL;
    return REGRET_OK;
}
