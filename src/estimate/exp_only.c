#include "base/try.h"
#include "estimate/families.h"
#include "estimate/session.h"

/* Ridge φ → Y on EXP: the pencil of φ at λ = 0. */
int fit_exp_only(struct regret_estimate *estimate, struct regret_session *session)
{
    struct folded *phi = NULL;
    TRY(session_phi(&phi, session));
    estimate->rho = session->options->exp_only_rho;
    return folded_finish(estimate, phi, 0.0, 1.0);
}
