#include "linalg/pooled_ridge.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/dense.h"
#include "linalg/design.h"
#include "linalg/internal.h"
#include "linalg/iterative.h"
#include "regret/design.h"
#include "regret/status.h"

/* Fits of an iterative design solved directly after all: in coordinates of the pairs that the samples have. */

FREED_POINTER(struct regret_left_out, regret_left_out_free)
FREED_POINTER(struct regret_sample, regret_sample_free)

/* The design in coordinates of the pairs that are seen, and what was factorised of it last. */
struct reduced {
    struct regret_coordinates coordinates;
    struct regret_design design;
    struct regret_pooled *pooled;
    double *memory; /* solution and coefficients of a fit */
};

static int sample_new(struct regret_sample **out, size_t most, double rows)
{
    FREED_BY(regret_sample_free_at) struct regret_sample *s = NULL;
    TRY(REGRET_NEW(&s, 1));
    s->rows = (size_t)rows;
    TRY(REGRET_NEW(&s->pair, most));
    TRY(REGRET_NEW(&s->count, most));
    TRY(REGRET_NEW(&s->sum, most));
    *out = s;
    s = NULL;
    return REGRET_OK;
}

/* Squares are of no use to a solver. */
static void sample_add(struct regret_sample *s, size_t pair, double count, double sum)
{
    s->pair[s->entries] = pair;
    s->count[s->entries] = count;
    s->sum[s->entries++] = sum;
}

/* Counts and sums of a sample without a part of it (NULL: with all). */
static int take_away(double **out, const struct iterative *it, const struct iterative_sample *from,
                     const struct iterative_part *part)
{
    TRY(REGRET_NEW(out, 2 * it->n));
    double *count = *out, *sum = count + it->n;
    memcpy(count, from->count, it->n * sizeof *count);
    memcpy(sum, from->sum, it->n * sizeof *sum);
    for (size_t e = 0; part != NULL && e < part->n; e++) {
        count[part->line[e]] -= part->sample.count[e];
        sum[part->line[e]] -= part->sample.sum[e];
    }
    return REGRET_OK;
}

/* One of the samples again, by ascending pairs: those of EXP and those that only OBS has both ascend. */
static int sample_of(struct regret_sample **out, const struct iterative *it,
                     const struct iterative_sample *from, const struct iterative_part *part)
{
    double rows = from->rows - (part != NULL ? part->sample.rows : 0.0);
    FREED double *count = NULL;
    size_t a = 0, b = it->m;
    *out = NULL;
    if (from->rows <= 0.0) {
        return REGRET_OK;
    }
    TRY(take_away(&count, it, from, part));
    TRY(sample_new(out, it->n, rows));
    while (a < it->m || b < it->n) {
        size_t l = b == it->n || (a < it->m && it->pair[a] < it->pair[b]) ? a++ : b++;
        if (count[l] > 0.0) {
            sample_add(*out, it->pair[l], count[l], count[it->n + l]);
        }
    }
    return REGRET_OK;
}

static int leave_out(struct regret_left_out **out, const struct regret_pooled *pooled,
                     const struct iterative *it, const struct iterative_part *part)
{
    FREED_BY(regret_sample_free_at) struct regret_sample *s = NULL;
    TRY(sample_new(&s, part->n, part->sample.rows));
    for (size_t e = 0; e < part->n; e++) {
        sample_add(s, it->pair[part->line[e]], part->sample.count[e], part->sample.sum[e]);
    }
    return regret_left_out_create(out, pooled, s);
}

static int see_pairs(struct reduced *r, const struct regret_design *design,
                     const struct iterative *it)
{
    FREED unsigned char *seen = NULL;
    TRY(REGRET_NEW(&seen, design->pairs));
    for (size_t l = 0; l < it->n; l++) {
        seen[it->pair[l]] = 1;
    }
    TRY(regret_coordinates_of_design(&r->coordinates, design, seen));
    r->design = regret_design_reduced(design, &r->coordinates);
    return REGRET_NEW(&r->memory, 2 * (r->design.dim + 1));
}

