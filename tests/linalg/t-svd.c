#include <lapacke.h>
#include <stdio.h>
#include <string.h>

#include "random_matrix.h"
#include "regret/design.h"

/* Reference: LAPACK dgesvd of dense diag(√w) X. vt is min(m,n) x n. */
static void dense_svd(double **singular, double **vt, const double *x, size_t m, size_t n,
                      const double *w)
{
    size_t s = m < n ? m : n;
    double *a = malloc(m * n * sizeof *a), *work = malloc(s * sizeof *work);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < m; i++) {
            a[i + j * m] = x[i + j * m] * (w == NULL ? 1.0 : sqrt(w[i]));
        }
    }
    *singular = malloc(s * sizeof **singular);
    *vt = malloc(s * n * sizeof **vt);
    cr_assert_eq(LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'S', (lapack_int)m, (lapack_int)n, a,
                                (lapack_int)m, *singular, NULL, 1, *vt, (lapack_int)s, work),
                 0);
    free(a);
    free(work);
}

/* Every component equals the reference up to sign, and its sign is the rule's. */
static void check_against_dense(const struct regret_svd *svd, const double *x, size_t m, size_t n,
                                const double *w, double tolerance)
{
    double *singular, *vt;
    size_t s = m < n ? m : n;
    dense_svd(&singular, &vt, x, m, n, w);
    for (size_t k = 0; k < svd->rank; k++) {
        cr_assert_float_eq(svd->singular[k], singular[k], tolerance, "σ_%zu %g v. %g", k,
                           svd->singular[k], singular[k]);
        double dot = 0.0, largest = 0.0, signed_largest = 0.0;
        for (size_t j = 0; j < n; j++) {
            double v = svd->v[j + k * n];
            dot += v * vt[k + j * s];
            if (fabs(v) > largest) {
                largest = fabs(v);
                signed_largest = v;
            }
        }
        cr_assert_float_eq(fabs(dot), 1.0, tolerance, "v_%zu: cosine %g", k, dot);
        cr_assert_gt(signed_largest, 0.0);
    }
    free(singular);
    free(vt);
}

static void check_shape(size_t m, size_t n, enum regret_svd_method method, double tolerance)
{
    double *d, *w = malloc(m * sizeof *w);
    struct regret_csr *x = random_csr(&d, m, n, 0.4, m * 1000 + n);
    for (size_t i = 0; i < m; i++) {
        w[i] = (double)(i % 4);
    }
    struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
    struct regret_svd *svd = NULL;
    options.rank = 5;
    options.method = method;
    cr_assert_eq(regret_svd_fit(&svd, x, w, &options), REGRET_OK);
    cr_assert_eq(svd->rank, 5);
    check_against_dense(svd, d, m, n, w, tolerance);
    double *projected = malloc(m * 5 * sizeof *projected);
    cr_assert_eq(regret_svd_project(projected, svd, x), REGRET_OK);
    for (size_t k = 0; k < 5; k++) { /* σ² = Σ w (x·v)² */
        double squares = 0.0;
        for (size_t i = 0; i < m; i++) {
            squares += w[i] * projected[i + k * m] * projected[i + k * m];
        }
        cr_assert_float_eq(sqrt(squares), svd->singular[k], 1e-6);
    }
    regret_svd_free(svd);
    regret_csr_free(x);
    free(projected);
    free(d);
    free(w);
}

Test(svd, exact_agrees_with_lapack_wide_and_tall)
{
    check_shape(20, 50, REGRET_SVD_EXACT, 1e-10);
    check_shape(50, 20, REGRET_SVD_EXACT, 1e-10);
    check_shape(30, 30, REGRET_SVD_AUTO, 1e-10);
}

Test(svd, lanczos_agrees_with_lapack)
{
    check_shape(60, 90, REGRET_SVD_LANCZOS, 1e-10);
    check_shape(120, 40, REGRET_SVD_LANCZOS, 1e-10);
    check_shape(61, 61, REGRET_SVD_LANCZOS, 1e-10);
    check_shape(301, 203, REGRET_SVD_LANCZOS, 1e-10);
    check_shape(300, 900, REGRET_SVD_AUTO, 1e-10);
}

