#include "base/core/try.h"
#include "estimate/fit/session.h"
#include "estimate/fit/work.h"

/* Ridge φ → Y on EXP: the pencil of φ at λ = 0. Of several ρ causal cross-validation chooses. */
static int fit(struct regret_estimate *estimate, struct regret_session *session)
{
    const struct plain_rho *chosen = NULL;
    struct folded *phi = NULL;
    TRY(session_rho(&chosen, session, RHO_OF_EXP));
    TRY(session_phi(&phi, session));
    TRY(plain_rho_report(estimate, chosen));
    return folded_finish(estimate, phi, 0.0, 1.0);
}

static void work(struct fit_work *w, const struct fit_sizes *s)
{
    work_cross_fit(w, s, s->q);
}

const struct regret_family family_exp_only = {
    .name = "exp-only",
    .summary = "ridge on the raw features of the EXP rows",
    .roles = REGRET_ROLE_PAPER,
    .hypers = &plain_rho_hyper[RHO_OF_EXP],
    .n_hypers = 1,
    .fit = fit,
    .work = work,
};
