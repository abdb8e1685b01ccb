#include "base/core/try.h"
#include "estimate/fit/session.h"
#include "estimate/fit/work.h"

static const struct regret_hyper lambda = POOLING_WEIGHT("cvci.lambda");

/* The pencil of φ at the λ that causal cross-validation chooses; larger λ first. */
static int fit(struct regret_estimate *estimate, struct regret_session *session)
{
    const struct regret_grid_values *grid = hyper_grid(session->options, &lambda);
    struct folded *phi = NULL;
    TRY(session_phi(&phi, session));
    TRY(candidates_create(estimate, grid->n));
    for (size_t i = 0; i < grid->n; i++) {
        estimate->candidates[i].lambda = grid->value[grid->n - 1 - i];
    }
    TRY(folded_losses(estimate->candidates, grid->n, phi, 1.0));
    candidates_settle(estimate, session);
    return folded_finish(estimate, phi, estimate->lambda, 1.0);
}

static void work(struct fit_work *w, const struct fit_sizes *s)
{
    work_losses(w, s, s->q, hyper_grid(s->options, &lambda)->n);
    work_cross_fit(w, s, s->q);
}

const struct regret_family family_cvci = {
    .name = "cvci",
    .summary = "OBS and EXP losses pooled on the raw features",
    .roles = REGRET_ROLE_PAPER | REGRET_ROLE_OBS_BASED,
    .hypers = &lambda,
    .n_hypers = 1,
    .fit = fit,
    .work = work,
};
