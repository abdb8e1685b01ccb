/* Claims about an amount over contrasts of cells: groups of them, each with a weight in one part, or with
 * parts of their own. */
#include <math.h>
#include <stdlib.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/claims/evidence.h"

struct contrast {
    struct groups groups;
    double *weight; /* of each; owned */
    int apart;      /* 1: each group is a part */
};

static void contrast_free(struct contrast *t)
{
    groups_free(&t->groups);
    regret_free(t->weight);
}

/* ---------------------------------------------------------------- groups of cells */

/* The cells one by one or, with a key, those of each of its values. */
static int split_cells(struct groups *out, const struct claim_context *x, const char *key)
{
    size_t n = 0;
    FREED size_t *keys = NULL;
    TRY(REGRET_NEW(&keys, x->r->n_keys));
    if (key != NULL) {
        keys[n++] = find_axis(x->r, key);
    }
    for (size_t k = 0; key == NULL && k < x->r->n_keys; k++) {
        keys[n++] = k;
    }
    return groups_split(out, &x->cells, keys, n);
}

/* The cells at both ends of the key. */
static int add_ends(struct groups *g, const struct claim_context *x, const char *name)
{
    size_t key = find_axis(x->r, name);
    TRY(cells_at(&g->items[g->n].slice, &x->cells, key, FIRST));
    g->n++; /* its own to free from here on */
    TRY(cells_at(&g->items[g->n].slice, &x->cells, key, LAST));
    g->n++;
    return REGRET_OK;
}

static int split_ends(struct groups *out, const struct claim_context *x, const struct claim *c)
{
    TRY(REGRET_NEW(&out->items, (size_t)2 * CLAIM_KEYS));
    for (size_t k = 0; k < CLAIM_KEYS && c->keys[k] != NULL; k++) {
        TRY(add_ends(out, x, c->keys[k]));
    }
    return REGRET_OK;
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

static int split_by_fit(struct groups *out, const struct claim_context *x)
{
    TRY(REGRET_NEW(&out->items, 2));
    TRY(aligned_cells(&out->items[out->n++].slice, x, 1));
    return aligned_cells(&out->items[out->n++].slice, x, 0);
}

static int split_all(struct groups *out, const struct claim_context *x)
{
    TRY(REGRET_NEW(&out->items, 1));
    out->n = 1;
    return slice_copy(&out->items[0].slice, &x->cells);
}

static int split(struct groups *out, const struct claim *c, const struct claim_context *x)
{
    switch (c->over) {
    case OVER_EACH:
    case OVER_SLOPE:
    case OVER_CROSS:
        return split_cells(out, x, c->keys[0]);
    case OVER_CHANGE:
    case OVER_FLIP:
        return split_ends(out, x, c);
    case OVER_FIT:
        return split_by_fit(out, x);
    default:
        return split_all(out, x);
    }
}

/* ---------------------------------------------------------------- weights */

/* Where a group of cells is along the key. */
static double place_of(const struct slice *s, size_t key)
{
    double x = strtod(slice_value(s, key), NULL);
    return key == REGRET_KEY_N_OBS || key == REGRET_KEY_N_EXP ? log(x) : x;
}

/* The weight of each group's mean in the least-squares slope along the key. */
static void weigh(double *w, const struct groups *g, size_t key)
{
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < g->n; i++) {
        w[i] = place_of(&g->items[i].slice, key);
        mean += w[i] / (double)g->n;
    }
    for (size_t i = 0; i < g->n; i++) {
        w[i] -= mean;
        squares += w[i] * w[i];
    }
    for (size_t i = 0; i < g->n; i++) {
        w[i] /= squares;
    }
}

static double weight_of(const struct claim *c, size_t i, size_t n)
{
    switch (c->over) {
    case OVER_CHANGE: /* the last of a pair less the first; of a second pair the other way round */
        return i == 1 || i == 2 ? 1.0 : -1.0;
    case OVER_FLIP:
    case OVER_FIT:
        return i == 0 ? 1.0 : -1.0;
    case OVER_CROSS:
        return (double)i + 0.5 < 0.4 * (double)n ? -1.0 : 1.0;
    default:
        return 1.0;
    }
}

