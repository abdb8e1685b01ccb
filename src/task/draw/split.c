#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/rng.h"
#include "regret/task.h"

FREED_POINTER(struct regret_split, regret_split_free)

/* A context on its way into a stratified order. */
struct placed {
    double key;
    size_t place, context; /* where the random order has it */
};

static int by_key(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    return (a->place > b->place) - (a->place < b->place);
}

/* Puts contexts in random order into that of their keys; `n` and `met` count the contexts of each kind,
 * all and those so far. */
static void stratify(size_t *order, struct placed *placed, size_t *n, size_t *met,
                     const uint32_t *kind, size_t n_contexts, uint64_t seed)
{
    for (size_t x = 0; x < n_contexts; x++) {
        n[kind[x]]++;
    }
    for (size_t i = 0; i < n_contexts; i++) {
        uint32_t k = kind[order[i]];
        struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_SPLIT, 2 + (uint64_t)k);
        double key = ((double)met[k]++ + regret_rng_uniform(&rng)) / (double)n[k];
        placed[i] = (struct placed){key, i, order[i]};
    }
    qsort(placed, n_contexts, sizeof *placed, by_key);
    for (size_t i = 0; i < n_contexts; i++) {
        order[i] = placed[i].context;
    }
}

int regret_split_order(size_t **out, const uint32_t *kind, size_t n_contexts, uint64_t seed)
{
    FREED struct placed *placed = NULL;
    size_t kinds = 0;
    FREED size_t *order = NULL, *n = NULL, *met = NULL;
    for (size_t x = 0; x < n_contexts; x++) {
        kinds = kind[x] >= kinds ? (size_t)kind[x] + 1 : kinds;
    }
    TRY(regret_rng_order(&order, n_contexts, seed, REGRET_RNG_SPLIT, 0));
    TRY(REGRET_NEW(&placed, n_contexts));
    TRY(REGRET_NEW(&n, kinds));
    TRY(REGRET_NEW(&met, kinds));
    if (n_contexts > 0) {
        stratify(order, placed, n, met, kind, n_contexts, seed);
    }
    *out = order;
    order = NULL;
    return REGRET_OK;
}

/* Holds out the contexts that are marked. */
static int part(struct regret_split **out, const unsigned char *is_held, size_t n)
{
    FREED_BY(regret_split_free_at) struct regret_split *s = NULL;
    TRY(REGRET_NEW(&s, 1));
    TRY(REGRET_NEW(&s->train, n));
    TRY(REGRET_NEW(&s->test, n));
    TRY(REGRET_NEW(&s->reference, n));
    for (size_t x = 0; x < n; x++) {
        if (is_held[x]) {
            s->reference[s->n_test] = x;
            s->test[s->n_test++] = x;
        } else {
            s->train[s->n_train++] = x;
        }
    }
    s->n_reference = s->n_test;
    *out = s;
    s = NULL;
    return REGRET_OK;
}

/* Holds out places [begin, end) of the random order or, with kinds, of the stratified one. */
static int hold_out(struct regret_split **out, const uint32_t *kind, size_t n, size_t begin,
                    size_t end, uint64_t seed)
{
    FREED size_t *order = NULL;
    FREED unsigned char *is_held = NULL;
    TRY(kind != NULL ? regret_split_order(&order, kind, n, seed)
                     : regret_rng_order(&order, n, seed, REGRET_RNG_SPLIT, 0));
    TRY(REGRET_NEW(&is_held, n));
    for (size_t i = begin; i < end; i++) {
        is_held[order[i]] = 1;
    }
    return part(out, is_held, n);
}

