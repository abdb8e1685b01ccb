#include <stdio.h>
#include <string.h>

#include "random_matrix.h"

/* Σ_k a(i,k) b(j,k) with both dense. */
static double dot_rows(const double *a, size_t rows_a, size_t i, const double *b, size_t rows_b,
                       size_t j, size_t cols)
{
    double sum = 0.0;
    for (size_t k = 0; k < cols; k++) {
        sum += a[i + k * rows_a] * b[j + k * rows_b];
    }
    return sum;
}

Test(csr, triplets_are_sorted_and_summed)
{
    const size_t row[] = {2, 0, 2, 0, 2}, column[] = {1, 3, 0, 3, 1};
    const double value[] = {1, 2, 3, 4, 5};
    struct regret_csr *m = NULL;
    cr_assert_eq(regret_csr_from_triplets(&m, 4, 5, 5, row, column, value), REGRET_OK);
    const size_t start[] = {0, 1, 1, 3, 3};
    cr_assert_arr_eq(m->row_start, start, sizeof start);
    cr_assert_eq(regret_csr_entries(m), 3);
    cr_assert(m->column[0] == 3 && m->value[0] == 6);
    cr_assert(m->column[1] == 0 && m->value[1] == 3);
    cr_assert(m->column[2] == 1 && m->value[2] == 6);
    struct regret_csr *bad = NULL;
    cr_assert_eq(regret_csr_from_triplets(&bad, 4, 3, 5, row, column, value), REGRET_E_INPUT);
    cr_assert_null(bad);
    cr_assert_not_null(strstr(regret_error_message(), "(0, 3)"));
    regret_csr_free(m);
}

Test(csr, gram_agrees_with_dense)
{
    double *a_dense, *b_dense;
    struct regret_csr *a = random_csr(&a_dense, 23, 40, 0.3, 1);
    struct regret_csr *b = random_csr(&b_dense, 11, 40, 0.3, 2);
    double k[23 * 23], cross[23 * 11];
    cr_assert_eq(regret_csr_gram(k, a, NULL), REGRET_OK);
    cr_assert_eq(regret_csr_gram(cross, a, b), REGRET_OK);
    for (size_t i = 0; i < 23; i++) {
        for (size_t j = 0; j < 23; j++) {
            cr_assert_float_eq(k[i + j * 23], dot_rows(a_dense, 23, i, a_dense, 23, j, 40), 1e-13);
            cr_assert_eq(k[i + j * 23], k[j + i * 23]);
        }
        for (size_t j = 0; j < 11; j++) {
            cr_assert_float_eq(cross[i + j * 23], dot_rows(a_dense, 23, i, b_dense, 11, j, 40),
                               1e-13);
        }
    }
    double *narrow_dense;
    struct regret_csr *narrow = random_csr(&narrow_dense, 3, 39, 0.5, 3);
    cr_assert_eq(regret_csr_gram(cross, a, narrow), REGRET_E_INPUT);
    regret_csr_free(a);
    regret_csr_free(b);
    regret_csr_free(narrow);
    free(narrow_dense);
    free(a_dense);
    free(b_dense);
}

Test(csr, products_agree_with_dense)
{
    enum { M = 17, N = 29 };
    double *d;
    struct regret_csr *a = random_csr(&d, M, N, 0.25, 4);
    for (size_t k = 1; k <= 19; k += 6) { /* below, at and across the width of a panel */
        double *x = random_dense(N, k, k);
        double *ax = malloc(M * k * sizeof *ax);
        cr_assert_eq(regret_csr_times_dense(ax, a, x, k), REGRET_OK);
        for (size_t c = 0; c < k; c++) {
            for (size_t i = 0; i < M; i++) {
                double sum = 0.0;
                for (size_t j = 0; j < N; j++) {
                    sum += d[i + j * M] * x[j + c * N];
                }
                cr_assert_float_eq(ax[i + c * M], sum, 1e-13);
            }
        }
        free(x);
        free(ax);
    }
    regret_csr_free(a);
    free(d);
}

Test(csr, transpose_and_row_scaling)
{
    double *d;
    struct regret_csr *a = random_csr(&d, 9, 7, 0.4, 5), *t = NULL, *back = NULL, *scaled = NULL;
    cr_assert_eq(regret_csr_transpose(&t, a), REGRET_OK);
    for (size_t i = 0; i < t->rows; i++) {
        for (size_t e = t->row_start[i]; e < t->row_start[i + 1]; e++) {
            cr_assert_eq(t->value[e], d[t->column[e] + i * 9]);
            cr_assert(e == t->row_start[i] || t->column[e - 1] < t->column[e]);
        }
    }
    cr_assert_eq(regret_csr_transpose(&back, t), REGRET_OK);
    cr_assert_arr_eq(back->value, a->value, regret_csr_entries(a) * sizeof *a->value);
    cr_assert_arr_eq(back->column, a->column, regret_csr_entries(a) * sizeof *a->column);
    const double factor[9] = {0, 2, 0, 0, -1, 0, 0, 0, 0.5};
    const size_t kept[] = {1, 4, 8};
    cr_assert_eq(regret_csr_scale_rows(&scaled, a, factor), REGRET_OK);
    cr_assert_eq(scaled->rows, 3);
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(scaled->row_start[i + 1] - scaled->row_start[i],
                     a->row_start[kept[i] + 1] - a->row_start[kept[i]]);
        for (size_t e = scaled->row_start[i]; e < scaled->row_start[i + 1]; e++) {
            cr_assert_eq(scaled->value[e],
                         factor[kept[i]] * d[kept[i] + (size_t)scaled->column[e] * 9]);
        }
    }
    regret_csr_free(a);
    regret_csr_free(t);
    regret_csr_free(back);
    regret_csr_free(scaled);
    free(d);
}

Test(csr, empty_matrices)
{
    struct regret_csr *m = NULL;
    double k[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    cr_assert_eq(regret_csr_from_triplets(&m, 3, 0, 0, NULL, NULL, NULL), REGRET_OK);
    cr_assert_eq(regret_csr_gram(k, m, NULL), REGRET_OK);
    for (int i = 0; i < 9; i++) {
        cr_assert_eq(k[i], 0.0);
    }
    regret_csr_free(m);
    cr_assert_eq(regret_csr_from_triplets(&m, 0, 4, 0, NULL, NULL, NULL), REGRET_OK);
    cr_assert_eq(regret_csr_gram(k, m, NULL), REGRET_OK);
    regret_csr_free(m);
    regret_csr_free(NULL);
}
