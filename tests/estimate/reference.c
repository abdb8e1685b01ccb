/* Read it from top to bottom: the fits are protocol §5 line by line, each a function of a candidate
 * (the hyper-parameters) and of the EXP rows it may use; tuning, cross-fitting and values only call
 * them. The estimate reports the hyper-parameters a family used, tuned or fixed, and NaN or −1 for
 * those it does not have. */
#include "estimate/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/reference_ridge.h"

/* ---- The fits: candidate k on the EXP rows in `use` and all OBS, unclipped f for every pair ---
 */

struct candidate {
    double lambda, alpha, rho, tau; /* NaN where the family has none */
    int basis;                      /* -1 where the family has none */
};

/* What no candidate and no fold changes. */
struct setup {
    const struct reference_problem *problem;
    struct reference_features phi, z, psi[REFERENCE_N_BASES];
    double *f_obs;           /* [pairs] f_O, unclipped unless the problem says so */
    double *f_obs_left;      /* [n_obs] f_O^cf: f_O fitted on the other OBS folds, likewise */
    double *exp_excess;      /* [n_exp] f_O − Y */
    double *exp_residual;    /* [n_exp] Y − f_O */
    double *obs_residual;    /* [n_obs] Y − f_O */
    double rho_exp, rho_obs; /* ρ_E and ρ_O */
    size_t n_losses[2];      /* of the choice of each */
    double loss[2][REFERENCE_MAX_CANDIDATES];
    struct candidate best; /* of `grounded`, for grounded-anchored */
};

typedef void fit_function(double *f, const struct setup *s, const unsigned char *use,
                          const struct candidate *k);

static struct reference_part exp_part(const struct setup *s, const unsigned char *use,
                                      const double *y, double weight, double rho)
{
    return (struct reference_part){weight, rho, s->problem->n_exp, s->problem->exp_pair, y, use};
}

static struct reference_part obs_part(const struct setup *s, const double *y, double weight,
                                      double rho)
{
    return (struct reference_part){weight, rho, s->problem->n_obs, s->problem->obs_pair, y, NULL};
}

static void fit_exp_only(double *f, const struct setup *s, const unsigned char *use,
                         const struct candidate *k)
{
    struct reference_part part = exp_part(s, use, s->problem->exp_y, 1.0, k->rho);
    reference_ridge(f, s->problem->pairs, &s->phi, &part, 1);
}

static void fit_representation(double *f, const struct setup *s, const unsigned char *use,
                               const struct candidate *k)
{
    struct reference_part part = exp_part(s, use, s->problem->exp_y, 1.0, k->rho);
    reference_ridge(f, s->problem->pairs, &s->z, &part, 1);
}

static void fit_obs_only(double *f, const struct setup *s, const unsigned char *use,
                         const struct candidate *k)
{
    (void)use, (void)k;
    memcpy(f, s->f_obs, s->problem->pairs * sizeof *f);
}

static void fit_cvci(double *f, const struct setup *s, const unsigned char *use,
                     const struct candidate *k)
{
    struct reference_part parts[] = {
        exp_part(s, use, s->problem->exp_y, 1.0 - k->lambda, s->rho_exp),
        obs_part(s, s->problem->obs_y, k->lambda, s->rho_obs)};
    reference_ridge(f, s->problem->pairs, &s->phi, parts, 2);
}

static void fit_cvci_residual(double *f, const struct setup *s, const unsigned char *use,
                              const struct candidate *k)
{
    struct reference_part parts[] = {exp_part(s, use, s->exp_residual, 1.0 - k->lambda, k->rho),
                                     obs_part(s, s->obs_residual, k->lambda, k->rho)};
    reference_ridge(f, s->problem->pairs, &s->z, parts, 2);
    for (size_t p = 0; p < s->problem->pairs; p++) {
        f[p] += s->f_obs[p];
    }
}

/* c = ridge ψ_b(z) → (f_O − Y). */
static void fit_correction(double *c, const struct setup *s, const unsigned char *use,
                           const struct candidate *k)
{
    struct reference_part part = exp_part(s, use, s->exp_excess, 1.0, k->rho);
    reference_ridge(c, s->problem->pairs, &s->psi[k->basis], &part, 1);
}

