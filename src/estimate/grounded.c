#include "estimate/grounded.h"

#include <math.h>

#include "base/try.h"
#include "estimate/families.h"
#include "regret/alloc.h"

static const struct regret_hyper penalties = CHOSEN_PENALTY("grounded.rho");

/* Targets f_O − Y on EXP. */
static int fit_correction(struct folded **out, struct regret_session *session,
                          const struct regret_design *design, double rho)
{
    const double *baseline = NULL;
    TRY(session_baseline(&baseline, session));
    return folded_create(out, session, design, WITHOUT_OBS, baseline, -1.0, 1.0, rho);
}

int correction_create(struct correction *c, struct regret_session *session, enum regret_basis basis,
                      double rho)
{
    struct regret_design design;
    *c = (struct correction){NULL, NULL};
    int rc;
    TRY_CLEANUP(basis_design(&design, &c->columns, basis, session->problem));
    TRY_CLEANUP(fit_correction(&c->fit, session, &design, rho));
    return REGRET_OK;
cleanup:
    correction_free(c);
    return rc;
}

void correction_free(struct correction *c)
{
    folded_free(c->fit);
    regret_free(c->columns);
    *c = (struct correction){NULL, NULL};
}

/* The candidates of one basis, which is expanded once for every ρ. */
static int lose_by_basis(struct regret_candidate *candidates, struct regret_session *session,
                         enum regret_basis basis)
{
    const struct regret_grid_values *rho = &hyper_value(session->options, &penalties)->grid;
    struct regret_design design;
    double *columns = NULL;
    struct folded *fit = NULL;
    int rc;
    TRY_CLEANUP(basis_design(&design, &columns, basis, session->problem));
    for (size_t i = 0; i < rho->n; i++) {
        struct regret_candidate *c = &candidates[i * REGRET_N_BASES + (size_t)basis];
        c->rho = rho->value[rho->n - 1 - i];
        c->basis = (int)basis;
        c->alpha = 1.0;
        TRY_CLEANUP(fit_correction(&fit, session, &design, c->rho));
        TRY_CLEANUP(folded_loss(&c->loss, fit, 0.0, -1.0));
        folded_free(fit);
        fit = NULL;
    }
cleanup:
    folded_free(fit);
    regret_free(columns);
    return rc;
}

/* Candidates stand from larger ρ to smaller, and with one ρ from the simpler basis on. */
int grounded_choose(struct regret_estimate *estimate, struct regret_session *session)
{
    size_t n = hyper_value(session->options, &penalties)->grid.n;
    TRY(candidates_create(estimate, n * REGRET_N_BASES));
    for (int b = 0; b < REGRET_N_BASES; b++) {
        TRY(lose_by_basis(estimate->candidates, session, (enum regret_basis)b));
    }
    candidates_settle(estimate, session);
    return REGRET_OK;
}

/* f = clip(f_O − c), c the ridge of f_O − Y on a basis of z over EXP. */
static int fit(struct regret_estimate *estimate, struct regret_session *session)
{
    struct correction correction;
    TRY(grounded_choose(estimate, session));
    TRY(correction_create(&correction, session, (enum regret_basis)estimate->basis, estimate->rho));
    int rc = folded_finish(estimate, correction.fit, 0.0, -1.0);
    correction_free(&correction);
    return rc;
}

void grounded_work(struct fit_work *w, const struct fit_sizes *s)
{
    uint64_t k = s->z, crossed = work_least(k - 1, REGRET_INTERACTION_DIMS);
    const uint64_t side[REGRET_N_BASES] = {k, 2 * k - 1, k + crossed * (crossed + 1) / 2};
    for (size_t b = 0; b < REGRET_N_BASES; b++) {
        w->scatter = work_add(w->scatter, work_mul(s->pairs, 3 * side[b]));
        work_tuning(w, s, side[b], 0, hyper_value(s->options, &penalties)->grid.n, 1);
        work_cross_fit(w, s, side[b]);
    }
}

const struct regret_family family_grounded = {
    .name = "grounded",
    .summary = "OBS baseline less a proxy-basis correction from EXP",
    .roles = REGRET_ROLE_PAPER | REGRET_ROLE_OBS_BASED,
    .hypers = &penalties,
    .n_hypers = 1,
    .fit = fit,
    .work = grounded_work,
};
