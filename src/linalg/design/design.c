#include "linalg/design/design.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"

/* Rows that are dense at a time: with 1,024 columns a block takes 8 MB, and a rank update of this
 * depth already runs at full speed. */
enum { BLOCK = 1024 };

struct regret_design regret_design_dense(size_t pairs, size_t dim, const double *value)
{
    return (struct regret_design){.pairs = pairs, .dim = dim, .value = value};
}

struct regret_design regret_design_sparse(const struct regret_csr *own,
                                          const struct regret_csr *shared, const uint32_t *group)
{
    return (struct regret_design){.pairs = own->rows,
                                  .dim = own->cols,
                                  .own = own,
                                  .shared = shared,
                                  .group = group,
                                  .most_direct = REGRET_MOST_DIRECT};
}

/* out[column · stride] += row of m. */
static void add_row(double *out, size_t stride, const struct regret_csr *m, size_t row)
{
    for (size_t e = m->row_start[row]; e < m->row_start[row + 1]; e++) {
        out[m->column[e] * stride] += m->value[e];
    }
}

void design_take_lines(double *out, const struct regret_design *d, const size_t *pair, size_t n)
{
    if (d->value != NULL) {
        size_t lines = d->line != NULL ? d->lines : d->pairs;
        for (size_t j = 0; j < d->dim; j++) {
            for (size_t e = 0; e < n; e++) {
                size_t line = d->line != NULL ? d->line[pair[e]] : pair[e];
                out[j * n + e] = d->value[j * lines + line];
            }
        }
    } else {
        memset(out, 0, n * d->dim * sizeof *out);
        for (size_t e = 0; e < n && d->dim > 0; e++) {
            add_row(out + e, n, d->own, pair[e]);
            if (d->shared != NULL) {
                add_row(out + e, n, d->shared, d->group[pair[e]]);
            }
        }
    }
    for (size_t e = 0; e < n; e++) {
        out[d->dim * n + e] = 1.0;
    }
}

int design_moments(double *gram, double *moment, const struct regret_design *d, const size_t *pair,
                   const double *count, const double *sum, size_t outputs, double divisor, size_t n)
{
    int q = (int)d->dim + 1;
    double *lines = NULL;
    TRY(REGRET_NEW(&lines, (n < BLOCK ? n : BLOCK) * (size_t)q));
    memset(gram, 0, (size_t)q * (size_t)q * sizeof *gram);
    memset(moment, 0, (size_t)q * outputs * sizeof *moment);
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t m = n - first < BLOCK ? n - first : BLOCK;
        design_take_lines(lines, d, pair + first, m);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, q, (int)outputs, (int)m, 1.0 / divisor,
                    lines, (int)m, sum + first, (int)n, 1.0, moment, q);
        for (size_t j = 0; j < (size_t)q; j++) {
            for (size_t e = 0; e < m; e++) {
                lines[j * m + e] *= sqrt(count[first + e] / divisor);
            }
        }
        cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, q, (int)m, 1.0, lines, (int)m, 1.0, gram,
                    q);
    }
    regret_free(lines);
    return REGRET_OK;
}

static void times_dense(double *out, const struct regret_design *d, const double *theta,
                        size_t outputs)
{
    for (size_t k = 0; k < outputs; k++) {
        for (size_t p = 0; p < d->pairs; p++) {
            out[k * d->pairs + p] = theta[k * (d->dim + 1) + d->dim];
        }
    }
    if (d->dim > 0 && d->pairs > 0) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)d->pairs, (int)outputs,
                    (int)d->dim, 1.0, d->value, (int)d->pairs, theta, (int)d->dim + 1, 1.0, out,
                    (int)d->pairs);
    }
}

