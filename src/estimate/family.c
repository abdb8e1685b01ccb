#include "estimate/family.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "estimate/session.h"
#include "regret/design.h"
#include "regret/estimate.h"
#include "regret/status.h"

const char *regret_family_role_name(size_t i)
{
    static const char *const names[REGRET_N_ROLES] = {"paper", "obs-based"};
    return names[i];
}

/* The session holds the last fit of every family, as far as there is room. */
static void remember(struct regret_session *s, const struct regret_family *family,
                     struct regret_estimate *e)
{
    size_t i = 0;
    while (i < s->n_made && s->made[i].family != family) {
        i++;
    }
    if (i == REGRET_MAX_FAMILIES) {
        return;
    }
    if (i == s->n_made) {
        s->n_made++;
    }
    regret_estimate_free(s->made[i].estimate);
    s->made[i].family = family;
    s->made[i].estimate = e;
    e->sharers++;
}

int session_member(struct regret_estimate **out, struct regret_session *session,
                   const struct regret_family *family, const struct regret_estimate *chosen)
{
    const struct regret_estimate *before = session->chosen;
    for (size_t i = 0; i < session->n_made; i++) {
        if (session->made[i].family == family) {
            *out = session->made[i].estimate;
            (*out)->sharers++;
            return REGRET_OK;
        }
    }
    session->chosen = chosen;
    int rc = regret_family_fit(out, family, session);
    session->chosen = before;
    return rc;
}

/* NaN for every hyper-parameter that a fit reports. */
static void nothing_tuned(double tuned[REGRET_N_TUNED])
{
    for (size_t i = 0; i < REGRET_N_TUNED; i++) {
        tuned[i] = NAN;
    }
}

int regret_family_fit(struct regret_estimate **out, const struct regret_family *family,
                      struct regret_session *session)
{
    const struct regret_problem *problem = session->problem;
    struct regret_estimate *e = NULL;
    int rc;
    TRY(regret_stop_check(problem->phi.stop));
    TRY_CLEANUP(REGRET_NEW(&e, 1));
    TRY_CLEANUP(REGRET_NEW(&e->prediction, problem->pairs));
    nothing_tuned(e->tuned);
    e->basis = -1;
    e->cv_mode = -1;
    if (session->options->cross_fit) {
        TRY_CLEANUP(REGRET_NEW(&e->cross_fit, problem->exp->n));
        for (size_t i = 0; i < problem->exp->n; i++) {
            e->cross_fit[i] = NAN;
        }
        TRY_CLEANUP(fold_value_create(e, problem));
    }
    rc = family->fit(e, session);
    if (rc != REGRET_OK && rc != REGRET_E_CANCELLED) {
        rc = regret_fail_prefix(rc, "%s", family->name);
    }
    TRY_CLEANUP(rc);
    for (int of = 0; of < 2; of++) {
        e->plain_rho[of] = session->rho[of].value;
    }
    remember(session, family, e);
    *out = e;
    e = NULL;
cleanup:
    regret_estimate_free(e);
    return rc;
}

void regret_estimate_free(struct regret_estimate *e)
{
    if (e == NULL || e->sharers > 0) {
        if (e != NULL) {
            e->sharers--;
        }
        return;
    }
    for (size_t i = 0; i < e->n_members; i++) {
        regret_estimate_free(e->member[i].estimate);
    }
    regret_free(e->member);
    regret_free(e->prediction);
    regret_free(e->unclipped);
    regret_free(e->cross_fit);
    regret_free(e->fold_mean);
    regret_free(e->fold_value);
    regret_free(e->candidates);
    regret_free(e);
}

/* The penalty of a plain ridge on the raw features: one number, or a list of which cross-validation
 * chooses (family.c). */
#define PLAIN_PENALTY(name, words)                                                                 \
    {                                                                                              \
        .key = (name), .help = (words), .kind = REGRET_HYPER_GRID, .low = LEAST_PENALTY,           \
        .high = MOST_PENALTY, .column = "rho", .underfits = 1, .preset = {                         \
            .grid = {1, {1.0}}                                                                     \
        }                                                                                          \
    }

const union regret_hyper_value *hyper_find(const struct regret_estimate_options *options,
                                           const char *key)
{
    for (size_t i = 0; i < REGRET_MAX_HYPERS && options->of[i] != NULL; i++) {
        if (strcmp(options->of[i]->key, key) == 0) {
            return &options->hyper[i];
        }
    }
    return NULL;
}

