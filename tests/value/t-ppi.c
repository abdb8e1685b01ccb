/* What must hold of prediction-powered means; tests/outside/check_judges.py recomputes them. */
#include <criterion/criterion.h>
#include <math.h>

#include "regret/task.h"
#include "value/ppi.h"

enum { N = 30, OTHERS = 200 };

struct sample {
    double y[N], f[N], other[OTHERS];
};

static struct regret_ppi of(const struct sample *s, size_t n, size_t others, int tuned)
{
    struct regret_ppi_sums sums = {0};
    struct regret_ppi out;
    for (size_t i = 0; i < n; i++) {
        regret_ppi_add_label(&sums, s->y[i], s->f[i]);
    }
    for (size_t i = 0; i < others; i++) {
        regret_ppi_add_judgement(&sums, s->other[i]);
    }
    regret_ppi_mean(&out, &sums, tuned, 0.95);
    return out;
}

static double mean(const double *x, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum / (double)n;
}

/* Labels of a mean, and judgements that are biased by .2 and follow them by `weight`. */
static struct sample draw(uint64_t seed, double weight)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 33);
    struct sample s;
    for (size_t i = 0; i < N + OTHERS; i++) {
        double y = 0.5 + 0.1 * regret_rng_normal(&r);
        double f = 0.7 + weight * (y - 0.5) + 0.1 * (1.0 - weight) * regret_rng_normal(&r);
        *(i < N ? &s.f[i] : &s.other[i - N]) = f;
        if (i < N) {
            s.y[i] = y;
        }
    }
    return s;
}

/* A judge who says what the labels say makes them all one sample. */
Test(ppi, of_a_judge_who_is_right_it_is_the_mean_of_all)
{
    struct sample s = draw(1, 0.5);
    for (size_t i = 0; i < N; i++) {
        s.f[i] = s.y[i];
    }
    struct regret_ppi p = of(&s, N, OTHERS, 1);
    cr_expect_float_eq(p.mean, (N * mean(s.y, N) + OTHERS * mean(s.other, OTHERS)) / (N + OTHERS),
                       1e-12);
}

/* A judge who says the same of everything, or nothing, or the contrary, changes nothing. */
Test(ppi, without_use_it_is_the_mean_of_labels)
{
    struct sample s = draw(2, 0.5), constant = s, contrary = s;
    for (size_t i = 0; i < N; i++) {
        constant.f[i] = 0.3;
        contrary.f[i] = -s.y[i];
    }
    cr_expect_float_eq(of(&constant, N, OTHERS, 1).mean, mean(s.y, N), 1e-12);
    cr_expect_float_eq(of(&contrary, N, OTHERS, 1).mean, mean(s.y, N), 1e-12);
    cr_expect_float_eq(of(&s, N, 0, 1).mean, mean(s.y, N), 1e-12);
    cr_expect_float_eq(of(&s, N, 0, 0).mean, mean(s.y, N), 1e-12);
    cr_expect_float_eq(of(&s, 1, OTHERS, 1).mean, s.y[0], 1e-12);
    cr_expect(isnan(of(&s, 1, OTHERS, 1).se) && isnan(of(&s, 0, OTHERS, 1).mean));
}

/* What a judge adds to every score is taken out again, and his scale with it (as long as λ is below 1). */
Test(ppi, bias_and_scale_of_the_judge_do_not_matter)
{
    struct sample s = draw(3, 0.4), moved = s;
    for (size_t i = 0; i < N; i++) {
        moved.f[i] = 1.3 * s.f[i] - 0.4;
    }
    for (size_t i = 0; i < OTHERS; i++) {
        moved.other[i] = 1.3 * s.other[i] - 0.4;
    }
    struct regret_ppi a = of(&s, N, OTHERS, 1), b = of(&moved, N, OTHERS, 1);
    cr_assert(a.lambda > 0.1 && a.lambda < 1.0);
    cr_expect_float_eq(a.mean, b.mean, 1e-12);
    cr_expect_float_eq(a.se, b.se, 1e-10);
}

/* 95 % intervals hold the mean as often as they should, of judges from noise to good, and a good one makes them narrower. */
Test(ppi, coverage)
{
    static const double WEIGHTS[] = {0.0, 0.5, 0.9};
    double width[3] = {0.0};
    for (size_t w = 0; w < 3; w++) {
        size_t held = 0;
        for (uint64_t seed = 1; seed <= 2000; seed++) {
            struct sample s = draw(1000 * w + seed, WEIGHTS[w]);
            struct regret_ppi p = of(&s, N, OTHERS, 1);
            held += p.low <= 0.5 && p.high >= 0.5;
            width[w] += (p.high - p.low) / 2000.0;
        }
        cr_expect(held > 1870 && held < 1940, "judge of %g: %zu of 2000", WEIGHTS[w], held);
    }
    cr_expect(width[2] < 0.6 * width[0], "%g beside %g", width[2], width[0]);
}
