#include "estimate/fit/fold_fits.h"

#include "base/core/try.h"
#include "regret/alloc.h"

FREED_POINTER(struct regret_pooled_batch, regret_pooled_batch_free)
FREED_POINTER(struct fold_fits, fold_fits_free)

enum { MOST_LAMBDAS = 8 };

struct fold_fits {
    const struct regret_problem *problem;
    const struct regret_pooled *pooled;
    size_t n_folds, n;             /* n: with the whole, which comes last */
    struct regret_left_out **part; /* [n]; NULL of the whole, and of a fold that is not defined */
    size_t n_made;
    struct {
        double lambda;
        double *solution; /* n of the solver's size */
    } made[MOST_LAMBDAS]; /* the last of them makes room */
};

/* What fold k leaves out, unless that is all of a sample. */
static int leave_out(struct fold_fits *f, size_t k, const uint32_t *kept)
{
    const struct regret_sample *exp = f->problem->dr->part[k];
    const struct regret_rows *rows = f->problem->obs;
    struct regret_sample *obs = NULL;
    int rc = REGRET_OK;
    if (kept != NULL) {
        TRY(regret_sample_gather(&obs, rows->pair, rows->y, rows->n, f->problem->pairs,
                                 kept + k * rows->n, 0));
    }
    if (exp->rows < f->problem->exp->n && (obs == NULL || obs->rows < rows->n)) {
        rc = regret_left_out_create_of_both(&f->part[k], f->pooled, exp, obs);
    }
    regret_sample_free(obs);
    return rc;
}

int fold_fits_create(struct fold_fits **out, const struct regret_problem *problem,
                     const struct regret_pooled *pooled, const uint32_t *kept, int with_whole)
{
    FREED_BY(fold_fits_free_at) struct fold_fits *f = NULL;
    TRY(REGRET_NEW(&f, 1));
    f->problem = problem;
    f->pooled = pooled;
    f->n_folds = problem->dr->n_folds;
    f->n = f->n_folds + (with_whole != 0);
    TRY(REGRET_NEW(&f->part, f->n));
    for (size_t k = 0; k < f->n_folds; k++) {
        TRY(leave_out(f, k, kept));
    }
    *out = f;
    f = NULL;
    return REGRET_OK;
}

void fold_fits_free(struct fold_fits *f)
{
    if (f == NULL) {
        return;
    }
    for (size_t j = 0; j < f->n_made; j++) {
        regret_free(f->made[j].solution);
    }
    for (size_t k = 0; f->part != NULL && k < f->n; k++) {
        regret_left_out_free(f->part[k]);
    }
    regret_free(f->part);
    regret_free(f);
}

/* Of the whole and of every fold that is defined. */
static int solve(double *solution, const struct fold_fits *f, double lambda)
{
    FREED struct regret_pooled_fit *fit = NULL;
    FREED_BY(regret_pooled_batch_free_at) struct regret_pooled_batch *batch = NULL;
    size_t m = 0, size = regret_pooled_size(f->pooled);
    TRY(REGRET_NEW(&fit, f->n));
    for (size_t k = 0; k < f->n; k++) {
        if (k == f->n_folds || f->part[k] != NULL) {
            fit[m++] = (struct regret_pooled_fit){.lambda = lambda, .left_out = f->part[k]};
        }
    }
    TRY(regret_pooled_batch_create(&batch, f->pooled, fit, m));
    TRY(regret_pooled_batch_solve(batch, REGRET_POOLED_ERROR));
    for (size_t k = 0, i = 0; k < f->n; k++) {
        if (k == f->n_folds || f->part[k] != NULL) {
            TRY(regret_pooled_batch_solution(solution + k * size, batch, i++));
        }
    }
    return REGRET_OK;
}

static int find(const double **solution, struct fold_fits *f, double lambda)
{
    size_t j = 0;
    FREED double *made = NULL;
    while (j < f->n_made && f->made[j].lambda != lambda) {
        j++;
    }
    if (j == f->n_made) {
        TRY(REGRET_NEW(&made, f->n * regret_pooled_size(f->pooled)));
        TRY(solve(made, f, lambda));
        j = j < MOST_LAMBDAS ? j : MOST_LAMBDAS - 1;
        regret_free(f->made[j].solution);
        f->made[j].lambda = lambda;
        f->made[j].solution = made;
        f->n_made = j + 1;
    }
    *solution = f->made[j].solution;
    made = NULL;
    return REGRET_OK;
}

int fold_fits_values(double *value, struct fold_fits *f, size_t k, double lambda)
{
    const double *solution = NULL;
    TRY(find(&solution, f, lambda));
    size_t at = k == FOLD_NONE ? f->n_folds : k;
    return regret_pooled_predict(value, f->pooled, solution + at * regret_pooled_size(f->pooled));
}
