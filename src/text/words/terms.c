#include "regret/text.h"

#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "text/words/keys.h"
#include "text/words/sort.h"
#include "text/words/stop_words.h"

/* A place of the table: a term, and its column + 1, 0 when it is free. */
struct slot {
    uint64_t hash;
    uint32_t column;
};

/* Term hash to column, open addressing with linear probing; at most three quarters full. */
struct vocabulary {
    uint64_t *hash; /* the terms in order of first appearance */
    size_t n;       /* terms */
    size_t slots;   /* a power of two; `hash` has room for three quarters of them */
    struct slot *slot;
};

enum { AHEAD = 8 }; /* slots are fetched so many lookups early: they seldom are in a near cache */

static struct slot *find_slot(const struct vocabulary *v, uint64_t hash)
{
    size_t mask = v->slots - 1, s = (size_t)hash & mask;
    while (v->slot[s].column != 0 && v->slot[s].hash != hash) {
        s = (s + 1) & mask;
    }
    return &v->slot[s];
}

/* Room for `more` terms. */
static int vocabulary_reserve(struct vocabulary *v, size_t more)
{
    if (v->n + more <= v->slots / 4 * 3) {
        return REGRET_OK;
    }
    if (v->n + more >= UINT32_MAX / 4) {
        return regret_fail(REGRET_E_INPUT,
                           "%zu different terms, and a text of up to %zu more: split the documents "
                           "into smaller pools",
                           v->n, more);
    }
    size_t slots = v->slots == 0 ? 2048 : v->slots;
    while (slots / 4 * 3 < v->n + more) {
        slots *= 2;
    }
    TRY(regret_realloc((void **)&v->hash, slots / 4 * 3, sizeof *v->hash, "the vocabulary"));
    regret_free(v->slot); /* all that is in it is in `hash` */
    v->slot = NULL;
    v->slots = 0;
    TRY(REGRET_NEW(&v->slot, slots));
    v->slots = slots;
    for (size_t t = 0; t < v->n; t++) {
        *find_slot(v, v->hash[t]) = (struct slot){v->hash[t], (uint32_t)t + 1};
    }
    return REGRET_OK;
}

/* The column of a term, a new one where it has none; there is room for it. */
static uint32_t vocabulary_column(struct vocabulary *v, uint64_t hash)
{
    struct slot *slot = find_slot(v, hash);
    if (slot->column == 0) {
        v->hash[v->n++] = hash;
        *slot = (struct slot){hash, (uint32_t)v->n};
    }
    return slot->column - 1;
}

enum { STOP_SLOTS = 2048 }; /* several times as many as there are stop words */

/* One pass over the texts. */
struct counting {
    struct vocabulary vocabulary;
    uint64_t *stop;            /* hashes by open addressing, 0 where free; NULL: none; owned */
    struct regret_csr *counts; /* owned; entries have room for `capacity` */
    size_t capacity;
    uint64_t *term, *column, *spare; /* of the text at hand, room for `longest`; owned */
    size_t longest;
};

static int make_stops(struct counting *c)
{
    FREED uint64_t *hash = NULL;
    size_t n = 0;
    TRY(stop_word_hashes(&hash, &n));
    TRY(REGRET_NEW(&c->stop, STOP_SLOTS));
    for (size_t i = 0; i < n; i++) {
        size_t s = hash[i] % STOP_SLOTS;
        while (c->stop[s] != 0) {
            s = (s + 1) % STOP_SLOTS;
        }
        c->stop[s] = hash[i];
    }
    return REGRET_OK;
}

static int is_stop(const struct counting *c, uint64_t hash)
{
    for (size_t s = hash % STOP_SLOTS; c->stop != NULL && c->stop[s] != 0;
         s = (s + 1) % STOP_SLOTS) {
        if (c->stop[s] == hash) {
            return 1;
        }
    }
    return 0;
}

/* The terms of one text in order of appearance; returns their number, at most twice its tokens'. */
static size_t list_terms(struct counting *c, const uint64_t *hash, size_t n, int bigrams)
{
    size_t at = 0;
    uint64_t previous = 0;
    /* A token comes before the bigram it begins, which is known only at its right neighbour: the
     * bigram (previous, token) is therefore entered just before `token`. */
    for (size_t t = 0; t < n; t++) {
        if (is_stop(c, hash[t])) {
            continue;
        }
        if (bigrams && at > 0) {
            c->term[at++] = key_bigram(previous, hash[t]);
        }
        c->term[at++] = hash[t];
        previous = hash[t];
    }
    return at;
}

/* Columns of the text's terms, ascending. */
static void find_columns(struct counting *c, size_t n)
{
    struct vocabulary *v = &c->vocabulary;
    size_t mask = v->slots - 1;
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n) {
            __builtin_prefetch(&v->slot[c->term[i + AHEAD] & mask], 1);
        }
        c->column[i] = vocabulary_column(v, c->term[i]);
    }
    sort_by_bits(c->column, c->spare, n, 0, bits_below(v->n));
}

/* Appends n sorted columns as row i, repetitions as counts. */
static void count_row(struct regret_csr *m, size_t i, const uint64_t *column, size_t n)
{
    size_t at = m->row_start[i];
    for (size_t e = 0, next; e < n; e = next) {
        for (next = e + 1; next < n && column[next] == column[e];) {
            next++;
        }
        m->column[at] = (uint32_t)column[e];
        m->value[at++] = (double)(next - e);
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

static int reserve_terms(struct counting *c, size_t n)
{
    TRY(vocabulary_reserve(&c->vocabulary, n));
    if (n > c->longest) {
        TRY(regret_realloc((void **)&c->term, 2 * n, sizeof *c->term, "the terms of a text"));
        TRY(regret_realloc((void **)&c->column, 2 * n, sizeof *c->column, "the terms of a text"));
        TRY(regret_realloc((void **)&c->spare, 2 * n, sizeof *c->spare, "the terms of a text"));
        c->longest = 2 * n;
    }
    return REGRET_OK;
}

static int count_all(struct counting *c, const struct regret_tokens *tokens,
                     const struct regret_terms_options *options)
{
    TRY(options->keep_stop_words ? REGRET_OK : make_stops(c));
    TRY(regret_csr_new(&c->counts, tokens->n_texts, 0, 0));
    TRY(reserve_terms(c, 1));
    for (size_t i = 0; i < tokens->n_texts; i++) {
        size_t n = tokens->start[i + 1] - tokens->start[i];
        TRY(reserve_terms(c, 2 * n));
        n = list_terms(c, tokens->hash + tokens->start[i], n, options->bigrams);
        find_columns(c, n);
        TRY(reserve_entries(c, c->counts->row_start[i] + n));
        count_row(c->counts, i, c->column, n);
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
    regret_free(c.term);
    regret_free(c.column);
    regret_free(c.spare);
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
