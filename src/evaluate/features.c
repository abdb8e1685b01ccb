/* What is drawn by chance, and features of requests. */
#include <math.h>

#include "base/names.h"
#include "base/status.h"
#include "evaluate/internal.h"
#include "log/log.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "regret/task.h"
#include "regret/text.h"
#include "text/features.h"
#include "text/tfidf.h"

enum { OTHERS, KNOWN, FITTED, PARTS };

/* Which part the rows of clusters are of: all FITTED, or in random order as many as hold no more than `most` rows, one at least; of the
 * others as many are KNOWN as hold with them no more than most_known. */
static int choose_clusters(unsigned char *part, const struct regret_log *log,
                           enum regret_log_source source, size_t most, size_t most_known,
                           uint64_t seed)
{
    const struct regret_log_rows *rows = &log->rows[source];
    uint32_t purpose = source == REGRET_LOG_OBS ? REGRET_RNG_OBS_ROW : REGRET_RNG_EXP_ROW;
    size_t n = 0;
    FREED size_t *order = NULL, *count = NULL;
    TRY(REGRET_NEW(&count, log->n_clusters));
    TRY(regret_rng_order(&order, log->n_clusters, seed, purpose, 0));
    for (size_t i = 0; i < kept_rows(log, source); i++) {
        count[rows->cluster[kept_row(log, source, i)]]++;
    }
    for (size_t i = 0; i < log->n_clusters; i++) {
        size_t more = count[order[i]];
        int is_taken = more > 0 && (n == 0 || n + more <= most);
        part[order[i]] = is_taken ? FITTED : OTHERS;
        n += is_taken ? more : 0;
    }
    for (size_t i = 0; i < log->n_clusters; i++) {
        size_t more = count[order[i]];
        int is_taken = part[order[i]] == OTHERS && more > 0 && n + more <= most_known;
        part[order[i]] = is_taken ? KNOWN : part[order[i]];
        n += is_taken ? more : 0;
    }
    return REGRET_OK;
}

static int draw_rows(struct drawn *d, enum regret_log_source source, size_t most, size_t most_known,
                     uint64_t seed)
{
    const struct regret_log_rows *rows = &d->log->rows[source];
    size_t n = kept_rows(d->log, source), to = 0, end[PARTS] = {0};
    FREED unsigned char *part = NULL;
    TRY(REGRET_NEW(&part, d->log->n_clusters));
    TRY(REGRET_NEW(&d->row[source], n));
    TRY(choose_clusters(part, d->log, source, most, most_known, seed));
    for (int p = FITTED; p >= (source == d->basis ? OTHERS : FITTED); p--) {
        for (size_t i = 0; i < n; i++) {
            if (part[rows->cluster[kept_row(d->log, source, i)]] == p) {
                d->row[source][to++] = (uint32_t)kept_row(d->log, source, i);
            }
        }
        end[p] = to;
    }
    d->n[source] = to;
    d->n_fitted = source == d->basis ? end[FITTED] : d->n_fitted;
    d->n_known = source == d->basis ? end[KNOWN] : d->n_known;
    return REGRET_OK;
}

/* Numbers the clusters of the basis in their order in the log. */
static int number_clusters(struct drawn *d)
{
    const struct regret_log_rows *rows = &d->log->rows[d->basis];
    FREED uint32_t *number = NULL;
    size_t n = d->n[d->basis];
    TRY(REGRET_NEW(&number, d->log->n_clusters));
    TRY(REGRET_NEW(&d->cluster, n));
    for (size_t i = 0; i < n; i++) {
        number[rows->cluster[d->row[d->basis][i]]] = 1;
    }
    for (size_t c = 0; c < d->log->n_clusters; c++) {
        number[c] = number[c] ? (uint32_t)d->n_clusters++ : UINT32_MAX;
    }
    for (size_t i = 0; i < n; i++) {
        d->cluster[i] = number[rows->cluster[d->row[d->basis][i]]];
    }
    return REGRET_OK;
}

static int deal_folds(struct drawn *d, size_t folds, uint64_t seed)
{
    const struct regret_log_rows *rows = &d->log->rows[d->basis];
    size_t n = d->n[d->basis];
    FREED size_t *order = NULL;
    FREED uint32_t *fold = NULL;
    d->n_folds = folds < d->n_clusters ? folds : d->n_clusters;
    TRY(REGRET_NEW(&fold, d->n_clusters));
    TRY(REGRET_NEW(&d->fold, n));
    TRY(REGRET_NEW(&d->fold_of, d->log->n_clusters));
    TRY(regret_rng_order(&order, d->n_clusters, seed, REGRET_RNG_DR_FOLDS, 0));
    for (size_t c = 0; c < d->n_clusters; c++) {
        fold[order[c]] = (uint32_t)(c % d->n_folds);
    }
    for (size_t c = 0; c < d->log->n_clusters; c++) {
        d->fold_of[c] = UINT32_MAX;
    }
    for (size_t i = 0; i < n; i++) {
        d->fold[i] = fold[d->cluster[i]];
        d->fold_of[rows->cluster[d->row[d->basis][i]]] = d->fold[i];
    }
    return REGRET_OK;
}

