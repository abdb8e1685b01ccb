#include "linalg/multi_ridge.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/status.h"
#include "linalg/dense.h"
#include "linalg/design.h"
#include "linalg/internal.h"
#include "linalg/pooled_ridge.h"
#include "regret/design.h"
#include "regret/status.h"

/* Parts of the EXP sample left out of a pooled ridge. */

FREED_POINTER(struct regret_left_out, regret_left_out_free)

struct regret_left_out {
    const struct regret_pooled *pooled;
    size_t entries;
    double scale;   /* n_E / n' */
    size_t *row;    /* the solver's line of each entry, [entries] */
    double *weight; /* count / n_E, [entries] */
    double *moment; /* Σ sum/n_E · line, [q] */
    double *gram;   /* Σ weight · line lineᵀ, q × q lower; NULL when Woodbury is cheaper */
    double *memory; /* of the three */
    struct iterative_part *iterative; /* instead of all but the first two; else NULL */
    struct iterative_part *of_obs;    /* iterative: of OBS besides; or NULL */
    size_t *pair;                     /* iterative: of each entry, [entries] */
};

/* Woodbury costs m²q + m³/3 a solve, the direct way q³/3. */
static int woodbury_is_cheaper(size_t m, size_t q)
{
    double md = (double)m, qd = (double)q;
    return md * md * qd + md * md * md / 3.0 < qd * qd * qd / 3.0;
}

/* Both lists of pairs ascend. */
static int find_rows(size_t *row, const struct regret_pooled *p, const struct regret_sample *part)
{
    size_t at = 0;
    for (size_t e = 0; e < part->entries; e++) {
        while (at < p->entries && p->pair[at] < part->pair[e]) {
            at++;
        }
        if (at == p->entries || p->pair[at] != part->pair[e]) {
            return regret_fail(REGRET_E_INTERNAL, "pair %zu is left out but not in EXP",
                               part->pair[e]);
        }
        row[e] = at;
    }
    return REGRET_OK;
}

static void sum_moments(struct regret_left_out *f, const struct regret_sample *part)
{
    const struct regret_pooled *p = f->pooled;
    for (size_t j = 0; j < p->q; j++) {
        const double *column = p->line + j * p->entries;
        double sum = 0.0;
        for (size_t e = 0; e < f->entries; e++) {
            sum += part->sum[e] * column[f->row[e]];
        }
        f->moment[j] = sum / p->n_exp;
    }
}

static int sum_gram(struct regret_left_out *f)
{
    const struct regret_pooled *p = f->pooled;
    size_t m = f->entries;
    double *lines = NULL;
    TRY(REGRET_NEW(&lines, m * p->q));
    for (size_t j = 0; j < p->q; j++) {
        const double *column = p->line + j * p->entries;
        for (size_t e = 0; e < m; e++) {
            lines[j * m + e] = column[f->row[e]] * sqrt(f->weight[e]);
        }
    }
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)p->q, (int)m, 1.0, lines, (int)m, 0.0,
                f->gram, (int)p->q);
    regret_free(lines);
    return REGRET_OK;
}

static int fill(struct regret_left_out *f, const struct regret_sample *part)
{
    size_t m = f->entries, q = f->pooled->q;
    size_t gram = m == 0 || woodbury_is_cheaper(m, q) ? 0 : q * q;
    int rc = REGRET_OK;
    TRY(REGRET_NEW(&f->row, m));
    TRY(find_rows(f->row, f->pooled, part));
    TRY(REGRET_NEW(&f->memory, m + q + gram));
    f->weight = f->memory;
    f->moment = f->weight + m;
    for (size_t e = 0; e < m; e++) {
        f->weight[e] = part->count[e] / f->pooled->n_exp;
    }
    sum_moments(f, part);
    if (gram > 0) {
        f->gram = f->moment + q;
        rc = sum_gram(f);
    }
    return rc;
}

static int fill_iterative(struct regret_left_out *f, const struct regret_sample *part,
                          const struct regret_sample *obs)
{
    const struct iterative *it = f->pooled->iterative;
    TRY(REGRET_NEW(&f->pair, f->entries));
    memcpy(f->pair, part->pair, f->entries * sizeof *f->pair);
    TRY(iterative_part_create(&f->iterative, it, &it->exp, part));
    return obs != NULL ? iterative_part_create(&f->of_obs, it, &it->obs, obs) : REGRET_OK;
}

