/* Agreement of raters, beside printed examples and a count of all pairs. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "pool/agreement.h"
#include "pool/sample.h"
#include "regret/status.h"

enum { RESAMPLES = 200 };

/* Every unit a cluster of its own. */
static void measure(struct regret_agreement out[REGRET_AGREEMENTS], const double *rating, size_t n,
                    size_t m, size_t resamples)
{
    size_t cluster[401];
    cr_assert(n <= 400);
    for (size_t i = 0; i <= n; i++) {
        cluster[i] = i;
    }
    struct regret_ratings r = {(double *)rating, n, m, cluster, n};
    cr_assert_eq(regret_agreement_measure(out, &r, resamples, 1, 0.95), 0);
}

#define N NAN
/* Krippendorff, "Computing Krippendorff's alpha-reliability", 2011: four observers, twelve units. */
static const double OBSERVED[12 * 4] = {1, 1, N, 1, 2, 2, 3, 2, 3, 3, 3, 3, 3, 3, 3, 3,
                                        2, 2, 2, 2, 1, 2, 3, 4, 4, 4, 4, 4, 1, 1, 2, 1,
                                        2, 2, 2, 2, N, 5, 5, 5, N, N, 1, 1, N, 3, N, N};
/* Shrout and Fleiss, 1979, table 2: six targets, four judges. */
static const double JUDGED[6 * 4] = {9, 2, 5, 8, 6,  1, 3, 2, 8, 4, 6, 8,
                                     7, 1, 2, 6, 10, 5, 6, 9, 6, 2, 4, 7};

Test(agreement, printed_examples)
{
    struct regret_agreement a[REGRET_AGREEMENTS];
    measure(a, OBSERVED, 12, 4, 0);
    cr_expect_float_eq(a[REGRET_ALPHA_NOMINAL].value, 0.743, 5e-4);
    cr_expect_float_eq(a[REGRET_ALPHA_ORDINAL].value, 0.815, 5e-4);
    cr_expect_float_eq(a[REGRET_ALPHA_INTERVAL].value, 0.849, 5e-4);
    cr_expect(isnan(a[REGRET_ALPHA_NOMINAL].low)); /* nothing was drawn */
    measure(a, JUDGED, 6, 4, 0);
    cr_expect_float_eq(a[REGRET_ICC_SINGLE].value, 0.29, 5e-3);
    cr_expect_float_eq(a[REGRET_ICC_MEAN].value, 0.62, 5e-3);
}

/* The difference of categories v and w, squared, by the counts of the categories 0 to 6 among n pairable ratings. */
static double difference(size_t measure, const double count[7], int v, int w)
{
    double d = 0.0;
    if (measure == REGRET_ALPHA_ORDINAL) {
        for (int g = v < w ? v : w; g <= (v < w ? w : v); g++) {
            d += count[g];
        }
        d -= (count[v] + count[w]) / 2.0;
        return d * d;
    }
    return measure == REGRET_ALPHA_NOMINAL ? v != w : (double)((v - w) * (v - w));
}

/* By the matrix of coincidences, as the paper does it by hand. */
static double naive(size_t measure, const double *rating, size_t n, size_t m)
{
    double coincidence[7][7] = {{0.0}}, count[7] = {0.0}, observed = 0.0, expected = 0.0, all = 0.0;
    for (size_t i = 0; i < n; i++) {
        double k = 0.0;
        for (size_t j = 0; j < m; j++) {
            k += isfinite(rating[i * m + j]);
        }
        for (size_t j = 0; j < m * m; j++) {
            double v = rating[i * m + j / m], w = rating[i * m + j % m];
            if (j / m != j % m && isfinite(v) && isfinite(w)) {
                coincidence[(int)v][(int)w] += 1.0 / (k - 1.0);
            }
        }
    }
    for (int v = 0; v < 7; v++) {
        for (int w = 0; w < 7; w++) {
            count[v] += coincidence[v][w];
            all += coincidence[v][w];
        }
    }
    for (int v = 0; v < 7; v++) {
        for (int w = 0; w < 7; w++) {
            observed += coincidence[v][w] * difference(measure, count, v, w) / all;
            expected +=
                count[v] * count[w] * difference(measure, count, v, w) / (all * (all - 1.0));
        }
    }
    return 1.0 - observed / expected;
}

