/* Coordinates of a sparse design on the pairs that are seen. */
#include <string.h>

#include "base/try.h"
#include "linalg/design.h"
#include "linalg/symmetric.h"
#include "regret/alloc.h"

static size_t row_length(const struct regret_csr *m, size_t row)
{
    return m->row_start[row + 1] - m->row_start[row];
}

/* Writes the sum of row i of a and row j of b (NULL: nothing) behind `at` in m; returns where it
 * ends. */
static size_t put_sum(struct regret_csr *m, size_t at, const struct regret_csr *a, size_t i,
                      const struct regret_csr *b, size_t j)
{
    size_t p = a->row_start[i], p_end = a->row_start[i + 1];
    size_t q = b != NULL ? b->row_start[j] : 0, q_end = b != NULL ? b->row_start[j + 1] : 0;
    while (p < p_end || q < q_end) {
        int from_a = p < p_end && (q == q_end || a->column[p] <= b->column[q]);
        int from_b = q < q_end && (p == p_end || b->column[q] <= a->column[p]);
        m->column[at] = from_a ? a->column[p] : b->column[q];
        m->value[at++] = (from_a ? a->value[p++] : 0.0) + (from_b ? b->value[q++] : 0.0);
    }
    return at;
}

int design_join(struct regret_csr **out, const struct regret_design *sparse,
                const unsigned char *seen)
{
    const struct regret_csr *own = sparse->own, *shared = sparse->shared;
    struct regret_csr *m = NULL;
    size_t most = 0, end = 0;
    for (size_t p = 0; p < sparse->pairs; p++) {
        most += seen[p] ? row_length(own, p) : 0;
        most += seen[p] && shared != NULL ? row_length(shared, sparse->group[p]) : 0;
    }
    TRY(regret_csr_new(&m, own->rows, own->cols, most));
    for (size_t p = 0; p < sparse->pairs; p++) {
        end =
            seen[p] ? put_sum(m, end, own, p, shared, shared != NULL ? sparse->group[p] : 0) : end;
        m->row_start[p + 1] = end;
    }
    *out = m;
    return REGRET_OK;
}

/* K = φφᵀ of the pairs seen, n × n. */
static int seen_gram(double **k, const struct regret_design *d, const unsigned char *seen, size_t n)
{
    struct regret_csr *all = NULL, *rows = NULL;
    double *take = NULL;
    int rc = REGRET_NEW(&take, d->pairs);
    for (size_t p = 0; rc == REGRET_OK && p < d->pairs; p++) {
        take[p] = seen[p] ? 1.0 : 0.0;
    }
    if (rc == REGRET_OK) {
        rc = design_join(&all, d, seen);
    }
    if (rc == REGRET_OK) {
        rc = regret_csr_scale_rows(&rows, all, take);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(k, n * n);
    }
    if (rc == REGRET_OK) {
        rc = regret_csr_gram(*k, rows, NULL);
    }
    regret_csr_free(all);
    regret_csr_free(rows);
    regret_free(take);
    return rc;
}

/* The factor's columns in use, its lines in pivot order, and which pair each line is. */
static int take_factor(struct regret_coordinates *c, const double *k, const size_t *pivot,
                       const size_t *list, size_t pairs)
{
    size_t n = c->lines;
    int rc = REGRET_NEW(&c->value, n * c->rank);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&c->line, pairs);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&c->basis, c->rank);
    }
    if (rc != REGRET_OK) {
        return rc;
    }
    for (size_t j = 0; j < c->rank; j++) {
        memcpy(c->value + j * n + j, k + j * n + j, (n - j) * sizeof *k);
        c->basis[j] = list[pivot[j]];
    }
    memset(c->line, 0xff, pairs * sizeof *c->line);
    for (size_t i = 0; i < n; i++) {
        c->line[list[pivot[i]]] = (uint32_t)i;
    }
    return REGRET_OK;
}

int regret_coordinates_create(struct regret_coordinates *out, const struct regret_design *sparse,
                              const unsigned char *seen)
{
    struct regret_coordinates c = {0};
    size_t *list = NULL;
    double *k = NULL;
    int rc = REGRET_OK;
    TRY(REGRET_NEW(&list, 2 * sparse->pairs));
    for (size_t p = 0; p < sparse->pairs; p++) {
        if (seen[p]) {
            list[c.lines++] = p;
        }
    }
    size_t *pivot = list + c.lines;
    rc = seen_gram(&k, sparse, seen, c.lines);
    if (rc == REGRET_OK) {
        rc = regret_sym_pivoted_cholesky(k, pivot, &c.rank, c.lines, SYM_RANK_TOLERANCE);
    }
    if (rc == REGRET_OK) {
        rc = take_factor(&c, k, pivot, list, sparse->pairs);
    }
    regret_free(k);
    regret_free(list);
    if (rc != REGRET_OK) {
        regret_coordinates_free(&c);
        return rc;
    }
    *out = c;
    return REGRET_OK;
}

void regret_coordinates_free(struct regret_coordinates *c)
{
    regret_free(c->value);
    regret_free(c->line);
    regret_free(c->basis);
    *c = (struct regret_coordinates){0};
}

struct regret_design regret_design_reduced(const struct regret_design *sparse,
                                           const struct regret_coordinates *c)
{
    struct regret_design d = *sparse;
    d.dim = c->rank;
    d.value = c->value;
    d.lines = c->lines;
    d.line = c->line;
    d.basis = c->basis;
    return d;
}
