#include "linalg/mixed/mixed_model.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/symmetric.h"
#include "linalg/dense/weights.h"
#include "linalg/mixed/alike.h"
#include "linalg/mixed/whitened.h"
#include "regret/alloc.h"

/* ---- Henderson's equations at one v ----------------------------------------------------------- */

struct solved {
    struct whitened w;
    double *factor;   /* q × q, of K */
    double *beta;     /* [q] */
    double *residual; /* [n] W (y − X β): W'of it is P y */
    double likelihood;
};

static void solved_free(struct solved *s)
{
    whitened_free(&s->w);
    regret_free(s->factor);
    regret_free(s->beta);
    regret_free(s->residual);
    *s = (struct solved){0};
}

static size_t block_begin(const struct mixed_model *m, size_t b)
{
    return b == 0 ? m->fixed : m->end[b - 1];
}

static size_t block_size(const struct mixed_model *m, size_t b)
{
    return m->end[b] - block_begin(m, b);
}

static void add_precisions(double *k, const struct mixed_model *m, const double *v)
{
    for (size_t j = 0; j < m->fixed; j++) {
        k[j * m->q + j] += m->precision[j];
    }
    for (size_t b = 0; b < m->n_blocks; b++) {
        for (size_t j = block_begin(m, b); j < m->end[b]; j++) {
            k[j * m->q + j] += 1.0 / v[b];
        }
    }
}

/* By log|V| + log|X_f' V⁻¹ X_f| = log|R| + log|K| + Σ q_b log v_b, and y'Py = ‖W y‖² − (W y)'W X β. */
static double likelihood_of(const struct solved *s, const struct mixed_model *m, const double *v)
{
    double noise = v[m->n_blocks + MIXED_NOISE], rows = 0.0; /* beyond the first of an entry */
    double sum = s->w.log_det + cblas_ddot((int)m->n, s->w.y, 1, s->residual, 1);
    for (size_t j = 0; j < m->q; j++) {
        sum += 2.0 * log(s->factor[j * m->q + j]);
    }
    for (size_t b = 0; b < m->n_blocks; b++) {
        sum += block_size(m, b) > 0 ? (double)block_size(m, b) * log(v[b]) : 0.0;
    }
    for (size_t e = 0; e < m->n; e++) {
        rows += mixed_times(m, e) * (m->rows[e] - 1.0);
    }
    return -0.5 * (sum + rows * log(noise) + m->within / noise);
}

static int solve_at(struct solved *s, const struct mixed_model *m, const double *v)
{
    int q = (int)m->q, n = (int)m->n;
    *s = (struct solved){0};
    TRY(regret_stop_check(m->stop));
    TRY(sides_check(m->n, m->q));
    TRY(whitened_make(&s->w, m, v));
    TRY(REGRET_NEW(&s->factor, m->q * m->q));
    TRY(REGRET_NEW(&s->beta, m->q));
    TRY(REGRET_NEW(&s->residual, m->n));
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, q, n, 1.0, s->w.line, q, 0.0, s->factor,
                q);
    cblas_dgemv(CblasColMajor, CblasNoTrans, q, n, 1.0, s->w.line, q, s->w.y, 1, 0.0, s->beta, 1);
    add_precisions(s->factor, m, v);
    TRY(regret_sym_cholesky(s->factor, m->q));
    regret_sym_cholesky_solve(s->beta, 1, s->factor, m->q);
    memcpy(s->residual, s->w.y, m->n * sizeof *s->residual);
    cblas_dgemv(CblasColMajor, CblasTrans, q, n, -1.0, s->w.line, q, s->beta, 1, 1.0, s->residual,
                1);
    s->likelihood = likelihood_of(s, m, v);
    return isfinite(s->likelihood)
               ? REGRET_OK
               : regret_fail(REGRET_E_NUMERIC, "a mixed model has no finite likelihood: check the "
                                               "features and outcomes for values that are not");
}

