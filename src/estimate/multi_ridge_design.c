#include <lapacke.h>
#include <math.h>

#include "base/try.h"
#include "estimate/multi_ridge.h"
#include "linalg/design.h"
#include "linalg/symmetric.h"
#include "linalg/weights.h"
#include "regret/alloc.h"

/* The rows with a positive count: their pairs, counts and weighted labels. */
struct rows {
    size_t n;
    size_t *pair;  /* [n]; owned */
    double *count; /* [n]; owned */
    double *sum;   /* n × outputs, c t; owned */
};

static void rows_free(struct rows *r)
{
    regret_free(r->pair);
    regret_free(r->count);
    regret_free(r->sum);
}

static int take_rows(struct rows *r, const double *t, size_t pairs, size_t outputs,
                     const double *count)
{
    *r = (struct rows){0};
    for (size_t p = 0; p < pairs; p++) {
        r->n += count[p] > 0.0;
    }
    int rc = REGRET_NEW(&r->pair, r->n);
    if (rc != REGRET_OK || (rc = REGRET_NEW(&r->count, r->n)) != REGRET_OK ||
        (rc = REGRET_NEW(&r->sum, r->n * outputs)) != REGRET_OK) {
        rows_free(r);
        return rc;
    }
    for (size_t p = 0, e = 0; p < pairs; p++) {
        if (count[p] > 0.0) {
            r->pair[e] = p;
            r->count[e] = count[p];
            for (size_t k = 0; k < outputs; k++) {
                r->sum[k * r->n + e] = count[p] * t[k * pairs + p];
            }
            e++;
        }
    }
    return REGRET_OK;
}

/* θ (q × outputs) into `theta`, solving (Σ c u uᵀ + ρ J) θ = Σ c u tᵀ with J the identity but for
 * the intercept. */
static int solve(double *theta, const struct regret_design *d, const struct rows *r, size_t outputs,
                 double ridge)
{
    size_t q = d->dim + 1;
    double *gram = NULL;
    int rc = REGRET_NEW(&gram, q * q);
    if (rc == REGRET_OK) {
        rc = design_moments(gram, theta, d, r->pair, r->count, r->sum, outputs, 1.0, r->n);
    }
    for (size_t j = 0; rc == REGRET_OK && j + 1 < q; j++) {
        gram[j * q + j] += ridge;
    }
    if (rc == REGRET_OK && (rc = regret_sym_cholesky(gram, q)) != REGRET_OK) {
        rc = regret_fail_prefix(rc, "the ridge of labels on features");
    }
    if (rc == REGRET_OK) {
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (int)q, (int)outputs, gram, (int)q, theta,
                            (int)q);
    }
    for (size_t i = 0; rc == REGRET_OK && i < q * outputs; i++) {
        if (!isfinite(theta[i])) {
            rc = regret_fail(REGRET_E_NUMERIC,
                             "the ridge of labels on features is not finite: check the features "
                             "and labels for values that are not");
        }
    }
    regret_free(gram);
    return rc;
}

int multi_ridge_predict_design(double *prediction, const struct regret_design *d, const double *t,
                               size_t outputs, const double *count, double ridge)
{
    struct rows rows = {0};
    double *theta = NULL;
    if (!(ridge > 0.0) || !isfinite(ridge)) {
        return regret_fail(REGRET_E_INPUT,
                           "a ridge penalty of %g for predicted labels: it must be above 0", ridge);
    }
    int rc = REGRET_OK;
    TRY(weights_check(count, d->pairs));
    TRY(take_rows(&rows, t, d->pairs, outputs, count));
    rc = REGRET_NEW(&theta, (d->dim + 1) * outputs);
    if (rc == REGRET_OK) {
        rc = solve(theta, d, &rows, outputs, ridge);
    }
    if (rc == REGRET_OK) {
        rc = design_times(prediction, d, theta, outputs);
    }
    regret_free(theta);
    rows_free(&rows);
    return rc;
}