static int check_part(const struct regret_pooled *p, const struct regret_sample *part,
                      const struct regret_sample *obs)
{
    if (pooled_is_plain(p) || (obs != NULL && p->iterative == NULL)) {
        return regret_fail(REGRET_E_INTERNAL, "a plain solver leaves nothing out, and one that is "
                                              "not iterative nothing of OBS");
    }
    if ((double)part->rows >= p->n_exp || (obs != NULL && (double)obs->rows >= p->n_obs)) {
        return regret_fail(REGRET_E_INTERNAL,
                           "%zu of %g EXP rows and %zu of %g OBS rows cannot be left out",
                           part->rows, p->n_exp, obs != NULL ? obs->rows : 0, p->n_obs);
    }
    return REGRET_OK;
}

int regret_left_out_create_of_both(struct regret_left_out **out, const struct regret_pooled *pooled,
                                   const struct regret_sample *part,
                                   const struct regret_sample *obs)
{
    FREED_BY(regret_left_out_free_at) struct regret_left_out *f = NULL;
    TRY(check_part(pooled, part, obs));
    TRY(REGRET_NEW(&f, 1));
    f->pooled = pooled;
    f->entries = part->entries;
    f->scale = pooled->n_exp / (pooled->n_exp - (double)part->rows);
    TRY(pooled->iterative != NULL ? fill_iterative(f, part, obs) : fill(f, part));
    *out = f;
    f = NULL;
    return REGRET_OK;
}

int regret_left_out_create(struct regret_left_out **out, const struct regret_pooled *pooled,
                           const struct regret_sample *part)
{
    return regret_left_out_create_of_both(out, pooled, part, NULL);
}

void regret_left_out_free(struct regret_left_out *f)
{
    if (f != NULL) {
        regret_free(f->row);
        regret_free(f->memory);
        iterative_part_free(f->iterative);
        iterative_part_free(f->of_obs);
        regret_free(f->pair);
        regret_free(f);
    }
}

double left_out_scale(const struct regret_left_out *f)
{
    return f->scale;
}

const double *left_out_moment(const struct regret_left_out *f)
{
    return f->moment;
}

/* w = sqrt(s·weight)·lines L⁻ᵀ D⁻¹ᐟ² and x = D⁻¹ᐟ² L⁻¹ rhs for a system factored as L D Lᵀ, with
 * root = D⁻¹ᐟ²; `v` is scratch of m. */
static void forward(double *w, double *x, double *root, double *v,
                    const struct pooled_system *system, const struct regret_left_out *f, double s)
{
    const struct regret_pooled *p = f->pooled;
    size_t m = f->entries;
    for (size_t e = 0; e < m; e++) {
        v[e] = sqrt(s * f->weight[e]);
    }
    for (size_t j = 0; j < system->q; j++) {
        const double *column = p->line + j * p->entries;
        root[j] = 1.0 / sqrt(system->diagonal[j]);
        x[j] = root[j] * system->rhs[j];
        for (size_t e = 0; e < m; e++) {
            w[j * m + e] = root[j] * v[e] * column[f->row[e]];
        }
        if (j > 0) {
            double known = root[j] * system->off[j - 1] / root[j - 1];
            x[j] -= known * x[j - 1];
            for (size_t e = 0; e < m; e++) {
                w[j * m + e] -= known * w[(j - 1) * m + e];
            }
        }
    }
}

/* (M − s V Vᵀ)⁻¹ rhs with M = L D Lᵀ the system and V = linesᵀ·sqrt(weight), by
 * L⁻ᵀ D⁻¹ᐟ² (I + Wᵀ(I − W Wᵀ)⁻¹ W) D⁻¹ᐟ² L⁻¹. */
