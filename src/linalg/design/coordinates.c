/* Coordinates of features on the pairs that are seen: of a dense Gram matrix, and of a sparse design
 * whose Gram matrix is made of the pairs seen alone. */
#include <cblas.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/symmetric.h"
#include "linalg/design/design.h"
#include "regret/alloc.h"

FREED_POINTER(struct regret_csr, regret_csr_free)

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

/* The pairs that are seen and the factor of K = φφᵀ on them, P K Pᵀ ≈ L Lᵀ. */
struct seen {
    size_t n, rank;
    size_t *pair;  /* [n] ascending, then [P − n] the others; owned */
    size_t *pivot; /* [n] which of the pairs each line of the factor is; owned */
    double *k;     /* n × n; owned */
};

static void seen_clear(struct seen *s)
{
    regret_free(s->pair);
    regret_free(s->pivot);
    regret_free(s->k);
}

static int seen_list(struct seen *s, const unsigned char *mark, size_t pairs)
{
    TRY(REGRET_NEW(&s->pair, pairs));
    for (size_t p = 0; p < pairs; p++) {
        if (mark[p]) {
            s->pair[s->n++] = p;
        }
    }
    for (size_t p = 0, next = s->n; p < pairs; p++) {
        if (!mark[p]) {
            s->pair[next++] = p;
        }
    }
    TRY(REGRET_NEW(&s->pivot, s->n));
    return REGRET_NEW(&s->k, s->n * s->n);
}

static int seen_factor(struct seen *s)
{
    return regret_sym_pivoted_cholesky(s->k, s->pivot, &s->rank, s->n, SYM_RANK_TOLERANCE);
}

/* The lines of the factor, which stand in pivot order, at the pairs that they are. */
static void place_seen(struct regret_coordinates *c, const struct seen *s)
{
    for (size_t j = 0; j < s->rank; j++) {
        for (size_t i = j; i < s->n; i++) {
            c->value[j * c->lines + s->pair[s->pivot[i]]] = s->k[j * s->n + i];
        }
    }
}

/* K(others, pivots) L₁₁⁻ᵀ at the others. */
static int place_others(struct regret_coordinates *c, const struct seen *s, const double *gram)
{
    const size_t *other = s->pair + s->n;
    size_t m = c->lines - s->n;
    double *cross = NULL;
    if (m == 0 || s->rank == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&cross, m * s->rank));
    for (size_t j = 0; j < s->rank; j++) {
        const double *column = gram + s->pair[s->pivot[j]] * c->lines;
        for (size_t i = 0; i < m; i++) {
            cross[j * m + i] = column[other[i]];
        }
    }
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)m,
                (int)s->rank, 1.0, s->k, (int)s->n, cross, (int)m);
    for (size_t j = 0; j < s->rank; j++) {
        for (size_t i = 0; i < m; i++) {
            c->value[j * c->lines + other[i]] = cross[j * m + i];
        }
    }
    regret_free(cross);
    return REGRET_OK;
}

/* Hands over what was made, or frees it. */
static int finish(struct regret_coordinates *out, struct regret_coordinates *made, struct seen *s,
                  int rc)
{
    seen_clear(s);
    if (rc != REGRET_OK) {
        regret_coordinates_free(made);
        return rc;
    }
    *out = *made;
    return REGRET_OK;
}

static int place_gram(struct regret_coordinates *c, struct seen *s, const double *gram,
                      const unsigned char *seen)
{
    TRY(seen_list(s, seen, c->lines));
    for (size_t j = 0; j < s->n; j++) {
        for (size_t i = j; i < s->n; i++) {
            s->k[j * s->n + i] = gram[s->pair[j] * c->lines + s->pair[i]];
        }
    }
    TRY(seen_factor(s));
    c->rank = s->rank;
    TRY(REGRET_NEW(&c->value, c->lines * c->rank));
    place_seen(c, s);
    return place_others(c, s, gram);
}

int regret_coordinates_of_gram(struct regret_coordinates *out, const double *gram, size_t pairs,
                               const unsigned char *seen)
{
    struct regret_coordinates c = {.lines = pairs};
    struct seen s = {0};
    return finish(out, &c, &s, place_gram(&c, &s, gram, seen));
}

/* K of the pairs seen of a sparse design. */
static int seen_gram(struct seen *s, const struct regret_design *d, const unsigned char *seen)
{
    FREED_BY(regret_csr_free_at) struct regret_csr *all = NULL;
    FREED_BY(regret_csr_free_at) struct regret_csr *rows = NULL;
    FREED double *take = NULL;
    TRY(REGRET_NEW(&take, d->pairs));
    for (size_t p = 0; p < d->pairs; p++) {
        take[p] = seen[p] ? 1.0 : 0.0;
    }
    TRY(design_join(&all, d, seen));
    TRY(regret_csr_scale_rows(&rows, all, take));
    return regret_csr_gram(s->k, rows, NULL);
}

/* The factor's columns in use, its lines in pivot order, and which pair each line is. */
static int take_factor(struct regret_coordinates *c, const struct seen *s, size_t pairs)
{
    c->lines = s->n;
    c->rank = s->rank;
    TRY(REGRET_NEW(&c->value, c->lines * c->rank));
    TRY(REGRET_NEW(&c->line, pairs));
    TRY(REGRET_NEW(&c->basis, c->rank));
    for (size_t j = 0; j < c->rank; j++) {
        memcpy(c->value + j * s->n + j, s->k + j * s->n + j, (s->n - j) * sizeof *s->k);
        c->basis[j] = s->pair[s->pivot[j]];
    }
    memset(c->line, 0xff, pairs * sizeof *c->line);
    for (size_t i = 0; i < s->n; i++) {
        c->line[s->pair[s->pivot[i]]] = (uint32_t)i;
    }
    return REGRET_OK;
}

static int place_design(struct regret_coordinates *c, struct seen *s,
                        const struct regret_design *sparse, const unsigned char *seen)
{
    TRY(seen_list(s, seen, sparse->pairs));
    TRY(seen_gram(s, sparse, seen));
    TRY(regret_stop_check(sparse->stop));
    TRY(seen_factor(s));
    return take_factor(c, s, sparse->pairs);
}

int regret_coordinates_of_design(struct regret_coordinates *out, const struct regret_design *sparse,
                                 const unsigned char *seen)
{
    struct regret_coordinates c = {0};
    struct seen s = {0};
    return finish(out, &c, &s, place_design(&c, &s, sparse, seen));
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
    d.iterative = 0;
    d.dim = c->rank;
    d.value = c->value;
    d.lines = c->lines;
    d.line = c->line;
    d.basis = c->basis;
    return d;
}
