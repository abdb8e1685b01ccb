/* Limits against values by an independent implementation (NumPy and SciPy, quantiles polished by Newton's steps). */
#include <criterion/criterion.h>
#include <math.h>

#include "stats/distributions.h"
#include "stats/limits.h"

#define COUNT(x) (sizeof(x) / sizeof *(x))

static const double SIDE = 0.025, NEAR = 1e-9;

static struct tails both(double tail)
{
    return (struct tails){tail, tail};
}

static void expect(struct limits l, double low, double high, const char *what)
{
    cr_assert_float_eq(l.low, low, NEAR, "%s: low %.10f, expected %.10f", what, l.low, low);
    cr_assert_float_eq(l.high, high, NEAR, "%s: high %.10f, expected %.10f", what, l.high, high);
}

static struct bounded of_rows(const double *y, size_t n)
{
    double mean = 0.0, squares = 0.0, count = (double)n;
    for (size_t i = 0; i < n; i++) {
        mean += y[i] / count;
    }
    for (size_t i = 0; i < n; i++) {
        squares += (y[i] - mean) * (y[i] - mean);
    }
    return bounded_moments(mean, sqrt(squares / (count - 1.0)), count);
}

static struct bounded of_share(double x, double n)
{
    double p = x / n;
    return bounded_moments(p, sqrt(n * p * (1.0 - p) / (n - 1.0)), n);
}

/* ---------------------------------------------------------------- one mean */

Test(limits, of_shares)
{
    static const double known[][4] = {
        {0, 10, 0.0000000000, 0.3073046501},    {1, 10, 0.0009149313, 0.4653229147},
        {5, 10, 0.1671229679, 0.8328770321},    {10, 10, 0.6926953499, 1.0000000000},
        {0, 12, 0.0000000000, 0.2564039731},    {12, 12, 0.7435960269, 1.0000000000},
        {30, 30, 0.8964984290, 1.0000000000},   {59, 60, 0.9158849987, 0.9996292624},
        {60, 60, 0.9479986882, 1.0000000000},   {0, 200, 0.0000000000, 0.0156613216},
        {3, 200, 0.0030668735, 0.0415692045},   {100, 100, 0.9687312525, 1.0000000000},
        {40, 1000, 0.0287386045, 0.0532048264}, {500, 1000, 0.4689874980, 0.5310125020},
        {1, 5000, 0.0000050561, 0.0010260053},  {0, 80, 0.0000000000, 0.0390534242},
        {0, 40, 0.0000000000, 0.0778053108},    {29, 30, 0.8344945918, 0.9993570147},
        {20, 20, 0.8453586197, 1.0000000000},   {2, 80, 0.0029058525, 0.0837708674},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        struct bounded x = of_share(known[i][0], known[i][1]);
        expect(bounded_limits(&x, tails_of(0.95)), known[i][2], known[i][3], "share");
    }
}

Test(limits, of_other_tails)
{
    static const double known[][4] = {{0.05, 0.0040721773, 0.0366872561, 0.0412031388},
                                      {0.005, 0.0016473683, 0.0522466063, 0.0777547804},
                                      {0.0005, 0.0007025653, 0.0666105772, 0.1159705136},
                                      {1e-05, 0.0001667971, 0.0898248756, 0.1840062943}};
    struct bounded three = of_share(3, 200), none = of_share(0, 60);
    for (size_t i = 0; i < COUNT(known); i++) {
        expect(bounded_limits(&three, both(known[i][0])), known[i][1], known[i][2], "3 of 200");
        expect(bounded_limits(&none, both(known[i][0])), 0.0, known[i][3], "0 of 60");
    }
}

