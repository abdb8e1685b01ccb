#include "task/draw/logging_policy.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/rng.h"
#include "regret/svd.h"

FREED_POINTER(struct logging_policy, logging_policy_free)

static double largest_of(const double *v, size_t n)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(v[i]));
    }
    return largest;
}

/* Mean 0 and deviation 1; zeroes where nothing is larger than the rounding of numbers the size of
 * `scale`, from which v was computed. */
static int standardise(double *v, size_t n, double scale)
{
    if (!(largest_of(v, n) > 1e-12 * scale)) {
        memset(v, 0, n * sizeof *v);
    }
    return regret_standardise(v, n, 1, NULL, NULL);
}

/* scale[a]: one over the places of agent a that are observed on the training contexts; 0 of an agent without. */
static void scale_means(double *scale, const struct regret_grid *g,
                        const struct regret_split *split)
{
    for (size_t i = 0; i < split->n_train; i++) {
        size_t x = split->train[i], n = regret_grid_observed(g, x);
        for (size_t j = 0; j < n; j++) {
            scale[regret_grid_observed_agent(g, x, j)] += (double)g->n_draws;
        }
    }
    for (size_t a = 0; a < g->n_agents; a++) {
        scale[a] = scale[a] > 0.0 ? 1.0 / scale[a] : 0.0;
    }
}

/* mean[u][a]: the mean segment-u reward of agent a over the training contexts on which it is observed, and draws. */
static void segment_means(double *mean, const struct regret_cached_task *task,
                          const struct regret_split *split, const double *scale)
{
    const struct regret_grid *g = task->grid;
    size_t pairs = regret_grid_pairs(g), n_segments = g->pool->n_segments;
    for (size_t u = 0; u < n_segments; u++) {
        for (size_t i = 0; i < split->n_train; i++) {
            size_t x = split->train[i], n = regret_grid_observed(g, x);
            for (size_t j = 0; j < n; j++) {
                size_t a = regret_grid_observed_agent(g, x, j), cell = x * g->n_agents + a;
                size_t first = regret_grid_first(g, cell), end = regret_grid_first(g, cell + 1);
                double share = (double)g->n_draws / (double)(end - first);
                for (size_t pair = first; pair < end; pair++) {
                    mean[u * g->n_agents + a] += task->reward[u * pairs + pair] * scale[a] * share;
                }
            }
        }
    }
}

/* Standardises a user's affinities over the agents that have one; the others', which nothing is known of, are 0. */
static int standardise_known(double *aff, const double *known, size_t n, double *scratch,
                             double scale)
{
    size_t m = 0, next = 0;
    for (size_t a = 0; a < n; a++) {
        if (known[a] > 0.0) {
            scratch[m++] = aff[a];
        }
    }
    TRY(standardise(scratch, m, scale));
    for (size_t a = 0; a < n; a++) {
        aff[a] = known[a] > 0.0 ? scratch[next++] : 0.0;
    }
    return REGRET_OK;
}

int regret_affinity_build(double **out, const struct regret_cached_task *task,
                          const struct regret_split *split)
{
    size_t n_agents = task->grid->n_agents, n_segments = task->grid->pool->n_segments;
    FREED double *aff = NULL, *known = NULL;
    TRY(REGRET_NEW(&aff, n_segments * n_agents));
    TRY(REGRET_NEW(&known, 2 * n_agents));
    scale_means(known, task->grid, split);
    segment_means(aff, task, split, known);
    double scale = largest_of(aff, n_segments * n_agents);
    for (size_t a = 0; a < n_agents; a++) {
        double mean = 0.0;
        for (size_t u = 0; u < n_segments; u++) {
            mean += aff[u * n_agents + a] / (double)n_segments;
        }
        for (size_t u = 0; u < n_segments; u++) {
            aff[u * n_agents + a] -= mean;
        }
    }
    for (size_t u = 0; u < n_segments; u++) {
        TRY(standardise_known(aff + u * n_agents, known, n_agents, known + n_agents, scale));
    }
    *out = aff;
    aff = NULL;
    return REGRET_OK;
}

/* θ_a·e(x) with θ_a ~ N(0, I)/√rank, drawn by the agent's place in the pool so that dropping agents
 * changes nothing for the others. */
