#include "regret/pooled_ridge.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "linalg/design.h"
#include "linalg/symmetric.h"
#include "regret/alloc.h"

struct regret_pooled {
    struct regret_design design;
    size_t q;                 /* design.dim + 1 */
    const double *factor;     /* L of A = L Lᵀ, q × q lower; NULL without OBS (A = I) */
    const double *vectors;    /* U, q × q; NULL without EXP (U = I) */
    const double *values;     /* M, [q]; NULL without EXP */
    const double *obs_moment; /* Uᵀ L⁻¹ a, [q]; NULL without OBS */
    const double *exp_moment; /* Uᵀ L⁻¹ b, [q]; NULL without EXP */
    double n_exp;             /* rows of EXP */
    double *memory;           /* all of the above */
};

struct regret_left_out {
    const struct regret_pooled *pooled;
    size_t entries;
    double scale;         /* n_E / n' */
    const double *line;   /* the part's lines in solver coordinates, entries × q, column-major */
    const double *weight; /* count / n_E, [entries] */
    const double *moment; /* Σ sum/n_E · line, [q] */
    const double *gram; /* Σ weight · line lineᵀ, q × q lower; NULL when Woodbury is cheaper */
    double *memory;
};

/* gram (q × q, lower) = Σ count u uᵀ/n + (ρ/n) J and moment = Σ sum u/n, for one sample. */
static int normal_equations(double *gram, double *moment, const struct regret_design *d,
                            const struct regret_sample *s, double rho)
{
    size_t q = d->dim + 1;
    double n = (double)s->rows;
    int rc = design_moments(gram, moment, d, s->pair, s->count, s->sum, 1, n, s->entries);
    for (size_t j = 0; rc == REGRET_OK && j + 1 < q; j++) {
        gram[j * q + j] += rho / n;
    }
    return rc;
}

static int check_arguments(const struct regret_sample *obs, const struct regret_sample *exp,
                           double rho_obs, double rho_exp)
{
    if ((obs == NULL || obs->rows == 0) && (exp == NULL || exp->rows == 0)) {
        return regret_fail(REGRET_E_INPUT, "a ridge fit wants at least one row");
    }
    if (!(rho_obs > 0.0) || !(rho_exp > 0.0)) {
        return regret_fail(REGRET_E_INPUT,
                           "ridge penalties must be positive, but rho is %g (OBS) and %g (EXP)",
                           rho_obs, rho_exp);
    }
    return REGRET_OK;
}

/* Turns B into L⁻¹ B L⁻ᵀ (lower triangle, all that the eigen-solver reads). */
static int reduce_pencil(double *b, const double *factor, size_t q)
{
    if (factor == NULL) {
        return REGRET_OK;
    }
    lapack_int info =
        LAPACKE_dsygst_work(LAPACK_COL_MAJOR, 1, 'L', (int)q, b, (int)q, factor, (int)q);
    return info == 0 ? REGRET_OK
                     : regret_fail(REGRET_E_INTERNAL, "dsygst refuses argument %d", -(int)info);
}

/* moment ← Uᵀ L⁻¹ moment. */
static void to_solver(double *moment, const struct regret_pooled *p, double *scratch)
{
    int q = (int)p->q;
    if (p->factor != NULL) {
        cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, q, p->factor, q, moment,
                    1);
    }
    if (p->vectors != NULL) {
        cblas_dcopy(q, moment, 1, scratch, 1);
        cblas_dgemv(CblasColMajor, CblasTrans, q, q, 1.0, p->vectors, q, scratch, 1, 0.0, moment,
                    1);
    }
}

