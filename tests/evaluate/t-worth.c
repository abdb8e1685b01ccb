/* Values of agents and policies: what must hold of them whatever the numbers, which tests/outside recomputes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate/internal.h"
#include "regret/task.h"
#include "stats/multiplicity.h"

enum { N = 90, AGENTS = 4, CLUSTERS = 40 };

struct world {
    struct basis basis;
    uint32_t agent[N], cluster[N], policy[N], other[N];
    double y[N], propensity[N], surface[N * AGENTS];
};

/* Clusters of one to several rows, unequal chances, a surface that is off. */
static void make(struct world *w, uint64_t seed)
{
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_TEST, 0);
    static const double chance[AGENTS] = {0.1, 0.2, 0.3, 0.4};
    for (size_t i = 0; i < N; i++) {
        double u = regret_rng_uniform(&rng);
        uint32_t a = 0;
        while (a + 1 < AGENTS && u >= chance[a]) {
            u -= chance[a++];
        }
        w->agent[i] = a;
        w->propensity[i] = chance[a];
        w->cluster[i] = i < CLUSTERS ? (uint32_t)i : regret_rng_below(&rng, CLUSTERS);
        w->y[i] = regret_rng_uniform(&rng);
        w->policy[i] = regret_rng_below(&rng, AGENTS);
        w->other[i] = i % 4 != 0 ? regret_rng_below(&rng, AGENTS) : w->policy[i];
        for (size_t b = 0; b < AGENTS; b++) {
            w->surface[i * AGENTS + b] = 0.2 * (double)b + 0.3 * regret_rng_uniform(&rng);
        }
    }
    w->basis =
        (struct basis){N,          AGENTS, CLUSTERS, w->agent, w->cluster, w->y, w->propensity,
                       w->surface, 0.95,   0.0,      NULL,     NULL,       0};
    cr_assert_eq(basis_noise(&w->basis.noise, &w->basis), REGRET_OK);
}

static void expect_near(double is, double wanted, const char *what)
{
    cr_expect(fabs(is - wanted) <= 1e-11 * (1.0 + fabs(wanted)), "%s: %.17g, not %.17g", what, is,
              wanted);
}

/* Where agents come and go it is that of the rows in which both were on offer, and of none that there is none. */
Test(worth, a_difference_is_of_rows_in_which_both_were_on_offer)
{
    static struct world w, both;
    uint32_t offer[N], row[N];
    uint64_t on_offer[1 << AGENTS];
    struct regret_log log = {.n_agents = AGENTS, .on_offer = on_offer};
    struct drawn drawn = {.log = &log, .basis = REGRET_LOG_EXP, .row = {NULL, row}};
    log.rows[REGRET_LOG_EXP].offer = offer;
    make(&w, 3);
    both = w;
    both.basis.n = 0;
    for (size_t k = 0; k < 1 << AGENTS; k++) {
        on_offer[k] = k;
    }
    for (uint32_t i = 0; i < N; i++) { /* agent 3 never is with agent 0 */
        row[i] = i;
        offer[i] = 1U << w.agent[i] | 1U << i % 3 | (i % 2 == 0 ? 4U : 2U);
        offer[i] &= w.agent[i] == 3 ? 14U : 7U;
        if ((offer[i] & 6U) == 6U) {
            size_t n = both.basis.n++;
            both.agent[n] = w.agent[i];
            both.cluster[n] = w.cluster[i];
            both.y[n] = w.y[i];
            both.propensity[n] = w.propensity[i];
            memcpy(both.surface + n * AGENTS, w.surface + (size_t)i * AGENTS,
                   AGENTS * sizeof *w.surface);
        }
    }
    struct regret_valued d, wanted;
    both.basis = (struct basis){
        both.basis.n, AGENTS, CLUSTERS,      both.agent, both.cluster, both.y, both.propensity,
        both.surface, 0.95,   w.basis.noise, NULL,       NULL,         0};
    w.basis.drawn = &drawn;
    cr_assert_eq(worth_difference(&wanted, NULL, NULL, &both.basis, &(struct chooser){NULL, 2},
                                  &(struct chooser){NULL, 1}, NULL),
                 REGRET_OK);
    cr_assert(both.basis.n > 20 && both.basis.n < N);
    cr_assert_eq(worth_difference(&d, NULL, NULL, &w.basis, &(struct chooser){NULL, 2},
                                  &(struct chooser){NULL, 1}, NULL),
                 REGRET_OK);
    expect_near(d.value, wanted.value, "difference");
    expect_near(d.error, wanted.error, "its error");
    cr_expect_eq(d.rows, both.basis.n);
    cr_assert_eq(worth_difference(&d, NULL, NULL, &w.basis, &(struct chooser){NULL, 3},
                                  &(struct chooser){NULL, 0}, NULL),
                 REGRET_OK);
    cr_expect(isnan(d.value) && isnan(d.low) && d.rows == 0);
}

