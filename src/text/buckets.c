#include "text/buckets.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "regret/status.h"
#include "regret/text.h"

int key_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

enum { FEW = 24, DIGIT = 8 };

unsigned bits_below(uint64_t n)
{
    return n <= 2 ? 1 : 64 - (unsigned)__builtin_clzll(n - 1);
}

static void insertion_sort(uint64_t *item, size_t n, unsigned from, uint64_t mask)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t x = item[i];
        size_t j = i;
        for (; j > 0 && (item[j - 1] >> from & mask) > (x >> from & mask); j--) {
            item[j] = item[j - 1];
        }
        item[j] = x;
    }
}

/* One pass by `bits` <= DIGIT bits. */
static void distribute(uint64_t *out, const uint64_t *item, size_t n, unsigned from, unsigned bits)
{
    uint32_t place[1 << DIGIT], sum = 0, digits = 1u << bits;
    memset(place, 0, digits * sizeof *place);
    for (size_t i = 0; i < n; i++) {
        place[item[i] >> from & (digits - 1)]++;
    }
    for (uint32_t d = 0; d < digits; d++) {
        uint32_t count = place[d];
        place[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++) {
        out[place[item[i] >> from & (digits - 1)]++] = item[i];
    }
}

void sort_by_bits(uint64_t *item, uint64_t *spare, size_t n, unsigned from, unsigned bits)
{
    if (n <= FEW) {
        insertion_sort(item, n, from, ((uint64_t)1 << bits) - 1);
        return;
    }
    unsigned passes = (bits + DIGIT - 1) / DIGIT, digit = (bits + passes - 1) / passes;
    uint64_t *to = spare, *at = item;
    for (unsigned done = 0; done < bits; done += digit) {
        distribute(to, at, n, from + done, bits - done < digit ? bits - done : digit);
        uint64_t *swap = at;
        at = to;
        to = swap;
    }
    if (at != item) {
        memcpy(item, at, n * sizeof *item);
    }
}

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

static int occurrence_compare(const void *a, const void *b)
{
    const struct occurrence *x = a, *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return (x->position > y->position) - (x->position < y->position);
}

struct indexing {
    struct occurrences *to;
    const struct regret_tokens *tokens;
    size_t order;
};

static int index_text(void *context, size_t i, size_t worker)
{
    const struct indexing *x = context;
    const uint64_t *hash = x->tokens->hash + x->tokens->start[i];
    struct occurrence *item = x->to->item + x->to->start[i];
    size_t n = x->to->start[i + 1] - x->to->start[i];
    (void)worker;
    for (size_t t = 0; t < n; t++) {
        item[t] =
            (struct occurrence){x->order == 1 ? hash[t] : key_bigram(hash[t], hash[t + 1]), t};
    }
    qsort(item, n, sizeof *item, occurrence_compare);
    return REGRET_OK;
}

int occurrences_build(struct occurrences *out, const struct regret_tokens *tokens, int order)
{
    FREED_BY(occurrences_free) struct occurrences o = {NULL, NULL};
    struct indexing x = {&o, tokens, (size_t)order};
    size_t n = tokens->n_texts;
    TRY(REGRET_NEW(&o.start, n + 1));
    for (size_t i = 0; i < n; i++) {
        size_t length = tokens->start[i + 1] - tokens->start[i];
        o.start[i + 1] = o.start[i] + (length < x.order ? 0 : length - x.order + 1);
    }
    TRY(REGRET_NEW(&o.item, o.start[n]));
    TRY(regret_parallel_for(n, regret_threads_allowed(), index_text, &x));
    *out = o;
    memset(&o, 0, sizeof o); /* handed on */
    return REGRET_OK;
}

void occurrences_free(struct occurrences *o)
{
    regret_free(o->start);
    regret_free(o->item);
    *o = (struct occurrences){NULL, NULL};
}

size_t occurrences_find(const struct occurrence **first, const struct occurrences *o, size_t text,
                        uint64_t key)
{
    size_t low = o->start[text], end = o->start[text + 1];
    /* By halves, without a branch that cannot be foreseen. */
    for (size_t left = end - low, half; left > 0; left -= half) {
        half = (left + 1) / 2;
        low += o->item[low + half - 1].key < key ? half : 0;
    }
    size_t n = 0;
    while (low + n < end && o->item[low + n].key == key) {
        n++;
    }
    *first = o->item + low;
    return n;
}
