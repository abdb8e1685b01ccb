#include "estimate/families.h"

#include <stdatomic.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "estimate/family.h"
#include "estimate/session.h"
#include "regret/estimate.h"

/* Every family, in the order in which they are listed and run. A family describes itself; this list is all else that names
 * it. */
#define EACH_FAMILY(X)                                                                             \
    X(exp_only)                                                                                    \
    X(obs_only)                                                                                    \
    X(representation_exp)                                                                          \
    X(grounded)                                                                                    \
    X(cvci)                                                                                        \
    X(cvci_residual)                                                                               \
    X(grounded_linear)                                                                             \
    X(grounded_anchored)                                                                           \
    X(mixed)                                                                                       \
    X(stack)

#define DECLARE_FAMILY(name) extern const struct regret_family family_##name;
#define FAMILY_AT(name) &family_##name,
#define NUMBER_OF(name) NUMBER_##name,
EACH_FAMILY(DECLARE_FAMILY)
enum { EACH_FAMILY(NUMBER_OF) N_BUILT_IN };
static const struct regret_family *families[REGRET_MAX_FAMILIES + 1] = {EACH_FAMILY(FAMILY_AT)};
static size_t n_families = N_BUILT_IN;
static atomic_int sealed;

size_t regret_family_count(void)
{
    return n_families;
}

const struct regret_family *regret_family_at(size_t i)
{
    return i < n_families ? families[i] : NULL;
}

void families_seal(void)
{
    atomic_store(&sealed, 1);
}

const struct regret_family *regret_family_find(const char *name)
{
    for (size_t i = 0; i < n_families; i++) {
        if (strcmp(families[i]->name, name) == 0) {
            return families[i];
        }
    }
    return NULL;
}

static int check_name(const struct regret_family *family)
{
    const char *name = family->name;
    if (!name_is_plain(name, REGRET_FAMILY_NAME_SIZE - 1) || regret_family_find(name) != NULL) {
        return regret_fail(
            REGRET_E_INPUT,
            "a family is called by 1 to 40 lower-case letters, digits and \"-\", and as no "
            "other is; \"%.40s\" will not do",
            name != NULL ? name : "");
    }
    return REGRET_OK;
}

/* Is the key "NAME.…", with "_" for "-"? */
static int is_key_of(const char *key, const char *name)
{
    size_t i = 0;
    while (name[i] != '\0' && key[i] == (name[i] == '-' ? '_' : name[i])) {
        i++;
    }
    return name[i] == '\0' && key[i] == '.' && key[i + 1] != '\0';
}

static int check_hypers(const struct regret_family *family)
{
    size_t n = 0;
    while (regret_hyper_at(n) != NULL) {
        n++;
    }
    for (size_t i = 0; i < family->n_hypers; i++) {
        const char *key = family->hypers[i].key;
        if (!is_key_of(key, family->name) || regret_hyper_find(key) != NULL) {
            return regret_fail(REGRET_E_INPUT,
                               "family \"%s\": the hyper-parameter \"%.60s\" must begin with the "
                               "family's name (\"-\" as \"_\") and a dot, and be its own",
                               family->name, key);
        }
    }
    return n + family->n_hypers <= REGRET_MAX_HYPERS
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "family \"%s\": with its %zu hyper-parameters there would be %zu, and "
                             "there is room for %d",
                             family->name, family->n_hypers, n + family->n_hypers,
                             REGRET_MAX_HYPERS);
}

int regret_family_register(const struct regret_family *family)
{
    TRY(check_name(family));
    if (atomic_load(&sealed)) {
        return regret_fail(REGRET_E_INPUT,
                           "family \"%s\" comes too late: register it before the first "
                           "configuration is read",
                           family->name);
    }
    if (family->fit == NULL || n_families == REGRET_MAX_FAMILIES) {
        return regret_fail(REGRET_E_INPUT, "family \"%s\": %s", family->name,
                           family->fit == NULL ? "it has no fit" : "there is no room for more");
    }
    TRY(check_hypers(family));
    families[n_families++] = family;
    return REGRET_OK;
}

/* Where the keys of a family come: those of one that has variants just before theirs. */
static size_t place_of(size_t family)
{
    for (size_t i = family; i < n_families; i++) {
        if (families[i]->variant_of == families[family]) {
            return i;
        }
    }
    return family;
}

