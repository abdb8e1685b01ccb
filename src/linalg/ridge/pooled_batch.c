/* Several fits of a pooled ridge: by conjugate gradients together, or directly one by one. */
#include <string.h>

#include "base/core/try.h"
#include "linalg/design/design.h"
#include "linalg/iterative/conjugate.h"
#include "linalg/ridge/pooled_fallback.h"
#include "regret/alloc.h"

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
