#include <string.h>

#include "experiment/lab.h"
#include "regret/alloc.h"

static int mark_pairs(struct bench *b)
{
    const struct lab *lab = b->lab;
    const struct regret_grid *g = lab->grid;
    size_t per_context = g->n_agents * g->n_draws;
    int rc = REGRET_NEW(&b->train, lab->pairs);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&b->test, lab->pairs);
    }
    for (size_t i = 0; rc == REGRET_OK && i < b->split->n_train; i++) {
        memset(b->train + b->split->train[i] * per_context, 1, per_context);
    }
    for (size_t p = 0; rc == REGRET_OK && p < lab->pairs; p++) {
        b->test[p] = !b->train[p];
    }
    return rc;
}

int bench_create(struct bench **out, const struct lab *lab, uint64_t seed, double train_share)
{
    struct bench *b = NULL;
    int rc = REGRET_NEW(&b, 1);
    if (rc != REGRET_OK) {
        return rc;
    }
    b->lab = lab;
    b->seed = seed;
    b->train_share = train_share;
    rc = regret_split_make(&b->split, lab->grid->n_contexts, train_share, seed);
    if (rc == REGRET_OK) {
        rc = mark_pairs(b);
    }
    if (rc != REGRET_OK) {
        bench_free(b);
        return rc;
    }
    *out = b;
    return REGRET_OK;
}

void bench_free(struct bench *b)
{
    if (b != NULL) {
        regret_split_free(b->split);
        regret_free(b->train);
        regret_free(b->test);
        regret_free(b);
    }
}
