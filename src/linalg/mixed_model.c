#include "linalg/mixed_model.h"

#include <cblas.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "linalg/dense.h"
#include "linalg/internal.h"
#include "regret/status.h"

#define MIXED_MOST 1e2

/* ---- ℓ at one v ---------------------------------------------------------------------------------- */

struct solved {
    struct equations q;
    double *x;        /* coefficients of all columns */
    double *y;        /* [n] √d y */
    double *fitted;   /* EQUATIONS_WIDTH × n */
    double *residual; /* [n] √d (y − X β): √d of it is P y */
    double likelihood;
};

static void solved_free(struct solved *s)
{
    equations_free(&s->q);
    regret_free(s->x);
    regret_free(s->y);
    regret_free(s->fitted);
    regret_free(s->residual);
    *s = (struct solved){0};
}

/* out ← f − √D X x. */
static void subtract_fit(double *out, double *fitted, const struct equations *q, const double *x,
                         const double *f)
{
    equations_fit(fitted, q, x);
    for (size_t i = 0; i < q->c->m->n; i++) {
        out[i] = f[i];
        for (size_t j = 0; j < EQUATIONS_WIDTH; j++) {
            out[i] -= fitted[i * EQUATIONS_WIDTH + j];
        }
    }
}

/* Σ over columns of a variance of `of`, and how many they are. */
struct column_sums {
    double sum[EQUATIONS_WIDTH], n[EQUATIONS_WIDTH];
};

static void add_column(struct column_sums *sums, size_t variance, double value)
{
    size_t b = variance == SIZE_MAX ? EQUATIONS_FIXED : variance;
    sums->sum[b] += value;
    sums->n[b] += 1.0;
}

/* Of x² + of, where `of` is one. */
static struct column_sums sum_columns(const struct crossed *c, const double *x, const double *of)
{
    struct column_sums sums = {0};
    for (size_t j = 0; j < equations_columns(c); j++) {
        add_column(&sums,
                   j < c->n_inner ? crossed_inner_variance(c, j)
                                  : crossed_outer_variance(c, j - c->n_inner),
                   x[j] * x[j] + (of != NULL ? of[j] : 0.0));
    }
    return sums;
}

/* By log|V| + log|X_f' V⁻¹ X_f| = log|D⁻¹| + log|K| + Σ q_b log v_b, and y'Py = y'D(y − X β). */
static double likelihood_of(const struct solved *s, const struct mixed_model *m, const double *v)
{
    const struct crossed *c = s->q.c;
    const struct column_sums sums = sum_columns(c, s->x, NULL);
    double noise = v[m->n_blocks + MIXED_NOISE], rows = 0.0; /* beyond the first of an entry */
    double sum = s->q.log_det + cblas_ddot((int)m->n, s->y, 1, s->residual, 1);
    for (size_t i = 0; i < m->n; i++) {
        sum -= 2.0 * log(s->q.root[i]);
        rows += m->rows[i] - 1.0;
    }
    for (size_t b = 0; b <= m->n_blocks + MIXED_GROUP; b++) {
        sum += sums.n[b] > 0.0 ? sums.n[b] * log(v[b]) : 0.0;
    }
    return -0.5 * (sum + rows * log(noise) + m->within / noise);
}

static int solve_at(struct solved *s, const struct crossed *c, const double *v)
{
    const struct mixed_model *m = c->m;
    *s = (struct solved){0};
    TRY(regret_stop_check(m->stop));
    TRY(equations_make(&s->q, c, v));
    TRY(REGRET_NEW(&s->x, equations_columns(c)));
    TRY(REGRET_NEW(&s->y, m->n));
    TRY(REGRET_NEW(&s->fitted, EQUATIONS_WIDTH * m->n));
    TRY(REGRET_NEW(&s->residual, m->n));
    for (size_t i = 0; i < m->n; i++) {
        s->y[i] = s->q.root[i] * m->y[c->order[i]];
    }
    equations_solve(s->x, &s->q, s->y, 1);
    subtract_fit(s->residual, s->fitted, &s->q, s->x, s->y);
    s->likelihood = likelihood_of(s, m, v);
    return isfinite(s->likelihood)
               ? REGRET_OK
               : regret_fail(REGRET_E_NUMERIC, "a mixed model has no finite likelihood: check the "
                                               "features and outcomes for values that are not");
}

