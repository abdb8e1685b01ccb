#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/status.h"
#include "regret/task.h"
#include "regret/text.h"
#include "text/tfidf.h"

enum { N = 40, RANK = 4 };

/* Forty texts of ten words out of sixty. */
static char texts[N][200];
static const char *pointers[N];

static void make_texts(void)
{
    struct regret_rng r = regret_rng_at(4, REGRET_RNG_TEST, 0);
    for (size_t i = 0; i < N; i++) {
        texts[i][0] = '\0';
        for (int w = 0; w < 10; w++) {
            char word[16];
            double u = regret_rng_uniform(&r);
            snprintf(word, sizeof word, "word%d ", (int)(60 * u * u));
            strcat(texts[i], word);
        }
        pointers[i] = texts[i];
    }
}

static struct regret_embed_options small_options(void)
{
    struct regret_embed_options o = REGRET_EMBED_OPTIONS_INIT;
    o.svd.rank = RANK;
    return o;
}

Test(embedding, is_standardised_over_the_fitted_texts, .init = make_texts)
{
    struct regret_embed_options o = small_options();
    double e[N * RANK];
    size_t rank = 0, rows[20];
    for (size_t i = 0; i < 20; i++) {
        rows[i] = 2 * i;
    }
    cr_assert_eq(regret_embed_texts(e, &rank, pointers, N, rows, 20, &o), REGRET_OK);
    cr_assert_eq(rank, RANK);
    for (size_t k = 0; k < RANK; k++) {
        double sum = 0.0, squares = 0.0, elsewhere = 0.0;
        for (size_t i = 0; i < 20; i++) {
            sum += e[2 * i + k * N];
            squares += e[2 * i + k * N] * e[2 * i + k * N];
            elsewhere += fabs(e[2 * i + 1 + k * N]);
        }
        cr_assert_float_eq(sum, 0.0, 1e-11);
        cr_assert_float_eq(squares / 20, 1.0, 1e-11);
        cr_assert_gt(elsewhere, 1.0);
    }
}

Test(embedding, equals_its_parts_without_standardising, .init = make_texts)
{
    struct regret_embed_options o = small_options();
    struct regret_tokens *tokens = NULL;
    struct regret_terms *terms = NULL;
    double e[N * RANK], t[N * RANK];
    size_t rank = 0, parts = 0;
    o.standardise = 0;
    cr_assert_eq(regret_embed_texts(e, &rank, pointers, N, NULL, 0, &o), REGRET_OK);
    cr_assert_eq(regret_tokens_build(&tokens, pointers, N), REGRET_OK);
    cr_assert_eq(regret_terms_build(&terms, tokens, &o.terms), REGRET_OK);
    cr_assert_eq(regret_tfidf_svd(t, &parts, terms, NULL, &o.tfidf, &o.svd), REGRET_OK);
    cr_assert_eq(rank, parts);
    cr_assert_arr_eq(e, t, sizeof e);
    regret_tokens_free(tokens);
    regret_terms_free(terms);
}

Test(embedding, text_order_does_not_matter, .init = make_texts)
{
    struct regret_embed_options o = small_options();
    const char *reversed[N];
    double e[N * RANK], f[N * RANK];
    size_t rank = 0;
    for (size_t i = 0; i < N; i++) {
        reversed[i] = pointers[N - 1 - i];
    }
    cr_assert_eq(regret_embed_texts(e, &rank, pointers, N, NULL, 0, &o), REGRET_OK);
    cr_assert_eq(regret_embed_texts(f, &rank, reversed, N, NULL, 0, &o), REGRET_OK);
    for (size_t k = 0; k < RANK; k++) {
        for (size_t i = 0; i < N; i++) {
            /* The order of terms differs, and with it which of two tied entries of V is first; no
             * entries are tied here. */
            cr_assert_float_eq(e[i + k * N], f[N - 1 - i + k * N], 1e-9);
        }
    }
}

Test(embedding, a_large_set_is_sampled_by_the_seed, .init = make_texts)
{
    struct regret_embed_options o = small_options();
    double a[N * RANK], b[N * RANK], c[N * RANK];
    size_t rank = 0;
    o.max_fit = 25;
    o.seed = 1;
    cr_assert_eq(regret_embed_texts(a, &rank, pointers, N, NULL, 0, &o), REGRET_OK);
    cr_assert_eq(regret_embed_texts(b, &rank, pointers, N, NULL, 0, &o), REGRET_OK);
    o.seed = 2;
    cr_assert_eq(regret_embed_texts(c, &rank, pointers, N, NULL, 0, &o), REGRET_OK);
    cr_assert_arr_eq(a, b, sizeof a);
    cr_assert_neq(memcmp(a, c, sizeof a), 0);
}

