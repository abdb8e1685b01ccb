#include <math.h>
#include <string.h>

#include "base/try.h"
#include "estimate/families.h"
#include "estimate/session.h"
#include "regret/alloc.h"

/* Every family, in the order in which they are listed and run. */
static const struct regret_family *const families[] = {
    &family_exp_only, &family_obs_only,      &family_representation_exp, &family_grounded,
    &family_cvci,     &family_cvci_residual, &family_grounded_linear,    &family_grounded_anchored,
};

enum { N_FAMILIES = sizeof families / sizeof *families };

size_t regret_family_count(void)
{
    return N_FAMILIES;
}

const struct regret_family *regret_family_at(size_t i)
{
    return i < N_FAMILIES ? families[i] : NULL;
}

const struct regret_family *regret_family_find(const char *name)
{
    for (size_t i = 0; i < N_FAMILIES; i++) {
        if (strcmp(families[i]->name, name) == 0) {
            return families[i];
        }
    }
    return NULL;
}

static struct regret_grid_values unit_grid(size_t steps)
{
    struct regret_grid_values g = {.n = steps + 1};
    for (size_t i = 0; i <= steps; i++) {
        g.value[i] = (double)i / (double)steps;
    }
    return g;
}

void regret_estimate_options_default(struct regret_estimate_options *options)
{
    const struct regret_grid_values rho = {4, {0.1, 1.0, 10.0, 100.0}};
    *options = (struct regret_estimate_options){
        .exp_only_rho = 1.0,
        .obs_only_rho = 1.0,
        .representation_rho = 1.0,
        .cvci_lambda = unit_grid(20),
        .residual_lambda = unit_grid(20),
        .residual_rho = rho,
        .grounded_rho = rho,
        .linear_alpha = unit_grid(4),
        .linear_rho = 1.0,
        .linear_tuning = REGRET_TUNE_CV,
        .holdout_share = 0.25,
        .anchored_lambda = unit_grid(20),
        .anchored_tau = {4, {0.001, 0.01, 0.1, 1.0}},
        .obs_folds = 5,
        .tie_tolerance = 1e-8,
        .cross_fit = 1,
    };
}

int candidates_create(struct regret_estimate *e, size_t n)
{
    TRY(REGRET_NEW(&e->candidates, n));
    e->n_candidates = n;
    for (size_t i = 0; i < n; i++) {
        e->candidates[i] = (struct regret_candidate){NAN, NAN, NAN, NAN, -1, NAN};
    }
    return REGRET_OK;
}

/* What one of them does not have tells them not apart: grounded-anchored chooses in two stages. */
static int agree(double a, double b)
{
    return a == b || isnan(a) || isnan(b);
}

/* The candidate that was chosen before. */
static size_t find_candidate(const struct regret_estimate *e, const struct regret_estimate *before)
{
    for (size_t i = 0; i < e->n_candidates; i++) {
        const struct regret_candidate *c = &e->candidates[i];
        if (agree(c->lambda, before->lambda) && agree(c->alpha, before->alpha) &&
            agree(c->rho, before->rho) && agree(c->tau, before->tau) &&
            (c->basis == before->basis || c->basis < 0)) {
            return i;
        }
    }
    return 0;
}

void candidates_settle(struct regret_estimate *e, const struct regret_session *session)
{
    size_t chosen = session->chosen != NULL ? find_candidate(e, session->chosen)
                                            : regret_cv_choose(e->candidates, e->n_candidates,
                                                               session->options->tie_tolerance);
    const struct regret_candidate *c = &e->candidates[chosen];
    e->lambda = c->lambda;
    e->alpha = c->alpha;
    e->rho = c->rho;
    e->tau = c->tau;
    e->basis = c->basis;
    e->cv_mode = (int)session->problem->cv->mode;
}

int regret_family_fit(struct regret_estimate **out, const struct regret_family *family,
                      struct regret_session *session)
{
    const struct regret_problem *problem = session->problem;
    struct regret_estimate *e = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&e, 1));
    TRY_CLEANUP(REGRET_NEW(&e->prediction, problem->pairs));
    e->lambda = e->alpha = e->rho = e->tau = NAN;
    e->basis = -1;
    e->cv_mode = -1;
    if (session->options->cross_fit) {
        if ((rc = REGRET_NEW(&e->cross_fit, problem->exp->n)) != REGRET_OK) {
            goto cleanup;
        }
        for (size_t i = 0; i < problem->exp->n; i++) {
            e->cross_fit[i] = NAN;
        }
    }
    rc = family->fit(e, session);
    if (rc == REGRET_OK) {
        *out = e;
        e = NULL;
    } else {
        rc = regret_fail_prefix(rc, "%s", family->name);
    }
cleanup:
    regret_estimate_free(e);
    return rc;
}

void regret_estimate_free(struct regret_estimate *e)
{
    if (e == NULL) {
        return;
    }
    regret_free(e->prediction);
    regret_free(e->cross_fit);
    regret_free(e->fold_mean);
    regret_free(e->candidates);
    regret_free(e);
}
