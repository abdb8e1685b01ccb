#include "regret/matrix.h"

#include <string.h>

#include "base/core/processor.h"
#include "base/core/try.h"
#include "regret/alloc.h"

/* Columns handled together in the dense products: one row of a panel is one cache line. */
enum { PANEL = 8 };

/* K = A Aᵀ. The inverted index `t` lists the rows of every column in ascending order, so the walk
 * for row j stops at the diagonal. */
static void gram_symmetric(double *k, const struct regret_csr *a, const struct regret_csr *t)
{
    size_t n = a->rows;
    for (size_t j = 0; j < n; j++) {
        double *kj = k + j * n;
        memset(kj, 0, (j + 1) * sizeof *kj);
        for (size_t e = a->row_start[j]; e < a->row_start[j + 1]; e++) {
            double v = a->value[e];
            size_t column = a->column[e];
            size_t end = t->row_start[column + 1];
            for (size_t f = t->row_start[column]; f < end && t->column[f] <= j; f++) {
                kj[t->column[f]] += v * t->value[f];
            }
        }
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < j; i++) {
            k[j + i * n] = k[i + j * n];
        }
    }
}

static void gram_cross(double *k, const struct regret_csr *ta, const struct regret_csr *b)
{
    size_t n = ta->cols;
    for (size_t j = 0; j < b->rows; j++) {
        double *kj = k + j * n;
        memset(kj, 0, n * sizeof *kj);
        for (size_t e = b->row_start[j]; e < b->row_start[j + 1]; e++) {
            double v = b->value[e];
            size_t column = b->column[e];
            for (size_t f = ta->row_start[column]; f < ta->row_start[column + 1]; f++) {
                kj[ta->column[f]] += v * ta->value[f];
            }
        }
    }
}

int regret_csr_gram(double *k, const struct regret_csr *a, const struct regret_csr *b)
{
    if (b != NULL && a->cols != b->cols) {
        return regret_fail(REGRET_E_INPUT,
                           "the Gram of matrices with %zu and %zu columns: they must agree",
                           a->cols, b->cols);
    }
    struct regret_csr *t = NULL;
    TRY(regret_csr_transpose(&t, a));
    if (b == NULL || b == a) {
        gram_symmetric(k, a, t);
    } else {
        gram_cross(k, t, b);
    }
    regret_csr_free(t);
    return REGRET_OK;
}

/* panel(i, c) = x(i, c), row by row; columns past `width` are zero. */
static void pack(double *panel, const double *x, size_t rows, size_t width)
{
    memset(panel, 0, rows * PANEL * sizeof *panel);
    for (size_t c = 0; c < width; c++) {
        for (size_t i = 0; i < rows; i++) {
            panel[i * PANEL + c] = x[i + c * rows];
        }
    }
}

/* One column needs no panel. Two sums, since each addition waits for the one before. */
static void times_vector(double *out, const struct regret_csr *a, const double *x)
{
    for (size_t i = 0; i < a->rows; i++) {
        size_t e = a->row_start[i], end = a->row_start[i + 1];
        double even = 0.0, odd = 0.0;
        for (; e + 1 < end; e += 2) {
            even += a->value[e] * x[a->column[e]];
            odd += a->value[e + 1] * x[a->column[e + 1]];
        }
        even += e < end ? a->value[e] * x[a->column[e]] : 0.0;
        out[i] = even + odd;
    }
}

FOR_EACH_PROCESSOR
static void times_panel(double *out, const struct regret_csr *a, const double *panel, size_t width)
{
    for (size_t i = 0; i < a->rows; i++) {
        double sum[PANEL] = {0.0};
        for (size_t e = a->row_start[i]; e < a->row_start[i + 1]; e++) {
            const double *row = panel + (size_t)a->column[e] * PANEL;
            for (int c = 0; c < PANEL; c++) {
                sum[c] += a->value[e] * row[c];
            }
        }
        for (size_t c = 0; c < width; c++) {
            out[i + c * a->rows] = sum[c];
        }
    }
}

int regret_csr_times_dense(double *out, const struct regret_csr *a, const double *x, size_t n)
{
    double *panel = NULL;
    if (n == 1) {
        times_vector(out, a, x);
        return REGRET_OK;
    }
    TRY(regret_calloc((void **)&panel, a->cols, PANEL * sizeof *panel, "a panel of columns"));
    for (size_t first = 0; first < n; first += PANEL) {
        size_t width = n - first < PANEL ? n - first : PANEL;
        pack(panel, x + first * a->cols, a->cols, width);
        times_panel(out + first * a->rows, a, panel, width);
    }
    regret_free(panel);
    return REGRET_OK;
}