Test(limits, of_grades)
{
    static const double half[] = {.5, .5, .5, .5, .5, .5, .5, .5, .5, .5},
                        one[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, .1}, five[] = {.1, .2, .3, .4, .5},
                        middle[] = {.2, .4, .5, .5, .6, .7, .3, .8, .55, .45},
                        high[] = {1, 1, 1, .9, 1, 1, 1, .75, 1, 1, 1, 1};
    static double rare[100] = {[95] = .1, .2, .3, .4, 1};
    static const struct {
        const double *y;
        size_t n;
        double low, high;
    } known[] = {{half, 10, 0.4454153734, 0.5545846266}, {one, 10, 0.0001602755, 0.3089126661},
                 {five, 5, 0.1366589829, 0.5644993757},  {middle, 10, 0.3681303779, 0.6318696221},
                 {high, 12, 0.7288470053, 0.9977077723}, {rare, 100, 0.0042086556, 0.0607986817}};
    for (size_t i = 0; i < COUNT(known); i++) {
        struct bounded x = of_rows(known[i].y, known[i].n);
        expect(bounded_limits(&x, both(SIDE)), known[i].low, known[i].high, "grades");
    }
}

Test(limits, of_clusters)
{
    static const struct {
        size_t n;
        double sum[10], rows[10], low, high, variance, worth;
    } known[] = {{8, {0}, {10, 10, 10, 10, 10, 10, 10, 10}, 0.0, 0.1602736605, 0.0, 21.6216216216},
                 {8, {0}, {1, 2, 3, 5, 8, 13, 20, 25}, 0.0, 0.2981899216, 0.0, 13.3837471783},
                 {8,
                  {1, 0, 0, 0, 3, 0, 0, 2},
                  {4, 5, 6, 7, 8, 9, 10, 11},
                  0.0147809326,
                  0.3123039122,
                  0.0028317460,
                  18.9873417722},
                 {6,
                  {5, 2, 3, 4, 1, 5},
                  {10, 4, 6, 8, 2, 10},
                  0.4489647286,
                  0.5510352714,
                  0.0,
                  12.9032258065},
                 {10,
                  {3},
                  {300, 2, 3, 1, 5, 4, 3, 2, 2, 1},
                  0.0008340288,
                  0.9992774301,
                  0.0000005531,
                  3.8288681738},
                 {8,
                  {10, 10, 10, 10, 10, 10, 10, 10},
                  {10, 10, 10, 10, 10, 10, 10, 10},
                  0.8397263395,
                  1.0,
                  0.0,
                  21.6216216216},
                 {4, {2, 5, 1, 7}, {2, 5, 1, 7}, 0.2380602941, 1.0, 0.0, 6.5789473684}};
    for (size_t i = 0; i < COUNT(known); i++) {
        struct bounded x = bounded_clusters(known[i].sum, known[i].rows, known[i].n);
        cr_assert_float_eq(x.variance, known[i].variance, NEAR);
        cr_assert_float_eq(x.rows, known[i].worth, NEAR);
        expect(bounded_limits(&x, both(SIDE)), known[i].low, known[i].high, "clusters");
    }
}

Test(limits, of_weighted_values)
{
    static const struct {
        double value, variance;
        struct own_rows own;
        double shown, low, high;
    } known[] = {
        {-0.0004, 1e-07, {60, 60, 0, 0, 0}, 0.0, 0.0, 0.0520013118},
        {0.012, 0.0001, {60, 60, 1.0 / 60, 1.0 / 3600, 0}, 0.012, 0.0007414256, 0.0678244402},
        {0.52, 0.003, {85, 85, 0.5, 0.0029, 0}, 0.52, 0.4111990833, 0.6277724753},
        {1.003, 2e-06, {240, 240, 0.9958, 1.7e-05, 0}, 1.0, 0.9860807265, 1.0},
        {0.03, 0.0002, {15, 40, 0.02, 0.0003, 0}, 0.03, 0.0088052799, 0.2099173833},
        {0.9993, 0.0, {30, 30, 1.0, 0.0, 0}, 1.0, 0.8964984290, 1.0}};
    for (size_t i = 0; i < COUNT(known); i++) {
        struct bounded x = bounded_weighted(known[i].value, known[i].variance, &known[i].own);
        cr_assert_float_eq(x.value, known[i].shown, NEAR);
        expect(bounded_limits(&x, both(SIDE)), known[i].low, known[i].high, "weighted");
    }
}

