/* Coverage of the intervals in closed form on a grid of few contexts, cut at random into those that are evaluated and
 * those that EXP draws from: what they hold is the mean over the grid. The surface is off by amounts of its own for
 * every agent, which DM's intervals have to know of; or it is fitted to EXP, whose noise it then shares with DR. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "regret/evaluate.h"
#include "regret/task.h"

enum { AGENTS = 20, CONTEXTS = 48, EVALUATED = 10, MAX_EXP = 800, PAIRS = CONTEXTS * AGENTS };
enum { SAMPLES = 1000, FOLDS = 5 };

struct study {
    double prediction[PAIRS], mu[PAIRS], y[MAX_EXP], cross_fit[MAX_EXP], truth[AGENTS];
    uint32_t agent[PAIRS], context[PAIRS], pair[MAX_EXP];
    unsigned char eval[PAIRS];
    double fold_value[FOLDS * AGENTS];
    uint32_t fold[MAX_EXP];
    struct regret_rows exp;
};

/* `missed`: the standard deviation of what the surface is off by, over agents. */
static void draw_study(struct study *s, double missed, size_t n_exp, uint64_t index)
{
    struct regret_rng r = regret_rng_at(81, REGRET_RNG_TEST, index);
    double off[AGENTS];
    for (size_t a = 0; a < AGENTS; a++) {
        off[a] = missed * regret_rng_normal(&r);
        s->truth[a] = 0.0;
    }
    for (uint32_t x = 0; x < CONTEXTS; x++) { /* in random order: the first are evaluated */
        double level = 0.5 + 0.1 * regret_rng_normal(&r);
        for (uint32_t a = 0; a < AGENTS; a++) {
            uint32_t p = x * AGENTS + a;
            s->agent[p] = a;
            s->context[p] = x;
            s->eval[p] = x < EVALUATED;
            s->prediction[p] = level + 0.05 * regret_rng_normal(&r);
            s->mu[p] = s->prediction[p] + off[a] + 0.08 * regret_rng_normal(&r);
            s->truth[a] += s->mu[p] / CONTEXTS;
        }
    }
    for (size_t i = 0; i < n_exp; i++) {
        uint32_t x = EVALUATED + regret_rng_below(&r, CONTEXTS - EVALUATED);
        s->pair[i] = x * AGENTS + regret_rng_below(&r, AGENTS);
        s->y[i] = s->mu[s->pair[i]] + 0.12 * regret_rng_normal(&r);
        s->cross_fit[i] = s->prediction[s->pair[i]];
    }
    s->exp = (struct regret_rows){.n = n_exp, .pair = s->pair, .y = s->y};
}

/* To the prediction of agent a is added what the rows outside a fold (FOLDS: all) say that it misses, drawn to 0. */
static double fitted(const struct study *s, const double *first, size_t fold, size_t a)
{
    double sum = 0.0, rows = 1.0;
    for (size_t i = 0; i < s->exp.n; i++) {
        if (s->fold[i] != fold && s->agent[s->pair[i]] == a) {
            sum += s->y[i] - first[s->pair[i]];
            rows += 1.0;
        }
    }
    return sum / rows;
}

static void fit_to_exp(struct study *s)
{
    double *first = calloc(PAIRS, sizeof *first), add[(FOLDS + 1) * AGENTS];
    for (size_t p = 0; p < PAIRS; p++) {
        first[p] = s->prediction[p];
    }
    for (size_t i = 0; i < s->exp.n; i++) {
        s->fold[i] = (uint32_t)(i % FOLDS);
    }
    for (size_t v = 0; v < (FOLDS + 1) * (size_t)AGENTS; v++) {
        add[v] = fitted(s, first, v / AGENTS, v % AGENTS);
    }
    for (size_t k = 0; k <= FOLDS; k++) {
        for (size_t p = 0; p < PAIRS; p++) {
            s->prediction[p] = first[p] + add[k * AGENTS + s->agent[p]];
        }
        if (k < FOLDS) {
            regret_value_dm(s->fold_value + k * AGENTS, s->prediction, s->agent, s->eval, PAIRS,
                            AGENTS, NULL);
        }
    }
    for (size_t i = 0; i < s->exp.n; i++) {
        s->cross_fit[i] = first[s->pair[i]] + add[s->fold[i] * AGENTS + s->agent[s->pair[i]]];
    }
    free(first);
}

