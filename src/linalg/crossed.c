#include "linalg/crossed.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "linalg/mixed_model.h"
#include "regret/status.h"

#define CROSSED_NONE UINT32_MAX

/* ---- The two sides ------------------------------------------------------------------------------- */

/* Numbers groups of two entries or more. */
static int number_groups(struct crossed_side *side, const struct mixed_model *m)
{
    TRY(REGRET_NEW(&side->of, m->n));
    side->width = 1;
    for (size_t e = 0, end; e < m->n; e = end) {
        for (end = e + 1; end < m->n && m->group[end] == m->group[e];) {
            end++;
        }
        for (size_t f = e; f < end; f++) {
            side->of[f] = end - e > 1 ? (uint32_t)side->n : CROSSED_NONE;
        }
        side->n += end - e > 1;
    }
    return REGRET_OK;
}

/* Numbers parts that have entries. */
static int number_parts(struct crossed_side *side, const struct mixed_model *m)
{
    FREED uint32_t *number = NULL;
    TRY(REGRET_NEW(&side->of, m->n));
    TRY(REGRET_NEW(&number, m->parts));
    side->width = m->own;
    for (size_t e = 0; e < m->n; e++) {
        uint32_t *known = &number[m->part[e]]; /* from 1 */
        if (*known == 0) {
            *known = (uint32_t)++side->n;
        }
        side->of[e] = *known - 1;
    }
    return REGRET_OK;
}

static const struct crossed_side *inside(const struct crossed *c)
{
    return c->is_part_inside ? &c->part : &c->group;
}

static const struct crossed_side *outside(const struct crossed *c)
{
    return c->is_part_inside ? &c->group : &c->part;
}

/* ---- Runs of entries ------------------------------------------------------------------------------ */

/* Entries of one block inside; those without, by their block outside. */
struct run {
    int is_left;              /* of no block inside */
    const uint32_t *touched;  /* the blocks outside, ascending and each once */
    size_t n_touched, number; /* which run it is before they are sorted */
    size_t first, end;        /* in the order by runs */
};

static size_t run_of(const struct crossed *c, size_t e)
{
    uint32_t in = inside(c)->of[e], out = outside(c)->of[e];
    return in != CROSSED_NONE ? in : inside(c)->n + (out != CROSSED_NONE ? out : outside(c)->n);
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Those that touch the same stand together, those of blocks inside first. */
static int by_touched(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    int order = x->is_left - y->is_left;
    if (order == 0 && x->n_touched != y->n_touched) {
        order = x->n_touched < y->n_touched ? -1 : 1;
    }
    for (size_t i = 0; order == 0 && i < x->n_touched; i++) {
        order = ascending(&x->touched[i], &y->touched[i]);
    }
    return order != 0 ? order : x->number < y->number ? -1 : x->number > y->number;
}

static int is_one_front(const struct run *a, const struct run *b)
{
    return a->is_left == b->is_left && a->n_touched == b->n_touched &&
           (a->n_touched == 0 ||
            memcmp(a->touched, b->touched, a->n_touched * sizeof *a->touched) == 0);
}

/* Sorts `block` [n] and leaves each once: how many. */
static size_t each_once(uint32_t *block, size_t n)
{
    size_t kept = 0;
    qsort(block, n, sizeof *block, ascending);
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || block[i] != block[kept - 1]) {
            block[kept++] = block[i];
        }
    }
    return kept;
}

static void find_touched(struct run *run, uint32_t *block, const struct crossed *c,
                         const uint32_t *entry)
{
    size_t n = 0;
    for (size_t i = run->first; i < run->end; i++) {
        uint32_t out = outside(c)->of[entry[i]];
        if (out != CROSSED_NONE) {
            block[n++] = out;
        }
    }
    run->touched = block;
    run->n_touched = each_once(block, n);
}

