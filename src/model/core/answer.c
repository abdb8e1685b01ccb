#include <math.h>
#include <string.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "base/text/name.h"
#include "model/core/model.h"
#include "regret/alloc.h"
#include "regret/matrix.h"

FREED_POINTER(struct regret_csr, regret_csr_free)
FREED_POINTER(struct regret_tokens, regret_tokens_free)

double model_layer_variance(const struct regret_model *m, const struct model_layer *layer,
                            const double *numbers, double length, int in_sample)
{
    const double *t = numbers + model_directions_at(m, layer);
    double along = 0.0, squares = 0.0, variance = 1.0 + 1.0 / (double)m->facts.n_contexts;
    if (layer->rule == REGRET_MODEL_SINGLE) {
        return variance;
    }
    for (size_t j = 0; j < layer->n; j++) {
        squares += t[j] * t[j];
        along += t[j] * t[j] * layer->shrink[j];
    }
    double beside = length - 2.0 * t[layer->n] + layer->centre - squares;
    variance += beside > 0.0 ? beside / layer->rho : 0.0;
    return variance + (in_sample ? along / fmax(1.0 - along, 1e-3) : along);
}

/* Copies of the texts that are longer than is looked at. */
static int cut_texts(const char **texts, char **cut, const char *const *from, size_t n, size_t most)
{
    for (size_t i = 0; i < n; i++) {
        texts[i] = from[i] != NULL ? from[i] : "";
        size_t length = most > 0 ? regret_text_cut(texts[i], most) : 0;
        if (length > 0 && texts[i][length] != '\0') {
            TRY(regret_strndup(&cut[i], texts[i], length));
            texts[i] = cut[i];
        }
    }
    return REGRET_OK;
}

/* The context namespace of φ (regret/text.h) alone, at scale one. */
static int hash_words(struct regret_csr **out, const struct regret_feature_options *features,
                      const char *const *texts, uint32_t *index, size_t n)
{
    const struct regret_feature_options words = {
        .buckets = features->buckets, .context = 1.0, .seed = features->seed};
    FREED_BY(regret_tokens_free_at) struct regret_tokens *tokens = NULL;
    TRY(regret_tokens_build(&tokens, texts, n));
    for (size_t i = 0; i < n; i++) {
        index[i] = (uint32_t)i;
    }
    const struct regret_pairs pairs = {
        .n_pairs = n, .contexts = tokens, .outputs = tokens, .context = index};
    return regret_features_build(out, &pairs, &words);
}

int model_words(struct regret_csr **out, const struct regret_feature_options *features,
                size_t max_bytes, const char *const *texts, size_t n)
{
    const char **seen = NULL;
    char **cut = NULL;
    uint32_t *index = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&seen, n));
    TRY_CLEANUP(REGRET_NEW(&cut, n));
    TRY_CLEANUP(REGRET_NEW(&index, n));
    TRY_CLEANUP(cut_texts(seen, cut, texts, n, max_bytes));
    rc = hash_words(out, features, seen, index, n);
cleanup:
    texts_free(cut, n);
    regret_free(seen);
    regret_free(index);
    return rc;
}

static void add_row(double *numbers, const struct regret_model *m, size_t row, double factor)
{
    const double *from = m->row + row * m->width;
    for (size_t j = 0; j < m->width; j++) {
        numbers[j] += factor * from[j];
    }
}

/* Adds the words' rows; returns whether one of them is known. */
static int add_words(double *numbers, double *length, const struct regret_model *m,
                     struct model_words_row words)
{
    size_t at = 0;
    int known = 0;
    *length = 0.0;
    for (size_t e = 0; e < words.n; e++) {
        size_t end = m->n_buckets;
        *length += words.value[e] * words.value[e];
        while (at < end) { /* both ascend: the search begins where the last one ended */
            size_t middle = at + (end - at) / 2;
            if (m->bucket[middle] < words.column[e]) {
                at = middle + 1;
            } else {
                end = middle;
            }
        }
        if (at < m->n_buckets && m->bucket[at] == words.column[e]) {
            add_row(numbers, m, 2 + m->n_tags + at, words.value[e]);
            known = 1;
        }
    }
    return known;
}

size_t model_find_tag(const struct regret_model *m, const char *tag)
{
    return name_find((const char *const *)m->tag, m->n_tags, tag);
}

