#include "experiment/features.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "experiment/cell_cost.h"
#include "experiment/internal.h"
#include "experiment/pool_source.h"
#include "pool/grid_policy.h"
#include "regret/buffer.h"
#include "regret/design.h"
#include "regret/estimate.h"
#include "regret/experiment.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "regret/text.h"
#include "text/features.h"
#include "text/tfidf.h"

static const struct regret_covariate *covariate(const struct regret_grid *g, size_t x, size_t j)
{
    return &g->pool->contexts[g->contexts[x]].columns[j];
}

/* The words of column j, numbered by first appearance. */
static int number_words(struct id_table *words, const struct regret_grid *g, size_t j)
{
    for (size_t x = 0; x < g->n_contexts; x++) {
        TRY(id_table_reserve(words, words->n + 1));
        id_table_put(words, covariate(g, x, j)->word, words->n);
    }
    return REGRET_OK;
}

static size_t count_blanks(const struct regret_grid *g, size_t j)
{
    size_t n = 0;
    for (size_t x = 0; g->pool->columns[j].kind == REGRET_COLUMN_NUMBER && x < g->n_contexts; x++) {
        n += isnan(covariate(g, x, j)->number) != 0;
    }
    return n;
}

/* 1 where a column of the matrix says which contexts lack the number j of the pool. */
static int tells_blanks(const struct regret_grid *g, size_t j)
{
    return count_blanks(g, j) >= OWN_LEAST_BLANKS;
}

/* Of a matrix with `stride` elements in every row. */
struct encoding {
    struct regret_csr *m;
    const struct regret_grid *grid;
    size_t stride, at; /* at: which element of every row is next */
};

static void covariates_put(const struct encoding *e, size_t x, size_t column, double value)
{
    e->m->column[x * e->stride + e->at] = (uint32_t)column;
    e->m->value[x * e->stride + e->at] = value;
}

/* Column j of the pool behind the columns there are. */
static int encode_words(struct encoding *e, size_t j)
{
    FREED_BY(id_table_free) struct id_table words = {NULL, 0, 0};
    TRY(number_words(&words, e->grid, j));
    for (size_t x = 0; x < e->grid->n_contexts; x++) {
        covariates_put(e, x, e->m->cols + id_table_find(&words, covariate(e->grid, x, j)->word),
                       1.0);
    }
    e->at++;
    e->m->cols += words.n;
    return REGRET_OK;
}

static int encode_numbers(struct encoding *e, size_t j)
{
    size_t n = e->grid->n_contexts;
    double *value = NULL;
    TRY(REGRET_NEW(&value, n));
    for (size_t x = 0; x < n; x++) {
        value[x] = covariate(e->grid, x, j)->number;
    }
    const struct own_moments m = own_moments(value, n);
    for (size_t x = 0; x < n; x++) {
        covariates_put(e, x, e->m->cols,
                       m.sd > 0.0 && !isnan(value[x]) ? (value[x] - m.mean) / m.sd : 0.0);
    }
    e->at++;
    e->m->cols++;
    if (m.blank >= OWN_LEAST_BLANKS) {
        for (size_t x = 0; x < n; x++) {
            covariates_put(e, x, e->m->cols, isnan(value[x]) != 0);
        }
        e->at++;
        e->m->cols++;
    }
    regret_free(value);
    return REGRET_OK;
}

/* contexts of the grid × what its pool's columns become, in their order: a number is one column, standardised over the
 * grid's contexts that have it (mean 0, deviation 1 with divisor n; zero where they all have the same), zero in those that
 * lack it, and where these are OWN_LEAST_BLANKS or more a second one, 1 there, 0 elsewhere; a word is a column for
 * each of its different words, by first appearance, of value 1 in the rows that have it. NULL where the pool has no columns. */
static int covariates_encode(struct regret_csr **out, const struct regret_grid *g)
{
    size_t k = g->pool->n_columns, rows = g->n_contexts;
    struct encoding e = {.grid = g, .stride = k};
    int rc;
    *out = NULL;
    if (k == 0) {
        return REGRET_OK;
    }
    for (size_t j = 0; j < k; j++) {
        e.stride += tells_blanks(g, j) != 0;
    }
    TRY_CLEANUP(regret_csr_new(&e.m, rows, 0, rows * e.stride));
    for (size_t j = 0; j < k; j++) {
        TRY_CLEANUP(g->pool->columns[j].kind == REGRET_COLUMN_WORD ? encode_words(&e, j)
                                                                   : encode_numbers(&e, j));
    }
    for (size_t x = 0; x < rows; x++) {
        e.m->row_start[x + 1] = (x + 1) * e.stride;
    }
    *out = e.m;
    e.m = NULL;
cleanup:
    regret_csr_free(e.m);
    return rc;
}

