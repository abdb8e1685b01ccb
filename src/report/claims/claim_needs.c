/* What a claim needs, and the cells it speaks of. */
#include <string.h>

#include "base/core/try.h"
#include "regret/families.h"
#include "report/claims/evidence.h"
#include "report/rows/lists.h"

/* ---------------------------------------------------------------- subjects */

size_t claim_spoken_of(const struct claim *c, const struct claim_context *x)
{
    return c->everyone ? x->ranking.n : c->choice != CHOICE_NONE ? 1 : c->n_subjects;
}

size_t claim_subject(const struct claim *c, const struct claim_context *x, size_t i)
{
    return c->everyone                ? x->ranking.families[i]
           : c->choice != CHOICE_NONE ? REGRET_NO_ROW
                                      : regret_results_subject(x->r, c->kind, c->subjects[i]);
}

size_t claim_others(const struct claim *c)
{
    size_t n = 0;
    while (c->n_subjects + n < CLAIM_SUBJECTS && c->subjects[c->n_subjects + n] != NULL) {
        n++;
    }
    return n;
}

/* ---------------------------------------------------------------- needs */

static void lack(struct claim_result *f, const char *what, const char *name)
{
    regret_buffer_printf(&f->lacking, "%s%s%s", f->lacking.length > 0 ? "; " : "", what, name);
}

static size_t end_value(const struct slice *base, size_t key, enum end end)
{
    size_t value = base->n_cells > 0 ? slice_value_at(base, 0, key) : 0;
    for (size_t i = 1; i < base->n_cells; i++) {
        size_t v = slice_value_at(base, i, key);
        value = (end == FIRST ? v < value : v > value) ? v : value;
    }
    return value;
}

static int has_map(const struct slice *s, const char *map)
{
    for (size_t i = 0; i < s->n_cells; i++) {
        size_t value = slice_value_at(s, i, REGRET_KEY_MAP);
        if (strcmp(s->r->keys[REGRET_KEY_MAP].values[value], map) == 0) {
            return 1;
        }
    }
    return 0;
}

static void need_map(struct claim_result *f, const struct slice *s, const char *map)
{
    if (!has_map(s, map)) {
        lack(f, "reward.map ", map);
    }
}

static void need_sweep(struct claim_result *f, const struct slice *s, const char *name)
{
    size_t key = find_axis(s->r, name);
    if (key == REGRET_KEY_MAP) {
        need_map(f, s, "smooth");
        need_map(f, s, "sharpened");
    } else if (key == REGRET_NO_ROW || end_value(s, key, FIRST) == end_value(s, key, LAST)) {
        lack(f, "a sweep of ", name);
    }
}

static void need_row(struct claim_result *f, const struct slice *s, enum regret_row_kind kind,
                     const char *name)
{
    int fit = kind == REGRET_ROW_FIT;
    size_t subject = regret_results_subject(s->r, kind, name);
    if (subject == REGRET_NO_ROW ||
        !has_measure(s->r, fit ? REGRET_MEASURE_R2 : REGRET_MEASURE_REGRET, subject)) {
        lack(f, fit ? "the fit of the target on " : "the baseline ", name);
    }
}

static void need_family(struct claim_result *f, const struct claim *c, const struct slice *s,
                        const char *name)
{
    int m = c->measures[0];
    int values = m == REGRET_MEASURE_DM_RMSE || m == REGRET_MEASURE_DR_RMSE;
    size_t family = regret_results_subject(s->r, REGRET_ROW_FAMILY, name);
    if (family == REGRET_NO_ROW) {
        lack(f, "family ", name);
    } else if (values && !has_measure(s->r, REGRET_MEASURE_DR_RMSE, family)) {
        lack(f, "value estimates of ", name);
    }
}

/* Runs of older programs, or without "details", have none. */
static void need_losses(struct claim_result *f, const struct slice *s)
{
    size_t oracle = regret_results_subject(s->r, REGRET_ROW_BASELINE, "oracle");
    for (size_t i = 0; oracle != REGRET_NO_ROW && i < s->n_cells; i++) {
        if (regret_results_list(s->r, REGRET_LIST_CONTEXT, oracle, s->cells[i], 0).n > 0) {
            return;
        }
    }
    lack(f, "the losses by context (key details)", "");
}

