#include "regret/tfidf.h"

#include <stdlib.h>
#include <string.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "text/keys.h"
#include "text/stop_words.h"

/* Term hash to column, open addressing with linear probing; at most half full. */
struct vocabulary {
    uint64_t *hash;   /* the terms in order of first appearance */
    size_t n;         /* terms */
    size_t capacity;  /* room in `hash` */
    uint32_t *slot;   /* column + 1, 0 when free */
    size_t slot_mask; /* slots - 1, slots a power of two */
};

static int rehash(struct vocabulary *v, size_t slots)
{
    uint32_t *slot = NULL;
    TRY(REGRET_NEW(&slot, slots));
    for (size_t t = 0; t < v->n; t++) {
        size_t s = (size_t)v->hash[t] & (slots - 1);
        while (slot[s] != 0) {
            s = (s + 1) & (slots - 1);
        }
        slot[s] = (uint32_t)t + 1;
    }
    regret_free(v->slot);
    v->slot = slot;
    v->slot_mask = slots - 1;
    return REGRET_OK;
}

/* Room for one more term. */
static int vocabulary_reserve(struct vocabulary *v)
{
    if (v->n + 1 < v->capacity) {
        return REGRET_OK;
    }
    if (v->n >= UINT32_MAX / 4) {
        return regret_fail(REGRET_E_INPUT,
                           "more than %zu different terms: split the documents into smaller pools",
                           v->n);
    }
    size_t capacity = v->capacity == 0 ? 1024 : 2 * v->capacity;
    TRY(regret_realloc((void **)&v->hash, capacity, sizeof *v->hash, "the vocabulary"));
    TRY(rehash(v, 2 * capacity));
    v->capacity = capacity;
    return REGRET_OK;
}

static int vocabulary_column(uint32_t *column, struct vocabulary *v, uint64_t hash)
{
    TRY(vocabulary_reserve(v));
    size_t s = (size_t)hash & v->slot_mask;
    while (v->slot[s] != 0 && v->hash[v->slot[s] - 1] != hash) {
        s = (s + 1) & v->slot_mask;
    }
    if (v->slot[s] == 0) {
        v->hash[v->n++] = hash;
        v->slot[s] = (uint32_t)v->n;
    }
    *column = v->slot[s] - 1;
    return REGRET_OK;
}

static int column_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* One pass over the texts. */
struct counting {
    struct vocabulary vocabulary;
    uint64_t *stop; /* ascending; owned */
    size_t n_stop;
    struct regret_csr *counts; /* owned; entries have room for `capacity` */
    size_t capacity;
};

static int is_stop(const struct counting *c, uint64_t hash)
{
    return c->n_stop > 0 && bsearch(&hash, c->stop, c->n_stop, sizeof hash, key_compare) != NULL;
}

/* Columns of one text's terms, in order of appearance, appended as entries of row i. */
static int collect(struct counting *c, size_t i, const uint64_t *hash, size_t n, int bigrams)
{
    size_t at = c->counts->row_start[i];
    uint64_t previous = 0;
    int has_previous = 0;
    /* A token comes before the bigram it begins, which is known only at its right neighbour: the
     * bigram (previous, token) is therefore entered just before `token`. */
    for (size_t t = 0; t < n; t++) {
        if (is_stop(c, hash[t])) {
            continue;
        }
        if (bigrams && has_previous) {
            TRY(vocabulary_column(&c->counts->column[at++], &c->vocabulary,
                                  key_bigram(previous, hash[t])));
        }
        TRY(vocabulary_column(&c->counts->column[at++], &c->vocabulary, hash[t]));
        previous = hash[t];
        has_previous = 1;
    }
    c->counts->row_start[i + 1] = at;
    return REGRET_OK;
}

/* Sorts the columns of row i and turns repetitions into counts. */
static void count_row(struct regret_csr *m, size_t i)
{
    size_t begin = m->row_start[i], end = m->row_start[i + 1], at = begin;
    if (begin == end) {
        return;
    }
    qsort(m->column + begin, end - begin, sizeof *m->column, column_compare);
    for (size_t e = begin; e < end; e++) {
        if (e > begin && m->column[e] == m->column[at - 1]) {
            m->value[at - 1] += 1.0;
        } else {
            m->column[at] = m->column[e];
            m->value[at++] = 1.0;
        }
    }
    m->row_start[i + 1] = at;
}

static int reserve_entries(struct counting *c, size_t need)
{
    if (need <= c->capacity) {
        return REGRET_OK;
    }
    size_t grown = need > 2 * c->capacity ? need : 2 * c->capacity;
    struct regret_csr *m = c->counts;
    TRY(regret_realloc((void **)&m->column, grown, sizeof *m->column, "term columns"));
    TRY(regret_realloc((void **)&m->value, grown, sizeof *m->value, "term counts"));
    c->capacity = grown;
    return REGRET_OK;
}

static int count_all(struct counting *c, const struct regret_tokens *tokens,
                     const struct regret_terms_options *options)
{
    TRY(options->keep_stop_words ? REGRET_OK : stop_word_hashes(&c->stop, &c->n_stop));
    TRY(vocabulary_reserve(&c->vocabulary));
    TRY(regret_csr_new(&c->counts, tokens->n_texts, 0, 0));
    for (size_t i = 0; i < tokens->n_texts; i++) {
        size_t n = tokens->start[i + 1] - tokens->start[i];
        TRY(reserve_entries(c, c->counts->row_start[i] + 2 * n));
        TRY(collect(c, i, tokens->hash + tokens->start[i], n, options->bigrams));
        count_row(c->counts, i);
    }
    return REGRET_OK;
}

int regret_terms_build(struct regret_terms **out, const struct regret_tokens *tokens,
                       const struct regret_terms_options *options)
{
    struct counting c;
    struct regret_terms *terms = NULL;
    memset(&c, 0, sizeof c);
    int rc;
    TRY_CLEANUP(count_all(&c, tokens, options));
    TRY_CLEANUP(REGRET_NEW(&terms, 1));
    c.counts->cols = c.vocabulary.n;
    *terms = (struct regret_terms){.counts = c.counts, .hash = c.vocabulary.hash};
    c.counts = NULL;
    c.vocabulary.hash = NULL;
    *out = terms;
cleanup:
    regret_csr_free(c.counts);
    regret_free(c.vocabulary.hash);
    regret_free(c.vocabulary.slot);
    regret_free(c.stop);
    return rc;
}

void regret_terms_free(struct regret_terms *terms)
{
    if (terms == NULL) {
        return;
    }
    regret_csr_free(terms->counts);
    regret_free(terms->hash);
    regret_free(terms);
}
