#include "estimate/session.h"

#include <stdint.h>

#include "base/status.h"
#include "estimate/family.h"
#include "estimate/internal.h"
#include "linalg/iterative.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/task.h"

FREED_POINTER(struct regret_folds, regret_folds_free)
FREED_POINTER(struct regret_pooled, regret_pooled_free)
FREED_POINTER(struct regret_sample, regret_sample_free)

static int check_problem(const struct regret_problem *p)
{
    size_t lacking = (p->exp->n == 0) + (p->obs->n == 0);
    if (lacking > (p->of_one_source ? 1 : 0)) {
        return regret_fail(REGRET_E_INPUT,
                           "a replicate wants at least one OBS and one EXP row, "
                           "but has %zu and %zu; raise n_obs or n_exp",
                           p->obs->n, p->exp->n);
    }
    if (p->phi.pairs != p->pairs || p->z.pairs != p->pairs) {
        return regret_fail(REGRET_E_INTERNAL, "features are for %zu and %zu pairs, not %zu",
                           p->phi.pairs, p->z.pairs, p->pairs);
    }
    return REGRET_OK;
}

int regret_session_open(struct regret_session **out, const struct regret_problem *problem,
                        const struct regret_estimate_options *options)
{
    struct regret_session *s = NULL;
    int rc;
    TRY(check_problem(problem));
    TRY(REGRET_NEW(&s, 1));
    s->problem = problem;
    s->options = options;
    const struct regret_rows *obs = problem->obs, *exp = problem->exp;
    TRY_CLEANUP(regret_sample_gather(&s->obs, obs->pair, obs->y, obs->n, problem->pairs, NULL, 0));
    TRY_CLEANUP(regret_sample_gather(&s->exp, exp->pair, exp->y, exp->n, problem->pairs, NULL, 0));
    *out = s;
    s = NULL;
cleanup:
    regret_session_close(s);
    return rc;
}

void regret_session_close(struct regret_session *s)
{
    if (s == NULL) {
        return;
    }
    plain_rho_clear(&s->rho[RHO_OF_EXP]);
    plain_rho_clear(&s->rho[RHO_OF_OBS]);
    if (s->owns_fits) {
        fold_fits_free(s->fits);
    }
    folded_free(s->phi);
    regret_sample_free(s->obs);
    regret_sample_free(s->exp);
    regret_free(s->baseline);
    regret_folds_free(s->obs_folds);
    regret_free(s->obs_cross_fit);
    for (size_t i = 0; i < s->n_made; i++) {
        regret_estimate_free(s->made[i].estimate);
    }
    regret_free(s);
}

const struct regret_problem *regret_session_problem(const struct regret_session *s)
{
    return s->problem;
}

const union regret_hyper_value *regret_session_hyper(const struct regret_session *s,
                                                     const char *key)
{
    return hyper_find(s->options, key);
}

int session_phi(struct folded **out, struct regret_session *s)
{
    const struct plain_rho *rho_obs = NULL, *rho_exp = NULL;
    if (s->phi == NULL && s->fits != NULL && !s->owns_fits) {
        TRY(REGRET_NEW(&s->phi, 1));
        s->phi->session = s;
        s->phi->folds = s->problem->cv;
    }
    if (s->phi == NULL) {
        TRY(session_rho(&rho_obs, s, RHO_OF_OBS));
        TRY(session_rho(&rho_exp, s, RHO_OF_EXP));
        TRY(folded_create(&s->phi, s, &s->problem->phi, WITH_OBS, NULL, 1.0, rho_obs->value,
                          rho_exp->value));
    }
    *out = s->phi;
    return REGRET_OK;
}

/* f_O as the options have it. */
static void clip_baseline(double *f, size_t n, const struct regret_session *s)
{
    for (size_t i = 0; s->options->clip_baseline && i < n; i++) {
        f[i] = clip01(f[i]);
    }
}

