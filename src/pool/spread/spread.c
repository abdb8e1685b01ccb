#include "pool/spread/spread.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/hash.h"
#include "regret/rng.h"

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
