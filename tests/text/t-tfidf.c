#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/text.h"

static struct regret_terms *terms_of(const char *const *texts, size_t n)
{
    struct regret_tokens *tokens = NULL;
    struct regret_terms *terms = NULL;
    struct regret_terms_options options = {0, 1};
    cr_assert_eq(regret_tokens_build(&tokens, texts, n), REGRET_OK);
    cr_assert_eq(regret_terms_build(&terms, tokens, &options), REGRET_OK);
    regret_tokens_free(tokens);
    return terms;
}

static double at(const struct regret_csr *m, size_t i, size_t j)
{
    for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
        if (m->column[e] == j) {
            return m->value[e];
        }
    }
    return 0.0;
}

/* Unigrams a b c d e are columns 0..4. */
static const char *const texts[] = {"a b b", "a c", "d a", "", "e c c c"};

Test(tfidf, by_hand)
{
    struct regret_terms *terms = terms_of(texts, 5);
    struct regret_tfidf_options options = REGRET_TFIDF_OPTIONS_INIT;
    struct regret_tfidf *tfidf = NULL;
    struct regret_csr *x = NULL;
    const double w[] = {2, 1, 0, 1, 0}; /* N = 4; d and e do not occur */
    cr_assert_eq(regret_tfidf_fit(&tfidf, terms, w, &options), REGRET_OK);
    cr_assert_eq(tfidf->n_terms, 3);
    cr_assert(tfidf->column_of[0] == 0 && tfidf->column_of[1] == 1 && tfidf->column_of[2] == 2);
    cr_assert(tfidf->column_of[3] == UINT32_MAX && tfidf->column_of[4] == UINT32_MAX);
    double a = log(5.0 / 4.0) + 1, b = log(5.0 / 3.0) + 1, c = log(5.0 / 2.0) + 1;
    cr_assert_float_eq(tfidf->idf[0], a, 1e-15);
    cr_assert_float_eq(tfidf->idf[1], b, 1e-15);
    cr_assert_float_eq(tfidf->idf[2], c, 1e-15);
    cr_assert_eq(regret_tfidf_transform(&x, tfidf, terms), REGRET_OK);
    cr_assert(x->rows == 5 && x->cols == 3);
    double length = sqrt(a * a + 4 * b * b);
    cr_assert_float_eq(at(x, 0, 0), a / length, 1e-15);
    cr_assert_float_eq(at(x, 0, 1), 2 * b / length, 1e-15);
    cr_assert_float_eq(at(x, 1, 2), c / sqrt(a * a + c * c), 1e-15);
    cr_assert_float_eq(at(x, 2, 0), 1.0, 1e-15); /* outside the sample, only `a` is known */
    cr_assert_eq(x->row_start[3], x->row_start[4]);
    cr_assert_float_eq(at(x, 4, 2), 1.0, 1e-15);
    regret_csr_free(x);
    regret_tfidf_free(tfidf);
    regret_terms_free(terms);
}

Test(tfidf, a_weight_equals_repetition)
{
    const char *repeated[] = {"a b b", "a b b", "a c", ""};
    const double w[] = {2, 1, 0, 1, 0};
    struct regret_terms *terms = terms_of(texts, 5), *again = terms_of(repeated, 4);
    struct regret_tfidf_options options = REGRET_TFIDF_OPTIONS_INIT;
    struct regret_tfidf *weighted = NULL, *plain = NULL;
    cr_assert_eq(regret_tfidf_fit(&weighted, terms, w, &options), REGRET_OK);
    cr_assert_eq(regret_tfidf_fit(&plain, again, NULL, &options), REGRET_OK);
    cr_assert_eq(weighted->n_terms, plain->n_terms);
    cr_assert_arr_eq(weighted->idf, plain->idf, plain->n_terms * sizeof(double));
    regret_tfidf_free(weighted);
    regret_tfidf_free(plain);
    regret_terms_free(terms);
    regret_terms_free(again);
}

