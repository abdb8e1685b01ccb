#include <math.h>

#include "base/core/try.h"
#include "estimate/families/grounded.h"
#include "regret/alloc.h"
#include "regret/rng.h"

FREED_POINTER(struct regret_pooled, regret_pooled_free)
FREED_POINTER(struct regret_sample, regret_sample_free)

enum { ALPHA, RHO, TUNING, N_HYPERS };
static const double HOLDOUT_SHARE = 0.25; /* of EXP, carved out for alpha [C] */
enum { BY_CV, BY_HOLDOUT };
static const char *const tunings[] = {[BY_CV] = "cv", [BY_HOLDOUT] = "holdout", NULL};
static const struct regret_hyper hypers[N_HYPERS] = {
    [ALPHA] = {.key = "grounded_linear.alpha",
               .help = "candidate shrinkages",
               .kind = REGRET_HYPER_GRID,
               .low = 0.0,
               .high = 1.0,
               .column = "alpha",
               .preset = {.grid = {5, {0.0, 0.25, 0.5, 0.75, 1.0}}}},
    [RHO] = FIXED_PENALTY("grounded_linear.rho", "ridge penalty of the correction"),
    [TUNING] = {.key = "grounded_linear.tuning",
                .help = "how alpha is chosen",
                .kind = REGRET_HYPER_CHOICE,
                .choices = tunings,
                .preset = {.choice = BY_CV}},
};

static const union regret_hyper_value *option(const struct regret_session *session, int hyper)
{
    return hyper_value(session->options, &hypers[hyper]);
}

/* α by causal cross-validation; smaller α first. */
static int tune_by_cv(struct regret_estimate *estimate, struct regret_session *session)
{
    const struct regret_grid_values *alpha = &option(session, ALPHA)->grid;
    FREED_BY(correction_free) struct correction c = {0};
    TRY(candidates_create(estimate, alpha->n));
    TRY(correction_create(&c, session, REGRET_BASIS_LINEAR, option(session, RHO)->number));
    for (size_t i = 0; i < alpha->n; i++) {
        struct regret_candidate *candidate = &estimate->candidates[i];
        candidate->alpha = alpha->value[i];
        TRY(folded_loss(&candidate->loss, c.fit, 0.0, -candidate->alpha));
    }
    candidates_settle(estimate, session);
    return folded_finish(estimate, c.fit, 0.0, -estimate->alpha);
}

/* Marks the EXP rows that α is tuned on: the first ⌊share·n⌋ of a random order, but at least one of
 * two or more. */
static int carve(uint32_t **out, const struct regret_problem *problem, double share)
{
    size_t n = problem->exp->n;
    FREED uint32_t *held = NULL;
    FREED size_t *order = NULL;
    TRY(REGRET_NEW(&held, n));
    TRY(regret_rng_order(&order, n, problem->seed, REGRET_RNG_HOLDOUT, 0));
    size_t carved = (size_t)(share * (double)n + 1e-9);
    carved = carved == 0 && n > 1 ? 1 : carved;
    for (size_t i = 0; i < carved; i++) {
        held[order[i]] = 1;
    }
    *out = held;
    held = NULL;
    return REGRET_OK;
}

/* The linear correction c for every pair, fitted on the EXP rows with use[i] == 1; NaN when there
 * are none. */
static int fit_on(double *correction, struct regret_session *session, const double *baseline,
                  const uint32_t *use)
{
    const struct regret_problem *problem = session->problem;
    FREED_BY(regret_sample_free_at) struct regret_sample *sample = NULL;
    struct regret_design design;
    FREED double *columns = NULL, *solution = NULL;
    FREED_BY(regret_pooled_free_at) struct regret_pooled *pooled = NULL;
    TRY(regret_sample_gather(&sample, problem->exp->pair, problem->exp->y, problem->exp->n,
                             problem->pairs, use, 1));
    if (sample->rows == 0) {
        for (size_t p = 0; p < problem->pairs; p++) {
            correction[p] = NAN;
        }
        return REGRET_OK;
    }
    for (size_t e = 0; e < sample->entries; e++) {
        sample->sum[e] = sample->count[e] * baseline[sample->pair[e]] - sample->sum[e];
    }
    TRY(basis_design(&design, &columns, REGRET_BASIS_LINEAR, problem));
    TRY(regret_pooled_create(&pooled, &design, NULL, sample, 1.0, option(session, RHO)->number));
    TRY(REGRET_NEW(&solution, regret_pooled_size(pooled)));
    TRY(regret_pooled_solve(solution, pooled, 0.0, NULL));
    return regret_pooled_predict(correction, pooled, solution);
}

