#include "report/slice.h"

#include <math.h>

#include "regret/alloc.h"

int slice_all(struct slice *out, const struct regret_results *r)
{
    struct slice made = {r, NULL, r->n_cells};
    int rc = REGRET_NEW(&made.cells, r->n_cells);
    if (rc != REGRET_OK) {
        return rc;
    }
    for (size_t c = 0; c < r->n_cells; c++) {
        made.cells[c] = c;
    }
    *out = made;
    return REGRET_OK;
}

int slice_where(struct slice *out, const struct slice *base, size_t key, size_t value)
{
    struct slice made = {base->r, NULL, 0};
    int rc = REGRET_NEW(&made.cells, base->n_cells);
    if (rc != REGRET_OK) {
        return rc;
    }
    const size_t *values = base->r->cell_value + base->r->n_cells * key;
    for (size_t i = 0; i < base->n_cells; i++) {
        if (values[base->cells[i]] == value) {
            made.cells[made.n_cells++] = base->cells[i];
        }
    }
    *out = made;
    return REGRET_OK;
}

void slice_free(struct slice *s)
{
    regret_free(s->cells);
    *s = (struct slice){0};
}

void groups_free(struct groups *g)
{
    for (size_t i = 0; i < g->n; i++) {
        slice_free(&g->items[i].slice);
        regret_free(g->items[i].heading);
    }
    regret_free(g->items);
    *g = (struct groups){0};
}

static int group_heading(char **out, const struct group *parent, const struct regret_key *key,
                         size_t value)
{
    struct regret_text t = REGRET_TEXT_INIT;
    regret_text_append(&t, parent->heading);
    if (key->n_values > 1) {
        regret_text_printf(&t, "%s%s = %s", t.length > 0 ? ", " : "", key->name,
                           key->values[value]);
    }
    int rc = regret_text_status(&t);
    if (rc == REGRET_OK) {
        rc = regret_strdup(out, regret_text_get(&t));
    }
    regret_text_free(&t);
    return rc;
}

/* Appends the non-empty parts of `parent` by the values of `key`. */
static int split_group(struct groups *out, const struct group *parent, size_t key)
{
    const struct regret_key *k = &parent->slice.r->keys[key];
    int rc = REGRET_OK;
    for (size_t v = 0; rc == REGRET_OK && v < k->n_values; v++) {
        struct group part = {0};
        rc = slice_where(&part.slice, &parent->slice, key, v);
        if (rc == REGRET_OK && part.slice.n_cells > 0) {
            rc = regret_realloc((void **)&out->items, out->n + 1, sizeof *out->items, "groups");
            if (rc == REGRET_OK) {
                rc = group_heading(&part.heading, parent, k, v);
            }
            if (rc == REGRET_OK) {
                out->items[out->n++] = part;
                continue;
            }
        }
        slice_free(&part.slice);
    }
    return rc;
}

int groups_split(struct groups *out, const struct slice *base, const size_t *keys, size_t n_keys)
{
    struct groups now = {0};
    int rc = REGRET_NEW(&now.items, 1);
    if (rc == REGRET_OK) {
        now.n = 1;
        now.items[0].slice.r = base->r;
        now.items[0].slice.n_cells = base->n_cells;
        rc = REGRET_NEW(&now.items[0].slice.cells, base->n_cells);
    }
    if (rc == REGRET_OK) {
        for (size_t i = 0; i < base->n_cells; i++) {
            now.items[0].slice.cells[i] = base->cells[i];
        }
        rc = regret_strdup(&now.items[0].heading, "");
    }
    for (size_t k = 0; rc == REGRET_OK && k < n_keys; k++) {
        struct groups next = {0};
        for (size_t i = 0; rc == REGRET_OK && i < now.n; i++) {
            rc = split_group(&next, &now.items[i], keys[k]);
        }
        groups_free(&now);
        now = next;
    }
    if (rc != REGRET_OK) {
        groups_free(&now);
        return rc;
    }
    *out = now;
    return REGRET_OK;
}

size_t extra_keys(size_t *keys, const struct regret_results *r)
{
    size_t n = 0;
    for (size_t k = REGRET_N_MAIN_KEYS; k < r->n_keys; k++) {
        if (r->keys[k].n_values > 1) {
            keys[n++] = k;
        }
    }
    return n;
}

double cell_mean(const struct regret_results *r, enum regret_measure m, size_t subject, size_t cell)
{
    double sum = 0.0;
    size_t n = 0;
    for (size_t seed = 0; seed < r->n_seeds; seed++) {
        double x = regret_results_value(r, m, subject, cell, seed);
        if (isfinite(x)) {
            sum += x;
            n++;
        }
    }
    return n > 0 ? sum / (double)n : NAN;
}

double seed_mean(const struct slice *s, enum regret_measure m, size_t subject, size_t seed)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->n_cells; i++) {
        sum += regret_results_value(s->r, m, subject, s->cells[i], seed);
    }
    return s->n_cells > 0 ? sum / (double)s->n_cells : NAN;
}

/* Standard error of the seed means about their own mean; two passes. */
static double seed_error(const struct slice *s, enum regret_measure m, size_t subject)
{
    double sum = 0.0, squares = 0.0;
    size_t n = 0;
    for (size_t seed = 0; seed < s->r->n_seeds; seed++) {
        double x = seed_mean(s, m, subject, seed);
        if (isfinite(x)) {
            sum += x;
            n++;
        }
    }
    if (n < 2) {
        return NAN;
    }
    double mean = sum / (double)n;
    for (size_t seed = 0; seed < s->r->n_seeds; seed++) {
        double x = seed_mean(s, m, subject, seed);
        squares += isfinite(x) ? (x - mean) * (x - mean) : 0.0;
    }
    return sqrt(squares / (double)(n - 1) / (double)n);
}

struct estimate slice_estimate(const struct slice *s, enum regret_measure m, size_t subject)
{
    double sum = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        double x = cell_mean(s->r, m, subject, s->cells[i]);
        if (isfinite(x)) {
            sum += x;
            n++;
        }
    }
    return (struct estimate){n > 0 ? sum / (double)n : NAN, seed_error(s, m, subject)};
}
