#include "evaluate/copies/repeats.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/hash.h"

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
