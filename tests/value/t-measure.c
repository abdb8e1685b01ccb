/* The measures against their definitions, written out. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "regret/evaluate.h"
#include "regret/results.h"
#include "regret/status.h"
#include "regret/task.h"

static void fill(double *x, size_t n, uint32_t levels, uint64_t index)
{
    struct regret_rng r = regret_rng_at(9, REGRET_RNG_TEST, index);
    for (size_t i = 0; i < n; i++) {
        x[i] = levels > 0 ? (double)regret_rng_below(&r, levels) / levels : regret_rng_uniform(&r);
    }
}

Test(measure, argmax)
{
    cr_assert_eq(regret_argmax((double[]){0.1, 0.3, 0.2}, 3), 1);
    cr_assert_eq(regret_argmax((double[]){0.3, 0.1, 0.3}, 3), 0, "ties: the lowest index");
    cr_assert_eq(regret_argmax((double[]){NAN, -1.0, NAN}, 3), 1);
    cr_assert_eq(regret_argmax((double[]){-1.0, NAN, -0.5}, 3), 2);
    cr_assert_eq(regret_argmax((double[]){NAN, NAN}, 2), 0);
    cr_assert_eq(regret_argmax((double[]){-INFINITY}, 1), 0);
}

Test(measure, regret_by_hand)
{
    const double mu[] = {0.2, 0.9, 0.5, /**/ 0.4, 0.4, 0.1};
    const double f[] = {0.3, 0.1, 0.3, /**/ 0.0, 0.0, 0.1};
    /* f recommends agent 0 (a tie with 2), then agent 2. */
    cr_assert_float_eq(regret_recommendation_regret(mu, f, 2, 3), (0.7 + 0.3) / 2.0, 1e-15);
    cr_assert_float_eq(regret_fixed_agent_regret(mu, 1, 2, 3), 0.0, 1e-15);
    cr_assert_float_eq(regret_fixed_agent_regret(mu, 2, 2, 3), (0.4 + 0.3) / 2.0, 1e-15);
    cr_assert_float_eq(regret_random_regret(mu, 2, 3), (0.9 - 1.6 / 3 + 0.4 - 0.3) / 2.0, 1e-15);
    cr_assert_eq(regret_recommendation_regret(mu, mu, 2, 3), 0.0);
}

/* Regret lies between 0 and that of the worst choice; only the order of f counts; random is the
 * mean over fixed agents. */
Test(measure, regret_properties)
{
    double mu[40 * 7], f[40 * 7], g[40 * 7], worst[40 * 7], mean = 0.0;
    for (uint64_t k = 0; k < 10; k++) {
        fill(mu, 280, 0, 10 + k);
        fill(f, 280, k % 2 ? 4 : 0, 30 + k);
        for (size_t i = 0; i < 280; i++) {
            g[i] = exp(3.0 * f[i]) - 7.0;
            worst[i] = -mu[i];
        }
        double r = regret_recommendation_regret(mu, f, 40, 7);
        cr_assert_eq(regret_recommendation_regret(mu, g, 40, 7), r);
        cr_assert(r >= 0.0 && r <= regret_recommendation_regret(mu, worst, 40, 7));
        mean = 0.0;
        for (size_t a = 0; a < 7; a++) {
            mean += regret_fixed_agent_regret(mu, a, 40, 7) / 7.0;
        }
        cr_assert_float_eq(regret_random_regret(mu, 40, 7), mean, 1e-14);
    }
}

Test(measure, rmse)
{
    cr_assert_float_eq(regret_rmse((double[]){1.0, 2.0}, (double[]){4.0, -2.0}, 2), sqrt(12.5),
                       1e-15);
    cr_assert_eq(regret_rmse((double[]){0.3}, (double[]){0.3}, 1), 0.0);
    cr_assert(isnan(regret_rmse((double[]){0.3, NAN}, (double[]){0.3, 0.2}, 2)));
}

/* The three best by sorting indices, ties to the lower. */
static void best_three(size_t best[3], const double *x, size_t n)
{
    int taken[20] = {0};
    for (size_t k = 0; k < 3 && k < n; k++) {
        size_t top = n;
        for (size_t i = 0; i < n; i++) {
            top = !taken[i] && (top == n || x[i] > x[top]) ? i : top;
        }
        taken[top] = 1;
        best[k] = top;
    }
}

