#include "base/core/try.h"
#include "estimate/fit/session.h"

/* Ridge φ → Y on OBS: f_O, the pencil of φ at λ = 1. It never saw EXP, not for its ρ either:
 * cross-fitting is itself. */
static int fit(struct regret_estimate *estimate, struct regret_session *session)
{
    const struct regret_problem *problem = session->problem;
    const struct plain_rho *chosen = NULL;
    const double *baseline = NULL;
    TRY(session_rho(&chosen, session, RHO_OF_OBS));
    TRY(session_baseline(&baseline, session));
    for (size_t p = 0; p < problem->pairs; p++) {
        estimate->prediction[p] = clip01(baseline[p]);
    }
    for (size_t i = 0; estimate->cross_fit != NULL && i < problem->exp->n; i++) {
        estimate->cross_fit[i] = estimate->prediction[problem->exp->pair[i]];
    }
    return plain_rho_report(estimate, chosen);
}

const struct regret_family family_obs_only = {
    .name = "obs-only",
    .summary = "ridge on the raw features of the OBS rows",
    .roles = REGRET_ROLE_PAPER | REGRET_ROLE_OBS_BASED,
    .hypers = &plain_rho_hyper[RHO_OF_OBS],
    .n_hypers = 1,
    .fit = fit,
};
