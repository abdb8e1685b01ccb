#include "linalg/iterative.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "linalg/dense.h"
#include "linalg/sparse_rows.h"
#include "regret/design.h"
#include "regret/status.h"
#include "regret/task.h"

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

FREED_POINTER(struct iterative_part, iterative_part_free)
FREED_POINTER(struct iterative, iterative_free)

/* ---------------------------------------------------------------- the samples */

/* The pairs of EXP in their order, then those that only OBS has. */
static int list_pairs(struct iterative *it, const struct regret_sample *obs,
                      const struct regret_sample *exp)
{
    FREED size_t *place = NULL; /* 1 + the line of a pair, 0: none */
    TRY(REGRET_NEW(&place, it->pairs));
    TRY(REGRET_NEW(&it->pair, (obs != NULL ? obs->entries : 0) + (exp != NULL ? exp->entries : 0)));
    for (size_t e = 0; exp != NULL && e < exp->entries; e++) {
        it->pair[it->n] = exp->pair[e];
        place[exp->pair[e]] = ++it->n;
    }
    it->m = it->n;
    for (size_t e = 0; obs != NULL && e < obs->entries; e++) {
        if (place[obs->pair[e]] == 0) {
            it->pair[it->n] = obs->pair[e];
            place[obs->pair[e]] = ++it->n;
        }
    }
    TRY(REGRET_NEW(&it->obs.count, it->n));
    TRY(REGRET_NEW(&it->obs.sum, it->n));
    TRY(REGRET_NEW(&it->exp.count, it->n));
    TRY(REGRET_NEW(&it->exp.sum, it->n));
    for (size_t e = 0; obs != NULL && e < obs->entries; e++) {
        it->obs.count[place[obs->pair[e]] - 1] = obs->count[e];
        it->obs.sum[place[obs->pair[e]] - 1] = obs->sum[e];
    }
    for (size_t e = 0; exp != NULL && e < exp->entries; e++) {
        it->exp.count[e] = exp->count[e];
        it->exp.sum[e] = exp->sum[e];
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the sketch */

/* out (n × r) = K (h ∘ q). */
static int times_gram(double *out, const struct iterative *it, const double *h, const double *q,
                      size_t r, int single)
{
    const struct sparse_columns v = {
        .lines = it->n, .value = q, .factor = h, .one_factor = 1, .n = r, .single = single};
    double *scratch = NULL;
    TRY(regret_stop_check(it->stop));
    TRY(REGRET_NEW(&scratch, sparse_rows_scratch(it->rows)));
    sparse_rows_gram(out, it->rows, it->n, &v, scratch);
    regret_free(scratch);
    return REGRET_OK;
}

/* Of many lines, on which LAPACK's panels wait for memory: Y ← Y L⁻ᵀ with YᵀY = L Lᵀ; orthonormal but for the square of Y's condition, which is that of its spectrum's head. */
static int orthonormalise_tall(double *y, size_t n, size_t r)
{
    FREED double *gram = NULL;
    TRY(REGRET_NEW(&gram, r * r));
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)r, (int)n, 1.0, y, (int)n, 0.0, gram,
                (int)r);
    TRY(regret_sym_cholesky(gram, r));
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)n, (int)r,
                1.0, gram, (int)r, y, (int)n);
    return REGRET_OK;
}

static int orthonormalise(double *y, size_t n, size_t r)
{
    if (n > SPARSE_MANY_ROWS && orthonormalise_tall(y, n, r) == REGRET_OK) {
        return REGRET_OK;
    }
    double *tau = NULL;
    TRY(REGRET_NEW(&tau, r));
    lapack_int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, (int)n, (int)r, y, (int)n, tau);
    if (info == 0) {
        info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, (int)n, (int)r, (int)r, y, (int)n, tau);
    }
    regret_free(tau);
    return info == 0
               ? REGRET_OK
               : regret_fail(REGRET_E_NUMERIC, "no orthonormal basis of a sketch (info %d)", info);
}

static void scale_lines(double *y, const double *h, size_t n, size_t r)
{
    for (size_t j = 0; j < r; j++) {
        for (size_t i = 0; i < n; i++) {
            y[j * n + i] *= h[i];
        }
    }
}

/* F of K ≈ F Fᵀ, best where both samples weigh alike: with B = diag(h) K diag(h) and an orthonormal Q that B has been
 * applied to, F = K h∘Q C⁻ᵀ with C Cᵀ = Qᵀ B Q. Q is as good in single precision; C is not. */