/* Two decompositions of one matrix: values, and vectors as far as their values are apart. */
static void check_same(const struct regret_svd *a, const struct regret_svd *b, const char *where)
{
    cr_assert_eq(a->rank, b->rank, "%s: ranks %zu and %zu", where, a->rank, b->rank);
    for (size_t k = 0; k < a->rank; k++) {
        double sigma = a->singular[k], first = a->singular[0] * a->singular[0];
        double below = k + 1 < a->rank ? a->singular[k + 1] : 0.0;
        double above = k > 0 ? a->singular[k - 1] : 2.0 * sigma;
        double gap = fmin(above * above - sigma * sigma, sigma * sigma - below * below) / first;
        cr_assert_float_eq(sigma, b->singular[k], 1e-12 * a->singular[0], "%s: σ_%zu", where, k);
        for (size_t j = 0; k + 1 < a->rank && gap > 1e-6 && j < a->n_columns; j++) {
            size_t at = j + k * a->n_columns;
            cr_assert_float_eq(a->v[at], b->v[at], 1e-12 / gap, "%s: v_%zu", where, k);
        }
    }
}

/* A matrix like a TF-IDF: words of a few texts and of nearly all, rows of length one. */
static struct regret_csr *random_texts(size_t rows, size_t cols, size_t words, uint64_t seed)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 5);
    size_t n = rows * words, *row = malloc(n * sizeof *row), *column = malloc(n * sizeof *column);
    double *value = malloc(n * sizeof *value);
    struct regret_csr *m = NULL;
    for (size_t e = 0; e < n; e++) {
        row[e] = e / words;
        column[e] = (size_t)exp(log((double)cols) * regret_rng_uniform(&r)) - 1;
        value[e] = 1.0;
    }
    cr_assert_eq(regret_csr_from_triplets(&m, rows, cols, n, row, column, value), REGRET_OK);
    for (size_t i = 0; i < rows; i++) {
        double squares = 0.0;
        for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
            squares += m->value[e] * m->value[e];
        }
        for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
            m->value[e] /= sqrt(squares);
        }
    }
    free(row);
    free(column);
    free(value);
    return m;
}

/* The methods agree below and above every size at which one takes over from the other. */
/* Under the sanitizers every other case, those on both sides of where the method changes among them. */
#ifdef REGRET_FEW_REPLICATES
enum { EACH = 2 };
#else
enum { EACH = 1 };
#endif

Test(svd, lanczos_agrees_with_the_exact_method_at_every_size)
{
    const size_t rows[] = {60, 99, 119, 120, 121, 250, 599, 600, 601, 901};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += EACH) {
        struct regret_csr *x = random_texts(rows[i], 3 * rows[i], 40, i);
        for (size_t rank = 10; rank <= 50; rank += 40) {
            struct regret_svd *svd[3] = {NULL};
            char where[60];
            const enum regret_svd_method method[] = {REGRET_SVD_EXACT, REGRET_SVD_LANCZOS,
                                                     REGRET_SVD_AUTO};
            for (int k = 0; k < 3; k++) {
                struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
                options.rank = rank;
                options.method = method[k];
                options.seed = i;
                cr_assert_eq(regret_svd_fit(&svd[k], x, NULL, &options), REGRET_OK);
            }
            snprintf(where, sizeof where, "%zu rows, rank %zu", rows[i], rank);
            check_same(svd[0], svd[1], where);
            check_same(svd[0], svd[2], where);
            for (int k = 0; k < 3; k++) {
                regret_svd_free(svd[k]);
            }
        }
        regret_csr_free(x);
    }
}