unsigned model_add_up(double *numbers, double length[2], size_t *tag_at,
                      const struct regret_model *m, struct model_words_row words, const double *own,
                      const char *tag)
{
    const struct model_layer *layer[2] = {&m->contrast, &m->common};
    const char *name = tag != NULL ? tag : "";
    size_t t = model_find_tag(m, name);
    double of_words = 0.0, of_own = 0.0;
    unsigned notes = 0;
    memcpy(numbers, m->row, m->width * sizeof *numbers);
    if (m->n_tags > 0) {
        add_row(numbers, m, 1 + t, 1.0);
    }
    if (m->n_tags > 0 && t == m->n_tags) {
        notes |= REGRET_REQUEST_UNKNOWN_TAG;
    }
    *tag_at = t;
    for (size_t j = 0; own != NULL && j < m->columns.features; j++) {
        add_row(numbers, m, 2 + m->n_tags + model_word_buckets(m) + j, own[j]);
        of_own += own[j] * own[j];
    }
    if (model_reads_words(m) && !add_words(numbers, &of_words, m, words)) {
        notes |= REGRET_REQUEST_UNKNOWN_WORDS;
    }
    for (size_t l = 0; l < 2; l++) {
        length[l] = m->n_tags == 0  ? 0.0
                    : t < m->n_tags ? layer[l]->gamma
                                    : layer[l]->gamma * m->tag_mean;
        length[l] += layer[l]->kappa * of_own;
        length[l] += layer[l]->rule == REGRET_MODEL_WORDS ? of_words : 0.0;
    }
    return notes;
}

static double clip(double value, double least)
{
    return value < least ? least : value > 1.0 ? 1.0 : value;
}

/* Of equals the single agent, then the lowest. */
static size_t best_agent(const struct regret_model *m, const double *contrast)
{
    size_t best = m->facts.single;
    for (size_t a = 0; a < m->n_agents; a++) {
        best = contrast[a] > contrast[best] ? a : best;
    }
    return best;
}

static void fill_answer(struct regret_answer *out, const struct regret_model *m,
                        const double *numbers, const double length[2])
{
    size_t a = best_agent(m, numbers), single = m->facts.single;
    double value = numbers[m->n_agents] + numbers[a];
    double own = model_layer_variance(m, &m->contrast, numbers, length[0], 0);
    double common = model_layer_variance(m, &m->common, numbers, length[1], 0);
    double half = m->value_factor * sqrt(m->common_own * common + m->own[a] * own);
    double margin = numbers[a] - numbers[single];
    double margin_half = a == single ? 0.0 : m->margin_factor * sqrt(m->own_margin[a] * own);
    out->agent = a;
    out->value = clip(value, 0.0);
    out->low = clip(value - half, 0.0);
    out->high = clip(value + half, 0.0);
    out->margin = clip(margin, -1.0);
    out->margin_low = clip(margin - margin_half, -1.0);
    out->margin_high = clip(margin + margin_half, -1.0);
}

/* Calls back for every request with its sums. */
struct visit {
    struct regret_answer *answers; /* or NULL, and then … */
    double *values;
};

static void visit_request(const struct visit *v, const struct regret_model *m, size_t i,
                          const double *numbers, const double length[2], unsigned notes, size_t tag)
{
    if (v->answers != NULL) {
        fill_answer(&v->answers[i], m, numbers, length);
        int is_unseen = tag < m->n_tags && m->answered[tag][v->answers[i].agent] != '1';
        v->answers[i].notes = notes | (is_unseen ? REGRET_REQUEST_UNSEEN_AGENT : 0);
        return;
    }
    for (size_t a = 0; a < m->n_agents; a++) {
        v->values[i * m->n_agents + a] = numbers[m->n_agents] + numbers[a];
    }
}

static int answer_each(const struct visit *v, const struct regret_model *m,
                       const struct regret_request *requests, size_t n)
{
    FREED const char **texts = NULL;
    FREED_BY(regret_csr_free_at) struct regret_csr *words = NULL;
    double length[2];
    int by_columns =
        regret_model_columns(m) > 0; /* else a request tells none: there is nothing to read */
    FREED double *numbers = NULL, *own = NULL;
    TRY(REGRET_NEW(&own, m->columns.features));
    TRY(REGRET_NEW(&texts, n));
    TRY(REGRET_NEW(&numbers, m->width));
    for (size_t i = 0; i < n; i++) {
        texts[i] = requests[i].text;
    }
    if (model_reads_words(m)) {
        TRY(model_words(&words, &m->features, m->max_bytes, texts, n));
    }
    for (size_t i = 0; i < n; i++) {
        struct model_words_row row = {0};
        if (words != NULL) {
            size_t start = words->row_start[i];
            row = (struct model_words_row){words->column + start, words->value + start,
                                           words->row_start[i + 1] - start};
        }
        size_t tag = 0;
        unsigned of_columns =
            model_columns_read(own, &m->columns, by_columns ? requests[i].columns : NULL);
        unsigned notes = model_add_up(numbers, length, &tag, m, row, own, requests[i].tag);
        notes |= by_columns ? of_columns : 0;
        visit_request(v, m, i, numbers, length, notes, tag);
    }
    return REGRET_OK;
}

int regret_model_answer(struct regret_answer *answers, const struct regret_model *model,
                        const struct regret_request *requests, size_t n)
{
    const struct visit v = {.answers = answers};
    return n > 0 ? answer_each(&v, model, requests, n) : REGRET_OK;
}

int regret_model_values(double *values, const struct regret_model *model,
                        const struct regret_request *requests, size_t n)
{
    const struct visit v = {.values = values};
    return n > 0 ? answer_each(&v, model, requests, n) : REGRET_OK;
}
