#include "linalg/internal.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/crossed.h"
#include "linalg/dense.h"
#include "regret/status.h"

/* ---- K ----------------------------------------------------------------------------------------------- */

static void weigh(struct equations *q, const double *v)
{
    double share[MIXED_OTHERS];
    for (size_t i = 0; i < q->c->m->n; i++) {
        crossed_shares(share, q->c, i, v);
        q->root[i] = 1.0 / sqrt(share[MIXED_GROUP] + share[MIXED_ENTRY] + share[MIXED_NOISE]);
    }
}

static double log_det(const double *a, size_t n)
{
    double sum = 0.0;
    for (size_t j = 0; j < n; j++) {
        sum += 2.0 * log(a[j * n + j]);
    }
    return sum;
}

/* x (width × m, ld) ← L⁻¹ x, or L'⁻¹ x, by a block's factor. */
static void solve_block(double *x, size_t ld, const double *factor, size_t width, size_t m,
                        enum CBLAS_TRANSPOSE transpose)
{
    if (width == 1) {
        cblas_dscal((int)m, 1.0 / factor[0], x, (int)ld);
    } else {
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, transpose, CblasNonUnit, (int)width,
                    (int)m, 1.0, factor, (int)width, x, (int)ld);
    }
}

static const double *factor_of(const struct equations *q, size_t block)
{
    return q->own + block * q->c->width * q->c->width;
}

/* c ← c + weight a b of column-major matrices, n × m by k; nothing where k is 0. */
static void add_product(double *c, size_t ld_c, double weight, const double *a, const double *b,
                        size_t ld_b, size_t n, size_t m, size_t k)
{
    if (k > 0) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)m, (int)k, weight, a,
                    (int)n, b, (int)ld_b, 1.0, c, (int)ld_c);
    }
}

/* The factor of a block's own columns, and what the outer ones take from them: A ← A L'⁻¹, A = lines own'. */
static int eliminate_block(struct equations *q, const struct front *f, size_t block,
                           const double *v)
{
    const struct crossed *c = q->c;
    size_t width = c->width, first = c->start[block], n = c->start[block + 1] - first;
    double *own = q->own + block * width * width;
    double *across = q->across + f->across + (block - f->block) * width * f->touched;
    crossed_fill_inner(q->inner, c, first, first + n, q->root);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)width, (int)width, (int)n, 1.0,
                q->inner, (int)width, q->inner, (int)width, 0.0, own, (int)width);
    for (size_t j = 0; j < width; j++) {
        own[j * width + j] += 1.0 / v[crossed_inner_variance(c, block * width + j)];
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)f->touched, (int)width, (int)n, 1.0,
                q->lines + (first - f->first) * f->touched, (int)f->touched, q->inner, (int)width,
                0.0, across, (int)f->touched);
    TRY(regret_sym_cholesky(own, width));
    q->log_det += log_det(own, width);
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)f->touched,
                (int)width, 1.0, own, (int)width, across, (int)f->touched);
    return REGRET_OK;
}

/* S ← S + what a front leaves of its outer columns. */
static void add_front(struct equations *q, const struct front *f)
{
    const struct crossed *c = q->c;
    const uint32_t *outer = c->outer + f->outer;
    int touched = (int)f->touched;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, touched, (int)(f->end - f->first), 1.0,
                q->lines, touched, 0.0, q->square, touched);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, touched, (int)(f->n_blocks * c->width),
                -1.0, q->across + f->across, touched, 1.0, q->square, touched);
    for (size_t j = 0; j < f->touched; j++) {
        const double *from = q->square + j * f->touched;
        double *to = q->s + (size_t)outer[j] * c->n_outer;
        for (size_t i = j; i < f->touched; i++) {
            to[outer[i]] += from[i];
        }
    }
}

static int make_room(struct equations *q)
{
    const struct crossed *c = q->c;
    TRY(sides_check(c->longest, c->widest));
    TRY(sides_check(c->m->n, equations_columns(c)));
    TRY(REGRET_NEW(&q->root, c->m->n));
    TRY(REGRET_NEW(&q->own, c->n_inner * c->width));
    TRY(REGRET_NEW(&q->across, c->n_across));
    TRY(REGRET_NEW(&q->s, c->n_outer * c->n_outer));
    TRY(REGRET_NEW(&q->lines, c->most));
    TRY(REGRET_NEW(&q->inner, c->longest * c->width));
    TRY(REGRET_NEW(&q->square, c->widest * c->widest));
    return REGRET_NEW(&q->some, c->widest * EQUATIONS_WIDTH);
}

int equations_make(struct equations *q, const struct crossed *c, const double *v)
{
    *q = (struct equations){.c = c};
    TRY(make_room(q));
    weigh(q, v);
    for (size_t j = 0; j < c->n_outer; j++) {
        size_t b = crossed_outer_variance(c, j);
        q->s[j * c->n_outer + j] = b == SIZE_MAX ? c->m->precision[j] : 1.0 / v[b];
    }
    for (const struct front *f = c->front; f < c->front + c->n_fronts; f++) {
        crossed_fill(q->lines, c, f, q->root);
        for (size_t b = f->block; b < f->block + f->n_blocks; b++) {
            TRY(eliminate_block(q, f, b, v));
        }
        add_front(q, f);
    }
    TRY(regret_sym_cholesky(q->s, c->n_outer));
    q->log_det += log_det(q->s, c->n_outer);
    return REGRET_OK;
}

