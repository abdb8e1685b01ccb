#include <math.h>

#include "base/core/try.h"
#include "estimate/families/grounded.h"
#include "regret/alloc.h"
#include "regret/rng.h"

enum { LAMBDA, TAU, N_HYPERS };
enum {
    FOLDS = 5
}; /* of OBS rows, that cross-fit the baseline [C]: as many as of causal cross-validation */
static const struct regret_hyper hypers[N_HYPERS] = {
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
    const struct regret_grid_values *tau = hyper_grid(session->options, &hypers[TAU]);
    const struct regret_grid_values *lambda = hyper_grid(session->options, &hypers[LAMBDA]);
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
static int fit(struct regret_estimate *estimate, struct regret_session *session)
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

static void work(struct fit_work *w, const struct fit_sizes *s)
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
    .hypers = hypers,
    .n_hypers = N_HYPERS,
    .fit = fit,
    .work = work,
    .split_obs = split_obs,
};
