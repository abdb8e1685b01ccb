#include "estimate/fit/fold_fits.h"

#include "base/core/try.h"
#include "regret/alloc.h"

struct fold_fits {
    struct fold_whole whole;
    size_t n_folds, n_lambdas;
    struct regret_left_out **part; /* [n_folds]; NULL of a fold that is not defined */
    struct regret_pooled_batch
        *batch[2]; /* of λ = 0, which weighs EXP's pairs alone; of the others */
    size_t *place; /* [n_folds × n_lambdas] of a fit in its batch */
};

/* What fold k leaves out, unless that is all of a sample. */
static int leave_out(struct fold_fits *f, size_t k, const uint32_t *kept)
{
    const struct regret_problem *problem = f->whole.problem;
    const struct regret_rows *rows = problem->obs;
    const struct regret_sample *exp = problem->dr->part[k];
    struct regret_sample *obs = NULL;
    int rc = REGRET_OK;
    if (kept != NULL) {
        TRY(regret_sample_gather(&obs, rows->pair, rows->y, rows->n, problem->pairs,
                                 kept + k * rows->n, 0));
    }
    if (exp->rows < problem->exp->n && (obs == NULL || obs->rows < rows->n)) {
        rc = regret_left_out_create_of_both(&f->part[k], f->whole.pooled, exp, obs);
    }
    regret_sample_free(obs);
    return rc;
}

/* The fits of λ = 0, or the others. */
static int solve(struct fold_fits *f, int of_others)
{
    struct regret_pooled_fit *fit = NULL;
    size_t n = 0;
    int rc = REGRET_OK;
    TRY(REGRET_NEW(&fit, f->n_folds * f->n_lambdas));
    for (size_t i = 0; i < f->n_folds * f->n_lambdas; i++) {
        double lambda = f->whole.lambda[i % f->n_lambdas];
        struct regret_left_out *part = f->part[i / f->n_lambdas];
        if (part != NULL && (lambda > 0.0) == of_others) {
            fit[n] = (struct regret_pooled_fit){.lambda = lambda, .left_out = part};
            f->place[i] = n++;
        }
    }
    if (n > 0) {
        TRY_CLEANUP(regret_pooled_batch_create(&f->batch[of_others], f->whole.pooled, fit, n));
        rc = regret_pooled_batch_solve(f->batch[of_others], REGRET_POOLED_ERROR);
    }
cleanup:
    regret_free(fit);
    return rc;
}

int fold_fits_create(struct fold_fits **out, const struct fold_whole *whole, const uint32_t *kept)
{
    struct fold_fits *f = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&f, 1));
    f->whole = *whole;
    f->n_folds = whole->problem->dr->n_folds;
    f->n_lambdas = whole->n_lambdas;
    TRY_CLEANUP(REGRET_NEW(&f->part, f->n_folds));
    TRY_CLEANUP(REGRET_NEW(&f->place, f->n_folds * f->n_lambdas));
    for (size_t k = 0; k < f->n_folds; k++) {
        TRY_CLEANUP(leave_out(f, k, kept));
    }
    TRY_CLEANUP(solve(f, 0));
    TRY_CLEANUP(solve(f, 1));
    *out = f;
    f = NULL;
cleanup:
    fold_fits_free(f);
    return rc;
}

void fold_fits_free(struct fold_fits *f)
{
    if (f == NULL) {
        return;
    }
    regret_pooled_batch_free(f->batch[0]);
    regret_pooled_batch_free(f->batch[1]);
    for (size_t k = 0; f->part != NULL && k < f->n_folds; k++) {
        regret_left_out_free(f->part[k]);
    }
    regret_free(f->part);
    regret_free(f->place);
    regret_free(f);
}

static int solve_one(double *value, const struct fold_fits *f, size_t k, double lambda)
{
    const struct regret_pooled *pooled = f->whole.pooled;
    double *solution = NULL;
    int rc;
    TRY(REGRET_NEW(&solution, regret_pooled_size(pooled)));
    TRY_CLEANUP(regret_pooled_solve(solution, pooled, lambda, f->part[k]));
    rc = regret_pooled_predict(value, pooled, solution);
cleanup:
    regret_free(solution);
    return rc;
}

int fold_fits_values(double *value, const struct fold_fits *f, size_t k, double lambda)
{
    for (size_t j = 0; j < f->n_lambdas; j++) {
        if (f->whole.lambda[j] == lambda) {
            return regret_pooled_batch_predict(value, f->batch[lambda > 0.0],
                                               f->place[k * f->n_lambdas + j]);
        }
    }
    return solve_one(value, f, k, lambda);
}
