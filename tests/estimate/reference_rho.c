/* The choice of the plain families' ρ, by the words of protocol §5. */
#include <math.h>
#include <stdlib.h>

#include "estimate/reference_ridge.h"

/* The rows that choose, and how they are left out. */
struct chooser {
    const struct reference_problem *problem;
    size_t n, n_folds;
    const uint32_t *pair, *fold;
    const double *y;
    int by_agent;
};

static struct chooser rows_of(const struct reference_problem *p, int of_obs)
{
    if (of_obs) {
        return (struct chooser){p,        p->n_obs, p->obs_cv_folds, p->obs_pair, p->obs_cv_fold,
                                p->obs_y, 0};
    }
    return (struct chooser){p,          p->n_exp, p->cv_folds,   p->exp_pair,
                            p->cv_fold, p->exp_y, p->cv_by_agent};
}

static double error_of(const struct chooser *c, const double *f, size_t i)
{
    double x = f[c->pair[i]];
    return c->y[i] - (x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x);
}

/* Mean squared error over the rows of a fold, or over its agents the squared mean error, by rows. */
static double fold_loss(const struct chooser *c, const double *f, size_t fold)
{
    double loss = 0.0, rows = 0.0;
    for (size_t i = 0; i < c->n; i++) {
        rows += c->fold[i] == fold;
        loss += c->fold[i] == fold && !c->by_agent ? pow(error_of(c, f, i), 2) : 0.0;
    }
    for (size_t a = 0; c->by_agent && a < c->problem->n_agents; a++) {
        double sum = 0.0, n = 0.0;
        for (size_t i = 0; i < c->n; i++) {
            if (c->fold[i] == fold && c->problem->agent[c->pair[i]] == a) {
                sum += error_of(c, f, i);
                n += 1.0;
            }
        }
        loss += n > 0.0 ? sum * sum / n : 0.0;
    }
    return loss / rows;
}

static double loss_of(const struct chooser *c, const struct reference_features *phi, double rho)
{
    double *f = reference_doubles(c->problem->pairs), sum = 0.0;
    unsigned char *outside = reference_zeroed(c->n, 1);
    for (size_t fold = 0; fold < c->n_folds; fold++) {
        for (size_t i = 0; i < c->n; i++) {
            outside[i] = c->fold[i] != fold;
        }
        struct reference_part part = {1.0, rho, c->n, c->pair, c->y, outside};
        reference_ridge(f, c->problem->pairs, phi, &part, 1);
        sum += fold_loss(c, f, fold);
    }
    free(f);
    free(outside);
    return sum / (double)c->n_folds;
}

size_t reference_first_of_the_best(const double *loss, size_t n)
{
    double best = INFINITY;
    for (size_t i = 0; i < n; i++) {
        best = loss[i] < best ? loss[i] : best;
    }
    for (size_t i = 0; i < n; i++) {
        if (isfinite(best) && loss[i] <= best * (1.0 + 1e-8) + 1e-12) {
            return i;
        }
    }
    return 0;
}

double reference_choose_rho(double *loss, size_t *n_losses, const struct reference_problem *problem,
                            const struct reference_features *phi, int of_obs)
{
    const struct reference_rhos *rhos = of_obs ? &problem->rho_obs : &problem->rho_exp;
    struct chooser c = rows_of(problem, of_obs);
    *n_losses = 0;
    if (rhos->n == 0) {
        return 1.0;
    }
    if (rhos->n == 1 || c.n_folds == 0) {
        return rhos->value[rhos->n - 1];
    }
    *n_losses = rhos->n;
    for (size_t i = 0; i < rhos->n; i++) { /* from the largest */
        loss[i] = loss_of(&c, phi, rhos->value[rhos->n - 1 - i]);
    }
    return rhos->value[rhos->n - 1 - reference_first_of_the_best(loss, rhos->n)];
}