Test(measure, top_one_and_top_three)
{
    for (uint64_t k = 0; k < 60; k++) {
        double truth[20], estimate[20];
        size_t n = 1 + k % 20, of = n < 3 ? n : 3, t[3], e[3], shared = 0;
        fill(truth, n, 5, 100 + k);
        fill(estimate, n, k % 2 ? 5 : 0, 200 + k);
        best_three(t, truth, n);
        best_three(e, estimate, n);
        for (size_t i = 0; i < of; i++) {
            for (size_t j = 0; j < of; j++) {
                shared += t[i] == e[j];
            }
        }
        cr_assert_eq(regret_top1(truth, estimate, n), t[0] == e[0]);
        cr_assert_float_eq(regret_top3(truth, estimate, n), (double)shared / (double)of, 1e-15);
        cr_assert(regret_top1(truth, truth, n) == 1.0 && regret_top3(truth, truth, n) == 1.0);
    }
}

/* Looks at every context for an agent of the largest mu among the k best by f, found one by one. */
static double naive_hits(const double *mu, const double *f, size_t n_contexts, size_t n, size_t k)
{
    double hits = 0.0;
    for (size_t x = 0; x < n_contexts; x++) {
        size_t best[3];
        int hit = 0;
        best_three(best, f + x * n, n);
        for (size_t i = 0; i < k && i < n; i++) {
            size_t above = 0;
            for (size_t a = 0; a < n; a++) {
                above += mu[x * n + a] > mu[x * n + best[i]];
            }
            hit |= above == 0;
        }
        hits += hit;
    }
    return hits / (double)n_contexts;
}

Test(measure, hits_per_context)
{
    /* f puts agents 0, 2, 1 and 2, 0, 1: the best are 1, and 0 with 1. */
    const double mu[] = {0.2, 0.9, 0.5, /**/ 0.4, 0.4, 0.1};
    const double f[] = {0.3, 0.1, 0.3, /**/ 0.0, 0.0, 0.1};
    cr_assert_eq(regret_hit_rate(mu, f, 2, 3, 1), 0.0);
    cr_assert_eq(regret_hit_rate(mu, f, 2, 3, 2), 0.5);
    cr_assert_eq(regret_hit_rate(mu, f, 2, 3, 3), 1.0);
    for (uint64_t k = 0; k < 40; k++) {
        double t[10 * 20], e[10 * 20], g[10 * 20], free_of_regret = 0.0;
        size_t n = 1 + k % 20;
        fill(t, 10 * n, k % 2 ? 4 : 0, 500 + k);
        fill(e, 10 * n, k % 3 ? 3 : 0, 550 + k);
        double one = regret_hit_rate(t, e, 10, n, 1), three = regret_hit_rate(t, e, 10, n, 3);
        cr_assert_float_eq(one, naive_hits(t, e, 10, n, 1), 1e-15);
        cr_assert_float_eq(three, naive_hits(t, e, 10, n, 3), 1e-15);
        cr_assert(one <= three && (n > 3 || three == 1.0));
        cr_assert_eq(regret_hit_rate(t, t, 10, n, 1), 1.0);
        for (size_t i = 0; i < 10 * n; i++) {
            g[i] = exp(2.0 * e[i]) - 1.0; /* only the order counts */
        }
        cr_assert_eq(regret_hit_rate(t, g, 10, n, 3), three);
        for (size_t x = 0; x < 10; x++) {
            free_of_regret += regret_recommendation_regret(t + x * n, e + x * n, 1, n) == 0.0;
        }
        cr_assert_float_eq(one, free_of_regret / 10.0, 1e-15);
    }
    cr_assert(isnan(regret_hit_rate((double[]){0.1, NAN}, (double[]){0.1, 0.2}, 1, 2, 1)));
    cr_assert(isnan(regret_hit_rate((double[]){0.1, 0.3}, (double[]){NAN, 0.2}, 1, 2, 1)));
}

Test(measure, spearman)
{
    /* Ranks 1, 2.5, 2.5, 4 against 1, 3, 2, 4: covariance 4.5, variances 4.5 and 5. */
    cr_assert_float_eq(regret_spearman((double[]){1, 2, 2, 3}, (double[]){10, 30, 20, 40}, 4),
                       4.5 / sqrt(4.5 * 5.0), 1e-15);
    cr_assert(isnan(regret_spearman((double[]){1, 1, 1}, (double[]){1, 2, 3}, 3)));
    cr_assert(isnan(regret_spearman((double[]){1, 2, 3}, (double[]){1, 1, 1}, 3)));
    cr_assert(isnan(regret_spearman((double[]){1}, (double[]){1}, 1)));
    for (uint64_t k = 0; k < 10; k++) {
        double a[15], b[15], c[15], d = 0.0;
        fill(a, 15, 0, 300 + k);
        fill(b, 15, 0, 320 + k);
        for (size_t i = 0; i < 15; i++) {
            size_t ra = 0, rb = 0;
            for (size_t j = 0; j < 15; j++) {
                ra += a[j] < a[i], rb += b[j] < b[i];
            }
            d += pow((double)ra - (double)rb, 2.0);
            c[i] = -a[i] * a[i] * a[i];
        }
        cr_assert_float_eq(regret_spearman(a, b, 15), 1.0 - 6.0 * d / (15.0 * 224.0), 1e-13);
        cr_assert_float_eq(regret_spearman(a, c, 15), -1.0, 1e-15);
        cr_assert_float_eq(regret_spearman(a, a, 15), 1.0, 1e-15);
        fill(b, 15, 4, 340 + k); /* many ties: symmetric all the same */
        cr_assert_float_eq(regret_spearman(a, b, 15), regret_spearman(b, a, 15), 1e-15);
    }
}