static const struct iterative_part *obs_left_out(const struct regret_pooled_fit *fit)
{
    return fit->left_out != NULL ? left_out_of_obs(fit->left_out) : NULL;
}

static int factorise(struct reduced *r, const struct iterative *it,
                     const struct regret_pooled_fit *fit)
{
    FREED_BY(regret_sample_free_at) struct regret_sample *obs = NULL;
    FREED_BY(regret_sample_free_at) struct regret_sample *exp = NULL;
    regret_pooled_free(r->pooled);
    r->pooled = NULL;
    TRY(sample_of(&obs, it, &it->obs, obs_left_out(fit)));
    TRY(sample_of(&exp, it, &it->exp, NULL));
    return regret_pooled_create(&r->pooled, &r->design, obs, exp, it->obs.rho,
                                fit->rho > 0.0 ? fit->rho : it->exp.rho);
}

/* (θ, b) in the columns of the design, q, from a solution in solver coordinates. */
static int pooled_coefficients(double *theta, const struct regret_pooled *p, const double *solution)
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

/* Refuses a λ that weighs a sample which is not there. */
static int pooled_check_lambda(const struct regret_pooled *p, double lambda)
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

/* regret_pooled_solve() of a design that is not iterative. */
static int pooled_solve_directly(double *solution, const struct regret_pooled *p, double lambda,
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

static int solve(double *solution, struct reduced *r, const struct iterative *it,
                 const struct regret_pooled_fit *fit)
{
    double *x = r->memory, *theta = x + r->design.dim + 1;
    FREED_BY(regret_left_out_free_at) struct regret_left_out *part = NULL;
    if (fit->left_out != NULL) {
        TRY(leave_out(&part, r->pooled, it, left_out_iterative(fit->left_out)));
    }
    TRY(pooled_solve_directly(x, r->pooled, fit->lambda, part));
    TRY(pooled_coefficients(theta, r->pooled, x));
    return design_sparse_coefficients(solution, &r->design, theta);
}

/* (θ, b) of every fit in the columns of the design, dim + 1 a fit. Neighbours of one penalty and one OBS share a
 * factorisation. O(n³) time and O(n²) memory in the n different pairs of both samples. */
static int pooled_fallback_solve(double *solution, const struct regret_pooled *pooled,
                                 const struct regret_pooled_fit *fit, size_t n)
{
    const struct iterative *it = pooled->iterative;
    struct reduced r = {.pooled = NULL};
    int rc;
    TRY_CLEANUP(see_pairs(&r, &pooled->design, it));
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || fit[i].rho != fit[i - 1].rho ||
            obs_left_out(&fit[i]) != obs_left_out(&fit[i - 1])) {
            TRY_CLEANUP(factorise(&r, it, &fit[i]));
        }
        TRY_CLEANUP(solve(solution + i * pooled->q, &r, it, &fit[i]));
    }
cleanup:
    regret_pooled_free(r.pooled);
    regret_free(r.memory);
    regret_coordinates_free(&r.coordinates);
    return rc;
}

/* Several fits of a pooled ridge: by conjugate gradients together, or directly one by one. */

FREED_POINTER(struct regret_pooled_batch, regret_pooled_batch_free)

struct regret_pooled_batch {
    const struct regret_pooled *pooled;
    size_t n;
    struct regret_pooled_fit *fit;
    struct conjugate *conjugate; /* of an iterative design, or NULL */
    size_t *place;               /* [n] of a fit in it: one for fits that are the same */
    size_t steps;                /* of it, already recorded */
    double *
        solution; /* q a fit: of other designs, and where conjugate gradients did not get there; or NULL */
    unsigned char *done;    /* [n] solved and recorded; or dropped */
    unsigned char *dropped; /* [n] */
};

