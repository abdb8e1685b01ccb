#include "text/words/measures.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "text/words/keys.h"

static int check_pairs(const struct regret_pairs *pairs)
{
    if (pairs->outputs->n_texts != pairs->n_pairs) {
        return regret_fail(REGRET_E_INPUT, "%zu pairs with %zu outputs: give one output a pair",
                           pairs->n_pairs, pairs->outputs->n_texts);
    }
    for (size_t i = 0; i < pairs->n_pairs; i++) {
        if (pairs->context[i] >= pairs->contexts->n_texts) {
            return regret_fail(REGRET_E_INPUT,
                               "pair %zu refers to context %lu, but there are only %zu", i,
                               (unsigned long)pairs->context[i], pairs->contexts->n_texts);
        }
    }
    return REGRET_OK;
}

/* Of a table that n words fill by half at most: a power of two. */
static size_t table_slots(size_t n)
{
    size_t slots = 2;
    while (slots < 2 * n) {
        slots *= 2;
    }
    return slots;
}

int measurer_init(struct measurer *m, const struct regret_pairs *pairs)
{
    *m = (struct measurer){.pairs = pairs};
    TRY(check_pairs(pairs));
    for (size_t i = 0; i < pairs->n_pairs; i++) {
        size_t length = pairs->outputs->start[i + 1] - pairs->outputs->start[i];
        m->longest = length > m->longest ? length : m->longest;
    }
    return occurrences_build(&m->tokens, pairs->contexts, 1);
}

int measurer_index_bigrams(struct measurer *m)
{
    return occurrences_build(&m->bigrams, m->pairs->contexts, 2);
}

void measurer_free(struct measurer *m)
{
    occurrences_free(&m->tokens);
    occurrences_free(&m->bigrams);
}

int measuring_init(struct measuring *m, const struct measurer *by)
{
    *m = (struct measuring){.by = by, .known_of = SIZE_MAX};
    TRY(REGRET_NEW(&m->seen, table_slots(by->longest)));
    return REGRET_NEW(&m->known, by->longest);
}

void measuring_free(struct measuring *m)
{
    regret_free(m->seen);
    regret_free(m->known);
}

static double share(double part, double whole)
{
    return whole > 0.0 ? part / whole : 0.0;
}

/* Two neighbouring slices of tokens: an output and its context. */
struct view {
    const uint64_t *output;
    size_t n;
    const uint64_t *context;
    size_t n_context;
    size_t text; /* the context's index */
};

/* Different hashes among n, by a table of table_slots(n) in which 0 is an empty slot. */
static size_t distinct(const uint64_t *hash, size_t n, uint64_t *table)
{
    size_t slots = table_slots(n), count = 0, zeros = 0;
    memset(table, 0, slots * sizeof *table);
    for (size_t i = 0; i < n; i++) {
        size_t at = hash[i] & (slots - 1);
        while (table[at] != 0 && table[at] != hash[i]) {
            at = (at + 1) & (slots - 1);
        }
        zeros += hash[i] == 0;
        count += table[at] != hash[i];
        table[at] = hash[i];
    }
    return count + (zeros > 0);
}

static void measure_surface(double *value, const struct view *v,
                            const struct regret_text_shape *shape, uint64_t *table)
{
    double n = (double)v->n;
    value[MEASURE_WORDS] = n;
    value[MEASURE_LOG_WORDS] = log1p(n);
    value[MEASURE_SENTENCES] = (double)shape->sentences;
    value[MEASURE_MEAN_SENTENCE_WORDS] = share(n, (double)shape->sentences);
    value[MEASURE_COMPRESSION] = (double)v->n_context / fmax(n, 1.0);
    value[MEASURE_REPETITION] = share(n - (double)distinct(v->output, v->n, table), n);
    value[MEASURE_PUNCTUATION] = share((double)shape->punctuation, (double)shape->characters);
}

