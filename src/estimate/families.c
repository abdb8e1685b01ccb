#include "estimate/families.h"

#include <stdatomic.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/name.h"
#include "regret/families.h"

/* Every family, in the order in which they are listed and run: one file each, NAME.c in
 * estimate/families or estimate/practice, which describes itself; this list is all else that names it. */
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
