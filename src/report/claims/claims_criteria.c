/* The criteria that claims share. */
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/claims/claims.h"

/* ---------------------------------------------------------------- against rivals */

static size_t spoken_of(const struct claim *c)
{
    return c->spoken_of > 0 ? c->spoken_of : 1;
}

/* 1 when subject `s` is among the claim's from the `first` on. */
static int is_named(const struct claim *c, const struct claim_context *x, size_t s, size_t first)
{
    for (size_t i = first; i < CLAIM_SUBJECTS && c->subjects[i] != NULL; i++) {
        if (claim_subject(c, x, i) == s) {
            return 1;
        }
    }
    return 0;
}

/* The i-th subject and its rivals, in the order in which they are shown: the claim's, but the run's
 * of what depends on all ranked families. `out` has room for n_families and CLAIM_SUBJECTS. */
static size_t contestants(size_t *out, const struct claim *c, const struct claim_context *x,
                          size_t i)
{
    size_t own = claim_subject(c, x, i), rest = spoken_of(c), n = 0;
    int all = c->subjects[rest] == NULL;
    if (all || c->measure >= REGRET_N_MEASURES) {
        if (c->measure < REGRET_N_MEASURES) {
            out[n++] = own;
        }
        for (size_t k = 0; k < x->ranking.n; k++) {
            size_t family = x->ranking.families[k];
            int shown = family == own ? c->measure >= REGRET_N_MEASURES
                                      : all || is_named(c, x, family, rest);
            if (shown) {
                out[n++] = family;
            }
        }
        return n;
    }
    out[n++] = own;
    for (size_t k = rest; k < CLAIM_SUBJECTS && c->subjects[k] != NULL; k++) {
        out[n++] = claim_subject(c, x, k);
    }
    return n;
}

/* The others stay in order. */
static void put_first(size_t *all, size_t n, size_t own)
{
    size_t k = 0;
    while (k + 1 < n && all[k] != own) {
        k++;
    }
    memmove(all + 1, all, k * sizeof *all);
    all[0] = own;
}

static int beats_rivals(struct claim_result *f, const struct claim *c,
                        const struct claim_context *x, size_t i)
{
    size_t *all = NULL, own = claim_subject(c, x, i);
    int rc;
    TRY_CLEANUP(REGRET_NEW(&all, x->r->n_families + CLAIM_SUBJECTS));
    size_t n = contestants(all, c, x, i);
    for (size_t k = 0; k < n; k++) {
        int decimals = 0;
        double value = shown_measure(x, c->measure, all[k], &decimals);
        say_number(f, x->r->subjects[all[k]].name, value, decimals);
    }
    if (c->measure == MEASURE_RANK || c->measure == MEASURE_TOP3) {
        put_first(all, n, own);
        rc = compare_ranks(f, c, x, all, n);
        goto cleanup;
    }
    for (size_t k = 0; k < n; k++) {
        if (all[k] != own) {
            add_measure(f, c->sign, x, c->measure, own);
            add_measure(f, -c->sign, x, c->measure, all[k]);
            TRY_CLEANUP(end_part(f));
        }
    }
cleanup:
    regret_free(all);
    return rc;
}

int claim_beats(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    for (size_t i = 0; i < spoken_of(c); i++) {
        TRY(beats_rivals(f, c, x, i));
    }
    return REGRET_OK;
}

int claim_of_agents_ranks(struct claim_result *f, const struct claim *c,
                          const struct claim_context *x, claim_criterion *criterion,
                          const char *after)
{
    struct claim part = *c;
    part.sign = 1;
    part.measure = REGRET_MEASURE_TOP1;
    say_words(f, "top-1:");
    say_words(f, after);
    TRY(criterion(f, &part, x));
    part.measure = REGRET_MEASURE_TOP3;
    say_words(f, "; top-3:");
    say_words(f, after);
    return criterion(f, &part, x);
}

int claim_ranks_agents(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    return claim_of_agents_ranks(f, c, x, claim_beats, "");
}

/* ---------------------------------------------------------------- amounts */

static double mean_of(const struct slice *s, int measure, size_t subject)
{
    return slice_estimate(s, (enum regret_measure)measure, subject).mean;
}

/* The number and what it is taken against, each by its name. */
static void say_sides(struct claim_result *f, const struct claim *c, const struct claim_context *x,
                      const struct slice *s)
{
    enum regret_measure m;
    size_t own = claim_subject(c, x, 0), other = counterpart(&m, c, x, s, 0);
    if (c->against == AGAINST_DM) {
        say_number(f, "DM", mean_of(s, m, other), measure_decimals(m));
        say_number(f, "DR", mean_of(s, c->measure, own), measure_decimals(m));
        return;
    }
    say_mean(f, s, (enum regret_measure)c->measure, own);
    if (other != REGRET_NO_ROW) {
        say_mean(f, s, m, other);
    }
}