static void context_scores(double *score, const struct regret_cached_task *task)
{
    const struct regret_grid *g = task->grid;
    size_t rank = task->embedding_rank;
    double scale = rank > 0 ? 1.0 / sqrt((double)rank) : 0.0;
    for (size_t a = 0; a < g->n_agents; a++) {
        struct regret_rng rng =
            regret_rng_at(task->logging.seed, REGRET_RNG_LOGGING_THETA, g->agents[a]);
        for (size_t j = 0; j < rank; j++) {
            double theta = regret_rng_normal(&rng) * scale;
            for (size_t x = 0; x < g->n_contexts; x++) {
                score[x * g->n_agents + a] += theta * task->embedding[j * g->n_contexts + x];
            }
        }
    }
}

static int check_slate(const struct regret_cached_task *task)
{
    const struct regret_logging_options *o = &task->logging;
    if (o->slate == 0 || o->slate > task->grid->n_agents) {
        return regret_fail(REGRET_E_INPUT,
                           "router.slate = %zu cannot be drawn from %zu agents; use 1 to %zu",
                           o->slate, task->grid->n_agents, task->grid->n_agents);
    }
    return REGRET_OK;
}

int logging_policy_create(struct logging_policy **out, const struct regret_cached_task *task,
                          const struct regret_split *split)
{
    const struct regret_grid *g = task->grid;
    FREED_BY(logging_policy_free_at) struct logging_policy *r = NULL;
    FREED double *cost = NULL;
    TRY(check_slate(task));
    TRY(REGRET_NEW(&r, 1));
    TRY(REGRET_NEW(&r->context_score, g->n_contexts * g->n_agents));
    TRY(regret_affinity_build(&r->user_score, task, split));
    TRY(REGRET_NEW(&r->slate, g->n_agents));
    TRY(REGRET_NEW(&r->weight, task->logging.slate));
    TRY(REGRET_NEW(&cost, g->n_agents));
    r->task = task;
    for (size_t a = 0; a < g->n_agents; a++) {
        cost[a] = g->pool->agents[g->agents[a]].cost;
    }
    TRY(standardise(cost, g->n_agents, largest_of(cost, g->n_agents)));
    context_scores(r->context_score, task);
    const struct regret_logging_options *o = &task->logging;
    for (size_t x = 0; x < g->n_contexts; x++) {
        for (size_t a = 0; a < g->n_agents; a++) {
            double *score = &r->context_score[x * g->n_agents + a];
            *score = o->eta * *score - o->kappa * cost[a];
        }
    }
    for (size_t i = 0; i < g->pool->n_segments * g->n_agents; i++) {
        r->user_score[i] *= o->beta * o->gamma;
    }
    *out = r;
    r = NULL;
    return REGRET_OK;
}

void logging_policy_free(struct logging_policy *r)
{
    if (r != NULL) {
        regret_free(r->context_score);
        regret_free(r->user_score);
        regret_free(r->slate);
        regret_free(r->weight);
        regret_free(r);
    }
}

/* The first `size` of a partial Fisher-Yates shuffle. */
static void draw_slate(size_t *slate, size_t size, size_t n, struct regret_rng *rng)
{
    for (size_t i = 0; i < n; i++) {
        slate[i] = i;
    }
    for (size_t i = 0; i < size; i++) {
        size_t j = i + regret_rng_below(rng, (uint32_t)(n - i));
        size_t swap = slate[i];
        slate[i] = slate[j];
        slate[j] = swap;
    }
}

size_t logging_policy_choose(struct logging_policy *r, size_t context, size_t segment,
                             struct regret_rng *rng)
{
    const struct regret_grid *g = r->task->grid;
    size_t n = g->n_agents, offered = regret_grid_observed(g, context);
    size_t size = r->task->logging.slate < offered ? r->task->logging.slate : offered;
    draw_slate(r->slate, size, offered, rng);
    double largest = -INFINITY, total = 0.0;
    for (size_t i = 0; i < size; i++) {
        size_t a = regret_grid_observed_agent(g, context, r->slate[i]);
        r->slate[i] = a;
        r->weight[i] = r->context_score[context * n + a] + r->user_score[segment * n + a];
        largest = fmax(largest, r->weight[i]);
    }
    for (size_t i = 0; i < size; i++) {
        r->weight[i] = exp(r->weight[i] - largest);
        total += r->weight[i];
    }
    double u = regret_rng_uniform(rng) * total;
    size_t i = 0;
    for (double sum = r->weight[0]; i + 1 < size && u >= sum; sum += r->weight[i]) {
        i++;
    }
    return r->slate[i];
}