union regret_hyper_value *regret_hyper_of(struct regret_estimate_options *options, const char *key)
{
    const union regret_hyper_value *found = hyper_find(options, key);
    return found != NULL ? &options->hyper[found - options->hyper] : NULL;
}

const union regret_hyper_value *hyper_value(const struct regret_estimate_options *options,
                                            const struct regret_hyper *hyper)
{
    return hyper_find(options, hyper->key);
}

const struct regret_grid_values *hyper_grid(const struct regret_estimate_options *options,
                                            const struct regret_hyper *hyper)
{
    return &hyper_value(options, hyper)->grid;
}

const char *regret_tuned_name(size_t i)
{
    static const char *const names[REGRET_N_TUNED] = {"lambda", "alpha", "rho", "tau"};
    return names[i];
}

/* Room for `n` candidates, hyper-parameters NaN, basis -1, loss NaN. */
static int candidates_new(struct regret_candidate **out, size_t n)
{
    struct regret_candidate *made = NULL;
    TRY(REGRET_NEW(&made, n));
    for (size_t i = 0; i < n; i++) {
        made[i] = (struct regret_candidate){.basis = -1, .loss = NAN};
        nothing_tuned(made[i].tuned);
    }
    *out = made;
    return REGRET_OK;
}

int candidates_create(struct regret_estimate *e, size_t n)
{
    TRY(candidates_new(&e->candidates, n));
    e->n_candidates = n;
    return REGRET_OK;
}

/* What one of them does not have tells them not apart: grounded-anchored chooses in two stages. */
static int agree(double a, double b)
{
    return a == b || isnan(a) || isnan(b);
}

/* The candidate that was chosen before. */
static size_t find_candidate(const struct regret_estimate *e, const struct regret_estimate *before)
{
    for (size_t i = 0; i < e->n_candidates; i++) {
        const struct regret_candidate *c = &e->candidates[i];
        if (agree(c->lambda, before->lambda) && agree(c->alpha, before->alpha) &&
            agree(c->rho, before->rho) && agree(c->tau, before->tau) &&
            (c->basis == before->basis || c->basis < 0)) {
            return i;
        }
    }
    return 0;
}

void candidates_settle(struct regret_estimate *e, const struct regret_session *session)
{
    size_t chosen = session->chosen != NULL ? find_candidate(e, session->chosen)
                                            : regret_cv_choose(e->candidates, e->n_candidates,
                                                               session->options->tie_tolerance);
    const struct regret_candidate *c = &e->candidates[chosen];
    memcpy(e->tuned, c->tuned, sizeof e->tuned);
    e->basis = c->basis;
    e->cv_mode = (int)session->problem->cv->mode;
}

const struct regret_hyper plain_rho_hyper[] = {
    [RHO_OF_EXP] =
        PLAIN_PENALTY("exp_only.rho", "rho_E of exp-only and cvci: a number, or candidates"),
    [RHO_OF_OBS] =
        PLAIN_PENALTY("obs_only.rho", "rho_O of obs-only and cvci: a number, or candidates"),
};

/* Mean over the folds of the losses of n candidates: ridge on the rows outside a fold, clipped. A direct solver is made
 * for every ρ, an iterative one for all of them. */
static int lose(struct regret_candidate *c, size_t n, struct regret_session *s,
                const struct regret_sample *sample, const struct regret_folds *folds)
{
    int together = s->problem->phi.iterative;
    for (size_t i = 0; i < (together ? 1 : n); i++) {
        struct folded *f = NULL;
        TRY(folded_of_sample(&f, s, sample, folds, c[i].rho));
        int rc = together ? folded_losses(c, n, f, 1.0) : folded_loss(&c[i].loss, f, 0.0, 1.0);
        folded_free(f);
        TRY(rc);
    }
    return REGRET_OK;
}

/* Larger ρ first. */
static int choose(struct plain_rho *c, struct regret_session *s, const struct regret_sample *sample,
                  const struct regret_folds *folds, const struct regret_grid_values *grid)
{
    TRY(candidates_new(&c->candidates, grid->n));
    c->n = grid->n;
    for (size_t i = 0; i < grid->n; i++) {
        c->candidates[i].rho = grid->value[grid->n - 1 - i];
    }
    if (folds->n_folds > 0) {
        TRY(lose(c->candidates, c->n, s, sample, folds));
    }
    size_t best = regret_cv_choose(c->candidates, c->n, s->options->tie_tolerance);
    c->value = c->candidates[best].rho;
    c->cv_mode = (int)folds->mode;
    return REGRET_OK;
}

