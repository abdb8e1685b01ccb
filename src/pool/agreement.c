#include "pool/agreement.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "regret/task.h"

const char *regret_agreement_name(size_t measure)
{
    static const char *const NAMES[REGRET_AGREEMENTS] = {[REGRET_ALPHA_NOMINAL] = "alpha nominal",
                                                         [REGRET_ALPHA_ORDINAL] = "alpha ordinal",
                                                         [REGRET_ALPHA_INTERVAL] = "alpha interval",
                                                         [REGRET_ICC_SINGLE] = "ICC(2,1)",
                                                         [REGRET_ICC_MEAN] = "ICC(2,k)"};
    return measure < REGRET_AGREEMENTS ? NAMES[measure] : NULL;
}

/* ---------------------------------------------------------------- alpha */

/* α of what units disagree, over n pairable ratings, and what all of these would by chance. */
static double alpha(double within, double among, double n)
{
    return among > 0.0 ? 1.0 - (within / n) / (among / (n * (n - 1.0))) : NAN;
}

/* Of intervals alone, of n units by m raters. O(n m). */
static double alpha_interval(const double *value, size_t n, size_t m)
{
    double within = 0.0, sum = 0.0, squares = 0.0, pairable = 0.0, shift = NAN;
    for (size_t i = 0; i < n; i++) {
        double s = 0.0, q = 0.0, k = 0.0;
        for (size_t j = 0; j < m; j++) {
            double v = value[i * m + j];
            if (isfinite(v)) {
                shift = isnan(shift) ? v : shift; /* for the digits of squares */
                s += v - shift;
                q += (v - shift) * (v - shift);
                k += 1.0;
            }
        }
        if (k >= 2.0) { /* Σ over pairs of (v − w)² is 2 (k Σv² − (Σv)²) */
            within += 2.0 * (k * q - s * s) / (k - 1.0);
            sum += s;
            squares += q;
            pairable += k;
        }
    }
    return alpha(within, 2.0 * (pairable * squares - sum * sum), pairable);
}

static size_t count_ratings(const double *unit, size_t m)
{
    size_t k = 0;
    for (size_t j = 0; j < m; j++) {
        k += isfinite(unit[j]);
    }
    return k;
}

/* The ratings of units that have two, sorted; their number. */
static size_t sort_pairable(double *out, const double *rating, size_t n, size_t m)
{
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        size_t first = to;
        for (size_t j = 0; j < m; j++) {
            if (isfinite(rating[i * m + j])) {
                out[to++] = rating[i * m + j];
            }
        }
        to = to - first >= 2 ? to : first;
    }
    regret_sort_numbers(out, to);
    return to;
}

static double alpha_nominal(const double *rating, size_t n, size_t m, const double *sorted,
                            size_t pairable)
{
    double within = 0.0, among = (double)pairable * (double)pairable;
    for (size_t i = 0; i < n; i++) {
        const double *unit = rating + i * m;
        size_t k = count_ratings(unit, m), differ = 0;
        for (size_t j = 0; j < m * m; j++) {
            double v = unit[j / m], w = unit[j % m];
            differ += isfinite(v) && isfinite(w) && v != w;
        }
        within += k >= 2 ? (double)differ / ((double)k - 1.0) : 0.0;
    }
    for (size_t i = 0, end; i < pairable; i = end) {
        for (end = i + 1; end < pairable && sorted[end] == sorted[i]; end++) {
        }
        among -= (double)(end - i) * (double)(end - i);
    }
    return alpha(within, among, (double)pairable);
}

/* Krippendorff's ordinal difference of two ratings is that of their mid-ranks among all that are pairable. */
static double alpha_ordinal(const double *rating, size_t n, size_t m, const double *sorted,
                            size_t pairable, double *rank)
{
    for (size_t i = 0; i < n * m; i++) {
        double x = rating[i];
        size_t below = sorted_below(sorted, pairable, x);
        size_t up_to = sorted_below(sorted, pairable, nextafter(x, INFINITY));
        rank[i] = isfinite(x) ? 0.5 * (double)(below + up_to) : NAN;
    }
    return alpha_interval(rank, n, m);
}

/* ---------------------------------------------------------------- intraclass correlation */

