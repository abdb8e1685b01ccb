/* Agents compared within requests, against a reference in NumPy. */
#include <criterion/criterion.h>
#include <math.h>

#include "value/within.h"

enum { N = 10, M = 3 };

/* Ten requests of two tags by three agents, with five scores unknown; a row a request. */
static const double Y[N * M] = {.9,  .4, NAN, .8,  .5, .3, .7, .2, .6, .9, .6, .4, NAN, .8, .5,
                                NAN, .9, .4,  NAN, .7, .6, .3, .6, .2, .8, .3, .4, .2,  .7, NAN};
static const uint32_t TAG[N] = {0, 0, 0, 0, 1, 1, 1, 1, 0, 1};

static void expect_gain(const struct within *w, size_t a, size_t b, double gain, double se)
{
    const struct within_gain got = within_gain(w, a, b);
    cr_expect_float_eq(got.gain, gain, 1e-9, "%zu less %zu: %.10f", a, b, got.gain);
    cr_expect_float_eq(got.se, se, 1e-9, "%zu less %zu: %.10f", a, b, got.se);
}

Test(within, reference)
{
    static const double by_tag[M] = {0.0680747126, 0.0425574713, -0.1106321839};
    static const double alone[M] = {0.1617737003, 0.0039755352, -0.1657492355};
    struct within w;
    cr_assert_eq(within_make(&w, Y, N, M, TAG, 2), 0);
    for (size_t a = 0; a < M; a++) {
        cr_expect_float_eq(w.effect[a], by_tag[a], 1e-9, "%.10f", w.effect[a]);
    }
    expect_gain(&w, 0, 1, 0.0255172414, 0.1399799565);
    expect_gain(&w, 0, 2, 0.1787068966, 0.0979352208);
    expect_gain(&w, 1, 2, 0.1531896552, 0.0973180881);
    within_free(&w);
    cr_assert_eq(within_make(&w, Y, N, M, NULL, 1), 0);
    for (size_t a = 0; a < M; a++) {
        cr_expect_float_eq(w.effect[a], alone[a], 1e-9, "%.10f", w.effect[a]);
    }
    within_free(&w);
}

/* Of a complete table: the means, paired differences and their errors. */
Test(within, complete)
{
    double y[N * M], mean[M] = {0.0}, square = 0.0;
    struct within w;
    for (size_t i = 0; i < N * M; i++) {
        y[i] = isnan(Y[i]) ? 0.25 : Y[i];
        mean[i % M] += y[i] / N;
    }
    for (size_t i = 0; i < N; i++) {
        double d = y[i * M] - y[i * M + 1] - mean[0] + mean[1];
        square += d * d;
    }
    cr_assert_eq(within_make(&w, y, N, M, NULL, 1), 0);
    for (size_t a = 0; a < M; a++) {
        cr_expect_float_eq(w.effect[a] + w.common, mean[a], 1e-12);
    }
    expect_gain(&w, 0, 1, mean[0] - mean[1], sqrt(square / (N * (N - 1.0))));
    within_free(&w);
}

/* Whom fewer than three common requests join to the others is not ranked. */
Test(within, apart)
{
    double y[N * M];
    struct within w;
    for (size_t i = 0; i < N * M; i++) {
        y[i] = i % M == 2 && i / M > 1 ? (double)NAN : Y[i];
    }
    cr_assert_eq(within_make(&w, y, N, M, NULL, 1), 0);
    cr_expect(isnan(w.effect[2]) && isfinite(w.effect[0]) && isfinite(w.effect[1]));
    cr_expect(isnan(within_gain(&w, 0, 2).se) && isnan(within_level_se(&w, 2)));
    within_free(&w);
}
