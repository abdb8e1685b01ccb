/* Losses of many candidates at once, as accurately as the choice between them needs. */
#include <math.h>

#include "base/core/try.h"
#include "estimate/fit/session.h"
#include "regret/alloc.h"

/* Candidates while they are compared. Fit first[i] + k is candidate i without fold k. */
struct contest {
    const struct folded *f;
    double factor;
    size_t n;
    struct regret_candidate *candidates;
    size_t *first;       /* [n]; KNOWN: f_O, which leaving EXP rows out does not change, is there */
    double *spread;      /* [n] the loss is that of the candidate ± this */
    unsigned char *lost; /* [n] 1: not the choice, whatever its exact loss */
    struct regret_pooled_batch *batch;
};

#define KNOWN SIZE_MAX

static int is_known(const struct folded *f, const struct regret_candidate *candidate)
{
    const struct regret_session *s = f->session;
    return candidate->lambda == 1.0 && f == s->phi && s->baseline != NULL &&
           s->problem->phi.iterative;
}

static int contest_open(struct contest *c)
{
    const struct folded *f = c->f;
    size_t n_folds = f->folds->n_folds, n_fits = 0;
    FREED struct regret_pooled_fit *fit = NULL;
    TRY(REGRET_NEW(&c->first, c->n));
    TRY(REGRET_NEW(&c->spread, c->n));
    TRY(REGRET_NEW(&c->lost, c->n));
    TRY(REGRET_NEW(&fit, c->n * n_folds));
    for (size_t i = 0; i < c->n; i++) {
        const struct regret_candidate *candidate = &c->candidates[i];
        c->first[i] = is_known(f, candidate) ? KNOWN : n_fits;
        for (size_t k = 0; k < n_folds && c->first[i] != KNOWN; k++) {
            fit[n_fits++] = (struct regret_pooled_fit){
                .lambda = isnan(candidate->lambda) ? 0.0 : candidate->lambda,
                .left_out = f->cv[k],
                .rho = isnan(candidate->rho) ? 0.0 : candidate->rho};
        }
    }
    return regret_pooled_batch_create(&c->batch, f->pooled, fit, n_fits);
}

static void contest_clear(struct contest *c)
{
    regret_free(c->first);
    regret_free(c->spread);
    regret_free(c->lost);
    regret_pooled_batch_free(c->batch);
}

/* Predictions of candidate i for the rows of fold k; what they may be off by. */
static double predict(double *v, const struct contest *c, size_t i, size_t k)
{
    const struct regret_sample *part = c->f->folds->part[k];
    if (c->first[i] != KNOWN) {
        regret_pooled_batch_predict_part(v, c->batch, c->first[i] + k);
        return regret_pooled_batch_error(c->batch, c->first[i] + k);
    }
    for (size_t e = 0; e < part->entries; e++) {
        v[e] = c->f->session->baseline[part->pair[e]];
    }
    return REGRET_LOOSEST_ERROR;
}

/* A loss is the square of a weighted norm of residuals whose weights sum to one: predictions that move by at most e
 * move its root by at most e, and the loss by 2 √L e + e². */
static void take_loss(struct contest *c, size_t i, double *v)
{
    const struct regret_problem *problem = c->f->session->problem;
    const struct regret_folds *folds = c->f->folds;
    double total = 0.0, spread = 0.0;
    for (size_t k = 0; k < folds->n_folds; k++) {
        double error = fabs(c->factor) * predict(v, c, i, k);
        link_part(v, c->f, folds->part[k], c->factor);
        double loss = regret_cv_loss(folds->mode, folds->part[k], v, problem->agent);
        total += loss;
        spread += 2.0 * sqrt(loss) * error + error * error;
    }
    c->candidates[i].loss = total / (double)folds->n_folds;
    c->spread[i] = spread / (double)folds->n_folds;
}

/* Puts out of the contest who cannot be the choice any more: what regret_cv_choose() does with the losses that are
 * most in a candidate's favour. Returns how many are left. */
static size_t put_out(struct contest *c)
{
    size_t n_folds = c->f->folds->n_folds, left = 0;
    double best = INFINITY;
    for (size_t i = 0; i < c->n; i++) {
        best = fmin(best, c->candidates[i].loss + c->spread[i]);
    }
    for (size_t i = 0; i < c->n; i++) {
        double low = c->candidates[i].loss - c->spread[i];
        if (!c->lost[i] && low > regret_cv_tie(best, c->f->session->options->tie_tolerance)) {
            c->lost[i] = 1;
            for (size_t k = 0; k < n_folds && c->first[i] != KNOWN; k++) {
                regret_pooled_batch_drop(c->batch, c->first[i] + k);
            }
        }
        left += !c->lost[i];
    }
    return left;
}

static int run_contest(struct contest *c)
{
    static const double errors[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-8, REGRET_POOLED_ERROR};
    enum { LEVELS = sizeof errors / sizeof *errors };
    FREED double *v = NULL;
    size_t left = c->n;
    TRY(REGRET_NEW(&v, c->f->session->problem->pairs));
    for (int level = c->f->session->options->all_losses ? LEVELS - 1 : 0;
         level < LEVELS && left > 1; level++) {
        TRY(regret_pooled_batch_solve(c->batch, errors[level]));
        for (size_t i = 0; i < c->n; i++) {
            if (!c->lost[i]) {
                take_loss(c, i, v);
            }
        }
        left = c->f->session->options->all_losses ? 1 : put_out(c);
    }
    return REGRET_OK;
}

int folded_losses(struct regret_candidate *candidates, size_t n, const struct folded *f,
                  double factor)
{
    FREED_BY(contest_clear)
    struct contest c = {.f = f, .factor = factor, .n = n, .candidates = candidates};
    if (f->folds->n_folds == 0) {
        return REGRET_OK; /* losses stay undefined */
    }
    TRY(contest_open(&c));
    return run_contest(&c);
}