static void fit_grounded(double *f, const struct setup *s, const unsigned char *use,
                         const struct candidate *k)
{
    fit_correction(f, s, use, k);
    for (size_t p = 0; p < s->problem->pairs; p++) {
        f[p] = s->f_obs[p] - k->alpha * f[p];
    }
}

/* Adds w (Y − s f_O + t c)² to the normal equations of (s, t). */
static void add_anchor(long double m[6], double y, double f_obs, double c, long double w)
{
    m[0] += w * f_obs * f_obs;
    m[1] -= w * f_obs * c;
    m[2] += w * f_obs * y;
    m[3] -= w * c * f_obs;
    m[4] += w * c * c;
    m[5] -= w * c * y;
}

/* (s, t) minimise (1−λ)·mean EXP (Y − s f_O + t c)² + λ·mean OBS (Y − s f_O^cf + t c)²
 * + τ((s−1)² + (t−1)²). */
static void fit_anchored(double *f, const struct setup *s, const unsigned char *use,
                         const struct candidate *k)
{
    const struct reference_problem *problem = s->problem;
    double *c = f;
    fit_correction(c, s, use, k);
    long double m[6] = {k->tau, 0.0L, k->tau, 0.0L, k->tau, k->tau}, st[2];
    long double n = (long double)reference_count(use, problem->n_exp);
    for (size_t i = 0; k->lambda < 1.0 && i < problem->n_exp; i++) {
        uint32_t p = problem->exp_pair[i];
        if (reference_takes(use, i)) {
            add_anchor(m, problem->exp_y[i], s->f_obs[p], c[p], (1.0L - k->lambda) / n);
        }
    }
    /* Too few OBS rows to leave any out: no f_O^cf, and the anchor does without them. */
    for (size_t i = 0; problem->obs_folds > 0 && k->lambda > 0.0 && i < problem->n_obs; i++) {
        uint32_t p = problem->obs_pair[i];
        add_anchor(m, problem->obs_y[i], s->f_obs_left[i], c[p],
                   k->lambda / (long double)problem->n_obs);
    }
    reference_solve(st, m, 2);
    for (size_t p = 0; p < problem->pairs; p++) {
        f[p] = (double)(st[0] * s->f_obs[p] - st[1] * c[p]);
    }
}

/* ---- Candidates, from the most regularised to the least ------------------------------------- */

enum { N_LAMBDA = 21 }; /* 6 · 21 = REFERENCE_MAX_CANDIDATES */
enum { N_RHO = 6 };
static const double RHO[N_RHO] = {1e4, 1e3, 100.0, 10.0, 1.0, 0.1};
static const double TAU[] = {1.0, 0.1, 0.01, 0.001};

static double lambda_at(int i) /* 1, .95, …, 0 */
{
    return (N_LAMBDA - 1 - i) / (double)(N_LAMBDA - 1);
}

typedef size_t list_function(struct candidate *list, const struct setup *s);

static size_t list_plain(struct candidate *list, const struct setup *s)
{
    (void)s;
    list[0] = (struct candidate){NAN, NAN, 1.0, NAN, -1};
    return 1;
}

static size_t list_exp_only(struct candidate *list, const struct setup *s)
{
    list[0] = (struct candidate){NAN, NAN, s->rho_exp, NAN, -1};
    return 1;
}

static size_t list_obs_only(struct candidate *list, const struct setup *s)
{
    list[0] = (struct candidate){NAN, NAN, s->rho_obs, NAN, -1};
    return 1;
}

static size_t list_cvci(struct candidate *list, const struct setup *s)
{
    (void)s;
    for (int i = 0; i < N_LAMBDA; i++) {
        list[i] = (struct candidate){lambda_at(i), NAN, NAN, NAN, -1};
    }
    return N_LAMBDA;
}

static size_t list_cvci_residual(struct candidate *list, const struct setup *s)
{
    (void)s;
    size_t n = 0;
    for (int r = 0; r < N_RHO; r++) {
        for (int i = 0; i < N_LAMBDA; i++) {
            list[n++] = (struct candidate){lambda_at(i), NAN, RHO[r], NAN, -1};
        }
    }
    return n;
}