/* Of two agents it is the difference of their SNDR; of a policy and itself nothing, with no error. */
Test(worth, differences_of_agents_and_of_one_and_the_same)
{
    static struct world w;
    make(&w, 7);
    struct regret_valued a[REGRET_N_VALUES], b[REGRET_N_VALUES], d;
    const struct chooser x = {NULL, 1}, y = {NULL, 3}, policy = {w.policy, 0};
    cr_assert_eq(worth_of(a, NULL, &w.basis, &x, NULL), REGRET_OK);
    cr_assert_eq(worth_of(b, NULL, &w.basis, &y, NULL), REGRET_OK);
    cr_assert_eq(worth_difference(&d, NULL, NULL, &w.basis, &x, &y, NULL), REGRET_OK);
    expect_near(d.value, a[REGRET_VALUE_SNDR].value - b[REGRET_VALUE_SNDR].value, "difference");
    cr_assert_eq(worth_difference(&d, NULL, NULL, &w.basis, &policy, &policy, NULL), REGRET_OK);
    cr_expect(d.value == 0.0 && d.error == 0.0 && d.low == 0.0 && d.high == 0.0);
    const struct part nothing = {w.cluster, CLUSTERS};
    cr_assert_eq(worth_difference(&d, NULL, NULL, &w.basis, &x, &y, &nothing), REGRET_OK);
    cr_expect(isnan(d.value) && isnan(d.error) && isnan(d.low), "of no rows nothing is known");
}

/* What is added to every outcome and to the surface is added to every value, and to no error. */
Test(worth, moves_with_outcomes)
{
    static struct world w;
    make(&w, 3);
    struct regret_valued before[REGRET_N_VALUES], after[REGRET_N_VALUES];
    const struct chooser x = {w.policy, 0};
    cr_assert_eq(worth_of(before, NULL, &w.basis, &x, NULL), REGRET_OK);
    for (size_t i = 0; i < N; i++) {
        w.y[i] += 0.25;
        for (size_t a = 0; a < AGENTS; a++) {
            w.surface[i * AGENTS + a] += 0.25;
        }
    }
    cr_assert_eq(worth_of(after, NULL, &w.basis, &x, NULL), REGRET_OK);
    for (size_t k = 0; k < REGRET_N_VALUES; k++) {
        expect_near(after[k].value, before[k].value + 0.25, "value");
        expect_near(after[k].error, before[k].error, "error");
    }
}

/* One cluster with rows of an agent, or none, tells nothing of how far others would lie from it. */
Test(worth, of_too_little_has_no_interval)
{
    static struct world w;
    make(&w, 4);
    struct regret_valued v[REGRET_N_VALUES], d;
    const struct chooser x = {NULL, 0}, y = {NULL, 1};
    for (int keep = 1; keep >= 0; keep--) {
        for (size_t i = 0, seen = 0; i < N; i++) {
            w.agent[i] = w.agent[i] == 0 && (int)seen++ >= keep ? 1 : w.agent[i];
        }
        cr_assert_eq(worth_of(v, NULL, &w.basis, &x, NULL), REGRET_OK);
        cr_assert_eq(worth_difference(&d, NULL, NULL, &w.basis, &x, &y, NULL), REGRET_OK);
        cr_expect(isfinite(v[REGRET_VALUE_DM].value) && isfinite(v[REGRET_VALUE_SNDR].value));
        cr_expect(isnan(v[REGRET_VALUE_SNDR].low) && isnan(v[REGRET_VALUE_DR].high));
        cr_expect(isnan(d.error) && isnan(d.low));
    }
}

