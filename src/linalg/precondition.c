#include "linalg/precondition.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/dense.h"
#include "linalg/iterative.h"
#include "regret/status.h"

int elimination_init(struct elimination *e, const struct strong *strong, size_t fits)
{
    size_t q = strong->q;
    *e = (struct elimination){.strong = strong};
    TRY(REGRET_NEW(&e->core, (q * q + q + 1) * fits));
    e->mean = e->core + q * q * fits;
    e->root = e->mean + q * fits;
    return REGRET_OK;
}

void elimination_clear(struct elimination *e)
{
    regret_free(e->core);
    *e = (struct elimination){0};
}

int elimination_set(struct elimination *e, size_t i, const double *gram, size_t ld,
                    const double *mean, double rho)
{
    size_t q = e->strong->q;
    double *core = e->core + i * q * q;
    e->root[i] = sqrt(rho);
    for (size_t j = 0; j < q; j++) {
        memcpy(core + j * q + j, gram + j * ld + j, (q - j) * sizeof *core);
        core[j * q + j] += rho;
        e->mean[i * q + j] = mean[j];
    }
    return q > 0 ? regret_sym_cholesky(core, q) : REGRET_OK;
}

static double take_mean(double *v, const double *h, size_t n)
{
    double mean = cblas_ddot((int)n, h, 1, v, 1);
    cblas_daxpy((int)n, -mean, h, 1, v, 1);
    return mean;
}

/* Takes h∘(S − 1mᵀ) c and √ρ c out of v, c (q) by the normal equations. */
static void take_strong(double *v, double *c, const struct elimination *e, size_t i,
                        const double *h, size_t n)
{
    size_t q = e->strong->q;
    strong_collect(c, e->strong, h, v, n); /* hᵀv is zero, and so is what the centre adds */
    cblas_daxpy((int)q, e->root[i], v + n, 1, c, 1);
    regret_sym_cholesky_solve(c, 1, e->core + i * q * q, q);
    double centre = cblas_ddot((int)q, e->mean + i * q, 1, c, 1);
    for (size_t l = 0; l < n; l++) {
        v[l] -= h[l] * (strong_line(e->strong, l, c) - centre);
    }
    cblas_daxpy((int)q, -e->root[i], c, 1, v + n, 1);
}

/* Twice: columns that sum to a constant make G as bad as ρ is small, and what a first pass leaves, a second takes. */
double elimination_project(double *v, double *c, const struct elimination *e, size_t i,
                           const double *h, size_t n)
{
    size_t q = e->strong->q;
    double intercept = take_mean(v, h, n);
    if (q > 0) {
        take_strong(v, c, e, i, h, n);
        intercept += take_mean(v, h, n);
        take_strong(v, c + q, e, i, h, n);
        cblas_daxpy((int)q, 1.0, c + q, 1, c, 1);
    }
    return intercept;
}

/* Lines that are solved for at a time. */
enum { BLOCK = 128 };

/* Columns s − m of the distinct lines [first, …) that are among the first n; how many, and where to go on. */
static size_t take_lines(double *to, size_t *next, const struct elimination *e, size_t i, size_t n)
{
    const struct strong *s = e->strong;
    size_t q = s->q, many = 0;
    for (; many < BLOCK && *next < s->n_distinct; ++*next) {
        size_t l = s->distinct[*next];
        double *line = to + many * q;
        for (size_t j = 0; l < n && j < q; j++) {
            line[j] = -e->mean[i * q + j];
        }
        for (size_t k = s->row_start[l]; l < n && k < s->row_start[l + 1]; k++) {
            line[s->column[k]] += s->value[k];
        }
        many += l < n;
    }
    return many;
}

int elimination_reach(double *reach, const struct elimination *e, size_t i, size_t n)
{
    size_t q = e->strong->q, many;
    double *line = NULL, rho = e->root[i] * e->root[i], largest = 0.0;
    *reach = 1.0;
    if (q == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&line, 2 * q * BLOCK));
    for (size_t next = 0; next < e->strong->n_distinct;) {
        double *solved = line + q * BLOCK;
        many = take_lines(line, &next, e, i, n);
        memcpy(solved, line, q * many * sizeof *line);
        regret_sym_cholesky_solve(solved, many, e->core + i * q * q, q);
        for (size_t k = 0; k < many; k++) {
            const double *y = solved + k * q;
            double moved =
                cblas_ddot((int)q, line + k * q, 1, y, 1) - rho * cblas_ddot((int)q, y, 1, y, 1);
            largest = moved > largest ? moved : largest;
        }
    }
    *reach = sqrt(1.0 + largest);
    regret_free(line);
    return REGRET_OK;
}

int preconditioner_init(struct preconditioner *p, const struct iterative *it, size_t n, size_t fits)
{
    size_t r = it->rank;
    *p = (struct preconditioner){
        .sketch = it->sketch, .n = n, .lines = it->n, .strong = it->strong.q, .rank = r};
    TRY(REGRET_NEW(&p->memory, (r * r + n + r) * fits));
    p->core = p->memory;
    p->weighed = p->core + r * r * fits;
    p->inner = p->weighed + n * fits;
    return REGRET_OK;
}

