/* Parts of the EXP sample left out of a pooled ridge. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/symmetric.h"
#include "linalg/design/design.h"
#include "linalg/ridge/pooled.h"
#include "regret/alloc.h"

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
