/* A world of known effects. */
#include <math.h>

#include "base/status.h"
#include "rate/intern.h"
#include "rate/typos.h"
#include "regret/status.h"
#include "regret/task.h"

FREED_POINTER(struct regret_rate_rows, regret_rate_rows_free)

/* Originals with W = 1 are longer (Z) and less tidy (ξ) than those with W = 0; the rewriter tidies
 * everything up. So the naive estimate sees Z and ξ, the single one the tidying, and RATE neither.
 */
#define SHARED                                                                                     \
    .pi = 0.45, .p1 = 0.7, .p0 = 0.3, .tau = 0.5, .gamma = 0.8, .kappa = 0.4, .theta = 1.0,        \
    .m1 = -0.6, .m0 = -0.1, .mu = 0.3, .s = 0.5, .prompt_deviation = 1.0

static const struct regret_rate_world worlds[REGRET_RATE_N_WORLDS] = {
    {.name = "valid", .about = "both assumptions hold", SHARED, .omega = 0.0, .delta = 0.0},
    {.name = "direction",
     .about = "assumption 1 is broken: what rewriting changes depends on its direction",
     SHARED,
     .omega = 0.0,
     .delta = 0.3},
    {.name = "interaction",
     .about = "assumption 2 is broken: the reward is not additive in W and what rewriting changes",
     SHARED,
     .omega = 0.5,
     .delta = 0.0},
};

const struct regret_rate_world *regret_rate_worlds(void)
{
    return worlds;
}

void regret_rate_world_truth(double truth[REGRET_RATE_N_WORLD_ESTIMATORS],
                             double bias[REGRET_RATE_N_WORLD_ESTIMATORS],
                             const struct regret_rate_world *w)
{
    double att = w->tau + w->kappa * w->p1 + w->omega * w->m1;
    double atu = w->tau + w->kappa * w->p0 + w->omega * w->m0;
    double ate = w->pi * att + (1.0 - w->pi) * atu;
    const double truths[3] = {ate, att, atu};
    truth[REGRET_RATE_WORLD_NAIVE] = ate;
    for (int k = 0; k < 3; k++) {
        truth[REGRET_RATE_WORLD_SINGLE_ATE + k] = truth[REGRET_RATE_WORLD_RATE_ATE + k] = truths[k];
    }
    /* E[O | W=1] − E[O | W=0] */
    double naive = w->tau + w->gamma * (w->p1 - w->p0) + w->kappa * w->p1 +
                   w->theta * (w->m1 - w->m0) + w->omega * w->m1;
    bias[REGRET_RATE_WORLD_NAIVE] = naive - ate;
    /* O − R for W = 1: ξ from m1 to the rewriter's mean μ (the rewrite has w' = 0);
     * R − O for W = 0: from m0 to μ + Δ (w' = 1), where ω ξ counts, too. */
    bias[REGRET_RATE_WORLD_SINGLE_ATT] = w->theta * (w->m1 - w->mu);
    bias[REGRET_RATE_WORLD_SINGLE_ATU] =
        w->theta * (w->mu + w->delta - w->m0) + w->omega * (w->mu + w->delta - w->m0);
    /* RR − R and R − RR: both hold a rewrite to 1 and one to 0. */
    bias[REGRET_RATE_WORLD_RATE_ATT] = w->theta * w->delta + w->omega * (w->mu + w->delta - w->m1);
    bias[REGRET_RATE_WORLD_RATE_ATU] = w->theta * w->delta + w->omega * (w->mu + w->delta - w->m0);
    bias[REGRET_RATE_WORLD_SINGLE_ATE] = w->pi * bias[REGRET_RATE_WORLD_SINGLE_ATT] +
                                         (1.0 - w->pi) * bias[REGRET_RATE_WORLD_SINGLE_ATU];
    bias[REGRET_RATE_WORLD_RATE_ATE] =
        w->pi * bias[REGRET_RATE_WORLD_RATE_ATT] + (1.0 - w->pi) * bias[REGRET_RATE_WORLD_RATE_ATU];
}

/* Uniform with this mean and deviation. */
static double draw(struct regret_rng *r, double mean, double deviation)
{
    return mean + deviation * sqrt(12.0) * (regret_rng_uniform(r) - 0.5);
}

static double reward(const struct regret_rate_world *w, double prompt, int attribute, int z,
                     double xi)
{
    return prompt + w->tau * attribute + w->gamma * z + w->kappa * (attribute && z) +
           w->theta * xi + w->omega * attribute * xi;
}

static void draw_row(struct regret_rate_row *row, const struct regret_rate_world *world,
                     struct regret_rng *r)
{
    int w = regret_rng_uniform(r) < world->pi;
    int z = regret_rng_uniform(r) < (w ? world->p1 : world->p0);
    double prompt = draw(r, 0.0, world->prompt_deviation);
    double xi = draw(r, w ? world->m1 : world->m0, world->s);
    double first = draw(r, world->mu + (w ? 0.0 : world->delta), world->s);
    double second = draw(r, world->mu + (w ? world->delta : 0.0), world->s);
    row->w = w ? REGRET_LABEL_1 : REGRET_LABEL_0;
    row->z = z ? REGRET_LABEL_1 : REGRET_LABEL_0;
    double *value = row->scores[0].value;
    value[REGRET_SIDE_ORIGINAL] = reward(world, prompt, w, z, xi);
    value[REGRET_SIDE_REWRITE] = reward(world, prompt, !w, z, first);
    value[REGRET_SIDE_REWRITE_OF_REWRITE] = reward(world, prompt, w, z, second);
}

