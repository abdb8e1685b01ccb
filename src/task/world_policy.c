/* Who chooses the agent, and the rows that come of it. */
#include <math.h>
#include <string.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "regret/svd.h"
#include "task/rows.h"
#include "task/world.h"

/* p ← softmax(sharpness · p), entries of -INFINITY becoming 0. */
static void softmax(double *p, size_t n, double sharpness)
{
    double largest = -INFINITY, total = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, p[i]);
    }
    for (size_t i = 0; i < n; i++) {
        p[i] = p[i] == -INFINITY ? 0.0 : exp(sharpness * (p[i] - largest));
        total += p[i];
    }
    for (size_t i = 0; i < n; i++) {
        p[i] /= total;
    }
}

/* θ_a·ē(x) with ē(x) the standardised embedding and θ_a ~ N(0, I)/√rank. */
static int choose_by_context(struct regret_controlled_world *w,
                             const struct regret_world_source *source)
{
    size_t rank = source->embedding_rank, n = w->n_contexts;
    struct regret_rng rng = world_stream(w, WORLD_AGENT_CONTEXT);
    double *e = NULL;
    int rc = REGRET_OK;
    TRY(REGRET_NEW(&e, n * rank));
    if (rank > 0) {
        memcpy(e, source->embedding, n * rank * sizeof *e);
        rc = regret_standardise(e, n, rank, NULL, NULL);
    }
    for (size_t a = 0; rc == REGRET_OK && a < w->n_agents; a++) {
        for (size_t j = 0; j < rank; j++) {
            double theta = regret_rng_normal(&rng) / sqrt((double)rank);
            for (size_t x = 0; x < n; x++) {
                w->context_policy[x * w->n_agents + a] += theta * e[j * n + x];
            }
        }
    }
    for (size_t x = 0; rc == REGRET_OK && x < n; x++) {
        softmax(w->context_policy + x * w->n_agents, w->n_agents, w->options.context_sharpness);
    }
    regret_free(e);
    return rc;
}

static int choose_by_user(struct regret_controlled_world *w)
{
    size_t n = w->n_agents, *deck = NULL, dealt = 0;
    struct regret_rng order = world_stream(w, WORLD_DECK);
    struct regret_rng taste = world_stream(w, WORLD_USER_TASTE);
    TRY(REGRET_NEW(&deck, n));
    for (size_t a = 0; a < n; a++) {
        deck[a] = a;
    }
    regret_rng_shuffle(&order, deck, n);
    for (size_t u = 0; u < w->options.n_segments; u++) {
        double *policy = w->user_policy + u * n;
        for (size_t a = 0; a < n; a++) {
            policy[a] = -INFINITY;
        }
        for (size_t i = 0; i < w->options.shortlist; i++, dealt++) {
            policy[deck[dealt % n]] = regret_rng_normal(&taste);
        }
        softmax(policy, n, w->options.user_sharpness);
    }
    regret_free(deck);
    return REGRET_OK;
}

int world_policies(struct regret_controlled_world *w, const struct regret_world_source *source)
{
    TRY(REGRET_NEW(&w->context_policy, w->n_contexts * w->n_agents));
    TRY(REGRET_NEW(&w->user_policy, w->options.n_segments * w->n_agents));
    TRY(choose_by_context(w, source));
    return choose_by_user(w);
}

/* The index at which the running sum of p[0..n) passes `uniform`; never one of chance 0. */
static size_t pick(const double *p, size_t n, double uniform)
{
    size_t last = 0;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (p[i] > 0.0) {
            last = i;
            sum += p[i];
            if (uniform < sum) {
                break;
            }
        }
    }
    return last;
}

static double draw_outcome(const struct regret_outcome_options *o, double mean,
                           struct regret_rng *rng)
{
    if (o->law == REGRET_OUTCOME_NONE) {
        return mean;
    }
    return regret_rng_beta(rng, o->precision * mean, o->precision * (1.0 - mean));
}

enum { CHOOSE_UNIFORM, CHOOSE_BY_ROUTER };

/* Every row takes the same five numbers from its stream in the same order, whatever it does with
 * them: context, segment, policy, agent, draw. */
static void draw_row(struct regret_rows *rows, size_t i, const struct regret_controlled_world *w,
                     const struct regret_split *split, int router, double beta, uint64_t seed)
{
    size_t n = w->n_agents;
    struct regret_rng rng =
        regret_rng_at(seed, router ? REGRET_RNG_OBS_ROW : REGRET_RNG_EXP_ROW, i);
    struct regret_rng noise =
        regret_rng_at(seed, router ? REGRET_RNG_OBS_OUTCOME : REGRET_RNG_EXP_OUTCOME, i);
    size_t x = split->train[regret_rng_below(&rng, (uint32_t)split->n_train)];
    size_t u = pick(w->options.segment_weight, w->options.n_segments, regret_rng_uniform(&rng));
    double policy = regret_rng_uniform(&rng), agent = regret_rng_uniform(&rng);
    double draw = regret_rng_uniform(&rng);
    size_t a = (size_t)(agent * (double)n);
    if (router) {
        a = policy < beta ? pick(w->user_policy + u * n, n, agent)
                          : pick(w->context_policy + x * n, n, agent);
    }
    size_t first = (x * n + a) * w->n_draws;
    size_t k = w->draw_law == NULL ? (size_t)(draw * (double)w->n_draws)
                                   : pick(w->draw_law + u * w->pairs + first, w->n_draws, draw);
    rows->pair[i] = (uint32_t)(first + k);
    rows->segment[i] = (uint32_t)u;
    rows->y[i] = draw_outcome(&w->options.outcome, regret_world_mean(w, first + k, u), &noise);
}

static int draw_rows(struct regret_rows *out, const struct regret_controlled_world *w,
                     const struct regret_split *split, int router, double beta, size_t n,
                     uint64_t seed)
{
    struct regret_rows rows;
    if (split->n_train == 0 || split->train[split->n_train - 1] >= w->n_contexts) {
        return regret_fail(REGRET_E_INPUT,
                           "the split's training contexts are not among the world's %zu; split "
                           "the same contexts",
                           w->n_contexts);
    }
    TRY(rows_create(&rows, n));
    for (size_t i = 0; i < n; i++) {
        draw_row(&rows, i, w, split, router, beta, seed);
    }
    *out = rows;
    return REGRET_OK;
}

int regret_world_draw_exp(struct regret_rows *out, const struct regret_controlled_world *w,
                          const struct regret_split *split, size_t n, uint64_t seed)
{
    return draw_rows(out, w, split, CHOOSE_UNIFORM, 0.0, n, seed);
}

int regret_world_draw_obs(struct regret_rows *out, const struct regret_controlled_world *w,
                          const struct regret_split *split, double beta, size_t n, uint64_t seed)
{
    if (!(beta >= 0.0 && beta <= 1.0)) {
        return regret_fail(REGRET_E_INPUT,
                           "beta = %g is out of range in a controlled world, where it is the "
                           "chance of the latent user's own choice; use 0 to 1",
                           beta);
    }
    return draw_rows(out, w, split, CHOOSE_BY_ROUTER, beta, n, seed);
}
