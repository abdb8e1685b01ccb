#include "linalg/sparse_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/threads.h"
#include "regret/design.h"
#include "regret/status.h"

static size_t block_columns(const struct sparse_rows *m)
{
    return m->cols < SPARSE_BLOCK ? m->cols : SPARSE_BLOCK;
}

size_t sparse_rows_scratch(const struct sparse_rows *m)
{
    return (2 * m->rows + block_columns(m) + 2 * m->groups) * SPARSE_PANEL;
}

/* A line of the cache, unaligned. */
typedef double eight_doubles __attribute__((vector_size(64), aligned(8), may_alias));
typedef float sixteen_floats __attribute__((vector_size(64), aligned(4), may_alias));

enum { TURNED = 256 };

#define REAL double
#define PANEL SPARSE_PANEL
#define VECTOR eight_doubles
#define VALUES value
#define KERNEL(name) double_##name
#include "linalg/sparse_kernels.h"

#define REAL double
#define PANEL (SPARSE_PANEL / 2)
#define VECTOR eight_doubles
#define VALUES value
#define KERNEL(name) narrow_##name
#include "linalg/sparse_kernels.h"

/* A vector by itself: its block stays in the nearest cache. */
#define REAL double
#define PANEL 1
#define VECTOR double
#define VALUES value
#define KERNEL(name) alone_##name
#include "linalg/sparse_kernels.h"

#define REAL float
#define PANEL SPARSE_PANEL
#define VECTOR sixteen_floats
#define VALUES single
#define KERNEL(name) single_##name
#include "linalg/sparse_kernels.h"

FREED_POINTER(struct sparse_rows, sparse_rows_free)

void sparse_rows_gram(double *out, const struct sparse_rows *m, size_t rows,
                      const struct sparse_columns *v, double *scratch)
{
    for (size_t first = 0; first < v->n; first += SPARSE_PANEL) {
        size_t width = v->n - first < SPARSE_PANEL ? v->n - first : SPARSE_PANEL;
        if (v->single) {
            single_gram(out, m, &m->panels, rows, v, (float *)(void *)scratch, first, width);
        } else if (width > SPARSE_PANEL / 2) {
            double_gram(out, m, &m->panels, rows, v, scratch, first, width);
        } else if (width == 1) {
            alone_gram(out, m, m->whole.blocks > 0 ? &m->whole : &m->panels, rows, v, scratch,
                       first, width);
        } else {
            narrow_gram(out, m, &m->panels, rows, v, scratch, first, width);
        }
    }
}

/* θ += partᵀ v, one vector. */
static void combine(double *theta, const struct sparse_rows *m, const struct sparse_part *part,
                    const double *v)
{
    for (size_t b = 0; b < m->panels.blocks; b++) {
        const size_t *start = part->row_start + b * (part->rows + 1);
        const uint32_t *design_column = m->design_column + b * SPARSE_BLOCK;
        for (size_t i = 0; i < part->rows; i++) {
            for (size_t e = start[i]; e < start[i + 1]; e++) {
                theta[design_column[part->column[e]]] += part->value[e] * v[i];
            }
        }
    }
}

void sparse_rows_combine(double *theta, const struct sparse_rows *m, const double *v,
                         double *scratch)
{
    memset(theta, 0, m->dim * sizeof *theta);
    memset(scratch, 0, m->groups * sizeof *scratch);
    combine(theta, m, &m->panels.own, v);
    for (size_t i = 0; m->group != NULL && i < m->rows; i++) {
        scratch[m->group[i]] += v[i];
    }
    combine(theta, m, &m->panels.shared, scratch);
}

static void part_clear(struct sparse_part *part)
{
    regret_free(part->row_start);
    regret_free(part->column);
    regret_free(part->value);
    regret_free(part->single);
}

