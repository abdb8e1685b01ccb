/* Pencils over folds, and the fit on all. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "estimate/internal.h"
#include "estimate/session.h"
#include "regret/status.h"
#include "regret/task.h"

FREED_POINTER(struct regret_pooled_batch, regret_pooled_batch_free)
FREED_POINTER(struct folded, folded_free)

double clip01(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/* sums ← sign · (Σy − count · baseline), for targets sign · (Y − baseline). */
static void shift_sums(double *shifted, const struct regret_sample *s, const double *baseline,
                       double sign)
{
    for (size_t e = 0; e < s->entries; e++) {
        shifted[e] = sign * (s->sum[e] - s->count[e] * baseline[s->pair[e]]);
    }
}

/* A view of `s` with shifted sums in `memory`; `s` itself without a baseline. */
static struct regret_sample target_view(const struct regret_sample *s, const double *baseline,
                                        double sign, double *memory)
{
    struct regret_sample view = *s;
    if (baseline != NULL) {
        shift_sums(memory, s, baseline, sign);
        view.sum = memory;
    }
    return view;
}

/* Targets are shifted in `memory`; without an offset there is none. */
static int leave_out_each(struct regret_left_out ***out, const struct regret_pooled *pooled,
                          const struct regret_folds *folds, const double *offset, double sign,
                          double *memory)
{
    struct regret_left_out **made = NULL;
    TRY(REGRET_NEW(&made, folds->n_folds));
    *out = made;
    for (size_t k = 0; k < folds->n_folds; k++) {
        struct regret_sample part = target_view(folds->part[k], offset, sign, memory);
        TRY(regret_left_out_create(&made[k], pooled, &part));
    }
    return REGRET_OK;
}

/* Where nothing is left out, every λ is solved on its own: there are few, those that were chosen. */
static int create_pooled(struct folded *f, const struct regret_design *design,
                         const struct regret_sample *obs, const struct regret_sample *exp,
                         double rho_obs, double rho_exp)
{
    const struct regret_session *s = f->session;
    int is_plain = s->problem->cv->n_folds == 0 && !s->options->cross_fit;
    return (is_plain ? regret_pooled_create_plain : regret_pooled_create)(&f->pooled, design, obs,
                                                                          exp, rho_obs, rho_exp);
}

int folded_create(struct folded **out, struct regret_session *session,
                  const struct regret_design *design, enum folded_obs obs, const double *offset,
                  double sign, double rho_obs, double rho_exp)
{
    const struct regret_problem *problem = session->problem;
    FREED_BY(folded_free_at) struct folded *f = NULL;
    FREED double *memory = NULL;
    TRY(REGRET_NEW(&f, 1));
    f->session = session;
    f->offset = offset;
    f->folds = problem->cv;
    TRY(REGRET_NEW(&memory, 2 * problem->pairs));
    struct regret_sample exp_view = target_view(session->exp, offset, sign, memory);
    struct regret_sample obs_view =
        target_view(session->obs, offset, sign, memory + problem->pairs);
    TRY(create_pooled(f, design, obs == WITH_OBS ? &obs_view : NULL, &exp_view, rho_obs, rho_exp));
    TRY(leave_out_each(&f->cv, f->pooled, problem->cv, offset, sign, memory));
    if (session->options->cross_fit) {
        TRY(leave_out_each(&f->dr, f->pooled, problem->dr, offset, sign, memory));
    }
    *out = f;
    f = NULL;
    return REGRET_OK;
}

int folded_of_sample(struct folded **out, struct regret_session *session,
                     const struct regret_sample *sample, const struct regret_folds *folds,
                     double rho)
{
    FREED_BY(folded_free_at) struct folded *f = NULL;
    TRY(REGRET_NEW(&f, 1));
    f->session = session;
    f->folds = folds;
    TRY(regret_pooled_create(&f->pooled, &session->problem->phi, NULL, sample, 1.0, rho));
    TRY(leave_out_each(&f->cv, f->pooled, folds, NULL, 1.0, NULL));
    *out = f;
    f = NULL;
    return REGRET_OK;
}

static void free_each(struct regret_left_out **left_out, size_t n)
{
    for (size_t k = 0; left_out != NULL && k < n; k++) {
        regret_left_out_free(left_out[k]);
    }
    regret_free(left_out);
}

void folded_free(struct folded *f)
{
    if (f == NULL) {
        return;
    }
    free_each(f->cv, f->folds->n_folds);
    free_each(f->dr, f->session->problem->dr->n_folds);
    regret_pooled_free(f->pooled);
    regret_free(f);
}

/* v ← clip(offset + factor v), for the entries of a part. */
void link_part(double *v, const struct folded *f, const struct regret_sample *part, double factor)
{
    for (size_t e = 0; e < part->entries; e++) {
        double base = f->offset != NULL ? f->offset[part->pair[e]] : 0.0;
        v[e] = clip01(base + factor * v[e]);
    }
}

int folded_loss(double *loss, const struct folded *f, double lambda, double factor)
{
    const struct regret_problem *problem = f->session->problem;
    const struct regret_folds *folds = f->folds;
    FREED double *solution = NULL, *v = NULL;
    double total = 0.0;
    TRY(REGRET_NEW(&solution, regret_pooled_size(f->pooled)));
    TRY(REGRET_NEW(&v, problem->pairs));
    for (size_t k = 0; k < folds->n_folds; k++) {
        TRY(regret_pooled_solve(solution, f->pooled, lambda, f->cv[k]));
        regret_left_out_predict(v, f->cv[k], solution);
        link_part(v, f, folds->part[k], factor);
        total += regret_cv_loss(folds->mode, folds->part[k], v, problem->agent);
    }
    *loss = folds->n_folds > 0 ? total / (double)folds->n_folds : NAN;
    return REGRET_OK;
}

