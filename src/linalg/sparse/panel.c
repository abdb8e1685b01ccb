#include "linalg/sparse/panel.h"

#include <math.h>
#include <string.h>

#include "base/core/processor.h"
#include "base/core/try.h"
#include "regret/alloc.h"

/* Copies the rows of at least two entries into `to`, whose row_start is zero; the others go to the
 * diagonal. */
static void take_columns(struct gram_operator *op, const struct regret_csr *from)
{
    struct regret_csr *to = op->column;
    size_t at = 0, row = 0;
    for (size_t j = 0; j < from->rows; j++) {
        size_t begin = from->row_start[j], n = from->row_start[j + 1] - begin;
        if (n == 1) {
            op->diagonal[from->column[begin]] += from->value[begin] * from->value[begin];
        } else if (n > 1) {
            memcpy(to->column + at, from->column + begin, n * sizeof *to->column);
            memcpy(to->value + at, from->value + begin, n * sizeof *to->value);
            at += n;
            to->row_start[++row] = at;
        }
    }
    to->rows = row;
}

int gram_operator_make(struct gram_operator *out, const struct regret_csr *transpose)
{
    FREED_BY(gram_operator_clear) struct gram_operator op = {.rows = transpose->cols};
    TRY(REGRET_NEW(&op.diagonal, op.rows));
    TRY(regret_csr_new(&op.column, transpose->rows, transpose->cols,
                       regret_csr_entries(transpose)));
    take_columns(&op, transpose);
    *out = op;
    op = (struct gram_operator){0};
    return REGRET_OK;
}

void gram_operator_clear(struct gram_operator *op)
{
    regret_csr_free(op->column);
    regret_free(op->diagonal);
    *op = (struct gram_operator){0};
}

/* A row of a panel. */
typedef double lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));

FOR_EACH_PROCESSOR
void gram_operator_apply(double *y, const struct gram_operator *op, const double *v)
{
    const struct regret_csr *a = op->column;
    const uint32_t *row = a->column;
    const lanes *from = (const lanes *)v;
    lanes *to = (lanes *)y;
    for (size_t i = 0; i < op->rows; i++) {
        to[i] = op->diagonal[i] * from[i];
    }
    for (size_t j = 0; j < a->rows; j++) {
        size_t begin = a->row_start[j], end = a->row_start[j + 1], e = begin;
        lanes even = {0.0}, odd = {0.0}; /* sums wait for themselves */
        for (; e + 1 < end; e += 2) {
            even += a->value[e] * from[row[e]];
            odd += a->value[e + 1] * from[row[e + 1]];
        }
        if (e < end) {
            even += a->value[e] * from[row[e]];
        }
        even += odd;
        for (e = begin; e < end; e++) {
            to[row[e]] += a->value[e] * even;
        }
    }
}

FOR_EACH_PROCESSOR
void panel_dot(double *c, const double *a, const double *b, size_t n)
{
    const lanes *right = (const lanes *)b;
    lanes even[LANES], odd[LANES];
    memset(odd, 0, sizeof odd);
    memcpy(even, c, sizeof even);
    for (size_t i = 0; i + 1 < n; i += 2) {
        for (size_t k = 0; k < LANES; k++) {
            even[k] += a[i * LANES + k] * right[i];
            odd[k] += a[(i + 1) * LANES + k] * right[i + 1];
        }
    }
    for (size_t k = 0; k < LANES; k++) {
        if (n % 2 == 1) {
            odd[k] += a[(n - 1) * LANES + k] * right[n - 1];
        }
        even[k] += odd[k];
    }
    memcpy(c, even, sizeof even);
}

FOR_EACH_PROCESSOR
void panel_subtract(double *w, const double *v, const double *c, size_t n)
{
    lanes factor[LANES], *to = (lanes *)w;
    memcpy(factor, c, sizeof factor);
    for (size_t i = 0; i < n; i++) {
        const double *x = v + i * LANES;
        to[i] -= (x[0] * factor[0] + x[1] * factor[1]) + (x[2] * factor[2] + x[3] * factor[3]);
    }
}

/* The upper Cholesky factor r of the symmetric g, both by rows; 0 where a pivot loses more than four
 * digits, so that two passes are no longer enough. */
static int cholesky(double *r, const double *g)
{
    memset(r, 0, SQUARE * sizeof *r);
    for (int i = 0; i < LANES; i++) {
        for (int j = i; j < LANES; j++) {
            double x = g[i * LANES + j];
            for (int k = 0; k < i; k++) {
                x -= r[k * LANES + i] * r[k * LANES + j];
            }
            if (i == j && !(x > 1e-8 * g[i * LANES + i])) {
                return 0;
            }
            r[i * LANES + j] = i == j ? sqrt(x) : x / r[i * LANES + i];
        }
    }
    return 1;
}

/* w ← w r⁻¹, column by column from the left. */
static void divide(double *w, const double *r, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *x = w + i * LANES;
        for (int j = 0; j < LANES; j++) {
            for (int k = 0; k < j; k++) {
                x[j] -= x[k] * r[k * LANES + j];
            }
            x[j] /= r[j * LANES + j];
        }
    }
}

/* r ← s r, both upper triangular. */
static void multiply(double *r, const double *s)
{
    for (int i = 0; i < LANES; i++) {
        for (int j = i; j < LANES; j++) {
            double x = 0.0;
            for (int k = i; k <= j; k++) {
                x += s[i * LANES + k] * r[k * LANES + j];
            }
            r[i * LANES + j] = x;
        }
    }
}

/* Cholesky of the Gram matrix, twice; 0 where that would not do, w being a basis of the same columns. */
static int orthonormalise_fast(double *w, double *r, size_t n, double tiny)
{
    double g[SQUARE] = {0.0}, s[SQUARE];
    panel_dot(g, w, w, n);
    if (!cholesky(r, g)) {
        return 0;
    }
    for (int j = 0; j < LANES; j++) {
        if (r[j * LANES + j] <= tiny) {
            return 0;
        }
    }
    divide(w, r, n);
    memset(g, 0, sizeof g);
    panel_dot(g, w, w, n);
    if (!cholesky(s, g)) { /* not after a first pass that lost four digits */
        return 0;
    }
    divide(w, s, n);
    multiply(r, s);
    return 1;
}

static double column_dot(const double *w, size_t n, int a, int b)
{
    double x = 0.0;
    for (size_t i = 0; i < n; i++) {
        x += w[i * LANES + (size_t)a] * w[i * LANES + (size_t)b];
    }
    return x;
}

/* w_b ← factor w_b - x w_a. */
static void column_combine(double *w, size_t n, int a, int b, double x, double factor)
{
    for (size_t i = 0; i < n; i++) {
        double *row = w + i * LANES;
        row[b] = factor * row[b] - x * row[a];
    }
}

int panel_orthonormalise(double *w, double *r, size_t n, double tiny)
{
    int zeros = 0;
    if (orthonormalise_fast(w, r, n, tiny)) {
        return 0;
    }
    memset(r, 0, SQUARE * sizeof *r);
    for (int j = 0; j < LANES; j++) {
        for (int k = 0; k < 2 * j; k++) { /* twice is enough */
            double x = column_dot(w, n, k % j, j);
            column_combine(w, n, k % j, j, x, 1.0);
            r[k % j * LANES + j] += x;
        }
        double length = sqrt(column_dot(w, n, j, j));
        int keep = length > tiny;
        r[j * LANES + j] = keep ? length : 0.0;
        column_combine(w, n, j, j, 0.0, keep ? 1.0 / length : 0.0);
        zeros += !keep;
    }
    return zeros;
}
