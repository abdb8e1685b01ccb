#include "linalg/iterative/strong.h"

#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"

/* A column as the lines have it. */
struct use {
    double square, weight; /* Σ w φ² and Σ w where it stands */
    uint32_t column;
};

static int by_square(const void *a, const void *b)
{
    const struct use *x = a, *y = b;
    if (x->square != y->square) {
        return x->square > y->square ? -1 : 1;
    }
    return x->column < y->column ? -1 : x->column > y->column;
}

static void add_uses(struct use *use, const struct regret_csr *m, size_t row, double weight)
{
    for (size_t e = m->row_start[row]; e < m->row_start[row + 1]; e++) {
        use[m->column[e]].square += weight * m->value[e] * m->value[e];
        use[m->column[e]].weight += weight;
    }
}

/* The strong columns, in the order of the design. */
static int choose(struct strong *s, const struct regret_design *d, const size_t *pair,
                  const double *weight)
{
    FREED struct use *use = NULL;
    double total = 0.0;
    size_t found = 0;
    TRY(REGRET_NEW(&use, d->dim));
    for (size_t j = 0; j < d->dim; j++) {
        use[j].column = (uint32_t)j;
    }
    for (size_t l = 0; l < s->n; l++) {
        total += weight[l];
        add_uses(use, d->own, pair[l], weight[l]);
        if (d->shared != NULL) {
            add_uses(use, d->shared, d->group[pair[l]], weight[l]);
        }
    }
    for (size_t j = 0; j < d->dim; j++) {
        if (use[j].square >= STRONG_SQUARE * use[j].weight &&
            use[j].square > STRONG_SHARE * total) {
            use[found++] = use[j];
        }
    }
    qsort(use, found, sizeof *use, by_square);
    s->q = found < MOST_STRONG ? found : MOST_STRONG;
    s->q = s->q < s->n / 4 ? s->q : s->n / 4; /* more would be a larger system than the lines are */
    TRY(REGRET_NEW(&s->is_strong, d->dim));
    TRY(REGRET_NEW(&s->design_column, s->q));
    for (size_t j = 0; j < s->q; j++) {
        s->is_strong[use[j].column] = 1;
    }
    for (size_t j = 0, at = 0; at < s->q; j++) {
        if (s->is_strong[j]) {
            s->design_column[at++] = (uint32_t)j;
        }
    }
    return REGRET_OK;
}

/* The strong entries of a row, or only how many there are. */
static size_t take_row(struct strong *s, size_t at, const struct regret_csr *m, size_t row,
                       const uint32_t *place)
{
    for (size_t e = m->row_start[row]; e < m->row_start[row + 1]; e++) {
        if (s->is_strong[m->column[e]]) {
            if (s->column != NULL) {
                s->column[at] = place[m->column[e]];
                s->value[at] = m->value[e];
            }
            at++;
        }
    }
    return at;
}

static void take_rows(struct strong *s, const struct regret_design *d, const size_t *pair,
                      const uint32_t *place)
{
    size_t at = 0;
    for (size_t l = 0; l < s->n; l++) {
        at = take_row(s, at, d->own, pair[l], place);
        if (d->shared != NULL) {
            at = take_row(s, at, d->shared, d->group[pair[l]], place);
        }
        s->row_start[l + 1] = at;
    }
}

static int pack(struct strong *s, const struct regret_design *d, const size_t *pair)
{
    FREED uint32_t *place = NULL;
    TRY(REGRET_NEW(&place, d->dim));
    TRY(REGRET_NEW(&s->row_start, s->n + 1));
    for (size_t j = 0; j < s->q; j++) {
        place[s->design_column[j]] = (uint32_t)j;
    }
    take_rows(s, d, pair, place);
    TRY(REGRET_NEW(&s->column, s->row_start[s->n]));
    TRY(REGRET_NEW(&s->value, s->row_start[s->n]));
    take_rows(s, d, pair, place);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- lines that are alike */

struct line {
    const struct strong *s;
    size_t l;
};

static int compare_lines(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    const struct strong *s = x->s;
    size_t i = s->row_start[x->l], j = s->row_start[y->l], n = s->row_start[x->l + 1] - i,
           m = s->row_start[y->l + 1] - j;
    if (n != m) {
        return n < m ? -1 : 1;
    }
    for (size_t e = 0; e < n; e++) {
        if (s->column[i + e] != s->column[j + e]) {
            return s->column[i + e] < s->column[j + e] ? -1 : 1;
        }
        if (s->value[i + e] != s->value[j + e]) {
            return s->value[i + e] < s->value[j + e] ? -1 : 1;
        }
    }
    return 0;
}

static int in_order(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int by_entries = compare_lines(a, b);
    return by_entries != 0 ? by_entries : x->l < y->l ? -1 : 1;
}

static int list_distinct(struct strong *s)
{
    FREED struct line *line = NULL;
    TRY(REGRET_NEW(&line, s->n));
    TRY(REGRET_NEW(&s->distinct, s->n));
    for (size_t l = 0; l < s->n; l++) {
        line[l] = (struct line){s, l};
    }
    qsort(line, s->n, sizeof *line, in_order);
    for (size_t i = 0; i < s->n; i++) {
        if (i == 0 || compare_lines(&line[i - 1], &line[i]) != 0) {
            s->distinct[s->n_distinct++] = line[i].l;
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the interface */

int strong_create(struct strong *out, const struct regret_design *design, const size_t *pair,
                  const double *weight, size_t n)
{
    *out = (struct strong){.n = n};
    TRY(choose(out, design, pair, weight));
    if (out->q > 0) {
        TRY(pack(out, design, pair));
        TRY(list_distinct(out));
    }
    return REGRET_OK;
}

void strong_clear(struct strong *s)
{
    regret_free(s->row_start);
    regret_free(s->column);
    regret_free(s->value);
    regret_free(s->design_column);
    regret_free(s->distinct);
    regret_free(s->is_strong);
}

void strong_collect(double *out, const struct strong *s, const double *h, const double *v, size_t n)
{
    memset(out, 0, s->q * sizeof *out);
    for (size_t l = 0; l < n; l++) {
        double x = h[l] * v[l];
        for (size_t e = s->row_start[l]; e < s->row_start[l + 1]; e++) {
            out[s->column[e]] += s->value[e] * x;
        }
    }
}

double strong_line(const struct strong *s, size_t l, const double *c)
{
    double sum = 0.0;
    for (size_t e = s->row_start[l]; e < s->row_start[l + 1]; e++) {
        sum += s->value[e] * c[s->column[e]];
    }
    return sum;
}
