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

/* Mean over the folds of the losses of n candidates: ridge on the rows outside a fold, clipped. A direct solver is made
 * for every ρ, an iterative one for all of them. */
static int lose(struct regret_candidate *c, size_t n, struct regret_session *s,
                const struct regret_sample *sample, const struct regret_folds *folds)
{
    int together = s->problem->phi.iterative;
    for (size_t i = 0; i < (together ? 1 : n); i++) {
        struct folded *f = NULL;
        TRY(folded_of_sample(&f, s, sample, folds, c[i].rho));
        int rc = together ? folded_losses(c, n, f, 1.0) : folded_loss(&c[i].loss, f, 0.0, 1.0);
        folded_free(f);
        TRY(rc);
    }
    return REGRET_OK;
}

/* Larger ρ first. */
static int choose(struct plain_rho *c, struct regret_session *s, const struct regret_sample *sample,
                  const struct regret_folds *folds, const struct regret_grid_values *grid)
{
    TRY(candidates_new(&c->candidates, grid->n));
    c->n = grid->n;
    for (size_t i = 0; i < grid->n; i++) {
        c->candidates[i].rho = grid->value[grid->n - 1 - i];
    }
    if (folds->n_folds > 0) {
        TRY(lose(c->candidates, c->n, s, sample, folds));
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
