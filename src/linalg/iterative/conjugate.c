/* Fits are made, solved along paths over λ, and asked. */
#include "linalg/iterative/conjugate.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/iterative/fits.h"
#include "regret/alloc.h"

FREED_POINTER(struct conjugate, conjugate_free)

/* Down to this error steps multiply in single precision; what they reach is proven in double. */
static const double SINGLE_ERROR = 1e-5;

/* ---------------------------------------------------------------- setting up */

static int prepare(struct conjugate *c, const struct iterative_fit *fit)
{
    const struct iterative *it = c->it;
    for (size_t i = 0; i < c->k; i++) {
        struct one *o = &c->one[i];
        o->fit = fit[i];
        struct fit_shares share = fit_shares(it, &o->fit);
        o->rho = share.obs * it->obs.rho +
                 share.exp * (o->fit.rho_exp > 0.0 ? o->fit.rho_exp : it->exp.rho);
        TRY(preconditioner_set(&c->precondition, &c->eliminate, i, it, &o->fit, share.obs,
                               share.exp, o->rho));
        TRY(fit_start(c, i));
    }
    return REGRET_OK;
}

int conjugate_create(struct conjugate **out, const struct iterative *it,
                     const struct iterative_fit *fit, size_t n)
{
    FREED_BY(conjugate_free_at) struct conjugate *c = NULL;
    TRY(REGRET_NEW(&c, 1));
    c->it = it;
    c->k = n;
    c->apart = it->strong.q;
    c->pairs = it->m;
    for (size_t i = 0; i < n; i++) {
        c->pairs = fit[i].lambda > 0.0 ? it->n : c->pairs;
    }
    c->n = c->pairs + c->apart;
    size_t column = c->n * n, wide = n < SPARSE_PANEL ? n : SPARSE_PANEL;
    TRY(REGRET_NEW(&c->one, n));
    TRY(REGRET_NEW(&c->active, n));
    TRY(REGRET_NEW(&c->memory, 5 * column + 2 * c->apart * n + c->n + 2 * c->apart + wide * c->n +
                                   sparse_rows_scratch(it->rows)));
    c->h = c->memory;
    c->x = c->h + column;
    c->r = c->x + column;
    c->d = c->r + column;
    c->value = c->d + column;
    c->strong = c->value + column;
    c->of_y = c->strong + c->apart * n;
    c->spare = c->of_y + c->apart * n;
    c->q = c->spare + c->n + 2 * c->apart;
    c->panel = c->q + wide * c->n;
    TRY(preconditioner_init(&c->precondition, it, c->pairs, n));
    TRY(elimination_init(&c->eliminate, &it->strong, n));
    TRY(prepare(c, fit));
    *out = c;
    c = NULL;
    return REGRET_OK;
}

void conjugate_free(struct conjugate *c)
{
    if (c != NULL) {
        preconditioner_clear(&c->precondition);
        elimination_clear(&c->eliminate);
        regret_free(c->one);
        regret_free(c->active);
        regret_free(c->memory);
        regret_free(c);
    }
}

/* ---------------------------------------------------------------- paths over λ */

enum { FIRST_STRIDE = 8, LEAST_PATH = 6, NEIGHBOURS = 6 };

/* Fits that differ in λ alone. */
static int on_one_path(const struct iterative_fit *a, const struct iterative_fit *b)
{
    return a->left_out == b->left_out && a->obs_left_out == b->obs_left_out &&
           a->obs_sum == b->obs_sum && a->rho_exp == b->rho_exp;
}

/* Every eighth fit of a path and its last wait for none; then come those halfway between them, and so on. */
static int stage_of(const struct conjugate *c, size_t i)
{
    const struct iterative_fit *f = &c->one[i].fit;
    size_t at = 0, n = 0;
    int stage = 0;
    for (size_t j = 0; j < c->k; j++) {
        const struct iterative_fit *g = &c->one[j].fit;
        n += on_one_path(f, g);
        at += on_one_path(f, g) && (g->lambda < f->lambda || (g->lambda == f->lambda && j < i));
    }
    for (size_t s = FIRST_STRIDE; n >= LEAST_PATH && at + 1 < n && at % s != 0; s /= 2) {
        stage++;
    }
    return stage;
}

/* The fit on the path of i that is solved, at a λ that none of near[0..n) has, and at the nearest; or k. */
static size_t find_next(const struct conjugate *c, size_t i, const size_t *near, size_t n)
{
    const struct iterative_fit *f = &c->one[i].fit;
    size_t best = c->k;
    double least = INFINITY;
    for (size_t j = 0; j < c->k; j++) {
        const struct iterative_fit *g = &c->one[j].fit;
        int out = c->one[j].waits > 0 || !on_one_path(f, g);
        for (size_t a = 0; a < n; a++) {
            out |= c->one[near[a]].fit.lambda == g->lambda;
        }
        if (!out && fabs(g->lambda - f->lambda) < least) {
            best = j;
            least = fabs(g->lambda - f->lambda);
        }
    }
    return best;
}

