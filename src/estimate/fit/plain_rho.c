#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "estimate/fit/session.h"
#include "regret/alloc.h"

const struct regret_hyper plain_rho_hyper[] = {
    [RHO_OF_EXP] =
        PLAIN_PENALTY("exp_only.rho", "rho_E of exp-only and cvci: a number, or candidates"),
    [RHO_OF_OBS] =
        PLAIN_PENALTY("obs_only.rho", "rho_O of obs-only and cvci: a number, or candidates"),
};

/* Mean over the folds of the loss of one ρ: ridge on the rows outside a fold, clipped. */
static int lose(double *loss, const struct regret_problem *problem,
                const struct regret_sample *sample, const struct regret_folds *folds, double rho)
{
    struct regret_pooled *pooled = NULL;
    struct regret_left_out *left_out = NULL;
    double *solution = NULL, *v = NULL, total = 0.0;
    int rc;
    TRY_CLEANUP(regret_pooled_create(&pooled, &problem->phi, NULL, sample, 1.0, rho));
    TRY_CLEANUP(REGRET_NEW(&solution, regret_pooled_size(pooled)));
    TRY_CLEANUP(REGRET_NEW(&v, problem->pairs));
    for (size_t k = 0; k < folds->n_folds; k++) {
        TRY_CLEANUP(regret_left_out_create(&left_out, pooled, folds->part[k]));
        TRY_CLEANUP(regret_pooled_solve(solution, pooled, 0.0, left_out));
        regret_left_out_predict(v, left_out, solution);
        for (size_t e = 0; e < folds->part[k]->entries; e++) {
            v[e] = clip01(v[e]);
        }
        total += regret_cv_loss(folds->mode, folds->part[k], v, problem->agent);
        regret_left_out_free(left_out);
        left_out = NULL;
    }
    *loss = total / (double)folds->n_folds;
cleanup:
    regret_left_out_free(left_out);
    regret_pooled_free(pooled);
    regret_free(solution);
    regret_free(v);
    return rc;
}

/* Larger ρ first. */
static int choose(struct plain_rho *c, const struct regret_session *s,
                  const struct regret_sample *sample, const struct regret_folds *folds,
                  const struct regret_grid_values *grid)
{
    TRY(candidates_new(&c->candidates, grid->n));
    c->n = grid->n;
    for (size_t i = 0; i < grid->n; i++) {
        c->candidates[i].rho = grid->value[grid->n - 1 - i];
        if (folds->n_folds > 0) {
            TRY(lose(&c->candidates[i].loss, s->problem, sample, folds, c->candidates[i].rho));
        }
    }
    size_t best = regret_cv_choose(c->candidates, c->n, s->options->tie_tolerance);
    c->value = c->candidates[best].rho;
    c->cv_mode = (int)folds->mode;
    return REGRET_OK;
}

int session_rho(const struct plain_rho **out, struct regret_session *s, enum plain_rho_of of)
{
    const struct regret_problem *problem = s->problem;
    const struct regret_grid_values *grid = hyper_grid(s->options, &plain_rho_hyper[of]);
    const struct regret_folds *folds = of == RHO_OF_EXP ? problem->cv : problem->obs_cv;
    struct plain_rho *c = &s->rho[of];
    *out = c;
    if (c->value > 0.0) {
        return REGRET_OK;
    }
    c->cv_mode = -1;
    if (grid->n == 1) {
        c->value = grid->value[0];
        return REGRET_OK;
    }
    if (s->chosen != NULL) {
        c->value = s->chosen->plain_rho[of];
        return REGRET_OK;
    }
    if (folds == NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "obs_only.rho has %zu candidates, but the problem has no "
                           "folds of OBS to choose by; give obs_cv, or one rho",
                           grid->n);
    }
    return choose(c, s, of == RHO_OF_EXP ? s->exp : s->obs, folds, grid);
}

int plain_rho_report(struct regret_estimate *e, const struct plain_rho *c)
{
    e->rho = c->value;
    e->cv_mode = c->cv_mode;
    if (c->n > 0) {
        TRY(candidates_create(e, c->n));
        memcpy(e->candidates, c->candidates, c->n * sizeof *c->candidates);
    }
    return REGRET_OK;
}

void plain_rho_clear(struct plain_rho *c)
{
    regret_free(c->candidates);
    *c = (struct plain_rho){0};
}