/* Runs that have entries, sorted: of the entries in the order by runs. `block` [n] holds what they touch. */
static int find_runs(struct run *run, size_t *n_runs, uint32_t *entry, uint32_t *block,
                     const struct crossed *c, size_t most)
{
    FREED size_t *start = NULL;
    TRY(REGRET_NEW(&start, most + 2));
    for (size_t e = 0; e < c->m->n; e++) {
        start[run_of(c, e) + 2]++;
    }
    for (size_t k = 0; k < most; k++) {
        start[k + 2] += start[k + 1];
    }
    for (size_t e = 0; e < c->m->n; e++) {
        entry[start[run_of(c, e) + 1]++] = (uint32_t)e;
    }
    for (size_t k = 0; k < most; k++) {
        if (start[k + 1] > start[k]) {
            struct run *r = &run[(*n_runs)++];
            *r = (struct run){.is_left = k >= inside(c)->n,
                              .number = *n_runs,
                              .first = start[k],
                              .end = start[k + 1]};
            find_touched(r, block + start[k], c, entry);
        }
    }
    qsort(run, *n_runs, sizeof *run, by_touched);
    return REGRET_OK;
}

/* ---- Fronts ---------------------------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The blocks that a front touches, as columns among the outer ones. */
static void put_outer(struct crossed *c, const struct front *f, const struct run *run)
{
    size_t common = c->m->common, width = outside(c)->width;
    uint32_t *outer = c->outer + f->outer;
    for (size_t j = 0; j < common; j++) {
        outer[j] = (uint32_t)j;
    }
    for (size_t b = 0; b < run->n_touched; b++) {
        for (size_t j = 0; j < width; j++) {
            outer[common + b * width + j] = (uint32_t)(common + run->touched[b] * width + j);
        }
    }
}

/* Where the outer block of every entry stands in a front's lines. */
static void put_places(struct crossed *c, const struct front *f, const struct run *run)
{
    for (size_t i = f->first; i < f->end; i++) {
        uint32_t out = outside(c)->of[c->order[i]];
        const uint32_t *at = out == CROSSED_NONE ? NULL
                                                 : bsearch(&out, run->touched, run->n_touched,
                                                           sizeof out, ascending);
        c->place[i] =
            at == NULL ? SIZE_MAX : c->m->common + (size_t)(at - run->touched) * outside(c)->width;
    }
}

static void measure(struct crossed *c, struct front *f)
{
    size_t rows = f->end - f->first, columns = f->n_blocks * c->width;
    f->across = c->n_across;
    c->n_across += f->touched * columns;
    c->longest = larger(c->longest, larger(rows, columns));
    c->widest = larger(c->widest, f->touched);
    c->most = larger(c->most, f->touched * larger(rows, columns));
}

/* Entries and blocks inside in the order of runs; runs that touch the same are one front. */
static void lay_fronts(struct crossed *c, const struct run *run, size_t n_runs,
                       const uint32_t *entry)
{
    uint32_t *of = c->is_part_inside ? c->part.of : c->group.of;
    size_t n = 0, blocks = 0, outer = 0;
    for (size_t k = 0, end; k < n_runs; k = end) {
        struct front *f = &c->front[c->n_fronts++];
        *f = (struct front){.first = n,
                            .block = blocks,
                            .touched = c->m->common + run[k].n_touched * outside(c)->width,
                            .outer = outer};
        outer += f->touched;
        for (end = k; end < n_runs && is_one_front(&run[k], &run[end]); end++) {
            for (size_t i = run[end].first; i < run[end].end; i++, n++) {
                c->order[n] = entry[i];
                of[entry[i]] = run[end].is_left ? CROSSED_NONE : (uint32_t)blocks;
            }
            if (!run[end].is_left) {
                c->start[++blocks] = n;
            }
        }
        f->end = n;
        f->n_blocks = blocks - f->block;
        put_outer(c, f, &run[k]);
        put_places(c, f, &run[k]);
        measure(c, f);
    }
}

static size_t count_outer(const struct crossed *c, const struct run *run, size_t n_runs)
{
    size_t n = 0;
    for (size_t k = 0; k < n_runs; k++) {
        if (k == 0 || !is_one_front(&run[k - 1], &run[k])) {
            n += c->m->common + run[k].n_touched * outside(c)->width;
        }
    }
    return n;
}

