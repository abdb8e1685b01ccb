#include "estimate/families.h"
#include "estimate/session.h"

/* Ridge z → Y on EXP. */
int fit_representation_exp(struct regret_estimate *estimate, struct regret_session *session)
{
    struct folded *f = NULL;
    double rho = session->options->representation_rho;
    int rc = folded_create(&f, session, &session->problem->z, WITHOUT_OBS, NULL, 1.0, 1.0, rho);
    if (rc == REGRET_OK) {
        estimate->rho = rho;
        rc = folded_finish(estimate, f, 0.0, 1.0);
    }
    folded_free(f);
    return rc;
}
