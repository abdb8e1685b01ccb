/* The scales on which counts, statistics and labels enter a proxy. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "regret/estimate.h"
#include "regret/task.h"

enum { ROWS = 150, COLS = 3, SEEN = 110, MOST = 4 * ROWS };

/* Counts with ties and a heavy tail, labels of either sign, and a share; rows from SEEN on are held
 * out. */
static void make(double *x, double *count, uint64_t item)
{
    struct regret_rng r = regret_rng_at(11, REGRET_RNG_TEST, item);
    for (size_t i = 0; i < ROWS; i++) {
        x[i] = floor(exp(1.0 + 2.0 * regret_rng_normal(&r)));
        x[i + ROWS] = regret_rng_normal(&r);
        x[i + 2 * ROWS] = regret_rng_uniform(&r) < 0.8 ? 0.0 : regret_rng_uniform(&r);
        count[i] = i < SEEN ? (double)regret_rng_below(&r, 4) : 0.0;
    }
}

/* The OBS rows of a column one by one. */
static size_t repeat(double *seen, const double *column, const double *count)
{
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++) {
        for (int c = 0; c < (int)count[i]; c++) {
            seen[n++] = column[i];
        }
    }
    return n;
}

/* By the words of include/regret/estimate.h: the least value that enough rows do not exceed. */
static double least_not_exceeded(const double *seen, size_t n, double share)
{
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        size_t not_above = 0;
        for (size_t k = 0; k < n; k++) {
            not_above += seen[k] <= seen[i];
        }
        if ((double)not_above >= share * (double)n && seen[i] < least) {
            least = seen[i];
        }
    }
    return least;
}

static double reference(double v, const double *seen, size_t n, enum regret_proxy_scale scale)
{
    double below = 0.0, equal = 0.0;
    switch (scale) {
    case REGRET_SCALE_LOG:
        return v < 0.0 ? -log(1.0 - v) : log(1.0 + v);
    case REGRET_SCALE_WINSOR:
        return v < least_not_exceeded(seen, n, 0.01)   ? least_not_exceeded(seen, n, 0.01)
               : v > least_not_exceeded(seen, n, 0.99) ? least_not_exceeded(seen, n, 0.99)
                                                       : v;
    case REGRET_SCALE_RANK:
        for (size_t i = 0; i < n; i++) {
            below += seen[i] < v;
            equal += seen[i] == v;
        }
        return (below + equal / 2.0) / (double)n;
    default:
        return v;
    }
}

Test(proxy_scale, agrees_with_the_reference)
{
    for (int s = 0; s < REGRET_PROXY_SCALES; s++) {
        for (uint64_t item = 0; item < 5; item++) {
            double x[ROWS * COLS], scaled[ROWS * COLS], count[ROWS], seen[MOST];
            make(x, count, item);
            memcpy(scaled, x, sizeof x);
            enum regret_proxy_scale scale = (enum regret_proxy_scale)s;
            cr_assert_eq(regret_proxy_rescale(scaled, ROWS, COLS, count, scale), REGRET_OK);
            for (size_t j = 0; j < COLS; j++) {
                size_t n = repeat(seen, x + j * ROWS, count);
                for (size_t i = 0; i < ROWS; i++) {
                    double expected = reference(x[i + j * ROWS], seen, n, scale);
                    cr_assert_float_eq(scaled[i + j * ROWS], expected, 1e-12,
                                       "scale %d column %zu row %zu: %g, expected %g", s, j, i,
                                       scaled[i + j * ROWS], expected);
                }
            }
        }
    }
}

/* What is held out moves itself alone, monotonely. */
Test(proxy_scale, held_out_rows_do_not_reach_the_others)
{
    for (int s = 0; s < REGRET_PROXY_SCALES; s++) {
        double x[ROWS * COLS], moved[ROWS * COLS], count[ROWS];
        make(x, count, 9);
        memcpy(moved, x, sizeof x);
        for (size_t i = SEEN; i < ROWS; i++) {
            moved[i] += 1e6;
        }
        enum regret_proxy_scale scale = (enum regret_proxy_scale)s;
        cr_assert_eq(regret_proxy_rescale(x, ROWS, COLS, count, scale), REGRET_OK);
        cr_assert_eq(regret_proxy_rescale(moved, ROWS, COLS, count, scale), REGRET_OK);
        for (size_t i = 0; i < ROWS * COLS; i++) {
            int is_moved = i >= SEEN && i < ROWS;
            cr_assert(is_moved ? moved[i] >= x[i] : moved[i] == x[i]);
        }
    }
}

/* One output of a million lines: as it is, it is all that its column says. */
Test(proxy_scale, bounds_what_one_huge_output_says)
{
    double largest[REGRET_PROXY_SCALES];
    for (int s = 0; s < REGRET_PROXY_SCALES; s++) {
        double x[ROWS], count[ROWS];
        largest[s] = 0.0;
        for (size_t i = 0; i < ROWS; i++) {
            x[i] = i == 7 ? 1e6 : (double)(i % 20);
            count[i] = 1.0;
        }
        enum regret_proxy_scale scale = (enum regret_proxy_scale)s;
        cr_assert_eq(regret_proxy_rescale(x, ROWS, 1, count, scale), REGRET_OK);
        cr_assert_eq(regret_standardise(x, ROWS, 1, count, NULL), REGRET_OK);
        for (size_t i = 0; i < ROWS; i++) {
            largest[s] = fmax(largest[s], fabs(x[i]));
        }
    }
    cr_assert_gt(largest[REGRET_SCALE_RAW], 12.0); /* √(ROWS − 1), the most there can be */
    cr_assert_lt(largest[REGRET_SCALE_LOG], 10.0);
    cr_assert_lt(largest[REGRET_SCALE_WINSOR], 2.0);
    cr_assert_lt(largest[REGRET_SCALE_RANK], 2.0);
}

Test(proxy_scale, a_value_that_is_not_finite_is_named_and_nothing_is_changed)
{
    for (int s = 0; s < REGRET_PROXY_SCALES; s++) {
        const double bad[] = {NAN, INFINITY, -INFINITY};
        for (size_t b = 0; b < 3; b++) {
            double x[ROWS * COLS], before[ROWS * COLS], count[ROWS];
            make(x, count, 2);
            x[ROWS + 140] = bad[b]; /* held out, and yet to be transformed */
            memcpy(before, x, sizeof x);
            enum regret_proxy_scale scale = (enum regret_proxy_scale)s;
            cr_assert_eq(regret_proxy_rescale(x, ROWS, COLS, count, scale), REGRET_E_NUMERIC);
            cr_assert_not_null(strstr(regret_error_message(), "column 1"));
            cr_assert_not_null(strstr(regret_error_message(), "pair 140"));
            cr_assert_eq(memcmp(x, before, sizeof x), 0);
        }
    }
}

/* Ranks are all that a monotone change of a column leaves as it was. */
Test(proxy_scale, ranks_know_only_the_order)
{
    double x[ROWS * COLS], y[ROWS * COLS], count[ROWS];
    make(x, count, 4);
    for (size_t i = 0; i < ROWS * COLS; i++) {
        y[i] = 3.0 * atan(x[i]) - 8.0;
    }
    cr_assert_eq(regret_proxy_rescale(x, ROWS, COLS, count, REGRET_SCALE_RANK), REGRET_OK);
    cr_assert_eq(regret_proxy_rescale(y, ROWS, COLS, count, REGRET_SCALE_RANK), REGRET_OK);
    cr_assert_arr_eq(x, y, sizeof x);
}
