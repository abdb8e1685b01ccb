#include "base/try.h"
#include "estimate/families.h"
#include "estimate/session.h"

/* Ridge z → Y on EXP. */
static int fit(struct regret_estimate *estimate, struct regret_session *session)
{
    struct folded *f = NULL;
    double rho = session->options->representation_rho;
    int rc;
    TRY_CLEANUP(folded_create(&f, session, &session->problem->z, WITHOUT_OBS, NULL, 1.0, 1.0, rho));
    estimate->rho = rho;
    rc = folded_finish(estimate, f, 0.0, 1.0);
cleanup:
    folded_free(f);
    return rc;
}

const struct regret_family family_representation_exp = {
    .name = "representation-exp",
    .summary = "ridge on the proxy of the EXP rows",
    .roles = REGRET_ROLE_PAPER,
    .fit = fit,
};
