#include "stats/resampling.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "regret/status.h"
#include "regret/task.h"
#include "stats/distributions.h"

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

/* A context over all seeds. */
struct without {
    size_t held;    /* seeds that held it out */
    double shifts;  /* of those that have a mean without it, added up */
    size_t dropped; /* the others … */
    double means;   /* … and the means that go with them, added up */
};

/* By how much the mean of n numbers that add up to n·mean changes when some that add up to `sum` go. */
static double change(double mean, size_t n, size_t some, double sum)
{
    return ((double)some * mean - sum) / (double)(n - some);
}

static double jackknife(double squares, size_t n)
{
    return n > 1 ? (double)(n - 1) / (double)n * squares : NAN;
}

static void read_seeds(struct regret_two_way *w, const double *mean, size_t n)
{
    double sum = 0.0, squares = 0.0;
    for (size_t s = 0; s < n; s++) {
        sum += mean[s];
    }
    w->n_seeds = n;
    w->mean = n > 0 ? sum / (double)n : NAN;
    for (size_t s = 0; s < n && n > 1; s++) {
        double d = change(w->mean, n, 1, mean[s]);
        squares += d * d;
    }
    w->v_seeds = jackknife(squares, n);
}

/* Gathers the contexts, and what each pair of a seed and a context does alone. */
static void read_pairs(struct regret_two_way *w, struct without *contexts, const double *mean,
                       const struct regret_two_way_pair *left_out, size_t n)
{
    double squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        const struct regret_two_way_pair *p = &left_out[i];
        struct without *x = &contexts[p->context];
        double d = p->shift / (double)w->n_seeds;
        x->held++;
        if (isnan(p->shift)) {
            x->dropped++;
            x->means += mean[p->seed];
            d = change(w->mean, w->n_seeds, 1, mean[p->seed]);
        } else {
            x->shifts += p->shift;
        }
        squares += d * d;
    }
    w->v_both = jackknife(squares, n);
}

static void read_contexts(struct regret_two_way *w, const struct without *contexts, size_t n)
{
    double squares = 0.0;
    for (size_t x = 0; x < n; x++) {
        const struct without *c = &contexts[x];
        double left = (double)(w->n_seeds - c->dropped);
        double d = change(w->mean, w->n_seeds, c->dropped, c->means) + c->shifts / left;
        w->n_contexts += c->held > 0;
        squares += c->held == 0 ? 0.0 : left > 0.0 ? d * d : NAN;
    }
    w->v_contexts = jackknife(squares, w->n_contexts);
}

static void make_interval(struct regret_two_way *w)
{
    double v = w->v_seeds + w->v_contexts - w->v_both, most = fmax(w->v_seeds, w->v_contexts);
    size_t fewer = w->n_seeds < w->n_contexts ? w->n_seeds : w->n_contexts;
    w->se = isnan(v) ? NAN : sqrt(fmax(v, most));
    w->df = (double)fewer - 1.0;
    double half = regret_student_quantile(0.975, w->df) * w->se;
    w->low = w->mean - half;
    w->high = w->mean + half;
}

int regret_two_way(struct regret_two_way *out, const double *mean, size_t n_seeds,
                   const struct regret_two_way_pair *left_out, size_t n, size_t n_contexts)
{
    struct regret_two_way w = {0};
    struct without *contexts = NULL;
    TRY(REGRET_NEW(&contexts, n_contexts));
    read_seeds(&w, mean, n_seeds);
    read_pairs(&w, contexts, mean, left_out, n);
    read_contexts(&w, contexts, n_contexts);
    make_interval(&w);
    regret_free(contexts);
    *out = w;
    return REGRET_OK;
}
