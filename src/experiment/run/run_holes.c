#include "experiment/run/run_holes.h"

#include <stdlib.h>

#include "base/core/try.h"
#include "linalg/dense/least_squares.h"
#include "regret/alloc.h"

enum { FOLDS = 5, STRATA = 5, LEAST_CONTEXTS = 30 };
static const double TOLD = 0.1; /* of the variance, out of fold [C] */

/* The share of agents that are observed on each context, less its mean over the contexts of the tag. */
static int take_shares(double *y, double *mean, const struct feature_set *set)
{
    const struct regret_grid *g = set->grid;
    FREED double *sum = NULL;
    TRY(REGRET_NEW(&sum, g->n_tags + 1));
    for (size_t x = 0; x < g->n_contexts; x++) {
        size_t tag = g->kind != NULL ? g->kind[x] : 0;
        double contexts = (double)(g->kind != NULL ? g->tags[tag].contexts : g->n_contexts);
        y[x] = (double)regret_grid_observed(g, x) / (double)g->n_agents;
        sum[tag] += y[x] / contexts;
    }
    for (size_t x = 0; x < g->n_contexts; x++) {
        mean[x] = sum[g->kind != NULL ? g->kind[x] : 0];
        y[x] -= mean[x];
    }
    return REGRET_OK;
}

/* What e(x) says of y, out of fold. */
static int predict(double *f, const double *y, const struct feature_set *set)
{
    size_t n = set->grid->n_contexts, d = set->embedding_rank;
    FREED unsigned char *use = NULL;
    FREED double *b = NULL;
    TRY(REGRET_NEW(&use, n));
    TRY(REGRET_NEW(&b, d + 1));
    for (size_t fold = 0; fold < FOLDS; fold++) {
        for (size_t x = 0; x < n; x++) {
            use[x] = x % FOLDS != fold;
        }
        TRY(least_squares(b, set->embedding, d, y, n, use));
        for (size_t x = fold; x < n; x += FOLDS) {
            f[x] = b[d];
            for (size_t j = 0; j < d; j++) {
                f[x] += b[j] * set->embedding[j * n + x];
            }
        }
    }
    return REGRET_OK;
}

struct ranked {
    double key;
    size_t context;
};

static int by_key(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->key < b->key || a->key > b->key) {
        return a->key < b->key ? -1 : 1;
    }
    return a->context < b->context ? -1 : a->context > b->context;
}

static int cut(uint32_t *of, const double *f, const double *mean, size_t n)
{
    FREED struct ranked *items = NULL;
    TRY(REGRET_NEW(&items, n));
    for (size_t x = 0; x < n; x++) {
        items[x] = (struct ranked){mean[x] + f[x], x};
    }
    qsort(items, n, sizeof *items, by_key);
    for (size_t i = 0; i < n; i++) {
        of[items[i].context] = (uint32_t)(i * STRATA / n);
    }
    return REGRET_OK;
}

int run_strata(uint32_t **out, size_t *n_out, const char **by, const struct feature_set *set)
{
    const struct regret_grid *g = set->grid;
    size_t n = g->n_contexts;
    FREED uint32_t *of = NULL;
    FREED double *y = NULL;
    double all = 0.0, left = 0.0;
    TRY(REGRET_NEW(&of, n));
    TRY(REGRET_NEW(&y, 3 * n));
    TRY(take_shares(y, y + n, set));
    TRY(n >= LEAST_CONTEXTS && set->embedding_rank > 0 ? predict(y + 2 * n, y, set) : REGRET_OK);
    for (size_t x = 0; x < n; x++) {
        of[x] = g->kind != NULL ? g->kind[x] : 0;
        all += y[x] * y[x];
        left += (y[x] - y[2 * n + x]) * (y[x] - y[2 * n + x]);
    }
    *by = g->n_tags > 1 ? "tags" : "none";
    *n_out = g->n_tags > 0 ? g->n_tags : 1;
    if (left < (1.0 - TOLD) * all) {
        *by = "words";
        *n_out = STRATA;
        TRY(cut(of, y + 2 * n, y + n, n));
    }
    *out = of;
    of = NULL;
    return REGRET_OK;
}
