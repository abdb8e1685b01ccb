/* Grounded: φ, the proxy anchored, and linear. */
#include <math.h>

#include "base/status.h"
#include "estimate/family.h"
#include "estimate/session.h"
#include "regret/status.h"
#include "regret/task.h"

/* The correction that the grounded families share. */

/* Ridge ψ_b(z) → (f_O − Y) on EXP, whole and by folds. */
struct correction {
    double *columns; /* ψ_b(z), owned */
    struct folded *fit;
};

FREED_POINTER(struct folded, folded_free)

enum { GROUNDED_RHO, GROUNDED_ALPHA, GROUNDED_N_HYPERS };
static const struct regret_hyper grounded_hypers[GROUNDED_N_HYPERS] = {
    [GROUNDED_RHO] = CHOSEN_PENALTY("grounded.rho"),
    [GROUNDED_ALPHA] = {.key = "grounded.alpha",
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

static void correction_free(struct correction *c);

static int correction_create(struct correction *c, struct regret_session *session,
                             enum regret_basis basis, double rho)
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

static void correction_free(struct correction *c)
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
    const struct regret_grid_values *rho =
        hyper_grid(session->options, &grounded_hypers[GROUNDED_RHO]);
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
    size_t n = hyper_grid(session->options, &grounded_hypers[GROUNDED_RHO])->n;
    TRY(candidates_create(estimate, n * alpha->n * REGRET_N_BASES));
    for (int b = 0; b < REGRET_N_BASES; b++) {
        TRY(lose_by_basis(estimate->candidates, session, alpha, (enum regret_basis)b));
    }
    candidates_settle(estimate, session);
    return REGRET_OK;
}

/* Tunes (b, ρ) at α = 1 by causal cross-validation and records it in the estimate. */
static int grounded_choose_direction(struct regret_estimate *estimate,
                                     struct regret_session *session)
{
    static const struct regret_grid_values WHOLE = {1, {1.0}};
    return choose(estimate, session, &WHOLE);
}

/* f = clip(f_O − α c), c the ridge of f_O − Y on a basis of z over EXP. */
static int grounded_fit(struct regret_estimate *estimate, struct regret_session *session)
{
    FREED_BY(correction_free) struct correction correction = {0};
    TRY(choose(estimate, session, hyper_grid(session->options, &grounded_hypers[GROUNDED_ALPHA])));
    TRY(correction_create(&correction, session, (enum regret_basis)estimate->basis, estimate->rho));
    return folded_finish(estimate, correction.fit, 0.0, -estimate->alpha);
}

/* The work of that and of fitting what it chose. */
static void grounded_work(struct fit_work *w, const struct fit_sizes *s)
{
    uint64_t k = s->z, crossed = work_least(k - 1, REGRET_INTERACTION_DIMS);
    const uint64_t side[REGRET_N_BASES] = {k, 2 * k - 1, k + crossed * (crossed + 1) / 2};
    for (size_t b = 0; b < REGRET_N_BASES; b++) {
        w->scatter = work_add(w->scatter, work_mul(s->pairs, 3 * side[b]));
        work_tuning(w, s, side[b], 0, hyper_grid(s->options, &grounded_hypers[GROUNDED_RHO])->n,
                    hyper_grid(s->options, &grounded_hypers[GROUNDED_ALPHA])->n);
        work_cross_fit(w, s, side[b]);
    }
}

const struct regret_family family_grounded = {
    .name = "grounded",
    .summary = "OBS baseline less a proxy-basis correction from EXP",
    .roles = REGRET_ROLE_PAPER | REGRET_ROLE_OBS_BASED,
    .hypers = grounded_hypers,
    .n_hypers = GROUNDED_N_HYPERS,
    .fit = grounded_fit,
    .work = grounded_work,
};

enum { LAMBDA, TAU, GROUNDED_ANCHORED_N_HYPERS };
enum {
    FOLDS = 5
}; /* of OBS rows, that cross-fit the baseline [C]: as many as of causal cross-validation */
static const struct regret_hyper grounded_anchored_hypers[GROUNDED_ANCHORED_N_HYPERS] = {
    [LAMBDA] = POOLING_WEIGHT("grounded_anchored.lambda"),
    [TAU] = {.key = "grounded_anchored.tau",
             .help = "candidate anchor strengths",
             .kind = REGRET_HYPER_GRID,
             .low = LEAST_PENALTY,
             .high = MOST_PENALTY,
             .column = "tau",
             .preset = {.grid = {4, {0.001, 0.01, 0.1, 1.0}}}},
};

/* Second moments of the regression of Y on (f, −c) over some rows; sums, not means. */
struct anchor_moments {
    double n, ff, fc, cc, yf, yc;
};

static void add_rows(struct anchor_moments *m, const struct regret_sample *s, const double *f,
                     const double *c)
{
    m->n += (double)s->rows;
    for (size_t e = 0; e < s->entries; e++) {
        size_t p = s->pair[e];
        m->ff += s->count[e] * f[p] * f[p];
        m->fc += s->count[e] * f[p] * c[p];
        m->cc += s->count[e] * c[p] * c[p];
        m->yf += s->sum[e] * f[p];
        m->yc += s->sum[e] * c[p];
    }
}

static struct anchor_moments less(struct anchor_moments a, struct anchor_moments b)
{
    return (struct anchor_moments){a.n - b.n,   a.ff - b.ff, a.fc - b.fc,
                                   a.cc - b.cc, a.yf - b.yf, a.yc - b.yc};
}

/* (s, t) minimising (1−λ)·mean_EXP (Y − s f + t c)² + λ·mean_OBS (…)² + τ‖(s,t) − (1,1)‖². The 2 ×
 * 2 system is positive definite because τ > 0. */
static void anchor(double *s, double *t, const struct anchor_moments *exp,
                   const struct anchor_moments *obs, double lambda, double tau)
{
    double we = exp->n > 0.0 ? (1.0 - lambda) / exp->n : 0.0;
    double wo = obs->n > 0.0 ? lambda / obs->n : 0.0;
    double ff = we * exp->ff + wo * obs->ff + tau;
    double cc = we * exp->cc + wo * obs->cc + tau;
    double fc = -(we * exp->fc + wo * obs->fc);
    double yf = we * exp->yf + wo * obs->yf + tau;
    double yc = -(we * exp->yc + wo * obs->yc) + tau;
    double determinant = ff * cc - fc * fc;
    *s = (cc * yf - fc * yc) / determinant;
    *t = (ff * yc - fc * yf) / determinant;
}

struct anchoring {
    struct regret_session *session;
    const double *baseline;   /* f_O */
    struct correction *fixed; /* the direction of `grounded` */
    double *direction;        /* c for every pair, [P] scratch */
};

FREED_FIELDS(anchoring, of->direction)

/* c with one fold left out (or none), and the moments of the rows in use with that c. */
static int prepare(struct anchor_moments *exp, struct anchor_moments *obs, struct anchoring *a,
                   const struct regret_left_out *left_out, const struct regret_sample *part)
{
    struct regret_session *session = a->session;
    TRY(folded_values(a->direction, a->fixed->fit, 0.0, left_out));
    *exp = *obs = (struct anchor_moments){0};
    add_rows(exp, session->exp, a->baseline, a->direction);
    if (part != NULL) {
        struct anchor_moments gone = {0};
        add_rows(&gone, part, a->baseline, a->direction);
        *exp = less(*exp, gone);
    }
    const struct regret_folds *folds = session->obs_folds;
    for (size_t k = 0; k < folds->n_folds; k++) {
        add_rows(obs, folds->part[k], session->obs_cross_fit + k * session->problem->pairs,
                 a->direction);
    }
    return REGRET_OK;
}

/* Adds fold k's loss to every candidate. */
static int add_fold_losses(struct regret_estimate *estimate, struct anchoring *a, size_t k,
                           double *prediction)
{
    const struct regret_problem *problem = a->session->problem;
    const struct regret_sample *part = problem->cv->part[k];
    struct anchor_moments exp, obs;
    TRY(prepare(&exp, &obs, a, a->fixed->fit->cv[k], part));
    for (size_t i = 0; i < estimate->n_candidates; i++) {
        struct regret_candidate *c = &estimate->candidates[i];
        double s = 1.0, t = 1.0;
        anchor(&s, &t, &exp, &obs, c->lambda, c->tau);
        for (size_t e = 0; e < part->entries; e++) {
            size_t p = part->pair[e];
            prediction[e] = clip01(s * a->baseline[p] - t * a->direction[p]);
        }
        c->loss += regret_cv_loss(problem->cv->mode, part, prediction, problem->agent) /
                   (double)problem->cv->n_folds;
    }
    return REGRET_OK;
}

/* Predictions of every pair with one fold left out (or none). */
static int predict(double *prediction, struct anchoring *a, double lambda, double tau,
                   const struct regret_left_out *left_out, const struct regret_sample *part)
{
    struct anchor_moments exp, obs;
    double s = 1.0, t = 1.0;
    TRY(prepare(&exp, &obs, a, left_out, part));
    anchor(&s, &t, &exp, &obs, lambda, tau);
    for (size_t p = 0; p < a->session->problem->pairs; p++) {
        prediction[p] = clip01(s * a->baseline[p] - t * a->direction[p]);
    }
    return REGRET_OK;
}

/* Larger τ first, then larger λ. */
static int list_candidates(struct regret_estimate *estimate, const struct regret_session *session)
{
    const struct regret_grid_values *tau =
        hyper_grid(session->options, &grounded_anchored_hypers[TAU]);
    const struct regret_grid_values *lambda =
        hyper_grid(session->options, &grounded_anchored_hypers[LAMBDA]);
    regret_free(estimate->candidates);
    estimate->candidates = NULL;
    TRY(candidates_create(estimate, tau->n * lambda->n));
    struct regret_candidate *c = estimate->candidates;
    for (size_t i = tau->n; i-- > 0;) {
        for (size_t j = lambda->n; j-- > 0; c++) {
            c->tau = tau->value[i];
            c->lambda = lambda->value[j];
            c->rho = estimate->rho;
            c->basis = estimate->basis;
            c->loss = session->problem->cv->n_folds > 0 ? 0.0 : NAN;
        }
    }
    return REGRET_OK;
}

static int cross_fit_anchored(struct regret_estimate *estimate, struct anchoring *a,
                              double *prediction)
{
    const struct regret_problem *problem = a->session->problem;
    for (size_t k = 0; k < problem->dr->n_folds; k++) {
        TRY(predict(prediction, a, estimate->lambda, estimate->tau, a->fixed->fit->dr[k],
                    problem->dr->part[k]));
        TRY(cross_fit_fold(estimate, problem, k, prediction));
    }
    return REGRET_OK;
}

/* f = clip(s f_O − t c): the direction c of `grounded`, then two coefficients pooled over EXP and
 * (cross-fitted) OBS and anchored at (1, 1); (λ, τ) by causal cross-validation. */
static int grounded_anchored_fit(struct regret_estimate *estimate, struct regret_session *session)
{
    const struct regret_problem *problem = session->problem;
    FREED_BY(correction_free) struct correction fixed = {NULL, NULL};
    FREED_BY(anchoring_fields) struct anchoring a = {.session = session, .fixed = &fixed};
    FREED double *prediction = NULL;
    TRY(grounded_choose_direction(estimate, session));
    TRY(session_baseline(&a.baseline, session));
    TRY(session_obs_cross_fit(session, FOLDS));
    TRY(correction_create(&fixed, session, (enum regret_basis)estimate->basis, estimate->rho));
    TRY(list_candidates(estimate, session));
    TRY(REGRET_NEW(&a.direction, problem->pairs));
    TRY(REGRET_NEW(&prediction, problem->pairs));
    for (size_t k = 0; k < problem->cv->n_folds; k++) {
        TRY(add_fold_losses(estimate, &a, k, prediction));
    }
    candidates_settle(estimate, session);
    TRY(predict(estimate->prediction, &a, estimate->lambda, estimate->tau, NULL, NULL));
    if (estimate->cross_fit != NULL) {
        return cross_fit_anchored(estimate, &a, prediction);
    }
    return REGRET_OK;
}

static void grounded_anchored_work(struct fit_work *w, const struct fit_sizes *s)
{
    grounded_work(w, s);
    for (size_t k = 0; k < FOLDS; k++) {
        work_ridge(w, s, s->obs, 1);
    }
    w->scatter = work_add(w->scatter, work_mul3(FOLDS, s->pairs, s->row));
}

static int split_obs(struct regret_folds **out, const struct regret_problem *problem,
                     const struct regret_estimate_options *options)
{
    (void)options;
    return regret_folds_by_row(out, problem->obs, problem->pairs, FOLDS, problem->seed,
                               REGRET_RNG_OBS_FOLDS);
}

const struct regret_family family_grounded_anchored = {
    .name = "grounded-anchored",
    .summary = "grounded, recalibrated by a weak pooled anchor",
    .variant_of = &family_grounded,
    .hypers = grounded_anchored_hypers,
    .n_hypers = GROUNDED_ANCHORED_N_HYPERS,
    .fit = grounded_anchored_fit,
    .work = grounded_anchored_work,
    .split_obs = split_obs,
};

FREED_POINTER(struct regret_pooled, regret_pooled_free)
FREED_POINTER(struct regret_sample, regret_sample_free)

enum { GROUNDED_LINEAR_ALPHA, GROUNDED_LINEAR_RHO, TUNING, GROUNDED_LINEAR_N_HYPERS };
static const double HOLDOUT_SHARE = 0.25; /* of EXP, carved out for alpha [C] */
enum { BY_CV, BY_HOLDOUT };
static const char *const tunings[] = {[BY_CV] = "cv", [BY_HOLDOUT] = "holdout", NULL};
static const struct regret_hyper grounded_linear_hypers[GROUNDED_LINEAR_N_HYPERS] = {
    [GROUNDED_LINEAR_ALPHA] = {.key = "grounded_linear.alpha",
                               .help = "candidate shrinkages",
                               .kind = REGRET_HYPER_GRID,
                               .low = 0.0,
                               .high = 1.0,
                               .column = "alpha",
                               .preset = {.grid = {5, {0.0, 0.25, 0.5, 0.75, 1.0}}}},
    [GROUNDED_LINEAR_RHO] = FIXED_PENALTY("grounded_linear.rho", "ridge penalty of the correction"),
    [TUNING] = {.key = "grounded_linear.tuning",
                .help = "how alpha is chosen",
                .kind = REGRET_HYPER_CHOICE,
                .choices = tunings,
                .preset = {.choice = BY_CV}},
};

static const union regret_hyper_value *option(const struct regret_session *session, int hyper)
{
    return hyper_value(session->options, &grounded_linear_hypers[hyper]);
}

/* α by causal cross-validation; smaller α first. */
static int tune_by_cv(struct regret_estimate *estimate, struct regret_session *session)
{
    const struct regret_grid_values *alpha = &option(session, GROUNDED_LINEAR_ALPHA)->grid;
    FREED_BY(correction_free) struct correction c = {0};
    TRY(candidates_create(estimate, alpha->n));
    TRY(correction_create(&c, session, REGRET_BASIS_LINEAR,
                          option(session, GROUNDED_LINEAR_RHO)->number));
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
    TRY(regret_pooled_create(&pooled, &design, NULL, sample, 1.0,
                             option(session, GROUNDED_LINEAR_RHO)->number));
    TRY(REGRET_NEW(&solution, regret_pooled_size(pooled)));
    TRY(regret_pooled_solve(solution, pooled, 0.0, NULL));
    return regret_pooled_predict(correction, pooled, solution);
}

/* Mean squared error over the carved rows, for each α; NaN when there are none. */
static void holdout_losses(struct regret_estimate *estimate, const struct regret_session *session,
                           const double *baseline, const double *correction, const uint32_t *held)
{
    const struct regret_rows *exp = session->problem->exp;
    const struct regret_grid_values *grid = &option(session, GROUNDED_LINEAR_ALPHA)->grid;
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
    TRY(candidates_create(estimate, option(session, GROUNDED_LINEAR_ALPHA)->grid.n));
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
static int grounded_linear_fit(struct regret_estimate *estimate, struct regret_session *session)
{
    TRY(option(session, TUNING)->choice == BY_CV ? tune_by_cv(estimate, session)
                                                 : tune_by_holdout(estimate, session));
    estimate->rho = option(session, GROUNDED_LINEAR_RHO)->number;
    estimate->basis = REGRET_BASIS_LINEAR;
    return REGRET_OK;
}

/* Nothing is held out where α is chosen by cross-validation. */
static int hold_out(uint32_t **held, const struct regret_problem *problem,
                    const struct regret_estimate_options *options)
{
    *held = NULL;
    return hyper_value(options, &grounded_linear_hypers[TUNING])->choice == BY_HOLDOUT
               ? carve(held, problem, HOLDOUT_SHARE)
               : REGRET_OK;
}

const struct regret_family family_grounded_linear = {
    .name = "grounded-linear",
    .summary = "OBS baseline less a shrunken linear correction",
    .variant_of = &family_grounded,
    .hypers = grounded_linear_hypers,
    .n_hypers = GROUNDED_LINEAR_N_HYPERS,
    .fit = grounded_linear_fit,
    .work = grounded_work,
    .hold_out = hold_out,
};
