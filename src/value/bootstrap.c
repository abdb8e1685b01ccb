#include "value/bootstrap.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "regret/status.h"
#include "regret/task.h"
#include "stats/distributions.h"
#include "value/gathered.h"
#include "value/measure.h"

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

/* The variance of the ratio Σ top / Σ bottom over n contexts, to first order: the limit of the
 * bootstrap's for many resamples. `point` is the ratio; elements lie apart by the strides. */
static double ratio_variance(const double *top, size_t top_stride, const double *bottom,
                             size_t bottom_stride, size_t n, double point)
{
    double squares = 0.0, all = 0.0;
    for (size_t x = 0; x < n; x++) {
        double u = top[x * top_stride] - point * bottom[x * bottom_stride];
        squares += u * u;
        all += bottom[x * bottom_stride];
    }
    return squares / (all * all);
}

/* A mean over the evaluation contexts. */
static double surface_variance(const struct gathered *g, size_t surface, size_t a)
{
    size_t n = g->p->n_agents;
    const double *sum = g->sum[surface] + a, *count = g->count + a;
    double point = gathered_sum(sum, n, g->n_eval) / gathered_sum(count, n, g->n_eval);
    double m = g->eval_contexts;
    return ratio_variance(sum, n, count, n, g->n_eval, point) * m / (m - 1.0) *
           (1.0 - g->p->eval_share);
}

static double half_width(const struct gathered *g, const struct surface_miss *miss,
                         const struct moderated *moderated, size_t kind, size_t a,
                         struct value_level *level)
{
    struct value_variance v = {.surface = surface_variance(g, surface_of(kind), a),
                               .contexts = g->eval_contexts};
    if (kind != REGRET_VALUE_DM) {
        v.surface += g->undefined;
        moderated_add(&v, moderated, g, correction_of(kind), a, NO_AGENT);
    }
    surface_miss_add(&v, miss, g, kind, a, NO_AGENT);
    return value_half_width(&v, level);
}

int regret_value_half_widths(double *half, const struct regret_value_problem *problem, double level)
{
    FREED_BY(gathered_clear) struct gathered g = {.p = problem};
    struct value_level at = {.level = level};
    FREED_BY(surface_miss_clear) struct surface_miss miss = {0};
    FREED_BY(moderated_clear) struct moderated moderated = {0};
    size_t n = problem->n_agents;
    if (!(level > 0.0 && level < 1.0)) {
        return regret_fail(REGRET_E_INPUT, "intervals want a level between 0 and 1, not %g", level);
    }
    TRY(gathered_fill(&g));
    TRY(surface_miss_fill(&miss, &g));
    TRY(moderated_fill(&moderated, &g));
    for (size_t v = 0; v < REGRET_N_VALUES * n; v++) {
        half[v] = half_width(&g, &miss, &moderated, v / n, v % n, &at);
    }
    return REGRET_OK;
}

struct place {
    double p;
    size_t at;
};

static int ascending(const void *a, const void *b)
{
    double x = ((const struct place *)a)->p, y = ((const struct place *)b)->p;
    return (x > y) - (x < y);
}

/* The comparisons, the lowest p-value first. *out is to be freed. */
static int sort_places(struct place **out, size_t *m, const double *p, size_t n)
{
    struct place *places = NULL;
    *m = 0;
    for (size_t i = 0; i < n; i++) {
        if (p[i] < 0.0 || p[i] > 1.0) {
            return regret_fail(REGRET_E_INPUT, "p-value %zu is %g, not in [0, 1]", i, p[i]);
        }
    }
    TRY(REGRET_NEW(&places, n));
    for (size_t i = 0; i < n; i++) {
        if (!isnan(p[i])) {
            places[(*m)++] = (struct place){p[i], i};
        }
    }
    if (*m > 0) {
        qsort(places, *m, sizeof *places, ascending);
    }
    *out = places;
    return REGRET_OK;
}

/* Makes m ascending p-values the adjusted ones. */
typedef void step(struct place *places, size_t m);

static int adjust(double *adjusted, const double *p, size_t n, step *procedure)
{
    struct place *places = NULL;
    size_t m = 0;
    TRY(sort_places(&places, &m, p, n));
    procedure(places, m);
    for (size_t i = 0; i < n; i++) {
        adjusted[i] = NAN;
    }
    for (size_t i = 0; i < m; i++) {
        adjusted[places[i].at] = places[i].p;
    }
    regret_free(places);
    return REGRET_OK;
}

static void step_down(struct place *places, size_t m)
{
    double highest = 0.0;
    for (size_t i = 0; i < m; i++) {
        highest = fmax(highest, fmin(1.0, (double)(m - i) * places[i].p));
        places[i].p = highest;
    }
}

static void step_up(struct place *places, size_t m)
{
    double lowest = 1.0;
    for (size_t i = m; i-- > 0;) {
        lowest = fmin(lowest, (double)m * places[i].p / (double)(i + 1));
        places[i].p = lowest;
    }
}

int regret_holm(double *adjusted, const double *p, size_t n)
{
    return adjust(adjusted, p, n, step_down);
}

int regret_benjamini_hochberg(double *adjusted, const double *p, size_t n)
{
    return adjust(adjusted, p, n, step_up);
}

double regret_detectable_difference(double se, double df, double size, double power)
{
    return (regret_student_quantile(1.0 - 0.5 * size, df) + regret_student_quantile(power, df)) *
           se;
}

static int is_enough(size_t n, double sd, double difference, double size, double power)
{
    double se = sd / sqrt((double)n);
    return regret_detectable_difference(se, (double)(n - 1), size, power) <= difference;
}

size_t regret_observations_needed(double sd, double difference, double size, double power,
                                  size_t most)
{
    size_t low = 1, high = 2; /* low is too few */
    if (!(difference > 0.0)) {
        return 0;
    }
    while (high < most && !is_enough(high, sd, difference, size, power)) {
        low = high;
        high = high < most / 2 ? 2 * high : most;
    }
    if (high > most || !is_enough(high, sd, difference, size, power)) {
        return 0;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (is_enough(middle, sd, difference, size, power)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

double regret_deviation_bound(double sd, double df, double confidence)
{
    if (!(df >= 1.0)) {
        return NAN;
    }
    double z = regret_student_quantile(1.0 - confidence, INFINITY);
    double root = 1.0 - 2.0 / (9.0 * df) + z * sqrt(2.0 / (9.0 * df));
    return sd / sqrt(root * root * root);
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
