#include <math.h>

#include "base/core/try.h"
#include "estimate/fit/session.h"
#include "regret/alloc.h"

const char *regret_family_role_name(size_t i)
{
    static const char *const names[REGRET_N_ROLES] = {"paper", "obs-based"};
    return names[i];
}

int regret_family_fit(struct regret_estimate **out, const struct regret_family *family,
                      struct regret_session *session)
{
    const struct regret_problem *problem = session->problem;
    struct regret_estimate *e = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&e, 1));
    TRY_CLEANUP(REGRET_NEW(&e->prediction, problem->pairs));
    nothing_tuned(e->tuned);
    e->basis = -1;
    e->cv_mode = -1;
    if (session->options->cross_fit) {
        TRY_CLEANUP(REGRET_NEW(&e->cross_fit, problem->exp->n));
        for (size_t i = 0; i < problem->exp->n; i++) {
            e->cross_fit[i] = NAN;
        }
    }
    rc = family->fit(e, session);
    if (rc != REGRET_OK) {
        rc = regret_fail_prefix(rc, "%s", family->name);
        goto cleanup;
    }
    for (int of = 0; of < 2; of++) {
        e->plain_rho[of] = session->rho[of].value;
    }
    *out = e;
    e = NULL;
cleanup:
    regret_estimate_free(e);
    return rc;
}

void regret_estimate_free(struct regret_estimate *e)
{
    if (e == NULL) {
        return;
    }
    regret_free(e->prediction);
    regret_free(e->cross_fit);
    regret_free(e->fold_mean);
    regret_free(e->candidates);
    regret_free(e);
}