/* Concordant less discordant pairs over the root of the pairs that each side does not tie. */
static double naive_kendall(const double *a, const double *b, size_t n)
{
    double concordant = 0.0, discordant = 0.0, ties_a = 0.0, ties_b = 0.0;
    double all = (double)(n * (n - 1)) / 2.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            concordant += (a[i] < a[j] && b[i] < b[j]) || (a[i] > a[j] && b[i] > b[j]);
            discordant += (a[i] < a[j] && b[i] > b[j]) || (a[i] > a[j] && b[i] < b[j]);
            ties_a += a[i] == a[j];
            ties_b += b[i] == b[j];
        }
    }
    return (concordant - discordant) / sqrt((all - ties_a) * (all - ties_b));
}

/* Pearson's correlation of ranks that are counted, equals sharing the average. */
static double naive_spearman(const double *a, const double *b, size_t n)
{
    double sab = 0.0, saa = 0.0, sbb = 0.0;
    for (size_t i = 0; i < n; i++) {
        double ra = 0.0, rb = 0.0;
        for (size_t j = 0; j < n; j++) {
            ra += 0.5 * ((a[j] < a[i]) - (a[j] > a[i]));
            rb += 0.5 * ((b[j] < b[i]) - (b[j] > b[i]));
        }
        sab += ra * rb, saa += ra * ra, sbb += rb * rb;
    }
    return sab / sqrt(saa * sbb);
}

Test(measure, kendall)
{
    /* Of the six pairs 5 agree and one of a is tied: 5 / sqrt(5·6). */
    cr_assert_float_eq(regret_kendall((double[]){1, 2, 2, 3}, (double[]){10, 20, 30, 40}, 4),
                       5.0 / sqrt(30.0), 1e-15);
    cr_assert_float_eq(regret_kendall((double[]){1, 2, 3}, (double[]){3, 2, 1}, 3), -1.0, 1e-15);
    cr_assert(isnan(regret_kendall((double[]){1, 1, 1}, (double[]){1, 2, 3}, 3)));
    cr_assert(isnan(regret_kendall((double[]){1, 2, 3}, (double[]){1, 1, 1}, 3)));
    cr_assert(isnan(regret_kendall((double[]){1}, (double[]){1}, 1)));
    cr_assert(isnan(regret_kendall((double[]){1, NAN}, (double[]){1, 2}, 2)));
    for (uint64_t k = 0; k < 40; k++) {
        double a[12], b[12];
        size_t n = 3 + k % 10;
        fill(a, n, k % 2 ? 4 : 0, 400 + k);
        fill(b, n, k % 3 ? 3 : 0, 450 + k);
        double tau = naive_kendall(a, b, n), rho = naive_spearman(a, b, n);
        if (isfinite(tau)) {
            cr_assert_float_eq(regret_kendall(a, b, n), tau, 1e-14);
            cr_assert_float_eq(regret_spearman(a, b, n), rho, 1e-14);
        } else {
            cr_assert(isnan(regret_kendall(a, b, n)));
        }
    }
}

Test(measure, undefined_values_have_no_rank)
{
    const double x[] = {0.1, 0.2, 0.3, 0.4}, y[] = {0.1, NAN, 0.3, 0.4};
    cr_assert(isnan(regret_top1(x, y, 4)) && isnan(regret_top1(y, x, 4)));
    cr_assert(isnan(regret_top3(x, y, 4)) && isnan(regret_top3(y, x, 4)));
    cr_assert(isnan(regret_spearman(x, y, 4)) && isnan(regret_spearman(y, x, 4)));
}

/* ---- Held-out R² ---------------------------------------------------------------------------- */

enum { N = 50, D = 3 };