static int factorise(struct regret_pooled *p, const struct regret_sample *obs,
                     const struct regret_sample *exp, double rho_obs, double rho_exp)
{
    size_t q = p->q;
    double *a = p->memory, *b = a + q * q, *values = b + q * q;
    double *obs_moment = values + q, *exp_moment = obs_moment + q, *scratch = exp_moment + q;
    int rc = REGRET_OK;
    if (obs != NULL) {
        if ((rc = normal_equations(a, obs_moment, &p->design, obs, rho_obs)) != REGRET_OK ||
            (rc = regret_sym_cholesky(a, q)) != REGRET_OK) {
            return rc;
        }
        p->factor = a;
    }
    if (exp != NULL) {
        if ((rc = normal_equations(b, exp_moment, &p->design, exp, rho_exp)) != REGRET_OK ||
            (rc = reduce_pencil(b, p->factor, q)) != REGRET_OK ||
            (rc = regret_sym_eigen(b, values, q)) != REGRET_OK) {
            return rc;
        }
        p->vectors = b;
        p->values = values;
        p->n_exp = (double)exp->rows;
        to_solver(exp_moment, p, scratch);
        p->exp_moment = exp_moment;
    }
    if (obs != NULL) {
        to_solver(obs_moment, p, scratch);
        p->obs_moment = obs_moment;
    }
    return REGRET_OK;
}

int regret_pooled_create(struct regret_pooled **out, const struct regret_design *design,
                         const struct regret_sample *obs, const struct regret_sample *exp,
                         double rho_obs, double rho_exp)
{
    struct regret_pooled *p = NULL;
    size_t q = design->dim + 1;
    int rc = check_arguments(obs, exp, rho_obs, rho_exp);
    if (rc != REGRET_OK) {
        return rc;
    }
    obs = obs != NULL && obs->rows > 0 ? obs : NULL;
    exp = exp != NULL && exp->rows > 0 ? exp : NULL;
    if ((rc = REGRET_NEW(&p, 1)) != REGRET_OK ||
        (rc = REGRET_NEW(&p->memory, 2 * q * q + 4 * q)) != REGRET_OK) {
        goto cleanup;
    }
    p->design = *design;
    p->q = q;
    if ((rc = factorise(p, obs, exp, rho_obs, rho_exp)) != REGRET_OK) {
        goto cleanup;
    }
    *out = p;
    p = NULL;
cleanup:
    regret_pooled_free(p);
    return rc;
}

void regret_pooled_free(struct regret_pooled *p)
{
    if (p != NULL) {
        regret_free(p->memory);
        regret_free(p);
    }
}

size_t regret_pooled_size(const struct regret_pooled *p)
{
    return p->q;
}

/* lines (entries × q) ← lines L⁻ᵀ U, using `scratch` of the same size. */
static void lines_to_solver(double *lines, double *scratch, const struct regret_pooled *p,
                            size_t entries)
{
    int m = (int)entries, q = (int)p->q;
    if (p->factor != NULL) {
        cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, m, q, 1.0,
                    p->factor, q, lines, m);
    }
    memcpy(scratch, lines, entries * p->q * sizeof *scratch);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, q, q, 1.0, scratch, m, p->vectors, q,
                0.0, lines, m);
}

/* Woodbury costs m²q + m³/3 a solve, the direct way q³/3. */
static int woodbury_is_cheaper(size_t m, size_t q)
{
    double md = (double)m, qd = (double)q;
    return md * md * qd + md * md * md / 3.0 < qd * qd * qd / 3.0;
}

static void fill_left_out(struct regret_left_out *f, const struct regret_sample *part,
                          double *scratch)
{
    const struct regret_pooled *p = f->pooled;
    size_t m = part->entries, q = p->q;
    if (m == 0) {
        return; /* BLAS would refuse a leading dimension of 0 */
    }
    double *line = f->memory, *weight = line + m * q, *moment = weight + m, *gram = moment + q;
    design_take_lines(line, &p->design, part->pair, m);
    lines_to_solver(line, scratch, p, m);
    for (size_t e = 0; e < m; e++) {
        weight[e] = part->count[e] / p->n_exp;
    }
    cblas_dgemv(CblasColMajor, CblasTrans, (int)m, (int)q, 1.0 / p->n_exp, line, (int)m, part->sum,
                1, 0.0, moment, 1);
    if (!woodbury_is_cheaper(m, q)) {
        for (size_t j = 0; j < q; j++) {
            for (size_t e = 0; e < m; e++) {
                scratch[j * m + e] = line[j * m + e] * sqrt(weight[e]);
            }
        }
        cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)q, (int)m, 1.0, scratch, (int)m,
                    0.0, gram, (int)q);
        f->gram = gram;
    }
    f->line = line;
    f->weight = weight;
    f->moment = moment;
}