/* With a row of weight 1 and no t the limit is Clopper and Pearson's, whose tail sums the binomial. */
Test(limits, beta_quantile_is_clopper_and_pearson)
{
    for (int n = 3; n < 60; n += 7) {
        for (int x = 0; x < n; x++) {
            double p = beta_quantile(x + 1.0, n - x, 0.975), tail = 0.0, term = pow(1.0 - p, n);
            for (int k = 0; k <= x; k++) {
                tail += term;
                term *= (n - k) / (k + 1.0) * p / (1.0 - p);
            }
            cr_assert_float_eq(tail, 0.025, 1e-11, "%d of %d: %g", x, n, tail);
            cr_assert_float_eq(beta_quantile(n - x, x + 1.0, 0.025), 1.0 - p, 1e-13);
        }
    }
    double many = beta_quantile(3e6, 1.1e6, 0.975);
    cr_assert_float_eq(beta_cdf(3e6, 1.1e6, many, 1.0 - many), 0.975, 1e-6);
    cr_assert_eq(beta_quantile(0.0, 1.0, 0.5), 0.0);
}

/* Whatever comes in: no NaN, and the mean within. */
Test(limits, hold_the_mean)
{
    static const double means[] = {-0.1, 0.0, 1e-9, 1e-3, 0.3, 0.5, 0.98, 1.0 - 1e-9, 1.0, 1.2},
                        sizes[] = {0, 1, 2, 5, 40, 1e3, 1e6}, shares[] = {0, 1e-9, 0.1, 1, 2};
    for (size_t i = 0; i < COUNT(means) * COUNT(sizes) * COUNT(shares) * 3; i++) {
        double m = means[i % COUNT(means)], n = sizes[i / COUNT(means) % COUNT(sizes)];
        double v = shares[i / COUNT(means) / COUNT(sizes) % COUNT(shares)];
        double tail =
            pow(10.0, -2.0 * (double)(i / COUNT(means) / COUNT(sizes) / COUNT(shares)) - 1.0);
        struct bounded x = {m, v * fabs(m * (1.0 - m)) / fmax(1.0, n), n, n - 1.0, 0.0};
        struct limits l = bounded_limits(&x, both(tail));
        double at = fmin(1.0, fmax(0.0, m));
        cr_assert(l.low >= 0.0 && l.low <= at && at <= l.high && l.high <= 1.0,
                  "%g of %g rows, %g: %g to %g", m, n, v, l.low, l.high);
    }
    struct limits none = bounded_limits(&(struct bounded){NAN, 0, 3, 2, 0}, both(SIDE));
    cr_assert(isnan(none.low) && isnan(none.high));
}

/* ---------------------------------------------------------------- differences */

Test(limits, of_differences)
{
    static const double known[][6] = {{0, 200, 3, 200, -0.0415692045, 0.0046895023},
                                      {30, 30, 29, 30, -0.0752080599, 0.1655054082},
                                      {0, 80, 2, 80, -0.0837708674, 0.0198700490},
                                      {0, 40, 0, 40, -0.0778053108, 0.0778053108},
                                      {12, 12, 0, 12, 0.6373900239, 1.0000000000},
                                      {500, 1000, 45, 100, -0.0545037506, 0.1524664749}};
    for (size_t i = 0; i < COUNT(known); i++) {
        struct bounded x = of_share(known[i][0], known[i][1]),
                       y = of_share(known[i][2], known[i][3]);
        expect(bounded_difference(&x, &y, 0.0, both(SIDE)), known[i][4], known[i][5], "difference");
    }
    struct bounded x = of_share(3, 200), y = of_share(0, 200);
    expect(bounded_difference(&x, &y, 0.0, both(0.5 * erfc(2.5 / sqrt(2.0)))), -0.0109059999,
           0.0508488086, "simultaneous");
}

static void fill(double *above, double *below, size_t plus, size_t minus, double up, double down)
{
    for (size_t i = 0; i < plus + minus; i++) {
        above[i] = i < plus ? up : 0.0;
        below[i] = i < plus ? 0.0 : down;
    }
}