static void estimate(double *value, const struct study *s)
{
    regret_value_dm(value, s->prediction, s->agent, s->eval, PAIRS, AGENTS, NULL);
    regret_value_dr(value + AGENTS, value + 2 * AGENTS, value, &s->exp, s->cross_fit, s->agent,
                    AGENTS, NULL, NULL);
}

static size_t rows_of(const struct study *s, size_t a)
{
    size_t rows = 0;
    for (size_t i = 0; i < s->exp.n; i++) {
        rows += s->agent[s->pair[i]] == a;
    }
    return rows;
}

static void cover(double missed, size_t n_exp, int is_fitted)
{
    static const char *const kinds[] = {"DM", "DR", "SNDR"};
    struct study *s = calloc(1, sizeof *s);
    double value[REGRET_N_VALUES * AGENTS], half[REGRET_N_VALUES * AGENTS];
    double covered[REGRET_N_VALUES] = {0}, few = 0.0, few_covered = 0.0;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        draw_study(s, missed, n_exp, i);
        if (is_fitted) {
            fit_to_exp(s);
        }
        const struct regret_value_problem problem = {.prediction = s->prediction,
                                                     .fold_value = is_fitted ? s->fold_value : NULL,
                                                     .fold = s->fold,
                                                     .n_folds = FOLDS,
                                                     .cross_fit = s->cross_fit,
                                                     .exp = &s->exp,
                                                     .agent = s->agent,
                                                     .context = s->context,
                                                     .eval = s->eval,
                                                     .pairs = PAIRS,
                                                     .n_agents = AGENTS,
                                                     .n_contexts = CONTEXTS,
                                                     .eval_share = (double)EVALUATED / CONTEXTS,
                                                     .exp_share =
                                                         1.0 - (double)EVALUATED / CONTEXTS};
        cr_assert_eq(regret_value_half_widths(half, &problem, 0.95), REGRET_OK);
        estimate(value, s);
        for (size_t v = 0; v < REGRET_N_VALUES * AGENTS; v++) {
            cr_assert(half[v] > 0.0, "there is one of an agent with a row, or none, too");
            int holds = fabs(value[v] - s->truth[v % AGENTS]) <= half[v];
            covered[v / AGENTS] += holds;
            if (v / AGENTS == REGRET_VALUE_DR && rows_of(s, v % AGENTS) <= n_exp / AGENTS / 2) {
                few += 1.0;
                few_covered += holds;
            }
        }
    }
    /* Of these alone, too, of whom few residuals are seen, and by themselves say that they vary little. */
    cr_expect(n_exp > 100 || few_covered >= 0.93 * few, "%zu rows, agents with half as many: %g",
              n_exp, few_covered / few);
    for (size_t kind = 0; kind < REGRET_N_VALUES; kind++) {
        double share = covered[kind] / (SAMPLES * AGENTS);
        cr_expect(share >= 0.93 && share <= 0.97, "%s, %zu rows, off by %g%s: %g", kinds[kind],
                  n_exp, missed, is_fitted ? ", fitted" : "", share);
    }
    free(s);
}

Test(finite_coverage, of_few_rows)
{
    cover(0.04, 100, 0);
}

Test(finite_coverage, of_more_rows)
{
    cover(0.04, 200, 0);
    cover(0.08, 200, 0);
}

Test(finite_coverage, of_many_rows)
{
    cover(0.04, 800, 0);
    cover(0.08, 800, 0);
}

Test(finite_coverage, of_what_is_fitted_to_exp)
{
    cover(0.08, 200, 1);
    cover(0.08, 800, 1);
}
