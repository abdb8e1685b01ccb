#include "regret/bootstrap.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/parallel.h"
#include "regret/quantile.h"
#include "regret/rng.h"
#include "value/resample.h"

void resample_draw(uint32_t *drawn, size_t n, uint64_t seed, uint64_t number)
{
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_BOOTSTRAP, number);
    for (size_t i = 0; i < n; i++) {
        drawn[i] = regret_rng_below(&rng, (uint32_t)n);
    }
}

static void resample_weigh(double *weight, size_t n, uint64_t seed, uint64_t number)
{
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_BOOTSTRAP, number);
    memset(weight, 0, n * sizeof *weight);
    for (size_t i = 0; i < n; i++) {
        weight[regret_rng_below(&rng, (uint32_t)n)] += 1.0;
    }
}

struct resampling {
    double *replicates;
    double *weight; /* threads × n_rows; owned */
    size_t n_rows, n_statistics;
    uint64_t seed, first;
    regret_statistics *statistics;
    void *context;
};

FREED_FIELDS(resampling, of->weight)

static int run_replicate(void *context, size_t index, size_t worker)
{
    const struct resampling *r = context;
    double *weight = r->weight + worker * r->n_rows;
    resample_weigh(weight, r->n_rows, r->seed, r->first + index);
    return r->statistics(r->context, r->replicates + index * r->n_statistics, weight, worker);
}

int regret_bootstrap(double *replicates, size_t n_rows, size_t n_statistics,
                     const struct regret_bootstrap_options *options, regret_statistics *statistics,
                     void *context)
{
    if (n_rows < 1 || n_rows > UINT32_MAX) {
        return regret_fail(REGRET_E_INPUT, "a bootstrap of %zu rows; give from 1 to 2^32 - 1",
                           n_rows);
    }
    if (options->n_replicates < 1 || options->n_replicates > INT32_MAX || options->threads < 1) {
        return regret_fail(REGRET_E_INPUT,
                           "a bootstrap wants 1 to 2^31 - 1 replicates and a thread; got %zu "
                           "and %zu",
                           options->n_replicates, options->threads);
    }
    FREED_BY(resampling_fields)
    struct resampling r = {.replicates = replicates,
                           .n_rows = n_rows,
                           .n_statistics = n_statistics,
                           .seed = options->seed,
                           .first = options->first,
                           .statistics = statistics,
                           .context = context};
    size_t threads =
        options->threads < options->n_replicates ? options->threads : options->n_replicates;
    TRY(REGRET_NEW(&r.weight, threads * n_rows));
    return regret_parallel_for(options->n_replicates, threads, run_replicate, &r);
}

int regret_bootstrap_summarise(struct regret_bootstrap_interval *out, const double *replicates,
                               size_t n_replicates, size_t n_statistics, size_t statistic,
                               double level)
{
    double *values = NULL;
    TRY(REGRET_NEW(&values, n_replicates));
    size_t n = 0;
    double sum = 0.0;
    for (size_t b = 0; b < n_replicates; b++) {
        double value = replicates[b * n_statistics + statistic];
        if (!isnan(value)) {
            values[n++] = value;
            sum += value;
        }
    }
    *out = (struct regret_bootstrap_interval){NAN, NAN, NAN, n_replicates - n};
    if (n >= 2) {
        double mean = sum / (double)n, squares = 0.0;
        for (size_t i = 0; i < n; i++) {
            squares += (values[i] - mean) * (values[i] - mean);
        }
        regret_sort_numbers(values, n);
        out->se = sqrt(squares / (double)(n - 1));
        out->low = regret_quantile(values, n, 0.5 * (1.0 - level));
        out->high = regret_quantile(values, n, 0.5 * (1.0 + level));
    }
    regret_free(values);
    return REGRET_OK;
}