int regret_rate_world_rows(struct regret_rate_rows **out, const struct regret_rate_world *world,
                           size_t n, uint64_t seed, uint64_t replicate)
{
    FREED_BY(regret_rate_rows_free_at) struct regret_rate_rows *rows = NULL;
    FREED struct regret_rate_row *row = NULL;
    struct regret_rng rng =
        regret_rng_at(seed, REGRET_RNG_RATE,
                      stream_index(STREAM_WORLD, (uint32_t)(replicate >> 32), (uint32_t)replicate));
    TRY(regret_rate_rows_new(&rows, 0));
    TRY(REGRET_NEW(&row, 1));
    row->dataset = (struct regret_span){"world", 5};
    row->attribute = (struct regret_span){"w", 1};
    row->n_scores = 1;
    row->scores[0].model = (struct regret_span){"world-reward", 12};
    for (size_t i = 0; i < n; i++) {
        draw_row(row, world, &rng);
        row->line = i + 1;
        TRY(regret_rate_rows_add(rows, row));
    }
    TRY(regret_rate_rows_finish(rows));
    *out = rows;
    rows = NULL;
    return REGRET_OK;
}

struct replication {
    const struct regret_rate_world *world;
    size_t n_rows;
    uint64_t seed;
    double *error; /* replicates × estimators: estimate − truth, NaN when missing */
    double *half;  /* likewise: half the width of the interval */
    double truth[REGRET_RATE_N_WORLD_ESTIMATORS];
};

FREED_FIELDS(replication, of->error, of->half)

static int replicate(void *context, size_t index, size_t worker)
{
    struct replication *r = context;
    FREED_BY(regret_rate_rows_free_at) struct regret_rate_rows *rows = NULL;
    FREED struct regret_rate_estimate *e = NULL;
    const struct regret_rate_options options = {.threads = 1};
    size_t n = 0;
    (void)worker;
    TRY(regret_rate_world_rows(&rows, r->world, r->n_rows, r->seed, index));
    TRY(regret_rate_estimate(&e, &n, rows, &options));
    if (n != 1) {
        TRY(regret_fail(REGRET_E_INTERNAL, "a world of %zu estimates", n));
    }
    for (size_t k = 0; k < REGRET_RATE_N_WORLD_ESTIMATORS; k++) {
        size_t at = index * REGRET_RATE_N_WORLD_ESTIMATORS + k;
        r->error[at] = e->effects[k].estimate - r->truth[k];
        r->half[at] = e->effects[k].quantile * e->effects[k].se;
    }
    return REGRET_OK;
}

static struct regret_rate_world_result summarise(const struct replication *r, size_t n, size_t k)
{
    struct regret_rate_world_result out = {.truth = r->truth[k]};
    double used = 0.0, sum = 0.0, squares = 0.0, covered = 0.0;
    for (size_t b = 0; b < n; b++) {
        double error = r->error[b * REGRET_RATE_N_WORLD_ESTIMATORS + k];
        if (isnan(error)) {
            out.n_missing++;
            continue;
        }
        used += 1.0;
        sum += error;
        squares += error * error;
        covered += fabs(error) <= r->half[b * REGRET_RATE_N_WORLD_ESTIMATORS + k];
    }
    out.bias = sum / used;
    out.rmse = sqrt(squares / used);
    out.coverage = covered / used;
    out.bias_se = sqrt((squares / used - out.bias * out.bias) / (used - 1.0));
    return out;
}

int regret_rate_world_run(struct regret_rate_world_result out[REGRET_RATE_N_WORLD_ESTIMATORS],
                          const struct regret_rate_world *world, size_t n_rows, size_t n_replicates,
                          uint64_t seed, size_t threads)
{
    if (n_rows < 8 || n_rows > UINT32_MAX || n_replicates < 2) {
        return regret_fail(REGRET_E_INPUT,
                           "a world of %zu rows replicated %zu times; give at least 8 and 2",
                           n_rows, n_replicates);
    }
    double bias[REGRET_RATE_N_WORLD_ESTIMATORS];
    FREED_BY(replication_fields)
    struct replication r = {.world = world, .n_rows = n_rows, .seed = seed};
    regret_rate_world_truth(r.truth, bias, world);
    TRY(REGRET_NEW(&r.error, n_replicates * REGRET_RATE_N_WORLD_ESTIMATORS));
    TRY(REGRET_NEW(&r.half, n_replicates * REGRET_RATE_N_WORLD_ESTIMATORS));
    TRY(regret_parallel_for(n_replicates, threads, replicate, &r));
    for (size_t k = 0; k < REGRET_RATE_N_WORLD_ESTIMATORS; k++) {
        out[k] = summarise(&r, n_replicates, k);
        out[k].predicted_bias = bias[k];
    }
    return REGRET_OK;
}
