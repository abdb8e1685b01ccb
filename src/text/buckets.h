/* One row of hashed features: namespaces of keys summed into signed buckets. */
#ifndef REGRET_TEXT_BUCKETS_H
#define REGRET_TEXT_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

#include "regret/text.h"

/* A dense vector that knows which of its places were touched. */
struct sparse_row {
    double *value;    /* `buckets` sums, zero where untouched; owned */
    uint64_t *marked; /* one bit a bucket; owned */
    size_t buckets;
};

int sparse_row_init(struct sparse_row *row, size_t buckets);
void sparse_row_free(struct sparse_row *row);
void sparse_row_add(struct sparse_row *row, size_t bucket, double x);

/* Appends the non-zero elements in ascending order at column/value and empties the row; returns
 * their number. At most sparse_row_count() elements are written. */
size_t sparse_row_take(struct sparse_row *row, uint32_t *column, double *value);
size_t sparse_row_count(const struct sparse_row *row); /* touched places */

/* A bag of keys under one namespace. */
struct key_bag {
    uint64_t seed; /* of the namespace at hand, from namespace_seed() */
    uint64_t *key; /* hashes of the keys; owned */
    size_t n, capacity;
};

uint64_t namespace_seed(const char *name, uint64_t seed);

/* An empty bag with room for `capacity` keys, occurrences counted; set its seed before adding. */
int key_bag_init(struct key_bag *bag, size_t capacity);
void key_bag_free(struct key_bag *bag);
void key_bag_add(struct key_bag *bag, const void *key, size_t length);
/* The unigrams and bigrams of n tokens. */
void key_bag_add_grams(struct key_bag *bag, const uint64_t *hash, size_t n);

/* Sums the bag's keys into signed buckets of `part` (empty before and after), then adds their
 * vector, scaled to Euclidean length `scale`, to `row`. Empties the bag. */
void key_bag_pour(struct sparse_row *row, struct sparse_row *part, struct key_bag *bag,
                  double scale, enum regret_term_frequency tf);

#endif
