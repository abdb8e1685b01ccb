#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "estimate/fit/fold_fits.h"
#include "estimate/fit/session.h"
#include "regret/alloc.h"

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
        double weight = problem->weight != NULL ? problem->weight[problem->context[p]] : 1.0;
        weight *= problem->share != NULL ? problem->share[p] : 1.0;
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
