#include "estimate/grounded.h"

#include <math.h>

#include "estimate/families.h"
#include "regret/alloc.h"

int correction_create(struct correction *c, struct regret_session *session, enum regret_basis basis,
                      double rho)
{
    struct regret_design design;
    const double *baseline = NULL;
    *c = (struct correction){NULL, NULL};
    int rc = session_baseline(&baseline, session);
    if (rc == REGRET_OK) {
        rc = basis_design(&design, &c->columns, basis, session->problem);
    }
    if (rc == REGRET_OK) {
        /* Targets f_O − Y. */
        rc = folded_create(&c->fit, session, &design, WITHOUT_OBS, baseline, -1.0, 1.0, rho);
    }
    if (rc != REGRET_OK) {
        correction_free(c);
    }
    return rc;
}

void correction_free(struct correction *c)
{
    folded_free(c->fit);
    regret_free(c->columns);
    *c = (struct correction){NULL, NULL};
}

/* Larger ρ first, then the simpler basis. */
int grounded_choose(struct regret_estimate *estimate, struct regret_session *session)
{
    const struct regret_grid_values *rho = &session->options->grounded_rho;
    int rc = candidates_create(estimate, rho->n * REGRET_N_BASES);
    struct regret_candidate *c = estimate->candidates;
    for (size_t i = rho->n; rc == REGRET_OK && i-- > 0;) {
        for (int b = 0; rc == REGRET_OK && b < REGRET_N_BASES; b++, c++) {
            struct correction correction;
            c->rho = rho->value[i];
            c->basis = b;
            c->alpha = 1.0;
            rc = correction_create(&correction, session, (enum regret_basis)b, c->rho);
            if (rc == REGRET_OK) {
                rc = folded_loss(&c->loss, correction.fit, 0.0, -1.0);
                correction_free(&correction);
            }
        }
    }
    if (rc == REGRET_OK) {
        candidates_settle(estimate, session);
    }
    return rc;
}

/* f = clip(f_O − c), c the ridge of f_O − Y on a basis of z over EXP. */
int fit_grounded(struct regret_estimate *estimate, struct regret_session *session)
{
    struct correction correction;
    int rc = grounded_choose(estimate, session);
    if (rc == REGRET_OK) {
        rc = correction_create(&correction, session, (enum regret_basis)estimate->basis,
                               estimate->rho);
    }
    if (rc == REGRET_OK) {
        rc = folded_finish(estimate, correction.fit, 0.0, -1.0);
        correction_free(&correction);
    }
    return rc;
}
