/* Coverage of the intervals in closed form on a grid of few contexts, cut at random into those that are evaluated and
 * those that EXP draws from: what they hold is the mean over the grid. The surface is off by amounts of its own for
 * every agent, which DM's intervals have to know of. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "regret/rng.h"
#include "regret/value.h"

enum { AGENTS = 20, CONTEXTS = 48, EVALUATED = 10, MAX_EXP = 800, PAIRS = CONTEXTS * AGENTS };
enum { SAMPLES = 1000 };

struct study {
    double prediction[PAIRS], mu[PAIRS], y[MAX_EXP], cross_fit[MAX_EXP], truth[AGENTS];
    uint32_t agent[PAIRS], context[PAIRS], pair[MAX_EXP];
    unsigned char eval[PAIRS];
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

static void estimate(double *value, const struct study *s)
{
    regret_value_dm(value, s->prediction, s->agent, s->eval, PAIRS, AGENTS, NULL);
    regret_value_dr(value + AGENTS, value + 2 * AGENTS, value, &s->exp, s->cross_fit, s->agent,
                    AGENTS, NULL);
}

static void cover(double missed, size_t n_exp)
{
    static const char *const kinds[] = {"DM", "DR", "SNDR"};
    struct study *s = calloc(1, sizeof *s);
    double value[REGRET_N_VALUES * AGENTS], half[REGRET_N_VALUES * AGENTS];
    double covered[REGRET_N_VALUES] = {0}, given[REGRET_N_VALUES] = {0};
    for (uint64_t i = 0; i < SAMPLES; i++) {
        draw_study(s, missed, n_exp, i);
        const struct regret_value_problem problem = {.prediction = s->prediction,
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
            if (!isnan(half[v])) { /* SNDR of an agent with rows on one context */
                given[v / AGENTS] += 1.0;
                covered[v / AGENTS] += fabs(value[v] - s->truth[v % AGENTS]) <= half[v];
            }
        }
    }
    for (size_t kind = 0; kind < REGRET_N_VALUES; kind++) {
        double share = covered[kind] / given[kind];
        cr_expect(share >= 0.93 && share <= 0.97, "%s, %zu rows, off by %g: %g", kinds[kind], n_exp,
                  missed, share);
        cr_expect_geq(given[kind], 0.95 * SAMPLES * AGENTS);
    }
    free(s);
}

Test(finite_coverage, of_few_rows)
{
    cover(0.04, 100);
}

Test(finite_coverage, of_more_rows)
{
    cover(0.04, 200);
    cover(0.08, 200);
}

Test(finite_coverage, of_many_rows)
{
    cover(0.04, 800);
    cover(0.08, 800);
}