static int sketch(struct iterative *it, const double *h)
{
    size_t n = it->n, r = it->rank;
    double largest = 0.0;
    FREED double *q = NULL, *kq = NULL, *core = NULL;
    struct regret_rng rng = regret_rng_at(0, REGRET_RNG_SKETCH, 0);
    TRY(REGRET_NEW(&q, n * r));
    TRY(REGRET_NEW(&kq, n * r));
    TRY(REGRET_NEW(&core, r * r));
    for (size_t i = 0; i < n * r; i++) {
        q[i] = regret_rng_normal(&rng);
    }
    for (int power = 0; power < SKETCH_POWERS; power++) {
        TRY(orthonormalise(q, n, r));
        TRY(times_gram(kq, it, h, q, r, 1));
        memcpy(q, kq, n * r * sizeof *q);
        scale_lines(q, h, n, r);
    }
    TRY(orthonormalise(q, n, r));
    TRY(times_gram(kq, it, h, q, r, 0));
    scale_lines(q, h, n, r);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)r, (int)r, (int)n, 1.0, q, (int)n, kq,
                (int)n, 0.0, core, (int)r);
    for (size_t j = 0; j < r; j++) {
        largest = core[j * r + j] > largest ? core[j * r + j] : largest;
    }
    for (size_t j = 0; j < r; j++) {
        core[j * r + j] += 1e-12 * largest + 1e-300; /* rounding may leave it short of definite */
    }
    TRY(regret_sym_cholesky(core, r));
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)n, (int)r,
                1.0, core, (int)r, kq, (int)n);
    for (size_t i = 0; i < n * r; i++) {
        it->sketch[i] = (float)kq[i];
    }
    return REGRET_OK;
}

/* Lines whose moments are taken at a time. */
enum { BLOCK = 8192 };

/* The columns of S of lines[0..n) behind the sketch's. */
static void take_strong(double *g, const struct iterative *it, const size_t *line, size_t first,
                        size_t n)
{
    const struct strong *s = &it->strong;
    double *to = g + it->rank * n;
    memset(to, 0, s->q * n * sizeof *to);
    for (size_t i = 0; s->q > 0 && i < n; i++) {
        size_t l = line != NULL ? line[first + i] : first + i;
        for (size_t e = s->row_start[l]; e < s->row_start[l + 1]; e++) {
            to[s->column[e] * n + i] += s->value[e];
        }
    }
}

/* core = Σ weight g gᵀ and mean = Σ weight g over lines, by blocks; `line` NULL: the first n. */
static int moments(double *core, double *mean, const struct iterative *it, const size_t *line,
                   const double *weight, size_t n)
{
    size_t r = it->rank, wide = it->wide;
    double *g = NULL;
    TRY(REGRET_NEW(&g, (n < BLOCK ? n : BLOCK) * wide));
    memset(mean, 0, wide * sizeof *mean);
    memset(core, 0, wide * wide * sizeof *core);
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t many = n - first < BLOCK ? n - first : BLOCK;
        for (size_t j = 0; j < r; j++) {
            const float *column = it->sketch + j * it->n;
            for (size_t i = 0; i < many; i++) {
                g[j * many + i] = (double)column[line != NULL ? line[first + i] : first + i];
            }
        }
        take_strong(g, it, line, first, many);
        for (size_t j = 0; j < wide; j++) {
            for (size_t i = 0; i < many; i++) {
                double v = g[j * many + i];
                g[j * many + i] = sqrt(weight[first + i]) * v;
                mean[j] += weight[first + i] * v;
            }
        }
        cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)wide, (int)many, 1.0, g, (int)many,
                    1.0, core, (int)wide);
    }
    regret_free(g);
    return REGRET_OK;
}

/* What a sketch is best for: both samples alike. */
static int weigh_alike(double **weight, const struct iterative *it)
{
    double obs = it->obs.rows > 0.0 ? 1.0 / it->obs.rows : 0.0,
           exp = it->exp.rows > 0.0 ? 1.0 / it->exp.rows : 0.0;
    TRY(REGRET_NEW(weight, it->n));
    for (size_t i = 0; i < it->n; i++) {
        (*weight)[i] = it->obs.count[i] * obs + it->exp.count[i] * exp;
    }
    return REGRET_OK;
}

static int sample_moments(struct iterative_sample *s, const struct iterative *it,
                          const size_t *line, size_t n)
{
    TRY(REGRET_NEW(&s->core, it->wide * it->wide));
    TRY(REGRET_NEW(&s->mean, it->wide));
    return it->wide > 0 ? moments(s->core, s->mean, it, line, s->count, n) : REGRET_OK;
}