/* Sums over the units that every rater has rated: of units, and of raters into sum[m]; their number. */
static size_t sum_complete(double *sum, double *total, const double *rating, size_t n, size_t m)
{
    size_t complete = 0;
    *total = 0.0;
    memset(sum, 0, m * sizeof *sum);
    for (size_t i = 0; i < n; i++) {
        int is_complete = count_ratings(rating + i * m, m) == m;
        complete += (size_t)is_complete;
        for (size_t j = 0; j < m && is_complete; j++) {
            sum[j] += rating[i * m + j];
            *total += rating[i * m + j];
        }
    }
    return complete;
}

/* The mean squares of Shrout and Fleiss's two-way table: between targets, between judges, and the residual. */
static void icc(double out[2], const double *rating, size_t n, size_t m, double *sum)
{
    double total = 0.0, targets = 0.0, judges = 0.0, residual = 0.0, k = (double)m;
    size_t complete = sum_complete(sum, &total, rating, n, m);
    double rows = (double)complete, mean = total / (rows * k);
    out[0] = out[1] = NAN;
    if (complete < 2) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const double *unit = rating + i * m;
        double own = 0.0;
        for (size_t j = 0; j < m; j++) {
            own += unit[j] / k;
        }
        for (size_t j = 0; j < m && isfinite(own); j++) {
            double rest = unit[j] - own - sum[j] / rows + mean;
            residual += rest * rest;
        }
        targets += isfinite(own) ? k * (own - mean) * (own - mean) : 0.0;
    }
    for (size_t j = 0; j < m; j++) {
        judges += rows * (sum[j] / rows - mean) * (sum[j] / rows - mean);
    }
    double bms = targets / (rows - 1.0), jms = judges / (k - 1.0);
    double ems = residual / ((rows - 1.0) * (k - 1.0));
    double one = bms + (k - 1.0) * ems + k * (jms - ems) / rows, all = bms + (jms - ems) / rows;
    out[0] = one > 0.0 ? (bms - ems) / one : NAN;
    out[1] = all > 0.0 ? (bms - ems) / all : NAN;
}

/* ---------------------------------------------------------------- all of them, and their intervals */

/* `scratch` holds 2 n m + m numbers. */
static void measure(double out[REGRET_AGREEMENTS], const double *rating, size_t n, size_t m,
                    double *scratch)
{
    double *sorted = scratch, *rank = scratch + n * m;
    size_t pairable = sort_pairable(sorted, rating, n, m);
    out[REGRET_ALPHA_NOMINAL] = alpha_nominal(rating, n, m, sorted, pairable);
    out[REGRET_ALPHA_ORDINAL] = alpha_ordinal(rating, n, m, sorted, pairable, rank);
    out[REGRET_ALPHA_INTERVAL] = alpha_interval(rating, n, m);
    icc(&out[REGRET_ICC_SINGLE], rating, n, m, scratch + 2 * n * m);
}

/* Ratings of one draw of the clusters, and room to measure them. */
struct drawn {
    double *rating, *scratch; /* of `capacity` units; owned */
    size_t n, capacity;
};

FREED_FIELDS(drawn, of->rating, of->scratch)

static int reserve(struct drawn *d, size_t units, size_t m)
{
    if (units <= d->capacity) {
        return REGRET_OK;
    }
    d->capacity = 2 * units;
    TRY(regret_realloc((void **)&d->rating, d->capacity * m, sizeof *d->rating, "ratings"));
    return regret_realloc((void **)&d->scratch, (2 * d->capacity + 1) * m, sizeof *d->scratch,
                          "room for ratings");
}

static int draw(struct drawn *d, const struct regret_ratings *r, uint64_t seed, size_t replicate)
{
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_BOOTSTRAP, replicate);
    size_t m = r->n_raters;
    d->n = 0;
    for (size_t c = 0; c < r->n_clusters; c++) {
        size_t which = regret_rng_below(&rng, (uint32_t)r->n_clusters);
        size_t first = r->cluster[which], n = r->cluster[which + 1] - first;
        TRY(reserve(d, d->n + n, m));
        memcpy(d->rating + d->n * m, r->rating + first * m, n * m * sizeof *d->rating);
        d->n += n;
    }
    return REGRET_OK;
}

static void find_interval(struct regret_agreement *out, double *replicate, size_t n, double level)
{
    size_t defined = 0;
    for (size_t b = 0; b < n; b++) {
        if (isfinite(replicate[b])) {
            replicate[defined++] = replicate[b];
        }
    }
    regret_sort_numbers(replicate, defined);
    out->low = defined > 1 ? regret_quantile(replicate, defined, (1.0 - level) / 2.0) : NAN;
    out->high = defined > 1 ? regret_quantile(replicate, defined, (1.0 + level) / 2.0) : NAN;
}

