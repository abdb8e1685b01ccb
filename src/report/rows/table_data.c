#include "report/rows/table_data.h"

#include <math.h>
#include <string.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/estimate.h"
#include "regret/task.h"

/* ---------------------------------------------------------------- families by role */

static int family_has_role(const struct regret_results *r, size_t f, unsigned role)
{
    return (r->subjects[f].roles & role) != 0;
}

int family_is_ranked(const struct regret_results *r, size_t f)
{
    return r->subjects[f].variant_of == NULL;
}

int is_shown_baseline(const struct regret_results *r, size_t subject)
{
    return r->subjects[subject].kind == REGRET_ROW_BASELINE &&
           r->subjects[subject].rule != REGRET_RULE_ORACLE;
}

static size_t baselines_of(size_t *out, const struct regret_results *r, enum regret_rule rule)
{
    size_t n = 0;
    for (size_t i = r->n_families; i < r->n_subjects; i++) {
        if (r->subjects[i].rule == rule) {
            out[n++] = i;
        }
    }
    return n;
}

size_t baselines_by_rows(size_t *out, const struct regret_results *r)
{
    size_t n = baselines_of(out, r, REGRET_RULE_SINGLE);
    return n + baselines_of(out + n, r, REGRET_RULE_BY_TAG);
}

int has_rule_by_tag(const struct regret_results *r)
{
    size_t i = r->n_families;
    while (i < r->n_subjects && r->subjects[i].rule != REGRET_RULE_BY_TAG) {
        i++;
    }
    return i < r->n_subjects;
}

int has_strengths(const struct regret_results *r)
{
    return regret_results_subject(r, REGRET_ROW_BASELINE, "best-bt") != REGRET_NO_ROW;
}

size_t best_obs_based(const struct slice *s)
{
    size_t best = REGRET_NO_ROW;
    double lowest = INFINITY;
    for (size_t f = 0; f < s->r->n_families; f++) {
        double mean = family_has_role(s->r, f, REGRET_ROLE_OBS_BASED)
                          ? slice_estimate(s, REGRET_MEASURE_REGRET, f).mean
                          : NAN;
        if (mean < lowest) {
            lowest = mean;
            best = f;
        }
    }
    return best;
}

/* ---------------------------------------------------------------- keys and measures */

size_t find_axis(const struct regret_results *r, const char *name)
{
    size_t k = regret_results_find_key(r, name);
    int is_axis = k != REGRET_NO_ROW && (k < REGRET_N_MAIN_KEYS || r->keys[k].n_values > 1);
    return is_axis ? k : REGRET_NO_ROW;
}

size_t value_number(const struct regret_key *key, const char *value)
{
    return texts_find((const char *const *)key->values, key->n_values, value);
}

const struct regret_reward_parameter *reward_parameter(const char *key)
{
    const struct regret_reward_parameter *p = NULL;
    size_t i = 0;
    while ((p = regret_reward_parameter_at(i)) != NULL && strcmp(p->key, key) != 0) {
        i++;
    }
    return p;
}

int has_measure(const struct regret_results *r, enum regret_measure m, size_t subject)
{
    for (size_t i = 0; i < r->n_rows; i++) {
        if (r->row_subject[i] == subject && isfinite(r->measure[m][i])) {
            return 1;
        }
    }
    return 0;
}

int measure_decimals(enum regret_measure m)
{
    switch (m) {
    case REGRET_MEASURE_REGRET:
    case REGRET_MEASURE_RMSE:
    case REGRET_MEASURE_DM_RMSE:
    case REGRET_MEASURE_DR_RMSE:
    case REGRET_MEASURE_SNDR_RMSE:
        return 4;
    default:
        return 3;
    }
}

/* ---------------------------------------------------------------- groups of cells */

/* 1 when the key is a parameter of a reward map that is averaged over, like beta. */
static int is_averaged(const char *key)
{
    const struct regret_reward_parameter *p = reward_parameter(key);
    return p != NULL && p->averaged;
}

/* `keys` has room for n_keys + 1. */
static size_t group_keys(size_t *keys, const struct regret_results *r, int by_map)
{
    size_t n = 0;
    if (by_map) {
        keys[n++] = REGRET_KEY_MAP;
    }
    size_t end = n + extra_keys(keys + n, r);
    for (size_t i = n; i < end; i++) {
        if (!is_averaged(r->keys[keys[i]].name)) {
            keys[n++] = keys[i];
        }
    }
    return n;
}

int table_data_make(struct table_data *out, const struct regret_results *r, int by_map)
{
    FREED_BY(table_data_free) struct table_data d = {.r = r};
    FREED size_t *keys = NULL;
    TRY(REGRET_NEW(&d.ranked, r->n_families));
    TRY(REGRET_NEW(&keys, r->n_keys + 1));
    TRY(slice_all(&d.all, r));
    TRY(groups_split(&d.groups, &d.all, keys, group_keys(keys, r, by_map)));
    for (size_t f = 0; f < r->n_families; f++) {
        if (family_is_ranked(r, f)) {
            d.ranked[d.n_ranked++] = f;
        }
    }
    *out = d;
    memset(&d, 0, sizeof d); /* handed on */
    return REGRET_OK;
}

void table_data_free(struct table_data *d)
{
    groups_free(&d->groups);
    slice_free(&d->all);
    regret_free(d->ranked);
}