/* A surface knows what requests are worth, by which folds differ, and follows the errors of an agent's rows in other folds by a share:
 * that share is found, whatever the requests. */
Test(worth, how_far_a_surface_follows_an_agents_rows)
{
    enum { FOLDS = 5 };
    static struct world w;
    static double request[N];
    uint32_t fold[N];
    double level[FOLDS * AGENTS], share = NAN;
    make(&w, 5);
    for (size_t i = 0; i < N; i++) {
        fold[i] = w.cluster[i] % FOLDS;
        request[i] = 0.2 * fold[i] - 0.1 * (double)(i % 7);
    }
    for (int step = 0; step <= 2; step++) {
        double follows = 0.5 * step;
        for (size_t k = 0; k < FOLDS; k++) {
            for (size_t a = 0; a < AGENTS; a++) {
                double sum = 0.0, weight = 0.0;
                for (size_t j = 0; j < N; j++) {
                    double use = w.agent[j] == a && fold[j] != k ? 1.0 / w.propensity[j] : 0.0;
                    sum += use * w.y[j];
                    weight += use;
                }
                level[k * AGENTS + a] = follows * sum / weight;
            }
        }
        for (size_t i = 0; i < N; i++) {
            for (size_t a = 0; a < AGENTS; a++) {
                w.surface[i * AGENTS + a] = request[i] + level[fold[i] * AGENTS + a];
            }
        }
        struct basis moved = w.basis;
        double y[N];
        for (size_t i = 0; i < N; i++) {
            y[i] = w.y[i] + request[i];
        }
        moved.y = y;
        cr_assert_eq(own_share(&share, &moved, fold, FOLDS, level), REGRET_OK);
        cr_expect(fabs(share - follows) < 0.1, "%g, not %g", share, follows);
    }
}

/* ---------------------------------------------------------------- all at once */

Test(simultaneous, one_estimate_is_normal_and_copies_count_once)
{
    enum { C = 200, DRAWS = 20000 };
    static double influence[3 * C];
    struct regret_rng rng = regret_rng_at(1, REGRET_RNG_TEST, 9);
    double one = 0.0, three = 0.0, critical = 0.0, again = 0.0;
    for (size_t c = 0; c < C; c++) {
        influence[c] = influence[C + c] = regret_rng_normal(&rng);
        influence[2 * C + c] = -2.0 * influence[c];
    }
    cr_assert_eq(simultaneous_level(&one, &critical, influence, 1, C, 0.95, DRAWS, 1, 1),
                 REGRET_OK);
    cr_expect(fabs(critical - 1.96) < 0.05, "%g", critical);
    cr_assert_eq(simultaneous_level(&three, &again, influence, 3, C, 0.95, DRAWS, 1, 3), REGRET_OK);
    expect_near(again, critical, "critical value of three that are one");
    expect_near(three, one, "level");
}

Test(simultaneous, of_independent_ones_is_sidaks)
{
    enum { C = 300, K = 6, DRAWS = 20000 };
    static double influence[K * C];
    double each = 0.0, critical = 0.0;
    for (size_t c = 0; c < C; c++) {
        influence[c % K * C + c] = 1.0;
    }
    cr_assert_eq(simultaneous_level(&each, &critical, influence, K, C, 0.95, DRAWS, 2, 2),
                 REGRET_OK);
    cr_expect(fabs(each - pow(0.95, 1.0 / K)) < 0.002, "%g", each);
}

Test(simultaneous, of_nothing_is_the_level)
{
    static double influence[20];
    double each = 0.0, critical = 0.0;
    cr_assert_eq(simultaneous_level(&each, &critical, influence, 2, 10, 0.9, 100, 1, 1), REGRET_OK);
    cr_expect(each == 0.9 && isnan(critical));
}

/* ---------------------------------------------------------------- coverage */

