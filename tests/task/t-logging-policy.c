/* The logging policy of OBS against a softmax written out: scores by hand, probabilities by every slate. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "regret/status.h"
#include "regret/task.h"
#include "task/draw.h"
#include "task/small_task.h"

enum { AGENTS = 6, CONTEXTS = 10, SEGMENTS = 3 };

static void standardised(double *v, size_t n)
{
    double mean = 0.0, square = 0.0;
    for (size_t i = 0; i < n; i++) {
        mean += v[i];
    }
    mean /= (double)n;
    for (size_t i = 0; i < n; i++) {
        v[i] -= mean;
        square += v[i] * v[i];
    }
    for (size_t i = 0; i < n; i++) {
        v[i] /= sqrt(square / (double)n);
    }
}

static void affinity(double aff[SEGMENTS][AGENTS], const struct small_task *w)
{
    size_t pairs = regret_grid_pairs(w->grid);
    for (size_t a = 0; a < AGENTS; a++) {
        double mean = 0.0;
        for (size_t u = 0; u < SEGMENTS; u++) {
            aff[u][a] = 0.0;
            for (size_t i = 0; i < w->split->n_train; i++) {
                size_t cell = w->split->train[i] * AGENTS + a;
                size_t first = regret_grid_first(w->grid, cell);
                size_t end = regret_grid_first(w->grid, cell + 1);
                for (size_t p = first; p < end; p++) {
                    aff[u][a] += w->reward[u * pairs + p] / (double)(end - first);
                }
            }
            aff[u][a] /= (double)w->split->n_train;
            mean += aff[u][a] / SEGMENTS;
        }
        for (size_t u = 0; u < SEGMENTS; u++) {
            aff[u][a] -= mean;
        }
    }
    for (size_t u = 0; u < SEGMENTS; u++) {
        standardised(aff[u], AGENTS);
    }
}

static void scores(double out[AGENTS], const struct small_task *w, size_t x, size_t u)
{
    const struct regret_logging_options *o = &w->task->logging;
    double aff[SEGMENTS][AGENTS], cost[AGENTS];
    affinity(aff, w);
    for (size_t a = 0; a < AGENTS; a++) {
        cost[a] = w->pool->agents[a].cost;
    }
    standardised(cost, AGENTS);
    for (size_t a = 0; a < AGENTS; a++) {
        struct regret_rng r = regret_rng_at(o->seed, REGRET_RNG_LOGGING_THETA, a);
        double dot = 0.0;
        for (size_t j = 0; j < EMBEDDING_RANK; j++) {
            dot += regret_rng_normal(&r) / sqrt(EMBEDDING_RANK) * w->embedding[j * CONTEXTS + x];
        }
        out[a] = o->eta * dot + o->beta * o->gamma * aff[u][a] - o->kappa * cost[a];
    }
}

/* P(a | x, u): the mean over all slates, as sets, of the softmax within. */
static void probabilities(double p[AGENTS], const struct small_task *w, size_t x, size_t u)
{
    double score[AGENTS], slates = 0.0;
    scores(score, w, x, u);
    memset(p, 0, AGENTS * sizeof *p);
    for (unsigned set = 0; set < 1u << AGENTS; set++) {
        size_t size = 0;
        double total = 0.0;
        for (size_t a = 0; a < AGENTS; a++) {
            size += set >> a & 1;
            total += (set >> a & 1) * exp(score[a]);
        }
        for (size_t a = 0; a < AGENTS && size == w->task->logging.slate; a++) {
            p[a] += (set >> a & 1) * exp(score[a]) / total;
        }
        slates += size == w->task->logging.slate;
    }
    for (size_t a = 0; a < AGENTS; a++) {
        p[a] /= slates;
    }
}

