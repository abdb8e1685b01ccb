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

int judge_contrast(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    FREED_BY(contrast_free) struct contrast t = {0};
    double sign = c->sign == 0 ? 1.0 : c->sign;
    TRY(contrast_make(&t, c, x));
    const char *lacking = without(c, &t.groups);
    if (lacking != NULL) {
        regret_buffer_append(&f->lacking, lacking);
        return REGRET_OK;
    }
    for (size_t i = 0; i < claim_spoken_of(c, x); i++) {
        TRY((t.apart ? add_apart : add_together)(f, sign, c, x, &t, i));
    }
    return REGRET_OK;
}