/* Adds the share of fit j in ρ h∘x of fit i, and in K h∘x with it. */
static void add_share(struct conjugate *c, size_t i, size_t j, double share)
{
    const struct one *to = &c->one[i], *of = &c->one[j];
    size_t n = c->n;
    double *x = c->x + i * n, *value = c->value + i * n, factor = share * of->rho / to->rho;
    const double *h = c->h + i * n, *h_of = c->h + j * n;
    const double *x_of = c->x + j * n, *value_of = c->value + j * n;
    for (size_t l = 0; l < c->pairs; l++) {
        x[l] += h[l] > 0.0 ? factor * (h_of[l] / h[l]) * x_of[l] : 0.0;
        value[l] += factor * value_of[l];
    }
    for (size_t l = c->pairs; l < n; l++) { /* √ρ x there is −Sᵀ(h∘x) */
        x[l] += factor * sqrt(of->rho / to->rho) * x_of[l];
    }
}

/* ρ h∘x = W(ȳ − f) is smooth in λ: fit i begins at what a polynomial through its neighbours has there, without a product,
 * where that is nearer than 0. */
static int begin_between(struct conjugate *c, size_t i)
{
    struct one *o = &c->one[i];
    size_t near[NEIGHBOURS], m = 0;
    for (size_t next; m < NEIGHBOURS && (next = find_next(c, i, near, m)) < c->k; m++) {
        near[m] = next;
    }
    for (size_t a = 0; a < m; a++) {
        double share = 1.0, at = c->one[near[a]].fit.lambda;
        for (size_t b = 0; b < m; b++) {
            double other = c->one[near[b]].fit.lambda;
            share *= b != a ? (o->fit.lambda - other) / (at - other) : 1.0;
        }
        add_share(c, i, near[a], share);
    }
    double norm = fit_residual(c->r + i * c->n, c, i);
    if (!(norm < o->norm)) {
        memset(c->x + i * c->n, 0, c->n * sizeof *c->x);
        return fit_start(c, i);
    }
    o->norm = o->least = norm;
    o->error = fit_bound(c, o, norm);
    return REGRET_OK;
}

static int follow_paths(struct conjugate *c, double error)
{
    int last = 0;
    for (size_t i = 0; i < c->k; i++) {
        c->one[i].waits = stage_of(c, i);
        last = c->one[i].waits > last ? c->one[i].waits : last;
    }
    TRY(fits_iterate(c, error));
    for (int stage = 1; stage <= last; stage++) {
        for (size_t i = 0; i < c->k; i++) {
            TRY(c->one[i].waits == 1 ? begin_between(c, i) : REGRET_OK);
        }
        for (size_t i = 0; i < c->k; i++) {
            c->one[i].waits -= c->one[i].waits > 0;
        }
        TRY(fits_iterate(c, error));
    }
    return REGRET_OK;
}

int conjugate_solve(struct conjugate *c, double error)
{
    error = c->it->is_last_resort ? fmax(error, REGRET_MANY_ERROR) : error;
    int fresh = c->steps == 0;
    if (fresh) {
        c->single = error >= SINGLE_ERROR;
    }
    if (c->single && error >= SINGLE_ERROR) {
        TRY(fresh ? follow_paths(c, error) : fits_iterate(c, error));
    }
    if (c->single && fits_fall_short(c, error, 0)) {
        fits_leave_single(c, error);
    }
    if (!c->single) {
        TRY(fits_iterate(c, error));
    }
    for (size_t i = 0; i < c->k; i++) {
        struct one *o = &c->one[i];
        o->settled |= c->it->is_last_resort && o->error <= REGRET_LOOSEST_ERROR && o->error > error;
        if (fit_is_wanted(o) && !(o->error <= error)) {
            return regret_fail(
                REGRET_E_NUMERIC,
                "conjugate gradients on %zu pairs end at an error of %.1e of lambda = "
                "%g, not %.1e, after %zu products: larger penalties (exp_only.rho, "
                "obs_only.rho) or fewer rows (n_obs) make them converge",
                c->pairs, o->error, o->fit.lambda, error, c->steps);
        }
    }
    return REGRET_OK;
}

void conjugate_drop(struct conjugate *c, size_t i)
{
    c->one[i].dropped = 1;
}

double conjugate_error(const struct conjugate *c, size_t i)
{
    return c->one[i].error;
}

size_t conjugate_steps(const struct conjugate *c)
{
    return c->steps;
}

/* ---------------------------------------------------------------- what comes out */

void conjugate_part_values(double *value, const struct conjugate *c, size_t i,
                           const struct iterative_part *part)
{
    for (size_t e = 0; e < part->n; e++) {
        value[e] = c->value[i * c->n + part->line[e]] + c->one[i].b;
        if (c->apart > 0) {
            value[e] += strong_line(&c->it->strong, part->line[e], c->strong + i * c->apart);
        }
    }
}

int conjugate_solution(double *solution, const struct conjugate *c, size_t i)
{
    const struct iterative *it = c->it;
    double *v = NULL;
    TRY(REGRET_NEW(&v, it->n + sparse_rows_scratch(it->rows)));
    for (size_t l = 0; l < c->pairs; l++) {
        v[l] = c->h[i * c->n + l] * c->x[i * c->n + l];
    }
    sparse_rows_combine(solution, it->rows, v, v + it->n);
    for (size_t j = 0; j < c->apart; j++) {
        solution[it->strong.design_column[j]] = c->strong[i * c->apart + j];
    }
    solution[it->rows->dim] = c->one[i].b;
    regret_free(v);
    return REGRET_OK;
}
