#include "base/core/try.h"
#include "estimate/fit/session.h"
#include "estimate/fit/work.h"

FREED_POINTER(struct folded, folded_free)

static const struct regret_hyper penalty =
    FIXED_PENALTY("representation_exp.rho", "rho of representation-exp");

/* Ridge z → Y on EXP. */
static int fit(struct regret_estimate *estimate, struct regret_session *session)
{
    FREED_BY(folded_free_at) struct folded *f = NULL;
    double rho = hyper_value(session->options, &penalty)->number;
    TRY(folded_create(&f, session, &session->problem->z, WITHOUT_OBS, NULL, 1.0, 1.0, rho));
    estimate->rho = rho;
    return folded_finish(estimate, f, 0.0, 1.0);
}

static void work(struct fit_work *w, const struct fit_sizes *s)
{
    work_tuning(w, s, s->z, 0, 1, 1);
    work_cross_fit(w, s, s->z);
}

const struct regret_family family_representation_exp = {
    .name = "representation-exp",
    .summary = "ridge on the proxy of the EXP rows",
    .roles = REGRET_ROLE_PAPER,
    .hypers = &penalty,
    .n_hypers = 1,
    .fit = fit,
    .work = work,
};
