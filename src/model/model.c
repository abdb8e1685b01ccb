#include "model/model.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/buffer.h"
#include "regret/design.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "regret/text.h"
#include "text/tfidf.h"

void model_columns_free(struct model_columns *columns)
{
    for (size_t j = 0; columns->item != NULL && j < columns->n; j++) {
        struct model_column *c = &columns->item[j];
        regret_free(c->name);
        texts_free(c->word, c->word != NULL ? c->n : 0);
        regret_free(c->share);
    }
    regret_free(columns->item);
    *columns = (struct model_columns){0};
}

static size_t find_word(const struct model_column *c, const char *word)
{
    return texts_find((const char *const *)c->word, c->n, word);
}

/* The words of column j by first appearance, and their shares. */
static int make_words(struct model_column *c, const struct regret_model_data *data, size_t j)
{
    size_t room = 0, room_of_shares = 0;
    for (size_t x = 0; x < data->n_contexts; x++) {
        const char *word = data->covariate[x][j].word;
        size_t w = find_word(c, word);
        if (w == REGRET_MODEL_MAX_TAGS) {
            return regret_fail(REGRET_E_INPUT,
                               "column \"%s\" has more than %d words, too many to tell apart; give "
                               "coarser ones, or leave it out",
                               c->name, REGRET_MODEL_MAX_TAGS);
        }
        if (w == c->n) {
            TRY(regret_grow((void **)&c->word, &room, w, sizeof *c->word, "words"));
            TRY(regret_grow((void **)&c->share, &room_of_shares, w, sizeof *c->share, "words"));
            c->share[w] = 0.0;
            TRY(regret_strdup(&c->word[w], word));
            c->n++;
        }
        c->share[w] += 1.0 / (double)data->n_contexts;
    }
    return REGRET_OK;
}

/* v of a number, 0 where it is blank. */
static double standard(const struct model_column *c, double number)
{
    return isnan(number) || c->sd == 0.0 ? 0.0 : (number - c->mean) / c->sd;
}

static int make_numbers(struct model_column *c, const struct regret_model_data *data, size_t j)
{
    size_t n = data->n_contexts;
    FREED double *value = NULL;
    TRY(REGRET_NEW(&value, n));
    for (size_t x = 0; x < n; x++) {
        value[x] = data->covariate[x][j].number;
    }
    const struct own_moments m = own_moments(value, n);
    c->mean = m.mean;
    c->sd = m.sd;
    for (size_t x = 0; x < n; x++) {
        value[x] = standard(c, value[x]);
    }
    regret_sort_numbers(value, n);
    own_number_cut(&c->number, value, n);
    c->least = value[0];
    c->most = value[n - 1];
    c->blank = m.blank >= OWN_LEAST_BLANKS ? (double)m.blank / (double)n : 0.0;
    c->n = OWN_OF_NUMBER + (c->blank > 0.0);
    return REGRET_OK;
}

int model_columns_make(struct model_columns *out, const struct regret_model_data *data)
{
    FREED_BY(model_columns_free) struct model_columns made = {0};
    TRY(REGRET_NEW(&made.item, data->n_columns));
    for (size_t j = 0; j < data->n_columns; j++) {
        struct model_column *c = &made.item[made.n++];
        c->first = made.features;
        TRY(regret_strdup(&c->name, data->column[j].name));
        TRY(data->column[j].kind == REGRET_COLUMN_WORD ? make_words(c, data, j)
                                                       : make_numbers(c, data, j));
        made.features += c->n;
    }
    if (made.features > REGRET_MODEL_MAX_TAGS) {
        return regret_fail(REGRET_E_INPUT,
                           "the contexts' own columns have %zu words and steps together, more than "
                           "%d; leave some out",
                           made.features, REGRET_MODEL_MAX_TAGS);
    }
    *out = made;
    made = (struct model_columns){0};
    return REGRET_OK;
}

int model_column_knows(const struct model_column *c, const struct regret_covariate *value)
{
    return c->word != NULL ? value->word != NULL && find_word(c, value->word) < c->n
                           : isfinite(value->number) || (isnan(value->number) && c->blank > 0.0);
}

int model_column_is_far(const struct model_column *c, const struct regret_covariate *value)
{
    double v = c->word == NULL && isfinite(value->number) ? standard(c, value->number) : c->least;
    return v < c->least || v > c->most;
}

