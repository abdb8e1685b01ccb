/* Terms: words and pairs of words. */
#include <string.h>

#include "base/status.h"
#include "regret/status.h"
#include "regret/text.h"
#include "text/buckets.h"
#include "text/classes.h"

enum {
    STOP_SLOTS = 2048, /* several times as many as there are stop words */
    MOST_CHUNKS = 256,
    CHUNK_TOKENS = 1 << 14,
    PART_TERMS = 1 << 18, /* occurrences of a part, about: its table stays in a near cache */
    MOST_PART_BITS = 10
};

static const uint32_t FIRST = (uint32_t)1
                              << 31; /* marks a term's first occurrence beside its position */

/* What one thread needs for the text or the part at hand. */
struct desk {
    uint64_t *term, *spare; /* room for the terms of the longest text; owned */
    uint32_t *slot;         /* room for the table of the largest part; owned */
};

struct counting {
    const struct regret_tokens *tokens; /* borrowed */
    int bigrams;
    uint64_t *stop; /* hashes by open addressing, 0 where free; NULL: none; owned */
    size_t threads, chunks;
    unsigned part_bits;
    struct desk *desk; /* one a thread; owned */
    size_t *start;     /* texts + 1 offsets of occurrences; owned */
    uint32_t *place;   /* chunks x parts: where the next occurrence goes; owned */
    uint64_t *
        hash; /* of every occurrence, part by part; then its term's first, then its column; owned */
    uint32_t *position;         /* of the same; owned */
    uint64_t *is_first;         /* a bit for every position; owned */
    uint32_t *before;           /* firsts before every word of these; owned */
    uint32_t *column;           /* by position; owned */
    struct regret_terms *terms; /* owned */
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
static size_t list_terms(const struct counting *c, uint64_t *term, const uint64_t *hash, size_t n)
{
    size_t at = 0;
    uint64_t previous = 0;
    /* A token comes before the bigram it begins, which is known only at its right neighbour: the
     * bigram (previous, token) is therefore entered just before `token`. */
    for (size_t t = 0; t < n; t++) {
        if (is_stop(c, hash[t])) {
            continue;
        }
        if (c->bigrams && at > 0) {
            term[at++] = key_bigram(previous, hash[t]);
        }
        term[at++] = hash[t];
        previous = hash[t];
    }
    return at;
}

static size_t chunk_begin(const struct counting *c, size_t chunk)
{
    return c->tokens->n_texts * chunk / c->chunks;
}

static size_t part_of(const struct counting *c, uint64_t hash)
{
    return (size_t)((hash >> 32) >> (32 - c->part_bits));
}

static size_t list_text(const struct counting *c, struct desk *desk, size_t i)
{
    const size_t *start = c->tokens->start;
    return list_terms(c, desk->term, c->tokens->hash + start[i], start[i + 1] - start[i]);
}

/* How many occurrences each text of a chunk has, and how many each part has of them. */
static int count_chunk(void *context, size_t chunk, size_t worker)
{
    struct counting *c = context;
    uint32_t *count = c->place + (chunk << c->part_bits);
    for (size_t i = chunk_begin(c, chunk); i < chunk_begin(c, chunk + 1); i++) {
        size_t n = list_text(c, &c->desk[worker], i);
        c->start[i + 1] = n;
        for (size_t t = 0; t < n; t++) {
            count[part_of(c, c->desk[worker].term[t])]++;
        }
    }
    return REGRET_OK;
}

static int deal_chunk(void *context, size_t chunk, size_t worker)
{
    struct counting *c = context;
    uint32_t *place = c->place + (chunk << c->part_bits);
    for (size_t i = chunk_begin(c, chunk); i < chunk_begin(c, chunk + 1); i++) {
        size_t n = list_text(c, &c->desk[worker], i);
        for (size_t t = 0; t < n; t++) {
            uint64_t term = c->desk[worker].term[t];
            uint32_t to = place[part_of(c, term)]++;
            c->hash[to] = term;
            c->position[to] = (uint32_t)(c->start[i] + t);
        }
    }
    return REGRET_OK;
}

/* Where a part begins, once all is dealt out: where the last chunk ended with the one before. */
static size_t part_begin(const struct counting *c, size_t part)
{
    return part == 0 ? 0 : c->place[((c->chunks - 1) << c->part_bits) + part - 1];
}

/* Slots of a table that n terms fill by half at most. */
static size_t table_slots(size_t n)
{
    return (size_t)1 << bits_below(2 * n + 1);
}

/* Marks the first occurrence of each term of a part; of the others, the first takes the place of the hash. */
static int find_firsts(void *context, size_t part, size_t worker)
{
    struct counting *c = context;
    size_t begin = part_begin(c, part), n = part_begin(c, part + 1) - begin;
    size_t slots = table_slots(n);
    uint64_t *hash = c->hash + begin;
    uint32_t *slot = c->desk[worker].slot;
    memset(slot, 0, slots * sizeof *slot);
    for (size_t k = 0; k < n; k++) {
        size_t s = hash[k] & (slots - 1);
        while (slot[s] != 0 && hash[slot[s] - 1] != hash[k]) {
            s = (s + 1) & (slots - 1);
        }
        if (slot[s] != 0) {
            hash[k] = slot[s] - 1;
            continue;
        }
        slot[s] = (uint32_t)k + 1;
        size_t position = c->position[begin + k];
        c->position[begin + k] |= FIRST;
        __atomic_fetch_or(&c->is_first[position / 64], (uint64_t)1 << position % 64,
                          __ATOMIC_RELAXED); /* other parts have bits of the same word */
    }
    return REGRET_OK;
}

/* Numbers the terms of a part: every occurrence has its column then in place of the hash. */
static int number_part(void *context, size_t part, size_t worker)
{
    struct counting *c = context;
    size_t begin = part_begin(c, part), n = part_begin(c, part + 1) - begin;
    uint64_t *hash = c->hash + begin;
    (void)worker;
    for (size_t k = 0; k < n; k++) {
        size_t position = c->position[begin + k] ^ FIRST;
        if (position >= FIRST) {
            hash[k] = hash[hash[k]];
            continue;
        }
        uint64_t below = ((uint64_t)1 << position % 64) - 1;
        size_t number = c->before[position / 64] +
                        (size_t)__builtin_popcountll(c->is_first[position / 64] & below);
        c->terms->hash[number] = hash[k];
        hash[k] = number;
    }
    return REGRET_OK;
}

/* The columns of a chunk's occurrences, from where the parts have them to where they stand. */
static void collect(const struct counting *c, size_t chunk)
{
    for (size_t part = 0; part < (size_t)1 << c->part_bits; part++) {
        const uint32_t *end = &c->place[(chunk << c->part_bits) + part];
        size_t k = chunk == 0 ? part_begin(c, part) : *(end - ((size_t)1 << c->part_bits));
        for (; k < *end; k++) {
            c->column[c->position[k] & ~FIRST] = (uint32_t)c->hash[k];
        }
    }
}

/* Collects and sorts the columns of each text, and counts those that differ. */
static int sort_chunk(void *context, size_t chunk, size_t worker)
{
    struct counting *c = context;
    struct desk *desk = &c->desk[worker];
    collect(c, chunk);
    for (size_t i = chunk_begin(c, chunk); i < chunk_begin(c, chunk + 1); i++) {
        uint32_t *column = c->column + c->start[i];
        size_t n = c->start[i + 1] - c->start[i], differ = 0;
        for (size_t t = 0; t < n; t++) {
            desk->term[t] = column[t];
        }
        sort_by_bits(desk->term, desk->spare, n, 0, bits_below(c->terms->counts->cols));
        for (size_t t = 0; t < n; t++) {
            column[t] = (uint32_t)desk->term[t];
            differ += t == 0 || column[t] != column[t - 1];
        }
        c->terms->counts->row_start[i + 1] = differ;
    }
    return REGRET_OK;
}

/* Sorted columns, repetitions as counts. */
static int fill_chunk(void *context, size_t chunk, size_t worker)
{
    const struct counting *c = context;
    struct regret_csr *m = c->terms->counts;
    (void)worker;
    for (size_t i = chunk_begin(c, chunk); i < chunk_begin(c, chunk + 1); i++) {
        size_t at = m->row_start[i];
        for (size_t e = c->start[i], next; e < c->start[i + 1]; e = next) {
            for (next = e + 1; next < c->start[i + 1] && c->column[next] == c->column[e];) {
                next++;
            }
            m->column[at] = c->column[e];
            m->value[at++] = (double)(next - e);
        }
    }
    return REGRET_OK;
}

/* Counts to offsets: start[0] is 0. */
static void sum_up(size_t *start, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        start[i + 1] += start[i];
    }
}

