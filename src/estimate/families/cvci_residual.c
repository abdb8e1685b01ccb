#include "base/core/try.h"
#include "estimate/fit/session.h"
#include "estimate/fit/work.h"

FREED_POINTER(struct folded, folded_free)

enum { LAMBDA, RHO, N_HYPERS };
static const struct regret_hyper hypers[N_HYPERS] = {
    [LAMBDA] = POOLING_WEIGHT("cvci_residual.lambda"),
    [RHO] = CHOSEN_PENALTY("cvci_residual.rho"),
};

/* The residual Y − f_O pooled over OBS and EXP in z, with ρ_E = ρ_O = ρ. */
static int create(struct folded **out, struct regret_session *session, const double *baseline,
                  double rho)
{
    return folded_create(out, session, &session->problem->z, WITH_OBS, baseline, 1.0, rho, rho);
}

/* Larger ρ first, then larger λ; losses where there are folds to take them on. */
static int choose(struct regret_estimate *estimate, struct regret_session *session,
                  const double *baseline)
{
    const struct regret_grid_values *rho = hyper_grid(session->options, &hypers[RHO]);
    const struct regret_grid_values *lambda = hyper_grid(session->options, &hypers[LAMBDA]);
    int has_folds = session->problem->cv->n_folds > 0;
    FREED_BY(folded_free_at) struct folded *f = NULL;
    TRY(candidates_create(estimate, rho->n * lambda->n));
    struct regret_candidate *c = estimate->candidates;
    for (size_t i = rho->n; i-- > 0;) {
        TRY(has_folds ? create(&f, session, baseline, rho->value[i]) : REGRET_OK);
        for (size_t j = lambda->n; j-- > 0; c++) {
            c->rho = rho->value[i];
            c->lambda = lambda->value[j];
            TRY(has_folds ? folded_loss(&c->loss, f, c->lambda, 1.0) : REGRET_OK);
        }
        folded_free(f);
        f = NULL;
    }
    candidates_settle(estimate, session);
    return REGRET_OK;
}

/* f = clip(f_O + g), g the pooled residual fit at the (λ, ρ) that causal cross-validation chooses. */
static int fit(struct regret_estimate *estimate, struct regret_session *session)
{
    const double *baseline = NULL;
    FREED_BY(folded_free_at) struct folded *f = NULL;
    TRY(session_baseline(&baseline, session));
    TRY(choose(estimate, session, baseline));
    TRY(create(&f, session, baseline, estimate->rho));
    return folded_finish(estimate, f, estimate->lambda, 1.0);
}

static void work(struct fit_work *w, const struct fit_sizes *s)
{
    work_tuning(w, s, s->z, s->obs, hyper_grid(s->options, &hypers[RHO])->n,
                hyper_grid(s->options, &hypers[LAMBDA])->n);
    work_cross_fit(w, s, s->z);
}

const struct regret_family family_cvci_residual = {
    .name = "cvci-residual",
    .summary = "OBS baseline plus a pooled residual fit on the proxy",
    .roles = REGRET_ROLE_PAPER | REGRET_ROLE_OBS_BASED,
    .hypers = hypers,
    .n_hypers = N_HYPERS,
    .fit = fit,
    .work = work,
};
