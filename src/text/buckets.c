#include "text/buckets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "text/keys.h"

int sparse_row_init(struct sparse_row *row, size_t buckets)
{
    *row = (struct sparse_row){NULL, NULL, buckets};
    TRY(REGRET_NEW(&row->value, buckets));
    int rc = REGRET_NEW(&row->marked, (buckets + 63) / 64);
    if (rc != REGRET_OK) {
        sparse_row_free(row);
    }
    return rc;
}

void sparse_row_free(struct sparse_row *row)
{
    regret_free(row->value);
    regret_free(row->marked);
    *row = (struct sparse_row){NULL, NULL, 0};
}

void sparse_row_add(struct sparse_row *row, size_t bucket, double x)
{
    row->value[bucket] += x;
    row->marked[bucket / 64] |= (uint64_t)1 << (bucket % 64);
}

/* Index of the lowest set bit; bits != 0. */
static size_t lowest_bit(uint64_t bits)
{
    return (size_t)__builtin_ctzll(bits);
}

size_t sparse_row_count(const struct sparse_row *row)
{
    size_t n = 0;
    for (size_t w = 0; w < (row->buckets + 63) / 64; w++) {
        n += (size_t)__builtin_popcountll(row->marked[w]);
    }
    return n;
}

size_t sparse_row_take(struct sparse_row *row, uint32_t *column, double *value)
{
    size_t n = 0;
    for (size_t w = 0; w < (row->buckets + 63) / 64; w++) {
        for (uint64_t bits = row->marked[w]; bits != 0; bits &= bits - 1) {
            size_t bucket = 64 * w + lowest_bit(bits);
            if (row->value[bucket] != 0.0) {
                column[n] = (uint32_t)bucket;
                value[n++] = row->value[bucket];
            }
            row->value[bucket] = 0.0;
        }
        row->marked[w] = 0;
    }
    return n;
}

uint64_t namespace_seed(const char *name, uint64_t seed)
{
    return XXH3_64bits_withSeed(name, strlen(name), seed);
}

int key_bag_init(struct key_bag *bag, size_t capacity)
{
    *bag = (struct key_bag){0, NULL, 0, capacity};
    return REGRET_NEW(&bag->key, capacity);
}

void key_bag_free(struct key_bag *bag)
{
    regret_free(bag->key);
    bag->key = NULL;
}

void key_bag_add(struct key_bag *bag, const void *key, size_t length)
{
    bag->key[bag->n++] = XXH3_64bits_withSeed(key, length, bag->seed);
}

void key_bag_add_grams(struct key_bag *bag, const uint64_t *hash, size_t n)
{
    unsigned char bytes[16];
    for (size_t i = 0; i < n; i++) {
        key_store(bytes, hash[i]);
        key_bag_add(bag, bytes, 8);
        if (i + 1 < n) {
            key_store(bytes + 8, hash[i + 1]);
            key_bag_add(bag, bytes, 16);
        }
    }
}

static void add_signed(struct sparse_row *part, uint64_t key, double weight)
{
    double sign = key >> 63 ? -1.0 : 1.0;
    sparse_row_add(part, (size_t)(key & (part->buckets - 1)), sign * weight);
}

static void sum_keys(struct sparse_row *part, struct key_bag *bag, enum regret_term_frequency tf)
{
    if (tf == REGRET_TF_COUNT) {
        for (size_t i = 0; i < bag->n; i++) {
            add_signed(part, bag->key[i], 1.0);
        }
        return;
    }
    qsort(bag->key, bag->n, sizeof *bag->key, key_compare);
    for (size_t i = 0, next; i < bag->n; i = next) {
        for (next = i + 1; next < bag->n && bag->key[next] == bag->key[i];) {
            next++;
        }
        add_signed(part, bag->key[i], tf == REGRET_TF_LOG ? 1.0 + log((double)(next - i)) : 1.0);
    }
}

void key_bag_pour(struct sparse_row *row, struct sparse_row *part, struct key_bag *bag,
                  double scale, enum regret_term_frequency tf)
{
    sum_keys(part, bag, tf);
    bag->n = 0;
    double squares = 0.0;
    size_t words = (part->buckets + 63) / 64;
    for (size_t w = 0; w < words; w++) {
        for (uint64_t bits = part->marked[w]; bits != 0; bits &= bits - 1) {
            double x = part->value[64 * w + lowest_bit(bits)];
            squares += x * x;
        }
    }
    double factor = squares > 0.0 ? scale / sqrt(squares) : 0.0;
    for (size_t w = 0; w < words; w++) {
        for (uint64_t bits = part->marked[w]; bits != 0; bits &= bits - 1) {
            size_t bucket = 64 * w + lowest_bit(bits);
            if (part->value[bucket] != 0.0) {
                sparse_row_add(row, bucket, factor * part->value[bucket]);
            }
            part->value[bucket] = 0.0;
        }
        part->marked[w] = 0;
    }
}