int regret_agreement_measure(struct regret_agreement out[REGRET_AGREEMENTS],
                             const struct regret_ratings *r, size_t resamples, uint64_t seed,
                             double level)
{
    FREED_BY(drawn_fields) struct drawn d = {0};
    double found[REGRET_AGREEMENTS];
    FREED double *replicate = NULL;
    if (r->n_raters < 2) {
        return regret_fail(REGRET_E_INPUT, "one rater agrees with nobody; give two or more");
    }
    TRY(reserve(&d, r->n_units, r->n_raters));
    TRY(REGRET_NEW(&replicate, resamples * REGRET_AGREEMENTS));
    measure(found, r->rating, r->n_units, r->n_raters, d.scratch);
    for (size_t k = 0; k < REGRET_AGREEMENTS; k++) {
        out[k].value = found[k];
    }
    for (size_t b = 0; b < resamples; b++) {
        TRY(draw(&d, r, seed, b));
        measure(found, d.rating, d.n, r->n_raters, d.scratch);
        for (size_t k = 0; k < REGRET_AGREEMENTS; k++) {
            replicate[k * resamples + b] = found[k];
        }
    }
    for (size_t k = 0; k < REGRET_AGREEMENTS; k++) {
        find_interval(&out[k], replicate + k * resamples, resamples, level);
    }
    return REGRET_OK;
}

int regret_ratings_of_pool(struct regret_ratings *out, const struct regret_pool *pool,
                           const size_t *components, size_t n)
{
    *out = (struct regret_ratings){.n_units = pool->n_outputs, .n_raters = n};
    TRY(REGRET_NEW(&out->rating, pool->n_outputs * n));
    TRY(REGRET_NEW(&out->cluster, pool->n_contexts + 1));
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        if (i == 0 || o->context != pool->outputs[i - 1].context) {
            out->cluster[out->n_clusters++] = i;
        }
        for (size_t j = 0; j < n; j++) {
            out->rating[i * n + j] = regret_pool_quality(pool, o, components[j]);
        }
    }
    out->cluster[out->n_clusters] = pool->n_outputs;
    return REGRET_OK;
}

void regret_ratings_free(struct regret_ratings *ratings)
{
    regret_free(ratings->rating);
    regret_free(ratings->cluster);
    *ratings = (struct regret_ratings){0};
}

FREED_POINTER(struct spread_pool, spread_pool_free)

/* Beyond its range by more than rounding makes of a score at its end. */
static const double BEYOND = 1e-12;

int regret_spread_is_on(const struct regret_spread_options *o)
{
    return o->within != 1.0 || o->agents != 1.0 || o->contexts != 1.0 || o->noise != 0.0;
}

static int check_factor(double value, const char *name)
{
    return isfinite(value) && value >= 0.0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "spread.%s = %g; give a number of 0 or more, %s leaves scores alone",
                             name, value, strcmp(name, "noise") == 0 ? "0" : "1");
}

static int check_options(const struct regret_spread_options *o)
{
    TRY(check_factor(o->within, "within"));
    TRY(check_factor(o->agents, "agents"));
    TRY(check_factor(o->contexts, "contexts"));
    return check_factor(o->noise, "noise");
}

/* A component over the outputs of a pool, q = m + C(x) + A(a) + I. */
struct parts {
    double mean;     /* m, over all outputs */
    double *context; /* m + C(x), over the context's outputs; owned */
    double *agent;   /* A(a), over the agent's outputs; owned */
    size_t *count;   /* outputs of a context, then of an agent; owned */
};

static void parts_free(struct parts *p)
{
    regret_free(p->context);
    regret_free(p->agent);
    regret_free(p->count);
}

static int parts_create(struct parts *p, const struct regret_pool *pool)
{
    TRY(REGRET_NEW(&p->context, pool->n_contexts));
    TRY(REGRET_NEW(&p->agent, pool->n_agents));
    return REGRET_NEW(&p->count,
                      pool->n_contexts > pool->n_agents ? pool->n_contexts : pool->n_agents);
}

/* Sums to means; a context or agent without outputs keeps 0, which nobody reads. */
static void divide(double *sum, const size_t *count, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sum[i] /= count[i] > 0 ? (double)count[i] : 1.0;
    }
}