static const struct iterative_part *obs_part(const struct regret_pooled_fit *fit)
{
    return fit->left_out != NULL ? left_out_of_obs(fit->left_out) : NULL;
}

/* At λ = 1 EXP weighs nothing, whatever is left out of it. */
static int is_same(const struct regret_pooled_fit *a, const struct regret_pooled_fit *b)
{
    return a->lambda == 1.0 && b->lambda == 1.0 && obs_part(a) == obs_part(b);
}

static int create_conjugate(struct regret_pooled_batch *b)
{
    FREED struct iterative_fit *fits = NULL;
    size_t places = 0;
    TRY(REGRET_NEW(&fits, b->n));
    TRY(REGRET_NEW(&b->place, b->n));
    for (size_t i = 0; i < b->n; i++) {
        const struct regret_pooled_fit *fit = &b->fit[i];
        size_t first = 0;
        while (first < i && !is_same(&b->fit[first], fit)) {
            first++;
        }
        b->place[i] = first < i ? b->place[first] : places++;
        fits[b->place[i]] = (struct iterative_fit){
            .lambda = fit->lambda,
            .rho_exp = fit->rho,
            .left_out = fit->left_out != NULL ? left_out_iterative(fit->left_out) : NULL,
            .obs_left_out = obs_part(fit)};
    }
    return conjugate_create(&b->conjugate, b->pooled->iterative, fits, places);
}

int regret_pooled_batch_create(struct regret_pooled_batch **out, const struct regret_pooled *pooled,
                               const struct regret_pooled_fit *fit, size_t n)
{
    FREED_BY(regret_pooled_batch_free_at) struct regret_pooled_batch *b = NULL;
    TRY(REGRET_NEW(&b, 1));
    b->pooled = pooled;
    b->n = n;
    TRY(REGRET_NEW(&b->fit, n));
    memcpy(b->fit, fit, n * sizeof *fit);
    TRY(REGRET_NEW(&b->done, n));
    TRY(REGRET_NEW(&b->dropped, n));
    if (pooled->iterative == NULL) {
        TRY(REGRET_NEW(&b->solution, n * pooled->q));
    } else {
        TRY(create_conjugate(b));
    }
    *out = b;
    b = NULL;
    return REGRET_OK;
}

void regret_pooled_batch_free(struct regret_pooled_batch *b)
{
    if (b != NULL) {
        conjugate_free(b->conjugate);
        regret_free(b->fit);
        regret_free(b->place);
        regret_free(b->solution);
        regret_free(b->done);
        regret_free(b->dropped);
        regret_free(b);
    }
}

static int solve_directly(struct regret_pooled_batch *b)
{
    for (size_t i = 0; i < b->n; i++) {
        if (!b->done[i]) {
            TRY(pooled_solve_directly(b->solution + i * b->pooled->q, b->pooled, b->fit[i].lambda,
                                      b->fit[i].left_out));
            b->done[i] = 1;
        }
    }
    return REGRET_OK;
}

/* Adds what was done since the last time, to an error of `error` or as near as could be. */
static void record(struct regret_pooled_batch *b, double error)
{
    struct regret_solver_record *r = b->pooled->design.record;
    if (r == NULL) {
        return;
    }
    r->steps += conjugate_steps(b->conjugate) - b->steps;
    b->steps = conjugate_steps(b->conjugate);
    r->fallbacks += b->solution != NULL;
    for (size_t i = 0; b->solution == NULL && i < b->n; i++) {
        double proven = conjugate_error(b->conjugate, b->place[i]);
        if ((proven <= REGRET_POOLED_ERROR || error <= REGRET_POOLED_ERROR) && !b->done[i]) {
            b->done[i] = 1;
            r->fits++;
            r->error = proven > r->error ? proven : r->error;
        }
    }
}