/* The rows without what is eliminated, their sketch, and the moments of both. */
static int make_sketch(struct iterative *it, const struct regret_design *design)
{
    FREED double *h = NULL;
    TRY(weigh_alike(&h, it));
    TRY(strong_create(&it->strong, design, it->pair, h, it->n));
    TRY(sparse_rows_create(&it->rows, design, it->pair, it->n, it->strong.is_strong));
    it->rank = it->n / 4 < SKETCH_RANK ? it->n / 4 : SKETCH_RANK;
    it->wide = it->rank + it->strong.q;
    TRY(REGRET_NEW(&it->sketch, it->n * it->rank));
    for (size_t i = 0; i < it->n; i++) {
        h[i] = sqrt(h[i]);
    }
    TRY(it->rank > 0 ? sketch(it, h) : REGRET_OK);
    TRY(sample_moments(&it->obs, it, NULL, it->n));
    return sample_moments(&it->exp, it, NULL, it->m);
}

/* ---------------------------------------------------------------- making and freeing */

static double rows_of(const struct regret_sample *s)
{
    double rows = 0.0;
    for (size_t e = 0; s != NULL && e < s->entries; e++) {
        rows += s->count[e];
    }
    return rows;
}

int iterative_create(struct iterative **out, const struct regret_design *design,
                     const struct regret_sample *obs, const struct regret_sample *exp,
                     double rho_obs, double rho_exp)
{
    FREED_BY(iterative_free_at) struct iterative *it = NULL;
    TRY(REGRET_NEW(&it, 1));
    it->pairs = design->pairs;
    it->stop = design->stop;
    it->obs.rows = rows_of(obs);
    it->exp.rows = rows_of(exp);
    it->obs.rho = rho_obs;
    it->exp.rho = rho_exp;
    TRY(list_pairs(it, obs, exp));
    it->is_last_resort = it->n > design->most_direct;
    TRY(make_sketch(it, design));
    *out = it;
    it = NULL;
    return REGRET_OK;
}

static void sample_clear(struct iterative_sample *s)
{
    regret_free(s->count);
    regret_free(s->sum);
    regret_free(s->core);
    regret_free(s->mean);
}

void iterative_free(struct iterative *it)
{
    if (it != NULL) {
        sample_clear(&it->obs);
        sample_clear(&it->exp);
        strong_clear(&it->strong);
        sparse_rows_free(it->rows);
        regret_free(it->pair);
        regret_free(it->sketch);
        regret_free(it);
    }
}

/* The lines of a part: those of EXP and those that only OBS has ascend. */
static int find_lines(struct iterative_part *p, const struct iterative *it,
                      const struct iterative_sample *of, const struct regret_sample *part)
{
    const size_t bound[] = {0, it->m, it->n};
    for (int span = 0; span < 2; span++) {
        size_t at = bound[span], end = bound[span + 1];
        for (size_t e = 0; e < part->entries; e++) {
            while (at < end && it->pair[at] < part->pair[e]) {
                at++;
            }
            if (at < end && it->pair[at] == part->pair[e] && of->count[at] >= part->count[e]) {
                p->line[p->n] = at;
                p->sample.count[p->n] = part->count[e];
                p->sample.sum[p->n++] = part->sum[e];
            }
        }
    }
    return p->n == part->entries
               ? REGRET_OK
               : regret_fail(REGRET_E_INTERNAL, "%zu pairs are left out but not in the sample",
                             part->entries - p->n);
}

int iterative_part_create(struct iterative_part **out, const struct iterative *it,
                          const struct iterative_sample *of, const struct regret_sample *part)
{
    FREED_BY(iterative_part_free_at) struct iterative_part *p = NULL;
    size_t n = part->entries;
    TRY(REGRET_NEW(&p, 1));
    p->sample.rows = (double)part->rows;
    TRY(REGRET_NEW(&p->line, n));
    TRY(REGRET_NEW(&p->sample.count, n));
    TRY(REGRET_NEW(&p->sample.sum, n));
    TRY(find_lines(p, it, of, part));
    TRY(sample_moments(&p->sample, it, p->line, n));
    *out = p;
    p = NULL;
    return REGRET_OK;
}

void iterative_part_free(struct iterative_part *p)
{
    if (p != NULL) {
        sample_clear(&p->sample);
        regret_free(p->line);
        regret_free(p);
    }
}