int regret_left_out_create(struct regret_left_out **out, const struct regret_pooled *pooled,
                           const struct regret_sample *part)
{
    struct regret_left_out *f = NULL;
    double *scratch = NULL;
    size_t m = part->entries, q = pooled->q;
    if (pooled->values == NULL || (double)part->rows >= pooled->n_exp) {
        return regret_fail(REGRET_E_INTERNAL, "%zu of %g EXP rows cannot be left out", part->rows,
                           pooled->n_exp);
    }
    size_t gram = woodbury_is_cheaper(m, q) ? 0 : q * q;
    int rc = REGRET_NEW(&f, 1);
    if (rc != REGRET_OK || (rc = REGRET_NEW(&f->memory, m * q + m + q + gram)) != REGRET_OK ||
        (rc = REGRET_NEW(&scratch, m * q)) != REGRET_OK) {
        goto cleanup;
    }
    f->pooled = pooled;
    f->entries = m;
    f->scale = pooled->n_exp / (pooled->n_exp - (double)part->rows);
    fill_left_out(f, part, scratch);
    *out = f;
    f = NULL;
cleanup:
    regret_free(scratch);
    regret_left_out_free(f);
    return rc;
}

void regret_left_out_free(struct regret_left_out *f)
{
    if (f != NULL) {
        regret_free(f->memory);
        regret_free(f);
    }
}

/* diagonal and right-hand side of the system in solver coordinates, before the low-rank part. */
static void diagonal_system(double *diagonal, double *rhs, const struct regret_pooled *p,
                            double lambda, const struct regret_left_out *f)
{
    double scale = (1.0 - lambda) * (f != NULL ? f->scale : 1.0);
    for (size_t i = 0; i < p->q; i++) {
        double d = 0.0, r = 0.0;
        if (lambda > 0.0) {
            d += lambda;
            r += lambda * p->obs_moment[i];
        }
        if (lambda < 1.0) {
            d += scale * p->values[i];
            r += scale * (p->exp_moment[i] - (f != NULL ? f->moment[i] : 0.0));
        }
        diagonal[i] = d;
        rhs[i] = r;
    }
}

/* (D − s V Vᵀ)⁻¹ r with V = linesᵀ·sqrt(weight), by D⁻¹ᐟ² (I + W ᵀ(I − W Wᵀ)⁻¹ W) D⁻¹ᐟ², where
 * W = sqrt(s·weight)·lines·D⁻¹ᐟ². */
static int solve_woodbury(double *x, const double *diagonal, const double *rhs,
                          const struct regret_left_out *f, double s)
{
    size_t m = f->entries, q = f->pooled->q;
    double *w = NULL;
    int rc = REGRET_NEW(&w, m * q + m * m + m + q);
    if (rc != REGRET_OK) {
        return rc;
    }
    double *inner = w + m * q, *v = inner + m * m, *root = v + m;
    for (size_t e = 0; e < m; e++) {
        v[e] = sqrt(s * f->weight[e]);
    }
    for (size_t j = 0; j < q; j++) {
        root[j] = 1.0 / sqrt(diagonal[j]);
        x[j] = rhs[j] * root[j];
        for (size_t e = 0; e < m; e++) {
            w[j * m + e] = v[e] * f->line[j * m + e] * root[j];
        }
    }
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)m, (int)q, -1.0, w, (int)m, 0.0,
                inner, (int)m);
    for (size_t e = 0; e < m; e++) {
        inner[e * m + e] += 1.0;
    }
    rc = regret_sym_cholesky(inner, m);
    if (rc == REGRET_OK) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)m, (int)q, 1.0, w, (int)m, x, 1, 0.0, v, 1);
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (int)m, 1, inner, (int)m, v, (int)m);
        cblas_dgemv(CblasColMajor, CblasTrans, (int)m, (int)q, 1.0, w, (int)m, v, 1, 1.0, x, 1);
        for (size_t j = 0; j < q; j++) {
            x[j] *= root[j];
        }
    }
    regret_free(w);
    return rc;
}