Test(logging_policy, affinity_by_hand)
{
    struct small_task w;
    double expected[SEGMENTS][AGENTS], *aff = NULL;
    small_task_make(&w, CONTEXTS, AGENTS, 2, 11);
    affinity(expected, &w);
    cr_assert_eq(regret_affinity_build(&aff, w.task, w.split), 0);
    for (size_t u = 0; u < SEGMENTS; u++) {
        double mean = 0.0, square = 0.0;
        for (size_t a = 0; a < AGENTS; a++) {
            double v = aff[u * AGENTS + a];
            cr_assert_float_eq(v, expected[u][a], 1e-11);
            mean += v / AGENTS, square += v * v / AGENTS;
        }
        cr_assert(fabs(mean) < 1e-13 && fabs(square - 1.0) < 1e-12);
    }
    /* Held-out rewards have no say. */
    double *again = NULL;
    size_t pairs = regret_grid_pairs(w.grid);
    for (size_t i = 0; i < w.split->n_test; i++) {
        size_t first = regret_grid_first(w.grid, w.split->test[i] * AGENTS);
        size_t end = regret_grid_first(w.grid, (w.split->test[i] + 1) * AGENTS);
        for (size_t u = 0; u < SEGMENTS; u++) {
            memset(w.reward + u * pairs + first, 0, (end - first) * sizeof *w.reward);
        }
    }
    cr_assert_eq(regret_affinity_build(&again, w.task, w.split), 0);
    cr_assert_eq(memcmp(aff, again, SEGMENTS * AGENTS * sizeof *aff), 0);
    regret_free(aff);
    regret_free(again);
    small_task_clear(&w);
}

/* Segments of one taste, or tastes that differ by a constant only, drift nowhere: what rounding
 * leaves must not be blown up to unit deviation. */
Test(logging_policy, equal_tastes_have_no_affinity)
{
    for (int shifted = 0; shifted < 2; shifted++) {
        struct small_task w;
        double *aff = NULL;
        small_task_make(&w, CONTEXTS, AGENTS, 1, 12);
        size_t pairs = regret_grid_pairs(w.grid);
        for (size_t p = 0; p < pairs; p++) {
            for (size_t u = 1; u < SEGMENTS; u++) {
                w.reward[u * pairs + p] = w.reward[p] + (shifted ? 0.1 * (double)u : 0.0);
            }
        }
        cr_assert_eq(regret_affinity_build(&aff, w.task, w.split), 0);
        for (size_t i = 0; i < SEGMENTS * AGENTS; i++) {
            cr_assert_eq(aff[i], 0.0, "%g", aff[i]);
        }
        regret_free(aff);
        small_task_clear(&w);
    }
}

/* χ² with 5 degrees of freedom: 99.99 % at 25.7. */
static void expect_frequencies(const struct small_task *w, const char *what)
{
    enum { N = 20000 };
    struct logging_policy *policy = NULL;
    cr_assert_eq(logging_policy_create(&policy, w->task, w->split), 0);
    for (size_t x = 0; x < CONTEXTS; x += 4) {
        for (size_t u = 0; u < SEGMENTS; u += 2) {
            double p[AGENTS], count[AGENTS] = {0};
            for (size_t i = 0; i < N; i++) {
                struct regret_rng r = regret_rng_at(x, REGRET_RNG_TEST, 1000000 * u + i);
                count[logging_policy_choose(policy, x, u, &r)] += 1.0;
            }
            probabilities(p, w, x, u);
            for (size_t a = 0; a < AGENTS; a++) {
                p[a] *= N;
            }
            double chi2 = chi_square(count, p, AGENTS);
            cr_assert_lt(chi2, 25.7, "%s, context %zu, segment %zu: %g", what, x, u, chi2);
        }
    }
    logging_policy_free(policy);
}

Test(logging_policy, chooses_by_the_softmax_of_a_random_slate)
{
    struct small_task w;
    small_task_make(&w, CONTEXTS, AGENTS, 1, 13);
    expect_frequencies(&w, "defaults");
    w.task->logging.slate = AGENTS;
    w.task->logging.beta = 1.0;
    expect_frequencies(&w, "all agents");
    w.task->logging.slate = 1;
    expect_frequencies(&w, "one agent");
    w.task->logging = (struct regret_logging_options){0.3, 4, -1.0, 1.0, 2.0, 99};
    expect_frequencies(&w, "odd weights");
    small_task_clear(&w);
}

