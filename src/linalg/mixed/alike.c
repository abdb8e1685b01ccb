#include "linalg/mixed/alike.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/weights.h"
#include "linalg/mixed/whitened.h"
#include "regret/alloc.h"

/* An entry that is a group of its own. */
struct single {
    double rows;
    size_t e;
};

static int by_rows(const void *a, const void *b)
{
    const struct single *x = a, *y = b;
    if (x->rows != y->rows) {
        return x->rows < y->rows ? -1 : 1;
    }
    return x->e < y->e ? -1 : x->e > y->e;
}

static size_t find_singles(struct single *single, const struct mixed_model *m)
{
    size_t n = 0;
    for (size_t e = 0, end; e < m->n; e = end) {
        end = group_end(m, e);
        if (end == e + 1) {
            single[n++] = (struct single){m->rows[e], e};
        }
    }
    qsort(single, n, sizeof *single, by_rows);
    return n;
}

static size_t class_end(const struct single *single, size_t n, size_t i)
{
    size_t end = i + 1;
    while (end < n && single[end].rows == single[i].rows) {
        end++;
    }
    return end;
}

/* Fewer rotated ones than half of a class, or it stays. */
static int is_rotated(size_t size, size_t q)
{
    return size > 2 * (q + 2);
}

/* How many entries are left; taken[e]: it is of a class that is rotated. */
static size_t count_left(unsigned char *taken, const struct single *single, size_t n,
                         const struct mixed_model *m)
{
    size_t left = m->n;
    for (size_t i = 0, end; i < n; i = end) {
        end = class_end(single, n, i);
        if (is_rotated(end - i, m->q)) {
            left -= end - i - (m->q + 2);
            for (size_t k = i; k < end; k++) {
                taken[single[k].e] = 1;
            }
        }
    }
    return left;
}

static void append(struct alike *a, const double *line, size_t stride, double y, double rows,
                   uint32_t group)
{
    size_t i = a->model.n++, q = a->model.q;
    for (size_t j = 0; line != NULL && j < q; j++) {
        a->line[i * q + j] = line[j * stride];
    }
    a->y[i] = y;
    a->rows[i] = rows;
    a->group[i] = group;
    a->times[i] = 1.0;
}

/* R of [X y] = Q R stands for a class: q + 1 entries; the rest of Q'[X y] is nothing. */
static int rotate(struct alike *a, const struct single *of, size_t size,
                  const struct mixed_model *m, uint32_t *group)
{
    size_t q = m->q, columns = q + 1;
    FREED double *x = NULL, *tau = NULL;
    TRY(sides_check(size, columns));
    TRY(REGRET_NEW(&x, size * columns));
    TRY(REGRET_NEW(&tau, columns));
    for (size_t k = 0; k < size; k++) {
        for (size_t j = 0; j < q; j++) {
            x[j * size + k] = m->line[of[k].e * q + j];
        }
        x[q * size + k] = m->y[of[k].e];
    }
    lapack_int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, (int)size, (int)columns, x, (int)size, tau);
    TRY(info == 0
            ? REGRET_OK
            : regret_fail(info == LAPACK_WORK_MEMORY_ERROR ? REGRET_E_NOMEM : REGRET_E_INTERNAL,
                          "dgeqrf stops with %d", (int)info));
    for (size_t i = 0; i < columns; i++) {
        for (size_t j = 0; j < i; j++) {
            x[j * size + i] = 0.0;
        }
        append(a, x + i, size, x[q * size + i], of->rows, (*group)++);
    }
    append(a, NULL, 0, 0.0, of->rows, (*group)++);
    a->times[a->model.n - 1] = (double)(size - columns);
    return REGRET_OK;
}

static int make_room(struct alike *a, size_t n, size_t q)
{
    TRY(REGRET_NEW(&a->line, n * q));
    TRY(REGRET_NEW(&a->y, n));
    TRY(REGRET_NEW(&a->rows, n));
    TRY(REGRET_NEW(&a->group, n));
    TRY(REGRET_NEW(&a->times, n));
    a->model.n = 0;
    a->model.line = a->line;
    a->model.y = a->y;
    a->model.rows = a->rows;
    a->model.group = a->group;
    a->model.times = a->times;
    return REGRET_OK;
}

/* Those of no class as they are, then the classes, as groups of their own. */
static int fill(struct alike *a, const struct single *single, size_t n, const unsigned char *taken,
                const struct mixed_model *m)
{
    uint32_t group = m->n > 0 ? m->group[m->n - 1] + 1 : 0;
    for (size_t e = 0; e < m->n; e++) {
        if (!taken[e]) {
            append(a, m->line + e * m->q, 1, m->y[e], m->rows[e], m->group[e]);
        }
    }
    for (size_t i = 0, end; i < n; i = end) {
        end = class_end(single, n, i);
        TRY(is_rotated(end - i, m->q) ? rotate(a, single + i, end - i, m, &group) : REGRET_OK);
    }
    return REGRET_OK;
}

int alike_make(struct alike *a, const struct mixed_model *m)
{
    FREED struct single *single = NULL;
    FREED unsigned char *taken = NULL;
    *a = (struct alike){.model = *m};
    TRY(REGRET_NEW(&single, m->n));
    TRY(REGRET_NEW(&taken, m->n));
    size_t n = find_singles(single, m), left = count_left(taken, single, n, m);
    if (left < m->n) {
        TRY(make_room(a, left, m->q));
        TRY(fill(a, single, n, taken, m));
    }
    return REGRET_OK;
}

void alike_free(struct alike *a)
{
    regret_free(a->line);
    regret_free(a->y);
    regret_free(a->rows);
    regret_free(a->group);
    regret_free(a->times);
}