static int solve_woodbury(double *x, struct pooled_system *system, const struct regret_left_out *f,
                          double s)
{
    size_t m = f->entries, q = system->q;
    FREED double *w = NULL;
    TRY(regret_sym_tridiagonal_factor(system->diagonal, system->off, q));
    TRY(REGRET_NEW(&w, m * q + m * m + m + q));
    double *inner = w + m * q, *v = inner + m * m, *root = v + m;
    forward(w, x, root, v, system, f, s);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)m, (int)q, -1.0, w, (int)m, 0.0,
                inner, (int)m);
    for (size_t e = 0; e < m; e++) {
        inner[e * m + e] += 1.0;
    }
    TRY(regret_sym_cholesky(inner, m));
    cblas_dgemv(CblasColMajor, CblasNoTrans, (int)m, (int)q, 1.0, w, (int)m, x, 1, 0.0, v, 1);
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (int)m, 1, inner, (int)m, v, (int)m);
    cblas_dgemv(CblasColMajor, CblasTrans, (int)m, (int)q, 1.0, w, (int)m, v, 1, 1.0, x, 1);
    for (size_t j = q; j-- > 0;) {
        x[j] = root[j] * x[j] - (j + 1 < q ? system->off[j] * x[j + 1] : 0.0);
    }
    return REGRET_OK;
}

static int solve_direct(double *x, const struct pooled_system *system,
                        const struct regret_left_out *f, double s)
{
    size_t q = system->q;
    FREED double *h = NULL;
    TRY(REGRET_NEW(&h, q * q));
    for (size_t j = 0; j < q; j++) {
        for (size_t i = j; i < q; i++) {
            h[j * q + i] = -s * f->gram[j * q + i];
        }
        h[j * q + j] += system->diagonal[j];
        if (j + 1 < q) {
            h[j * q + j + 1] += system->off[j];
        }
        x[j] = system->rhs[j];
    }
    TRY(regret_sym_cholesky(h, q));
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (int)q, 1, h, (int)q, x, (int)q);
    return REGRET_OK;
}

int left_out_solve(double *x, struct pooled_system *system, double lambda,
                   const struct regret_left_out *f)
{
    double s = (1.0 - lambda) * f->scale;
    return f->gram != NULL ? solve_direct(x, system, f, s) : solve_woodbury(x, system, f, s);
}

const struct iterative_part *left_out_iterative(const struct regret_left_out *f)
{
    return f->iterative;
}

const struct iterative_part *left_out_of_obs(const struct regret_left_out *f)
{
    return f->of_obs;
}

void regret_left_out_predict(double *prediction, const struct regret_left_out *f,
                             const double *solution)
{
    const struct regret_pooled *p = f->pooled;
    for (size_t e = 0; f->iterative != NULL && e < f->entries; e++) {
        prediction[e] = design_line_times(&p->design, f->pair[e], solution);
    }
    if (f->iterative != NULL) {
        return;
    }
    for (size_t e = 0; e < f->entries; e++) {
        prediction[e] = 0.0;
    }
    for (size_t j = 0; j < p->q; j++) {
        const double *column = p->line + j * p->entries;
        for (size_t e = 0; e < f->entries; e++) {
            prediction[e] += solution[j] * column[f->row[e]];
        }
    }
}

FREED_POINTER(struct conjugate, conjugate_free)
FREED_POINTER(struct iterative, iterative_free)

/* A dense fit in centred, weighted coordinates: S = diag(√c)(X − 1 x̄ᵀ) and R = diag(√c)(T − 1 t̄ᵀ) of
 * the rows with a positive count, and θ = (SᵀS + ρI)⁻¹SᵀR = Sᵀ(SSᵀ + ρI)⁻¹R. */
struct small_fit {
    size_t rows, cols, outputs;
    size_t used;     /* rows with a positive count */
    double *x_mean;  /* cols; owned */
    double *t_mean;  /* outputs; owned */
    double *s;       /* used x cols; owned */
    double *r;       /* used x outputs; owned */
    double *gram;    /* the smaller of SᵀS and SSᵀ, plus ρI; owned */
    double *theta;   /* cols x outputs; owned */
    double *centred; /* rows x cols; owned */
};

static void fit_free(struct small_fit *f)
{
    double *const owned[] = {f->x_mean, f->t_mean, f->s, f->r, f->gram, f->theta, f->centred};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        regret_free(owned[i]);
    }
}

