#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "estimate/fit/fold_fits.h"
#include "estimate/fit/session.h"
#include "regret/alloc.h"
#include "regret/rng.h"

static const struct regret_folds no_folds = {.mode = REGRET_FOLDS_NONE};

/* The problem without one fold. */
struct remainder {
    struct regret_problem problem;
    struct regret_rows obs, exp; /* owned; of OBS none where all are left */
    struct regret_folds *cv;     /* owned */
    struct regret_folds *obs_cv; /* owned; NULL where OBS is whole */
};

static void remainder_clear(struct remainder *r)
{
    regret_rows_clear(&r->obs);
    regret_rows_clear(&r->exp);
    regret_folds_free(r->cv);
    regret_folds_free(r->obs_cv);
}

static void rows_append(struct regret_rows *out, const struct regret_rows *from, size_t i)
{
    out->pair[out->n] = from->pair[i];
    out->segment[out->n] = from->segment[i];
    out->y[out->n++] = from->y[i];
}

static int keep_exp(struct regret_rows *rest, const struct regret_problem *problem, size_t k)
{
    TRY(regret_rows_create(rest, problem->exp->n));
    rest->n = 0;
    for (size_t i = 0; i < problem->exp->n; i++) {
        if (problem->dr->fold[i] != k) {
            rows_append(rest, problem->exp, i);
        }
    }
    return REGRET_OK;
}

/* kept[i] = 1 for the OBS rows on contexts that no EXP row of the fold has. */
static int mark_obs(uint32_t *kept, const struct regret_problem *problem, size_t k,
                    const struct regret_refit *how)
{
    const struct regret_rows *exp = problem->exp, *obs = problem->obs;
    unsigned char *out = NULL;
    TRY(REGRET_NEW(&out, how->n_contexts));
    for (size_t i = 0; i < exp->n; i++) {
        out[how->context[exp->pair[i]]] |= problem->dr->fold[i] == k;
    }
    for (size_t i = 0; i < obs->n; i++) {
        kept[i] = !out[how->context[obs->pair[i]]];
    }
    regret_free(out);
    return REGRET_OK;
}

static int keep_obs(struct regret_rows *rest, const struct regret_problem *problem,
                    const uint32_t *kept)
{
    TRY(regret_rows_create(rest, problem->obs->n));
    rest->n = 0;
    for (size_t i = 0; i < problem->obs->n; i++) {
        if (kept[i]) {
            rows_append(rest, problem->obs, i);
        }
    }
    return REGRET_OK;
}

/* Folds of what is left, over what the problem's are. */
static int fold_anew(struct remainder *r, const struct regret_problem *problem,
                     const struct regret_refit *how)
{
    return problem->cv->mode == REGRET_FOLDS_CONTEXTS
               ? regret_folds_by_context(&r->cv, &r->exp, problem->pairs, problem->context,
                                         problem->n_contexts, how->cv_folds, problem->seed,
                                         REGRET_RNG_CV_FOLDS)
               : regret_folds_by_agent(&r->cv, &r->exp, problem->pairs, problem->agent,
                                       problem->n_agents, how->cv_folds, problem->seed);
}

/* `kept`: of the OBS rows; NULL: all. */
static int leave_out(struct remainder *r, const struct regret_problem *problem, size_t k,
                     const struct regret_refit *how, const uint32_t *kept)
{
    *r = (struct remainder){.problem = *problem};
    TRY(keep_exp(&r->exp, problem, k));
    r->problem.exp = &r->exp;
    if (kept != NULL) {
        TRY(keep_obs(&r->obs, problem, kept));
        r->problem.obs = &r->obs;
    }
    if (how->retune) {
        TRY(fold_anew(r, problem, how));
    }
    if (how->retune && how->context != NULL && problem->obs_cv != NULL) {
        TRY(regret_folds_by_context(&r->obs_cv, &r->obs, problem->pairs, how->context,
                                    how->n_contexts, how->cv_folds, problem->seed,
                                    REGRET_RNG_OBS_CV));
        r->problem.obs_cv = r->obs_cv;
    }
    r->problem.cv = how->retune ? r->cv : &no_folds;
    r->problem.dr = &no_folds;
    return REGRET_OK;
}

/* One family's share of fold k: out-of-fold predictions of its rows, and its part of the mean. */
static int take_fold(struct regret_estimate *e, const struct regret_problem *problem, size_t k,
                     const double *prediction)
{
    const struct regret_folds *folds = problem->dr;
    double weight = (double)folds->part[k]->rows / (double)problem->exp->n;
    for (size_t p = 0; p < problem->pairs; p++) {
        e->fold_mean[p] += weight * prediction[p];
    }
    return cross_fit_fold(e, problem, k, prediction);
}

/* What regret_refit_folds() makes of a fold. */
struct refit {
    struct regret_estimate *const *estimate;
    const struct regret_family *const *family;
    size_t n;
    const struct regret_problem *problem;
    int retune;
};

static int fit_families(void *self, size_t k, struct regret_session *session)
{
    const struct refit *r = self;
    for (size_t i = 0; i < r->n; i++) {
        struct regret_estimate *fit = NULL;
        session->chosen = r->retune ? NULL : r->estimate[i];
        TRY(regret_family_fit(&fit, r->family[i], session));
        int rc = take_fold(r->estimate[i], r->problem, k, fit->prediction);
        regret_estimate_free(fit);
        TRY(rc);
    }
    return REGRET_OK;
}