Test(tfidf, the_cap_keeps_the_most_frequent_terms)
{
    struct regret_terms *terms = terms_of(texts, 5);
    struct regret_tfidf_options options = {2};
    struct regret_tfidf *tfidf = NULL;
    /* totals: a 3, b 2, c 4, d 1, e 1 */
    cr_assert_eq(regret_tfidf_fit(&tfidf, terms, NULL, &options), REGRET_OK);
    cr_assert_eq(tfidf->n_terms, 2);
    cr_assert(tfidf->column_of[0] == 0 && tfidf->column_of[2] == 1);
    cr_assert_eq(tfidf->column_of[1], UINT32_MAX);
    regret_tfidf_free(tfidf);
    options.max_terms = 4; /* d and e tie: the lower column wins */
    cr_assert_eq(regret_tfidf_fit(&tfidf, terms, NULL, &options), REGRET_OK);
    cr_assert_eq(tfidf->column_of[3], 3);
    cr_assert_eq(tfidf->column_of[4], UINT32_MAX);
    regret_tfidf_free(tfidf);
    const double w[] = {3, 1, 0, 0, 0}; /* weighted totals: a 4, b 6, c 1 */
    options.max_terms = 1;
    cr_assert_eq(regret_tfidf_fit(&tfidf, terms, w, &options), REGRET_OK);
    cr_assert_eq(tfidf->column_of[1], 0);
    cr_assert_eq(tfidf->n_terms, 1);
    regret_tfidf_free(tfidf);
    regret_terms_free(terms);
}

Test(tfidf, bad_input_is_refused)
{
    struct regret_terms *terms = terms_of(texts, 5), *other = terms_of(texts, 2);
    struct regret_tfidf_options options = REGRET_TFIDF_OPTIONS_INIT;
    struct regret_tfidf *tfidf = NULL;
    struct regret_csr *x = NULL;
    const double none[5] = {0}, negative[5] = {1, 1, -2, 1, 1};
    cr_assert_eq(regret_tfidf_fit(&tfidf, terms, none, &options), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "positive weight"));
    cr_assert_eq(regret_tfidf_fit(&tfidf, terms, negative, &options), REGRET_E_INPUT);
    options.max_terms = 0;
    cr_assert_eq(regret_tfidf_fit(&tfidf, terms, NULL, &options), REGRET_E_INPUT);
    cr_assert_null(tfidf);
    options.max_terms = 10;
    cr_assert_eq(regret_tfidf_fit(&tfidf, other, NULL, &options), REGRET_OK);
    cr_assert_eq(regret_tfidf_transform(&x, tfidf, terms), REGRET_E_INPUT);
    cr_assert_null(x);
    regret_tfidf_free(tfidf);
    regret_terms_free(terms);
    regret_terms_free(other);
}

/* More documents than are projected at a time: those that are alike come out alike, in the sample or not. */
Test(tfidf, projects_every_document)
{
    enum { N = 70001, KINDS = 5, RANK = 3 };
    static const char *const kinds[KINDS] = {"red apples fall", "green apples hang", "red birds",
                                             "birds eat green apples", "nothing falls"};
    const char **many = malloc(N * sizeof *many);
    double *t = malloc((size_t)N * RANK * sizeof *t), *weight = calloc(N, sizeof *weight), size = 0;
    struct regret_tfidf_options options = REGRET_TFIDF_OPTIONS_INIT;
    struct regret_svd_options svd = REGRET_SVD_OPTIONS_INIT;
    size_t rank = 0;
    svd.rank = RANK;
    for (size_t i = 0; i < N; i++) {
        many[i] = kinds[i % KINDS];
        weight[i] = i > 40000 && i <= 40000 + KINDS ? 1.0 : 0.0;
    }
    struct regret_terms *terms = terms_of(many, N);
    cr_assert_eq(regret_tfidf_svd(t, &rank, terms, weight, &options, &svd), REGRET_OK);
    cr_assert_eq(rank, RANK);
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < RANK; k++) {
            cr_assert_eq(t[i + k * N], t[i % KINDS + k * N], "document %zu", i);
            size += fabs(t[i + k * N]);
        }
    }
    cr_assert_gt(size, 0.1 * N);
    regret_terms_free(terms);
    free(many);
    free(t);
    free(weight);
}

Test(tfidf, documents_without_terms)
{
    const char *const blank[] = {"", ". ."};
    struct regret_terms *terms = terms_of(blank, 2);
    struct regret_tfidf_options options = REGRET_TFIDF_OPTIONS_INIT;
    struct regret_svd_options svd = REGRET_SVD_OPTIONS_INIT;
    double t[2 * 50];
    size_t rank = 9;
    memset(t, 1, sizeof t);
    cr_assert_eq(regret_tfidf_svd(t, &rank, terms, NULL, &options, &svd), REGRET_OK);
    cr_assert_eq(rank, 0);
    for (size_t i = 0; i < 100; i++) {
        cr_assert_eq(t[i], 0.0);
    }
    regret_terms_free(terms);
}
