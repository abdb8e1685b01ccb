#include <math.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "evaluate/material/material.h"
#include "regret/alloc.h"
#include "regret/tfidf.h"
#include "text/features/features.h"
#include "text/features/own_columns.h"

FREED_POINTER(struct regret_csr, regret_csr_free)
FREED_POINTER(struct regret_tokens, regret_tokens_free)

/* ---------------------------------------------------------------- covariates */

/* Slates of which every one has but few rows say nothing of time or kind. */
static int offers_are_told(const struct material *m)
{
    enum { MOST = 32 };
    return some_were_absent(m->log) && m->log->n_offers <= MOST;
}

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

/* What was on offer last for each context, as one-hot columns behind the others: agents that come and go are then not taken for the
 * times at which they did. */
static void put_offers(struct regret_csr *c, const struct material *m, size_t k)
{
    for (size_t x = 0; x < m->n_contexts; x++) {
        c->column[x * k + k - 1] = (uint32_t)(c->cols + m->log->n_offers); /* not said */
        c->value[x * k + k - 1] = 1.0;
    }
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        const uint32_t *offer = m->log->rows[s].offer;
        for (size_t i = 0; offer != NULL && i < m->rows[s].n; i++) {
            size_t x = m->local[drawn_context(&m->drawn, (enum regret_log_source)s, i)];
            c->column[x * k + k - 1] = (uint32_t)(c->cols + offer[m->drawn.row[s][i]]);
        }
    }
    c->cols += m->log->n_offers + 1;
}