void sparse_rows_free(struct sparse_rows *m)
{
    if (m != NULL) {
        part_clear(&m->panels.own);
        part_clear(&m->panels.shared);
        part_clear(&m->whole.own);
        part_clear(&m->whole.shared);
        regret_free(m->design_column);
        regret_free(m->group);
        regret_free(m);
    }
}

/* ---------------------------------------------------------------- packing */

struct use {
    size_t times;
    uint32_t column;
};

static int by_frequency(const void *a, const void *b)
{
    const struct use *x = a, *y = b;
    if (x->times != y->times) {
        return x->times > y->times ? -1 : 1;
    }
    return x->column < y->column ? -1 : x->column > y->column;
}

static void count_uses(struct use *use, const struct regret_csr *m, size_t row)
{
    for (size_t e = m->row_start[row]; e < m->row_start[row + 1]; e++) {
        use[m->column[e]].times++;
    }
}

static void forget_uses(struct use *use, size_t dim, const unsigned char *apart)
{
    for (size_t j = 0; apart != NULL && j < dim; j++) {
        use[j].times = apart[j] ? 0 : use[j].times;
    }
}

/* What a packing knows while it is made. */
struct packing {
    const struct regret_design *design;
    const size_t *pair;
    const unsigned char *apart; /* [dim] or NULL */
    uint32_t
        *place; /* [dim] packed column of a column of the design, UINT32_MAX where it is apart */
    uint32_t *group_of; /* [groups of the design] packed group, or UINT32_MAX */
    size_t *group_row;  /* [groups] row of `shared` */
};

FREED_FIELDS(packing, of->place, of->group_of, of->group_row)

static int number_groups(struct sparse_rows *m, struct packing *p)
{
    const struct regret_design *d = p->design;
    if (d->shared == NULL) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&m->group, m->rows));
    TRY(REGRET_NEW(&p->group_of, d->shared->rows));
    TRY(REGRET_NEW(&p->group_row, d->shared->rows));
    memset(p->group_of, 0xff, d->shared->rows * sizeof *p->group_of);
    for (size_t i = 0; i < m->rows; i++) {
        uint32_t g = d->group[p->pair[i]];
        if (p->group_of[g] == UINT32_MAX) {
            p->group_row[m->groups] = g;
            p->group_of[g] = (uint32_t)m->groups++;
        }
        m->group[i] = p->group_of[g];
    }
    return REGRET_OK;
}

static int number_columns(struct sparse_rows *m, struct packing *p)
{
    const struct regret_design *d = p->design;
    FREED struct use *use = NULL;
    TRY(REGRET_NEW(&use, d->dim));
    for (size_t j = 0; j < d->dim; j++) {
        use[j].column = (uint32_t)j;
    }
    for (size_t i = 0; i < m->rows; i++) {
        count_uses(use, d->own, p->pair[i]);
    }
    for (size_t g = 0; p->group_row != NULL && g < m->groups; g++) {
        count_uses(use, d->shared, p->group_row[g]);
    }
    forget_uses(use, d->dim, p->apart);
    qsort(use, d->dim, sizeof *use, by_frequency);
    while (m->cols < d->dim && use[m->cols].times > 0) {
        m->cols++;
    }
    TRY(REGRET_NEW(&m->design_column, m->cols));
    TRY(REGRET_NEW(&p->place, d->dim));
    memset(p->place, 0xff, d->dim * sizeof *p->place);
    for (size_t j = 0; j < m->cols; j++) {
        m->design_column[j] = use[j].column;
        p->place[use[j].column] = (uint32_t)j;
    }
    return REGRET_OK;
}