/* Ten rows an agent of a binary outcome, a surface that knows nothing: nominal 95 % intervals hold the truth in 95 to 99 %. */
Test(worth, intervals_of_few_binary_rows_hold)
{
    enum { ROWS = 100, MANY = 10, DRAWS = 1500 };
    static uint32_t agent[ROWS], cluster[ROWS];
    static double y[ROWS], propensity[ROWS], surface[ROWS * MANY];
    double held = 0.0, all = 0.0;
    for (size_t r = 0; r < DRAWS; r++) {
        struct regret_rng rng = regret_rng_at(r, REGRET_RNG_TEST, 77);
        for (size_t i = 0; i < ROWS; i++) {
            agent[i] = regret_rng_below(&rng, MANY);
            cluster[i] = (uint32_t)i;
            propensity[i] = 1.0 / MANY;
            y[i] = regret_rng_uniform(&rng) < 0.3 + 0.05 * agent[i];
            for (size_t a = 0; a < MANY; a++) {
                surface[i * MANY + a] = 0.5;
            }
        }
        struct basis b = {ROWS,    MANY, ROWS, agent, cluster, y, propensity,
                          surface, 0.95, 0.0,  NULL,  NULL,    0};
        cr_assert_eq(basis_noise(&b.noise, &b), REGRET_OK);
        for (uint32_t a = 0; a < MANY; a++) {
            const struct chooser x = {NULL, a};
            struct regret_valued v[REGRET_N_VALUES];
            cr_assert_eq(worth_of(v, NULL, &b, &x, NULL), REGRET_OK);
            double truth = 0.3 + 0.05 * a;
            all += !isnan(v[REGRET_VALUE_SNDR].error);
            held += v[REGRET_VALUE_SNDR].low <= truth && truth <= v[REGRET_VALUE_SNDR].high;
        }
    }
    cr_expect(held / all > 0.95 && held / all < 0.99, "%.4f of %.0f", held / all, all);
}

/* Agents with one chance of 1/AGENTS in rows of their own, of which `right` have an outcome of 1, and a surface that knows better: the edge is
 * decided by the rows, and where these are all alike so is the value. */
Test(worth, limits_are_those_of_an_agents_own_rows)
{
    enum { ROWS = 200, ALL = 3 * ROWS };
    static uint32_t agent[ALL], cluster[ALL];
    static double y[ALL], propensity[ALL], surface[3 * ALL];
    static const size_t right[] = {0, 3, ROWS};
    for (size_t i = 0; i < ALL; i++) {
        agent[i] = i % 3;
        cluster[i] = (uint32_t)i;
        propensity[i] = 1.0 / 3.0;
        y[i] = i / 3 < right[i % 3];
        surface[3 * i] = 0.001;
        surface[3 * i + 1] = 0.02;
        surface[3 * i + 2] = 0.97;
    }
    struct basis b = {ALL,     3,    ALL, agent, cluster, y, propensity,
                      surface, 0.95, 0.0, NULL,  NULL,    0};
    struct regret_valued v[3][REGRET_N_VALUES], d;
    struct worth_parts parts[3];
    for (uint32_t a = 0; a < 3; a++) {
        const struct chooser x = {NULL, a};
        cr_assert_eq(worth_of(v[a], &parts[a], &b, &x, NULL), REGRET_OK);
    }
    expect_near(v[0][REGRET_VALUE_SNDR].value, 0.0, "none");
    expect_near(v[2][REGRET_VALUE_DR].value, 1.0, "all");
    cr_expect(fabs(v[0][REGRET_VALUE_SNDR].high - 0.0156613216) < 1e-9);
    cr_expect(fabs(v[2][REGRET_VALUE_DR].low - (1.0 - 0.0156613216)) < 1e-9);
    expect_near(parts[1].sndr.rows, (double)ROWS, "rows");
    const struct chooser x = {NULL, 0}, z = {NULL, 1};
    cr_assert_eq(worth_difference(&d, NULL, NULL, &b, &z, &x, NULL), REGRET_OK);
    cr_expect(d.low < -0.004 && d.low > -0.006 && fabs(d.value - 0.015) < 1e-9, "[%g, %g]", d.low,
              d.high);
    expect_near(d.high - d.value,
                hypot(v[1][REGRET_VALUE_SNDR].high - v[1][REGRET_VALUE_SNDR].value,
                      v[0][REGRET_VALUE_SNDR].value - v[0][REGRET_VALUE_SNDR].low),
                "upper reach");
}