int mixed_solve(double *beta, const struct mixed_model *m, const double *v)
{
    FREED_BY(solved_free) struct solved s = {0};
    TRY(solve_at(&s, m, v));
    memcpy(beta, s.beta, m->q * sizeof *beta);
    return REGRET_OK;
}

/* ---- Slope and curvature in log v -------------------------------------------------------------- */

struct slope {
    size_t n; /* variances */
    double gradient[MIXED_MAX_VARIANCES];
    double information[MIXED_MAX_VARIANCES * MIXED_MAX_VARIANCES];
};

/* v_b tr(P X_b X_b') = q_b − tr(K⁻¹_bb)/v_b, less v_b y'P X_b X_b'P y = ‖β_b‖²/v_b. */
static int block_slopes(struct slope *g, const struct solved *s, const struct mixed_model *m,
                        const double *v)
{
    double *inverse = NULL;
    TRY(REGRET_NEW(&inverse, m->q * m->q));
    memcpy(inverse, s->factor, m->q * m->q * sizeof *inverse);
    lapack_int info = LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', (int)m->q, inverse, (int)m->q);
    for (size_t b = 0; b < m->n_blocks; b++) {
        double sum = 0.0;
        for (size_t j = block_begin(m, b); j < m->end[b]; j++) {
            sum += inverse[j * m->q + j] + s->beta[j] * s->beta[j];
        }
        g->gradient[b] = 0.5 * (sum / v[b] - (double)block_size(m, b));
    }
    regret_free(inverse);
    return info == 0 ? REGRET_OK
                     : regret_fail(REGRET_E_INTERNAL, "dpotri stops with %d", (int)info);
}

/* H' (q × n): L⁻¹ of the whitened lines, so that P = W'(I − H H')W. */
static int project(double **out, const struct solved *s, const struct mixed_model *m)
{
    TRY(REGRET_NEW(out, m->q * m->n));
    memcpy(*out, s->w.line, m->q * m->n * sizeof **out);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)m->q,
                (int)m->n, 1.0, s->factor, (int)m->q, *out, (int)m->q);
    return REGRET_OK;
}

/* tr(P V) for the three variances behind the blocks, less those of R⁻¹: with W'H in `h`. */
static void other_traces(double trace[MIXED_OTHERS], double *h, double *sum, const struct solved *s,
                         const struct mixed_model *m)
{
    whiten_transposed(h, m->q, &s->w, m);
    for (size_t e = 0, end; e < m->n; e = end) {
        double total = 0.0;
        end = group_end(m, e);
        memset(sum, 0, m->q * sizeof *sum);
        for (size_t f = e; f < end; f++) {
            total += s->w.d[f];
        }
        double root = 1.0 - s->w.a[e] * total, shrink = (1.0 - root * root) / total;
        for (size_t f = e; f < end; f++) {
            const double *row = h + f * m->q;
            double own =
                s->w.d[f] * (1.0 - shrink * s->w.d[f]) - cblas_ddot((int)m->q, row, 1, row, 1);
            trace[MIXED_ENTRY] += mixed_times(m, f) * own;
            trace[MIXED_NOISE] += mixed_times(m, f) * own / m->rows[f];
            cblas_daxpy((int)m->q, 1.0, row, 1, sum, 1);
        }
        trace[MIXED_GROUP] +=
            mixed_times(m, e) * (total * root * root - cblas_ddot((int)m->q, sum, 1, sum, 1));
    }
}

/* Working vectors v_j V_j P y of the three variances, as columns behind those of the blocks. */
static void other_vectors(double *f, const double *py, const struct mixed_model *m, const double *v)
{
    const double *other = v + m->n_blocks;
    size_t width = m->n_blocks + MIXED_OTHERS;
    for (size_t e = 0, end; e < m->n; e = end) {
        double total = 0.0;
        end = group_end(m, e);
        for (size_t i = e; i < end; i++) {
            total += py[i];
        }
        for (size_t i = e; i < end; i++) {
            double *at = f + i * width + m->n_blocks;
            at[MIXED_GROUP] = other[MIXED_GROUP] * total;
            at[MIXED_ENTRY] = other[MIXED_ENTRY] * py[i];
            at[MIXED_NOISE] = other[MIXED_NOISE] * py[i] / m->rows[i];
        }
    }
}

