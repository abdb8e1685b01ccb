#include "base/try.h"
#include "estimate/families.h"
#include "estimate/session.h"

/* Ridge φ → Y on EXP: the pencil of φ at λ = 0. */
static int fit(struct regret_estimate *estimate, struct regret_session *session)
{
    struct folded *phi = NULL;
    TRY(session_phi(&phi, session));
    estimate->rho = session->options->exp_only_rho;
    return folded_finish(estimate, phi, 0.0, 1.0);
}

const struct regret_family family_exp_only = {
    .name = "exp-only",
    .summary = "ridge on the raw features of the EXP rows",
    .roles = REGRET_ROLE_PAPER,
    .fit = fit,
};