const struct regret_hyper *regret_hyper_at(size_t i)
{
    for (size_t place = 0; place < n_families; place++) {
        for (size_t f = 0; f < n_families; f++) {
            size_t n = place_of(f) == place ? families[f]->n_hypers : 0;
            if (i < n) {
                return &families[f]->hypers[i];
            }
            i -= n;
        }
    }
    return NULL;
}

const struct regret_hyper *regret_hyper_find(const char *key)
{
    size_t i = 0;
    const struct regret_hyper *hyper = NULL;
    while ((hyper = regret_hyper_at(i)) != NULL && strcmp(hyper->key, key) != 0) {
        i++;
    }
    return hyper;
}

void regret_estimate_options_default(struct regret_estimate_options *options)
{
    const struct regret_hyper *hyper = NULL;
    *options = (struct regret_estimate_options){
        .tie_tolerance = 1e-8, .cross_fit = 1, .families = families};
    for (size_t i = 0; i < REGRET_MAX_HYPERS && (hyper = regret_hyper_at(i)) != NULL; i++) {
        options->of[i] = hyper;
        options->hyper[i] = hyper->preset;
    }
}

/* Ridge φ → Y on EXP: the pencil of φ at λ = 0. Of several ρ causal cross-validation chooses. */
static int exp_only_fit(struct regret_estimate *estimate, struct regret_session *session)
{
    const struct plain_rho *chosen = NULL;
    struct folded *phi = NULL;
    TRY(session_rho(&chosen, session, RHO_OF_EXP));
    TRY(session_phi(&phi, session));
    TRY(plain_rho_report(estimate, chosen));
    return folded_finish(estimate, phi, 0.0, 1.0);
}

static void exp_only_work(struct fit_work *w, const struct fit_sizes *s)
{
    work_cross_fit(w, s, s->q);
}

const struct regret_family family_exp_only = {
    .name = "exp-only",
    .summary = "ridge on the raw features of the EXP rows",
    .roles = REGRET_ROLE_PAPER,
    .hypers = &plain_rho_hyper[RHO_OF_EXP],
    .n_hypers = 1,
    .fit = exp_only_fit,
    .work = exp_only_work,
};

/* Ridge φ → Y on OBS: f_O, the pencil of φ at λ = 1. It never saw EXP, not for its ρ either:
 * cross-fitting is itself. */
static int obs_only_fit(struct regret_estimate *estimate, struct regret_session *session)
{
    const struct regret_problem *problem = session->problem;
    const struct plain_rho *chosen = NULL;
    const double *baseline = NULL;
    TRY(session_rho(&chosen, session, RHO_OF_OBS));
    TRY(session_baseline(&baseline, session));
    for (size_t p = 0; p < problem->pairs; p++) {
        estimate->prediction[p] = clip01(baseline[p]);
    }
    for (size_t i = 0; estimate->cross_fit != NULL && i < problem->exp->n; i++) {
        estimate->cross_fit[i] = estimate->prediction[problem->exp->pair[i]];
    }
    return plain_rho_report(estimate, chosen);
}

const struct regret_family family_obs_only = {
    .name = "obs-only",
    .summary = "ridge on the raw features of the OBS rows",
    .roles = REGRET_ROLE_PAPER | REGRET_ROLE_OBS_BASED,
    .hypers = &plain_rho_hyper[RHO_OF_OBS],
    .n_hypers = 1,
    .fit = obs_only_fit,
};

FREED_POINTER(struct folded, folded_free)

static const struct regret_hyper penalty =
    FIXED_PENALTY("representation_exp.rho", "rho of representation-exp");

/* Ridge z → Y on EXP. */
static int representation_exp_fit(struct regret_estimate *estimate, struct regret_session *session)
{
    FREED_BY(folded_free_at) struct folded *f = NULL;
    double rho = hyper_value(session->options, &penalty)->number;
    TRY(folded_create(&f, session, &session->problem->z, WITHOUT_OBS, NULL, 1.0, 1.0, rho));
    estimate->rho = rho;
    return folded_finish(estimate, f, 0.0, 1.0);
}

static void representation_exp_work(struct fit_work *w, const struct fit_sizes *s)
{
    work_tuning(w, s, s->z, 0, 1, 1);
    work_cross_fit(w, s, s->z);
}

const struct regret_family family_representation_exp = {
    .name = "representation-exp",
    .summary = "ridge on the proxy of the EXP rows",
    .roles = REGRET_ROLE_PAPER,
    .hypers = &penalty,
    .n_hypers = 1,
    .fit = representation_exp_fit,
    .work = representation_exp_work,
};

static const struct regret_hyper cvci_lambda = POOLING_WEIGHT("cvci.lambda");