/* W v_j V_j P y for every variance: of a block it is W X_b β_b. `width` values an entry; slopes take y'P V P y. */
static void working_vectors(double *f, double *py, struct slope *g, const struct solved *s,
                            const struct mixed_model *m, const double *v)
{
    size_t width = m->n_blocks + MIXED_OTHERS;
    memcpy(py, s->residual, m->n * sizeof *py);
    whiten_transposed(py, 1, &s->w, m);
    other_vectors(f, py, m, v);
    for (size_t j = m->n_blocks; j < width; j++) {
        g->gradient[j] += 0.5 * cblas_ddot((int)m->n, f + j, (int)width, py, 1);
    }
    whiten(f, width, &s->w, m); /* columns of the blocks are zero yet */
    for (size_t b = 0; b < m->n_blocks; b++) {
        size_t begin = block_begin(m, b), size = block_size(m, b);
        for (size_t e = 0; e < m->n; e++) {
            f[e * width + b] =
                cblas_ddot((int)size, s->w.line + e * m->q + begin, 1, s->beta + begin, 1);
        }
    }
}

/* The average information ½ f_i'P f_j, with what rows within entries tell of the noise. */
static void inform(struct slope *g, const double *f, const double *h, double *hf,
                   const struct mixed_model *m, double noise)
{
    int width = (int)g->n, n = (int)m->n, q = (int)m->q;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, q, width, n, 1.0, h, q, f, width, 0.0, hf,
                q);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, width, width, n, 0.5, f, width, f, width,
                0.0, g->information, width);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, width, width, q, -0.5, hf, q, hf, q, 1.0,
                g->information, width);
    g->information[g->n * g->n - 1] += 0.5 * m->within / noise;
}

static int slope_at(struct slope *g, const struct solved *s, const struct mixed_model *m,
                    const double *v)
{
    double trace[MIXED_OTHERS] = {0.0};
    FREED double *h = NULL, *f = NULL, *hf = NULL, *py = NULL;
    const double *other = v + m->n_blocks;
    *g = (struct slope){.n = m->n_blocks + MIXED_OTHERS};
    TRY(block_slopes(g, s, m, v));
    TRY(regret_stop_check(m->stop));
    TRY(project(&h, s, m));
    TRY(REGRET_NEW(&f, m->n * g->n));
    TRY(REGRET_NEW(&hf, m->q * (g->n + 1)));
    TRY(REGRET_NEW(&py, m->n));
    working_vectors(f, py, g, s, m, v);
    inform(g, f, h, hf, m, other[MIXED_NOISE]);
    other_traces(trace, h, hf, s, m);
    for (size_t j = 0; j < MIXED_OTHERS; j++) {
        g->gradient[m->n_blocks + j] -= 0.5 * other[j] * trace[j];
    }
    for (size_t e = 0; e < m->n; e++) {
        g->gradient[g->n - 1] -= 0.5 * mixed_times(m, e) * (m->rows[e] - 1.0);
    }
    g->gradient[g->n - 1] += 0.5 * m->within / other[MIXED_NOISE];
    return REGRET_OK;
}

/* ---- The climb --------------------------------------------------------------------------------- */

enum { MOST_STEPS = 100 };
static const double LONGEST_STEP = 2.0; /* in log v */
static const double LEAST_SLOPE = 1e-7; /* of ℓ in log v, of any variance that may move */
static const double MOST_DAMPING = 1e9; /* by then a step is none */

/* Those that may move: in no empty block, and not pressed against a bound. */
static size_t free_places(size_t *place, const struct slope *g, const struct mixed_model *m,
                          const double *v, const double *low)
{
    size_t n = 0;
    for (size_t j = 0; j < g->n; j++) {
        int is_empty = j < m->n_blocks && block_size(m, j) == 0;
        int is_pressed = (v[j] <= low[j] && g->gradient[j] <= 0.0) ||
                         (v[j] >= MIXED_MOST && g->gradient[j] >= 0.0);
        if (!is_empty && !is_pressed) {
            place[n++] = j;
        }
    }
    return n;
}