void equations_free(struct equations *q)
{
    regret_free(q->root);
    regret_free(q->own);
    regret_free(q->across);
    regret_free(q->s);
    regret_free(q->lines);
    regret_free(q->inner);
    regret_free(q->square);
    regret_free(q->some);
    *q = (struct equations){0};
}

/* ---- Solutions ------------------------------------------------------------------------------------- */

/* Adds a front's part of X'√D y to x: what its blocks have solved by their factors, and taken off the outer columns. */
static void forward(double *x, const struct equations *q, const struct front *f, const double *y,
                    size_t m)
{
    const struct crossed *c = q->c;
    size_t all = equations_columns(c), width = c->width, columns = f->n_blocks * width;
    const uint32_t *outer = c->outer + f->outer;
    double *r = q->some;
    crossed_fill(q->lines, c, f, q->root);
    memset(r, 0, f->touched * m * sizeof *r);
    add_product(r, f->touched, 1.0, q->lines, y + f->first, c->m->n, f->touched, m,
                f->end - f->first);
    for (size_t b = f->block; b < f->block + f->n_blocks; b++) {
        size_t first = c->start[b], n = c->start[b + 1] - first;
        crossed_fill_inner(q->inner, c, first, first + n, q->root);
        add_product(x + b * width, all, 1.0, q->inner, y + first, c->m->n, width, m, n);
        solve_block(x + b * width, all, factor_of(q, b), width, m, CblasNoTrans);
    }
    add_product(r, f->touched, -1.0, q->across + f->across, x + f->block * width, all, f->touched,
                m, columns);
    for (size_t k = 0; k < m; k++, r += f->touched, x += all) {
        for (size_t j = 0; j < f->touched; j++) {
            x[c->n_inner + outer[j]] += r[j];
        }
    }
}

static void backward(double *x, const struct equations *q, const struct front *f, size_t m)
{
    const struct crossed *c = q->c;
    size_t all = equations_columns(c), width = c->width, columns = f->n_blocks * width;
    double *r = q->some;
    for (size_t k = 0; k < m; k++) {
        for (size_t j = 0; j < f->touched; j++) {
            *r++ = x[k * all + c->n_inner + c->outer[f->outer + j]];
        }
    }
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)columns, (int)m, (int)f->touched,
                -1.0, q->across + f->across, (int)f->touched, q->some, (int)f->touched, 1.0,
                x + f->block * width, (int)all);
    for (size_t b = f->block; b < f->block + f->n_blocks; b++) {
        solve_block(x + b * width, all, factor_of(q, b), width, m, CblasTrans);
    }
}

static void solve_outer(double *x, const struct equations *q, enum CBLAS_TRANSPOSE transpose, int m)
{
    int outer = (int)q->c->n_outer;
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, transpose, CblasNonUnit, outer, m, 1.0, q->s,
                outer, x + q->c->n_inner, (int)equations_columns(q->c));
}

void equations_reduce(double *x, const struct equations *q, const double *y, size_t m)
{
    memset(x, 0, equations_columns(q->c) * m * sizeof *x);
    for (size_t k = 0; k < q->c->n_fronts; k++) {
        forward(x, q, &q->c->front[k], y, m);
    }
    solve_outer(x, q, CblasNoTrans, (int)m);
}

void equations_solve(double *x, const struct equations *q, const double *y, size_t m)
{
    equations_reduce(x, q, y, m);
    solve_outer(x, q, CblasTrans, (int)m);
    for (size_t k = 0; k < q->c->n_fronts; k++) {
        if (q->c->front[k].n_blocks > 0) {
            backward(x, q, &q->c->front[k], m);
        }
    }
}

/* Of the columns inside, added. */
static void fit_block(double *fitted, const struct equations *q, size_t block, const double *x)
{
    const struct crossed *c = q->c;
    size_t first = c->start[block], end = c->start[block + 1];
    const double *line = q->inner;
    crossed_fill_inner(q->inner, c, first, end, q->root);
    for (size_t j = 0; j < c->width; j++) {
        size_t b = crossed_inner_variance(c, block * c->width + j);
        for (size_t i = first; i < end; i++) {
            fitted[i * EQUATIONS_WIDTH + b] +=
                line[(i - first) * c->width + j] * x[block * c->width + j];
        }
    }
}

