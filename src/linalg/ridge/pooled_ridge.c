#include "regret/pooled_ridge.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/symmetric.h"
#include "linalg/design/design.h"
#include "linalg/ridge/pooled.h"
#include "regret/alloc.h"

FREED_POINTER(struct regret_pooled, regret_pooled_free)

/* gram (q × q, lower) = Σ count u uᵀ/n + (ρ/n) J and moment = Σ sum u/n, for one sample. */
static int normal_equations(double *gram, double *moment, const struct regret_design *d,
                            const struct regret_sample *s, double rho)
{
    size_t q = d->dim + 1;
    double n = (double)s->rows;
    TRY(design_moments(gram, moment, d, s->pair, s->count, s->sum, 1, n, s->entries));
    for (size_t j = 0; j + 1 < q; j++) {
        gram[j * q + j] += rho / n;
    }
    return REGRET_OK;
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

static int check_seen(const struct regret_design *d, const struct regret_sample *s)
{
    for (size_t e = 0; d->line != NULL && s != NULL && e < s->entries; e++) {
        if (d->line[s->pair[e]] == UINT32_MAX) {
            return regret_fail(REGRET_E_INTERNAL, "the design does not see pair %zu", s->pair[e]);
        }
    }
    return REGRET_OK;
}

/* Turns B into L⁻¹ B L⁻ᵀ (lower triangle). */
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

/* moment ← Qᵀ L⁻¹ moment. */
static int to_solver(double *moment, const struct regret_pooled *p)
{
    if (p->factor != NULL) {
        cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)p->q, p->factor,
                    (int)p->q, moment, 1);
    }
    return p->rotation == NULL
               ? REGRET_OK
               : regret_sym_rotate(moment, p->q, 1, SYM_LEFT, SYM_TRANSPOSED, p->rotation, p->tau);
}

/* The lines of the EXP pairs in solver coordinates: u ← Qᵀ L⁻¹ u. */
static int take_exp_lines(struct regret_pooled *p, const struct regret_sample *exp)
{
    size_t m = exp->entries;
    TRY(REGRET_NEW(&p->pair, m));
    TRY(REGRET_NEW(&p->line, m * p->q));
    p->entries = m;
    memcpy(p->pair, exp->pair, m * sizeof *p->pair);
    design_take_lines(p->line, &p->design, p->pair, m);
    if (p->factor != NULL) {
        cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)m,
                    (int)p->q, 1.0, p->factor, (int)p->q, p->line, (int)m);
    }
    return regret_sym_rotate(p->line, m, p->q, SYM_RIGHT, SYM_PLAIN, p->rotation, p->tau);
}

static int factorise(struct regret_pooled *p, const struct regret_sample *obs,
                     const struct regret_sample *exp, double rho_obs, double rho_exp)
{
    size_t q = p->q;
    double *a = p->memory, *b = a + q * q, *tau = b + q * q, *diagonal = tau + q;
    double *off = diagonal + q, *obs_moment = off + q, *exp_moment = obs_moment + q;
    if (obs != NULL) {
        TRY(normal_equations(a, obs_moment, &p->design, obs, rho_obs));
        TRY(regret_stop_check(p->design.stop));
        TRY(regret_sym_cholesky(a, q));
        p->factor = a;
    }
    if (exp != NULL) {
        TRY(normal_equations(b, exp_moment, &p->design, exp, rho_exp));
        TRY(regret_stop_check(p->design.stop));
        TRY(reduce_pencil(b, p->factor, q));
        TRY(regret_stop_check(p->design.stop));
        TRY(regret_sym_tridiagonal(b, tau, diagonal, off, q));
        p->rotation = b;
        p->tau = tau;
        p->diagonal = diagonal;
        p->off = off;
        p->exp_moment = exp_moment;
        TRY(to_solver(exp_moment, p));
        TRY(regret_stop_check(p->design.stop));
        TRY(take_exp_lines(p, exp));
    }
    if (obs != NULL) {
        p->obs_moment = obs_moment;
        TRY(to_solver(obs_moment, p));
    }
    return REGRET_OK;
}