Test(limits, of_paired_differences)
{
    enum { MOST = 60 };
    static const struct {
        size_t n, plus, minus;
        double up, down, low, high, share, rho;
    } known[] = {{60, 0, 0, 1, 1, -0.0520013118, 0.0520013118, 0, 0},
                 {60, 3, 0, 1, 1, -0.0155989784, 0.1356328217, 0, 0},
                 {30, 6, 1, 1, 1, -0.0242797666, 0.3587696033, 0, -0.0928476691},
                 {60, 20, 10, 1, 1, -0.0123499274, 0.3456832607, 1, -0.3162277660},
                 {40, 9, 2, 0.5, 0.25, 0.0000879975, 0.2000169669, 0.0526315789, -0.1236128465}};
    double rows[MOST];
    for (size_t i = 0; i < MOST; i++) {
        rows[i] = 1.0;
    }
    for (size_t i = 0; i < COUNT(known); i++) {
        double above[MOST] = {0}, below[MOST] = {0};
        fill(above, below, known[i].plus, known[i].minus, known[i].up, known[i].down);
        const struct pairs pairs = {above, below, rows, known[i].n};
        struct paired_limits p = paired_limits_of(&pairs, both(SIDE));
        expect((struct limits){p.low, p.high}, known[i].low, known[i].high, "paired");
        cr_assert_float_eq(p.share, known[i].share, NEAR);
        cr_assert_float_eq(p.rho, known[i].rho, NEAR);
        double zero = paired_p_of_zero(&pairs);
        struct paired_limits at = paired_limits_of(&pairs, both(0.5 * zero));
        cr_assert(zero > 0.99 || fabs(at.value > 0.0 ? at.low : at.high) < 1e-9);
    }
    const double above[] = {.1, .2, 0, .3, .15, .12, 0, .25, .05, .2},
                 below[] = {0, 0, .05, 0, 0, 0, .1, 0, 0, 0};
    struct paired_limits p = paired_limits_of(&(struct pairs){above, below, rows, 10}, both(SIDE));
    expect((struct limits){p.low, p.high}, 0.0310248997, 0.2129751003, "grades");
    cr_assert_float_eq(p.rho, -0.6613043685, NEAR);
}

/* ---------------------------------------------------------------- heavy tails */

Test(limits, of_heavy_tails)
{
    static const double buyers[20] = {1, 2, 5, 12}, losses[20] = {-12, -5, -2, -1}, one[10] = {100},
                        even[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, alike[] = {3, 3, 3, 3, 3};
    static const struct {
        const double *y;
        size_t n;
        double low, high, skewness, worth;
    } known[] = {{buyers, 20, -0.3324250276, 5.7499691943, 3.2293342819, 2.2988505747},
                 {even, 10, 3.3341494103, 7.6658505897, 0.0, 7.8571428571},
                 {one, 10, -12.6215716280, 77.7915153022, 2.6666666667, 1.0},
                 {losses, 20, -5.7499691943, 0.3324250276, -3.2293342819, 2.2988505747},
                 {alike, 5, 3.0, 3.0, 0.0, 5.0}};
    for (size_t i = 0; i < COUNT(known); i++) {
        double m = 0.0, second = 0.0, third = 0.0, sum = 0.0, squares = 0.0, n = (double)known[i].n;
        for (size_t k = 0; k < known[i].n; k++) {
            m += known[i].y[k] / n;
            sum += fabs(known[i].y[k]);
            squares += known[i].y[k] * known[i].y[k];
        }
        for (size_t k = 0; k < known[i].n; k++) {
            double d = known[i].y[k] - m;
            second += d * d / n;
            third += d * d * d / n;
        }
        double skewness = second > 0.0 ? third / pow(second, 1.5) : 0.0, r = skewness / sqrt(n);
        double t = regret_student_quantile(0.975, n - 1.0), half = t * sqrt(second / (n - 1.0));
        double reach = long_reach(sqrt(second / n), t, fabs(r));
        expect((struct limits){m - (r < 0.0 ? fmax(half, reach) : half),
                               m + (r > 0.0 ? fmax(half, reach) : half)},
               known[i].low, known[i].high, "heavy");
        cr_assert_float_eq(skewness, known[i].skewness, NEAR);
        cr_assert_float_eq(sum * sum / squares, known[i].worth, NEAR);
        const struct bounded free = {0.1, second / 1e6, n, n - 1.0, r},
                             known_range = {0.1, second / 1e6, n, n - 1.0, 0.0};
        struct limits wide = bounded_limits(&free, both(SIDE)),
                      narrow = bounded_limits(&known_range, both(SIDE));
        cr_assert(wide.low <= narrow.low && narrow.high <= wide.high);
    }
}