static void put_name(struct regret_buffer *out, const char *name, const char *word)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, name);
    if (word != NULL) {
        regret_buffer_append_char(&text, '=');
        regret_buffer_append(&text, word);
    }
    regret_buffer_append(out, out->length > 1 ? "," : "");
    regret_buffer_json_string(out, regret_buffer_get(&text));
    regret_buffer_free_into(out, &text);
}

static int put_words(struct regret_buffer *out, const struct regret_grid *g, size_t j)
{
    FREED_BY(id_table_free) struct id_table words = {NULL, 0, 0};
    for (size_t x = 0; x < g->n_contexts; x++) {
        const char *word = covariate(g, x, j)->word;
        size_t known = words.n;
        TRY(id_table_reserve(&words, known + 1));
        id_table_put(&words, word, known);
        if (words.n > known) {
            put_name(out, g->pool->columns[j].name, word);
        }
    }
    return REGRET_OK;
}

void covariates_names(struct regret_buffer *out, const struct regret_grid *g)
{
    struct regret_buffer list = REGRET_BUFFER_INIT;
    regret_buffer_append_char(&list, '[');
    for (size_t j = 0; j < g->pool->n_columns; j++) {
        if (g->pool->columns[j].kind == REGRET_COLUMN_WORD) {
            regret_buffer_fail(&list, put_words(&list, g, j));
        } else {
            put_name(&list, g->pool->columns[j].name, NULL);
        }
        if (tells_blanks(g, j)) {
            put_name(&list, g->pool->columns[j].name, "");
        }
    }
    regret_buffer_append_char(&list, ']');
    regret_buffer_append(out, regret_buffer_get(&list));
    regret_buffer_free_into(out, &list);
}

size_t feature_set_blocks(struct regret_feature_block out[REGRET_FEATURE_BLOCKS],
                          const struct feature_set *set)
{
    const struct regret_grid *g = set->grid;
    return regret_feature_blocks(out, &set->config.features, g->n_agents, g->n_tags,
                                 set->columns != NULL ? set->columns->cols : 0);
}

static void put_tags(struct regret_buffer *out, const struct regret_grid *g)
{
    grid_json(out, ",\n\"tags\":", g, GRID_TAGS);
    regret_buffer_append(out, ",\n\"context_tags\":[");
    for (size_t x = 0; x < g->n_contexts; x++) {
        regret_buffer_printf(out, "%s%u", x > 0 ? "," : "", (unsigned)g->kind[x]);
    }
    regret_buffer_append(out, "]");
}

void feature_set_describe(struct regret_buffer *out, const struct feature_set *set)
{
    struct regret_feature_block block[REGRET_FEATURE_BLOCKS];
    const char *separator = "";
    feature_set_blocks(block, set);
    regret_buffer_append(out, "\"blocks\":{");
    for (size_t i = 0; i < REGRET_FEATURE_BLOCKS; i++) {
        if (block[i].columns > 0) {
            regret_buffer_printf(out, "%s\"%s\":[%zu,%zu]", separator, block[i].name,
                                 block[i].first, block[i].columns);
            separator = ",";
        }
    }
    regret_buffer_append(out, "}");
    if (set->grid->n_tags > 0) {
        put_tags(out, set->grid);
    }
    if (set->columns != NULL) {
        regret_buffer_append(out, ",\n\"column_names\":");
        covariates_names(out, set->grid);
    }
}

void feature_set_free(struct feature_set *set)
{
    if (set == NULL) {
        return;
    }
    regret_grid_free(set->grid);
    regret_free(set->agent);
    regret_free(set->share);
    regret_free(set->context);
    regret_csr_free(set->columns);
    regret_csr_free(set->phi);
    regret_csr_free(set->phi_context);
    regret_free(set->gram);
    regret_terms_free(set->terms);
    regret_free(set->statistics);
    regret_free(set->aux);
    regret_free(set->components);
    regret_free(set->embedding);
    regret_free(set->words);
    texts_free(set->word_names, set->common_words != NULL ? set->common_words->rows : 0);
    regret_csr_free(set->common_words);
    regret_free(set->own);
    regret_free(set);
}

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