/* A and B as they are. */
static int keep_plain(struct regret_pooled *p, const struct regret_sample *obs,
                      const struct regret_sample *exp, double rho_obs, double rho_exp)
{
    size_t q = p->q;
    double *a = p->memory, *b = a + q * q, *obs_moment = b + q * q, *exp_moment = obs_moment + q;
    if (obs != NULL) {
        TRY(normal_equations(a, obs_moment, &p->design, obs, rho_obs));
        p->obs_gram = a;
        p->obs_moment = obs_moment;
    }
    if (exp != NULL) {
        TRY(normal_equations(b, exp_moment, &p->design, exp, rho_exp));
        p->exp_gram = b;
        p->exp_moment = exp_moment;
    }
    return REGRET_OK;
}

enum way { FACTORISED, PLAIN };

static int create(struct regret_pooled **out, enum way way, const struct regret_design *design,
                  const struct regret_sample *obs, const struct regret_sample *exp, double rho_obs,
                  double rho_exp)
{
    FREED_BY(regret_pooled_free_at) struct regret_pooled *p = NULL;
    size_t q = design->dim + 1;
    TRY(check_arguments(obs, exp, rho_obs, rho_exp));
    TRY(check_seen(design, obs));
    TRY(check_seen(design, exp));
    obs = obs != NULL && obs->rows > 0 ? obs : NULL;
    exp = exp != NULL && exp->rows > 0 ? exp : NULL;
    TRY(REGRET_NEW(&p, 1));
    p->design = *design;
    p->q = q;
    p->n_obs = obs != NULL ? (double)obs->rows : 0.0;
    p->n_exp = exp != NULL ? (double)exp->rows : 0.0;
    if (design->iterative) {
        TRY(iterative_create(&p->iterative, design, obs, exp, rho_obs, rho_exp));
    } else {
        TRY(REGRET_NEW(&p->memory, 2 * q * q + 5 * q));
        TRY((way == PLAIN ? keep_plain : factorise)(p, obs, exp, rho_obs, rho_exp));
    }
    *out = p;
    p = NULL;
    return REGRET_OK;
}

int regret_pooled_create(struct regret_pooled **out, const struct regret_design *design,
                         const struct regret_sample *obs, const struct regret_sample *exp,
                         double rho_obs, double rho_exp)
{
    return create(out, FACTORISED, design, obs, exp, rho_obs, rho_exp);
}

int regret_pooled_create_plain(struct regret_pooled **out, const struct regret_design *design,
                               const struct regret_sample *obs, const struct regret_sample *exp,
                               double rho_obs, double rho_exp)
{
    return create(out, PLAIN, design, obs, exp, rho_obs, rho_exp);
}

void regret_pooled_free(struct regret_pooled *p)
{
    if (p != NULL) {
        regret_free(p->memory);
        regret_free(p->pair);
        regret_free(p->line);
        iterative_free(p->iterative);
        regret_free(p);
    }
}

size_t regret_pooled_size(const struct regret_pooled *p)
{
    return p->q;
}

/* The system at `lambda`, with EXP without the part f (NULL: all of it). */
static void fill_system(struct pooled_system *s, const struct regret_pooled *p, double lambda,
                        const struct regret_left_out *f)
{
    double scale = (1.0 - lambda) * (f != NULL ? left_out_scale(f) : 1.0);
    const double *gone = f != NULL ? left_out_moment(f) : NULL;
    for (size_t i = 0; i < p->q; i++) {
        double d = 0.0, off = 0.0, r = 0.0;
        if (lambda > 0.0) {
            d += lambda;
            r += lambda * p->obs_moment[i];
        }
        if (lambda < 1.0) {
            d += scale * p->diagonal[i];
            off = i + 1 < p->q ? scale * p->off[i] : 0.0;
            r += scale * (p->exp_moment[i] - (gone != NULL ? gone[i] : 0.0));
        }
        s->diagonal[i] = d;
        s->off[i] = off;
        s->rhs[i] = r;
    }
}