void equations_fit(double *fitted, const struct equations *q, const double *x)
{
    const struct crossed *c = q->c;
    for (const struct front *f = c->front; f < c->front + c->n_fronts; f++) {
        int touched = (int)f->touched;
        memset(q->some, 0, f->touched * EQUATIONS_WIDTH * sizeof *q->some);
        for (size_t j = 0; j < f->touched; j++) {
            size_t at = c->outer[f->outer + j], b = crossed_outer_variance(c, at);
            q->some[(b == SIZE_MAX ? EQUATIONS_FIXED : b) * f->touched + j] = x[c->n_inner + at];
        }
        crossed_fill(q->lines, c, f, q->root);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, EQUATIONS_WIDTH,
                    (int)(f->end - f->first), touched, 1.0, q->some, touched, q->lines, touched,
                    0.0, fitted + f->first * EQUATIONS_WIDTH, EQUATIONS_WIDTH);
        for (size_t b = f->block; b < f->block + f->n_blocks; b++) {
            fit_block(fitted, q, b, x);
        }
    }
}

/* ---- Diagonals -------------------------------------------------------------------------------------- */

static int invert_outer(double **inverse, const struct equations *q)
{
    size_t n = q->c->n_outer;
    TRY(REGRET_NEW(inverse, n * n));
    memcpy(*inverse, q->s, n * n * sizeof **inverse);
    lapack_int info = LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', (int)n, *inverse, (int)n);
    return info == 0 ? REGRET_OK
                     : regret_fail(REGRET_E_INTERNAL, "dpotri stops with %d", (int)info);
}

/* Of `rows` lines l of a block, own (width × rows): sum ← |L⁻¹ own|², and u = outer − A L⁻¹ own in the place of their outer columns. */
static void leave_block(double *sum, double *outer, double *own, size_t rows,
                        const struct equations *q, const struct front *f, size_t block)
{
    size_t width = q->c->width;
    solve_block(own, width, factor_of(q, block), width, rows, CblasNoTrans);
    for (size_t r = 0; r < rows; r++) {
        sum[r] = cblas_ddot((int)width, own + r * width, 1, own + r * width, 1);
    }
    add_product(outer, f->touched, -1.0,
                q->across + f->across + (block - f->block) * width * f->touched, own, width,
                f->touched, rows, width);
}

/* sum ← sum + u'S⁻¹ u of rows u, S⁻¹ of a front's outer columns in q->square. */
static void add_outer(double *sum, const double *u, double *products, size_t rows,
                      const struct equations *q, const struct front *f)
{
    int touched = (int)f->touched;
    cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, touched, (int)rows, 1.0, q->square, touched,
                u, touched, 0.0, products, touched);
    for (size_t r = 0; r < rows; r++) {
        sum[r] += cblas_ddot(touched, u + r * f->touched, 1, products + r * f->touched, 1);
    }
}

/* l'K⁻¹ l = |L⁻¹ own|² + u'S⁻¹ u of a front's entries, and of a line for each of its columns inside. */
static void front_diagonals(double *of_entries, double *of_columns, double *products,
                            const double *inverse, const struct equations *q, const struct front *f)
{
    const struct crossed *c = q->c;
    size_t width = c->width, columns = f->n_blocks * width;
    const uint32_t *outer = c->outer + f->outer;
    for (size_t j = 0; j < f->touched; j++) {
        for (size_t i = j; i < f->touched; i++) {
            q->square[j * f->touched + i] = inverse[(size_t)outer[j] * c->n_outer + outer[i]];
        }
    }
    memset(of_entries + f->first, 0, (f->end - f->first) * sizeof *of_entries);
    crossed_fill(q->lines, c, f, q->root);
    for (size_t b = f->block; b < f->block + f->n_blocks; b++) {
        size_t first = c->start[b], n = c->start[b + 1] - first;
        crossed_fill_inner(q->inner, c, first, first + n, q->root);
        leave_block(of_entries + first, q->lines + (first - f->first) * f->touched, q->inner, n, q,
                    f, b);
    }
    add_outer(of_entries + f->first, q->lines, products, f->end - f->first, q, f);
    if (columns == 0) {
        return;
    }
    memset(q->lines, 0, columns * f->touched * sizeof *q->lines);
    for (size_t b = f->block; b < f->block + f->n_blocks; b++) {
        memset(q->inner, 0, width * width * sizeof *q->inner);
        for (size_t j = 0; j < width; j++) {
            q->inner[j * width + j] = 1.0;
        }
        leave_block(of_columns + b * width, q->lines + (b - f->block) * width * f->touched,
                    q->inner, width, q, f, b);
    }
    add_outer(of_columns + f->block * width, q->lines, products, columns, q, f);
}

int equations_diagonals(double *of_entries, double *of_columns, const struct equations *q)
{
    const struct crossed *c = q->c;
    FREED double *inverse = NULL, *products = NULL;
    TRY(invert_outer(&inverse, q));
    TRY(REGRET_NEW(&products, c->most));
    for (size_t k = 0; k < c->n_fronts; k++) {
        front_diagonals(of_entries, of_columns, products, inverse, q, &c->front[k]);
    }
    for (size_t j = 0; j < c->n_outer; j++) {
        of_columns[c->n_inner + j] = inverse[j * c->n_outer + j];
    }
    return REGRET_OK;
}