/* The amount of the i-th subject as one number. */
static void say_amount(struct claim_result *f, const char *label, const struct claim *c,
                       const struct claim_context *x, const struct slice *s, size_t i)
{
    enum regret_measure m;
    size_t other = counterpart(&m, c, x, s, i);
    double y = mean_of(s, c->measure, claim_subject(c, x, i));
    int decimals = measure_decimals((enum regret_measure)c->measure);
    if (c->against == AGAINST_NOTHING) {
        say_number(f, label, y, decimals);
    } else if (other != REGRET_NO_ROW) {
        say_signed(f, label, y - mean_of(s, m, other), decimals);
    }
}

/* A part: the amount has the sign in the cells. */
static int compare(struct claim_result *f, int sign, const struct claim *c,
                   const struct claim_context *x, const struct slice *s)
{
    say_sides(f, c, x, s);
    TRY(add_amount(f, sign, c, x, s, 0));
    return end_part(f);
}

int claim_has_sign(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    if (c->spoken_of == 0) {
        return compare(f, c->sign, c, x, &x->cells);
    }
    for (size_t i = 0; i < c->spoken_of; i++) {
        say_amount(f, c->subjects[i], c, x, &x->cells, i);
        TRY(add_amount(f, c->sign, c, x, &x->cells, i));
        TRY(end_part(f));
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- along a key */

/* The cells at both ends of a key. */
struct ends {
    size_t key;
    struct slice at[2]; /* FIRST, LAST */
};

static void ends_close(struct ends *e)
{
    slice_free(&e->at[FIRST]);
    slice_free(&e->at[LAST]);
}

static int ends_open(struct ends *out, const struct claim_context *x, const char *key)
{
    struct ends e = {.key = find_axis(x->r, key)};
    int rc;
    TRY_CLEANUP(cells_at(&e.at[FIRST], &x->cells, e.key, FIRST));
    TRY_CLEANUP(cells_at(&e.at[LAST], &x->cells, e.key, LAST));
    *out = e;
    return REGRET_OK;
cleanup:
    ends_close(&e);
    return rc;
}

/* "beta 0: 0.31": the amount at an end, or both sides after the claim's word for it. */
static int say_end(struct claim_result *f, const struct claim *c, const struct claim_context *x,
                   const struct ends *e, enum end end)
{
    if (c->ends[end] != NULL) {
        say_words(f, c->ends[end]);
        say_sides(f, c, x, &e->at[end]);
        return REGRET_OK;
    }
    struct regret_buffer label = REGRET_BUFFER_INIT;
    regret_buffer_printf(&label, "%s%s %s:", c->against == AGAINST_DM ? "DR less DM at " : "",
                         c->key, slice_value(&e->at[end], e->key));
    say_amount(f, regret_buffer_get(&label), c, x, &e->at[end], 0);
    int rc = regret_buffer_status(&label);
    regret_buffer_free(&label);
    return rc;
}

int claim_moves(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    struct ends e = {0};
    int rc;
    TRY_CLEANUP(ends_open(&e, x, c->key));
    TRY_CLEANUP(say_end(f, c, x, &e, FIRST));
    TRY_CLEANUP(say_end(f, c, x, &e, LAST));
    TRY_CLEANUP(add_amount_slope(f, c->sign, c, x, e.key));
    rc = end_part(f);
cleanup:
    ends_close(&e);
    return rc;
}

int claim_changes(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    struct ends e = {0};
    int rc;
    TRY_CLEANUP(ends_open(&e, x, c->key));
    say_sides(f, c, x, &e.at[FIRST]);
    say_words(f, "; then");
    say_sides(f, c, x, &e.at[LAST]);
    TRY_CLEANUP(add_amount(f, -c->sign, c, x, &e.at[FIRST], 0));
    TRY_CLEANUP(add_amount(f, c->sign, c, x, &e.at[LAST], 0));
    rc = end_part(f);
cleanup:
    ends_close(&e);
    return rc;
}

int claim_flips(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    struct ends e = {0};
    int rc;
    TRY_CLEANUP(ends_open(&e, x, c->key));
    TRY_CLEANUP(compare(f, c->sign, c, x, &e.at[FIRST]));
    say_words(f, "; then");
    rc = compare(f, -c->sign, c, x, &e.at[LAST]);
cleanup:
    ends_close(&e);
    return rc;
}

/* The change in the first subject's measure from end to end is said and added to the evidence. */
static int add_change(struct claim_result *f, double weight, const struct claim *c,
                      const struct claim_context *x, const char *key)
{
    struct regret_buffer label = REGRET_BUFFER_INIT;
    struct ends e = {0};
    size_t own = claim_subject(c, x, 0);
    enum regret_measure m = (enum regret_measure)c->measure;
    int rc;
    TRY_CLEANUP(ends_open(&e, x, key));
    regret_buffer_printf(&label, "%s %s to %s:", key, slice_value(&e.at[FIRST], e.key),
                         slice_value(&e.at[LAST], e.key));
    TRY_CLEANUP(regret_buffer_status(&label));
    say_signed(f, regret_buffer_get(&label),
               mean_of(&e.at[LAST], m, own) - mean_of(&e.at[FIRST], m, own), measure_decimals(m));
    add_mean(f, weight, &e.at[LAST], m, own);
    add_mean(f, -weight, &e.at[FIRST], m, own);
cleanup:
    regret_buffer_free(&label);
    ends_close(&e);
    return rc;
}

int claim_gains_by_exp(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    TRY(add_change(f, -1.0, c, x, "n_exp"));
    TRY(add_change(f, 1.0, c, x, "n_obs"));
    return end_part(f);
}

int claim_is_flat(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    double margin = margin_of(c, x, &x->cells);
    TRY(add_change(f, 1.0, c, x, c->key));
    say_number(f, "flat within ±", margin, measure_decimals((enum regret_measure)c->measure));
    return end_flat_part(f, margin);
}

/* ---------------------------------------------------------------- by reward */

/* A part: the measure is higher (sign +1) or lower in the sharpened cells. */
static int compare_maps(struct claim_result *f, const struct claim *c, const struct slice *smooth,
                        const struct slice *sharpened, size_t subject)
{
    enum regret_measure m = (enum regret_measure)c->measure;
    say_mean(f, smooth, m, subject);
    say_words(f, " to");
    say_number(f, NULL, mean_of(sharpened, m, subject), measure_decimals(m));
    add_mean(f, c->sign, sharpened, m, subject);
    add_mean(f, -c->sign, smooth, m, subject);
    return end_part(f);
}

int claim_differs_by_map(struct claim_result *f, const struct claim *c,
                         const struct claim_context *x)
{
    struct slice smooth = {0}, sharpened = {0};
    int rc;
    TRY_CLEANUP(cells_of_map(&smooth, &x->cells, "smooth"));
    TRY_CLEANUP(cells_of_map(&sharpened, &x->cells, "sharpened"));
    if (c->subjects[0] != NULL) {
        TRY_CLEANUP(compare_maps(f, c, &smooth, &sharpened, claim_subject(c, x, 0)));
        goto cleanup;
    }
    for (size_t i = 0; i < x->ranking.n; i++) {
        TRY_CLEANUP(compare_maps(f, c, &smooth, &sharpened, x->ranking.families[i]));
    }
cleanup:
    slice_free(&smooth);
    slice_free(&sharpened);
    return rc;
}

/* The cells in which the proxy explains more of the target than success alone (or not more). */
static int aligned_cells(struct slice *out, const struct claim_context *x, int aligned)
{
    size_t proxy = regret_results_subject(x->r, REGRET_ROW_FIT, "proxy");
    size_t success = regret_results_subject(x->r, REGRET_ROW_FIT, "success");
    TRY(slice_copy(out, &x->cells));
    out->n_cells = 0;
    for (size_t i = 0; i < x->cells.n_cells; i++) {
        size_t cell = x->cells.cells[i];
        double by_proxy = cell_mean(x->r, REGRET_MEASURE_R2, proxy, cell);
        double by_success = cell_mean(x->r, REGRET_MEASURE_R2, success, cell);
        if (aligned ? by_proxy > by_success : by_proxy <= by_success) {
            out->cells[out->n_cells++] = cell;
        }
    }
    return REGRET_OK;
}

int claim_follows_fit(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    static const struct {
        const char *words, *cells;
        int sign;
    } sides[] = {{"; success does:", "cells in which success is the better fit", 1},
                 {"proxy fits better:", "cells in which the proxy is the better fit", -1}};
    struct slice s = {0};
    int rc = REGRET_OK;
    for (int aligned = 1; aligned >= 0; aligned--) {
        slice_free(&s);
        TRY_CLEANUP(aligned_cells(&s, x, aligned));
        if (s.n_cells == 0) {
            regret_buffer_append(&f->lacking, sides[aligned].cells);
            goto cleanup;
        }
        say_words(f, sides[aligned].words);
        TRY_CLEANUP(compare(f, sides[aligned].sign, c, x, &s));
    }
cleanup:
    slice_free(&s);
    return rc;
}