static void read_number(double *out, const struct model_column *c, double number)
{
    if (c->sd > 0.0) {
        own_number_put(out, &c->number, fmin(fmax(standard(c, number), c->least), c->most));
    }
    if (c->blank > 0.0) {
        out[OWN_OF_NUMBER] = (isnan(number) != 0) - c->blank;
    }
}

unsigned model_columns_read(double *out, const struct model_columns *columns,
                            const struct regret_covariate *values)
{
    unsigned notes = 0;
    memset(out, 0, columns->features * sizeof *out);
    for (size_t j = 0; j < columns->n; j++) {
        const struct model_column *c = &columns->item[j];
        int is_known = values != NULL && model_column_knows(c, &values[j]);
        notes |= !is_known                            ? REGRET_REQUEST_UNKNOWN_COLUMN
                 : model_column_is_far(c, &values[j]) ? REGRET_REQUEST_FAR_COLUMN
                                                      : 0;
        if (is_known && c->word == NULL) {
            read_number(out + c->first, c, values[j].number);
        }
        for (size_t w = 0; is_known && c->word != NULL && w < c->n; w++) {
            out[c->first + w] = (strcmp(c->word[w], values[j].word) == 0) - c->share[w];
        }
    }
    return notes;
}

/* 1 where words count. */
static inline int model_reads_words(const struct regret_model *m)
{
    return m->contrast.rule == REGRET_MODEL_WORDS || m->common.rule == REGRET_MODEL_WORDS;
}

FREED_POINTER(struct regret_model, regret_model_free)

const char *regret_model_rule_name(enum regret_model_rule rule)
{
    static const char *const names[REGRET_MODEL_RULES] = {"single", "tag", "columns", "words"};
    return names[rule];
}

int model_create(struct regret_model **out, size_t n_agents, size_t n_tags, size_t n_buckets,
                 size_t directions_contrast, size_t directions_common)
{
    FREED_BY(regret_model_free_at) struct regret_model *m = NULL;
    TRY(REGRET_NEW(&m, 1));
    m->told = -1;
    m->n_agents = n_agents;
    m->n_tags = n_tags;
    m->n_buckets = n_buckets;
    m->contrast.n = directions_contrast;
    m->common.n = directions_common;
    m->width = n_agents + 3 + directions_contrast + directions_common;
    TRY(REGRET_NEW(&m->agent, n_agents));
    TRY(REGRET_NEW(&m->tag, n_tags));
    TRY(REGRET_NEW(&m->answered, n_tags));
    TRY(REGRET_NEW(&m->own, n_agents));
    TRY(REGRET_NEW(&m->own_margin, n_agents));
    TRY(REGRET_NEW(&m->bucket, n_buckets));
    TRY(REGRET_NEW(&m->row, model_rows(m) * m->width));
    *out = m;
    m = NULL;
    return REGRET_OK;
}

void regret_model_free(struct regret_model *m)
{
    if (m == NULL) {
        return;
    }
    texts_free(m->agent, m->n_agents);
    texts_free(m->tag, m->n_tags);
    texts_free(m->answered, m->n_tags);
    model_columns_free(&m->columns);
    regret_free(m->own);
    regret_free(m->own_margin);
    regret_free(m->bucket);
    regret_free(m->row);
    regret_free(m->pool);
    regret_free(m->pool_digest);
    regret_free(m->settings);
    regret_free(m);
}

struct regret_model_facts regret_model_facts(const struct regret_model *model)
{
    return model->facts;
}

int regret_model_told(const struct regret_model *model)
{
    return model->told;
}

void regret_model_set_told(struct regret_model *model, int told)
{
    model->told = told < 0 ? -1 : told > 0;
}

size_t regret_model_columns(const struct regret_model *m)
{
    return m->contrast.kappa > 0.0 || m->common.kappa > 0.0 ? m->columns.n : 0;
}

const char *regret_model_column(const struct regret_model *m, size_t column)
{
    return m->columns.item[column].name;
}

static void describe_score(struct regret_buffer *out, const struct regret_model_facts *f,
                           enum regret_model_rule rule, const char *words)
{
    const struct regret_model_score *s = &f->score[rule];
    if (!s->is_there) {
        return;
    }
    regret_buffer_printf(out, "  %-28s %.4f ± %.4f", words, s->regret, s->half);
    if (rule != REGRET_MODEL_SINGLE) {
        regret_buffer_printf(out, "   %s by %.4f ± %.4f%s", s->gain < 0.0 ? "worse" : "better",
                             fabs(s->gain), s->gain_half,
                             fabs(s->gain) > s->gain_half ? "" : ", which is not separable from 0");
    }
    regret_buffer_append(out, f->contrasts == rule ? "   <- used\n" : "\n");
}

