/* The two-way jackknife by property and coverage; tests/outside/check_new_contexts.py leaves out by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/task.h"
#include "stats/distributions.h"
#include "stats/resampling.h"

enum { MOST_SEEDS = 40, MOST_CONTEXTS = 30, NOBODY = -1 };

/* Numbers of seeds and contexts, NaN where a seed did not hold the context out. */
struct world {
    size_t seeds, contexts;
    double x[MOST_SEEDS][MOST_CONTEXTS];
};

/* Every seed holds out some contexts, at least one; the rows are context + seed + noise, each of its deviation. */
static struct world draw(uint64_t trial, double context_sd, double seed_sd, double noise)
{
    struct regret_rng rng = regret_rng_at(11, REGRET_RNG_TEST, trial);
    struct world w = {.seeds = 2 + regret_rng_below(&rng, MOST_SEEDS - 1),
                      .contexts = 3 + regret_rng_below(&rng, MOST_CONTEXTS - 2)};
    double context[MOST_CONTEXTS], share = 0.1 + 0.8 * regret_rng_uniform(&rng);
    for (size_t c = 0; c < w.contexts; c++) {
        context[c] = context_sd * regret_rng_normal(&rng);
    }
    for (size_t s = 0; s < w.seeds; s++) {
        double seed = seed_sd * regret_rng_normal(&rng);
        size_t sure = regret_rng_below(&rng, (uint32_t)w.contexts);
        for (size_t c = 0; c < w.contexts; c++) {
            int held = c == sure || regret_rng_uniform(&rng) < share;
            double number = context[c] + seed + noise * regret_rng_normal(&rng);
            w.x[s][c] = held ? number : NAN;
        }
    }
    return w;
}

static double seed_mean(const struct world *w, size_t s, int without)
{
    double sum = 0.0, n = 0.0;
    for (size_t c = 0; c < w->contexts; c++) {
        if (!isnan(w->x[s][c]) && (int)c != without) {
            sum += w->x[s][c];
            n++;
        }
    }
    return sum / n; /* NaN of none */
}

/* What the numbers come to as the program takes them. */
static struct regret_two_way two_way(const struct world *w)
{
    static struct regret_two_way_pair pairs[MOST_SEEDS * MOST_CONTEXTS];
    double mean[MOST_SEEDS];
    struct regret_two_way out;
    size_t n = 0;
    for (size_t s = 0; s < w->seeds; s++) {
        mean[s] = seed_mean(w, s, NOBODY);
        for (size_t c = 0; c < w->contexts; c++) {
            if (!isnan(w->x[s][c])) {
                pairs[n++] = (struct regret_two_way_pair){s, c, seed_mean(w, s, (int)c) - mean[s]};
            }
        }
    }
    cr_assert_eq(regret_two_way(&out, mean, w->seeds, pairs, n, w->contexts), 0);
    return out;
}

static void expect_close(double a, double b, const char *what, uint64_t trial)
{
    cr_expect(fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b)) + 1e-15, "%s of trial %d: %.17g, %.17g",
              what, (int)trial, a, b);
}

/* Where contexts do nothing, nothing is added to the squared standard error over seeds. */
Test(two_way, without_effects_of_contexts_it_is_the_seeds)
{
    size_t tried = 0;
    for (uint64_t trial = 0; trial < 100; trial++) {
        struct world w = draw(trial, 0.0, 1.0, 0.0);
        struct regret_two_way t = two_way(&w);
        double squares = 0.0;
        int single = 0; /* a seed that goes with its one context */
        for (size_t s = 0; s < w.seeds; s++) {
            double d = seed_mean(&w, s, NOBODY) - t.mean;
            squares += d * d;
            size_t held = 0;
            for (size_t c = 0; c < w.contexts; c++) {
                held += !isnan(w.x[s][c]);
            }
            single |= held == 1;
        }
        expect_close(t.v_seeds, squares / (double)(w.seeds - 1) / (double)w.seeds, "seeds", trial);
        if (!single) {
            expect_close(t.se * t.se, t.v_seeds, "V", trial);
            tried++;
        }
    }
    cr_expect_gt(tried, 30);
}

static void expect_same(const struct regret_two_way *a, const struct regret_two_way *b,
                        double scale, double shift)
{
    const double tolerance = 1e-9;
    if (isnan(a->se)) {
        cr_expect(isnan(b->se));
        return;
    }
    cr_expect_float_eq(scale * a->mean + shift, b->mean, tolerance);
    cr_expect_float_eq(fabs(scale) * a->se, b->se, tolerance);
    cr_expect_float_eq(scale * (scale > 0 ? a->low : a->high) + shift, b->low,
                       1e-7 * (1 + fabs(b->low)));
    cr_expect_float_eq(scale * scale * a->v_contexts, b->v_contexts, tolerance);
    cr_expect_eq(a->n_contexts, b->n_contexts);
}