static size_t list_direction(struct candidate *list, const struct setup *s)
{
    (void)s;
    size_t n = 0;
    for (int r = 0; r < N_RHO; r++) {
        for (int basis = REFERENCE_LINEAR; basis < REFERENCE_N_BASES; basis++) {
            list[n++] = (struct candidate){NAN, 1.0, RHO[r], NAN, basis};
        }
    }
    return n;
}

static size_t list_grounded(struct candidate *list, const struct setup *s)
{
    size_t n = 0;
    for (int r = 0; r < N_RHO && s->problem->shrink_grounded; r++) {
        for (int a = 0; a < 3; a++) {
            for (int basis = REFERENCE_LINEAR; basis < REFERENCE_N_BASES; basis++) {
                list[n++] = (struct candidate){NAN, 0.5 * a, RHO[r], NAN, basis};
            }
        }
    }
    return n > 0 ? n : list_direction(list, s);
}

static size_t list_linear(struct candidate *list, const struct setup *s)
{
    (void)s;
    for (int i = 0; i < 5; i++) {
        list[i] = (struct candidate){NAN, 0.25 * i, 1.0, NAN, REFERENCE_LINEAR};
    }
    return 5;
}

static size_t list_anchored(struct candidate *list, const struct setup *s)
{
    size_t n = 0;
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < N_LAMBDA; i++) {
            list[n++] = (struct candidate){lambda_at(i), NAN, s->best.rho, TAU[t], s->best.basis};
        }
    }
    return n;
}

static const struct family {
    const char *name;
    fit_function *fit;
    list_function *list;
} FAMILIES[] = {
    {"exp-only", fit_exp_only, list_exp_only},
    {"obs-only", fit_obs_only, list_obs_only},
    {"representation-exp", fit_representation, list_plain},
    {"grounded", fit_grounded, list_grounded},
    {"cvci", fit_cvci, list_cvci},
    {"cvci-residual", fit_cvci_residual, list_cvci_residual},
    {"grounded-linear", fit_grounded, list_linear},
    {"grounded-anchored", fit_anchored, list_anchored},
};

const char *reference_family(size_t i)
{
    return i < sizeof FAMILIES / sizeof *FAMILIES ? FAMILIES[i].name : NULL;
}

static const struct family *find_family(const char *name)
{
    for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++) {
        if (strcmp(FAMILIES[i].name, name) == 0) {
            return &FAMILIES[i];
        }
    }
    return NULL;
}

/* ---- Tuning --------------------------------------------------------------------------------- */

static double clip(double f)
{
    return f < 0.0 ? 0.0 : f > 1.0 ? 1.0 : f; /* NaN stays NaN */
}

/* The mean squared error of clip(f) over the rows with score[i] != 0. */
static double row_loss(const struct reference_problem *problem, const double *f,
                       const unsigned char *score)
{
    long double sum = 0.0L;
    for (size_t i = 0; i < problem->n_exp; i++) {
        long double error = (long double)problem->exp_y[i] - clip(f[problem->exp_pair[i]]);
        sum += score[i] ? error * error : 0.0L;
    }
    return (double)(sum / (long double)reference_count(score, problem->n_exp));
}

/* L_k = Σ_a (n_a/Σn)(Ȳ_a − f̄_a)² over the rows with score[i] != 0. */
static double agent_loss(const struct reference_problem *problem, const double *f,
                         const unsigned char *score)
{
    long double loss = 0.0L, n = (long double)reference_count(score, problem->n_exp);
    for (size_t a = 0; a < problem->n_agents; a++) {
        long double n_a = 0.0L, sum_y = 0.0L, sum_f = 0.0L;
        for (size_t i = 0; i < problem->n_exp; i++) {
            uint32_t p = problem->exp_pair[i];
            if (score[i] && problem->agent[p] == a) {
                n_a += 1.0L;
                sum_y += problem->exp_y[i];
                sum_f += clip(f[p]);
            }
        }
        if (n_a > 0.0L) {
            long double error = sum_y / n_a - sum_f / n_a;
            loss += n_a / n * error * error;
        }
    }
    return (double)loss;
}