/* v ← the damped Newton step from `from`; *gain: of ℓ, as the quadratic promises it. */
static int step(double *v, double *gain, const struct slope *g, const struct mixed_model *m,
                const double *from, const double *low, double damping)
{
    double a[MIXED_MAX_VARIANCES * MIXED_MAX_VARIANCES], delta[MIXED_MAX_VARIANCES];
    size_t place[MIXED_MAX_VARIANCES], n = free_places(place, g, m, from, low);
    *gain = 0.0;
    memcpy(v, from, g->n * sizeof *v);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            a[i * n + j] = g->information[place[i] * g->n + place[j]];
        }
        a[i * n + i] += damping * a[i * n + i] + 1e-9;
        delta[i] = g->gradient[place[i]];
    }
    TRY(regret_sym_cholesky(a, n));
    regret_sym_cholesky_solve(delta, n > 0, a, n);
    for (size_t i = 0; i < n; i++) {
        double move = fmax(-LONGEST_STEP, fmin(LONGEST_STEP, delta[i]));
        *gain += 0.5 * move * g->gradient[place[i]];
        v[place[i]] = fmin(MIXED_MOST, fmax(low[place[i]], from[place[i]] * exp(move)));
    }
    return REGRET_OK;
}

/* solve_at() that leaves nothing behind where it fails. */
static int solve_next(struct solved *next, const struct mixed_model *m, const double *v)
{
    FREED_BY(solved_free) struct solved s = {0};
    TRY(solve_at(&s, m, v));
    *next = s;
    s = (struct solved){0};
    return REGRET_OK;
}

static int is_summit(const struct slope *g, const struct mixed_model *m, const double *v,
                     const double *low)
{
    size_t place[MIXED_MAX_VARIANCES], n = free_places(place, g, m, v, low);
    double steepest = 0.0;
    for (size_t i = 0; i < n; i++) {
        steepest = fmax(steepest, fabs(g->gradient[place[i]]));
    }
    return steepest < LEAST_SLOPE;
}

/* One step up: *s and v move on where ℓ rises, and *damping is what the next step begins with. The more of it, the nearer
 * to each variance's own slope, which bounds cannot turn round. *done: there is no way up. */
static int climb(int *done, struct solved *s, double *v, double *damping,
                 const struct mixed_model *m, const double *low)
{
    struct slope g;
    struct solved next = {0};
    double tried[MIXED_MAX_VARIANCES] = {0.0}, gain = 0.0;
    TRY(slope_at(&g, s, m, v));
    *done = is_summit(&g, m, v, low);
    while (!*done) {
        int rc = step(tried, &gain, &g, m, v, low, *damping);
        if (rc != REGRET_E_NUMERIC) { /* of variances that do the same: more damping helps */
            TRY(rc);
        }
        TRY(gain > 0.0 ? solve_next(&next, m, tried) : REGRET_OK);
        if (gain > 0.0 && next.likelihood > s->likelihood) {
            solved_free(s);
            *s = next;
            memcpy(v, tried, g.n * sizeof *v);
            *damping *= 0.1;
            return REGRET_OK;
        }
        solved_free(&next);
        *damping = fmax(1e-2, *damping * 8.0);
        *done = *damping > MOST_DAMPING;
    }
    return REGRET_OK;
}

int mixed_choose(double *v, double *likelihood, const struct mixed_model *m, const double *low)
{
    FREED_BY(solved_free) struct solved s = {0};
    FREED_BY(alike_free) struct alike a = {0};
    double damping = 0.0;
    int done = 0;
    TRY(alike_make(&a, m));
    TRY(solve_at(&s, &a.model, v));
    for (int i = 0; i < MOST_STEPS && !done; i++) {
        TRY(climb(&done, &s, v, &damping, &a.model, low));
    }
    *likelihood = s.likelihood;
    return REGRET_OK;
}
