#include "text/metrics/overlap.h"

#include <stdlib.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/hash.h"

static int ascending(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The hashes of n-grams, sorted; `out` is owned. */
static int list_ngrams(struct units *out, const struct units *text, size_t n)
{
    out->n = text->n >= n ? text->n - n + 1 : 0;
    TRY(REGRET_NEW(&out->unit, out->n));
    for (size_t i = 0; i < out->n; i++) {
        out->unit[i] = regret_hash64(text->unit + i, n * sizeof *text->unit);
    }
    qsort(out->unit, out->n, sizeof *out->unit, ascending);
    return REGRET_OK;
}

/* Makes `all` the union of two sorted lists, each unit as often as in the one that has it more often. */
static int unite(struct units *all, const struct units *other)
{
    struct units both = {0};
    TRY(REGRET_NEW(&both.unit, all->n + other->n));
    for (size_t i = 0, j = 0; i < all->n || j < other->n;) {
        int order = i == all->n     ? 1
                    : j == other->n ? -1
                                    : ascending(&all->unit[i], &other->unit[j]);
        both.unit[both.n++] = order <= 0 ? all->unit[i] : other->unit[j];
        i += order <= 0;
        j += order >= 0;
    }
    units_free(all);
    *all = both;
    return REGRET_OK;
}

int overlap_ngrams(struct overlap *out, const struct units *output, const struct units *reference,
                   size_t n)
{
    return overlap_any(out, output, reference, 1, n);
}

int overlap_any(struct overlap *out, const struct units *output, const struct units *references,
                size_t n_references, size_t n)
{
    FREED_BY(units_free) struct units a = {0};
    FREED_BY(units_free) struct units b = {0};
    FREED_BY(units_free) struct units next = {0};
    TRY(list_ngrams(&a, output, n));
    TRY(list_ngrams(&b, references, n));
    for (size_t k = 1; k < n_references; k++) {
        TRY(list_ngrams(&next, &references[k], n));
        TRY(unite(&b, &next));
        units_free(&next);
    }
    *out = (struct overlap){(double)a.n, (double)b.n, 0.0};
    for (size_t i = 0, j = 0; i < a.n && j < b.n;) {
        int order = ascending(&a.unit[i], &b.unit[j]);
        out->common += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    return REGRET_OK;
}

/* A unit and where it stands. */
struct place {
    uint64_t unit;
    size_t at;
};

static int by_unit(const void *left, const void *right)
{
    return ascending(&((const struct place *)left)->unit, &((const struct place *)right)->unit);
}

/* Takes one unit of the other text, found at the places from `first` on, into the row of bits: Hyyrö, "Bit-parallel
 * LCS-length computation revisited", 2004, after Crochemore and others, 2001; zeros are the length so far. */
static void take(uint64_t *row, uint64_t *match, size_t words, const struct place *first, size_t n)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < n; i++) {
        match[first[i].at / 64] |= (uint64_t)1 << first[i].at % 64;
    }
    for (size_t w = 0; w < words; w++) {
        uint64_t old = row[w], both = old & match[w], sum = old + both, all = sum + carry;
        carry = (uint64_t)(sum < old) | (uint64_t)(all < sum);
        row[w] = all | (old & ~match[w]);
    }
    for (size_t i = 0; i < n; i++) {
        match[first[i].at / 64] = 0;
    }
}

/* The first of the n sorted places that has this unit or a greater one. */
static size_t lower_bound(const struct place *place, size_t n, uint64_t unit)
{
    size_t low = 0;
    while (low < n) {
        size_t middle = low + (n - low) / 2;
        if (place[middle].unit < unit) {
            low = middle + 1;
        } else {
            n = middle;
        }
    }
    return low;
}

int overlap_sequence(struct overlap *out, const struct units *output, const struct units *reference)
{
    size_t n = output->n, words = n / 64 + 1;
    FREED struct place *place = NULL;
    FREED uint64_t *row = NULL, *match = NULL;
    TRY(REGRET_NEW(&place, n));
    TRY(REGRET_NEW(&row, words));
    TRY(REGRET_NEW(&match, words));
    for (size_t i = 0; i < n; i++) {
        place[i] = (struct place){output->unit[i], i};
    }
    qsort(place, n, sizeof *place, by_unit);
    for (size_t w = 0; w < words; w++) {
        row[w] = UINT64_MAX;
    }
    for (size_t j = 0; j < reference->n; j++) {
        uint64_t unit = reference->unit[j];
        size_t first = lower_bound(place, n, unit), end = first;
        while (end < n && place[end].unit == unit) {
            end++;
        }
        if (end > first) {
            take(row, match, words, place + first, end - first);
        }
    }
    *out = (struct overlap){(double)n, (double)reference->n, 0.0};
    for (size_t i = 0; i < n; i++) {
        out->common += (row[i / 64] >> i % 64 & 1) == 0;
    }
    return REGRET_OK;
}