/* Rows of m at row[0..n), their entries block by block. */
static int pack(struct sparse_part *part, const struct sparse_layout *l, const struct regret_csr *m,
                const size_t *row, size_t n, const uint32_t *place)
{
    size_t blocks = l->blocks, *start = NULL, at = 0;
    TRY(REGRET_NEW(&part->row_start, blocks * (n + 1)));
    part->rows = n;
    start = part->row_start;
    for (size_t i = 0; i < n; i++) { /* how many, at the place after */
        for (size_t e = m->row_start[row[i]]; e < m->row_start[row[i] + 1]; e++) {
            if (place[m->column[e]] != UINT32_MAX) {
                start[place[m->column[e]] / l->width * (n + 1) + i + 1]++;
            }
        }
    }
    for (size_t b = 0; b < blocks; b++) {
        size_t *of = start + b * (n + 1);
        of[0] = at;
        for (size_t i = 0; i < n; i++) {
            size_t count = of[i + 1];
            of[i + 1] = at; /* where the next entry of row i goes */
            at += count;
        }
    }
    TRY(REGRET_NEW(&part->column, at));
    TRY(REGRET_NEW(&part->value, at));
    TRY(l->width == SPARSE_BLOCK ? REGRET_NEW(&part->single, at) : REGRET_OK);
    for (size_t i = 0; i < n; i++) {
        for (size_t e = m->row_start[row[i]]; e < m->row_start[row[i] + 1]; e++) {
            uint32_t to = place[m->column[e]];
            if (to == UINT32_MAX) {
                continue;
            }
            size_t entry = start[to / l->width * (n + 1) + i + 1]++;
            part->column[entry] = (uint16_t)(to % l->width);
            part->value[entry] = m->value[e];
            if (part->single != NULL) {
                part->single[entry] = (float)m->value[e];
            }
        }
    }
    return REGRET_OK;
}

static int lay_out(struct sparse_layout *l, size_t width, const struct sparse_rows *m,
                   const struct packing *p)
{
    l->width = width;
    l->blocks = (m->cols + width - 1) / width;
    TRY(pack(&l->own, l, p->design->own, p->pair, m->rows, p->place));
    return pack(&l->shared, l, p->design->shared, p->group_row, m->groups, p->place);
}

/* Squared lengths of the rows of a part, added up over its blocks. */
static void add_squares(double *square, const struct sparse_part *part, size_t blocks)
{
    for (size_t b = 0; b < blocks; b++) {
        const size_t *start = part->row_start + b * (part->rows + 1);
        for (size_t i = 0; i < part->rows; i++) {
            for (size_t e = start[i]; e < start[i + 1]; e++) {
                square[i] += part->value[e] * part->value[e];
            }
        }
    }
}

/* By the triangle inequality where a row has two parts. */
static int find_longest(struct sparse_rows *m)
{
    double *own = NULL;
    TRY(REGRET_NEW(&own, m->rows + m->groups));
    double *shared = own + m->rows;
    add_squares(own, &m->panels.own, m->panels.blocks);
    add_squares(shared, &m->panels.shared, m->panels.blocks);
    for (size_t i = 0; i < m->rows; i++) {
        double length = sqrt(own[i]) + (m->group != NULL ? sqrt(shared[m->group[i]]) : 0.0);
        m->longest = length > m->longest ? length : m->longest;
    }
    regret_free(own);
    return REGRET_OK;
}

int sparse_rows_create(struct sparse_rows **out, const struct regret_design *design,
                       const size_t *pair, size_t n, const unsigned char *apart)
{
    FREED_BY(packing_fields) struct packing p = {.design = design, .pair = pair, .apart = apart};
    FREED_BY(sparse_rows_free_at) struct sparse_rows *m = NULL;
    TRY(REGRET_NEW(&m, 1));
    m->rows = n;
    m->dim = design->dim;
    TRY(number_groups(m, &p));
    TRY(number_columns(m, &p));
    TRY(lay_out(&m->panels, SPARSE_BLOCK, m, &p));
    if (n > SPARSE_MANY_ROWS && m->cols <= SPARSE_WHOLE) {
        TRY(lay_out(&m->whole, SPARSE_WHOLE, m, &p));
    }
    TRY(find_longest(m));
    *out = m;
    m = NULL;
    return REGRET_OK;
}
