#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/name.h"
#include "estimate/families/families.h"
#include "estimate/fit/session.h"
#include "regret/alloc.h"

#define FAMILY_AT(name) &family_##name,
#define NUMBER_OF(name) NUMBER_##name,
enum { EACH_FAMILY(NUMBER_OF) N_BUILT_IN };
static const struct regret_family *families[REGRET_MAX_FAMILIES] = {EACH_FAMILY(FAMILY_AT)};
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

const char *regret_family_role_name(size_t i)
{
    static const char *const names[REGRET_N_ROLES] = {"paper", "obs-based"};
    return names[i];
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

static size_t slot_of(const char *key)
{
    size_t i = 0;
    const struct regret_hyper *hyper = NULL;
    while ((hyper = regret_hyper_at(i)) != NULL && strcmp(hyper->key, key) != 0) {
        i++;
    }
    return i;
}

const struct regret_hyper *regret_hyper_find(const char *key)
{
    return regret_hyper_at(slot_of(key));
}

union regret_hyper_value *regret_hyper_of(struct regret_estimate_options *options, const char *key)
{
    return &options->hyper[slot_of(key)];
}

const union regret_hyper_value *hyper_value(const struct regret_estimate_options *options,
                                            const struct regret_hyper *hyper)
{
    return &options->hyper[slot_of(hyper->key)];
}

const struct regret_grid_values *hyper_grid(const struct regret_estimate_options *options,
                                            const struct regret_hyper *hyper)
{
    return &hyper_value(options, hyper)->grid;
}

void regret_estimate_options_default(struct regret_estimate_options *options)
{
    const struct regret_hyper *hyper = NULL;
    *options = (struct regret_estimate_options){.tie_tolerance = 1e-8, .cross_fit = 1};
    for (size_t i = 0; i < REGRET_MAX_HYPERS && (hyper = regret_hyper_at(i)) != NULL; i++) {
        options->hyper[i] = hyper->preset;
    }
}

const char *regret_tuned_name(size_t i)
{
    static const char *const names[REGRET_N_TUNED] = {"lambda", "alpha", "rho", "tau"};
    return names[i];
}

static void nothing_tuned(double *tuned)
{
    for (size_t i = 0; i < REGRET_N_TUNED; i++) {
        tuned[i] = NAN;
    }
}

int candidates_new(struct regret_candidate **out, size_t n)
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

int regret_family_fit(struct regret_estimate **out, const struct regret_family *family,
                      struct regret_session *session)
{
    const struct regret_problem *problem = session->problem;
    struct regret_estimate *e = NULL;
    int rc;
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
    }
    rc = family->fit(e, session);
    if (rc != REGRET_OK) {
        rc = regret_fail_prefix(rc, "%s", family->name);
        goto cleanup;
    }
    for (int of = 0; of < 2; of++) {
        e->plain_rho[of] = session->rho[of].value;
    }
    *out = e;
    e = NULL;
cleanup:
    regret_estimate_free(e);
    return rc;
}

void regret_estimate_free(struct regret_estimate *e)
{
    if (e == NULL) {
        return;
    }
    regret_free(e->prediction);
    regret_free(e->cross_fit);
    regret_free(e->fold_mean);
    regret_free(e->candidates);
    regret_free(e);
}
