#include "evaluate/copies/repeats.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/hash.h"
#include "regret/quantile.h"

enum {
    MOST_KEPT = 1 << 20 /* windows that are remembered, chosen by their hash */
};
/* A set of hashes by open addressing; 0 is a free place. */
struct hash_set {
    uint64_t *slot;
    size_t size; /* a power of two */
};

/* 1 where it was there already. */
static int hash_set_add(struct hash_set *set, uint64_t hash)
{
    hash += hash == 0;
    size_t at = (size_t)(hash >> 20U) & (set->size - 1);
    while (set->slot[at] != 0 && set->slot[at] != hash) {
        at = (at + 1) & (set->size - 1);
    }
    int is_there = set->slot[at] == hash;
    set->slot[at] = hash;
    return is_there;
}

static uint64_t hash_row(const struct regret_log_rows *rows, size_t i)
{
    unsigned char bytes[28];
    double time = rows->time && !isnan(rows->time[i]) ? rows->time[i] : 0.0;
    memcpy(bytes, &rows->context[i], 4);
    memcpy(bytes + 4, &rows->agent[i], 4);
    memcpy(bytes + 8, &rows->cluster[i], 4);
    memcpy(bytes + 12, &rows->outcome[i], 8);
    memcpy(bytes + 20, &time, 8);
    return regret_hash64(bytes, sizeof bytes);
}

/* Whether the rows of a window differ at all: a run of one row says nothing. */
static int is_varied(const uint64_t *window)
{
    for (size_t k = 1; k < REPEATS_WINDOW; k++) {
        if (window[k] != window[0]) {
            return 1;
        }
    }
    return 0;
}

/* Of windows of rows in sequence, those that were there before. */
static void count(size_t *repeated, size_t *windows, const struct regret_log_rows *rows,
                  struct hash_set *set, uint64_t mask)
{
    uint64_t ring[REPEATS_WINDOW], window[REPEATS_WINDOW];
    *repeated = *windows = 0;
    for (size_t i = 0; i < rows->n; i++) {
        ring[i % REPEATS_WINDOW] = hash_row(rows, i);
        if (i + 1 < REPEATS_WINDOW) {
            continue;
        }
        for (size_t k = 0; k < REPEATS_WINDOW; k++) {
            window[k] = ring[(i + 1 + k) % REPEATS_WINDOW];
        }
        uint64_t hash = regret_hash64(window, sizeof window);
        if ((hash & mask) == 0 && is_varied(window)) {
            *windows += 1;
            *repeated += (size_t)hash_set_add(set, hash);
        }
    }
}

int repeats_count(double *share, size_t *windows, const struct regret_log_rows *rows)
{
    struct hash_set set = {.size = 1};
    uint64_t mask = 0;
    size_t repeated;
    while ((rows->n >> 1U) > (mask + 1) * (MOST_KEPT / 2)) {
        mask = 2 * mask + 1;
    }
    while (set.size < 4 * rows->n / (mask + 1) + 64) {
        set.size *= 2;
    }
    TRY(REGRET_NEW(&set.slot, set.size));
    count(&repeated, windows, rows, &set, mask);
    *share = *windows > 0 ? (double)repeated / (double)*windows : 0.0;
    regret_free(set.slot);
    return REGRET_OK;
}

/* What a row says but for the names of its context and cluster: 53 bits, as a number that sorts. */
static double kind_of(const struct regret_log *log, const struct regret_log_rows *rows, size_t i)
{
    double said[4 + REGRET_LOG_MAX_COLUMNS] = {rows->agent[i], rows->outcome[i]};
    size_t n = 4;
    uint32_t x = rows->context[i];
    said[2] = rows->time && !isnan(rows->time[i]) ? rows->time[i] : 0.0;
    said[3] = log->tag ? log->tag[x] : 0;
    for (size_t c = 0; c < log->n_columns; c++) {
        const struct regret_log_column *column = &log->column[c];
        double value = column->is_word ? column->word[x] : column->value[x];
        said[n++] = isnan(value) ? -HUGE_VAL : value;
    }
    return (double)(regret_hash64(said, n * sizeof *said) >> 11U);
}

int repeats_times(size_t *times, const struct regret_log *of, enum regret_log_source source)
{
    /* Chance has all counts divide by k in one of k^kinds tables: it is not chance where that is one of e^CERTAIN. */
    static const double CERTAIN = 11.5;
    const struct regret_log_rows *rows = &of->rows[source];
    FREED double *kind = NULL;
    size_t kinds = 0, divisor = 0;
    *times = 1;
    if (of->n_kept < of->n_contexts) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&kind, rows->n));
    for (size_t i = 0; i < rows->n; i++) {
        kind[i] = kind_of(of, rows, i);
    }
    regret_sort_numbers(kind, rows->n);
    for (size_t i = 0, end; i < rows->n; i = end) {
        end = i + 1;
        while (end < rows->n && kind[end] == kind[i]) {
            end++;
        }
        for (size_t rest = end - i; rest != 0;) { /* Euclid's */
            size_t next = divisor % rest;
            divisor = rest;
            rest = next;
        }
        kinds++;
    }
    *times = (double)kinds * log((double)divisor) >= CERTAIN ? divisor : 1;
    return REGRET_OK;
}
