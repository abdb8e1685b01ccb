#include <math.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "evaluate/material/material.h"
#include "regret/alloc.h"
#include "regret/tfidf.h"
#include "text/features/features.h"

/* ---------------------------------------------------------------- covariates */

static double number_of(const struct material *m, size_t j, size_t x)
{
    return m->log->column[j].value[m->log_context[x]];
}

static void encode_number(double *value, const struct material *m, size_t j, size_t stride)
{
    double n = 0.0, mean = 0.0, squares = 0.0;
    for (size_t x = 0; x < m->n_contexts; x++) {
        double v = number_of(m, j, x);
        n += isnan(v) ? 0.0 : 1.0;
        mean += isnan(v) ? 0.0 : v;
    }
    mean /= fmax(n, 1.0);
    for (size_t x = 0; x < m->n_contexts; x++) {
        double v = number_of(m, j, x);
        squares += isnan(v) ? 0.0 : (v - mean) * (v - mean);
    }
    /* What is constant may not be so to the last bit. */
    double sd = sqrt(squares / fmax(n, 1.0)), least = 1e-12 * (1.0 + fabs(mean));
    for (size_t x = 0; x < m->n_contexts; x++) {
        double v = number_of(m, j, x);
        value[x * stride] = isnan(v) || sd <= least ? 0.0 : (v - mean) / sd;
    }
}

int covariates_make(struct regret_csr **out, const struct material *m)
{
    size_t k = m->log->n_columns, rows = m->n_contexts;
    struct regret_csr *c = NULL;
    *out = NULL;
    if (k == 0) {
        return REGRET_OK;
    }
    TRY(regret_csr_new(&c, rows, 0, rows * k));
    for (size_t j = 0; j < k; j++) {
        const struct regret_log_column *column = &m->log->column[j];
        for (size_t x = 0; x < rows; x++) {
            size_t word = column->is_word ? column->word[m->log_context[x]] : 0;
            c->column[x * k + j] = (uint32_t)(c->cols + word);
            c->value[x * k + j] = 1.0;
        }
        if (!column->is_word) {
            encode_number(c->value + j, m, j, k);
        }
        c->cols += column->is_word ? column->n_words : 1;
    }
    for (size_t x = 0; x < rows; x++) {
        c->row_start[x + 1] = (x + 1) * k;
    }
    *out = c;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- texts */

/* The texts of the contexts, as far as they are seen; those that are cut are copied. */
static int take_texts(const char **text, char **copy, struct material *m, size_t max_bytes)
{
    for (size_t x = 0; x < m->n_contexts; x++) {
        const char *given = m->log->text != NULL ? m->log->text[m->log_context[x]] : NULL;
        size_t n = given != NULL ? regret_text_cut(given, max_bytes) : 0;
        text[x] = given;
        m->has_text |= n > 0;
        if (n > 0 && given[n] != '\0') {
            TRY(regret_strndup(&copy[x], given, n));
            text[x] = copy[x];
        }
    }
    return REGRET_OK;
}

/* Nothing of what the log does not have. */
static struct regret_feature_options possible(const struct material *m,
                                              const struct regret_feature_options *wanted)
{
    struct regret_feature_options f = *wanted;
    f.output = f.overlap = f.shape = f.patch = 0.0;
    f.context = m->has_text ? f.context : 0.0;
    f.agent_words = m->has_text ? f.agent_words : 0.0;
    f.tag = m->n_tags > 0 ? f.tag : 0.0;
    f.agent_tag = m->n_tags > 0 ? f.agent_tag : 0.0;
    f.columns = m->log->n_columns > 0 ? f.columns : 0.0;
    f.agent_columns = m->log->n_columns > 0 ? f.agent_columns : 0.0;
    return f;
}

static int make_phi(struct material *m, const char *const *text,
                    const struct regret_feature_options *wanted)
{
    struct regret_feature_options options = possible(m, wanted);
    struct regret_tokens *contexts = NULL, *outputs = NULL;
    struct regret_csr *columns = NULL;
    const char **none = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&none, m->pairs));
    TRY_CLEANUP(regret_tokens_build(&contexts, text, m->n_contexts));
    TRY_CLEANUP(regret_tokens_build(&outputs, none, m->pairs));
    TRY_CLEANUP(covariates_make(&columns, m));
    const struct regret_pairs pairs = {.n_pairs = m->pairs,
                                       .contexts = contexts,
                                       .outputs = outputs,
                                       .context = m->context,
                                       .agent = m->agent,
                                       .n_agents = m->n_agents,
                                       .tag = m->tag,
                                       .n_tags = m->n_tags,
                                       .columns = columns};
    rc = features_build_parts(&m->own, &m->shared, &pairs, &options);
cleanup:
    regret_free(none);
    regret_csr_free(columns);
    regret_tokens_free(contexts);
    regret_tokens_free(outputs);
    return rc;
}

/* w(x) of contexts, and e(x) as z of their pairs: without outputs the context is what a proxy can tell of. */
static int make_embedding(struct material *m, const char *const *text, size_t rank)
{
    struct regret_embed_options options = REGRET_EMBED_OPTIONS_INIT;
    double *embedding = NULL;
    int rc;
    if (!m->has_text || rank == 0) {
        return REGRET_OK;
    }
    options.svd.rank = rank;
    TRY_CLEANUP(regret_embed_words(&m->words, &m->words_rank, text, m->n_contexts));
    TRY_CLEANUP(regret_common_words(&m->common_words, NULL, text, m->n_contexts));
    TRY_CLEANUP(REGRET_NEW(&embedding, m->n_contexts * rank));
    TRY_CLEANUP(regret_embed_texts(embedding, &m->rank, text, m->n_contexts, NULL, 0, &options));
    TRY_CLEANUP(REGRET_NEW(&m->z, m->pairs * m->rank));
    for (size_t j = 0; j < m->rank; j++) {
        for (size_t p = 0; p < m->pairs; p++) {
            m->z[j * m->pairs + p] = embedding[j * m->n_contexts + m->context[p]];
        }
    }
cleanup:
    regret_free(embedding);
    return rc;
}

int features_make(struct material *m, const struct regret_evaluate_options *options)
{
    const char **text = NULL;
    char **copy = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&text, m->n_contexts));
    TRY_CLEANUP(REGRET_NEW(&copy, m->n_contexts));
    TRY_CLEANUP(take_texts(text, copy, m, options->max_bytes));
    TRY_CLEANUP(make_phi(m, text, &options->features));
    rc = make_embedding(m, text, options->embedding_rank);
cleanup:
    texts_free(copy, m->n_contexts);
    regret_free(text);
    return rc;
}