/* The mean over folds of the loss of a candidate that has not seen the fold. */
static double cv_loss(const struct setup *s, fit_function *fit, const struct candidate *k)
{
    const struct reference_problem *problem = s->problem;
    double *f = reference_doubles(problem->pairs);
    unsigned char *inside = reference_zeroed(problem->n_exp, 1),
                  *outside = reference_zeroed(problem->n_exp, 1);
    long double sum = 0.0L;
    for (size_t fold = 0; fold < problem->cv_folds; fold++) {
        for (size_t i = 0; i < problem->n_exp; i++) {
            inside[i] = problem->cv_fold[i] == fold;
            outside[i] = !inside[i];
        }
        fit(f, s, outside, k);
        sum += problem->cv_by_agent ? agent_loss(problem, f, inside) : row_loss(problem, f, inside);
    }
    free(f);
    free(inside);
    free(outside);
    return (double)(sum / (long double)problem->cv_folds);
}

/* The loss over the carved rows of a candidate fitted on the others. */
static double holdout_loss(const struct setup *s, fit_function *fit, const struct candidate *k,
                           const unsigned char *use)
{
    double *f = reference_doubles(s->problem->pairs);
    fit(f, s, use, k);
    double loss = row_loss(s->problem, f, s->problem->holdout);
    free(f);
    return loss;
}

/* `use`: the rows outside the EXP holdout, or NULL when the family has none. The losses go to
 * `out`. */
static struct candidate choose(struct reference_estimate *out, const struct setup *s,
                               const struct family *family, const unsigned char *use)
{
    struct candidate list[REFERENCE_MAX_CANDIDATES];
    size_t n = family->list(list, s);
    out->n_losses = 0;
    if (n == 1 || (!use && s->problem->cv_folds == 0)) {
        return list[0];
    }
    out->n_losses = n;
    for (size_t i = 0; i < n; i++) {
        out->loss[i] =
            use ? holdout_loss(s, family->fit, &list[i], use) : cv_loss(s, family->fit, &list[i]);
    }
    return list[reference_first_of_the_best(out->loss, n)];
}

/* ---- One estimate --------------------------------------------------------------------------- */

/* f_O of every OBS row from the other OBS folds. */
static void leave_out_obs_folds(struct setup *s)
{
    const struct reference_problem *problem = s->problem;
    double *f = reference_doubles(problem->pairs);
    unsigned char *outside = reference_zeroed(problem->n_obs, 1);
    reference_fill(s->f_obs_left, problem->n_obs, NAN);
    for (size_t fold = 0; fold < problem->obs_folds; fold++) {
        for (size_t i = 0; i < problem->n_obs; i++) {
            outside[i] = problem->obs_fold[i] != fold;
        }
        struct reference_part part = obs_part(s, problem->obs_y, 1.0, s->rho_obs);
        part.use = outside;
        reference_ridge(f, problem->pairs, &s->phi, &part, 1);
        for (size_t i = 0; i < problem->n_obs; i++) {
            if (!outside[i]) {
                double left = f[problem->obs_pair[i]];
                s->f_obs_left[i] = problem->clip_baseline ? clip(left) : left;
            }
        }
    }
    free(f);
    free(outside);
}

static void setup_open(struct setup *s, const struct reference_problem *problem)
{
    *s = (struct setup){.problem = problem,
                        .phi = {problem->phi_dim, problem->phi},
                        .z = {problem->z_dim, problem->z},
                        .f_obs = reference_doubles(problem->pairs),
                        .f_obs_left = reference_doubles(problem->n_obs),
                        .exp_excess = reference_doubles(problem->n_exp),
                        .exp_residual = reference_doubles(problem->n_exp),
                        .obs_residual = reference_doubles(problem->n_obs)};
    for (int basis = REFERENCE_LINEAR; basis < REFERENCE_N_BASES; basis++) {
        s->psi[basis] = reference_expand(basis, problem);
    }
    s->rho_exp = reference_choose_rho(s->loss[0], &s->n_losses[0], problem, &s->phi, 0);
    s->rho_obs = reference_choose_rho(s->loss[1], &s->n_losses[1], problem, &s->phi, 1);
    struct reference_part part = obs_part(s, problem->obs_y, 1.0, s->rho_obs);
    reference_ridge(s->f_obs, problem->pairs, &s->phi, &part, 1);
    for (size_t p = 0; problem->clip_baseline && p < problem->pairs; p++) {
        s->f_obs[p] = clip(s->f_obs[p]);
    }
    for (size_t i = 0; i < problem->n_exp; i++) {
        s->exp_excess[i] = s->f_obs[problem->exp_pair[i]] - problem->exp_y[i];
        s->exp_residual[i] = -s->exp_excess[i];
    }
    for (size_t i = 0; i < problem->n_obs; i++) {
        s->obs_residual[i] = problem->obs_y[i] - s->f_obs[problem->obs_pair[i]];
    }
}