int covariates_make(struct regret_csr **out, const struct material *m)
{
    size_t own = m->log->n_columns, k = own + offers_are_told(m), rows = m->n_contexts;
    struct regret_csr *c = NULL;
    *out = NULL;
    if (k == 0) {
        return REGRET_OK;
    }
    TRY(regret_csr_new(&c, rows, 0, rows * k));
    for (size_t j = 0; j < own; j++) {
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
    if (k > own) {
        put_offers(c, m, k);
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

/* What the agent of each pair answers: as cached, else as a row has it; one text a pair whoever was drawn, so that f does not
 * know who was. Only where every pair has one: an answer that only chosen agents have would tell who was chosen. */
static int take_outputs(const char **output, char **copy, struct material *m, size_t max_bytes)
{
    const struct regret_log *log = m->log;
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; log->row_output[s] != NULL && i < m->rows[s].n; i++) {
            const char *given = log->row_output[s][m->drawn.row[s][i]];
            output[m->rows[s].pair[i]] = given != NULL ? given : output[m->rows[s].pair[i]];
        }
    }
    for (size_t p = 0; p < m->pairs; p++) {
        size_t x = m->log_context[m->context[p]];
        const char *cached = log->output != NULL && x < log->n_evaluation
                                 ? log->output[x * log->n_agents + m->agent[p]]
                                 : NULL;
        output[p] = cached != NULL ? cached : output[p];
        m->n_outputs += output[p] != NULL;
    }
    for (size_t p = 0; p < m->pairs; p++) {
        output[p] = m->n_outputs == m->pairs ? output[p] : NULL;
        size_t n = output[p] != NULL ? regret_text_cut(output[p], max_bytes) : 0;
        if (n > 0 && output[p][n] != '\0') {
            TRY(regret_strndup(&copy[p], output[p], n));
            output[p] = copy[p];
        }
    }
    return REGRET_OK;
}

static int has_columns(const struct material *m)
{
    return m->log->n_columns > 0 || offers_are_told(m);
}

/* Nothing of what the log does not have. */
static struct regret_feature_options possible(const struct material *m,
                                              const struct regret_feature_options *wanted)
{
    struct regret_feature_options f = *wanted;
    if (m->n_outputs < m->pairs) {
        f.output = f.overlap = f.shape = 0.0;
    }
    f.patch = 0.0;
    f.context = m->has_text ? f.context : 0.0;
    f.agent_words = m->has_text ? f.agent_words : 0.0;
    f.tag = m->n_tags > 0 ? f.tag : 0.0;
    f.agent_tag = m->n_tags > 0 ? f.agent_tag : 0.0;
    f.columns = has_columns(m) ? f.columns : 0.0;
    f.agent_columns = has_columns(m) ? f.agent_columns : 0.0;
    return f;
}

static int make_phi(struct material *m, const char *const *text, const char *const *output,
                    const struct regret_feature_options *wanted)
{
    struct regret_feature_options options = possible(m, wanted);
    FREED_BY(regret_tokens_free_at) struct regret_tokens *contexts = NULL;
    FREED_BY(regret_tokens_free_at) struct regret_tokens *outputs = NULL;
    FREED_BY(regret_csr_free_at) struct regret_csr *columns = NULL;
    TRY(regret_tokens_build(&contexts, text, m->n_contexts));
    TRY(regret_tokens_build(&outputs, output, m->pairs));
    TRY(covariates_make(&columns, m));
    TRY(own_columns_make(&m->columns, &m->columns_rank,
                         options.columns + options.agent_columns > 0.0 ? columns : NULL));
    const struct regret_pairs pairs = {.n_pairs = m->pairs,
                                       .contexts = contexts,
                                       .outputs = outputs,
                                       .context = m->context,
                                       .agent = m->agent,
                                       .n_agents = m->n_agents,
                                       .tag = m->tag,
                                       .n_tags = m->n_tags,
                                       .columns = columns};
    return features_build_parts(&m->own, &m->shared, &pairs, &options);
}

/* Columns of z: the embedding of n texts, of which pair p has text of[p], or the p-th. */
static int add_embedding(struct material *m, const char *const *text, size_t n, const uint32_t *of,
                         size_t rank)
{
    struct regret_embed_options options = REGRET_EMBED_OPTIONS_INIT;
    FREED double *embedding = NULL;
    size_t found = 0;
    options.svd.rank = rank;
    TRY(REGRET_NEW(&embedding, n * rank));
    TRY(regret_embed_texts(embedding, &found, text, n, NULL, 0, &options));
    TRY(regret_realloc((void **)&m->z, m->pairs * (m->rank + found), sizeof *m->z, "z"));
    for (size_t j = 0; j < found; j++, m->rank++) {
        for (size_t p = 0; p < m->pairs; p++) {
            m->z[m->rank * m->pairs + p] = embedding[j * n + (of != NULL ? of[p] : p)];
        }
    }
    return REGRET_OK;
}

/* w(x) of contexts, and e(x) as z of their pairs, for without outputs the context is what a proxy can tell of; e of outputs
 * beside it where they are there. */
static int make_embedding(struct material *m, const char *const *text, const char *const *output,
                          size_t rank)
{
    if (m->has_text && rank > 0) {
        TRY(regret_embed_words(&m->words, &m->words_rank, text, m->n_contexts));
        TRY(regret_common_words(&m->common_words, NULL, text, m->n_contexts));
        TRY(add_embedding(m, text, m->n_contexts, m->context, rank));
    }
    return m->n_outputs == m->pairs && rank > 0 ? add_embedding(m, output, m->pairs, NULL, rank)
                                                : REGRET_OK;
}

int features_make(struct material *m, const struct regret_evaluate_options *options)
{
    const char **text = NULL, **output = NULL;
    char **copy = NULL, **output_copy = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&text, m->n_contexts));
    TRY_CLEANUP(REGRET_NEW(&copy, m->n_contexts));
    TRY_CLEANUP(REGRET_NEW(&output, m->pairs));
    TRY_CLEANUP(REGRET_NEW(&output_copy, m->pairs));
    TRY_CLEANUP(take_texts(text, copy, m, options->max_bytes));
    TRY_CLEANUP(take_outputs(output, output_copy, m, options->max_bytes));
    TRY_CLEANUP(make_phi(m, text, output, &options->features));
    rc = make_embedding(m, text, output, options->embedding_rank);
cleanup:
    texts_free(copy, m->n_contexts);
    texts_free(output_copy, m->pairs);
    regret_free(text);
    regret_free(output);
    return rc;
}