/* Mean squared error over the carved rows, for each α; NaN when there are none. */
static void holdout_losses(struct regret_estimate *estimate, const struct regret_session *session,
                           const double *baseline, const double *correction, const uint32_t *held)
{
    const struct regret_rows *exp = session->problem->exp;
    const struct regret_grid_values *grid = &option(session, ALPHA)->grid;
    for (size_t c = 0; c < estimate->n_candidates; c++) {
        double total = 0.0, n = 0.0, alpha = grid->value[c];
        for (size_t i = 0; i < exp->n; i++) {
            if (held[i]) {
                uint32_t p = exp->pair[i];
                double gap = exp->y[i] - clip01(baseline[p] - alpha * correction[p]);
                total += gap * gap;
                n += 1.0;
            }
        }
        estimate->candidates[c].alpha = alpha;
        estimate->candidates[c].loss = n > 0.0 ? total / n : NAN;
    }
}

static int cross_fit_holdout(struct regret_estimate *estimate, struct regret_session *session,
                             const double *baseline, const uint32_t *held, double *correction)
{
    const struct regret_problem *problem = session->problem;
    FREED uint32_t *use = NULL;
    TRY(REGRET_NEW(&use, problem->exp->n));
    for (size_t k = 0; k < problem->dr->n_folds; k++) {
        for (size_t i = 0; i < problem->exp->n; i++) {
            use[i] = !held[i] && problem->dr->fold[i] != k;
        }
        TRY(fit_on(correction, session, baseline, use));
        for (size_t p = 0; p < problem->pairs; p++) {
            correction[p] = clip01(baseline[p] - estimate->alpha * correction[p]);
        }
        TRY(cross_fit_fold(estimate, problem, k, correction));
    }
    return REGRET_OK;
}

/* α on rows carved out of EXP; the correction stays the one fitted on the others. */
static int tune_by_holdout(struct regret_estimate *estimate, struct regret_session *session)
{
    const struct regret_problem *problem = session->problem;
    const double *baseline = NULL;
    FREED uint32_t *held = NULL, *use = NULL;
    FREED double *correction = NULL;
    TRY(session_baseline(&baseline, session));
    TRY(candidates_create(estimate, option(session, ALPHA)->grid.n));
    TRY(carve(&held, problem, HOLDOUT_SHARE));
    TRY(REGRET_NEW(&use, problem->exp->n));
    TRY(REGRET_NEW(&correction, problem->pairs));
    for (size_t i = 0; i < problem->exp->n; i++) {
        use[i] = !held[i];
    }
    TRY(fit_on(correction, session, baseline, use));
    holdout_losses(estimate, session, baseline, correction, held);
    candidates_settle(estimate, session);
    estimate->cv_mode = problem->exp->n > 1 ? REGRET_FOLDS_HOLDOUT : REGRET_FOLDS_NONE;
    for (size_t p = 0; p < problem->pairs; p++) {
        estimate->prediction[p] = clip01(baseline[p] - estimate->alpha * correction[p]);
    }
    if (estimate->cross_fit != NULL) {
        return cross_fit_holdout(estimate, session, baseline, held, correction);
    }
    return REGRET_OK;
}

/* f = clip(f_O − α c) with c linear in z. */
static int fit(struct regret_estimate *estimate, struct regret_session *session)
{
    TRY(option(session, TUNING)->choice == BY_CV ? tune_by_cv(estimate, session)
                                                 : tune_by_holdout(estimate, session));
    estimate->rho = option(session, RHO)->number;
    estimate->basis = REGRET_BASIS_LINEAR;
    return REGRET_OK;
}

/* Nothing is held out where α is chosen by cross-validation. */
static int hold_out(uint32_t **held, const struct regret_problem *problem,
                    const struct regret_estimate_options *options)
{
    *held = NULL;
    return hyper_value(options, &hypers[TUNING])->choice == BY_HOLDOUT
               ? carve(held, problem, HOLDOUT_SHARE)
               : REGRET_OK;
}

const struct regret_family family_grounded_linear = {
    .name = "grounded-linear",
    .summary = "OBS baseline less a shrunken linear correction",
    .variant_of = &family_grounded,
    .hypers = hypers,
    .n_hypers = N_HYPERS,
    .fit = fit,
    .work = grounded_work,
    .hold_out = hold_out,
};