static int fit_init(struct small_fit *f, size_t rows, size_t cols, size_t outputs,
                    const double *count)
{
    *f = (struct small_fit){.rows = rows, .cols = cols, .outputs = outputs};
    for (size_t i = 0; i < rows; i++) {
        f->used += count[i] > 0.0;
    }
    size_t side = f->used < cols ? f->used : cols;
    double **const array[] = {&f->x_mean, &f->t_mean, &f->s,      &f->r,
                              &f->gram,   &f->theta,  &f->centred};
    const size_t size[] = {cols,        outputs,        f->used * cols, f->used * outputs,
                           side * side, cols * outputs, rows * cols};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        TRY(REGRET_NEW(array[i], size[i]));
    }
    return REGRET_OK;
}

/* Weighted column means of a (rows x cols), then the centred rows of positive count times √c. */
static void centre(double *mean, double *weighted, size_t used, const double *a, size_t rows,
                   size_t cols, const double *count)
{
    double n = 0.0;
    for (size_t i = 0; i < rows; i++) {
        n += count[i];
    }
    for (size_t j = 0; j < cols; j++) {
        const double *column = a + j * rows;
        for (size_t i = 0; i < rows; i++) {
            mean[j] += count[i] * column[i];
        }
        mean[j] /= n;
        for (size_t i = 0, k = 0; i < rows; i++) {
            if (count[i] > 0.0) {
                weighted[k++ + j * used] = sqrt(count[i]) * (column[i] - mean[j]);
            }
        }
    }
}

static int factor_and_solve(double *gram, size_t side, double ridge, double *right, size_t outputs)
{
    for (size_t i = 0; i < side; i++) {
        gram[i + i * side] += ridge;
    }
    lapack_int n = (lapack_int)side, m = (lapack_int)outputs;
    lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, gram, n);
    if (info == 0) {
        info = LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, m, gram, n, right, n);
    }
    if (info != 0) {
        return regret_fail(REGRET_E_NUMERIC,
                           "the ridge of labels on features failed (LAPACK info %d): check for "
                           "values that are not finite, or raise the ridge penalty above %g",
                           (int)info, ridge);
    }
    return REGRET_OK;
}

static int small_solve(struct small_fit *f, double ridge)
{
    int m = (int)f->used, n = (int)f->cols, k = (int)f->outputs;
    if (f->used < f->cols) {
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, m, n, 1.0, f->s, m, 0.0, f->gram, m);
        TRY(factor_and_solve(f->gram, f->used, ridge, f->r, f->outputs));
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, k, m, 1.0, f->s, m, f->r, m, 0.0,
                    f->theta, n);
        return REGRET_OK;
    }
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, n, m, 1.0, f->s, m, 0.0, f->gram, n);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, k, m, 1.0, f->s, m, f->r, m, 0.0,
                f->theta, n);
    return factor_and_solve(f->gram, f->cols, ridge, f->theta, f->outputs);
}

static int small_predict(double *prediction, struct small_fit *f, const double *x)
{
    for (size_t j = 0; j < f->cols; j++) {
        for (size_t i = 0; i < f->rows; i++) {
            f->centred[i + j * f->rows] = x[i + j * f->rows] - f->x_mean[j];
        }
    }
    for (size_t k = 0; k < f->outputs; k++) {
        for (size_t i = 0; i < f->rows; i++) {
            prediction[i + k * f->rows] = f->t_mean[k];
        }
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)f->rows, (int)f->outputs,
                (int)f->cols, 1.0, f->centred, (int)f->rows, f->theta, (int)f->cols, 1.0,
                prediction, (int)f->rows);
    for (size_t i = 0; i < f->rows * f->outputs; i++) {
        if (!isfinite(prediction[i])) { /* OpenBLAS factorises NaN without complaint */
            return regret_fail(REGRET_E_NUMERIC,
                               "a predicted label of row %zu is not finite: check the features and "
                               "labels for values that are not finite",
                               i % f->rows);
        }
    }
    return REGRET_OK;
}

