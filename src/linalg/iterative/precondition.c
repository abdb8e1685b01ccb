#include "linalg/iterative/precondition.h"

#include <cblas.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/symmetric.h"
#include "regret/alloc.h"

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