static int make_room(struct regret_estimate *e, const struct regret_problem *problem)
{
    if (e->cross_fit == NULL) {
        TRY(REGRET_NEW(&e->cross_fit, problem->exp->n));
    }
    TRY(fold_value_create(e, problem));
    if (e->fold_mean == NULL) {
        TRY(REGRET_NEW(&e->fold_mean, problem->pairs));
    }
    memset(e->fold_mean, 0, problem->pairs * sizeof *e->fold_mean);
    return REGRET_OK;
}

static void set_undefined(struct regret_estimate *e, const struct regret_problem *problem)
{
    for (size_t i = 0; i < problem->exp->n; i++) {
        e->cross_fit[i] = NAN;
    }
    for (size_t p = 0; p < problem->pairs; p++) {
        e->fold_mean[p] = NAN;
    }
}

/* Each fold in turn; without `kept` with all of OBS. */
struct folds_in_turn {
    const struct regret_problem *problem;
    const struct regret_estimate_options *options;
    const struct regret_refit *how;
    uint32_t *kept;               /* [folds × OBS rows] or NULL */
    struct fold_fits *fits, *own; /* or NULL; `own`: owned */
};

/* kept[fold · OBS rows + i] of all folds; NULL where OBS is left whole. */
static int mark_all(uint32_t **kept, const struct regret_problem *problem,
                    const struct regret_refit *how)
{
    size_t folds = problem->dr->n_folds, n = problem->obs->n;
    *kept = NULL;
    if (how->context == NULL) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(kept, folds * n));
    for (size_t k = 0; k < folds; k++) {
        TRY(mark_obs(*kept + k * n, problem, k, how));
    }
    return REGRET_OK;
}

/* Whether fits of folds can be had of the solver of a whole. */
static int can_share(const struct regret_problem *problem, const struct regret_refit *how)
{
    return problem->phi.iterative && !how->retune && problem->dr->n_folds > 0;
}

int session_expect_refits(struct regret_session *session, const struct regret_refit *how)
{
    const struct regret_problem *problem = session->problem;
    struct folded *phi = NULL;
    FREED uint32_t *kept = NULL;
    if (!can_share(problem, how)) {
        return REGRET_OK;
    }
    TRY(session_phi(&phi, session));
    TRY(mark_all(&kept, problem, how));
    TRY(fold_fits_create(&session->fits, problem, phi->pooled, kept, 1));
    session->owns_fits = 1;
    return REGRET_OK;
}

/* Those that were expected, or (of other folds) fits of the folds alone by the solver of the whole. */
static int share(struct folds_in_turn *f)
{
    struct regret_session *whole = f->how->whole;
    struct folded *phi = NULL;
    if (whole == NULL || !can_share(f->problem, f->how)) {
        return REGRET_OK;
    }
    if (whole->owns_fits && whole->problem->dr == f->problem->dr) {
        f->fits = whole->fits;
        return REGRET_OK;
    }
    TRY(session_phi(&phi, whole));
    if (phi->pooled != NULL) {
        TRY(fold_fits_create(&f->own, f->problem, phi->pooled, f->kept, 0));
    }
    f->fits = f->own;
    return REGRET_OK;
}

static int visit_fold(size_t *undefined, const struct folds_in_turn *f, size_t k,
                      session_visit *visit, void *self)
{
    struct regret_session *session = NULL;
    struct remainder r;
    int rc;
    TRY(regret_stop_check(f->problem->phi.stop));
    TRY_CLEANUP(leave_out(&r, f->problem, k, f->how,
                          f->kept != NULL ? f->kept + k * f->problem->obs->n : NULL));
    if (r.problem.exp->n == 0 || r.problem.obs->n == 0) {
        ++*undefined;
        goto cleanup;
    }
    TRY_CLEANUP(regret_session_open(&session, &r.problem, f->options));
    session->fits = f->fits;
    session->fold = k;
    rc = visit(self, k, session);
cleanup:
    regret_session_close(session);
    remainder_clear(&r);
    return rc;
}

int session_without_each_fold(size_t *undefined, const struct regret_problem *problem,
                              const struct regret_estimate_options *options,
                              const struct regret_refit *how, session_visit *visit, void *self)
{
    struct folds_in_turn f = {.problem = problem, .options = options, .how = how};
    int rc;
    *undefined = 0;
    TRY_CLEANUP(mark_all(&f.kept, problem, how));
    TRY_CLEANUP(share(&f));
    for (size_t k = 0; k < problem->dr->n_folds; k++) {
        TRY_CLEANUP(visit_fold(undefined, &f, k, visit, self));
    }
cleanup:
    fold_fits_free(f.own);
    regret_free(f.kept);
    return rc;
}

int regret_refit_folds(struct regret_estimate *const *estimate,
                       const struct regret_family *const *family, size_t n,
                       const struct regret_problem *problem,
                       const struct regret_estimate_options *options,
                       const struct regret_refit *how)
{
    struct regret_estimate_options of_whole = *options;
    struct refit refit = {estimate, family, n, problem, how->retune};
    size_t undefined = 0;
    of_whole.cross_fit = 0;
    for (size_t i = 0; i < n; i++) {
        TRY(make_room(estimate[i], problem));
    }
    TRY(session_without_each_fold(&undefined, problem, &of_whole, how, fit_families, &refit));
    for (size_t i = 0; i < n && (undefined > 0 || problem->dr->n_folds == 0); i++) {
        set_undefined(estimate[i], problem);
    }
    return REGRET_OK;
}