/* The singular values by Lanczos are `expected`, whatever the seed, and V has orthonormal columns. */
static void check_values(const struct regret_csr *x, const double *expected, size_t rank)
{
    for (uint64_t seed = 0; seed < 2; seed++) {
        struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
        struct regret_svd *svd = NULL, *again = NULL;
        options.method = REGRET_SVD_LANCZOS;
        options.rank = rank;
        options.seed = seed;
        cr_assert_eq(regret_svd_fit(&svd, x, NULL, &options), REGRET_OK, "%s",
                     regret_error_message());
        cr_assert_eq(regret_svd_fit(&again, x, NULL, &options), REGRET_OK);
        cr_assert_eq(svd->rank, rank);
        cr_assert_arr_eq(svd->v, again->v, svd->n_columns * rank * sizeof(double));
        for (size_t k = 0; k < rank; k++) {
            cr_assert_float_eq(svd->singular[k], expected[k], 1e-12 * expected[0],
                               "seed %zu: σ_%zu %.17g, not %.17g", (size_t)seed, k,
                               svd->singular[k], expected[k]);
            for (size_t l = 0; l <= k; l++) {
                double dot = 0.0;
                for (size_t j = 0; j < svd->n_columns; j++) {
                    dot += svd->v[j + k * svd->n_columns] * svd->v[j + l * svd->n_columns];
                }
                cr_assert_float_eq(dot, k == l, 1e-12);
            }
        }
        regret_svd_free(svd);
        regret_svd_free(again);
    }
}

/* diag(value): known singular values, each as often as it is wished. */
static struct regret_csr *diagonal(const double *value, size_t n)
{
    size_t *place = malloc(n * sizeof *place);
    struct regret_csr *m = NULL;
    for (size_t i = 0; i < n; i++) {
        place[i] = i;
    }
    cr_assert_eq(regret_csr_from_triplets(&m, n, n + 3, n, place, place, value), REGRET_OK);
    free(place);
    return m;
}

Test(svd, lanczos_finds_every_copy_of_a_value)
{
    enum { N = 400, RANK = 30 };
    static const size_t copies[][4] = {
        {1, 1, 1, 1}, {5, 9, 2, 30}, {13, 1, 20, 1}, {40, 1, 1, 1}, {3, 40, 1, 9}};
    for (size_t c = 0; c < sizeof copies / sizeof *copies; c += EACH) {
        double value[N];
        size_t n = 0;
        for (size_t level = 0; level < 4; level++) {
            for (size_t i = 0; i < copies[c][level]; i++) {
                value[n++] = 5.0 - (double)level;
            }
        }
        for (; n < N; n++) {
            value[n] = 1.9 / (1.0 + 0.03 * (double)n);
        }
        double shuffled[N];
        for (size_t i = 0; i < N; i++) {
            shuffled[i * 7 % N] = value[i]; /* 7 and N have no common divisor */
        }
        struct regret_csr *x = diagonal(shuffled, N);
        check_values(x, value, RANK);
        regret_csr_free(x);
    }
}

/* Names of agents in the place of outputs: a word of ten and one of its own, once to four times. The values are few, each of many
 * copies, so that a block of Lanczos has nearly nothing beyond the basis again and again. */
Test(svd, lanczos_copes_with_names)
{
    enum { AGENTS = 260, KINDS = 10, MOST = 4 * AGENTS, RANK = 50, SEEDS = 24 / EACH };
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 6);
        size_t row[2 * MOST], column[2 * MOST], n = 0;
        double value[2 * MOST];
        for (size_t a = 0; a < AGENTS; a++) {
            for (size_t copies = 1 + (size_t)(4.0 * regret_rng_uniform(&r)); copies-- > 0; n++) {
                row[2 * n] = row[2 * n + 1] = n;
                column[2 * n] = a % KINDS;
                column[2 * n + 1] = KINDS + a;
                value[2 * n] = 0.4;
                value[2 * n + 1] = 0.9;
            }
        }
        struct regret_csr *x = NULL;
        struct regret_svd *svd[2] = {NULL};
        char where[40];
        cr_assert_eq(regret_csr_from_triplets(&x, n, KINDS + AGENTS, 2 * n, row, column, value), 0);
        for (size_t k = 0; k < 2; k++) {
            struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
            options.rank = RANK;
            options.method = k == 0 ? REGRET_SVD_EXACT : REGRET_SVD_LANCZOS;
            options.seed = seed;
            cr_assert_eq(regret_svd_fit(&svd[k], x, NULL, &options), REGRET_OK, "%s",
                         regret_error_message());
        }
        snprintf(where, sizeof where, "seed %d", (int)seed);
        for (size_t k = 0; k < RANK; k++) {
            cr_assert_float_eq(svd[0]->singular[k], svd[1]->singular[k],
                               1e-12 * svd[0]->singular[0], "%s: σ_%zu %.17g %.17g", where, k,
                               svd[0]->singular[k], svd[1]->singular[k]);
        }
        regret_svd_free(svd[0]);
        regret_svd_free(svd[1]);
        regret_csr_free(x);
    }
}

