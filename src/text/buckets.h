/* Terms hashed to buckets. */
#ifndef TEXT_BUCKETS_H
#define TEXT_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

/* XXH3 with its few instructions for short keys where they are used, not behind a call. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "regret/text.h"

/* 64-bit keys of tokens, bigrams and features; the same numbers on every machine. */

/* Writes x as 8 little-endian bytes. */
static inline void key_store(unsigned char *bytes, uint64_t x)
{
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(x >> (8 * i));
    }
}

/* XXH3 of the two token hashes (16 little-endian bytes), seed 0. */
static inline uint64_t key_bigram(uint64_t first, uint64_t second)
{
    unsigned char bytes[16];
    key_store(bytes, first);
    key_store(bytes + 8, second);
    return XXH3_64bits(bytes, sizeof bytes);
}

int key_compare(const void *a, const void *b); /* for qsort of uint64_t */

/* Sorting of short keys without comparisons. */

/* Sorts n items by their `bits` bits from bit `from` up, 1 <= bits <= 32; items alike in these keep their
 * order. n < 2^32; `spare` has room for n items. O(n · bits / 8). */
void sort_by_bits(uint64_t *item, uint64_t *spare, size_t n, unsigned from, unsigned bits);

/* Bits that are needed for the numbers below n; at least 1. */
unsigned bits_below(uint64_t n);

/* One row of hashed features: namespaces of keys summed into signed buckets. */

/* A sparse row that vectors are added to. */
struct sparse_row {
    uint32_t *column; /* n columns, ascending; owned */
    double *value;    /* n values, which may have become zero; owned */
    size_t n, capacity;
    uint32_t *spare_column; /* as much room again; owned */
    double *spare_value;    /* owned */
};

void sparse_row_free(struct sparse_row *row);

/* Adds factor · value at n ascending columns, counted from `first`; values of zero are skipped.
 * O(row->n + n). */
int sparse_row_add(struct sparse_row *row, size_t first, const uint32_t *column,
                   const double *value, size_t n, double factor);

/* The non-zero elements to column/value, room for row->n, and empties the row; returns their number. */
size_t sparse_row_take(struct sparse_row *row, uint32_t *column, double *value);

/* A bag of keys under one namespace. */
struct key_bag {
    uint64_t seed; /* of the namespace at hand, from namespace_seed() */
    size_t first;  /* the column of its first bucket */
    uint64_t *key; /* hashes of the keys; owned */
    size_t n, capacity;
    uint64_t *item;   /* while poured: bucket and index of a weight, and room to sort; owned */
    double *weight;   /* of the keys, then the sums of the buckets; owned */
    uint32_t *bucket; /* of these sums; owned */
};

uint64_t namespace_seed(const char *name, uint64_t seed);

/* An empty bag with room for `capacity` keys, occurrences counted; set its seed before adding. */
int key_bag_init(struct key_bag *bag, size_t capacity);
void key_bag_free(struct key_bag *bag);
void key_bag_add(struct key_bag *bag, const void *key, size_t length);
/* The unigrams and bigrams of n tokens. */
void key_bag_add_grams(struct key_bag *bag, const uint64_t *hash, size_t n);

/* Sums the bag's keys into `buckets` signed buckets and adds their vector, scaled to Euclidean length
 * `scale`, to `row`. Empties the bag. Linear in the keys. */
int key_bag_pour(struct sparse_row *row, struct key_bag *bag, size_t buckets, double scale);

/* Where every token (or bigram) stands in every text: the index behind all overlap measures. */

struct occurrence {
    uint64_t key;    /* token hash or key_bigram() */
    size_t position; /* of its first token within the text */
};

struct occurrences {
    size_t *start;           /* n_texts + 1 offsets into item; owned */
    struct occurrence *item; /* per text sorted by key, then position; owned */
};

/* Indexes tokens (order 1) or bigrams (order 2) of all texts. */
int occurrences_build(struct occurrences *out, const struct regret_tokens *tokens, int order);
void occurrences_free(struct occurrences *o);

/* The occurrences of `key` in a text: their number, and the first one (lowest position) in *first.
 * O(log tokens + number). */
size_t occurrences_find(const struct occurrence **first, const struct occurrences *o, size_t text,
                        uint64_t key);

#endif