static int for_chunks(struct counting *c, regret_job *job)
{
    return regret_parallel_for(c->chunks, c->threads, job, c);
}

static int for_parts(struct counting *c, regret_job *job)
{
    return regret_parallel_for((size_t)1 << c->part_bits, c->threads, job, c);
}

/* Chunks, parts, and what the threads need to list terms. */
static int prepare(struct counting *c)
{
    const struct regret_tokens *tokens = c->tokens;
    size_t n = tokens->n_texts, all = tokens->start[n], longest = 0;
    for (size_t i = 0; i < n; i++) {
        size_t length = tokens->start[i + 1] - tokens->start[i];
        longest = length > longest ? length : longest;
    }
    if (all >= UINT32_MAX / 4) {
        return regret_fail(REGRET_E_INPUT,
                           "texts of %zu words; terms of at most 2^30 are counted: split the pool, "
                           "or cut the texts (text.max_bytes)",
                           all);
    }
    c->chunks = all / CHUNK_TOKENS < MOST_CHUNKS ? all / CHUNK_TOKENS + 1 : MOST_CHUNKS;
    while (c->part_bits < MOST_PART_BITS && 2 * all >> c->part_bits > PART_TERMS) {
        c->part_bits++;
    }
    TRY(REGRET_NEW(&c->start, n + 1));
    TRY(REGRET_NEW(&c->place, c->chunks << c->part_bits));
    TRY(REGRET_NEW(&c->desk, c->threads));
    for (size_t t = 0; t < c->threads; t++) {
        TRY(REGRET_NEW(&c->desk[t].term, 2 * longest));
        TRY(REGRET_NEW(&c->desk[t].spare, 2 * longest));
    }
    return REGRET_OK;
}