Test(svd, lanczos_copes_with_what_has_no_directions_left)
{
    enum { N = 300, RANK = 20 };
    double one[N], few[N];
    for (size_t i = 0; i < N; i++) {
        one[i] = 1.0;
        few[i] = i < 24 ? 24.0 - (double)i : 0.0;
    }
    struct regret_csr *x = diagonal(one, N); /* every vector is singular */
    check_values(x, one, RANK);
    regret_csr_free(x);
    x = diagonal(few, N); /* of rank 24 */
    check_values(x, few, RANK);
    regret_csr_free(x);
    struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
    struct regret_svd *svd = NULL;
    options.method = REGRET_SVD_LANCZOS;
    x = diagonal(few, N); /* fewer than are wanted */
    cr_assert_eq(regret_svd_fit(&svd, x, NULL, &options), REGRET_OK);
    cr_assert_eq(svd->rank, 24);
    regret_svd_free(svd);
    svd = NULL;
    x->value[5] = NAN;
    cr_assert_eq(regret_svd_fit(&svd, x, NULL, &options), REGRET_E_NUMERIC);
    cr_assert_null(svd);
    regret_csr_free(x);
}

Test(svd, a_weight_equals_repetition_and_row_order_does_not_matter)
{
    enum { M = 7, N = 12 };
    double *d;
    struct regret_csr *x = random_csr(&d, M, N, 0.6, 10), *repeated = NULL;
    const double w[M] = {1, 0, 3, 1, 2, 0, 1};
    size_t row[8 * N], column[8 * N], n = 0, r = 0;
    double value[8 * N];
    for (size_t i = M; i-- > 0;) { /* from the last row to the first */
        for (size_t c = 0; c < (size_t)w[i]; c++, r++) {
            for (size_t j = 0; j < N; j++) {
                row[n] = r;
                column[n] = j;
                value[n++] = d[i + j * M];
            }
        }
    }
    cr_assert_eq(regret_csr_from_triplets(&repeated, r, N, n, row, column, value), REGRET_OK);
    struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
    struct regret_svd *a = NULL, *b = NULL;
    options.rank = 4;
    cr_assert_eq(regret_svd_fit(&a, x, w, &options), REGRET_OK);
    cr_assert_eq(regret_svd_fit(&b, repeated, NULL, &options), REGRET_OK);
    cr_assert_eq(a->rank, b->rank);
    for (size_t k = 0; k < a->rank; k++) {
        cr_assert_float_eq(a->singular[k], b->singular[k], 1e-12);
        for (size_t j = 0; j < N; j++) {
            cr_assert_float_eq(a->v[j + k * N], b->v[j + k * N], 1e-10);
        }
    }
    regret_svd_free(a);
    regret_svd_free(b);
    regret_csr_free(x);
    regret_csr_free(repeated);
    free(d);
}

Test(svd, tied_entries_are_signed_by_the_lowest_index)
{
    /* One row (1, -1, 0): v = ±(1, -1, 0)/√2, and index 0 decides. */
    const size_t row[] = {0, 0}, column[] = {0, 1};
    for (int sign = -1; sign <= 1; sign += 2) {
        const double value[] = {sign, -sign};
        struct regret_csr *x = NULL;
        struct regret_svd *svd = NULL;
        struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
        cr_assert_eq(regret_csr_from_triplets(&x, 1, 3, 2, row, column, value), REGRET_OK);
        cr_assert_eq(regret_svd_fit(&svd, x, NULL, &options), REGRET_OK);
        cr_assert_eq(svd->rank, 1);
        cr_assert_float_eq(svd->singular[0], sqrt(2.0), 1e-14);
        cr_assert_float_eq(svd->v[0], sqrt(0.5), 1e-14);
        cr_assert_float_eq(svd->v[1], -sqrt(0.5), 1e-14);
        regret_svd_free(svd);
        regret_csr_free(x);
    }
}