static void take_parts(struct parts *p, const struct regret_pool *pool, size_t component)
{
    double sum = 0.0;
    memset(p->context, 0, pool->n_contexts * sizeof *p->context);
    memset(p->count, 0, pool->n_contexts * sizeof *p->count);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        double q = regret_pool_quality(pool, o, component);
        p->context[o->context] += q;
        p->count[o->context]++;
        sum += q;
    }
    p->mean = sum / (double)pool->n_outputs;
    divide(p->context, p->count, pool->n_contexts);
    memset(p->agent, 0, pool->n_agents * sizeof *p->agent);
    memset(p->count, 0, pool->n_agents * sizeof *p->count);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        p->agent[o->agent] += regret_pool_quality(pool, o, component) - p->context[o->context];
        p->count[o->agent]++;
    }
    divide(p->agent, p->count, pool->n_agents);
}

/* Standard normal ε of one score, by what the score is called and not by where it stands: the same in whatever order
 * and company. No id holds a line break. */
static double noise(const struct regret_pool *pool, const struct regret_output *o, size_t component,
                    uint64_t seed)
{
    char name[3 * (REGRET_POOL_MAX_ID + 1) + 16];
    int length = snprintf(name, sizeof name, "%s\n%s\n%s\n%" PRIu32, pool->contexts[o->context].id,
                          pool->agents[o->agent].id, pool->components[component].name, o->draw);
    struct regret_rng rng =
        regret_rng_at(seed, REGRET_RNG_SPREAD, regret_hash64(name, (size_t)length));
    return regret_rng_normal(&rng);
}

/* New scores of a component (protocol §1); returns how many were clipped. */
static size_t spread_component(struct regret_pool *pool, struct parts *p, size_t component,
                               const struct regret_spread_options *s)
{
    const struct regret_component *c = &pool->components[component];
    size_t clipped = 0;
    take_parts(p, pool, component);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        struct regret_output *o = &pool->outputs[i];
        double agent = p->agent[o->agent], context = p->context[o->context];
        double rest = regret_pool_quality(pool, o, component) - context - agent;
        double q =
            p->mean + s->contexts * (context - p->mean) + s->within * (s->agents * agent + rest);
        if (s->noise != 0.0) {
            q += s->noise * noise(pool, o, component, s->seed);
        }
        clipped += q < -BEYOND || q > 1.0 + BEYOND;
        o->values[component] = fmin(c->high, fmax(c->low, c->low + q * (c->high - c->low)));
    }
    return clipped;
}

int regret_pool_spread(struct regret_pool *pool, const struct regret_spread_options *options,
                       size_t *clipped)
{
    FREED_BY(parts_free) struct parts parts = {0};
    size_t n = 0;
    TRY(check_options(options));
    if (clipped != NULL) {
        *clipped = 0;
    }
    if (!regret_spread_is_on(options) || pool->n_outputs == 0) {
        return REGRET_OK;
    }
    TRY(parts_create(&parts, pool));
    for (size_t k = 0; k < pool->n_components; k++) {
        n += spread_component(pool, &parts, k, options);
    }
    if (clipped != NULL) {
        *clipped = n;
    }
    return REGRET_OK;
}

/* Outputs of the copy's own, with values of its own. */
static int copy_outputs(struct spread_pool *to, const struct regret_pool *from)
{
    size_t n_values = from->n_components + from->n_counts + from->n_aux;
    to->pool = *from;
    to->pool.outputs = NULL;
    TRY(REGRET_NEW(&to->pool.outputs, from->n_outputs));
    TRY(REGRET_NEW(&to->values, from->n_outputs * n_values));
    for (size_t i = 0; i < from->n_outputs; i++) {
        double *values = to->values + i * n_values;
        memcpy(values, from->outputs[i].values, n_values * sizeof *values);
        to->pool.outputs[i] = from->outputs[i];
        to->pool.outputs[i].values = values;
    }
    return REGRET_OK;
}

int spread_pool_create(struct spread_pool **out, const struct regret_pool *pool,
                       const struct regret_spread_options *options)
{
    FREED_BY(spread_pool_free_at) struct spread_pool *s = NULL;
    TRY(REGRET_NEW(&s, 1));
    s->options = *options;
    TRY(copy_outputs(s, pool));
    TRY(regret_pool_spread(&s->pool, options, &s->clipped));
    *out = s;
    s = NULL;
    return REGRET_OK;
}

void spread_pool_free(struct spread_pool *s)
{
    if (s != NULL) {
        regret_free(s->pool.outputs);
        regret_free(s->values);
        regret_free(s);
    }
}
