#include "model/fit/shared.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"

void shared_clear(struct shared *s)
{
    smooth_free(s->smooth);
    regret_free(s->coefficient);
    regret_free(s->miss);
    *s = (struct shared){0};
}

/* The fit at a penalty, and what it misses; returns the mean square of that. */
static double fit_at(struct shared *s, const double *y, double *fitted, double rho)
{
    double squares = 0.0;
    double *leverage = fitted + s->smooth->n;
    smooth_fit(&s->mean, s->coefficient, s->smooth, rho, y, 1);
    smooth_fitted(fitted, leverage, s->smooth, rho, &s->mean, s->coefficient, 1);
    for (size_t i = 0; i < s->smooth->n; i++) {
        double e = (y[i] - fitted[i]) / fmax(1.0 - leverage[i], 1e-6);
        s->miss[s->smooth->at[i]] = e;
        squares += e * e;
    }
    s->rho = rho;
    return squares / (double)s->smooth->n;
}

static int fit_design(struct shared *out, const struct panel *p, const struct design *d,
                      const double *value)
{
    double least = INFINITY, best = penalties[0];
    FREED double *y = NULL;
    TRY(smooth_create(&out->smooth, d->z, p->rows, d->cols, p->at, p->n));
    TRY(REGRET_NEW(&out->coefficient, out->smooth->k));
    TRY(REGRET_NEW(&out->miss, p->rows));
    TRY(REGRET_NEW(&y, 3 * p->n)); /* the values, the fit, the leverages */
    for (size_t i = 0; i < p->n; i++) {
        y[i] = value[p->at[i]];
    }
    for (size_t i = 0; i < PENALTIES; i++) {
        double loss = fit_at(out, y, y + p->n, penalties[i]);
        if (loss < least * (1.0 - 1e-8)) {
            least = loss;
            best = penalties[i];
        }
    }
    fit_at(out, y, y + p->n, best);
    return REGRET_OK;
}

/* Whether the second misses less by more than `errors` standard errors. */
static int is_better(const struct shared *first, const struct shared *second, const struct panel *p,
                     double errors)
{
    double total = 0.0, squares = 0.0, n = (double)p->n;
    for (size_t i = 0; i < p->n; i++) {
        double e = first->miss[p->at[i]], f = second->miss[p->at[i]], d = e * e - f * f;
        total += d;
        squares += d * d;
    }
    double mean = total / n, variance = fmax(squares / n - mean * mean, 0.0) / (n - 1.0);
    return mean > errors * sqrt(variance);
}

int shared_find(struct shared *out, const struct panel *panel, const struct design_list *designs,
                const double *value)
{
    struct shared found = {0};
    int rc = REGRET_OK;
    *out = (struct shared){0};
    for (size_t d = 0; d < designs->n; d++) {
        TRY_CLEANUP(fit_design(&found, panel, &designs->item[d], value));
        found.design = d;
        int same = d > 0 && designs->item[d].rule == designs->item[out->design].rule;
        if (d == 0 || is_better(out, &found, panel, same ? 0.0 : 1.0)) {
            struct shared worse = *out;
            *out = found;
            found = worse;
        }
        shared_clear(&found);
    }
cleanup:
    shared_clear(&found);
    if (rc != REGRET_OK) {
        shared_clear(out);
    }
    return rc;
}
