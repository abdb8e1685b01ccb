/* What a claim needs, the cells it speaks of, and the verdict. */
#include "report/claims.h"

#include <math.h>
#include <string.h>

#include "regret/alloc.h"
#include "report/regime.h"

/* The six that the paper compares. */
static const char *const paper_families[CLAIM_FAMILIES] = {
    "exp-only", "obs-only", "representation-exp", "grounded", "cvci", "cvci-residual"};

static size_t value_of(const struct slice *s, size_t i, size_t key)
{
    return s->r->cell_value[s->cells[i] + s->r->n_cells * key];
}

size_t values_in(const struct slice *s, size_t key)
{
    size_t n = 0;
    for (size_t i = 0; key != REGRET_NO_ROW && i < s->n_cells; i++) {
        size_t j = 0;
        while (j < i && value_of(s, j, key) != value_of(s, i, key)) {
            j++;
        }
        n += j == i;
    }
    return n;
}

const char *value_text(const struct slice *s, size_t key)
{
    return s->r->keys[key].values[value_of(s, 0, key)];
}

int cells_at(struct slice *out, const struct slice *base, size_t key, enum end end)
{
    size_t value = base->n_cells > 0 ? value_of(base, 0, key) : 0;
    for (size_t i = 1; i < base->n_cells; i++) {
        size_t v = value_of(base, i, key);
        value = (end == FIRST ? v < value : v > value) ? v : value;
    }
    return slice_where(out, base, key, value);
}

/* ---------------------------------------------------------------- needs */

static void lack(struct finding *f, const char *what, const char *name)
{
    regret_text_printf(&f->lacking, "%s%s%s", f->lacking.length > 0 ? "; " : "", what, name);
}

static size_t map_value(const struct regret_results *r, const char *map)
{
    const struct regret_key *key = &r->keys[REGRET_KEY_MAP];
    size_t v = 0;
    while (v < key->n_values && strcmp(key->values[v], map) != 0) {
        v++;
    }
    return v < key->n_values ? v : REGRET_NO_ROW;
}

static int has_map(const struct slice *s, const char *map)
{
    size_t v = map_value(s->r, map), i = 0;
    while (i < s->n_cells && value_of(s, i, REGRET_KEY_MAP) != v) {
        i++;
    }
    return i < s->n_cells;
}

static int has_fit(const struct regret_results *r, const char *name)
{
    size_t subject = fit_named(r, name);
    return subject != REGRET_NO_ROW && has_measure(r, REGRET_MEASURE_R2, subject);
}

static void check_keys(struct finding *f, const struct claim *c, const struct slice *s)
{
    const struct regret_results *r = s->r;
    const struct {
        unsigned need;
        size_t key;
        const char *name;
    } keys[] = {{NEED_BETA, REGRET_KEY_BETA, "beta"},
                {NEED_N_OBS, REGRET_KEY_N_OBS, "n_obs"},
                {NEED_N_EXP, REGRET_KEY_N_EXP, "n_exp"},
                {NEED_LAMBDA_FIX, find_axis(r, "reward.lambda_fix"), "reward.lambda_fix"},
                {NEED_OMEGA, find_axis(r, "reward.omega"), "reward.omega"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if ((c->needs & keys[i].need) && values_in(s, keys[i].key) < 2) {
            lack(f, "a sweep of ", keys[i].name);
        }
    }
    if (((c->needs & NEED_BOTH_MAPS) || (c->at & AT_SMOOTH)) && !has_map(s, "smooth")) {
        lack(f, "reward.map ", "smooth");
    }
    if (((c->needs & NEED_BOTH_MAPS) || (c->at & AT_SHARPENED)) && !has_map(s, "sharpened")) {
        lack(f, "reward.map ", "sharpened");
    }
}

static void check_families(struct finding *f, const struct claim *c, const struct regret_results *r)
{
    for (size_t i = 0; i < CLAIM_FAMILIES; i++) {
        const char *name = c->needs & NEED_ALL_FAMILIES ? paper_families[i] : c->families[i];
        size_t family = name != NULL ? family_named(r, name) : 0;
        if (name != NULL && family == REGRET_NO_ROW) {
            lack(f, "family ", name);
        } else if (name != NULL && (c->needs & NEED_VALUES) &&
                   !has_measure(r, REGRET_MEASURE_DR_RMSE, family)) {
            lack(f, "value estimates of ", name);
        }
    }
}

static int check_rows(struct finding *f, const struct claim *c, const struct regret_results *r)
{
    static const struct {
        unsigned need;
        const char *fit;
    } fits[] = {{NEED_PROXY_FIT, "proxy"},
                {NEED_COMPONENTS_FIT, "components"},
                {NEED_SUCCESS_FIT, "success"}};
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++) {
        if ((c->needs & fits[i].need) && !has_fit(r, fits[i].fit)) {
            lack(f, "the fit of the target on ", fits[i].fit);
        }
    }
    size_t raw = regret_results_subject(r, REGRET_ROW_BASELINE, "best-obs");
    if ((c->needs & NEED_RAW_BASELINE) &&
        (raw == REGRET_NO_ROW || !has_measure(r, REGRET_MEASURE_REGRET, raw))) {
        lack(f, "the baseline ", "best-obs");
    }
    int controlled = 1;
    int rc = c->needs & NEED_WORLD ? regime_is_controlled(&controlled, r) : REGRET_OK;
    if (!controlled) {
        lack(f, "the controlled world", "");
    }
    return rc;
}