/* What a bias is made of. */
static void need_values(struct claim_result *f, const struct claim *c, const struct slice *s)
{
    enum regret_list list = c->measures[0] == MEASURE_DM_BIAS ? REGRET_LIST_DM : REGRET_LIST_DR;
    size_t family = regret_results_subject(s->r, REGRET_ROW_FAMILY, c->subjects[0]);
    int has = lists_oracle(s->r) != REGRET_NO_ROW && family != REGRET_NO_ROW && s->n_cells > 0;
    if (!has || regret_results_list(s->r, list, family, s->cells[0], 0).n == 0) {
        lack(f, "the values by agent (keys details and values.enabled)", "");
    }
}

static void need_families(struct claim_result *f, const struct claim *c, const struct slice *s)
{
    for (size_t i = 0; c->needs_families && i < regret_family_count(); i++) {
        if (regret_family_at(i)->roles & REGRET_ROLE_PAPER) {
            need_family(f, c, s, regret_family_at(i)->name);
        }
    }
    int named = !c->needs_families && c->kind == REGRET_ROW_FAMILY;
    for (size_t i = 0; named && i < c->n_subjects + claim_others(c); i++) {
        need_family(f, c, s, c->subjects[i]);
    }
}

int claim_needs(struct claim_result *f, const struct claim *c, const struct slice *all)
{
    need_families(f, c, all);
    for (size_t i = 0; i < CLAIM_NEEDS && c->needs[i] != NULL; i++) {
        need_sweep(f, all, c->needs[i]);
    }
    for (size_t i = 0; i < CLAIM_KEYS && c->keys[i] != NULL; i++) {
        int said = 0;
        for (size_t k = 0; k < CLAIM_NEEDS && c->needs[k] != NULL; k++) {
            said |= strcmp(c->needs[k], c->keys[i]) == 0;
        }
        if (!said) {
            need_sweep(f, all, c->keys[i]);
        }
    }
    for (size_t i = 0; i < c->n_cells; i++) {
        if (c->cells[i].at == AT_VALUE && strcmp(c->cells[i].key, "reward.map") == 0) {
            need_map(f, all, c->cells[i].value);
        }
    }
    if (c->measures[0] == MEASURE_COSTLIEST) {
        need_losses(f, all);
    }
    if (c->measures[0] == MEASURE_DM_BIAS || c->measures[0] == MEASURE_DR_BIAS) {
        need_values(f, c, all);
    }
    if (c->over == OVER_FIT) {
        need_row(f, all, REGRET_ROW_FIT, "proxy");
        need_row(f, all, REGRET_ROW_FIT, "success");
    }
    for (size_t i = 0; c->kind != REGRET_ROW_FAMILY && i < c->n_subjects + claim_others(c); i++) {
        need_row(f, all, c->kind, c->subjects[i]);
    }
    return regret_buffer_status(&f->lacking);
}

/* ---------------------------------------------------------------- cells */

int cells_at(struct slice *out, const struct slice *base, size_t key, enum end end)
{
    return slice_where(out, base, key,
                       key == REGRET_KEY_MAP ? value_number(&base->r->keys[key],
                                                            end == FIRST ? "smooth" : "sharpened")
                                             : end_value(base, key, end));
}

/* Leaves out the `below` lowest values of the key. */
static void narrow_above(struct slice *s, size_t key, size_t below)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        if (slice_value_at(s, i, key) >= below) {
            s->cells[kept++] = s->cells[i];
        }
    }
    s->n_cells = kept;
}

static int narrow(struct slice *s, const struct claim_cells *at, size_t key)
{
    struct slice part = {0};
    size_t n_values = s->r->keys[key].n_values;
    switch (at->at) {
    case AT_LATER:
        narrow_above(s, key, 1);
        return REGRET_OK;
    case AT_UPPER:
        narrow_above(s, key, n_values / 2);
        return REGRET_OK;
    case AT_LAST_TWO:
        narrow_above(s, key, n_values > 2 ? n_values - 2 : 0);
        return REGRET_OK;
    case AT_VALUE:
        TRY(slice_where(&part, s, key, value_number(&s->r->keys[key], at->value)));
        break;
    default:
        TRY(slice_where(&part, s, key, end_value(s, key, at->at == AT_FIRST ? FIRST : LAST)));
    }
    slice_free(s);
    *s = part;
    return REGRET_OK;
}

/* A key that is not swept leaves the cells alone. */
int claim_cells_of(struct slice *out, const struct claim *c, const struct slice *all)
{
    TRY(slice_copy(out, all));
    for (size_t i = 0; i < c->n_cells; i++) {
        size_t key = find_axis(all->r, c->cells[i].key);
        if (key != REGRET_NO_ROW) {
            TRY(narrow(out, &c->cells[i], key));
        }
    }
    return REGRET_OK;
}
