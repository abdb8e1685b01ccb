#include "experiment/measures/patch_fit.h"

#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/patch.h"

static int is_statistic(const char *label)
{
    size_t j = 0;
    while (j < REGRET_PATCH_STATISTICS && strcmp(label, regret_patch_statistic_name(j)) != 0) {
        j++;
    }
    return j < REGRET_PATCH_STATISTICS;
}

size_t patch_fit_columns(const struct regret_pool *pool)
{
    size_t success = 0, n = 0;
    for (size_t j = 0; j < pool->n_aux && regret_pool_find_success(&success, pool); j++) {
        n += (size_t)is_statistic(pool->aux[j]);
    }
    return n;
}

int patch_fit_take(double **out, const struct setting *s, const struct draws *draws)
{
    const struct feature_set *f = s->features;
    const struct regret_pool *pool = f->grid->pool;
    size_t n = patch_fit_columns(pool), k = 0;
    FREED double *x = NULL, *count = NULL;
    TRY(REGRET_NEW(&x, f->pairs * n));
    TRY(REGRET_NEW(&count, f->pairs));
    for (size_t j = 0; j < pool->n_aux; j++) {
        if (is_statistic(pool->aux[j])) {
            memcpy(x + k++ * f->pairs, f->aux + j * f->pairs, f->pairs * sizeof *x);
        }
    }
    for (size_t i = 0; i < draws->obs.n; i++) {
        count[draws->obs.pair[i]] += 1.0;
    }
    TRY(regret_proxy_rescale(x, f->pairs, n, count, s->config.proxy.scale));
    *out = x;
    x = NULL;
    return REGRET_OK;
}