/* The pencil of φ at the λ that causal cross-validation chooses; larger λ first. */
static int cvci_fit(struct regret_estimate *estimate, struct regret_session *session)
{
    const struct regret_grid_values *grid = hyper_grid(session->options, &cvci_lambda);
    struct folded *phi = NULL;
    TRY(session_phi(&phi, session));
    TRY(candidates_create(estimate, grid->n));
    for (size_t i = 0; i < grid->n; i++) {
        estimate->candidates[i].lambda = grid->value[grid->n - 1 - i];
    }
    TRY(folded_losses(estimate->candidates, grid->n, phi, 1.0));
    candidates_settle(estimate, session);
    return folded_finish(estimate, phi, estimate->lambda, 1.0);
}

static void cvci_work(struct fit_work *w, const struct fit_sizes *s)
{
    work_losses(w, s, s->q, hyper_grid(s->options, &cvci_lambda)->n);
    work_cross_fit(w, s, s->q);
}

const struct regret_family family_cvci = {
    .name = "cvci",
    .summary = "OBS and EXP losses pooled on the raw features",
    .roles = REGRET_ROLE_PAPER | REGRET_ROLE_OBS_BASED,
    .hypers = &cvci_lambda,
    .n_hypers = 1,
    .fit = cvci_fit,
    .work = cvci_work,
};

enum { LAMBDA, RHO, N_HYPERS };
static const struct regret_hyper cvci_residual_hypers[N_HYPERS] = {
    [LAMBDA] = POOLING_WEIGHT("cvci_residual.lambda"),
    [RHO] = CHOSEN_PENALTY("cvci_residual.rho"),
};

/* The residual Y − f_O pooled over OBS and EXP in z, with ρ_E = ρ_O = ρ. */
static int residual_create(struct folded **out, struct regret_session *session,
                           const double *baseline, double rho)
{
    return folded_create(out, session, &session->problem->z, WITH_OBS, baseline, 1.0, rho, rho);
}

/* Larger ρ first, then larger λ; losses where there are folds to take them on. */
static int residual_choose(struct regret_estimate *estimate, struct regret_session *session,
                           const double *baseline)
{
    const struct regret_grid_values *rho = hyper_grid(session->options, &cvci_residual_hypers[RHO]);
    const struct regret_grid_values *lambda =
        hyper_grid(session->options, &cvci_residual_hypers[LAMBDA]);
    int has_folds = session->problem->cv->n_folds > 0;
    FREED_BY(folded_free_at) struct folded *f = NULL;
    TRY(candidates_create(estimate, rho->n * lambda->n));
    struct regret_candidate *c = estimate->candidates;
    for (size_t i = rho->n; i-- > 0;) {
        TRY(has_folds ? residual_create(&f, session, baseline, rho->value[i]) : REGRET_OK);
        for (size_t j = lambda->n; j-- > 0; c++) {
            c->rho = rho->value[i];
            c->lambda = lambda->value[j];
            TRY(has_folds ? folded_loss(&c->loss, f, c->lambda, 1.0) : REGRET_OK);
        }
        folded_free(f);
        f = NULL;
    }
    candidates_settle(estimate, session);
    return REGRET_OK;
}

/* f = clip(f_O + g), g the pooled residual fit at the (λ, ρ) that causal cross-validation chooses. */
static int cvci_residual_fit(struct regret_estimate *estimate, struct regret_session *session)
{
    const double *baseline = NULL;
    FREED_BY(folded_free_at) struct folded *f = NULL;
    TRY(session_baseline(&baseline, session));
    TRY(residual_choose(estimate, session, baseline));
    TRY(residual_create(&f, session, baseline, estimate->rho));
    return folded_finish(estimate, f, estimate->lambda, 1.0);
}

static void cvci_residual_work(struct fit_work *w, const struct fit_sizes *s)
{
    work_tuning(w, s, s->z, s->obs, hyper_grid(s->options, &cvci_residual_hypers[RHO])->n,
                hyper_grid(s->options, &cvci_residual_hypers[LAMBDA])->n);
    work_cross_fit(w, s, s->z);
}

const struct regret_family family_cvci_residual = {
    .name = "cvci-residual",
    .summary = "OBS baseline plus a pooled residual fit on the proxy",
    .roles = REGRET_ROLE_PAPER | REGRET_ROLE_OBS_BASED,
    .hypers = cvci_residual_hypers,
    .n_hypers = N_HYPERS,
    .fit = cvci_residual_fit,
    .work = cvci_residual_work,
};