static void measure_overlap(double *value, const struct view *v, const struct measurer *m,
                            const uint8_t *known, const uint8_t *is_number)
{
    size_t numbers = 0, lead = 0, novel_bigrams = 0;
    size_t lead_tokens = m->pairs->contexts->shape[v->text].lead_tokens;
    const struct occurrence *first = NULL;
    for (size_t i = 0; i < v->n; i++) {
        numbers += !known[i] && is_number[i];
        lead += known[i] && occurrences_find(&first, &m->tokens, v->text, v->output[i]) > 0 &&
                first->position < lead_tokens;
        if (i + 1 < v->n) {
            uint64_t key = key_bigram(v->output[i], v->output[i + 1]);
            novel_bigrams += occurrences_find(&first, &m->bigrams, v->text, key) == 0;
        }
    }
    double n = (double)v->n;
    value[MEASURE_NOVEL_BIGRAMS] = share((double)novel_bigrams, n - 1.0);
    value[MEASURE_UNMATCHED_NUMBERS] = (double)numbers;
    value[MEASURE_LEAD_OVERLAP] = share((double)lead, n);
}

/* Longest run of context tokens equal to the output's from place i on. */
static size_t longest_fragment(const struct view *v, const struct measurer *m, size_t i)
{
    const struct occurrence *place = NULL;
    size_t longest = 0, places = occurrences_find(&place, &m->tokens, v->text, v->output[i]);
    for (size_t p = 0; p < places; p++) {
        size_t from = place[p].position, length = 1;
        while (i + length < v->n && from + length < v->n_context &&
               v->output[i + length] == v->context[from + length]) {
            length++;
        }
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* Greedy copied fragments, Grusky et al. 2018, figure 3. */
static void measure_fragments(double *value, const struct view *v, const struct measurer *m)
{
    double covered = 0.0, squares = 0.0;
    for (size_t i = 0; i < v->n;) {
        size_t length = longest_fragment(v, m, i);
        covered += (double)length;
        squares += (double)length * (double)length;
        i += length > 0 ? length : 1;
    }
    value[MEASURE_FRAGMENT_COVERAGE] = share(covered, (double)v->n);
    value[MEASURE_FRAGMENT_DENSITY] = share(squares, (double)v->n);
}

static struct view view_of(const struct measurer *m, size_t pair)
{
    const struct regret_tokens *outputs = m->pairs->outputs, *contexts = m->pairs->contexts;
    size_t text = m->pairs->context[pair];
    return (struct view){outputs->hash + outputs->start[pair],
                         outputs->start[pair + 1] - outputs->start[pair],
                         contexts->hash + contexts->start[text],
                         contexts->start[text + 1] - contexts->start[text], text};
}

const uint8_t *measure_known(struct measuring *m, size_t pair)
{
    if (m->known_of != pair) {
        struct view v = view_of(m->by, pair);
        const struct occurrence *first = NULL;
        for (size_t i = 0; i < v.n; i++) {
            m->known[i] = occurrences_find(&first, &m->by->tokens, v.text, v.output[i]) > 0;
        }
        m->known_of = pair;
    }
    return m->known;
}

void measure_shape(double *value, struct measuring *m, size_t pair)
{
    struct view v = view_of(m->by, pair);
    const uint8_t *known = measure_known(m, pair);
    size_t novel = 0;
    for (size_t i = 0; i < v.n; i++) {
        novel += !known[i];
    }
    measure_surface(value, &v, &m->by->pairs->outputs->shape[pair], m->seen);
    value[MEASURE_NOVEL_TOKENS] = share((double)novel, (double)v.n);
}

void measure_pair(double *value, struct measuring *m, size_t pair)
{
    const struct regret_tokens *outputs = m->by->pairs->outputs;
    struct view v = view_of(m->by, pair);
    measure_shape(value, m, pair);
    measure_overlap(value, &v, m->by, measure_known(m, pair),
                    outputs->is_number + outputs->start[pair]);
    measure_fragments(value, &v, m->by);
}