static int put_in_order(struct crossed *c)
{
    size_t most = inside(c)->n + outside(c)->n + 1, n_runs = 0;
    FREED struct run *run = NULL;
    FREED uint32_t *entry = NULL, *block = NULL;
    TRY(REGRET_NEW(&run, most));
    TRY(REGRET_NEW(&entry, c->m->n));
    TRY(REGRET_NEW(&block, c->m->n));
    TRY(find_runs(run, &n_runs, entry, block, c, most));
    TRY(REGRET_NEW(&c->order, c->m->n));
    TRY(REGRET_NEW(&c->place, c->m->n));
    TRY(REGRET_NEW(&c->start, inside(c)->n + 1));
    TRY(REGRET_NEW(&c->front, n_runs));
    TRY(REGRET_NEW(&c->outer, count_outer(c, run, n_runs)));
    lay_fronts(c, run, n_runs, entry);
    return REGRET_OK;
}

int crossed_make(struct crossed *c, const struct mixed_model *m)
{
    *c = (struct crossed){.m = m};
    TRY(number_parts(&c->part, m));
    TRY(number_groups(&c->group, m));
    c->is_part_inside = c->group.n < c->part.n * m->own;
    c->width = inside(c)->width;
    c->n_inner = inside(c)->n * c->width;
    c->n_outer = m->common + outside(c)->n * outside(c)->width;
    return put_in_order(c);
}

void crossed_free(struct crossed *c)
{
    regret_free(c->part.of);
    regret_free(c->group.of);
    regret_free(c->order);
    regret_free(c->place);
    regret_free(c->start);
    regret_free(c->front);
    regret_free(c->outer);
    *c = (struct crossed){0};
}

/* ---- Columns and lines ---------------------------------------------------------------------------- */

static size_t variance_of_line(const struct mixed_model *m, size_t column)
{
    for (size_t b = 0; b < m->n_blocks; b++) {
        if (column >= m->block[b].begin && column < m->block[b].end) {
            return b;
        }
    }
    return SIZE_MAX;
}

static size_t variance_of_side(const struct crossed *c, int is_part, size_t column)
{
    return is_part ? variance_of_line(c->m, c->m->common + column % c->m->own)
                   : c->m->n_blocks + MIXED_GROUP;
}

size_t crossed_inner_variance(const struct crossed *c, size_t column)
{
    return variance_of_side(c, c->is_part_inside, column);
}

size_t crossed_outer_variance(const struct crossed *c, size_t column)
{
    return column < c->m->common ? variance_of_line(c->m, column)
                                 : variance_of_side(c, !c->is_part_inside, column - c->m->common);
}

void crossed_shares(double share[MIXED_OTHERS], const struct crossed *c, size_t i, const double *v)
{
    const double *other = v + c->m->n_blocks;
    size_t e = c->order[i];
    share[MIXED_GROUP] = c->group.of[e] == CROSSED_NONE ? other[MIXED_GROUP] : 0.0;
    share[MIXED_ENTRY] = other[MIXED_ENTRY];
    share[MIXED_NOISE] = other[MIXED_NOISE] / c->m->rows[e];
}

/* An entry's own columns, or its group's: 1. */
static void put_side(double *to, const struct mixed_model *m, int is_part, size_t e, double scale)
{
    for (size_t j = 0; is_part && j < m->own; j++) {
        to[j] = scale * m->line[e * (m->common + m->own) + m->common + j];
    }
    if (!is_part) {
        to[0] = scale;
    }
}

void crossed_fill_inner(double *lines, const struct crossed *c, size_t first, size_t end,
                        const double *scale)
{
    for (size_t i = first; i < end; i++, lines += c->width) {
        put_side(lines, c->m, c->is_part_inside, c->order[i], scale[i]);
    }
}

void crossed_fill(double *lines, const struct crossed *c, const struct front *f,
                  const double *scale)
{
    const struct mixed_model *m = c->m;
    memset(lines, 0, f->touched * (f->end - f->first) * sizeof *lines);
    for (size_t i = f->first; i < f->end; i++, lines += f->touched) {
        size_t e = c->order[i];
        for (size_t j = 0; j < m->common; j++) {
            lines[j] = scale[i] * m->line[e * (m->common + m->own) + j];
        }
        if (c->place[i] != SIZE_MAX) {
            put_side(lines + c->place[i], m, !c->is_part_inside, e, scale[i]);
        }
    }
}
