#include "linalg/iterative/precondition.h"

#include <cblas.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/symmetric.h"
#include "regret/alloc.h"

int preconditioner_init(struct preconditioner *p, const struct iterative *it, size_t n, size_t fits)
{
    size_t r = it->rank;
    *p = (struct preconditioner){.sketch = it->sketch, .n = n, .lines = it->n, .rank = r};
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
                        double factor, size_t r)
{
    for (size_t j = 0; factor != 0.0 && j < r; j++) {
        mean[j] += factor * more->mean[j];
        cblas_daxpy((int)(r - j), factor, more->core + j * r + j, 1, core + j * r + j, 1);
    }
}

int preconditioner_set(struct preconditioner *p, size_t i, const struct iterative *it,
                       const struct iterative_fit *fit, double obs, double exp, double rho)
{
    size_t r = p->rank;
    float *to = p->core + i * r * r;
    double *core = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&core, r * r + r));
    double *mean = core + r * r;
    add_moments(core, mean, &it->obs, obs, r);
    add_moments(core, mean, &it->exp, exp, r);
    if (fit->left_out != NULL) {
        add_moments(core, mean, &fit->left_out->sample, -exp, r);
    }
    for (size_t j = 0; j < r; j++) {
        cblas_daxpy((int)(r - j), -mean[j], mean + j, 1, core + j * r + j, 1);
        core[j * r + j] += rho;
    }
    if (r > 0) {
        TRY_CLEANUP(regret_sym_cholesky(core, r));
    }
    for (size_t j = 0; j < r; j++) {
        for (size_t k = j; k < r; k++) {
            to[j * r + k] = (float)core[j * r + k];
        }
    }
cleanup:
    regret_free(core);
    return rc;
}

const float *preconditioner_apply(struct preconditioner *p, const double *h, const double *r,
                                  const size_t *fit, size_t n_fits)
{
    int n = (int)p->n, lines = (int)p->lines, rank = (int)p->rank, fits = (int)n_fits;
    if (rank == 0 || fits == 0) {
        return NULL;
    }
    for (size_t a = 0; a < n_fits; a++) {
        const double *h_a = h + fit[a] * p->n, *r_a = r + fit[a] * p->n;
        for (size_t l = 0; l < p->n; l++) {
            p->weighed[a * p->n + l] = (float)(h_a[l] * r_a[l]);
        }
    }
    cblas_sgemm(CblasColMajor, CblasTrans, CblasNoTrans, rank, fits, n, 1.0F, p->sketch, lines,
                p->weighed, n, 0.0F, p->inner, rank);
    for (size_t a = 0; a < n_fits; a++) {
        const float *core = p->core + fit[a] * p->rank * p->rank;
        float *inner = p->inner + a * p->rank; /* spotrs takes three times as long for one vector */
        cblas_strsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, rank, core, rank, inner,
                    1);
        cblas_strsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, rank, core, rank, inner,
                    1);
    }
    cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, fits, rank, 1.0F, p->sketch, lines,
                p->inner, rank, 0.0F, p->weighed, n);
    return p->weighed;
}