/* Least squares with an intercept by Gauss-Jordan on the normal equations of the training rows. */
static double naive_r2(const double *x, const double *y, const unsigned char *train,
                       const unsigned char *test)
{
    double m[D + 1][D + 2] = {{0}}, line[D + 1], mean = 0.0, n = 0.0, sse = 0.0, sst = 0.0;
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j <= D && train[i]; j++) {
            for (size_t k = 0; k <= D + 1; k++) {
                m[j][k] += (j < D ? x[j * N + i] : 1.0) * (k < D    ? x[k * N + i]
                                                           : k == D ? 1.0
                                                                    : y[i]);
            }
        }
        mean += test[i] ? y[i] : 0.0, n += test[i];
    }
    for (size_t j = 0; j <= D; j++) {
        for (size_t i = 0; i <= D; i++) {
            double factor = m[i][j] / m[j][j];
            for (size_t k = 0; k <= D + 1 && i != j; k++) {
                m[i][k] -= factor * m[j][k];
            }
        }
    }
    for (size_t j = 0; j <= D; j++) {
        line[j] = m[j][D + 1] / m[j][j];
    }
    for (size_t i = 0; i < N; i++) {
        double f = line[D];
        for (size_t j = 0; j < D; j++) {
            f += line[j] * x[j * N + i];
        }
        sse += test[i] ? pow(y[i] - f, 2.0) : 0.0;
        sst += test[i] ? pow(y[i] - mean / n, 2.0) : 0.0;
    }
    return 1.0 - sse / sst;
}

static void sides(unsigned char *train, unsigned char *test)
{
    for (size_t i = 0; i < N; i++) {
        train[i] = i % 5 != 0;
        test[i] = i % 5 == 0;
    }
}

Test(measure, held_out_r2)
{
    unsigned char train[N], test[N];
    sides(train, test);
    for (uint64_t k = 0; k < 5; k++) {
        double x[N * D], y[N], r2 = 0.0;
        fill(x, N * D, 0, 400 + k);
        fill(y, N, 0, 420 + k);
        for (size_t i = 0; i < N; i++) {
            y[i] += (double)k * x[i] - x[N + i];
        }
        cr_assert_eq(regret_held_out_r2(&r2, NULL, x, D, y, N, train, test), 0);
        cr_assert_float_eq(r2, naive_r2(x, y, train, test), 1e-11);
        for (size_t i = 0; i < N; i++) {
            y[i] = 2.0 * x[i] - x[2 * N + i] + 7.0;
        }
        cr_assert_eq(regret_held_out_r2(&r2, NULL, x, D, y, N, train, test), 0);
        cr_assert_float_eq(r2, 1.0, 1e-12, "a linear truth is told in full");
    }
}

/* A target in [0,1] is never predicted worse by what is moved there, and one wild row costs 1 at most. */
Test(measure, held_out_r2_of_clipped_predictions)
{
    unsigned char train[N], test[N];
    sides(train, test);
    double x[N * D], y[N], r2 = 0.0, clipped = 0.0, wild = 0.0, wild_clipped = 0.0;
    fill(x, N * D, 0, 450);
    for (size_t i = 0; i < N; i++) {
        y[i] = fmin(fmax(0.5 + 0.05 * x[i], 0.3), 0.7);
    }
    cr_assert_eq(regret_held_out_r2(&r2, &clipped, x, D, y, N, train, test), 0);
    cr_assert_float_eq(r2, clipped, 1e-12, "nothing to move");
    x[0] = 1e4; /* held out */
    cr_assert_eq(regret_held_out_r2(&wild, &wild_clipped, x, D, y, N, train, test), 0);
    cr_assert_lt(wild, -1e3);
    double mean = 0.0, n = 0.0, sst = 0.0;
    for (size_t i = 0; i < N; i++) {
        mean += test[i] ? y[i] : 0.0;
        n += test[i];
    }
    for (size_t i = 0; i < N; i++) {
        sst += test[i] ? pow(y[i] - mean / n, 2) : 0.0;
    }
    cr_assert_geq(wild_clipped, clipped - 1.0 / sst);
    cr_assert_leq(wild_clipped, 1.0);
}

