#include <criterion/criterion.h>
#include <math.h>

#include "regret/task.h"

/* Known answers of the Random123 distribution (kat_vectors, philox4x32 10). */
Test(rng, philox_known_answers)
{
    const uint32_t counters[3][4] = {{0, 0, 0, 0},
                                     {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                                     {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
    const uint32_t keys[3][2] = {{0, 0}, {0xffffffff, 0xffffffff}, {0xa4093822, 0x299f31d0}};
    const uint32_t expected[3][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        regret_philox4x32(out, counters[i], keys[i]);
        for (int j = 0; j < 4; j++) {
            cr_assert_eq(out[j], expected[i][j], "vector %d word %d", i, j);
        }
    }
}

Test(rng, streams_are_reproducible_and_distinct)
{
    struct regret_rng a = regret_rng_at(7, REGRET_RNG_TEST, 3);
    struct regret_rng b = regret_rng_at(7, REGRET_RNG_TEST, 3);
    struct regret_rng c = regret_rng_at(7, REGRET_RNG_TEST, 4);
    struct regret_rng d = regret_rng_at(8, REGRET_RNG_TEST, 3);
    int same_c = 0, same_d = 0;
    for (int i = 0; i < 100; i++) {
        uint32_t x = regret_rng_u32(&a);
        cr_assert_eq(x, regret_rng_u32(&b));
        same_c += x == regret_rng_u32(&c);
        same_d += x == regret_rng_u32(&d);
    }
    cr_assert_lt(same_c, 3);
    cr_assert_lt(same_d, 3);
}

static void check_moments(const char *name, double (*draw)(struct regret_rng *, double, double),
                          double a, double b, double mean, double variance)
{
    enum { N = 200000 };
    struct regret_rng r = regret_rng_at(1, REGRET_RNG_TEST, (uint64_t)(1000 * a + b));
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < N; i++) {
        double x = draw(&r, a, b);
        sum += x;
        squares += (x - mean) * (x - mean);
    }
    double se = sqrt(variance / N);
    cr_assert_lt(fabs(sum / N - mean), 5.0 * se, "%s(%g,%g): mean %g, expected %g", name, a, b,
                 sum / N, mean);
    cr_assert_lt(fabs(squares / N / variance - 1.0), 0.05, "%s(%g,%g): variance %g, expected %g",
                 name, a, b, squares / N, variance);
}

static double draw_uniform(struct regret_rng *r, double a, double b)
{
    (void)a;
    (void)b;
    double u = regret_rng_uniform(r);
    cr_assert(u > 0.0 && u < 1.0);
    return u;
}

static double draw_normal(struct regret_rng *r, double a, double b)
{
    (void)a;
    (void)b;
    return regret_rng_normal(r);
}

static double draw_gamma(struct regret_rng *r, double a, double b)
{
    (void)b;
    return regret_rng_gamma(r, a);
}

Test(rng, moments)
{
    check_moments("uniform", draw_uniform, 0, 0, 0.5, 1.0 / 12.0);
    check_moments("normal", draw_normal, 0, 0, 0.0, 1.0);
    check_moments("gamma", draw_gamma, 0.3, 0, 0.3, 0.3);
    check_moments("gamma", draw_gamma, 4.5, 0, 4.5, 4.5);
    const double shapes[][2] = {{0.25, 24.75}, {5, 20}, {12.5, 12.5}, {0.5, 0.5}};
    for (int i = 0; i < 4; i++) {
        double a = shapes[i][0], b = shapes[i][1], s = a + b;
        check_moments("beta", regret_rng_beta, a, b, a / s, a * b / (s * s * (s + 1.0)));
    }
}

Test(rng, below_is_unbiased)
{
    enum { N = 300000, K = 7 };
    struct regret_rng r = regret_rng_at(2, REGRET_RNG_TEST, 0);
    int counts[K] = {0};
    for (int i = 0; i < N; i++) {
        uint32_t x = regret_rng_below(&r, K);
        cr_assert_lt(x, K);
        counts[x]++;
    }
    double chi2 = 0.0, expected = (double)N / K;
    for (int k = 0; k < K; k++) {
        chi2 += (counts[k] - expected) * (counts[k] - expected) / expected;
    }
    cr_assert_lt(chi2, 24.1, "chi-squared %g on 6 degrees (0.0005 level)", chi2);
    cr_assert_eq(regret_rng_below(&r, 1), 0);
}

Test(rng, shuffle_is_a_permutation)
{
    size_t items[50], seen[50] = {0};
    for (size_t i = 0; i < 50; i++) {
        items[i] = i;
    }
    struct regret_rng r = regret_rng_at(3, REGRET_RNG_TEST, 0);
    regret_rng_shuffle(&r, items, 50);
    for (size_t i = 0; i < 50; i++) {
        seen[items[i]]++;
    }
    for (size_t i = 0; i < 50; i++) {
        cr_assert_eq(seen[i], 1);
    }
}