/* β from the coefficients in the order of crossed.h; a part without entries has none. */
static void put_beta(double *beta, const struct crossed *c, const double *x)
{
    const struct mixed_model *m = c->m;
    const double *outer = x + c->n_inner;
    const double *parts = c->is_part_inside ? x : outer + m->common;
    memset(beta, 0, mixed_columns(m) * sizeof *beta);
    memcpy(beta, outer, m->common * sizeof *beta);
    for (size_t e = 0; e < m->n; e++) {
        memcpy(beta + m->common + m->part[e] * m->own, parts + c->part.of[e] * m->own,
               m->own * sizeof *beta);
    }
}

int mixed_solve(double *beta, const struct mixed_model *m, const double *v)
{
    FREED_BY(crossed_free) struct crossed c = {0};
    FREED_BY(solved_free) struct solved s = {0};
    TRY(crossed_make(&c, m));
    TRY(solve_at(&s, &c, v));
    put_beta(beta, &c, s.x);
    return REGRET_OK;
}

/* ---- Slope and curvature in log v -------------------------------------------------------------- */

struct slope {
    size_t n; /* variances */
    double gradient[MIXED_MAX_VARIANCES];
    double information[MIXED_MAX_VARIANCES * MIXED_MAX_VARIANCES];
};

/* v_b tr(P X_b X_b') = q_b − tr(K⁻¹_bb)/v_b, less v_b y'P X_b X_b'P y = ‖β_b‖²/v_b; those of groups likewise. */
static void block_slopes(struct slope *g, const struct solved *s, const double *diagonal,
                         const double *v)
{
    const struct column_sums sums = sum_columns(s->q.c, s->x, diagonal);
    for (size_t b = 0; b < g->n; b++) {
        g->gradient[b] = sums.n[b] > 0.0 ? 0.5 * (sums.sum[b] / v[b] - sums.n[b]) : 0.0;
    }
}

/* ½ v_j (y'P V_j P y − tr(P V_j)) of the three variances behind the blocks, P_ee = d_e (1 − h_e), h the diagonal of √D X K⁻¹ X' √D; and what rows within entries
 * tell of the noise. */
static void other_slopes(struct slope *g, const struct solved *s, const double *h, const double *v)
{
    const struct mixed_model *m = s->q.c->m;
    double share[MIXED_OTHERS], *own = g->gradient + m->n_blocks;
    for (size_t i = 0; i < m->n; i++) {
        double d = s->q.root[i] * s->q.root[i];
        crossed_shares(share, s->q.c, i, v);
        for (size_t j = 0; j < MIXED_OTHERS; j++) {
            own[j] += 0.5 * share[j] * d * (s->residual[i] * s->residual[i] - (1.0 - h[i]));
        }
        own[MIXED_NOISE] -= 0.5 * (m->rows[i] - 1.0);
    }
    own[MIXED_NOISE] += 0.5 * m->within / v[m->n_blocks + MIXED_NOISE];
}

/* √d v_j V_j P y for every variance, n × variances: of a block √d X_b β_b. */
static void working_vectors(double *f, const struct solved *s, const double *v)
{
    const struct mixed_model *m = s->q.c->m;
    double share[MIXED_OTHERS];
    for (size_t i = 0; i < m->n; i++) {
        double d = s->q.root[i] * s->q.root[i];
        crossed_shares(share, s->q.c, i, v);
        for (size_t j = 0; j < m->n_blocks + MIXED_OTHERS; j++) {
            f[j * m->n + i] = s->fitted[i * EQUATIONS_WIDTH + j];
        }
        for (size_t j = 0; j < MIXED_OTHERS; j++) {
            f[(m->n_blocks + j) * m->n + i] += d * share[j] * s->residual[i];
        }
    }
}

