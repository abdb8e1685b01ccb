#include "estimate/families/grounded.h"

#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"

FREED_POINTER(struct folded, folded_free)

enum { RHO, ALPHA, N_HYPERS };
static const struct regret_hyper hypers[N_HYPERS] = {
    [RHO] = CHOSEN_PENALTY("grounded.rho"),
    [ALPHA] = {.key = "grounded.alpha",
               .help = "candidate shrinkages of the correction",
               .kind = REGRET_HYPER_GRID,
               .low = 0.0,
               .high = 1.0,
               .column = "alpha",
               .preset = {.grid = {1, {1.0}}}},
};

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

/* The candidates of one basis and one ρ. */
static void list_by_alpha(struct regret_candidate *candidates,
                          const struct regret_grid_values *alpha, enum regret_basis basis,
                          double rho)
{
    for (size_t j = 0; j < alpha->n; j++) {
        struct regret_candidate *c = &candidates[j * REGRET_N_BASES + (size_t)basis];
        c->rho = rho;
        c->basis = (int)basis;
        c->alpha = alpha->value[j];
    }
}

/* Their losses. */
static int lose_by_alpha(struct regret_candidate *candidates, const struct folded *fit,
                         const struct regret_grid_values *alpha, enum regret_basis basis)
{
    for (size_t j = 0; j < alpha->n; j++) {
        struct regret_candidate *c = &candidates[j * REGRET_N_BASES + (size_t)basis];
        TRY(folded_loss(&c->loss, fit, 0.0, -c->alpha));
    }
    return REGRET_OK;
}

/* The candidates of one basis, which is expanded once for every ρ; losses where there are folds to take them on. */
static int lose_by_basis(struct regret_candidate *candidates, struct regret_session *session,
                         const struct regret_grid_values *alpha, enum regret_basis basis)
{
    const struct regret_grid_values *rho = hyper_grid(session->options, &hypers[RHO]);
    struct regret_design design;
    FREED double *columns = NULL;
    FREED_BY(folded_free_at) struct folded *fit = NULL;
    size_t with_rho = alpha->n * REGRET_N_BASES;
    for (size_t i = 0; i < rho->n; i++) {
        list_by_alpha(candidates + i * with_rho, alpha, basis, rho->value[rho->n - 1 - i]);
    }
    if (session->problem->cv->n_folds == 0) {
        return REGRET_OK;
    }
    TRY(basis_design(&design, &columns, basis, session->problem));
    for (size_t i = 0; i < rho->n; i++) {
        TRY(fit_correction(&fit, session, &design, rho->value[rho->n - 1 - i]));
        TRY(lose_by_alpha(candidates + i * with_rho, fit, alpha, basis));
        folded_free(fit);
        fit = NULL;
    }
    return REGRET_OK;
}

/* Candidates stand from larger ρ to smaller, with one ρ from smaller α to larger, and with one α from
 * the simpler basis on. */
static int choose(struct regret_estimate *estimate, struct regret_session *session,
                  const struct regret_grid_values *alpha)
{
    size_t n = hyper_grid(session->options, &hypers[RHO])->n;
    TRY(candidates_create(estimate, n * alpha->n * REGRET_N_BASES));
    for (int b = 0; b < REGRET_N_BASES; b++) {
        TRY(lose_by_basis(estimate->candidates, session, alpha, (enum regret_basis)b));
    }
    candidates_settle(estimate, session);
    return REGRET_OK;
}

int grounded_choose_direction(struct regret_estimate *estimate, struct regret_session *session)
{
    static const struct regret_grid_values WHOLE = {1, {1.0}};
    return choose(estimate, session, &WHOLE);
}

/* f = clip(f_O − α c), c the ridge of f_O − Y on a basis of z over EXP. */
static int fit(struct regret_estimate *estimate, struct regret_session *session)
{
    FREED_BY(correction_free) struct correction correction = {0};
    TRY(choose(estimate, session, hyper_grid(session->options, &hypers[ALPHA])));
    TRY(correction_create(&correction, session, (enum regret_basis)estimate->basis, estimate->rho));
    return folded_finish(estimate, correction.fit, 0.0, -estimate->alpha);
}

void grounded_work(struct fit_work *w, const struct fit_sizes *s)
{
    uint64_t k = s->z, crossed = work_least(k - 1, REGRET_INTERACTION_DIMS);
    const uint64_t side[REGRET_N_BASES] = {k, 2 * k - 1, k + crossed * (crossed + 1) / 2};
    for (size_t b = 0; b < REGRET_N_BASES; b++) {
        w->scatter = work_add(w->scatter, work_mul(s->pairs, 3 * side[b]));
        work_tuning(w, s, side[b], 0, hyper_grid(s->options, &hypers[RHO])->n,
                    hyper_grid(s->options, &hypers[ALPHA])->n);
        work_cross_fit(w, s, side[b]);
    }
}

const struct regret_family family_grounded = {
    .name = "grounded",
    .summary = "OBS baseline less a proxy-basis correction from EXP",
    .roles = REGRET_ROLE_PAPER | REGRET_ROLE_OBS_BASED,
    .hypers = hypers,
    .n_hypers = N_HYPERS,
    .fit = fit,
    .work = grounded_work,
};