int regret_split_one_kind(struct regret_split **out, const uint32_t *kind, size_t n_contexts,
                          uint32_t held_out)
{
    FREED unsigned char *is_held = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&is_held, n_contexts));
    for (size_t x = 0; x < n_contexts; x++) {
        is_held[x] = kind[x] == held_out;
        n += is_held[x];
    }
    return n > 0 && n < n_contexts
               ? part(out, is_held, n_contexts)
               : regret_fail(REGRET_E_INPUT,
                             "%zu of %zu contexts are of the kind that is held out; each side "
                             "needs one",
                             n, n_contexts);
}

int regret_split_make(struct regret_split **out, const uint32_t *kind, size_t n_contexts,
                      double train_share, uint64_t seed)
{
    if (!(train_share > 0.0 && train_share < 1.0)) {
        return regret_fail(REGRET_E_INPUT,
                           "contexts.train_share = %g must lie between 0 and 1; .8 is usual",
                           train_share);
    }
    size_t n_train = (size_t)(train_share * (double)n_contexts + 1e-9);
    if (n_train == 0 || n_train >= n_contexts) {
        return regret_fail(
            REGRET_E_INPUT,
            "%zu contexts at contexts.train_share = %g leave %zu to train and %zu to "
            "test; each side needs one",
            n_contexts, train_share, n_train, n_contexts - n_train);
    }
    return hold_out(out, kind, n_contexts, n_train, n_contexts, seed);
}

int regret_split_fold(struct regret_split **out, const uint32_t *kind, size_t n_contexts,
                      size_t folds, size_t fold, uint64_t seed)
{
    if (folds < 2) {
        return regret_fail(REGRET_E_INPUT,
                           "contexts.folds = %zu leaves no context to train on; use 0, the single "
                           "split by contexts.train_share, or 2 and more",
                           folds);
    }
    if (folds > n_contexts) {
        return regret_fail(REGRET_E_INPUT,
                           "contexts.folds = %zu, but there are %zu contexts to hold out; --set "
                           "contexts.folds=%zu leaves out one at a time",
                           folds, n_contexts, n_contexts);
    }
    if (fold >= folds) {
        return regret_fail(REGRET_E_INPUT, "fold %zu of contexts.folds = %zu; they are 0 to %zu",
                           fold, folds, folds - 1);
    }
    size_t size = n_contexts / folds, larger = n_contexts % folds;
    size_t after = fold * size + (fold < larger ? fold : larger);
    size_t end = n_contexts - after;
    return hold_out(out, kind, n_contexts, end - size - (fold < larger), end, seed);
}

int regret_split_reference(struct regret_split *s, double share, uint64_t seed)
{
    size_t n = s->n_test, n_reference = (size_t)(share * (double)n + 1e-9);
    FREED size_t *order = NULL;
    FREED unsigned char *is_reference = NULL;
    if (share == 0.0) {
        return REGRET_OK;
    }
    if (!(share > 0.0 && share < 1.0) || n_reference == 0 || n_reference == n) {
        return regret_fail(REGRET_E_INPUT,
                           "contexts.reference = %g of %zu held-out context%s leaves one of the "
                           "two, reference and regret, without any; hold out more, or set it to 0",
                           share, n, n == 1 ? "" : "s");
    }
    TRY(regret_rng_order(&order, n, seed, REGRET_RNG_SPLIT, 1));
    TRY(REGRET_NEW(&is_reference, n));
    for (size_t i = 0; i < n_reference; i++) {
        is_reference[order[i]] = 1;
    }
    s->n_reference = s->n_test = 0;
    for (size_t i = 0; i < n; i++) {
        size_t x = s->test[i];
        if (is_reference[i]) {
            s->reference[s->n_reference++] = x;
        } else {
            s->test[s->n_test++] = x;
        }
    }
    return REGRET_OK;
}

uint64_t regret_fold_seed(uint64_t seed, size_t fold)
{
    return seed + ((uint64_t)fold << 52);
}

void regret_split_free(struct regret_split *s)
{
    if (s != NULL) {
        regret_free(s->train);
        regret_free(s->test);
        regret_free(s->reference);
        regret_free(s);
    }
}
