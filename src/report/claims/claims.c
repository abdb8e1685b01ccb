/* What a claim needs, the cells it speaks of, and the verdict. */
#include "report/claims/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/estimate.h"
#include "regret/families.h"

size_t claim_subject(const struct claim *c, const struct claim_context *x, size_t i)
{
    return regret_results_subject(x->r, c->kind, c->subjects[i]);
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

int cells_at(struct slice *out, const struct slice *base, size_t key, enum end end)
{
    return slice_where(out, base, key, end_value(base, key, end));
}

int cells_of_map(struct slice *out, const struct slice *base, const char *map)
{
    const struct regret_key *key = &base->r->keys[REGRET_KEY_MAP];
    size_t v = 0;
    while (v + 1 < key->n_values && strcmp(key->values[v], map) != 0) {
        v++;
    }
    return slice_where(out, base, REGRET_KEY_MAP, v);
}

/* ---------------------------------------------------------------- needs */

static void lack(struct claim_result *f, const char *what, const char *name)
{
    regret_buffer_printf(&f->lacking, "%s%s%s", f->lacking.length > 0 ? "; " : "", what, name);
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

static void check_keys(struct claim_result *f, const struct claim *c, const struct slice *s)
{
    static const struct {
        unsigned need;
        const char *key;
    } keys[] = {{NEED_BETA, "beta"},
                {NEED_N_OBS, "n_obs"},
                {NEED_N_EXP, "n_exp"},
                {NEED_LAMBDA_FIX, "reward.lambda_fix"},
                {NEED_OMEGA, "reward.omega"}};
    static const struct {
        unsigned at;
        const char *map;
    } maps[] = {{AT_SMOOTH, "smooth"}, {AT_SHARPENED, "sharpened"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t key = find_axis(s->r, keys[i].key);
        if ((c->needs & keys[i].need) &&
            (key == REGRET_NO_ROW || end_value(s, key, FIRST) == end_value(s, key, LAST))) {
            lack(f, "a sweep of ", keys[i].key);
        }
    }
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        if (((c->needs & NEED_BOTH_MAPS) || (c->at & maps[i].at)) && !has_map(s, maps[i].map)) {
            lack(f, "reward.map ", maps[i].map);
        }
    }
}

static void check_family(struct claim_result *f, const struct claim *c,
                         const struct regret_results *r, const char *name)
{
    size_t family = regret_results_subject(r, REGRET_ROW_FAMILY, name);
    if (family == REGRET_NO_ROW) {
        lack(f, "family ", name);
    } else if ((c->needs & NEED_VALUES) && !has_measure(r, REGRET_MEASURE_DR_RMSE, family)) {
        lack(f, "value estimates of ", name);
    }
}

static void check_families(struct claim_result *f, const struct claim *c,
                           const struct regret_results *r)
{
    for (size_t i = 0; c->needs & NEED_PAPER_FAMILIES && i < regret_family_count(); i++) {
        if (regret_family_at(i)->roles & REGRET_ROLE_PAPER) {
            check_family(f, c, r, regret_family_at(i)->name);
        }
    }
    int named = !(c->needs & NEED_PAPER_FAMILIES) && c->kind == REGRET_ROW_FAMILY;
    for (size_t i = 0; named && i < CLAIM_SUBJECTS && c->subjects[i] != NULL; i++) {
        check_family(f, c, r, c->subjects[i]);
    }
}

static int check_rows(struct claim_result *f, const struct claim *c, const struct regret_results *r)
{
    static const struct {
        unsigned need;
        enum regret_row_kind kind;
        enum regret_measure measure;
        const char *what, *name;
    } rows[] = {
        {NEED_PROXY_FIT, REGRET_ROW_FIT, REGRET_MEASURE_R2, "the fit of the target on ", "proxy"},
        {NEED_COMPONENTS_FIT, REGRET_ROW_FIT, REGRET_MEASURE_R2, "the fit of the target on ",
         "components"},
        {NEED_SUCCESS_FIT, REGRET_ROW_FIT, REGRET_MEASURE_R2, "the fit of the target on ",
         "success"},
        {NEED_STATISTICS_FIT, REGRET_ROW_FIT, REGRET_MEASURE_R2, "the fit of the target on ",
         "patch-statistics"},
        {NEED_RAW_BASELINE, REGRET_ROW_BASELINE, REGRET_MEASURE_REGRET, "the baseline ",
         "best-obs"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t subject = regret_results_subject(r, rows[i].kind, rows[i].name);
        if ((c->needs & rows[i].need) &&
            (subject == REGRET_NO_ROW || !has_measure(r, rows[i].measure, subject))) {
            lack(f, rows[i].what, rows[i].name);
        }
    }
    return regret_buffer_status(&f->lacking);
}

/* ---------------------------------------------------------------- cells */

/* A key that is not swept leaves the cells alone. */
static int narrow_to_end(struct slice *s, const char *name, enum end end)
{
    size_t key = find_axis(s->r, name);
    struct slice part = {0};
    if (key != REGRET_NO_ROW) {
        TRY(cells_at(&part, s, key, end));
        slice_free(s);
        *s = part;
    }
    return REGRET_OK;
}

static int narrow_to_map(struct slice *s, const char *map)
{
    struct slice part = {0};
    TRY(cells_of_map(&part, s, map));
    slice_free(s);
    *s = part;
    return REGRET_OK;
}

static int narrow_to_ends(struct slice *s, unsigned at)
{
    static const struct {
        unsigned at;
        const char *key;
        enum end end;
    } ends[] = {{AT_FIRST_N_OBS, "n_obs", FIRST},
                {AT_LAST_N_OBS, "n_obs", LAST},
                {AT_FIRST_N_EXP, "n_exp", FIRST},
                {AT_LAST_N_EXP, "n_exp", LAST},
                {AT_FIRST_LAMBDA_FIX, "reward.lambda_fix", FIRST},
                {AT_LAST_LAMBDA_FIX, "reward.lambda_fix", LAST},
                {AT_FIRST_OMEGA, "reward.omega", FIRST}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (at & ends[i].at) {
            TRY(narrow_to_end(s, ends[i].key, ends[i].end));
        }
    }
    return REGRET_OK;
}

/* Leaves out the `below` lowest values of the key. */
static void narrow_above(struct slice *s, const char *name, size_t below)
{
    size_t key = find_axis(s->r, name), kept = 0;
    for (size_t i = 0; key != REGRET_NO_ROW && i < s->n_cells; i++) {
        if (slice_value_at(s, i, key) >= below) {
            s->cells[kept++] = s->cells[i];
        }
    }
    s->n_cells = key != REGRET_NO_ROW ? kept : s->n_cells;
}

/* The cells of the claim. Keys it speaks of are swept: check_keys(). */
static int choose_cells(struct slice *s, const struct claim *c)
{
    if (c->at & (AT_SMOOTH | AT_SHARPENED)) {
        TRY(narrow_to_map(s, c->at & AT_SMOOTH ? "smooth" : "sharpened"));
    }
    if (c->at & AT_LATER_BETAS) {
        narrow_above(s, "beta", 1);
    }
    if (c->at & AT_UPPER_LAMBDA_FIX) {
        size_t key = find_axis(s->r, "reward.lambda_fix");
        narrow_above(s, "reward.lambda_fix",
                     key != REGRET_NO_ROW ? s->r->keys[key].n_values / 2 : 0);
    }
    return narrow_to_ends(s, c->at);
}

/* ---------------------------------------------------------------- the answer */

int claim_ask(struct claim_result *f, const struct claim *c, const struct slice *all,
              const struct ranking *ranking)
{
    struct claim_context x = {.r = all->r, .ranking = *ranking};
    int rc;
    f->weakest = (struct paired){NAN, NAN, NAN, NAN, 0};
    check_families(f, c, all->r);
    check_keys(f, c, all);
    TRY(check_rows(f, c, all->r));
    if (f->lacking.length > 0) {
        return REGRET_OK;
    }
    TRY_CLEANUP(slice_copy(&x.cells, all));
    TRY_CLEANUP(choose_cells(&x.cells, c));
    memset(f->d, 0, f->n_seeds * sizeof *f->d);
    TRY_CLEANUP(c->criterion(f, c, &x));
    if (f->tested == 0 && f->lacking.length == 0) {
        lack(f, "a seed with all its numbers", "");
    }
    rc = regret_buffer_status(&f->numbers);
cleanup:
    slice_free(&x.cells);
    return rc;
}

size_t claim_parts_on(const struct claim_result *f, int side, const double *adjusted)
{
    const double size = 0.05;
    size_t n = 0;
    for (size_t i = 0; i < f->n_parts; i++) {
        n += f->parts[i].side == side && (adjusted == NULL || adjusted[i] <= size);
    }
    return n;
}

enum verdict claim_verdict(const struct claim_result *f, const double *adjusted)
{
    size_t above = claim_parts_on(f, 1, adjusted);
    if (f->lacking.length > 0) {
        return VERDICT_NOT_APPLICABLE;
    }
    if (above > 0) {
        return above == f->n_parts ? VERDICT_HOLDS : VERDICT_PARTLY;
    }
    return claim_parts_on(f, -1, adjusted) > 0 ? VERDICT_FAILS : VERDICT_OPEN;
}

void claim_result_clear(struct claim_result *f)
{
    regret_buffer_free(&f->numbers);
    regret_buffer_free(&f->lacking);
    regret_free(f->parts);
    *f = (struct claim_result){.n_seeds = f->n_seeds, .d = f->d};
}