int session_baseline(const double **out, struct regret_session *s)
{
    struct folded *phi = NULL;
    FREED double *f = NULL;
    if (s->baseline == NULL) {
        TRY(session_phi(&phi, s));
        TRY(REGRET_NEW(&f, s->problem->pairs));
        TRY(folded_values(f, phi, 1.0, NULL));
        clip_baseline(f, s->problem->pairs, s);
        s->baseline = f;
        f = NULL;
    }
    *out = s->baseline;
    return REGRET_OK;
}

/* The OBS ridge on the rows outside fold k, its values for every pair. */
static int fit_without_fold(double *value, struct regret_session *s,
                            const struct regret_folds *folds, size_t k)
{
    const struct regret_problem *problem = s->problem;
    const struct regret_rows *obs = problem->obs;
    const struct plain_rho *rho = NULL;
    FREED_BY(regret_sample_free_at) struct regret_sample *rest = NULL;
    FREED_BY(regret_pooled_free_at) struct regret_pooled *pooled = NULL;
    FREED double *solution = NULL;
    FREED uint32_t *outside = NULL;
    TRY(session_rho(&rho, s, RHO_OF_OBS));
    TRY(REGRET_NEW(&outside, obs->n));
    for (size_t i = 0; i < obs->n; i++) {
        outside[i] = folds->fold[i] != k;
    }
    TRY(regret_sample_gather(&rest, obs->pair, obs->y, obs->n, problem->pairs, outside, 1));
    TRY(regret_pooled_create(&pooled, &problem->phi, rest, NULL, rho->value, 1.0));
    TRY(REGRET_NEW(&solution, regret_pooled_size(pooled)));
    TRY(regret_pooled_solve(solution, pooled, 1.0, NULL));
    return regret_pooled_predict(value, pooled, solution);
}

int session_obs_cross_fit(struct regret_session *s, size_t n_folds)
{
    const struct regret_problem *problem = s->problem;
    FREED_BY(regret_folds_free_at) struct regret_folds *folds = NULL;
    FREED double *values = NULL;
    if (s->obs_cross_fit != NULL) {
        return REGRET_OK;
    }
    TRY(regret_folds_by_row(&folds, problem->obs, problem->pairs, n_folds, problem->seed,
                            REGRET_RNG_OBS_FOLDS));
    TRY(REGRET_NEW(&values, folds->n_folds * problem->pairs));
    for (size_t k = 0; k < folds->n_folds; k++) {
        TRY(fit_without_fold(values + k * problem->pairs, s, folds, k));
    }
    clip_baseline(values, folds->n_folds * problem->pairs, s);
    s->obs_folds = folds;
    s->obs_cross_fit = values;
    values = NULL;
    folds = NULL;
    return REGRET_OK;
}

