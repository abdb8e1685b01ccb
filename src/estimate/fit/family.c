#include <math.h>

#include "base/core/try.h"
#include "estimate/fit/session.h"
#include "regret/alloc.h"

const char *regret_family_role_name(size_t i)
{
    static const char *const names[REGRET_N_ROLES] = {"paper", "obs-based"};
    return names[i];
}

/* The session holds the last fit of every family, as far as there is room. */
static void remember(struct regret_session *s, const struct regret_family *family,
                     struct regret_estimate *e)
{
    size_t i = 0;
    while (i < s->n_made && s->made[i].family != family) {
        i++;
    }
    if (i == REGRET_MAX_FAMILIES) {
        return;
    }
    if (i == s->n_made) {
        s->n_made++;
    }
    regret_estimate_free(s->made[i].estimate);
    s->made[i].family = family;
    s->made[i].estimate = e;
    e->sharers++;
}

int session_member(struct regret_estimate **out, struct regret_session *session,
                   const struct regret_family *family, const struct regret_estimate *chosen)
{
    const struct regret_estimate *before = session->chosen;
    for (size_t i = 0; i < session->n_made; i++) {
        if (session->made[i].family == family) {
            *out = session->made[i].estimate;
            (*out)->sharers++;
            return REGRET_OK;
        }
    }
    session->chosen = chosen;
    int rc = regret_family_fit(out, family, session);
    session->chosen = before;
    return rc;
}

int regret_family_fit(struct regret_estimate **out, const struct regret_family *family,
                      struct regret_session *session)
{
    const struct regret_problem *problem = session->problem;
    struct regret_estimate *e = NULL;
    int rc;
    TRY(regret_stop_check(problem->phi.stop));
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
        TRY_CLEANUP(fold_value_create(e, problem));
    }
    rc = family->fit(e, session);
    if (rc != REGRET_OK && rc != REGRET_E_CANCELLED) {
        rc = regret_fail_prefix(rc, "%s", family->name);
    }
    TRY_CLEANUP(rc);
    for (int of = 0; of < 2; of++) {
        e->plain_rho[of] = session->rho[of].value;
    }
    remember(session, family, e);
    *out = e;
    e = NULL;
cleanup:
    regret_estimate_free(e);
    return rc;
}

void regret_estimate_free(struct regret_estimate *e)
{
    if (e == NULL || e->sharers > 0) {
        if (e != NULL) {
            e->sharers--;
        }
        return;
    }
    for (size_t i = 0; i < e->n_members; i++) {
        regret_estimate_free(e->member[i].estimate);
    }
    regret_free(e->member);
    regret_free(e->prediction);
    regret_free(e->unclipped);
    regret_free(e->cross_fit);
    regret_free(e->fold_mean);
    regret_free(e->fold_value);
    regret_free(e->candidates);
    regret_free(e);
}