/* Of a dense design: solved in the smaller of its columns and the rows in use. */
static int predict_dense(double *prediction, const struct regret_design *d, const double *t,
                         size_t outputs, const double *count, double ridge)
{
    FREED_BY(fit_free) struct small_fit f = {0};
    TRY(sides_check(d->pairs, d->dim));
    TRY(fit_init(&f, d->pairs, d->dim, outputs, count));
    centre(f.x_mean, f.s, f.used, d->value, d->pairs, d->dim, count);
    centre(f.t_mean, f.r, f.used, t, d->pairs, outputs, count);
    TRY(small_solve(&f, ridge));
    return small_predict(prediction, &f, d->value);
}

/* The rows with a positive count: their pairs, counts and weighted labels. */
struct used_rows {
    size_t n;
    size_t *pair;  /* [n]; owned */
    double *count; /* [n]; owned */
    double *sum;   /* n × outputs, c t; owned */
};

static void used_rows_free(struct used_rows *r)
{
    regret_free(r->pair);
    regret_free(r->count);
    regret_free(r->sum);
}

static int take_used_rows(struct used_rows *r, const double *t, size_t pairs, size_t outputs,
                          const double *count)
{
    for (size_t p = 0; p < pairs; p++) {
        r->n += count[p] > 0.0;
    }
    TRY(REGRET_NEW(&r->pair, r->n));
    TRY(REGRET_NEW(&r->count, r->n));
    TRY(REGRET_NEW(&r->sum, r->n * outputs));
    for (size_t p = 0, e = 0; p < pairs; p++) {
        if (count[p] > 0.0) {
            r->pair[e] = p;
            r->count[e] = count[p];
            for (size_t k = 0; k < outputs; k++) {
                r->sum[k * r->n + e] = count[p] * t[k * pairs + p];
            }
            e++;
        }
    }
    return REGRET_OK;
}

/* θ (q × outputs) into `theta`, solving (Σ c u uᵀ + ρ J) θ = Σ c u tᵀ with J the identity but for
 * the intercept. */
static int solve_columns(double *theta, const struct regret_design *d, const struct used_rows *r,
                         size_t outputs, double ridge)
{
    size_t q = d->dim + 1;
    double *gram = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&gram, q * q));
    TRY_CLEANUP(design_moments(gram, theta, d, r->pair, r->count, r->sum, outputs, 1.0, r->n));
    for (size_t j = 0; j + 1 < q; j++) {
        gram[j * q + j] += ridge;
    }
    rc = regret_sym_cholesky(gram, q);
    if (rc != REGRET_OK) {
        rc = regret_fail_prefix(rc, "the ridge of labels on features");
        goto cleanup;
    }
    regret_sym_cholesky_solve(theta, outputs, gram, q);
    for (size_t i = 0; i < q * outputs; i++) {
        if (!isfinite(theta[i])) {
            rc = regret_fail(REGRET_E_NUMERIC,
                             "the ridge of labels on features is not finite: check the features "
                             "and labels for values that are not");
            goto cleanup;
        }
    }
cleanup:
    regret_free(gram);
    return rc;
}

/* Of an iterative design: every label a fit of one batch. Labels are brought to a standard scale, since errors are
 * absolute. */
static int solve_together(double *theta, const struct regret_design *d, struct used_rows *r,
                          size_t outputs, double ridge)
{
    const struct regret_sample sample = {
        .entries = r->n, .pair = r->pair, .count = r->count, .sum = r->sum};
    FREED_BY(iterative_free_at) struct iterative *it = NULL;
    FREED_BY(conjugate_free_at) struct conjugate *c = NULL;
    FREED struct iterative_fit *fit = NULL;
    FREED double *scale = NULL;
    TRY(REGRET_NEW(&fit, outputs));
    TRY(REGRET_NEW(&scale, outputs));
    for (size_t k = 0; k < outputs; k++) {
        double *sum = r->sum + k * r->n;
        for (size_t e = 0; e < r->n; e++) {
            scale[k] = fmax(scale[k], fabs(sum[e]) / r->count[e]);
        }
        cblas_dscal((int)r->n, scale[k] > 0.0 ? 1.0 / scale[k] : 1.0, sum, 1);
        fit[k] = (struct iterative_fit){.lambda = 1.0, .obs_sum = sum};
    }
    TRY(iterative_create(&it, d, &sample, NULL, ridge, 1.0));
    TRY(conjugate_create(&c, it, fit, outputs));
    TRY(conjugate_solve(c, REGRET_POOLED_ERROR));
    for (size_t k = 0; k < outputs; k++) {
        TRY(conjugate_solution(theta + k * (d->dim + 1), c, k));
        cblas_dscal((int)d->dim + 1, scale[k], theta + k * (d->dim + 1), 1);
    }
    return REGRET_OK;
}

