#include <string.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "regret/rng.h"
#include "regret/task.h"

int regret_split_make(struct regret_split **out, size_t n_contexts, double train_share,
                      uint64_t seed)
{
    struct regret_split *s = NULL;
    size_t *order = NULL;
    unsigned char *is_train = NULL;
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
    int rc;
    TRY_CLEANUP(REGRET_NEW(&s, 1));
    TRY_CLEANUP(REGRET_NEW(&s->train, n_contexts));
    TRY_CLEANUP(REGRET_NEW(&s->test, n_contexts));
    TRY_CLEANUP(REGRET_NEW(&order, n_contexts));
    TRY_CLEANUP(REGRET_NEW(&is_train, n_contexts));
    for (size_t i = 0; i < n_contexts; i++) {
        order[i] = i;
    }
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_SPLIT, 0);
    regret_rng_shuffle(&rng, order, n_contexts);
    for (size_t i = 0; i < n_train; i++) {
        is_train[order[i]] = 1;
    }
    for (size_t x = 0; x < n_contexts; x++) {
        if (is_train[x]) {
            s->train[s->n_train++] = x;
        } else {
            s->test[s->n_test++] = x;
        }
    }
    *out = s;
    s = NULL;
cleanup:
    regret_free(order);
    regret_free(is_train);
    regret_split_free(s);
    return rc;
}

void regret_split_free(struct regret_split *s)
{
    if (s != NULL) {
        regret_free(s->train);
        regret_free(s->test);
        regret_free(s);
    }
}