uint64_t work_add(uint64_t a, uint64_t b)
{
    uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

uint64_t work_mul(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t work_mul3(uint64_t a, uint64_t b, uint64_t c)
{
    return work_mul(work_mul(a, b), c);
}

uint64_t work_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

void work_moments(struct fit_work *w, const struct fit_sizes *s, uint64_t rows)
{
    if (s->sparse && s->drawn > s->columns) {
        w->scatter = work_add(w->scatter, work_mul3(rows, s->row, s->row));
    } else {
        w->block = work_add(w->block, work_mul3(rows, s->q, s->q) / 2);
    }
}

/* One solve with a fold of `m` lines left out of a system of side q: Woodbury or direct, whichever
 * is cheaper (src/linalg/multi_ridge.c). */
static uint64_t left_out_work(uint64_t m, uint64_t q)
{
    uint64_t direct = work_mul3(q, q, q) / 3;
    return work_least(direct, work_add(work_mul3(m, m, q), work_mul3(m, m, m) / 3));
}

static void work_products(struct fit_work *w, const struct fit_sizes *s, uint64_t products)
{
    w->product = work_add(w->product, work_mul3(2, products, s->stored));
}

/* Steps of conjugate gradients of a fit that is only compared, as they were on pools of 2,000 to 46,000 pairs. */
enum { STEPS_TO_COMPARE = 13 };

static int solved_by_steps(const struct fit_sizes *s, uint64_t q)
{
    return s->iterative && q == s->q;
}

void work_ridge(struct fit_work *w, const struct fit_sizes *s, uint64_t rows, uint64_t outputs)
{
    if (s->iterative) {
        work_products(
            w, s, work_add(ITERATIVE_SKETCH_PRODUCTS, work_mul(outputs, ITERATIVE_FIT_PRODUCTS)));
    } else {
        work_moments(w, s, rows);
        w->block = work_add(w->block, work_mul3(s->q, s->q, s->q) / 6);
    }
}

void work_refits(struct fit_work *w, const struct fit_sizes *s, uint64_t fits)
{
    if (s->iterative) {
        work_products(w, s, work_mul(fits, ITERATIVE_FIT_PRODUCTS));
    } else {
        work_moments(w, s, work_add(s->obs, s->exp));
        w->block = work_add(w->block, work_mul(fits, work_mul3(s->q, s->q, s->q) / 6));
    }
}

void work_losses(struct fit_work *w, const struct fit_sizes *s, uint64_t q, uint64_t losses)
{
    uint64_t folds = s->cv_folds > 0 ? s->cv_folds : 1;
    if (s->kept) {
        return;
    }
    if (solved_by_steps(s, q)) {
        work_products(w, s, work_mul3(losses, folds, STEPS_TO_COMPARE));
        return;
    }
    uint64_t one = left_out_work(s->exp / folds + 1, q);
    w->evaluate = work_add(w->evaluate, work_mul3(losses, folds, one));
    w->scatter = work_add(w->scatter, work_mul3(losses, folds, s->pairs));
}

void work_tuning(struct fit_work *w, const struct fit_sizes *s, uint64_t q, uint64_t obs,
                 uint64_t fits, uint64_t losses)
{
    uint64_t rows = work_add(obs, s->exp);
    uint64_t fit = work_add(work_mul3(rows, q, q) / 2, work_mul3(q, q, q));
    fits = s->kept ? 1 : fits;
    w->block = work_add(w->block, work_mul(fits, work_add(fit, work_mul3(s->exp, q, q))));
    work_losses(w, s, q, work_mul(fits, losses));
}

/* `n` candidates of ρ on the `rows` distinct lines of one sample: a fit, and a solve without each of the
 * folds. One candidate is not tried. */
static void work_rho(struct fit_work *w, const struct fit_sizes *s, uint64_t rows, uint64_t n)
{
    uint64_t folds = s->cv_folds > 0 ? s->cv_folds : 1, q = s->q;
    if (n < 2 || s->kept) {
        return;
    }
    if (s->iterative) { /* all of them at once */
        work_products(w, s,
                      work_add(ITERATIVE_SKETCH_PRODUCTS, work_mul3(n, folds, STEPS_TO_COMPARE)));
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        work_moments(w, s, rows);
        w->block = work_add(w->block, work_add(work_mul3(q, q, q), work_mul3(rows, q, q)));
        w->reduce = work_add(w->reduce, work_mul3(q, q, q) / 3 * 2);
        w->evaluate = work_add(w->evaluate, work_mul(folds, left_out_work(rows / folds + 1, q)));
    }
}

void work_plain_rhos(struct fit_work *w, const struct fit_sizes *s)
{
    work_rho(w, s, s->exp, hyper_grid(s->options, &plain_rho_hyper[RHO_OF_EXP])->n);
    work_rho(w, s, s->obs, hyper_grid(s->options, &plain_rho_hyper[RHO_OF_OBS])->n);
}

void work_cross_fit(struct fit_work *w, const struct fit_sizes *s, uint64_t q)
{
    if (solved_by_steps(s, q)) { /* one batch, which is the whole's */
        work_products(w, s, work_mul(s->kept ? 0 : s->value_folds + 1, ITERATIVE_FIT_PRODUCTS));
    } else if (s->kept && q == s->q) {
        w->block = work_add(w->block, work_mul3(q, q, q) / 6);
    } else if (s->value_folds > 0) {
        uint64_t one = left_out_work(s->exp / s->value_folds + 1, q);
        w->evaluate = work_add(w->evaluate, work_mul(s->value_folds, one));
    }
}