static int solve_whole(double *x, struct pooled_system *s)
{
    TRY(regret_sym_tridiagonal_factor(s->diagonal, s->off, s->q));
    memcpy(x, s->rhs, s->q * sizeof *x);
    regret_sym_tridiagonal_solve(x, s->diagonal, s->off, s->q);
    return REGRET_OK;
}

int pooled_check_lambda(const struct regret_pooled *p, double lambda)
{
    if (!(lambda >= 0.0 && lambda <= 1.0) || (lambda > 0.0 && p->n_obs == 0.0) ||
        (lambda < 1.0 && p->n_exp == 0.0)) {
        return regret_fail(REGRET_E_INPUT, "lambda = %g has no sample to weigh", lambda);
    }
    return REGRET_OK;
}

static void add_times(double *sum, const double *x, size_t n, double factor)
{
    for (size_t i = 0; x != NULL && factor > 0.0 && i < n; i++) {
        sum[i] += factor * x[i];
    }
}

/* (λA + (1−λ)B) x = λa + (1−λ)b by a Cholesky factorisation. */
static int solve_plainly(double *x, const struct regret_pooled *p, double lambda)
{
    size_t q = p->q;
    FREED double *system = NULL;
    TRY(REGRET_NEW(&system, q * q));
    add_times(system, p->obs_gram, q * q, lambda);
    add_times(system, p->exp_gram, q * q, 1.0 - lambda);
    memset(x, 0, q * sizeof *x);
    add_times(x, p->obs_moment, q, lambda);
    add_times(x, p->exp_moment, q, 1.0 - lambda);
    TRY(regret_sym_cholesky(system, q));
    regret_sym_cholesky_solve(x, 1, system, q);
    return REGRET_OK;
}

static int solve_in_pencil(double *x, const struct regret_pooled *p, double lambda,
                           const struct regret_left_out *f)
{
    size_t q = p->q;
    FREED double *memory = NULL;
    TRY(REGRET_NEW(&memory, 3 * q));
    struct pooled_system system = {q, memory, memory + q, memory + 2 * q};
    fill_system(&system, p, lambda, f);
    return f == NULL || lambda == 1.0 ? solve_whole(x, &system)
                                      : left_out_solve(x, &system, lambda, f);
}

int pooled_solve_directly(double *solution, const struct regret_pooled *p, double lambda,
                          const struct regret_left_out *f)
{
    size_t q = p->q;
    FREED double *x = NULL;
    TRY(regret_stop_check(p->design.stop));
    TRY(pooled_check_lambda(p, lambda));
    TRY(REGRET_NEW(&x, q));
    TRY(pooled_is_plain(p) ? solve_plainly(x, p, lambda) : solve_in_pencil(x, p, lambda, f));
    for (size_t i = 0; i < q; i++) {
        if (!isfinite(x[i])) {
            return regret_fail(REGRET_E_NUMERIC, "a ridge solution at lambda = %g is not finite",
                               lambda);
        }
    }
    memcpy(solution, x, q * sizeof *x);
    return REGRET_OK;
}

int pooled_coefficients(double *theta, const struct regret_pooled *p, const double *solution)
{
    /* θ = L⁻ᵀ Q x. */
    memcpy(theta, solution, p->q * sizeof *theta);
    if (p->rotation != NULL) {
        TRY(regret_sym_rotate(theta, p->q, 1, SYM_LEFT, SYM_PLAIN, p->rotation, p->tau));
    }
    if (p->factor != NULL) {
        cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, (int)p->q, p->factor,
                    (int)p->q, theta, 1);
    }
    return REGRET_OK;
}

int regret_pooled_predict(double *prediction, const struct regret_pooled *p, const double *solution)
{
    FREED double *theta = NULL;
    if (p->iterative != NULL) {
        return design_times(prediction, &p->design, solution, 1);
    }
    TRY(REGRET_NEW(&theta, p->q));
    TRY(pooled_coefficients(theta, p, solution));
    return design_times(prediction, &p->design, theta, 1);
}
