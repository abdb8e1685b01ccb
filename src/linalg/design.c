#include "linalg/design.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/dense.h"
#include "regret/design.h"
#include "regret/status.h"

/* Rows that are dense at a time: with 1,024 columns a block takes 8 MB, and a rank update of this
 * depth already runs at full speed. */
enum { BLOCK = 1024 };

struct regret_design regret_design_dense(size_t pairs, size_t dim, const double *value)
{
    return (struct regret_design){.pairs = pairs, .dim = dim, .value = value};
}

struct regret_design regret_design_sparse(const struct regret_csr *own,
                                          const struct regret_csr *shared, const uint32_t *group)
{
    return (struct regret_design){.pairs = own->rows,
                                  .dim = own->cols,
                                  .own = own,
                                  .shared = shared,
                                  .group = group,
                                  .most_direct = REGRET_MOST_DIRECT};
}

/* out[column · stride] += row of m. */
static void add_row(double *out, size_t stride, const struct regret_csr *m, size_t row)
{
    for (size_t e = m->row_start[row]; e < m->row_start[row + 1]; e++) {
        out[m->column[e] * stride] += m->value[e];
    }
}

void design_take_lines(double *out, const struct regret_design *d, const size_t *pair, size_t n)
{
    if (d->value != NULL) {
        size_t lines = d->line != NULL ? d->lines : d->pairs;
        for (size_t j = 0; j < d->dim; j++) {
            for (size_t e = 0; e < n; e++) {
                size_t line = d->line != NULL ? d->line[pair[e]] : pair[e];
                out[j * n + e] = d->value[j * lines + line];
            }
        }
    } else {
        memset(out, 0, n * d->dim * sizeof *out);
        for (size_t e = 0; e < n && d->dim > 0; e++) {
            add_row(out + e, n, d->own, pair[e]);
            if (d->shared != NULL) {
                add_row(out + e, n, d->shared, d->group[pair[e]]);
            }
        }
    }
    for (size_t e = 0; e < n; e++) {
        out[d->dim * n + e] = 1.0;
    }
}

int design_moments(double *gram, double *moment, const struct regret_design *d, const size_t *pair,
                   const double *count, const double *sum, size_t outputs, double divisor, size_t n)
{
    int q = (int)d->dim + 1;
    double *lines = NULL;
    TRY(REGRET_NEW(&lines, (n < BLOCK ? n : BLOCK) * (size_t)q));
    memset(gram, 0, (size_t)q * (size_t)q * sizeof *gram);
    memset(moment, 0, (size_t)q * outputs * sizeof *moment);
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t m = n - first < BLOCK ? n - first : BLOCK;
        design_take_lines(lines, d, pair + first, m);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, q, (int)outputs, (int)m, 1.0 / divisor,
                    lines, (int)m, sum + first, (int)n, 1.0, moment, q);
        for (size_t j = 0; j < (size_t)q; j++) {
            for (size_t e = 0; e < m; e++) {
                lines[j * m + e] *= sqrt(count[first + e] / divisor);
            }
        }
        cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, q, (int)m, 1.0, lines, (int)m, 1.0, gram,
                    q);
    }
    regret_free(lines);
    return REGRET_OK;
}

static void times_dense(double *out, const struct regret_design *d, const double *theta,
                        size_t outputs)
{
    for (size_t k = 0; k < outputs; k++) {
        for (size_t p = 0; p < d->pairs; p++) {
            out[k * d->pairs + p] = theta[k * (d->dim + 1) + d->dim];
        }
    }
    if (d->dim > 0 && d->pairs > 0) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)d->pairs, (int)outputs,
                    (int)d->dim, 1.0, d->value, (int)d->pairs, theta, (int)d->dim + 1, 1.0, out,
                    (int)d->pairs);
    }
}

/* out = m θ, with θ of leading dimension m->cols + 1: one pass over m for all outputs. */
static int times_rows(double **out, const struct regret_csr *m, const double *theta, size_t outputs)
{
    FREED double *packed = NULL;
    TRY(REGRET_NEW(&packed, m->cols * outputs));
    TRY(REGRET_NEW(out, m->rows * outputs));
    for (size_t k = 0; k < outputs; k++) {
        memcpy(packed + k * m->cols, theta + k * (m->cols + 1), m->cols * sizeof *packed);
    }
    return regret_csr_times_dense(*out, m, packed, outputs);
}

static int times_sparse(double *out, const struct regret_design *d, const double *theta,
                        size_t outputs)
{
    FREED double *own = NULL, *shared = NULL;
    TRY(times_rows(&own, d->own, theta, outputs));
    if (d->shared != NULL) {
        TRY(times_rows(&shared, d->shared, theta, outputs));
    }
    for (size_t k = 0; k < outputs; k++) {
        double intercept = theta[k * (d->dim + 1) + d->dim];
        const double *group = shared != NULL ? shared + k * d->shared->rows : NULL;
        for (size_t p = 0; p < d->pairs; p++) {
            double v = own[k * d->pairs + p] + intercept;
            out[k * d->pairs + p] = group != NULL ? v + group[d->group[p]] : v;
        }
    }
    return REGRET_OK;
}

