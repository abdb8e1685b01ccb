/* Planned power: with the observations that regret_observations_needed() asks for, a t test finds the
 * difference in four of five studies, and no more of them without one than its size. */
#include <criterion/criterion.h>
#include <math.h>

#include "regret/task.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"

enum { STUDIES = 4000, MOST = 1000 };

struct moments {
    double mean, deviation;
};

static struct moments draw(struct regret_rng *r, size_t n, double mean, double deviation)
{
    double x[MOST], sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        x[i] = mean + deviation * regret_rng_normal(r);
        sum += x[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        squares += (x[i] - sum) * (x[i] - sum);
    }
    return (struct moments){sum, sqrt(squares / (double)(n - 1))};
}

/* The share of studies of n observations whose two-sided t test at 5 % finds a difference. */
static double share_found(size_t n, double mean, double deviation, uint64_t index)
{
    struct regret_rng r = regret_rng_at(91, REGRET_RNG_TEST, index);
    double critical = regret_student_quantile(0.975, (double)(n - 1));
    size_t found = 0;
    for (size_t s = 0; s < STUDIES; s++) {
        struct moments m = draw(&r, n, mean, deviation);
        found += fabs(m.mean) > critical * m.deviation / sqrt((double)n);
    }
    return (double)found / STUDIES;
}

/* .8 within three standard errors, .019, and what the approximation and whole observations add. */
Test(power, planned_observations_find_the_difference_as_often_as_planned)
{
    static const double difference[] = {0.25, 0.4, 0.7, 1.0};
    for (uint64_t i = 0; i < 4; i++) {
        size_t n = regret_observations_needed(2.0, 2.0 * difference[i], 0.05, 0.8, MOST);
        cr_assert(n > 2 && n < MOST);
        double found = share_found(n, 2.0 * difference[i], 2.0, i);
        cr_expect(found > 0.775 && found < 0.845, "%zu observations: %.3f", n, found);
        cr_expect_lt(share_found(n, 0.0, 2.0, 50 + i), 0.062, "size");
        /* Two thirds of them fall short of it clearly. */
        cr_expect_lt(share_found(n * 2 / 3, 2.0 * difference[i], 2.0, 100 + i), 0.74, "%zu", n);
    }
}

/* Of pilots of five, four in five have a bound that is not below the deviation; without it half plan
 * with too few. */
Test(power, the_bound_of_a_pilot_is_seldom_too_low)
{
    struct regret_rng r = regret_rng_at(92, REGRET_RNG_TEST, 0);
    size_t safe = 0, plain = 0;
    for (size_t s = 0; s < STUDIES; s++) {
        double deviation = draw(&r, 5, 0.3, 2.0).deviation;
        safe += regret_deviation_bound(deviation, 4.0, 0.8) >= 2.0;
        plain += deviation >= 2.0;
    }
    cr_expect_float_eq((double)safe / STUDIES, 0.8, 0.02);
    cr_expect_lt((double)plain / STUDIES, 0.5);
}