static int solve_after_all(struct regret_pooled_batch *b)
{
    FREED double *solution = NULL;
    TRY(REGRET_NEW(&solution, b->n * b->pooled->q));
    TRY(pooled_fallback_solve(solution, b->pooled, b->fit, b->n));
    b->solution = solution;
    solution = NULL;
    return REGRET_OK;
}

static int solve_together(struct regret_pooled_batch *b, double error)
{
    int rc = conjugate_solve(b->conjugate, error);
    if (rc == REGRET_E_NUMERIC && !b->pooled->iterative->is_last_resort) {
        rc = solve_after_all(b);
    }
    TRY(rc);
    record(b, error);
    return REGRET_OK;
}

int regret_pooled_batch_solve(struct regret_pooled_batch *b, double error)
{
    if (b->conjugate == NULL) {
        return solve_directly(b);
    }
    return b->solution != NULL
               ? REGRET_OK
               : solve_together(b, error > REGRET_POOLED_ERROR ? error : REGRET_POOLED_ERROR);
}

static int is_place_wanted(const struct regret_pooled_batch *b, size_t place)
{
    size_t i = 0;
    while (i < b->n && (b->place[i] != place || b->dropped[i])) {
        i++;
    }
    return i < b->n;
}

void regret_pooled_batch_drop(struct regret_pooled_batch *b, size_t i)
{
    b->done[i] = 1;
    b->dropped[i] = 1;
    if (b->conjugate != NULL && !is_place_wanted(b, b->place[i])) {
        conjugate_drop(b->conjugate, b->place[i]);
    }
}

double regret_pooled_batch_error(const struct regret_pooled_batch *b, size_t i)
{
    return b->solution == NULL ? conjugate_error(b->conjugate, b->place[i]) : 0.0;
}

int regret_pooled_batch_solution(double *solution, const struct regret_pooled_batch *b, size_t i)
{
    size_t q = b->pooled->q;
    if (b->solution == NULL) {
        return conjugate_solution(solution, b->conjugate, b->place[i]);
    }
    memcpy(solution, b->solution + i * q, q * sizeof *solution);
    return REGRET_OK;
}

int regret_pooled_batch_predict(double *prediction, const struct regret_pooled_batch *b, size_t i)
{
    FREED double *solution = NULL;
    TRY(REGRET_NEW(&solution, b->pooled->q));
    TRY(regret_pooled_batch_solution(solution, b, i));
    return regret_pooled_predict(prediction, b->pooled, solution);
}

void regret_pooled_batch_predict_part(double *prediction, const struct regret_pooled_batch *b,
                                      size_t i)
{
    if (b->solution != NULL) {
        regret_left_out_predict(prediction, b->fit[i].left_out, b->solution + i * b->pooled->q);
    } else {
        conjugate_part_values(prediction, b->conjugate, b->place[i],
                              left_out_iterative(b->fit[i].left_out));
    }
}

/* One fit of an iterative design. */
static int solve_one(double *solution, const struct regret_pooled *pooled,
                     const struct regret_pooled_fit *fit)
{
    FREED_BY(regret_pooled_batch_free_at) struct regret_pooled_batch *b = NULL;
    TRY(regret_pooled_batch_create(&b, pooled, fit, 1));
    TRY(regret_pooled_batch_solve(b, REGRET_POOLED_ERROR));
    return regret_pooled_batch_solution(solution, b, 0);
}

int regret_pooled_solve(double *solution, const struct regret_pooled *p, double lambda,
                        const struct regret_left_out *f)
{
    if (p->iterative == NULL) {
        return pooled_solve_directly(solution, p, lambda, f);
    }
    TRY(pooled_check_lambda(p, lambda));
    return solve_one(solution, p, &(struct regret_pooled_fit){.lambda = lambda, .left_out = f});
}

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

static int pooled_ridge_factorise(struct regret_pooled *p, const struct regret_sample *obs,
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
        TRY((way == PLAIN ? keep_plain : pooled_ridge_factorise)(p, obs, exp, rho_obs, rho_exp));
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
