#include "regret/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"

FREED_POINTER(struct regret_csr, regret_csr_free)

int regret_csr_new(struct regret_csr **out, size_t rows, size_t cols, size_t entries)
{
    if (cols > UINT32_MAX || rows == SIZE_MAX) {
        regret_fail(REGRET_E_INPUT,
                    "a sparse matrix of %zu x %zu is too large: at most %lu columns", rows, cols,
                    (unsigned long)UINT32_MAX);
        return REGRET_E_INPUT;
    }
    FREED_BY(regret_csr_free_at) struct regret_csr *m = NULL;
    TRY(REGRET_NEW(&m, 1));
    m->rows = rows;
    m->cols = cols;
    TRY(REGRET_NEW(&m->row_start, rows + 1));
    TRY(REGRET_NEW(&m->column, entries));
    TRY(REGRET_NEW(&m->value, entries));
    *out = m;
    m = NULL;
    return REGRET_OK;
}

void regret_csr_free(struct regret_csr *m)
{
    if (m == NULL) {
        return;
    }
    regret_free(m->row_start);
    regret_free(m->column);
    regret_free(m->value);
    regret_free(m);
}

size_t regret_csr_entries(const struct regret_csr *m)
{
    return m->row_start[m->rows];
}

struct triplet {
    size_t row, column, order;
};

static int triplet_compare(const void *a, const void *b)
{
    const struct triplet *x = a, *y = b;
    if (x->row != y->row) {
        return x->row < y->row ? -1 : 1;
    }
    if (x->column != y->column) {
        return x->column < y->column ? -1 : 1;
    }
    return x->order < y->order ? -1 : 1;
}

static int sorted_triplets(struct triplet **out, size_t rows, size_t cols, size_t n,
                           const size_t *row, const size_t *column)
{
    struct triplet *sorted = NULL;
    TRY(REGRET_NEW(&sorted, n));
    for (size_t i = 0; i < n; i++) {
        if (row[i] >= rows || column[i] >= cols) {
            regret_free(sorted);
            regret_fail(REGRET_E_INPUT,
                        "triplet %zu is at (%zu, %zu), outside the %zu x %zu matrix", i, row[i],
                        column[i], rows, cols);
            return REGRET_E_INPUT;
        }
        sorted[i] = (struct triplet){row[i], column[i], i};
    }
    qsort(sorted, n, sizeof *sorted, triplet_compare);
    *out = sorted;
    return REGRET_OK;
}

int regret_csr_from_triplets(struct regret_csr **out, size_t rows, size_t cols, size_t n,
                             const size_t *row, const size_t *column, const double *value)
{
    FREED struct triplet *sorted = NULL;
    struct regret_csr *m = NULL;
    TRY(sorted_triplets(&sorted, rows, cols, n, row, column));
    TRY(regret_csr_new(&m, rows, cols, n));
    size_t entries = 0;
    for (size_t i = 0; i < n; i++) {
        const struct triplet *t = &sorted[i];
        int same = i > 0 && sorted[i - 1].row == t->row && sorted[i - 1].column == t->column;
        if (same) {
            m->value[entries - 1] += value[t->order];
            continue;
        }
        m->column[entries] = (uint32_t)t->column;
        m->value[entries] = value[t->order];
        entries++;
        m->row_start[t->row + 1] = entries;
    }
    for (size_t i = 1; i <= rows; i++) {
        if (m->row_start[i] < m->row_start[i - 1]) {
            m->row_start[i] = m->row_start[i - 1]; /* an empty row */
        }
    }
    *out = m;
    return REGRET_OK;
}

int regret_csr_transpose(struct regret_csr **out, const struct regret_csr *m)
{
    FREED_BY(regret_csr_free_at) struct regret_csr *t = NULL;
    FREED size_t *next = NULL;
    size_t entries = regret_csr_entries(m);
    TRY(regret_csr_new(&t, m->cols, m->rows, entries));
    TRY(REGRET_NEW(&next, m->cols));
    for (size_t e = 0; e < entries; e++) {
        t->row_start[m->column[e] + 1]++;
    }
    for (size_t j = 0; j < m->cols; j++) {
        t->row_start[j + 1] += t->row_start[j];
        next[j] = t->row_start[j];
    }
    for (size_t i = 0; i < m->rows; i++) {
        for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
            size_t place = next[m->column[e]]++;
            t->column[place] = (uint32_t)i;
            t->value[place] = m->value[e];
        }
    }
    *out = t;
    t = NULL;
    return REGRET_OK;
}

int regret_csr_scale_rows(struct regret_csr **out, const struct regret_csr *m, const double *factor)
{
    size_t rows = 0, entries = 0;
    for (size_t i = 0; i < m->rows; i++) {
        if (factor[i] != 0.0) {
            rows++;
            entries += m->row_start[i + 1] - m->row_start[i];
        }
    }
    struct regret_csr *scaled = NULL;
    TRY(regret_csr_new(&scaled, rows, m->cols, entries));
    size_t row = 0, place = 0;
    for (size_t i = 0; i < m->rows; i++) {
        if (factor[i] == 0.0) {
            continue;
        }
        for (size_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
            scaled->column[place] = m->column[e];
            scaled->value[place++] = m->value[e] * factor[i];
        }
        scaled->row_start[++row] = place;
    }
    *out = scaled;
    return REGRET_OK;
}
