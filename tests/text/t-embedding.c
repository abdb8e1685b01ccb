#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/rng.h"
#include "regret/tfidf.h"

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