Test(two_way, scale_shift_and_labels_do_not_matter)
{
    for (uint64_t trial = 0; trial < 100; trial++) {
        struct world w = draw(trial, 1.0, 0.5, 0.7), other = w;
        double scale = trial % 2 ? 2.5 : -0.4, shift = 3.0;
        for (size_t s = 0; s < w.seeds; s++) {
            for (size_t c = 0; c < w.contexts; c++) { /* both the other way round */
                other.x[w.seeds - 1 - s][w.contexts - 1 - c] = scale * w.x[s][c] + shift;
            }
        }
        struct regret_two_way a = two_way(&w), b = two_way(&other);
        expect_same(&a, &b, scale, shift);
    }
}

Test(two_way, a_context_that_nobody_holds_out_does_not_count)
{
    struct world w = draw(5, 1.0, 0.5, 0.7), wider = w;
    cr_assert_lt(w.contexts, MOST_CONTEXTS);
    for (size_t s = 0; s < w.seeds; s++) {
        wider.x[s][w.contexts] = NAN;
    }
    wider.contexts++;
    struct regret_two_way a = two_way(&w), b = two_way(&wider);
    cr_assert(isfinite(a.se));
    expect_same(&a, &b, 1.0, 0.0);
}

Test(two_way, one_of_a_kind_has_no_interval)
{
    const double means[] = {0.1, 0.3, 0.2};
    const struct regret_two_way_pair pairs[] = {{0, 0, NAN}, {1, 0, NAN}, {2, 0, NAN}};
    const struct regret_two_way_pair apart[] = {{0, 0, 0.1}, {0, 1, -0.1}};
    struct regret_two_way t;
    cr_assert_eq(regret_two_way(&t, means, 3, pairs, 3, 1), 0);
    cr_expect_float_eq(t.mean, 0.2, 1e-15);
    cr_expect(isfinite(t.v_seeds) && isnan(t.v_contexts) && isnan(t.se) && isnan(t.low),
              "one context");
    cr_assert_eq(regret_two_way(&t, means, 1, apart, 2, 2), 0);
    cr_expect(isnan(t.v_seeds) && isnan(t.se) && isnan(t.high), "one seed");
    cr_assert_eq(regret_two_way(&t, means, 0, NULL, 0, 0), 0);
    cr_expect(isnan(t.mean) && isnan(t.se), "nothing");
    cr_assert_eq(regret_two_way(&t, means, 3, NULL, 0, 4), 0);
    cr_expect(isfinite(t.v_seeds) && isnan(t.se) && t.n_contexts == 0, "no context");
}

#ifndef REGRET_FEW_REPLICATES /* thousands of tables, and what one does is above */
/* 93 to 97 % of the intervals hold the mean of the population that seeds and contexts are drawn from, whichever
 * of the three varies most; those by seeds alone do not where contexts do. */
static double coverage(double context_sd, double seed_sd, double noise, double *by_seeds)
{
    enum { TRIALS = 2000, SEEDS = 30, CONTEXTS = 30, HELD = 6 };
    static struct world w;
    size_t hits = 0, seeds = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        struct regret_rng rng = regret_rng_at(12, REGRET_RNG_TEST, trial);
        double context[CONTEXTS];
        w.seeds = SEEDS;
        w.contexts = CONTEXTS;
        for (size_t c = 0; c < CONTEXTS; c++) {
            context[c] = context_sd * regret_rng_normal(&rng);
        }
        for (size_t s = 0; s < SEEDS; s++) {
            double seed = seed_sd * regret_rng_normal(&rng);
            size_t left = HELD;
            for (size_t c = 0; c < CONTEXTS; c++) { /* HELD of them, each set as likely */
                int held = regret_rng_below(&rng, (uint32_t)(CONTEXTS - c)) < left;
                double number = context[c] + seed + noise * regret_rng_normal(&rng);
                left -= (size_t)held;
                w.x[s][c] = held ? number : NAN;
            }
        }
        struct regret_two_way t = two_way(&w);
        double half = regret_student_quantile(0.975, SEEDS - 1.0) * sqrt(t.v_seeds);
        hits += t.low <= 0.0 && t.high >= 0.0;
        seeds += fabs(t.mean) <= half;
    }
    *by_seeds = (double)seeds / TRIALS;
    return (double)hits / TRIALS;
}

Test(two_way, covers_what_it_says)
{
    static const double deviations[][3] = {{1, 0, 0}, {1, 0.3, 1}, {0.5, 0.5, 2}, {1, 1, 1}};
    for (size_t i = 0; i < sizeof deviations / sizeof *deviations; i++) {
        double by_seeds,
            share = coverage(deviations[i][0], deviations[i][1], deviations[i][2], &by_seeds);
        cr_expect(share >= 0.93 && share <= 0.97, "%zu: %.4f", i, share);
        cr_expect(by_seeds < share, "%zu: %.4f by seeds, %.4f", i, by_seeds, share);
        cr_log_info("%zu: %.4f, by seeds %.4f", i, share, by_seeds);
    }
}
#endif