/* Twenty rows of an agent that is nearly always right: as many intervals lie above the truth as below it. Student's lie above it. */
Test(worth, intervals_of_lopsided_outcomes_miss_on_both_sides_alike)
{
    enum { ROWS = 40, DRAWS = 4000 };
    static const double right = 0.8;
    uint32_t agent[ROWS], cluster[ROWS];
    double y[ROWS], propensity[ROWS], surface[ROWS * 2], above = 0.0, below = 0.0, student = 0.0;
    for (size_t r = 0; r < DRAWS; r++) {
        struct regret_rng rng = regret_rng_at(r, REGRET_RNG_TEST, 79);
        for (size_t i = 0; i < ROWS; i++) {
            agent[i] = i % 2;
            cluster[i] = (uint32_t)i;
            propensity[i] = 0.5;
            y[i] = regret_rng_uniform(&rng) < right ? 1.0 - 0.1 * regret_rng_uniform(&rng) : 0.3;
            surface[2 * i] = surface[2 * i + 1] = 0.5;
        }
        const double mean = right * 0.95 + (1.0 - right) * 0.3;
        struct basis b = {ROWS,    2,    ROWS, agent, cluster, y, propensity,
                          surface, 0.95, 0.0,  NULL,  NULL,    0};
        const struct chooser x = {NULL, 0};
        struct regret_valued v[REGRET_N_VALUES];
        cr_assert_eq(basis_noise(&b.noise, &b), REGRET_OK);
        cr_assert_eq(worth_of(v, NULL, &b, &x, NULL), REGRET_OK);
        struct regret_valued s = v[REGRET_VALUE_SNDR];
        above += mean < s.low;
        below += mean > s.high;
        student_set_interval(&s, tails_of(0.95));
        student += mean < s.low;
    }
    cr_expect(above / DRAWS < 0.03 && below / DRAWS < 0.035, "%.4f, %.4f", above / DRAWS,
              below / DRAWS);
    cr_expect(student / DRAWS > 0.05, "%.4f", student / DRAWS);
}

/* Of ten agents that are alike the one that seems best seems too good: the interval of a chosen one holds, that of any one does not. */
Test(worth, who_is_chosen_is_held_too)
{
    enum { ROWS = 200, MANY = 10, DRAWS = 1500 };
    static uint32_t agent[ROWS], cluster[ROWS];
    static double y[ROWS], propensity[ROWS], surface[ROWS * MANY];
    double held = 0.0, plainly = 0.0;
    for (size_t r = 0; r < DRAWS; r++) {
        struct regret_rng rng = regret_rng_at(r, REGRET_RNG_TEST, 78);
        struct regret_valued best = {.value = -1.0};
        struct worth_parts parts, of_best = {0};
        for (size_t i = 0; i < ROWS; i++) {
            agent[i] = regret_rng_below(&rng, MANY);
            cluster[i] = (uint32_t)i;
            propensity[i] = 1.0 / MANY;
            y[i] = regret_rng_uniform(&rng);
        }
        struct basis b = {ROWS,    MANY, ROWS, agent, cluster, y, propensity,
                          surface, 0.95, 0.0,  NULL,  NULL,    0};
        cr_assert_eq(basis_noise(&b.noise, &b), REGRET_OK);
        for (uint32_t a = 0; a < MANY; a++) {
            const struct chooser x = {NULL, a};
            struct regret_valued v[REGRET_N_VALUES];
            cr_assert_eq(worth_of(v, &parts, &b, &x, NULL), REGRET_OK);
            of_best = v[REGRET_VALUE_SNDR].value > best.value ? parts : of_best;
            best = v[REGRET_VALUE_SNDR].value > best.value ? v[REGRET_VALUE_SNDR] : best;
        }
        plainly += best.low <= 0.5 && 0.5 <= best.high;
        value_set_interval(&best, &of_best.sndr, tails_of_chosen(0.95, MANY));
        held += best.low <= 0.5 && 0.5 <= best.high;
    }
    cr_expect(held / DRAWS > 0.94 && held / DRAWS < 0.98, "%.4f", held / DRAWS);
    cr_expect(plainly / DRAWS < 0.88, "%.4f", plainly / DRAWS);
}