void regret_model_describe(struct regret_buffer *out, const struct regret_model *m)
{
    static const char *const value_words[REGRET_MODEL_RULES] = {
        "its agent alone", "agent and tag", "agent, tag and own columns", "agent, tag and words"};
    enum regret_model_rule rule =
        m->facts.common > m->facts.contrasts ? m->facts.common : m->facts.contrasts;
    const struct regret_model_facts *f = &m->facts;
    regret_buffer_printf(out, "model of %zu agents on %zu contexts of ", m->n_agents,
                         f->n_contexts);
    regret_buffer_append_safe(out, m->pool, 80);
    regret_buffer_printf(out, ", %zu pairs, %zu tag%s\n", f->n_pairs, m->n_tags,
                         m->n_tags == 1 ? "" : "s");
    regret_buffer_printf(
        out, "regret on %zu contexts, each left out of its fit (95 %% over contexts):\n",
        f->judged);
    describe_score(out, f, REGRET_MODEL_SINGLE, "best single agent");
    describe_score(out, f, REGRET_MODEL_TAG, "best by tag, shrunk");
    describe_score(out, f, REGRET_MODEL_COLUMNS, "ridge of tag and own columns");
    describe_score(out, f, REGRET_MODEL_WORDS,
                   m->columns.n > 0 ? "the same and words" : "ridge of tag and words");
    regret_buffer_printf(out, "  %-28s %.4f\n", "an agent at random", f->random);
    if (f->contrasts == REGRET_MODEL_SINGLE) {
        regret_buffer_append(
            out, "nothing is separably better than one agent for all: every request goes to ");
        regret_buffer_append_safe(out, m->agent[f->single], 80);
        regret_buffer_append(out, "\n");
    }
    regret_buffer_printf(
        out, "values go by %s%s; their error on contexts left out is %.4f (root mean square)\n",
        value_words[rule],
        rule == REGRET_MODEL_WORDS && m->columns.n > 0 ? ", and own columns" : "", f->error);
    for (size_t j = 0; j < regret_model_columns(m); j++) {
        regret_buffer_append(out, j == 0 ? "own columns: " : ", ");
        regret_buffer_append_safe(out, m->columns.item[j].name, 40);
        regret_buffer_append(out, j + 1 == m->columns.n ? "\n" : "");
    }
}

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

/* The number of a tag or, without it, of the first of the same words; n_tags of one that is not known. */
static size_t model_find_tag(const struct regret_model *m, const char *tag)
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

int regret_model_answer(struct regret_answer *answers, const struct regret_model *m,
                        const struct regret_request *requests, size_t n)
{
    FREED const char **texts = NULL;
    FREED_BY(regret_csr_free_at) struct regret_csr *words = NULL;
    FREED double *numbers = NULL, *own = NULL;
    int by_columns = regret_model_columns(m) > 0; /* else a request tells none */
    TRY(REGRET_NEW(&own, m->columns.features));
    TRY(REGRET_NEW(&texts, n));
    TRY(REGRET_NEW(&numbers, m->width));
    for (size_t i = 0; i < n; i++) {
        texts[i] = requests[i].text;
    }
    TRY(n > 0 && model_reads_words(m) ? model_words(&words, &m->features, m->max_bytes, texts, n)
                                      : REGRET_OK);
    for (size_t i = 0; i < n; i++) {
        struct model_words_row row = {0};
        double length[2];
        size_t start = words != NULL ? words->row_start[i] : 0, tag = 0;
        if (words != NULL) {
            row = (struct model_words_row){words->column + start, words->value + start,
                                           words->row_start[i + 1] - start};
        }
        unsigned of_columns =
            model_columns_read(own, &m->columns, by_columns ? requests[i].columns : NULL);
        unsigned notes = model_add_up(numbers, length, &tag, m, row, own, requests[i].tag);
        fill_answer(&answers[i], m, numbers, length);
        int is_unseen = tag < m->n_tags && m->answered[tag][answers[i].agent] != '1';
        answers[i].notes =
            notes | (by_columns ? of_columns : 0) | (is_unseen ? REGRET_REQUEST_UNSEEN_AGENT : 0);
    }
    return REGRET_OK;
}