int session_rho(const struct plain_rho **out, struct regret_session *s, enum plain_rho_of of)
{
    const struct regret_problem *problem = s->problem;
    const struct regret_grid_values *grid = hyper_grid(s->options, &plain_rho_hyper[of]);
    const struct regret_folds *folds = of == RHO_OF_EXP ? problem->cv : problem->obs_cv;
    struct plain_rho *c = &s->rho[of];
    *out = c;
    if (c->value > 0.0) {
        return REGRET_OK;
    }
    c->cv_mode = -1;
    if (grid->n == 1) {
        c->value = grid->value[0];
        return REGRET_OK;
    }
    if (s->chosen != NULL) {
        c->value = s->chosen->plain_rho[of];
        return REGRET_OK;
    }
    if (folds == NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "obs_only.rho has %zu candidates, but the problem has no "
                           "folds of OBS to choose by; give obs_cv, or one rho",
                           grid->n);
    }
    return choose(c, s, of == RHO_OF_EXP ? s->exp : s->obs, folds, grid);
}

int plain_rho_report(struct regret_estimate *e, const struct plain_rho *c)
{
    e->rho = c->value;
    e->cv_mode = c->cv_mode;
    if (c->n > 0) {
        TRY(candidates_create(e, c->n));
        memcpy(e->candidates, c->candidates, c->n * sizeof *c->candidates);
    }
    return REGRET_OK;
}

void plain_rho_clear(struct plain_rho *c)
{
    regret_free(c->candidates);
    *c = (struct plain_rho){0};
}

const char *regret_basis_name(enum regret_basis basis)
{
    static const char *const names[REGRET_N_BASES] = {"linear", "quadratic", "interactions"};
    return names[basis];
}

static size_t expanded_dim(enum regret_basis basis, size_t d)
{
    size_t crossed = d < REGRET_INTERACTION_DIMS ? d : REGRET_INTERACTION_DIMS;
    return basis == REGRET_BASIS_LINEAR      ? d
           : basis == REGRET_BASIS_QUADRATIC ? 2 * d
                                             : d + crossed * (crossed + 1) / 2;
}

static void product(double *out, const double *x, const double *y, size_t n)
{
    for (size_t p = 0; p < n; p++) {
        out[p] = x[p] * y[p];
    }
}

int regret_basis_expand(double **out, size_t *dim, enum regret_basis basis, const double *z,
                        size_t n_pairs, size_t z_dim, const unsigned char *train)
{
    size_t m = expanded_dim(basis, z_dim);
    FREED double *psi = NULL, *weight = NULL;
    TRY(REGRET_NEW(&psi, m * n_pairs));
    TRY(REGRET_NEW(&weight, n_pairs));
    memcpy(psi, z, z_dim * n_pairs * sizeof *psi);
    double *next = psi + z_dim * n_pairs;
    size_t crossed = z_dim < REGRET_INTERACTION_DIMS ? z_dim : REGRET_INTERACTION_DIMS;
    if (basis == REGRET_BASIS_QUADRATIC) {
        for (size_t j = 0; j < z_dim; j++, next += n_pairs) {
            product(next, z + j * n_pairs, z + j * n_pairs, n_pairs);
        }
    } else if (basis == REGRET_BASIS_INTERACTIONS) {
        for (size_t i = 0; i < crossed; i++) {
            for (size_t j = i; j < crossed; j++, next += n_pairs) {
                product(next, z + i * n_pairs, z + j * n_pairs, n_pairs);
            }
        }
    }
    for (size_t p = 0; p < n_pairs; p++) {
        weight[p] = train[p] ? 1.0 : 0.0;
    }
    TRY(regret_standardise(psi, n_pairs, m, weight, NULL));
    *out = psi;
    *dim = m;
    psi = NULL;
    return REGRET_OK;
}

int basis_design(struct regret_design *design, double **columns, enum regret_basis basis,
                 const struct regret_problem *problem)
{
    size_t dim = 0;
    TRY(regret_basis_expand(columns, &dim, basis, problem->z.value, problem->pairs, problem->z.dim,
                            problem->train));
    *design = regret_design_dense(problem->pairs, dim, *columns);
    return REGRET_OK;
}