static int solve_direct(double *x, const double *diagonal, const double *rhs,
                        const struct regret_left_out *f, double s)
{
    size_t q = f->pooled->q;
    double *h = NULL;
    int rc = REGRET_NEW(&h, q * q);
    if (rc != REGRET_OK) {
        return rc;
    }
    for (size_t j = 0; j < q; j++) {
        for (size_t i = j; i < q; i++) {
            h[j * q + i] = -s * f->gram[j * q + i];
        }
        h[j * q + j] += diagonal[j];
        x[j] = rhs[j];
    }
    rc = regret_sym_cholesky(h, q);
    if (rc == REGRET_OK) {
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (int)q, 1, h, (int)q, x, (int)q);
    }
    regret_free(h);
    return rc;
}

int regret_pooled_solve(double *solution, const struct regret_pooled *p, double lambda,
                        const struct regret_left_out *f)
{
    if (!(lambda >= 0.0 && lambda <= 1.0) || (lambda > 0.0 && p->obs_moment == NULL) ||
        (lambda < 1.0 && p->exp_moment == NULL)) {
        return regret_fail(REGRET_E_INPUT, "lambda = %g has no sample to weigh", lambda);
    }
    size_t q = p->q;
    double *diagonal = NULL;
    int rc = REGRET_NEW(&diagonal, 3 * q);
    if (rc != REGRET_OK) {
        return rc;
    }
    double *rhs = diagonal + q, *x = rhs + q;
    f = f != NULL && f->entries > 0 ? f : NULL;
    diagonal_system(diagonal, rhs, p, lambda, f);
    if (f == NULL || lambda == 1.0) {
        for (size_t i = 0; i < q; i++) {
            x[i] = rhs[i] / diagonal[i];
        }
    } else {
        double s = (1.0 - lambda) * f->scale;
        rc = f->gram != NULL ? solve_direct(x, diagonal, rhs, f, s)
                             : solve_woodbury(x, diagonal, rhs, f, s);
    }
    for (size_t i = 0; rc == REGRET_OK && i < q; i++) {
        if (!isfinite(x[i])) {
            rc = regret_fail(REGRET_E_NUMERIC, "a ridge solution at lambda = %g is not finite",
                             lambda);
        }
    }
    if (rc == REGRET_OK) {
        memcpy(solution, x, q * sizeof *x);
    }
    regret_free(diagonal);
    return rc;
}

int regret_pooled_predict(double *prediction, const struct regret_pooled *p, const double *solution)
{
    int q = (int)p->q;
    double *theta = NULL;
    int rc = REGRET_NEW(&theta, p->q);
    if (rc != REGRET_OK) {
        return rc;
    }
    /* θ = L⁻ᵀ U x. */
    if (p->vectors != NULL) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, q, q, 1.0, p->vectors, q, solution, 1, 0.0, theta,
                    1);
    } else {
        memcpy(theta, solution, p->q * sizeof *theta);
    }
    if (p->factor != NULL) {
        cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, q, p->factor, q, theta, 1);
    }
    rc = design_times(prediction, &p->design, theta, 1);
    regret_free(theta);
    return rc;
}

void regret_left_out_predict(double *prediction, const struct regret_left_out *f,
                             const double *solution)
{
    if (f->entries == 0) {
        return;
    }
    cblas_dgemv(CblasColMajor, CblasNoTrans, (int)f->entries, (int)f->pooled->q, 1.0, f->line,
                (int)f->entries, solution, 1, 0.0, prediction, 1);
}