Test(agreement, alpha_is_that_of_the_matrix_of_coincidences)
{
    srand(3);
    for (int round = 0; round < 100; round++) {
        size_t n = 2 + (size_t)rand() % 30, m = 2 + (size_t)rand() % 5;
        double rating[32 * 6];
        struct regret_agreement a[REGRET_AGREEMENTS];
        for (size_t i = 0; i < n * m; i++) {
            int lies = rand() % 4 == 0, missing = rand() % 5 == 0;
            rating[i] = missing ? NAN : (double)(lies ? rand() % 7 : (int)(i / m) % 7);
        }
        rating[0] = 1.0;
        rating[1] = 2.0;
        measure(a, rating, n, m, 0);
        for (size_t k = REGRET_ALPHA_NOMINAL; k <= REGRET_ALPHA_INTERVAL; k++) {
            double wanted = naive(k, rating, n, m);
            cr_expect(fabs(a[k].value - wanted) < 1e-9, "%s: %g, not %g", regret_agreement_name(k),
                      a[k].value, wanted);
        }
    }
}

Test(agreement, what_must_hold)
{
    struct regret_agreement a[REGRET_AGREEMENTS], b[REGRET_AGREEMENTS];
    double same[20 * 3], other[20 * 3], moved[20 * 3];
    srand(5);
    for (size_t i = 0; i < 60; i++) {
        same[i] = (double)(i / 3 % 7);
        other[i] = (double)(rand() % 9);
        moved[i] = 2.5 * other[i] - 7.0;
    }
    measure(a, same, 20, 3, RESAMPLES);
    for (size_t k = 0; k < REGRET_AGREEMENTS; k++) { /* raters who say the same */
        cr_expect(fabs(a[k].value - 1.0) < 1e-12 && fabs(a[k].low - 1.0) < 1e-12);
    }
    measure(a, other, 20, 3, RESAMPLES);
    measure(b, moved, 20, 3, RESAMPLES);
    for (size_t k = 0; k < REGRET_AGREEMENTS; k++) { /* another scale */
        cr_expect(fabs(a[k].value - b[k].value) < 1e-9 && fabs(a[k].high - b[k].high) < 1e-9);
        cr_expect(a[k].low < a[k].high && a[k].low <= a[k].value && a[k].value <= a[k].high);
    }
    for (size_t i = 0; i < 60; i++) {
        other[i] = 1.0;
    }
    measure(a, other, 20, 3, RESAMPLES); /* nothing differs */
    for (size_t k = 0; k < REGRET_AGREEMENTS; k++) {
        cr_expect(isnan(a[k].value) && isnan(a[k].low));
    }
    cr_expect_neq(regret_agreement_measure(a, &(struct regret_ratings){.n_raters = 1}, 1, 1, 0.95),
                  0);
}

/* Units of a cluster are drawn together: of one cluster every draw is the whole. */
Test(agreement, clusters_are_drawn_whole)
{
    size_t one[] = {0, 12}, two[] = {0, 6, 12};
    struct regret_ratings r = {(double *)OBSERVED, 12, 4, one, 1};
    struct regret_agreement a[REGRET_AGREEMENTS];
    cr_assert_eq(regret_agreement_measure(a, &r, RESAMPLES, 1, 0.95), 0);
    cr_expect(a[REGRET_ALPHA_INTERVAL].low == a[REGRET_ALPHA_INTERVAL].high);
    cr_expect(fabs(a[REGRET_ALPHA_INTERVAL].low - a[REGRET_ALPHA_INTERVAL].value) < 1e-12);
    r.cluster = two;
    r.n_clusters = 2;
    cr_assert_eq(regret_agreement_measure(a, &r, RESAMPLES, 1, 0.95), 0);
    cr_expect(a[REGRET_ALPHA_INTERVAL].low < a[REGRET_ALPHA_INTERVAL].high);
}
