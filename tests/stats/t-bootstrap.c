#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "regret/task.h"
#include "stats/resampling.h"

struct sample {
    const double *x;
    size_t n;
    int fail_on; /* replicate to fail on (by its weights' sum being what it always is): -1 never */
};

/* Mean, and the weights' sum. */
static int mean_and_total(void *context, double *out, const double *weight, size_t worker)
{
    const struct sample *s = context;
    double sum = 0.0, total = 0.0;
    (void)worker;
    for (size_t i = 0; i < s->n; i++) {
        cr_assert(weight[i] >= 0.0 && weight[i] == floor(weight[i]));
        sum += weight[i] * s->x[i];
        total += weight[i];
    }
    out[0] = sum / total;
    out[1] = total;
    return s->fail_on == 1 ? regret_fail(REGRET_E_NUMERIC, "asked to fail") : REGRET_OK;
}

enum { N = 400, B = 1000 };

static void fill(double x[N])
{
    struct regret_rng r = regret_rng_at(11, REGRET_RNG_TEST, 0);
    for (size_t i = 0; i < N; i++) {
        x[i] = 3.0 + 2.0 * regret_rng_normal(&r);
    }
}

Test(bootstrap, the_same_bytes_on_any_number_of_threads)
{
    static double x[N], one[2 * B], three[2 * B];
    fill(x);
    struct sample s = {x, N, -1};
    struct regret_bootstrap_options o = {B, 5, 0, 1};
    cr_assert_eq(regret_bootstrap(one, N, 2, &o, mean_and_total, &s), 0);
    o.threads = 3;
    cr_assert_eq(regret_bootstrap(three, N, 2, &o, mean_and_total, &s), 0);
    cr_assert_eq(memcmp(one, three, sizeof one), 0);
    for (size_t b = 0; b < B; b++) {
        cr_assert_eq(one[2 * b + 1], N);
    }
    /* More replicates begin with the same ones; another seed gives others. */
    o.n_replicates = 10;
    cr_assert_eq(regret_bootstrap(three, N, 2, &o, mean_and_total, &s), 0);
    cr_assert_eq(memcmp(one, three, 20 * sizeof *one), 0);
    /* `first` only renumbers the replicates. */
    o.first = 7;
    o.n_replicates = 3;
    cr_assert_eq(regret_bootstrap(three, N, 2, &o, mean_and_total, &s), 0);
    cr_assert_eq(memcmp(one + 14, three, 6 * sizeof *one), 0);
    o.first = 0;
    o.n_replicates = 10;
    o.seed = 6;
    cr_assert_eq(regret_bootstrap(three, N, 2, &o, mean_and_total, &s), 0);
    cr_assert_neq(memcmp(one, three, 20 * sizeof *one), 0);
}

/* The bootstrap standard error of a mean is sd/√n with n below, up to Monte Carlo error
 * (about se/√(2B), 2 %). */
Test(bootstrap, agrees_with_theory_for_a_mean)
{
    static double x[N], replicates[2 * B];
    fill(x);
    struct sample s = {x, N, -1};
    const struct regret_bootstrap_options o = {B, 5, 0, 2};
    struct regret_bootstrap_interval interval;
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < N; i++) {
        mean += x[i] / N;
    }
    for (size_t i = 0; i < N; i++) {
        squares += (x[i] - mean) * (x[i] - mean) / N;
    }
    double se = sqrt(squares / N);
    cr_assert_eq(regret_bootstrap(replicates, N, 2, &o, mean_and_total, &s), 0);
    cr_assert_eq(regret_bootstrap_summarise(&interval, replicates, B, 2, 0, 0.95), 0);
    cr_assert_float_eq(interval.se, se, 0.1 * se);
    cr_assert_float_eq(interval.low, mean - 1.96 * se, 0.3 * se);
    cr_assert_float_eq(interval.high, mean + 1.96 * se, 0.3 * se);
    cr_assert_eq(interval.n_undefined, 0);
}

Test(bootstrap, summary_by_hand)
{
    /* 0..10 shuffled, one undefined: quantiles of the known order statistics. */
    const double values[12] = {7, 0, NAN, 10, 3, 5, 1, 9, 2, 8, 4, 6};
    struct regret_bootstrap_interval interval;
    cr_assert_eq(regret_bootstrap_summarise(&interval, values, 12, 1, 0, 0.5), 0);
    cr_assert_eq(interval.n_undefined, 1);
    cr_assert_float_eq(interval.low, 2.5, 1e-12);
    cr_assert_float_eq(interval.high, 7.5, 1e-12);
    cr_assert_float_eq(interval.se, sqrt(11.0), 1e-12);
    const double lonely[2] = {NAN, 1.0};
    cr_assert_eq(regret_bootstrap_summarise(&interval, lonely, 2, 1, 0, 0.95), 0);
    cr_assert(isnan(interval.se) && isnan(interval.low) && interval.n_undefined == 1);
}

Test(bootstrap, refuses_and_carries_failures)
{
    static double x[N], replicates[2 * B];
    fill(x);
    struct sample s = {x, N, 1};
    struct regret_bootstrap_options o = {B, 5, 0, 2};
    cr_assert_eq(regret_bootstrap(replicates, N, 2, &o, mean_and_total, &s), REGRET_E_NUMERIC);
    cr_assert_str_eq(regret_error_message(), "asked to fail");
    cr_assert_eq(regret_bootstrap(replicates, 0, 2, &o, mean_and_total, &s), REGRET_E_INPUT);
    o.threads = 0;
    cr_assert_eq(regret_bootstrap(replicates, N, 2, &o, mean_and_total, &s), REGRET_E_INPUT);
    o.threads = 1;
    o.n_replicates = 0;
    cr_assert_eq(regret_bootstrap(replicates, N, 2, &o, mean_and_total, &s), REGRET_E_INPUT);
}
