#include "text/words/buckets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "text/words/hash.h"
#include "text/words/keys.h"
#include "text/words/sort.h"

void sparse_row_free(struct sparse_row *row)
{
    regret_free(row->column);
    regret_free(row->value);
    regret_free(row->spare_column);
    regret_free(row->spare_value);
    *row = (struct sparse_row){0};
}

static int reserve(struct sparse_row *row, size_t n)
{
    if (n <= row->capacity) {
        return REGRET_OK;
    }
    size_t grown = 2 * n;
    TRY(regret_realloc((void **)&row->column, grown, sizeof *row->column, "a row of features"));
    TRY(regret_realloc((void **)&row->value, grown, sizeof *row->value, "a row of features"));
    TRY(regret_realloc((void **)&row->spare_column, grown, sizeof *row->column, "a row to merge"));
    TRY(regret_realloc((void **)&row->spare_value, grown, sizeof *row->value, "a row to merge"));
    row->capacity = grown;
    return REGRET_OK;
}

static void swap_spare(struct sparse_row *row)
{
    uint32_t *column = row->column;
    double *value = row->value;
    row->column = row->spare_column;
    row->value = row->spare_value;
    row->spare_column = column;
    row->spare_value = value;
}

int sparse_row_add(struct sparse_row *row, size_t first, const uint32_t *column,
                   const double *value, size_t n, double factor)
{
    TRY(reserve(row, row->n + n));
    uint32_t *to = row->spare_column;
    double *sum = row->spare_value;
    size_t at = 0, i = 0;
    for (size_t e = 0; e < n; e++) {
        if (value[e] == 0.0) {
            continue;
        }
        uint32_t place = (uint32_t)first + column[e];
        for (; i < row->n && row->column[i] < place; i++, at++) {
            to[at] = row->column[i];
            sum[at] = row->value[i];
        }
        double before = i < row->n && row->column[i] == place ? row->value[i++] : 0.0;
        to[at] = place;
        sum[at++] = before + factor * value[e];
    }
    if (i < row->n) {
        memcpy(to + at, row->column + i, (row->n - i) * sizeof *to);
        memcpy(sum + at, row->value + i, (row->n - i) * sizeof *sum);
    }
    row->n = at + row->n - i;
    swap_spare(row);
    return REGRET_OK;
}

size_t sparse_row_take(struct sparse_row *row, uint32_t *column, double *value)
{
    size_t n = 0;
    for (size_t i = 0; i < row->n; i++) {
        column[n] = row->column[i];
        value[n] = row->value[i];
        n += row->value[i] != 0.0;
    }
    row->n = 0;
    return n;
}

uint64_t namespace_seed(const char *name, uint64_t seed)
{
    return XXH3_64bits_withSeed(name, strlen(name), seed);
}

int key_bag_init(struct key_bag *bag, size_t capacity)
{
    *bag = (struct key_bag){.capacity = capacity};
    if (capacity > UINT32_MAX) {
        return regret_fail(
            REGRET_E_INPUT,
            "a text of up to %zu keys: cut it (text.max_bytes), features take at most "
            "2^32 - 1 a row",
            capacity);
    }
    int rc;
    TRY_CLEANUP(REGRET_NEW(&bag->key, capacity));
    TRY_CLEANUP(
        regret_calloc((void **)&bag->item, capacity, 2 * sizeof *bag->item, "a bag of keys"));
    TRY_CLEANUP(regret_calloc((void **)&bag->weight, capacity + 1, 2 * sizeof *bag->weight,
                              "weights of keys"));
    TRY_CLEANUP(REGRET_NEW(&bag->bucket, capacity));
    return REGRET_OK;
cleanup:
    key_bag_free(bag);
    return rc;
}

void key_bag_free(struct key_bag *bag)
{
    regret_free(bag->key);
    regret_free(bag->item);
    regret_free(bag->weight);
    regret_free(bag->bucket);
    *bag = (struct key_bag){0};
}

void key_bag_add(struct key_bag *bag, const void *key, size_t length)
{
    bag->key[bag->n++] = XXH3_64bits_withSeed(key, length, bag->seed);
}

void key_bag_add_grams(struct key_bag *bag, const uint64_t *hash, size_t n)
{
    unsigned char bytes[16];
    uint64_t *key = bag->key + bag->n;
    for (size_t i = 0; i < n; i++) {
        key_store(bytes, hash[i]);
        *key++ = XXH3_64bits_withSeed(bytes, 8, bag->seed);
        if (i + 1 < n) {
            key_store(bytes + 8, hash[i + 1]);
            *key++ = XXH3_64bits_withSeed(bytes, 16, bag->seed);
        }
    }
    bag->n = (size_t)(key - bag->key);
}

/* An item for each key: its bucket above, where its weight, 1 or −1, is below. */
static void weigh(struct key_bag *bag, size_t buckets)
{
    bag->weight[0] = 1.0;
    bag->weight[1] = -1.0;
    for (size_t i = 0; i < bag->n; i++) {
        bag->item[i] = (bag->key[i] & (buckets - 1)) << 32 | bag->key[i] >> 63;
    }
}

/* Sums the weights of each bucket; returns the number of buckets. */
static size_t sum_buckets(struct key_bag *bag, size_t n)
{
    double *sum = bag->weight + bag->capacity, x = 0.0;
    size_t count = 0;
    uint64_t next = n > 0 ? bag->item[0] >> 32 : 0;
    for (size_t i = 0; i < n; i++) { /* without a branch that cannot be foreseen */
        uint64_t bucket = next;
        x += bag->weight[(uint32_t)bag->item[i]];
        next = i + 1 < n ? bag->item[i + 1] >> 32 : UINT64_MAX;
        bag->bucket[count] = (uint32_t)bucket;
        sum[count] = x;
        count += bucket != next;
        x = bucket != next ? 0.0 : x;
    }
    return count;
}

int key_bag_pour(struct sparse_row *row, struct key_bag *bag, size_t buckets, double scale)
{
    size_t n = bag->n;
    weigh(bag, buckets);
    sort_by_bits(bag->item, bag->item + bag->capacity, n, 32, bits_below(buckets));
    n = sum_buckets(bag, n);
    bag->n = 0;
    const double *sum = bag->weight + bag->capacity;
    double squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        squares += sum[i] * sum[i];
    }
    double factor = squares > 0.0 ? scale / sqrt(squares) : 0.0;
    return sparse_row_add(row, bag->first, bag->bucket, sum, n, factor);
}