Test(svd, rank_is_reported_honestly)
{
    double *d;
    struct regret_csr *one = random_csr(&d, 1, 30, 0.7, 11);
    size_t row[6 * 30], column[6 * 30], n = 0;
    double value[6 * 30];
    for (size_t i = 0; i < 6; i++) { /* six multiples of one row */
        for (size_t j = 0; j < 30; j++) {
            row[n] = i;
            column[n] = j;
            value[n++] = (1.0 + (double)i) * d[j];
        }
    }
    struct regret_csr *x = NULL, *zero = NULL;
    cr_assert_eq(regret_csr_from_triplets(&x, 6, 30, n, row, column, value), REGRET_OK);
    cr_assert_eq(regret_csr_from_triplets(&zero, 6, 30, 0, NULL, NULL, NULL), REGRET_OK);
    enum regret_svd_method methods[] = {REGRET_SVD_EXACT, REGRET_SVD_LANCZOS};
    for (int k = 0; k < 2; k++) {
        struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
        struct regret_svd *svd = NULL;
        options.rank = 3;
        options.method = methods[k];
        cr_assert_eq(regret_svd_fit(&svd, x, NULL, &options), REGRET_OK);
        cr_assert_eq(svd->rank, 1);
        regret_svd_free(svd);
        svd = NULL;
        cr_assert_eq(regret_svd_fit(&svd, zero, NULL, &options), REGRET_OK);
        cr_assert_eq(svd->rank, 0);
        cr_assert_eq(regret_svd_project(value, svd, zero), REGRET_OK);
        regret_svd_free(svd);
    }
    regret_csr_free(one);
    regret_csr_free(x);
    regret_csr_free(zero);
    free(d);
}

Test(svd, bad_input_is_refused)
{
    double *d, *e;
    struct regret_csr *x = random_csr(&d, 4, 6, 0.9, 12), *y = random_csr(&e, 4, 5, 0.9, 12);
    struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
    struct regret_svd *svd = NULL;
    const double none[4] = {0, 0, 0, 0}, negative[4] = {1, -1, 1, 1}, nan[4] = {1, NAN, 1, 1};
    cr_assert_eq(regret_svd_fit(&svd, x, none, &options), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "positive weight"));
    cr_assert_eq(regret_svd_fit(&svd, x, negative, &options), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "row 1"));
    cr_assert_eq(regret_svd_fit(&svd, x, nan, &options), REGRET_E_INPUT);
    options.rank = 0;
    cr_assert_eq(regret_svd_fit(&svd, x, NULL, &options), REGRET_E_INPUT);
    options.rank = 2;
    x->value[0] = NAN;
    cr_assert_eq(regret_svd_fit(&svd, x, NULL, &options), REGRET_E_NUMERIC);
    cr_assert_null(svd);
    cr_assert_eq(regret_svd_fit(&svd, y, NULL, &options), REGRET_OK);
    cr_assert_eq(regret_svd_project(d, svd, x), REGRET_E_INPUT);
    regret_svd_free(svd);
    regret_csr_free(x);
    regret_csr_free(y);
    free(d);
    free(e);
}

Test(svd, allocation_failures_leave_nothing_behind)
{
    double *d;
    struct regret_csr *x = random_csr(&d, 30, 40, 0.3, 13);
    enum regret_svd_method methods[] = {REGRET_SVD_EXACT, REGRET_SVD_LANCZOS};
    for (int method = 0; method < 2; method++) {
        struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
        int rc = REGRET_E_NOMEM;
        options.rank = 3;
        options.method = methods[method];
        for (long k = 0; rc != REGRET_OK; k++) {
            struct regret_svd *svd = NULL;
            regret_alloc_fail_after(k);
            rc = regret_svd_fit(&svd, x, NULL, &options);
            regret_alloc_fail_after(-1);
            cr_assert(rc == REGRET_OK || (rc == REGRET_E_NOMEM && svd == NULL));
            cr_assert_lt(k, 200);
            regret_svd_free(svd);
        }
    }
    regret_csr_free(x);
    free(d);
}
