#include "linalg/sparse.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/threads.h"
#include "regret/design.h"
#include "regret/status.h"

FREED_POINTER(struct regret_csr, regret_csr_free)

int regret_csr_new(struct regret_csr **out, size_t rows, size_t cols, size_t entries)
{
    if (cols > UINT32_MAX || rows == SIZE_MAX) {
        regret_fail(REGRET_E_INPUT,
                    "a sparse matrix of %zu x %zu is too large: at most %lu columns", rows, cols,
                    (unsigned long)UINT32_MAX);
        return REGRET_E_INPUT;
    }
    FREED_BY(regret_csr_free_at) struct regret_csr *m = NULL;
    TRY(REGRET_NEW(&m, 1));
    m->rows = rows;
    m->cols = cols;
    TRY(REGRET_NEW(&m->row_start, rows + 1));
    TRY(REGRET_NEW(&m->column, entries));
    TRY(REGRET_NEW(&m->value, entries));
    *out = m;
    m = NULL;
    return REGRET_OK;
}

void regret_csr_free(struct regret_csr *m)
{
    if (m == NULL) {
        return;
    }
    regret_free(m->row_start);
    regret_free(m->column);
    regret_free(m->value);
    regret_free(m);
}

size_t regret_csr_entries(const struct regret_csr *m)
{
    return m->row_start[m->rows];
}

struct triplet {
    size_t row, column, order;
};

static int triplet_compare(const void *a, const void *b)
{
    const struct triplet *x = a, *y = b;
    if (x->row != y->row) {
        return x->row < y->row ? -1 : 1;
    }
    if (x->column != y->column) {
        return x->column < y->column ? -1 : 1;
    }
    return x->order < y->order ? -1 : 1;
}

static int sorted_triplets(struct triplet **out, size_t rows, size_t cols, size_t n,
                           const size_t *row, const size_t *column)
{
    struct triplet *sorted = NULL;
    TRY(REGRET_NEW(&sorted, n));
    for (size_t i = 0; i < n; i++) {
        if (row[i] >= rows || column[i] >= cols) {
            regret_free(sorted);
            regret_fail(REGRET_E_INPUT,
                        "triplet %zu is at (%zu, %zu), outside the %zu x %zu matrix", i, row[i],
                        column[i], rows, cols);
            return REGRET_E_INPUT;
        }
        sorted[i] = (struct triplet){row[i], column[i], i};
    }
    qsort(sorted, n, sizeof *sorted, triplet_compare);
    *out = sorted;
    return REGRET_OK;
}

int regret_csr_from_triplets(struct regret_csr **out, size_t rows, size_t cols, size_t n,
                             const size_t *row, const size_t *column, const double *value)
{
    FREED struct triplet *sorted = NULL;
    struct regret_csr *m = NULL;
    TRY(sorted_triplets(&sorted, rows, cols, n, row, column));
    TRY(regret_csr_new(&m, rows, cols, n));
    size_t entries = 0;
    for (size_t i = 0; i < n; i++) {
        const struct triplet *t = &sorted[i];
        int same = i > 0 && sorted[i - 1].row == t->row && sorted[i - 1].column == t->column;
        if (same) {
            m->value[entries - 1] += value[t->order];
            continue;
        }
        m->column[entries] = (uint32_t)t->column;
        m->value[entries] = value[t->order];
        entries++;
        m->row_start[t->row + 1] = entries;
    }
    for (size_t i = 1; i <= rows; i++) {
        if (m->row_start[i] < m->row_start[i - 1]) {
            m->row_start[i] = m->row_start[i - 1]; /* an empty row */
        }
    }
    *out = m;
    return REGRET_OK;
}

int regret_csr_transpose(struct regret_csr **out, const struct regret_csr *m)
{
    FREED_BY(regret_csr_free_at) struct regret_csr *t = NULL;
    FREED size_t *next = NULL;
    size_t entries = regret_csr_entries(m);
    TRY(regret_csr_new(&t, m->cols, m->rows, entries));
    TRY(REGRET_NEW(&next, m->cols));
    for (size_t e = 0; e < entries; e++) {
        t->row_start[m->column[e] + 1]++;
    }
    for (size_t j = 0; j < m->cols; j++) {
        t->row_start[j + 1] += t->row_start[j];
        next[j] = t->row_start[j];
    }
    for (size_t i = 0; i < m->rows; i++) {
        for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
            size_t place = next[m->column[e]]++;
            t->column[place] = (uint32_t)i;
            t->value[place] = m->value[e];
        }
    }
    *out = t;
    t = NULL;
    return REGRET_OK;
}

int regret_csr_scale_rows(struct regret_csr **out, const struct regret_csr *m, const double *factor)
{
    size_t rows = 0, entries = 0;
    for (size_t i = 0; i < m->rows; i++) {
        if (factor[i] != 0.0) {
            rows++;
            entries += m->row_start[i + 1] - m->row_start[i];
        }
    }
    struct regret_csr *scaled = NULL;
    TRY(regret_csr_new(&scaled, rows, m->cols, entries));
    size_t row = 0, place = 0;
    for (size_t i = 0; i < m->rows; i++) {
        if (factor[i] == 0.0) {
            continue;
        }
        for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
            scaled->column[place] = m->column[e];
            scaled->value[place++] = m->value[e] * factor[i];
        }
        scaled->row_start[++row] = place;
    }
    *out = scaled;
    return REGRET_OK;
}

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

void regret_csr_matrix_market(struct regret_buffer *out, const struct regret_csr *m)
{
    regret_buffer_append(out, "%%MatrixMarket matrix coordinate real general\n");
    regret_buffer_printf(out, "%zu %zu %zu\n", m->rows, m->cols, regret_csr_entries(m));
    for (size_t i = 0; i < m->rows; i++) {
        for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
            regret_buffer_printf(out, "%zu %lu %.17g\n", i + 1, (unsigned long)m->column[e] + 1,
                                 m->value[e]);
        }
    }
}

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
