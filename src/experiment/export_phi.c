#include <string.h>

#include "experiment/export.h"
#include "regret/alloc.h"

/* The pairs that a fit or a measure of this replicate looks at. */
static int mark_used(unsigned char **out, const struct replicate *r)
{
    unsigned char *used = NULL;
    int rc = REGRET_NEW(&used, r->lab->pairs);
    if (rc != REGRET_OK) {
        return rc;
    }
    memcpy(used, r->bench->test, r->lab->pairs);
    for (size_t i = 0; i < r->obs.n; i++) {
        used[r->obs.pair[i]] = 1;
    }
    for (size_t i = 0; i < r->exp.n; i++) {
        used[r->exp.pair[i]] = 1;
    }
    *out = used;
    return REGRET_OK;
}

static size_t row_length(const struct regret_csr *m, size_t row)
{
    return m->row_start[row + 1] - m->row_start[row];
}

/* Writes the sum of row i of a and row j of b behind `at` in m; returns where it ends. */
static size_t put_sum(struct regret_csr *m, size_t at, const struct regret_csr *a, size_t i,
                      const struct regret_csr *b, size_t j)
{
    size_t p = a->row_start[i], p_end = a->row_start[i + 1];
    size_t q = b->row_start[j], q_end = b->row_start[j + 1];
    while (p < p_end || q < q_end) {
        int from_a = p < p_end && (q == q_end || a->column[p] <= b->column[q]);
        int from_b = q < q_end && (p == p_end || b->column[q] <= a->column[p]);
        m->column[at] = from_a ? a->column[p] : b->column[q];
        m->value[at++] = (from_a ? a->value[p++] : 0.0) + (from_b ? b->value[q++] : 0.0);
    }
    return at;
}

/* The two parts of a sparse lab's φ as one matrix, rows of unused pairs empty. */
static int join_parts(struct regret_csr **out, const struct lab *lab, const unsigned char *used)
{
    const struct regret_csr *own = lab->phi, *shared = lab->phi_context;
    struct regret_csr *m = NULL;
    size_t most = 0, end = 0;
    for (size_t p = 0; p < lab->pairs; p++) {
        most += used[p] ? row_length(own, p) + row_length(shared, lab->context[p]) : 0;
    }
    int rc = regret_csr_new(&m, own->rows, own->cols, most);
    if (rc != REGRET_OK) {
        return rc;
    }
    for (size_t p = 0; p < lab->pairs; p++) {
        end = used[p] ? put_sum(m, end, own, p, shared, lab->context[p]) : end;
        m->row_start[p + 1] = end;
    }
    *out = m;
    return REGRET_OK;
}

void export_phi(struct regret_text *t, const struct replicate *r)
{
    struct regret_csr *joined = NULL;
    unsigned char *used = NULL;
    if (!r->lab->sparse) {
        regret_csr_matrix_market(t, r->lab->phi);
        return;
    }
    int rc = mark_used(&used, r);
    if (rc == REGRET_OK) {
        rc = join_parts(&joined, r->lab, used);
    }
    if (rc == REGRET_OK) {
        regret_csr_matrix_market(t, joined);
    } else {
        t->status = rc;
    }
    regret_csr_free(joined);
    regret_free(used);
}