static void setup_close(struct setup *s)
{
    for (int basis = REFERENCE_LINEAR; basis < REFERENCE_N_BASES; basis++) {
        free((double *)s->psi[basis].value);
    }
    free(s->f_obs);
    free(s->f_obs_left);
    free(s->exp_excess);
    free(s->exp_residual);
    free(s->obs_residual);
}

/* f of every EXP row from the rows outside its DR fold (and outside the holdout, where there is
 * one), at the hyper-parameters chosen on the whole EXP. f_O never saw EXP, so it is its own
 * cross-fit, folds or none (§6). */
static double *cross_fit(const struct setup *s, fit_function *fit, const struct candidate *k,
                         const unsigned char *use)
{
    const struct reference_problem *problem = s->problem;
    double *result = reference_doubles(problem->n_exp), *f = reference_doubles(problem->pairs);
    unsigned char *outside = reference_zeroed(problem->n_exp, 1);
    reference_fill(result, problem->n_exp, NAN);
    for (size_t i = 0; fit == fit_obs_only && i < problem->n_exp; i++) {
        result[i] = clip(s->f_obs[problem->exp_pair[i]]);
    }
    for (size_t fold = 0; fold < problem->dr_folds; fold++) {
        for (size_t i = 0; i < problem->n_exp; i++) {
            outside[i] = problem->dr_fold[i] != fold && reference_takes(use, i);
        }
        fit(f, s, outside, k);
        for (size_t i = 0; i < problem->n_exp; i++) {
            if (problem->dr_fold[i] == fold) {
                result[i] = clip(f[problem->exp_pair[i]]);
            }
        }
    }
    free(f);
    free(outside);
    return result;
}

int reference_fit(struct reference_estimate *out, const char *name,
                  const struct reference_problem *problem)
{
    const struct family *family = find_family(name);
    if (!family) {
        return -1;
    }
    struct setup s;
    setup_open(&s, problem);
    unsigned char *use = NULL; /* all EXP rows */
    if (family->list == list_linear && problem->holdout) {
        use = reference_zeroed(problem->n_exp, 1);
        for (size_t i = 0; i < problem->n_exp; i++) {
            use[i] = !problem->holdout[i];
        }
    }
    struct reference_estimate e = {0};
    if (family->list == list_anchored) {
        leave_out_obs_folds(&s);
        static const struct family direction = {"grounded", fit_grounded, list_direction};
        s.best = choose(&e, &s, &direction, NULL);
    }
    struct candidate k = choose(&e, &s, family, use);
    if (family->list == list_exp_only || family->list == list_obs_only) {
        int of_obs = family->list == list_obs_only;
        e.n_losses = s.n_losses[of_obs];
        memcpy(e.loss, s.loss[of_obs], sizeof e.loss);
    }
    double *prediction = reference_doubles(problem->pairs);
    family->fit(prediction, &s, use, &k);
    for (size_t p = 0; p < problem->pairs; p++) {
        prediction[p] = clip(prediction[p]);
    }
    e.prediction = prediction;
    e.cross_fit = cross_fit(&s, family->fit, &k, use);
    e.lambda = k.lambda, e.alpha = k.alpha, e.rho = k.rho, e.tau = k.tau, e.basis = k.basis;
    *out = e;
    free(use);
    setup_close(&s);
    return 0;
}