/* ---------------------------------------------------------------- cells */

/* Replaces *s by its cells at that end of the key; a key that is not swept leaves it alone. */
static int narrow(struct slice *s, size_t key, enum end end)
{
    struct slice part = {0};
    if (key == REGRET_NO_ROW) {
        return REGRET_OK;
    }
    int rc = cells_at(&part, s, key, end);
    if (rc == REGRET_OK) {
        slice_free(s);
        *s = part;
    }
    return rc;
}

static int cells_of(struct slice *out, const struct claim *c, const struct slice *all)
{
    const struct regret_results *r = all->r;
    size_t fix = find_axis(r, "reward.lambda_fix"), omega = find_axis(r, "reward.omega");
    const struct {
        unsigned at;
        size_t key;
        enum end end;
    } ends[] = {{AT_FIRST_N_OBS, REGRET_KEY_N_OBS, FIRST},
                {AT_LAST_N_OBS, REGRET_KEY_N_OBS, LAST},
                {AT_FIRST_N_EXP, REGRET_KEY_N_EXP, FIRST},
                {AT_LAST_N_EXP, REGRET_KEY_N_EXP, LAST},
                {AT_FIRST_LAMBDA_FIX, fix, FIRST},
                {AT_LAST_LAMBDA_FIX, fix, LAST},
                {AT_FIRST_OMEGA, omega, FIRST}};
    struct slice s = {r, NULL, all->n_cells};
    int rc = REGRET_NEW(&s.cells, all->n_cells);
    if (rc != REGRET_OK) {
        return rc;
    }
    for (size_t i = 0; i < all->n_cells; i++) {
        s.cells[i] = all->cells[i];
    }
    if (c->at & (AT_SMOOTH | AT_SHARPENED)) {
        struct slice part = {0};
        size_t map = map_value(r, c->at & AT_SMOOTH ? "smooth" : "sharpened");
        rc = slice_where(&part, all, REGRET_KEY_MAP, map);
        if (rc == REGRET_OK) {
            slice_free(&s);
            s = part;
        }
    }
    for (size_t i = 0; rc == REGRET_OK && i < sizeof ends / sizeof *ends; i++) {
        rc = c->at & ends[i].at ? narrow(&s, ends[i].key, ends[i].end) : REGRET_OK;
    }
    if (rc != REGRET_OK) {
        slice_free(&s);
        return rc;
    }
    *out = s;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the answer */

int claim_ask(struct finding *f, const struct claim *c, const struct slice *all,
              const size_t *ranked, size_t n_ranked)
{
    struct scene x = {.r = all->r, .ranked = ranked, .n_ranked = n_ranked};
    f->weakest = (struct paired){NAN, NAN, NAN, NAN, 0};
    check_families(f, c, all->r);
    check_keys(f, c, all);
    int rc = check_rows(f, c, all->r);
    if (rc == REGRET_OK) {
        rc = regret_text_status(&f->lacking);
    }
    if (rc != REGRET_OK || f->lacking.length > 0) {
        return rc;
    }
    rc = cells_of(&x.cells, c, all);
    if (rc == REGRET_OK) {
        memset(f->d, 0, f->n_seeds * sizeof *f->d);
        rc = c->evaluate(f, c, &x);
    }
    if (rc == REGRET_OK && f->tested == 0 && f->lacking.length == 0) {
        lack(f, "a seed with all its numbers", "");
    }
    slice_free(&x.cells);
    return rc != REGRET_OK ? rc : regret_text_status(&f->numbers);
}

enum verdict finding_verdict(const struct finding *f)
{
    if (f->lacking.length > 0) {
        return VERDICT_NOT_APPLICABLE;
    }
    if (f->below > 0) {
        return VERDICT_FAILS;
    }
    return f->above == f->parts ? VERDICT_HOLDS : VERDICT_OPEN;
}

void finding_clear(struct finding *f)
{
    regret_text_free(&f->numbers);
    regret_text_free(&f->lacking);
    *f = (struct finding){.n_seeds = f->n_seeds, .d = f->d};
}