/* Deals the occurrences out, part by part, and within a part in their order. */
static int deal(struct counting *c)
{
    size_t parts = (size_t)1 << c->part_bits, sum = 0, largest = 0;
    TRY(for_chunks(c, count_chunk));
    sum_up(c->start, c->tokens->n_texts);
    for (size_t part = 0; part < parts; part++) {
        size_t begin = sum;
        for (size_t chunk = 0; chunk < c->chunks; chunk++) {
            uint32_t *place = &c->place[(chunk << c->part_bits) + part], count = *place;
            *place = (uint32_t)sum;
            sum += count;
        }
        largest = sum - begin > largest ? sum - begin : largest;
    }
    for (size_t t = 0; t < c->threads; t++) {
        TRY(REGRET_NEW(&c->desk[t].slot, table_slots(largest)));
    }
    TRY(REGRET_NEW(&c->hash, sum));
    TRY(REGRET_NEW(&c->position, sum));
    return for_chunks(c, deal_chunk);
}

static int number_terms(struct counting *c)
{
    size_t n = c->start[c->tokens->n_texts], words = n / 64 + 1;
    struct regret_csr *counts = c->terms->counts;
    TRY(REGRET_NEW(&c->is_first, words));
    TRY(REGRET_NEW(&c->before, words));
    TRY(for_parts(c, find_firsts));
    for (size_t w = 0; w < words; w++) {
        c->before[w] = (uint32_t)counts->cols;
        counts->cols += (size_t)__builtin_popcountll(c->is_first[w]);
    }
    TRY(REGRET_NEW(&c->terms->hash, counts->cols));
    return for_parts(c, number_part);
}

static int count_terms(struct counting *c)
{
    struct regret_csr *counts = c->terms->counts;
    TRY(REGRET_NEW(&c->column, c->start[counts->rows]));
    TRY(for_chunks(c, sort_chunk));
    regret_free(c->hash);
    regret_free(c->position);
    c->hash = NULL;
    c->position = NULL;
    sum_up(counts->row_start, counts->rows);
    regret_free(counts->column);
    regret_free(counts->value);
    counts->column = NULL;
    counts->value = NULL;
    TRY(REGRET_NEW(&counts->column, counts->row_start[counts->rows]));
    TRY(REGRET_NEW(&counts->value, counts->row_start[counts->rows]));
    return for_chunks(c, fill_chunk);
}

static void counting_free(struct counting *c)
{
    for (size_t t = 0; c->desk != NULL && t < c->threads; t++) {
        regret_free(c->desk[t].term);
        regret_free(c->desk[t].spare);
        regret_free(c->desk[t].slot);
    }
    void *const owned[] = {c->stop,     c->desk,     c->start,  c->place, c->hash,
                           c->position, c->is_first, c->before, c->column};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        regret_free(owned[i]);
    }
    regret_terms_free(c->terms);
}

int regret_terms_build(struct regret_terms **out, const struct regret_tokens *tokens,
                       const struct regret_terms_options *options)
{
    FREED_BY(counting_free)
    struct counting c = {
        .tokens = tokens, .bigrams = options->bigrams, .threads = regret_threads_allowed()};
    TRY(options->keep_stop_words ? REGRET_OK : make_stops(&c));
    TRY(REGRET_NEW(&c.terms, 1));
    TRY(regret_csr_new(&c.terms->counts, tokens->n_texts, 0, 0));
    TRY(prepare(&c));
    TRY(deal(&c));
    TRY(number_terms(&c));
    TRY(count_terms(&c));
    *out = c.terms;
    c.terms = NULL;
    return REGRET_OK;
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
