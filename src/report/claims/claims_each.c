/* Claims of every cell, or of every value of a key: each is a part of its own. */
#include <math.h>
#include <stdlib.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/claims/claims.h"

/* The cells one by one or, with a key, those of each of its values. */
static int split_cells(struct groups *out, const struct claim_context *x, const char *key)
{
    size_t *keys = NULL, n = 0;
    int rc;
    TRY(REGRET_NEW(&keys, x->r->n_keys));
    if (key != NULL) {
        keys[n++] = find_axis(x->r, key);
    }
    for (size_t k = 0; key == NULL && k < x->r->n_keys; k++) {
        keys[n++] = k;
    }
    rc = groups_split(out, &x->cells, keys, n);
    regret_free(keys);
    return rc;
}

/* The amount of the i-th subject in the mean over all seeds. */
static double mean_amount(const struct claim *c, const struct claim_context *x,
                          const struct slice *s, size_t i)
{
    enum regret_measure m;
    size_t other = counterpart(&m, c, x, s, i);
    double own = slice_estimate(s, (enum regret_measure)c->measure, claim_subject(c, x, i)).mean;
    return other == REGRET_NO_ROW ? own : own - slice_estimate(s, m, other).mean;
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

static void say_spread(struct claim_result *f, const struct claim *c, const struct spread *s,
                       const char *what)
{
    struct regret_buffer share = REGRET_BUFFER_INIT;
    int decimals = measure_decimals((enum regret_measure)c->measure);
    regret_buffer_printf(&share, "%s%zu of %zu %s by their means, from",
                         f->numbers.length > 0 && !f->no_comma ? "; " : "", s->with_sign, s->n,
                         what);
    say_words(f, regret_buffer_get(&share));
    regret_buffer_free_into(&f->numbers, &share);
    say_signed(f, NULL, s->low, decimals);
    say_words(f, " to");
    say_signed(f, NULL, s->high, decimals);
}

static const char *parts_word(const struct claim *c)
{
    return c->key != NULL ? "values" : "cells";
}

int claim_has_sign_in_each(struct claim_result *f, const struct claim *c,
                           const struct claim_context *x)
{
    struct spread spread = {0};
    struct groups g = {0};
    int rc;
    TRY_CLEANUP(split_cells(&g, x, c->key));
    for (size_t i = 0; i < g.n; i++) {
        double y = mean_amount(c, x, &g.items[i].slice, 0);
        widen(&spread, y, c->sign * y > 0.0);
        TRY_CLEANUP(add_amount(f, c->sign, c, x, &g.items[i].slice, 0));
        TRY_CLEANUP(end_part(f));
    }
    say_spread(f, c, &spread, parts_word(c));
cleanup:
    groups_free(&g);
    return rc;
}

int claim_ranks_agents_in_each(struct claim_result *f, const struct claim *c,
                               const struct claim_context *x)
{
    return claim_of_agents_ranks(f, c, x, claim_has_sign_in_each, " ");
}

/* ---------------------------------------------------------------- equality */

double margin_of(const struct claim *c, const struct claim_context *x, const struct slice *s)
{
    enum regret_measure m;
    size_t other = counterpart(&m, c, x, s, 0);
    size_t base = other == REGRET_NO_ROW ? claim_subject(c, x, 0) : other;
    return 0.05 * (m == REGRET_MEASURE_R2 ? 1.0 : fabs(slice_estimate(s, m, base).mean));
}

int claim_is_near_in_each(struct claim_result *f, const struct claim *c,
                          const struct claim_context *x)
{
    struct spread spread = {0};
    struct groups g = {0};
    double widest = 0.0;
    int rc;
    TRY_CLEANUP(split_cells(&g, x, c->key));
    for (size_t i = 0; i < g.n; i++) {
        const struct slice *s = &g.items[i].slice;
        double y = mean_amount(c, x, s, 0), margin = margin_of(c, x, s);
        widest = fmax(widest, margin);
        widen(&spread, y, fabs(y) <= margin);
        TRY_CLEANUP(add_amount(f, 1.0, c, x, s, 0));
        TRY_CLEANUP(end_flat_part(f, margin));
    }
    say_spread(f, c, &spread, parts_word(c));
    say_number(f, "margin up to", widest, measure_decimals((enum regret_measure)c->measure));
cleanup:
    groups_free(&g);
    return rc;
}

/* ---------------------------------------------------------------- where it crosses */

/* Where the line from (x0, y0) to (x1, y1) is 0. */
static double zero_of(double x0, double y0, double x1, double y1)
{
    return x0 + (x1 - x0) * y0 / (y0 - y1);
}

/* Says where the means go from below 0 to above it, first. */
static void say_crossing(struct claim_result *f, const double *at, const double *y, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (y[i - 1] < 0.0 && y[i] >= 0.0) {
            say_number(f, "; the means cross 0 at", zero_of(at[i - 1], y[i - 1], at[i], y[i]), 2);
            return;
        }
    }
    regret_buffer_append(&f->numbers, n > 0 && y[0] < 0.0 ? "; below 0 throughout by the means"
                                                          : "; the means do not rise through 0");
}

int claim_crosses(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    struct groups g = {0};
    double *at = NULL, *y = NULL;
    size_t key = find_axis(x->r, c->key);
    int rc;
    TRY_CLEANUP(split_cells(&g, x, c->key));
    TRY_CLEANUP(REGRET_NEW(&at, g.n));
    TRY_CLEANUP(REGRET_NEW(&y, g.n));
    for (size_t i = 0; i < g.n; i++) {
        const struct slice *s = &g.items[i].slice;
        int sign = (double)i + 0.5 < 0.4 * (double)g.n ? -1 : 1;
        at[i] = strtod(slice_value(s, key), NULL);
        y[i] = mean_amount(c, x, s, 0);
        say_signed(f, slice_value(s, key), y[i], measure_decimals((enum regret_measure)c->measure));
        TRY_CLEANUP(add_amount(f, sign, c, x, s, 0));
        TRY_CLEANUP(end_part(f));
    }
    say_crossing(f, at, y, g.n);
cleanup:
    groups_free(&g);
    regret_free(at);
    regret_free(y);
    return rc;
}