static int fill(struct drawn *d, const struct regret_evaluate_options *options,
                const size_t most[REGRET_LOG_SOURCES], size_t most_known)
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        TRY(draw_rows(d, (enum regret_log_source)s, most[s], most_known, options->seed));
    }
    TRY(number_clusters(d));
    if (d->n_clusters < 2) {
        return regret_fail(REGRET_E_INPUT,
                           "all rows of %s are of one %s: nothing says how far others would lie "
                           "from it; name a finer \"cluster\", or collect more",
                           regret_log_source_name(d->basis), d->log->cluster_name);
    }
    return deal_folds(d, options->folds, options->seed);
}

int drawn_make(struct drawn *out, const struct regret_log *log,
               const struct regret_evaluate_options *options, const size_t most[REGRET_LOG_SOURCES],
               size_t most_known)
{
    FREED_BY(drawn_clear) struct drawn d = {.log = log, .basis = rows_of_values(log)};
    TRY(fill(&d, options, most, most_known));
    *out = d;
    d = (struct drawn){0};
    return REGRET_OK;
}

void drawn_clear(struct drawn *d)
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        regret_free(d->row[s]);
    }
    regret_free(d->cluster);
    regret_free(d->fold);
    regret_free(d->fold_of);
    *d = (struct drawn){0};
}

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

/* Covariates as columns: numbers standardised over the contexts that take part, missing ones at their mean; words one-hot. NULL in *out
 * without any. */
static int covariates_make(struct regret_csr **out, const struct material *m)
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

/* Texts as far as they are seen: borrowed, but for copies of those that are cut. */
struct seen_texts {
    const char **at;
    char **copy;
    size_t n;
};

static void seen_texts_clear(struct seen_texts *t)
{
    regret_free(t->at);
    texts_free(t->copy, t->n);
}

static int seen_texts_begin(struct seen_texts *t, size_t n)
{
    t->n = n;
    TRY(REGRET_NEW(&t->at, n));
    return REGRET_NEW(&t->copy, n);
}

/* *any: something is left. */
static int cut_texts(int *any, struct seen_texts *t, size_t max_bytes)
{
    for (size_t i = 0; i < t->n; i++) {
        size_t n = t->at[i] != NULL ? regret_text_cut(t->at[i], max_bytes) : 0;
        *any |= n > 0;
        if (n > 0 && t->at[i][n] != '\0') {
            TRY(regret_strndup(&t->copy[i], t->at[i], n));
            t->at[i] = t->copy[i];
        }
    }
    return REGRET_OK;
}

/* Those of the contexts. */
static int take_texts(struct seen_texts *text, struct material *m, size_t max_bytes)
{
    TRY(seen_texts_begin(text, m->n_contexts));
    for (size_t x = 0; x < m->n_contexts; x++) {
        text->at[x] = m->log->text != NULL ? m->log->text[m->log_context[x]] : NULL;
    }
    return cut_texts(&m->has_text, text, max_bytes);
}

/* What the agent of each pair answers: as cached, else as a row has it; one text a pair whoever was drawn, so that f does not
 * know who was. Only where every pair has one: an answer that only chosen agents have would tell who was chosen. */
static int take_outputs(struct seen_texts *output, struct material *m, size_t max_bytes)
{
    const struct regret_log *log = m->log;
    int any = 0;
    TRY(seen_texts_begin(output, m->pairs));
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; log->row_output[s] != NULL && i < m->rows[s].n; i++) {
            const char *given = log->row_output[s][m->drawn.row[s][i]];
            const char **to = &output->at[m->rows[s].pair[i]];
            *to = given != NULL ? given : *to;
        }
    }
    for (size_t p = 0; p < m->pairs; p++) {
        size_t x = m->log_context[m->context[p]];
        const char *cached = log->output != NULL && x < log->n_evaluation
                                 ? log->output[x * log->n_agents + m->agent[p]]
                                 : NULL;
        output->at[p] = cached != NULL ? cached : output->at[p];
        m->n_outputs += output->at[p] != NULL;
    }
    for (size_t p = 0; p < m->pairs && m->n_outputs < m->pairs; p++) {
        output->at[p] = NULL;
    }
    return cut_texts(&any, output, max_bytes);
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
    FREED_BY(seen_texts_clear) struct seen_texts text = {0};
    FREED_BY(seen_texts_clear) struct seen_texts output = {0};
    TRY(take_texts(&text, m, options->max_bytes));
    TRY(take_outputs(&output, m, options->max_bytes));
    TRY(make_phi(m, text.at, output.at, &options->features));
    return make_embedding(m, text.at, output.at, options->embedding_rank);
}
