#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "pool/grid.h"
#include "pool/sample.h"
#include "pool/statistics.h"
#include "regret/status.h"

static struct regret_pool_stats *stats_of(const struct regret_pool *pool)
{
    struct regret_pool_stats *s = NULL;
    cr_assert_eq(regret_pool_stats_make(&s, pool), 0, "%s", regret_error_message());
    return s;
}

static double quality(const struct regret_pool *p, const struct regret_output *o)
{
    return (o->values[0] / 5 + (o->values[1] - 1) / 4 + (o->values[2] + 1) / 2) / 3 +
           0.0 * (double)p->n_agents;
}

/* Mean and deviation the long way. */
static void check_spread(const struct regret_spread *s, const double *values, size_t n)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        sum += values[i];
    }
    for (size_t i = 0; i < n; i++) {
        squares += (values[i] - sum / (double)n) * (values[i] - sum / (double)n);
    }
    cr_assert_eq(s->n, n);
    cr_assert_float_eq(s->mean, sum / (double)n, 1e-12);
    cr_assert_float_eq(s->sd, n < 2 ? 0 : sqrt(squares / (double)(n - 1)), 1e-12);
}

Test(pool_statistics, agree_with_the_long_way)
{
    for (unsigned long seed = 0; seed < 20; seed++) {
        struct sample_shape shape = {9, 4, 3, 0.2, 6, seed};
        struct regret_pool *pool = sample_pool(&shape);
        struct regret_pool_stats *s = stats_of(pool);
        size_t missing = 0;
        for (size_t a = 0; a < 4; a++) {
            double pairs[9], components = 0;
            size_t n = 0, outputs = 0;
            for (size_t x = 0; x < 9; x++) {
                double sum = 0;
                size_t draws = 0;
                for (size_t i = 0; i < pool->n_outputs; i++) {
                    const struct regret_output *o = &pool->outputs[i];
                    if (o->context == x && o->agent == a) {
                        sum += quality(pool, o);
                        components += o->values[0] / 5;
                        draws++;
                    }
                }
                outputs += draws;
                missing += draws == 0;
                if (draws > 0) {
                    pairs[n++] = sum / (double)draws;
                }
            }
            check_spread(&s->agents[a].quality, pairs, n);
            cr_assert_eq(s->agents[a].outputs, outputs);
            cr_assert_eq(s->agents[a].missing, 9 - n);
            cr_assert_float_eq(s->agent_components[a], components / (double)outputs, 1e-12);
        }
        cr_assert_eq(s->missing_pairs, missing);
        double values[256];
        for (size_t k = 0; k < 6; k++) {
            for (size_t i = 0; i < pool->n_outputs; i++) {
                values[i] = pool->outputs[i].values[k];
            }
            check_spread(&s->values[k], values, pool->n_outputs);
        }
        for (size_t k = 0; k < 3; k++) {
            size_t sum = 0;
            for (size_t b = 0; b < REGRET_POOL_BINS; b++) {
                sum += s->histogram[k * REGRET_POOL_BINS + b];
            }
            cr_assert_eq(sum, pool->n_outputs);
            cr_assert_eq(s->correlation[k * 3 + k], 1.0);
            cr_assert_eq(s->correlation[k * 3], s->correlation[k]);
        }
        cr_assert_float_eq(s->agent_share + s->context_share + s->interaction_share, 1.0, 1e-12);
        double best = 0.0;
        for (size_t a = 0; a < 4; a++) {
            best += s->agents[a].best;
        }
        cr_assert_float_eq(best, (double)s->grid_contexts, 1e-9);
        regret_pool_stats_free(s);
        regret_pool_free(pool);
    }
}

/* Sets all three components of the (only) output of a pair to a normalised quality. */
static void set_quality(struct regret_pool *pool, size_t x, size_t a, double q)
{
    double *v = pool->outputs[x * pool->n_agents + a].values;
    v[0] = 5 * q;
    v[1] = 1 + 4 * q;
    v[2] = -1 + 2 * q;
}

Test(pool_statistics, variance_goes_where_it_comes_from)
{
    struct sample_shape shape = {8, 4, 1, 0.0, 6, 1};
    struct regret_pool *pool = sample_pool(&shape);
    for (int kind = 0; kind < 4; kind++) {
        for (size_t x = 0; x < 8; x++) {
            for (size_t a = 0; a < 4; a++) {
                double by_agent = (double)a / 4, by_context = (double)x / 16;
                double interaction = (x + a) % 2 == 0 ? 0.25 : 0.75;
                set_quality(pool, x, a,
                            kind == 0   ? by_agent
                            : kind == 1 ? by_context
                            : kind == 2 ? interaction
                                        : by_agent + by_context / 2);
            }
        }
        struct regret_pool_stats *s = stats_of(pool);
        cr_assert_float_eq(s->agent_share,
                           kind == 0   ? 1.0
                           : kind == 3 ? s->agent_share
                                       : 0.0,
                           1e-12);
        cr_assert_float_eq(s->context_share,
                           kind == 1   ? 1.0
                           : kind == 3 ? s->context_share
                                       : 0.0,
                           1e-12);
        cr_assert_float_eq(s->interaction_share, kind == 2 ? 1.0 : 0.0, 1e-12);
        if (kind == 0) { /* all agents' values 0, 1/4, 1/2, 3/4: variance 5/64 */
            cr_assert_float_eq(s->quality_variance, 5.0 / 64, 1e-12);
            cr_assert_eq(s->agents[3].best, 8);
            cr_assert_float_eq(s->difficulty.mean, 1 - 0.375, 1e-12);
            cr_assert_float_eq(s->difficulty.sd, 0.0, 1e-12);
        }
        if (kind == 2) { /* two agents tie on each context */
            cr_assert_eq(s->agents[0].best, 2);
        }
        if (kind == 1) { /* difficulties 1 - x/16, all agents tie: a part each */
            for (size_t a = 0; a < 4; a++) {
                cr_assert_eq(s->agents[a].best, 2);
            }
            cr_assert_float_eq(s->difficulty_quartile[1], 1 - 3.5 / 16, 1e-12);
            cr_assert_float_eq(s->difficulty_quartile[0], 1 - 5.25 / 16, 1e-12);
            cr_assert_float_eq(s->correlation[1], 1.0, 1e-12);
        }
        regret_pool_stats_free(s);
    }
    regret_pool_free(pool);
}

Test(pool_statistics, a_constant_pool)
{
    struct sample_shape shape = {3, 2, 1, 0.0, 1, 1};
    struct regret_pool *pool = sample_pool(&shape);
    struct regret_pool_stats *s = stats_of(pool);
    cr_assert_eq(s->agent_share + s->context_share + s->interaction_share, 0.0);
    cr_assert_eq(s->correlation[0], 0.0);
    cr_assert_eq(s->histogram[0], 6);
    regret_pool_stats_free(s);
    regret_pool_free(pool);
}