int fold_value_create(struct regret_estimate *estimate, const struct regret_problem *problem)
{
    size_t n = problem->dr->n_folds * problem->n_agents;
    int wanted = problem->eval != NULL && n > 0 && estimate->fold_value == NULL;
    return wanted ? REGRET_NEW(&estimate->fold_value, n) : REGRET_OK;
}

int fold_value_add(double *value, const struct regret_problem *problem, const double *surface,
                   double factor)
{
    FREED double *sum = NULL, *all = NULL;
    TRY(REGRET_NEW(&sum, problem->n_agents));
    TRY(REGRET_NEW(&all, problem->n_agents));
    for (size_t p = 0; p < problem->pairs; p++) {
        double weight = problem->share != NULL ? problem->share[p] : 1.0;
        sum[problem->agent[p]] += problem->eval[p] ? weight * surface[p] : 0.0;
        all[problem->agent[p]] += problem->eval[p] ? weight : 0.0;
    }
    for (size_t a = 0; a < problem->n_agents; a++) {
        value[a] += factor * sum[a] / all[a];
    }
    return REGRET_OK;
}

int cross_fit_fold(struct regret_estimate *estimate, const struct regret_problem *problem, size_t k,
                   const double *surface)
{
    for (size_t i = 0; i < problem->exp->n; i++) {
        if (problem->dr->fold[i] == k) {
            estimate->cross_fit[i] = surface[problem->exp->pair[i]];
        }
    }
    if (estimate->fold_value == NULL) {
        return REGRET_OK;
    }
    double *value = estimate->fold_value + k * problem->n_agents;
    memset(value, 0, problem->n_agents * sizeof *value);
    return fold_value_add(value, problem, surface, 1.0);
}

/* v ← clip(offset + factor v), for every pair. */
static void link_all(double *v, const struct folded *f, double factor)
{
    for (size_t p = 0; p < f->session->problem->pairs; p++) {
        double base = f->offset != NULL ? f->offset[p] : 0.0;
        v[p] = clip01(base + factor * v[p]);
    }
}

/* Out-of-fold predictions of every row, and where V_DM is asked for of every pair: fits 1 to n_folds of the batch. */
static int cross_fit(struct regret_estimate *estimate, const struct folded *f,
                     const struct regret_pooled_batch *batch, double factor, double *v)
{
    const struct regret_problem *problem = f->session->problem;
    FREED double *surface = NULL;
    TRY(REGRET_NEW(&surface, problem->pairs));
    for (size_t k = 0; k < problem->dr->n_folds; k++) {
        const struct regret_sample *part = problem->dr->part[k];
        if (estimate->fold_value != NULL) {
            TRY(regret_pooled_batch_predict(surface, batch, k + 1));
            link_all(surface, f, factor);
        }
        regret_pooled_batch_predict_part(v, batch, k + 1);
        link_part(v, f, part, factor);
        for (size_t e = 0; e < part->entries; e++) {
            surface[part->pair[e]] = v[e];
        }
        TRY(cross_fit_fold(estimate, problem, k, surface));
    }
    return REGRET_OK;
}

int folded_finish(struct regret_estimate *estimate, const struct folded *f, double lambda,
                  double factor)
{
    const struct regret_problem *problem = f->session->problem;
    size_t folds = estimate->cross_fit != NULL ? problem->dr->n_folds : 0;
    FREED struct regret_pooled_fit *fit = NULL;
    FREED_BY(regret_pooled_batch_free_at) struct regret_pooled_batch *batch = NULL;
    FREED double *v = NULL;
    if (folds == 0) {
        TRY(folded_values(estimate->prediction, f, lambda, NULL));
        link_all(estimate->prediction, f, factor);
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&v, problem->pairs));
    TRY(REGRET_NEW(&fit, folds + 1));
    for (size_t k = 0; k <= folds; k++) {
        fit[k] =
            (struct regret_pooled_fit){.lambda = lambda, .left_out = k > 0 ? f->dr[k - 1] : NULL};
    }
    TRY(regret_pooled_batch_create(&batch, f->pooled, fit, folds + 1));
    TRY(regret_pooled_batch_solve(batch, REGRET_POOLED_ERROR));
    TRY(regret_pooled_batch_predict(estimate->prediction, batch, 0));
    link_all(estimate->prediction, f, factor);
    return cross_fit(estimate, f, batch, factor, v);
}

int folded_values(double *value, const struct folded *f, double lambda,
                  const struct regret_left_out *left_out)
{
    FREED double *solution = NULL;
    const struct regret_session *session = f->session;
    if (session->fits != NULL && f == session->phi && left_out == NULL) {
        return fold_fits_values(value, session->fits,
                                session->owns_fits ? FOLD_NONE : session->fold, lambda);
    }
    TRY(REGRET_NEW(&solution, regret_pooled_size(f->pooled)));
    TRY(regret_pooled_solve(solution, f->pooled, lambda, left_out));
    return regret_pooled_predict(value, f->pooled, solution);
}

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