/* Huge scores neither overflow nor choose wrongly: the best of the slate. */
Test(logging_policy, large_scores)
{
    struct small_task w;
    struct logging_policy *policy = NULL;
    small_task_make(&w, CONTEXTS, AGENTS, 1, 14);
    w.task->logging.beta = 100.0, w.task->logging.gamma = 100.0, w.task->logging.slate = AGENTS;
    double score[AGENTS];
    scores(score, &w, 2, 1);
    size_t best = 0;
    for (size_t a = 0; a < AGENTS; a++) {
        best = score[a] > score[best] ? a : best;
    }
    cr_assert_eq(logging_policy_create(&policy, w.task, w.split), 0);
    for (size_t i = 0; i < 200; i++) {
        struct regret_rng r = regret_rng_at(1, REGRET_RNG_TEST, i);
        cr_assert_eq(logging_policy_choose(policy, 2, 1, &r), best);
    }
    logging_policy_free(policy);
    small_task_clear(&w);
}

/* θ_a belongs to the agent of the pool: without agent 0 the others keep theirs. */
Test(logging_policy, agents_keep_their_vectors)
{
    struct small_task w;
    struct logging_policy *all = NULL, *fewer = NULL;
    small_task_make(&w, CONTEXTS, AGENTS, 1, 15);
    w.task->logging.kappa = 0.0;
    cr_assert_eq(logging_policy_create(&all, w.task, w.split), 0);
    for (size_t a = 0; a + 1 < AGENTS; a++) {
        w.grid->agents[a] = a + 1;
    }
    w.grid->n_agents = AGENTS - 1;
    cr_assert_eq(logging_policy_create(&fewer, w.task, w.split), 0);
    for (size_t x = 0; x < CONTEXTS; x++) {
        for (size_t a = 0; a + 1 < AGENTS; a++) {
            cr_assert_eq(fewer->context_score[x * (AGENTS - 1) + a],
                         all->context_score[x * AGENTS + a + 1]);
        }
    }
    logging_policy_free(all);
    logging_policy_free(fewer);
    w.grid->n_agents = AGENTS;
    small_task_clear(&w);
}

Test(logging_policy, refuses_and_survives_want_of_memory)
{
    struct small_task w;
    struct regret_rows rows = {.n = 77};
    small_task_make(&w, CONTEXTS, AGENTS, 1, 16);
    static const size_t slates[] = {0, AGENTS + 1};
    for (size_t i = 0; i < 2; i++) {
        w.task->logging.slate = slates[i];
        cr_assert_eq(regret_draw_obs(&rows, &w.task->base, w.split, 5, 1), REGRET_E_INPUT);
        cr_assert_not_null(strstr(regret_error_message(), "router.slate"));
    }
    w.task->logging.slate = 3;
    cr_assert_eq(rows.n, 77, "touched on failure");
    for (int obs = 0; obs < 2; obs++) {
        long k = 0;
        for (int rc = REGRET_E_NOMEM; rc != REGRET_OK; k++) {
            regret_alloc_fail_after(k);
            rc = obs ? regret_draw_obs(&rows, &w.task->base, w.split, 5, 1)
                     : regret_draw_exp(&rows, &w.task->base, w.split, 5, 1);
            regret_alloc_fail_after(-1);
            cr_assert(rc == REGRET_OK || (rc == REGRET_E_NOMEM && rows.n == 77));
        }
        cr_assert_gt(k, obs ? 8 : 3);
        regret_rows_clear(&rows);
        rows.n = 77;
    }
    double *aff = NULL;
    regret_alloc_fail_after(0);
    cr_assert_eq(regret_affinity_build(&aff, w.task, w.split), REGRET_E_NOMEM);
    regret_alloc_fail_after(-1);
    cr_assert_null(aff);
    small_task_clear(&w);
}