/* out = m θ, with θ of leading dimension m->cols + 1: one pass over m for all outputs. */
static int times_rows(double **out, const struct regret_csr *m, const double *theta, size_t outputs)
{
    FREED double *packed = NULL;
    TRY(REGRET_NEW(&packed, m->cols * outputs));
    TRY(REGRET_NEW(out, m->rows * outputs));
    for (size_t k = 0; k < outputs; k++) {
        memcpy(packed + k * m->cols, theta + k * (m->cols + 1), m->cols * sizeof *packed);
    }
    return regret_csr_times_dense(*out, m, packed, outputs);
}

static int times_sparse(double *out, const struct regret_design *d, const double *theta,
                        size_t outputs)
{
    FREED double *own = NULL, *shared = NULL;
    TRY(times_rows(&own, d->own, theta, outputs));
    if (d->shared != NULL) {
        TRY(times_rows(&shared, d->shared, theta, outputs));
    }
    for (size_t k = 0; k < outputs; k++) {
        double intercept = theta[k * (d->dim + 1) + d->dim];
        const double *group = shared != NULL ? shared + k * d->shared->rows : NULL;
        for (size_t p = 0; p < d->pairs; p++) {
            double v = own[k * d->pairs + p] + intercept;
            out[k * d->pairs + p] = group != NULL ? v + group[d->group[p]] : v;
        }
    }
    return REGRET_OK;
}

/* factor · row of m into out. */
static void add_multiple(double *out, const struct regret_csr *m, size_t row, double factor)
{
    for (size_t e = m->row_start[row]; e < m->row_start[row + 1]; e++) {
        out[m->column[e]] += factor * m->value[e];
    }
}

/* Z_p = φ_p Φᵀ L⁻ᵀ with the basis' rows Φ and their triangle L, so Z θ = φ w with w = Φᵀ L⁻ᵀ θ. */
int design_sparse_coefficients(double *w, const struct regret_design *d, const double *theta)
{
    double *x = NULL;
    TRY(REGRET_NEW(&x, d->dim + 1));
    memcpy(x, theta, (d->dim + 1) * sizeof *x);
    memset(w, 0, d->own->cols * sizeof *w);
    if (d->dim > 0) {
        cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, (int)d->dim, d->value,
                    (int)d->lines, x, 1);
    }
    for (size_t i = 0; i < d->dim; i++) {
        add_multiple(w, d->own, d->basis[i], x[i]);
        if (d->shared != NULL) {
            add_multiple(w, d->shared, d->group[d->basis[i]], x[i]);
        }
    }
    w[d->own->cols] = x[d->dim];
    regret_free(x);
    return REGRET_OK;
}

static int times_reduced(double *out, const struct regret_design *d, const double *theta,
                         size_t outputs)
{
    const struct regret_design phi = regret_design_sparse(d->own, d->shared, d->group);
    FREED double *w = NULL;
    TRY(REGRET_NEW(&w, (phi.dim + 1) * outputs));
    for (size_t k = 0; k < outputs; k++) {
        TRY(design_sparse_coefficients(w + k * (phi.dim + 1), d, theta + k * (d->dim + 1)));
    }
    return times_sparse(out, &phi, w, outputs);
}

static double row_times(const struct regret_csr *m, size_t row, const double *x)
{
    double sum = 0.0;
    for (size_t e = m->row_start[row]; e < m->row_start[row + 1]; e++) {
        sum += m->value[e] * x[m->column[e]];
    }
    return sum;
}

double design_line_times(const struct regret_design *d, size_t pair, const double *theta)
{
    double sum = theta[d->dim] + row_times(d->own, pair, theta);
    return d->shared != NULL ? sum + row_times(d->shared, d->group[pair], theta) : sum;
}

int design_times(double *out, const struct regret_design *d, const double *theta, size_t outputs)
{
    if (d->line != NULL) {
        return times_reduced(out, d, theta, outputs);
    }
    if (d->value == NULL && d->own != NULL) {
        return times_sparse(out, d, theta, outputs);
    }
    times_dense(out, d, theta, outputs);
    return REGRET_OK;
}