Test(embedding, fewer_components_than_wanted, .init = make_texts)
{
    struct regret_embed_options o = small_options();
    const char *same[] = {"alpha beta", "alpha beta", "alpha beta"};
    double e[3 * RANK];
    size_t rank = 0;
    o.standardise = 0;
    cr_assert_eq(regret_embed_texts(e, &rank, same, 3, NULL, 0, &o), REGRET_OK);
    cr_assert_eq(rank, 1);
    for (size_t i = 0; i < 3 * RANK; i++) {
        cr_assert_float_eq(e[i], i < 3 ? 1.0 : 0.0, 1e-14);
    }
    const size_t far[] = {3};
    cr_assert_eq(regret_embed_texts(e, &rank, same, 3, far, 1, &o), REGRET_E_INPUT);
    cr_assert_eq(regret_embed_texts(e, &rank, same, 3, far, 0, &o), REGRET_E_INPUT);
    cr_assert_eq(regret_embed_texts(e, &rank, same, 1, NULL, 0, &o), REGRET_OK);
    cr_assert_eq(rank, 1);
}
/* Own columns: (v w + s s')/2 of numbers and 1{same} of words, all centred; s whether an octile is reached, of variance one. */
static void own_kernel(double *k, const double *v, const int *word, size_t n)
{
    enum { STEPS = 7 };
    double part[1 + STEPS + 3] = {0.0}, sorted[64], square = 0.0;
    double *x = calloc(n * sizeof part / sizeof *part, sizeof *x);
    size_t cols = sizeof part / sizeof *part;
    memcpy(sorted, v, n * sizeof *v);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j > 0 && sorted[j] < sorted[j - 1]; j--) {
            double t = sorted[j];
            sorted[j] = sorted[j - 1];
            sorted[j - 1] = t;
        }
    }
    for (size_t i = 0; i < n; i++) {
        x[i * cols] = v[i] * sqrt(0.5);
        for (size_t j = 1; j <= STEPS; j++) {
            x[i * cols + j] = v[i] >= sorted[j * n / 8] ? 1.0 : 0.0;
        }
        x[i * cols + 1 + STEPS + (size_t)word[i]] = 1.0;
        for (size_t j = 0; j < cols; j++) {
            part[j] += x[i * cols + j] / (double)n;
        }
    }
    for (size_t i = 0; i < n * cols; i++) {
        x[i] -= part[i % cols];
        square += i % cols > 0 && i % cols <= STEPS ? x[i] * x[i] / (double)n : 0.0;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t l = 0; l < n; l++) {
            k[i * n + l] = 0.0;
            for (size_t j = 0; j < cols; j++) {
                double weight = j > 0 && j <= STEPS ? 0.5 / square : 1.0;
                k[i * n + l] += weight * x[i * cols + j] * x[l * cols + j];
            }
        }
    }
    free(x);
}

/* A number, one that is constant, and a word of three kinds. */
Test(embedding, own_columns_have_the_kernel_of_their_definition)
{
    enum { ROWS = 40 };
    struct regret_rng r = regret_rng_at(3, REGRET_RNG_TEST, 5);
    double v[ROWS], kernel[ROWS * ROWS], mean = 0.0, sd = 0.0, *own = NULL;
    int word[ROWS];
    size_t rank = 0;
    struct regret_csr *m = NULL;
    for (size_t x = 0; x < ROWS; x++) {
        v[x] = floor(6.0 * regret_rng_uniform(&r)); /* with ties */
        word[x] = (int)(3.0 * regret_rng_uniform(&r));
        mean += v[x] / ROWS;
    }
    for (size_t x = 0; x < ROWS; x++) {
        sd += (v[x] - mean) * (v[x] - mean) / ROWS;
    }
    cr_assert_eq(regret_csr_new(&m, ROWS, 5, 3 * ROWS), 0);
    for (size_t x = 0; x < ROWS; x++) {
        v[x] = (v[x] - mean) / sqrt(sd);
        const double value[3] = {v[x], 0.0, 1.0};
        for (size_t j = 0; j < 3; j++) {
            m->column[3 * x + j] = (uint32_t)(j < 2 ? j : 2 + (size_t)word[x]);
            m->value[3 * x + j] = value[j];
        }
        m->row_start[x + 1] = 3 * (x + 1);
    }
    own_kernel(kernel, v, word, ROWS);
    cr_assert_eq(own_columns_make(&own, &rank, m), 0);
    cr_assert_leq(rank, 8);
    for (size_t x = 0; x < ROWS; x++) {
        for (size_t y = 0; y < ROWS; y++) {
            double sum = 0.0;
            for (size_t j = 0; j < rank; j++) {
                sum += own[j * ROWS + x] * own[j * ROWS + y];
            }
            cr_expect_float_eq(sum, kernel[x * ROWS + y], 1e-12, "%zu, %zu", x, y);
        }
    }
    regret_free(own);
    regret_csr_free(m);
}

Test(embedding, own_columns_that_are_all_alike_have_no_direction)
{
    struct regret_csr *m = NULL;
    double *own = NULL;
    size_t rank = 1;
    cr_assert_eq(own_columns_make(&own, &rank, NULL), 0);
    cr_expect(own == NULL && rank == 0);
    cr_assert_eq(regret_csr_new(&m, 3, 2, 6), 0);
    for (size_t e = 0; e < 6; e++) {
        m->column[e] = e % 2;
        m->value[e] = e % 2 ? 1.0 : 0.0; /* a number; the only word */
        m->row_start[e / 2 + 1] = 2 * (e / 2 + 1);
    }
    cr_assert_eq(own_columns_make(&own, &rank, m), 0);
    cr_expect(own == NULL && rank == 0);
    regret_csr_free(m);
}