/* The average information ½ f_i'P f_j, P = D − √D (L⁻¹X'√D)'(L⁻¹X'√D) √D, with what rows within entries tell of the noise. */
static int inform(struct slope *g, const struct solved *s, const double *v)
{
    const struct crossed *c = s->q.c;
    int n = (int)c->m->n, columns = (int)equations_columns(c), width = (int)g->n;
    FREED double *f = NULL, *x = NULL;
    TRY(REGRET_NEW(&f, c->m->n * g->n));
    TRY(REGRET_NEW(&x, equations_columns(c) * g->n));
    working_vectors(f, s, v);
    equations_reduce(x, &s->q, f, g->n);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, width, width, n, 0.5, f, n, f, n, 0.0,
                g->information, width);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, width, width, columns, -0.5, x, columns, x,
                columns, 1.0, g->information, width);
    g->information[g->n * g->n - 1] += 0.5 * c->m->within / v[c->m->n_blocks + MIXED_NOISE];
    return REGRET_OK;
}

static int slope_at(struct slope *g, const struct solved *s, const double *v)
{
    const struct crossed *c = s->q.c;
    FREED double *of_entries = NULL, *of_columns = NULL;
    *g = (struct slope){.n = c->m->n_blocks + MIXED_OTHERS};
    TRY(REGRET_NEW(&of_entries, c->m->n));
    TRY(REGRET_NEW(&of_columns, equations_columns(c)));
    TRY(equations_diagonals(of_entries, of_columns, &s->q));
    TRY(regret_stop_check(c->m->stop));
    block_slopes(g, s, of_columns, v);
    other_slopes(g, s, of_entries, v);
    return inform(g, s, v);
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
        int is_empty = j < m->n_blocks && m->block[j].end == m->block[j].begin;
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
static int solve_next(struct solved *next, const struct crossed *c, const double *v)
{
    FREED_BY(solved_free) struct solved s = {0};
    TRY(solve_at(&s, c, v));
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
static int climb(int *done, struct solved *s, double *v, double *damping, const double *low)
{
    const struct mixed_model *m = s->q.c->m;
    struct slope g;
    double tried[MIXED_MAX_VARIANCES] = {0.0}, gain = 0.0;
    TRY(slope_at(&g, s, v));
    *done = is_summit(&g, m, v, low);
    while (!*done) {
        int rc = step(tried, &gain, &g, m, v, low, *damping);
        if (rc != REGRET_E_NUMERIC) { /* of variances that do the same: more damping helps */
            TRY(rc);
        }
        if (gain > 0.0) {
            struct solved next = {0};
            TRY(solve_next(&next, s->q.c, tried));
            if (next.likelihood > s->likelihood) {
                solved_free(s);
                *s = next;
                memcpy(v, tried, g.n * sizeof *v);
                *damping *= 0.1;
                return REGRET_OK;
            }
            solved_free(&next);
        }
        *damping = fmax(1e-2, *damping * 8.0);
        *done = *damping > MOST_DAMPING;
    }
    return REGRET_OK;
}

int mixed_choose(double *v, double *likelihood, const struct mixed_model *m, const double *low)
{
    FREED_BY(crossed_free) struct crossed c = {0};
    FREED_BY(solved_free) struct solved s = {0};
    double damping = 0.0;
    int done = 0;
    TRY(crossed_make(&c, m));
    TRY(solve_at(&s, &c, v));
    for (int i = 0; i < MOST_STEPS && !done; i++) {
        TRY(climb(&done, &s, v, &damping, low));
    }
    *likelihood = s.likelihood;
    return REGRET_OK;
}