static int contrast_make(struct contrast *out, const struct claim *c, const struct claim_context *x)
{
    TRY(split(&out->groups, c, x));
    TRY(REGRET_NEW(&out->weight, out->groups.n));
    for (size_t i = 0; i < out->groups.n; i++) {
        out->weight[i] = weight_of(c, i, out->groups.n);
    }
    if (c->over == OVER_SLOPE) {
        weigh(out->weight, &out->groups, find_axis(x->r, c->keys[0]));
    }
    out->apart = c->over == OVER_EACH || c->over == OVER_FLIP || c->over == OVER_CROSS ||
                 c->over == OVER_FIT;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- what is said */

static int decimals_of(const struct claim_context *x)
{
    return claim_decimals(x->measure);
}

/* The amount of the i-th subject in the mean over all seeds. */
static double mean_amount(const struct claim *c, const struct claim_context *x,
                          const struct slice *s, size_t i)
{
    int m;
    size_t other = counterpart(&m, c, x, s, i);
    double own = claim_mean(s, x->measure, claim_subject(c, x, i));
    return other == REGRET_NO_ROW ? own : own - claim_mean(s, m, other);
}

/* The number and what it is taken against, each by its name. */
static void say_sides(struct claim_result *f, const struct claim *c, const struct claim_context *x,
                      const struct slice *s)
{
    int m;
    size_t own = claim_subject(c, x, 0), other = counterpart(&m, c, x, s, 0);
    if (c->against == AGAINST_DM) {
        say_number(f, "DM", claim_mean(s, m, other), claim_decimals(m));
        say_number(f, "DR", claim_mean(s, x->measure, own), claim_decimals(m));
        return;
    }
    say_mean(f, s, x->measure, own);
    if (other != REGRET_NO_ROW) {
        say_mean(f, s, m, other);
    }
}

/* The amount of the i-th subject as one number. */
static void say_amount(struct claim_result *f, const char *label, const struct claim *c,
                       const struct claim_context *x, const struct slice *s, size_t i)
{
    int m;
    size_t other = counterpart(&m, c, x, s, i);
    double y = claim_mean(s, x->measure, claim_subject(c, x, i));
    int decimals = claim_decimals(x->measure);
    if (c->against == AGAINST_NOTHING) {
        say_number(f, label, y, decimals);
    } else if (other != REGRET_NO_ROW) {
        say_signed(f, label, y - claim_mean(s, m, other), decimals);
    }
}

/* "beta 0: 0.31": the amount at an end, or both sides after the claim's word for it. */
static void say_end(struct claim_result *f, const struct claim *c, const struct claim_context *x,
                    const struct slice *at, enum end end)
{
    if (c->ends[end] != NULL) {
        say_words(f, c->ends[end]);
        say_sides(f, c, x, at);
        return;
    }
    struct regret_buffer label = REGRET_BUFFER_INIT;
    regret_buffer_printf(&label, "%s%s %s:", c->against == AGAINST_DM ? "DR less DM at " : "",
                         c->keys[0], slice_value(at, find_axis(x->r, c->keys[0])));
    say_amount(f, regret_buffer_get(&label), c, x, at, 0);
    regret_buffer_free_into(&f->numbers, &label);
}

/* "n_exp 200 to 800: −0.0031": the change along the key. */
static void say_change(struct claim_result *f, const struct claim_context *x, size_t subject,
                       const char *name, const struct group *ends)
{
    struct regret_buffer label = REGRET_BUFFER_INIT;
    size_t key = find_axis(x->r, name);
    regret_buffer_printf(&label, "%s %s to %s:", name, slice_value(&ends[FIRST].slice, key),
                         slice_value(&ends[LAST].slice, key));
    say_signed(f, regret_buffer_get(&label),
               claim_mean(&ends[LAST].slice, x->measure, subject) -
                   claim_mean(&ends[FIRST].slice, x->measure, subject),
               decimals_of(x));
    regret_buffer_free_into(&f->numbers, &label);
}

/* Of amounts both sides at both ends; of a number alone how it changes, or from where to where. */
static void say_changes(struct claim_result *f, const struct claim *c,
                        const struct claim_context *x, const struct group *ends)
{
    if (c->against != AGAINST_NOTHING) {
        say_sides(f, c, x, &ends[FIRST].slice);
        say_words(f, "; then");
        say_sides(f, c, x, &ends[LAST].slice);
        return;
    }
    for (size_t i = 0; i < claim_spoken_of(c, x); i++) {
        size_t subject = claim_subject(c, x, i);
        if (c->sign != 0 && c->keys[1] == NULL) {
            say_mean(f, &ends[FIRST].slice, x->measure, subject);
            say_words(f, " to");
            say_number(f, NULL, claim_mean(&ends[LAST].slice, x->measure, subject), decimals_of(x));
            continue;
        }
        for (size_t k = 0; k < CLAIM_KEYS && c->keys[k] != NULL; k++) {
            say_change(f, x, subject, c->keys[k], ends + 2 * k);
        }
    }
    if (c->sign == 0) {
        say_number(f, "flat within ±", margin_of(c, x, &x->cells), decimals_of(x));
    }
}

/* Of the amounts in each group: how many have the sign, and from where to where they go. */
struct spread {
    size_t with_sign, n;
    double low, high;
};

static void widen(struct spread *to, double y, int with_sign)
{
    to->low = to->n == 0 || y < to->low ? y : to->low;
    to->high = to->n == 0 || y > to->high ? y : to->high;
    to->with_sign += (size_t)with_sign;
    to->n++;
}

static void say_spread(struct claim_result *f, const struct claim *c, const struct claim_context *x,
                       const struct spread *s)
{
    struct regret_buffer share = REGRET_BUFFER_INIT;
    int decimals = claim_decimals(x->measure);
    regret_buffer_printf(&share, "%s%zu of %zu %s by their means, from",
                         f->numbers.length > 0 && !f->no_comma ? "; " : "", s->with_sign, s->n,
                         c->keys[0] != NULL ? "values" : "cells");
    say_words(f, regret_buffer_get(&share));
    regret_buffer_free_into(&f->numbers, &share);
    say_signed(f, NULL, s->low, decimals);
    say_words(f, " to");
    say_signed(f, NULL, s->high, decimals);
}

/* How many of the i-th subject's parts are as claimed, and from where to where their amounts go. */
static void say_parts_of(struct claim_result *f, const struct claim *c,
                         const struct claim_context *x, const struct groups *g, size_t subject)
{
    struct spread spread = {0};
    double widest = 0.0;
    if (claim_spoken_of(c, x) > 1) {
        regret_buffer_printf(&f->numbers, "%s%s: ", f->numbers.length > 0 ? "; " : "",
                             x->r->subjects[claim_subject(c, x, subject)].name);
        f->no_comma = 1;
    }
    for (size_t i = 0; i < g->n; i++) {
        const struct slice *s = &g->items[i].slice;
        double y = mean_amount(c, x, s, subject);
        double margin = c->sign == 0 ? margin_of(c, x, s) : 0.0;
        widest = fmax(widest, margin);
        widen(&spread, y, c->sign == 0 ? fabs(y) <= margin : c->sign * y > 0.0);
    }
    say_spread(f, c, x, &spread);
    if (c->sign == 0) {
        say_number(f, "margin up to", widest, decimals_of(x));
    }
}

static void say_parts(struct claim_result *f, const struct claim *c, const struct claim_context *x,
                      const struct groups *g)
{
    for (size_t i = 0; i < claim_spoken_of(c, x); i++) {
        say_parts_of(f, c, x, g, i);
    }
}

/* Where the line from (x0, y0) to (x1, y1) is 0. */
static double zero_of(double x0, double y0, double x1, double y1)
{
    return x0 + (x1 - x0) * y0 / (y0 - y1);
}

/* The amount at each value, and where the means go from below 0 to above it, first. */
static void say_crossing(struct claim_result *f, const struct claim *c,
                         const struct claim_context *x, const struct groups *g)
{
    size_t key = find_axis(x->r, c->keys[0]), crossed = 0;
    double first = NAN, zero = NAN, last_at = NAN, last_y = NAN;
    for (size_t i = 0; i < g->n; i++) {
        const char *value = slice_value(&g->items[i].slice, key);
        double at = strtod(value, NULL), y = mean_amount(c, x, &g->items[i].slice, 0);
        say_signed(f, value, y, decimals_of(x));
        if (!crossed && last_y < 0.0 && y >= 0.0) {
            crossed = 1;
            zero = zero_of(last_at, last_y, at, y);
        }
        first = i == 0 ? y : first;
        last_at = at;
        last_y = y;
    }
    if (crossed) {
        say_number(f, "; the means cross 0 at", zero, 2);
    } else {
        regret_buffer_append(&f->numbers, first < 0.0 ? "; below 0 throughout by the means"
                                                      : "; the means do not rise through 0");
    }
}

/* How many fits chose a small λ. */
static void say_fits(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    size_t family = claim_subject(c, x, 0), small = 0, fits = 0;
    for (size_t i = 0; i < x->cells.n_cells * f->n_seeds; i++) {
        double y = regret_results_value(x->r, REGRET_MEASURE_LAMBDA, family,
                                        x->cells.cells[i / f->n_seeds], i % f->n_seeds);
        small += y <= 0.1;
        fits += isfinite(y) != 0;
    }
    regret_buffer_printf(&f->numbers, "%zu of %zu fits", small, fits);
}

static void say_contrast(struct claim_result *f, const struct claim *c,
                         const struct claim_context *x, const struct groups *g)
{
    switch (c->over) {
    case OVER_EACH:
        say_parts(f, c, x, g);
        return;
    case OVER_CROSS:
        say_crossing(f, c, x, g);
        return;
    case OVER_SLOPE:
        say_end(f, c, x, &g->items[0].slice, FIRST);
        say_end(f, c, x, &g->items[g->n - 1].slice, LAST);
        return;
    case OVER_CHANGE:
        say_changes(f, c, x, g->items);
        return;
    case OVER_FLIP:
    case OVER_FIT:
        say_words(f, c->over == OVER_FIT ? "proxy fits better:" : "");
        say_sides(f, c, x, &g->items[0].slice);
        say_words(f, c->over == OVER_FIT ? "; success does:" : "; then");
        say_sides(f, c, x, &g->items[1].slice);
        return;
    default:
        break;
    }
    if (x->measure == MEASURE_SMALL_LAMBDA) {
        say_fits(f, c, x);
    } else if (c->choice != CHOICE_NONE) {
        say_choice(f, c, x);
    } else if (claim_spoken_of(c, x) == 1) {
        say_sides(f, c, x, &x->cells);
    }
    for (size_t i = 0; claim_spoken_of(c, x) > 1 && i < claim_spoken_of(c, x); i++) {
        say_amount(f, x->r->subjects[claim_subject(c, x, i)].name, c, x, &x->cells, i);
    }
}

/* ---------------------------------------------------------------- the evidence */

static int end(struct claim_result *f, const struct claim *c, const struct claim_context *x,
               const struct slice *s)
{
    return c->sign == 0 ? end_flat_part(f, margin_of(c, x, s)) : end_part(f);
}

/* Each group is a part. */
static int add_apart(struct claim_result *f, double sign, const struct claim *c,
                     const struct claim_context *x, const struct contrast *t, size_t subject)
{
    for (size_t i = 0; i < t->groups.n; i++) {
        const struct slice *s = &t->groups.items[i].slice;
        TRY(add_own(f, sign * t->weight[i], c, x, s, subject));
        TRY(subtract_counterpart(f, sign * t->weight[i], c, x, s, subject));
        TRY(end(f, c, x, s));
    }
    return REGRET_OK;
}

/* All are one part. The order of the terms is that of the last digits: a fixed rival's come after all of the
 * subject's own; a chosen one's with them; of a change in a number alone the last comes first. */
static int add_together(struct claim_result *f, double sign, const struct claim *c,
                        const struct claim_context *x, const struct contrast *t, size_t subject)
{
    int chosen = c->against >= AGAINST_BEST_OTHER;
    size_t swap = c->over == OVER_CHANGE && c->against == AGAINST_NOTHING;
    for (size_t i = 0; i < t->groups.n; i++) {
        const struct slice *s = &t->groups.items[i ^ swap].slice;
        TRY(add_own(f, sign * t->weight[i ^ swap], c, x, s, subject));
        if (chosen) {
            TRY(subtract_counterpart(f, sign * t->weight[i], c, x, s, subject));
        }
    }
    for (size_t i = 0; !chosen && i < t->groups.n; i++) {
        TRY(subtract_counterpart(f, sign * t->weight[i], c, x, &t->groups.items[i].slice, subject));
    }
    return end(f, c, x, &x->cells);
}

/* What a run without such cells lacks. */
static const char *without(const struct claim *c, const struct groups *g)
{
    static const char *const sides[] = {"cells in which the proxy is the better fit",
                                        "cells in which success is the better fit"};
    for (size_t i = 0; c->over == OVER_FIT && i < g->n && i < 2; i++) {
        if (g->items[i].slice.n_cells == 0) {
            return sides[i];
        }
    }
    return NULL;
}

static int judge(struct claim_result *f, const struct claim *c, const struct claim_context *x,
                 int is_said)
{
    FREED_BY(contrast_free) struct contrast t = {0};
    double sign = c->sign == 0 ? 1.0 : c->sign;
    TRY(contrast_make(&t, c, x));
    const char *lacking = without(c, &t.groups);
    if (lacking != NULL) {
        regret_buffer_append(&f->lacking, lacking);
        return REGRET_OK;
    }
    if (is_said) {
        say_contrast(f, c, x, &t.groups);
    }
    for (size_t i = 0; i < claim_spoken_of(c, x); i++) {
        TRY((t.apart ? add_apart : add_together)(f, sign, c, x, &t, i));
    }
    return REGRET_OK;
}

int judge_contrast(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    return judge(f, c, x, 1);
}

int weigh_contrast(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    return judge(f, c, x, 0);
}