/* factor · row of m into out. */
static void add_multiple(double *out, const struct regret_csr *m, size_t row, double factor)
{
    for (size_t e = m->row_start[row]; e < m->row_start[row + 1]; e++) {
        out[m->column[e]] += factor * m->value[e];
    }
}

/* Z_p = φ_p Φᵀ L⁻ᵀ with the basis' rows Φ and their triangle L, so Z θ = φ w with w = Φᵀ L⁻ᵀ θ. */
int design_sparse_coefficients(double *w, const struct regret_design *d, const double *theta)
{
    double *x = NULL;
    TRY(REGRET_NEW(&x, d->dim + 1));
    memcpy(x, theta, (d->dim + 1) * sizeof *x);
    memset(w, 0, d->own->cols * sizeof *w);
    if (d->dim > 0) {
        cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, (int)d->dim, d->value,
                    (int)d->lines, x, 1);
    }
    for (size_t i = 0; i < d->dim; i++) {
        add_multiple(w, d->own, d->basis[i], x[i]);
        if (d->shared != NULL) {
            add_multiple(w, d->shared, d->group[d->basis[i]], x[i]);
        }
    }
    w[d->own->cols] = x[d->dim];
    regret_free(x);
    return REGRET_OK;
}

static int times_reduced(double *out, const struct regret_design *d, const double *theta,
                         size_t outputs)
{
    const struct regret_design phi = regret_design_sparse(d->own, d->shared, d->group);
    FREED double *w = NULL;
    TRY(REGRET_NEW(&w, (phi.dim + 1) * outputs));
    for (size_t k = 0; k < outputs; k++) {
        TRY(design_sparse_coefficients(w + k * (phi.dim + 1), d, theta + k * (d->dim + 1)));
    }
    return times_sparse(out, &phi, w, outputs);
}

static double row_times(const struct regret_csr *m, size_t row, const double *x)
{
    double sum = 0.0;
    for (size_t e = m->row_start[row]; e < m->row_start[row + 1]; e++) {
        sum += m->value[e] * x[m->column[e]];
    }
    return sum;
}

double design_line_times(const struct regret_design *d, size_t pair, const double *theta)
{
    double sum = theta[d->dim] + row_times(d->own, pair, theta);
    return d->shared != NULL ? sum + row_times(d->shared, d->group[pair], theta) : sum;
}

int design_times(double *out, const struct regret_design *d, const double *theta, size_t outputs)
{
    if (d->line != NULL) {
        return times_reduced(out, d, theta, outputs);
    }
    if (d->value == NULL && d->own != NULL) {
        return times_sparse(out, d, theta, outputs);
    }
    times_dense(out, d, theta, outputs);
    return REGRET_OK;
}

/* Coordinates of features on the pairs that are seen: of a dense Gram matrix, and of a sparse design
 * whose Gram matrix is made of the pairs seen alone. */

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

FREED_POINTER(struct regret_sample, regret_sample_free)

static int allocate(struct regret_sample *s, size_t entries)
{
    TRY(REGRET_NEW(&s->pair, entries));
    TRY(REGRET_NEW(&s->count, entries));
    TRY(REGRET_NEW(&s->sum, entries));
    return REGRET_NEW(&s->square, entries);
}

static int is_taken(const uint32_t *take, uint32_t wanted, size_t i)
{
    return take == NULL || take[i] == wanted;
}

int regret_sample_gather(struct regret_sample **out, const uint32_t *pair, const double *y,
                         size_t n, size_t n_pairs, const uint32_t *take, uint32_t wanted)
{
    FREED_BY(regret_sample_free_at) struct regret_sample *s = NULL;
    FREED size_t *slot = NULL; /* by pair: rows, then 1 + its entry */
    size_t entries = 0;
    TRY(REGRET_NEW(&slot, n_pairs));
    for (size_t i = 0; i < n; i++) {
        if (pair[i] >= n_pairs) {
            return regret_fail(REGRET_E_INTERNAL, "row %zu uses pair %u of %zu", i, pair[i],
                               n_pairs);
        }
        if (is_taken(take, wanted, i)) {
            entries += slot[pair[i]]++ == 0;
        }
    }
    TRY(REGRET_NEW(&s, 1));
    TRY(allocate(s, entries));
    for (size_t p = 0; p < n_pairs; p++) {
        if (slot[p] > 0) {
            s->pair[s->entries] = p;
            s->count[s->entries] = (double)slot[p];
            s->rows += slot[p];
            slot[p] = s->entries++;
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (is_taken(take, wanted, i)) {
            s->sum[slot[pair[i]]] += y[i];
            s->square[slot[pair[i]]] += y[i] * y[i];
        }
    }
    *out = s;
    s = NULL;
    return REGRET_OK;
}

void regret_sample_free(struct regret_sample *s)
{
    if (s == NULL) {
        return;
    }
    regret_free(s->pair);
    regret_free(s->count);
    regret_free(s->sum);
    regret_free(s->square);
    regret_free(s);
}
