/* One row of hashed features: namespaces of keys summed into signed buckets. */
#ifndef REGRET_TEXT_BUCKETS_H
#define REGRET_TEXT_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

#include "regret/text.h"

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

#endif
