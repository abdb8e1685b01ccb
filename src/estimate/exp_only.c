#include "base/try.h"
#include "estimate/families.h"
#include "estimate/session.h"

static const struct regret_hyper rho =
    FIXED_PENALTY("exp_only.rho", "rho_E of exp-only and cvci", 1);

double rho_of_exp(const struct regret_estimate_options *options)
{
    return hyper_value(options, &rho)->number;
}

/* Ridge φ → Y on EXP: the pencil of φ at λ = 0. */
static int fit(struct regret_estimate *estimate, struct regret_session *session)
{
    struct folded *phi = NULL;
    TRY(session_phi(&phi, session));
    estimate->rho = rho_of_exp(session->options);
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
    .hypers = &rho,
    .n_hypers = 1,
    .fit = fit,
    .work = work,
};