enum { MOST_COLUMNS = 2048 }; /* whose Gram matrix takes 34 MB */

int multi_ridge_by_columns(double rows, double columns, double stored, double outputs)
{
    double products = ITERATIVE_SKETCH_PRODUCTS + ITERATIVE_FIT_PRODUCTS * outputs;
    return columns <= MOST_COLUMNS && columns * columns * (rows / 2.0 + columns / 6.0) <
                                          SPARSE_COST_RATIO * 2.0 * products * stored;
}

/* Elements of the rows in use, by the mean of all. */
static double stored_of(const struct regret_design *d, const struct used_rows *r)
{
    double stored = (double)r->n * (double)regret_csr_entries(d->own) / (double)d->own->rows;
    return d->shared != NULL ? stored + (double)regret_csr_entries(d->shared) : stored;
}

static int predict_columns(double *prediction, const struct regret_design *d, const double *t,
                           size_t outputs, const double *count, double ridge);

/* Where conjugate gradients do not get there: in coordinates of the rows in use, O(n³). */
static int predict_reduced(double *prediction, const struct regret_design *d, const double *t,
                           size_t outputs, const double *count, double ridge)
{
    struct regret_design reduced;
    FREED_BY(regret_coordinates_free) struct regret_coordinates c = {0};
    FREED unsigned char *seen = NULL;
    TRY(REGRET_NEW(&seen, d->pairs));
    for (size_t p = 0; p < d->pairs; p++) {
        seen[p] = count[p] > 0.0;
    }
    TRY(regret_coordinates_of_design(&c, d, seen));
    reduced = regret_design_reduced(d, &c);
    if (d->record != NULL) {
        d->record->fallbacks++;
    }
    return predict_columns(prediction, &reduced, t, outputs, count, ridge);
}

static int is_solved_together(const struct regret_design *d, const struct used_rows *r,
                              size_t outputs)
{
    return d->iterative && !multi_ridge_by_columns((double)r->n, (double)d->dim + 1.0,
                                                   stored_of(d, r), (double)outputs);
}

/* Of a sparse or reduced design: solved in its columns, never made dense. */
static int predict_columns(double *prediction, const struct regret_design *d, const double *t,
                           size_t outputs, const double *count, double ridge)
{
    struct used_rows rows = {0};
    double *theta = NULL;
    int rc;
    TRY_CLEANUP(take_used_rows(&rows, t, d->pairs, outputs, count));
    TRY_CLEANUP(REGRET_NEW(&theta, (d->dim + 1) * outputs));
    if (is_solved_together(d, &rows, outputs)) {
        rc = solve_together(theta, d, &rows, outputs, ridge);
        if (rc == REGRET_E_NUMERIC && rows.n <= d->most_direct) {
            rc = predict_reduced(prediction, d, t, outputs, count, ridge);
            goto cleanup;
        }
        TRY_CLEANUP(rc);
    } else {
        TRY_CLEANUP(solve_columns(theta, d, &rows, outputs, ridge));
    }
    rc = design_times(prediction, d, theta, outputs);
cleanup:
    regret_free(theta);
    used_rows_free(&rows);
    return rc;
}

int multi_ridge_predict(double *prediction, const struct regret_design *design, const double *t,
                        size_t outputs, const double *count, double ridge)
{
    if (!(ridge > 0.0) || !isfinite(ridge)) {
        return regret_fail(REGRET_E_INPUT,
                           "a ridge penalty of %g for predicted labels: it must be above 0", ridge);
    }
    TRY(weights_check(count, design->pairs));
    return design->own == NULL ? predict_dense(prediction, design, t, outputs, count, ridge)
                               : predict_columns(prediction, design, t, outputs, count, ridge);
}
