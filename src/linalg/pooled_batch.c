/* Several fits of a pooled ridge: by conjugate gradients together, or directly one by one. */
#include <string.h>

#include "base/try.h"
#include "linalg/design.h"
#include "linalg/pooled.h"
#include "regret/alloc.h"

struct regret_pooled_batch {
    const struct regret_pooled *pooled;
    size_t n;
    struct regret_pooled_fit *fit;
    struct conjugate *conjugate; /* of an iterative design, or NULL */
    size_t steps;                /* of it, already recorded */
    double *solution;            /* of other designs, q a fit */
    unsigned char *done;         /* [n] of those: solved, or dropped */
};

int regret_pooled_batch_create(struct regret_pooled_batch **out, const struct regret_pooled *pooled,
                               const struct regret_pooled_fit *fit, size_t n)
{
    struct regret_pooled_batch *b = NULL;
    struct iterative_fit *fits = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&b, 1));
    b->pooled = pooled;
    b->n = n;
    TRY_CLEANUP(REGRET_NEW(&b->fit, n));
    memcpy(b->fit, fit, n * sizeof *fit);
    if (pooled->iterative == NULL) {
        TRY_CLEANUP(REGRET_NEW(&b->solution, n * pooled->q));
        TRY_CLEANUP(REGRET_NEW(&b->done, n));
    } else {
        TRY_CLEANUP(REGRET_NEW(&fits, n));
        for (size_t i = 0; i < n; i++) {
            fits[i].lambda = fit[i].lambda;
            fits[i].left_out = fit[i].left_out != NULL ? left_out_iterative(fit[i].left_out) : NULL;
        }
        TRY_CLEANUP(conjugate_create(&b->conjugate, pooled->iterative, fits, n));
    }
    *out = b;
    b = NULL;
cleanup:
    regret_free(fits);
    regret_pooled_batch_free(b);
    return rc;
}

void regret_pooled_batch_free(struct regret_pooled_batch *b)
{
    if (b != NULL) {
        conjugate_free(b->conjugate);
        regret_free(b->fit);
        regret_free(b->solution);
        regret_free(b->done);
        regret_free(b);
    }
}

static int solve_directly(struct regret_pooled_batch *b)
{
    for (size_t i = 0; i < b->n; i++) {
        if (!b->done[i]) {
            TRY(regret_pooled_solve(b->solution + i * b->pooled->q, b->pooled, b->fit[i].lambda,
                                    b->fit[i].left_out));
            b->done[i] = 1;
        }
    }
    return REGRET_OK;
}

int regret_pooled_batch_solve(struct regret_pooled_batch *b, double error)
{
    struct regret_solver_record *record = b->pooled->design.record;
    if (b->conjugate == NULL) {
        return solve_directly(b);
    }
    int rc =
        conjugate_solve(b->conjugate, error > REGRET_POOLED_ERROR ? error : REGRET_POOLED_ERROR);
        fprintf(stderr, "solve %g: n %zu steps %zu\n", error, b->n, conjugate_steps(b->conjugate));
    if (record != NULL) {
        record->steps += conjugate_steps(b->conjugate) - b->steps;
        b->steps = conjugate_steps(b->conjugate);
    }
    return rc;
}

void regret_pooled_batch_drop(struct regret_pooled_batch *b, size_t i)
{
    if (b->conjugate != NULL) {
        conjugate_drop(b->conjugate, i);
    } else {
        b->done[i] = 1;
    }
}

double regret_pooled_batch_error(const struct regret_pooled_batch *b, size_t i)
{
    return b->conjugate != NULL ? conjugate_error(b->conjugate, i) : 0.0;
}

int regret_pooled_batch_predict(double *prediction, const struct regret_pooled_batch *b, size_t i)
{
    double *solution = NULL;
    int rc;
    if (b->conjugate == NULL) {
        return regret_pooled_predict(prediction, b->pooled, b->solution + i * b->pooled->q);
    }
    TRY_CLEANUP(REGRET_NEW(&solution, b->pooled->q));
    TRY_CLEANUP(conjugate_solution(solution, b->conjugate, i));
    rc = design_times(prediction, &b->pooled->design, solution, 1);
cleanup:
    regret_free(solution);
    return rc;
}

void regret_pooled_batch_predict_part(double *prediction, const struct regret_pooled_batch *b,
                                      size_t i)
{
    if (b->conjugate != NULL) {
        conjugate_part_values(prediction, b->conjugate, i);
    } else {
        regret_left_out_predict(prediction, b->fit[i].left_out, b->solution + i * b->pooled->q);
    }
}

int pooled_batch_one(double *solution, const struct regret_pooled *pooled,
                     const struct regret_pooled_fit *fit)
{
    struct regret_pooled_batch *b = NULL;
    int rc;
    TRY_CLEANUP(regret_pooled_batch_create(&b, pooled, fit, 1));
    TRY_CLEANUP(regret_pooled_batch_solve(b, REGRET_POOLED_ERROR));
    rc = conjugate_solution(solution, b->conjugate, 0);
cleanup:
    regret_pooled_batch_free(b);
    return rc;
}