void preconditioner_clear(struct preconditioner *p)
{
    regret_free(p->memory);
    *p = (struct preconditioner){0};
}

/* core (lower) += factor · (more.core), mean += factor · more.mean. */
static void add_moments(double *core, double *mean, const struct iterative_sample *more,
                        double factor, size_t wide)
{
    for (size_t j = 0; factor != 0.0 && j < wide; j++) {
        mean[j] += factor * more->mean[j];
        cblas_daxpy((int)(wide - j), factor, more->core + j * wide + j, 1, core + j * wide + j, 1);
    }
}

/* Moments of the sketch and of S about their mean, as a fit weighs the samples. */
static void centre_moments(double *core, double *mean, const struct iterative *it,
                           const struct iterative_fit *fit, double obs, double exp)
{
    size_t wide = it->wide;
    add_moments(core, mean, &it->obs, obs, wide);
    add_moments(core, mean, &it->exp, exp, wide);
    if (fit->left_out != NULL) {
        add_moments(core, mean, &fit->left_out->sample, -exp, wide);
    }
    if (fit->obs_left_out != NULL) {
        add_moments(core, mean, &fit->obs_left_out->sample, -obs, wide);
    }
    for (size_t j = 0; j < wide; j++) {
        cblas_daxpy((int)(wide - j), -mean[j], mean + j, 1, core + j * wide + j, 1);
    }
}

/* The sketch's moments (rank × rank, lower, at core) less what S explains of them, K L⁻ᵀ L⁻¹ Kᵀ with K that of both. */
static void take_out(double *sketch, double *core, const struct elimination *e, size_t i,
                     size_t rank, size_t wide)
{
    size_t q = wide - rank;
    if (q > 0 && rank > 0) {
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)q,
                    (int)rank, 1.0, e->core + i * q * q, (int)q, core + rank, (int)wide);
        cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)rank, (int)q, -1.0, core + rank,
                    (int)wide, 1.0, core, (int)wide);
    }
    for (size_t j = 0; j < rank; j++) {
        memcpy(sketch + j * rank + j, core + j * wide + j, (rank - j) * sizeof *sketch);
    }
}

int preconditioner_set(struct preconditioner *p, struct elimination *e, size_t i,
                       const struct iterative *it, const struct iterative_fit *fit, double obs,
                       double exp, double rho)
{
    size_t r = p->rank, wide = it->wide;
    float *to = p->core + i * r * r;
    FREED double *memory = NULL;
    TRY(REGRET_NEW(&memory, wide * wide + wide + r * r));
    double *mean = memory + wide * wide, *core = mean + wide;
    centre_moments(memory, mean, it, fit, obs, exp);
    TRY(elimination_set(e, i, memory + r * wide + r, wide, mean + r, rho));
    take_out(core, memory, e, i, r, wide);
    for (size_t j = 0; j < r; j++) {
        core[j * r + j] += rho;
    }
    if (r > 0) {
        TRY(regret_sym_cholesky(core, r));
    }
    for (size_t j = 0; j < r; j++) {
        for (size_t k = j; k < r; k++) {
            to[j * r + k] = (float)core[j * r + k];
        }
    }
    return REGRET_OK;
}

/* out (m × fits) = F v or Fᵀ v, v k × fits. Of many lines one vector is not worth sgemm's copies of the sketch. */
static void sketch_times(const struct preconditioner *p, CBLAS_TRANSPOSE transpose, const float *v,
                         int k, float *out, int m, int fits)
{
    int lines = (int)p->lines, n = (int)p->n, rank = (int)p->rank;
    if (fits == 1 && n > SPARSE_MANY_ROWS) {
        cblas_sgemv(CblasColMajor, transpose, n, rank, 1.0F, p->sketch, lines, v, 1, 0.0F, out, 1);
    } else {
        cblas_sgemm(CblasColMajor, transpose, CblasNoTrans, m, fits, k, 1.0F, p->sketch, lines, v,
                    k, 0.0F, out, m);
    }
}

const float *preconditioner_apply(struct preconditioner *p, const double *h, const double *r,
                                  const size_t *fit, size_t n_fits)
{
    int n = (int)p->n, rank = (int)p->rank, fits = (int)n_fits;
    size_t column = p->n + p->strong;
    if (rank == 0 || fits == 0) {
        return NULL;
    }
    for (size_t a = 0; a < n_fits; a++) {
        const double *h_a = h + fit[a] * column, *r_a = r + fit[a] * column;
        for (size_t l = 0; l < p->n; l++) {
            p->weighed[a * p->n + l] = (float)(h_a[l] * r_a[l]);
        }
    }
    sketch_times(p, CblasTrans, p->weighed, n, p->inner, rank, fits);
    for (size_t a = 0; a < n_fits; a++) {
        const float *core = p->core + fit[a] * p->rank * p->rank;
        float *inner = p->inner + a * p->rank; /* spotrs takes three times as long for one vector */
        cblas_strsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, rank, core, rank, inner,
                    1);
        cblas_strsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, rank, core, rank, inner,
                    1);
    }
    sketch_times(p, CblasNoTrans, p->inner, rank, p->weighed, n, fits);
    return p->weighed;
}