Test(measure, held_out_r2_of_odd_designs)
{
    unsigned char train[N], test[N], none[N] = {0};
    double x[N * 2 * D], y[N], r2 = 7.0, once = 0.0;
    sides(train, test);
    fill(x, N * D, 0, 440);
    fill(y, N, 0, 441);
    for (size_t i = 0; i < N * D; i++) {
        x[N * D + i] = x[i]; /* every column twice: the minimum norm solution predicts the same */
    }
    cr_assert_eq(regret_held_out_r2(&once, NULL, x, D, y, N, train, test), 0);
    cr_assert_eq(regret_held_out_r2(&r2, NULL, x, 2 * D, y, N, train, test), 0);
    cr_assert_float_eq(r2, once, 1e-10);
    cr_assert_eq(regret_held_out_r2(&r2, NULL, x, 0, y, N, train, test), 0);
    cr_assert_leq(r2, 1e-12, "the training mean is no better than the test mean");
    for (size_t i = 0; i < N; i++) {
        y[i] = test[i] ? 0.7 : y[i];
    }
    cr_assert_eq(regret_held_out_r2(&r2, NULL, x, D, y, N, train, test), 0);
    cr_assert(isnan(r2), "nothing varies where it is judged");
    cr_assert_eq(regret_held_out_r2(&r2, NULL, x, D, y, N, train, none), 0);
    cr_assert(isnan(r2));
    r2 = 7.0;
    cr_assert_eq(regret_held_out_r2(&r2, NULL, x, D, y, N, none, test), REGRET_E_INPUT);
    for (long k = 0; k < 4; k++) {
        regret_alloc_fail_after(k);
        cr_assert_eq(regret_held_out_r2(&r2, NULL, x, D, y, N, train, test), REGRET_E_NOMEM);
        regret_alloc_fail_after(-1);
    }
    cr_assert_eq(r2, 7.0, "touched on failure");
}

/* By loops, from the definition: among what is observed, on contexts with two. */
static double naive_observed_regret(const double *mu, const double *f, size_t contexts,
                                    size_t agents)
{
    double total = 0.0, n = 0.0;
    for (size_t x = 0; x < contexts; x++) {
        double best = -1.0, chosen = 0.0, highest = -INFINITY;
        size_t observed = 0;
        for (size_t a = 0; a < agents; a++) {
            double y = mu[x * agents + a];
            if (y == y) {
                observed++;
                best = fmax(best, y);
                chosen = f[x * agents + a] > highest ? y : chosen;
                highest = fmax(highest, f[x * agents + a]);
            }
        }
        total += observed > 1 ? best - chosen : 0.0;
        n += observed > 1;
    }
    return total / n;
}

Test(measure, unobserved_pairs_take_no_part)
{
    enum { X = 50, A = 6 };
    struct regret_rng r = regret_rng_at(11, 0, 0);
    double mu[X * A], f[X * A], score[A], wide[X * A];
    for (size_t i = 0; i < X * A; i++) {
        mu[i] = regret_rng_uniform(&r) < 0.6 ? NAN : regret_rng_uniform(&r);
        f[i] = regret_rng_uniform(&r);
        score[i % A] = regret_rng_uniform(&r);
    }
    for (size_t i = 0; i < X * A; i++) {
        wide[i] = score[i % A];
    }
    cr_assert_float_eq(regret_recommendation_regret(mu, f, X, A),
                       naive_observed_regret(mu, f, X, A), 1e-14);
    cr_assert_float_eq(regret_recommendation_regret(mu, wide, X, A),
                       naive_observed_regret(mu, wide, X, A), 1e-14);
    cr_assert_eq(regret_hit_rate(mu, mu, X, A, 1), 1.0);
    const double lonely[] = {NAN, 0.4, NAN};
    cr_assert_not(regret_is_comparable(lonely, 3));
    cr_assert(isnan(regret_recommendation_regret(lonely, f, 1, 3)));
    cr_assert_eq(regret_argmax_observed(f, lonely, 3), 1);
}

Test(measure, interval_of_a_policy_value_covers)
{
    enum { CONTEXTS = 400, TRIALS = 500 };
    size_t held = 0;
    double f[CONTEXTS], y[CONTEXTS], p[CONTEXTS];
    for (size_t t = 0; t < TRIALS; t++) {
        struct regret_rng r = regret_rng_at(12, 0, t);
        struct regret_policy_value v;
        for (size_t x = 0; x < CONTEXTS; x++) {
            double truth = 0.3 + 0.4 * regret_rng_uniform(&r);
            p[x] = regret_rng_uniform(&r) < 0.5 ? 0.2 : 0.5;
            f[x] = 0.8 * truth; /* a surface that is wrong */
            y[x] = regret_rng_uniform(&r) < p[x] ? truth : NAN;
        }
        regret_policy_value(&v, f, y, p, CONTEXTS, 0.95);
        held += fabs(v.dr - 0.5) <= v.dr_half;
    }
    cr_assert(held >= 465 && held <= 490, "%zu of %d", held, TRIALS);
    struct regret_policy_value few;
    regret_policy_value(&few, f, y, p, 5, 0.95);
    cr_assert(isnan(few.dr) && isnan(few.ips) && isnan(few.dr_half));
}
