#include "linalg/internal.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/iterative.h"
#include "linalg/precondition.h"
#include "regret/status.h"

/* Conjugate gradients for many fits at once: each has its own weights, all share the products with ΦΦᵀ
 * and with the sketch. Vectors of fit i are columns of n × fits arrays. */

/* Weight of a count of OBS and of one of EXP in a fit. */
struct fit_shares {
    double obs, exp;
};

enum { MOST_STEPS = 500, MOST_STEPS_OF_LAST_RESORT = 2000, MOST_STARTS = 8 };

/* So many steps that do not halve a residual between them are rounding's: what is left is checked, and gone on from. */
enum { MOST_WITHOUT_GAIN = 60 };

/* In single precision steps go on to so much of an error, for what is proven is a little more than what the recurrence has. */
static const double SINGLE_AIM = 0.5;

static double dot(const double *a, const double *b, size_t n)
{
    return cblas_ddot((int)n, a, 1, b, 1);
}

/* v ← P v of fit i. */
static void project(struct conjugate *c, size_t i, double *v)
{
    elimination_project(v, c->spare, &c->eliminate, i, c->h + i * c->n, c->pairs);
}

/* ---------------------------------------------------------------- weights */

static double rows_left(const struct iterative_sample *s, const struct iterative_part *part)
{
    return s->rows - (part != NULL ? part->sample.rows : 0.0);
}

static struct fit_shares fit_shares(const struct iterative *it, const struct iterative_fit *fit)
{
    double obs = rows_left(&it->obs, fit->obs_left_out), exp = rows_left(&it->exp, fit->left_out);
    return (struct fit_shares){.obs = fit->lambda > 0.0 ? fit->lambda / obs : 0.0,
                               .exp = fit->lambda < 1.0 ? (1.0 - fit->lambda) / exp : 0.0};
}

/* w += share · count and wy += share · sum over the first n lines of a sample, without a part of it. */
static void add_sample(double *w, double *wy, double share, const double *count, const double *sum,
                       const struct iterative_part *part, size_t n)
{
    size_t e = 0, gone = part != NULL ? part->n : 0;
    for (size_t l = 0; share > 0.0 && l < n; l++) {
        double left = count[l], y = sum[l];
        if (e < gone && part->line[e] == l) {
            left -= part->sample.count[e]; /* whole numbers */
            y = left > 0.0 ? y - part->sample.sum[e] : 0.0;
            e++;
        }
        w[l] += share * left;
        wy[l] += share * y;
    }
}

/* w and Σ w y of a line in fit o, zero behind the pairs. */
static void weigh(double *w, double *wy, const struct conjugate *c, const struct one *o,
                  struct fit_shares share)
{
    const struct iterative *it = c->it;
    const double *obs_sum = o->fit.obs_sum != NULL ? o->fit.obs_sum : it->obs.sum;
    memset(w, 0, c->n * sizeof *w);
    memset(wy, 0, c->n * sizeof *wy);
    add_sample(w, wy, share.obs, it->obs.count, obs_sum, o->fit.obs_left_out, c->pairs);
    add_sample(w, wy, share.exp, it->exp.count, it->exp.sum, o->fit.left_out, it->m);
}

/* h of fit i, and P h∘ȳ at `target`. */
static void aim(double *target, struct conjugate *c, size_t i)
{
    struct one *o = &c->one[i];
    double *h = c->h + i * c->n;
    weigh(h, target, c, o, fit_shares(c->it, &o->fit));
    o->mean_y = 0.0;
    for (size_t l = 0; l < c->n; l++) {
        o->mean_y += target[l];
        h[l] = sqrt(h[l]);
        target[l] = h[l] > 0.0 ? target[l] / h[l] : 0.0;
    }
    project(c, i, target);
}

/* At x = 0. */
static int fit_start(struct conjugate *c, size_t i)
{
    struct one *o = &c->one[i];
    double *r = c->r + i * c->n;
    aim(r, c, i);
    memcpy(c->of_y + i * c->apart, c->spare, c->apart * sizeof *c->spare);
    o->norm = cblas_dnrm2((int)c->n, r, 1);
    o->least = o->norm;
    o->checked = INFINITY;
    o->error = INFINITY;
    TRY(elimination_reach(&o->reach, &c->eliminate, i, c->pairs));
    o->reach = (1.0 + o->reach) / 2.0;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- products */

/* out = K (h_i ∘ v_i) of the n fits listed: at their places, or packed. */
static void times_gram(double *out, struct conjugate *c, const double *v, const size_t *fit,
                       size_t n, int packed, int single)
{
    const struct sparse_columns columns = {.lines = c->n,
                                           .value = v,
                                           .factor = c->h,
                                           .which = fit,
                                           .n = n,
                                           .packed = packed,
                                           .single = single};
    sparse_rows_gram(out, c->it->rows, c->pairs, &columns, c->panel);
    c->steps += n;
}

/* z = P (r − h ∘ known)/ρ of fit i, known = F core⁻¹ Fᵀ(h ∘ r) (NULL: 0). */
static void precondition(double *z, struct conjugate *c, size_t i, const float *known)
{
    const double *h = c->h + i * c->n, *r = c->r + i * c->n;
    double rho = c->one[i].rho;
    for (size_t l = 0; l < c->pairs; l++) {
        z[l] = (r[l] - (known != NULL ? h[l] * (double)known[l] : 0.0)) / rho;
    }
    for (size_t l = c->pairs; l < c->n; l++) {
        z[l] = r[l] / rho;
    }
    project(c, i, z);
}

/* ---------------------------------------------------------------- iterating */

static int fit_is_wanted(const struct one *o)
{
    return !o->dropped && !o->settled && o->waits == 0;
}

/* The error that a residual of this norm proves. */
static double fit_bound(const struct conjugate *c, const struct one *o, double norm)
{
    return c->it->rows->longest * norm / sqrt(o->rho) * o->reach;
}

/* The next directions of the first `active` fits listed; where the recurrence has not begun, the first. */
static void turn(struct conjugate *c, size_t active)
{
    size_t n = c->n;
    const float *known = preconditioner_apply(&c->precondition, c->h, c->r, c->active, active);
    for (size_t a = 0; a < active; a++) {
        size_t i = c->active[a];
        struct one *o = &c->one[i];
        double *d = c->d + i * n, *z = c->q;
        precondition(z, c, i, known != NULL ? known + a * c->pairs : NULL);
        double rz = dot(c->r + i * n, z, n), beta = o->begun && o->rz > 0.0 ? rz / o->rz : 0.0;
        o->rz = rz;
        o->begun = 1;
        for (size_t l = 0; l < n; l++) {
            d[l] = beta > 0.0 ? z[l] + beta * d[l] : z[l];
        }
    }
}

/* The fits whose recurrence has not begun, of the `active` listed. */
static void begin(struct conjugate *c, size_t active)
{
    size_t fresh = 0;
    for (size_t a = 0; a < active; a++) {
        if (!c->one[c->active[a]].begun) {
            c->active[fresh++] = c->active[a];
        }
    }
    turn(c, fresh);
}

static void note_gain(struct one *o)
{
    o->since++;
    if (o->norm < 0.5 * o->least) {
        o->least = o->norm;
        o->since = 0;
    }
}

/* Along the directions of the fits of a panel. */
static void move(struct conjugate *c, const size_t *fit, size_t width)
{
    size_t n = c->n;
    times_gram(c->q, c, c->d, fit, width, 1, c->single);
    for (size_t a = 0; a < width; a++) {
        struct one *o = &c->one[fit[a]];
        size_t at = fit[a] * n;
        const double *h = c->h + at;
        double *q = c->q + a * n, *d = c->d + at, *r = c->r + at;
        for (size_t l = 0; l < c->pairs; l++) {
            q[l] = h[l] * q[l] + o->rho * d[l];
        }
        for (size_t l = c->pairs; l < n; l++) {
            q[l] = o->rho * d[l];
        }
        project(c, fit[a], q);
        double alpha = o->rz / dot(d, q, n);
        alpha = isfinite(alpha) ? alpha : 0.0;
        cblas_daxpy((int)n, alpha, d, 1, c->x + at, 1);
        cblas_daxpy((int)n, -alpha, q, 1, r, 1);
        o->norm = cblas_dnrm2((int)n, r, 1);
        note_gain(o);
    }
}

static void step(struct conjugate *c, size_t active)
{
    for (size_t first = 0; first < active; first += SPARSE_PANEL) {
        move(c, c->active + first, active - first < SPARSE_PANEL ? active - first : SPARSE_PANEL);
    }
    turn(c, active);
}

/* Fits whose bound is above `error`, as the recurrence has it. */
static size_t list_active(struct conjugate *c, double error)
{
    double aim = c->single ? SINGLE_AIM * error : error;
    size_t active = 0;
    for (size_t i = 0; i < c->k; i++) {
        const struct one *o = &c->one[i];
        if (fit_is_wanted(o) && o->error > error && o->since < MOST_WITHOUT_GAIN &&
            fit_bound(c, o, o->norm) > aim) {
            c->active[active++] = i;
        }
    }
    return active;
}

/* γ of ȳ − K h∘x, and the intercept not about the centre. */
static void take_strong(struct conjugate *c, size_t i)
{
    const double *h = c->h + i * c->n, *value = c->value + i * c->n;
    double *v = c->spare + 2 * c->apart, *strong = c->strong + i * c->apart;
    for (size_t l = 0; c->apart > 0 && l < c->n; l++) {
        v[l] = h[l] * value[l];
    }
    if (c->apart > 0) {
        elimination_project(v, c->spare, &c->eliminate, i, h, c->pairs);
        for (size_t j = 0; j < c->apart; j++) {
            strong[j] = c->of_y[i * c->apart + j] - c->spare[j];
            c->one[i].b -= c->eliminate.mean[i * c->apart + j] * strong[j];
        }
    }
}

/* The residual r that x really leaves; value and intercept with it. */
static double fit_residual(double *r, struct conjugate *c, size_t i)
{
    size_t n = c->n, at = i * n;
    struct one *o = &c->one[i];
    double fitted = 0.0;
    const double *h = c->h + at, *x = c->x + at, *value = c->value + at;
    aim(r, c, i);
    for (size_t l = 0; l < n; l++) {
        fitted += h[l] * h[l] * value[l];
        r[l] -= h[l] * value[l] + o->rho * x[l];
    }
    project(c, i, r);
    o->b = o->mean_y - fitted;
    take_strong(c, i);
    return cblas_dnrm2((int)n, r, 1);
}

/* Proves what was reached. Where rounding has led the recurrence astray it begins again; `afresh`: everywhere. */
static void check(struct conjugate *c, double error, int afresh)
{
    size_t listed = 0;
    for (size_t i = 0; i < c->k; i++) {
        if (fit_is_wanted(&c->one[i]) && (afresh || c->one[i].error > error)) {
            c->active[listed++] = i;
        }
    }
    times_gram(c->value, c, c->x, c->active, listed, 0, 0);
    for (size_t a = 0; a < listed; a++) {
        size_t i = c->active[a];
        struct one *o = &c->one[i];
        double norm = fit_residual(c->q, c, i);
        o->error = fit_bound(c, o, norm);
        o->stalled = !(norm < 0.5 * o->checked);
        o->checked = norm;
        if (afresh || o->error > error) {
            memcpy(c->r + i * c->n, c->q, c->n * sizeof *c->r);
            o->norm = o->least = norm;
            o->since = 0;
            o->begun = 0;
        }
    }
}

/* Whether a fit is further away than `error`; `stalled`: and rounding keeps it from getting any nearer. */
static int fits_fall_short(const struct conjugate *c, double error, int stalled)
{
    int any = 0;
    for (size_t i = 0; i < c->k; i++) {
        const struct one *o = &c->one[i];
        any |= fit_is_wanted(o) && o->error > error && (o->stalled || !stalled);
    }
    return any;
}

/* Until the error is proven, or rounding keeps a fit from getting there. */
static int fits_iterate(struct conjugate *c, double error)
{
    size_t steps = 0, most = c->it->is_last_resort ? MOST_STEPS_OF_LAST_RESORT : MOST_STEPS, active;
    for (int starts = 0; starts < MOST_STARTS; starts++) {
        begin(c, list_active(c, error));
        active = list_active(c, error);
        while (active > 0 && steps < most) {
            TRY(regret_stop_check(c->it->stop));
            step(c, active);
            steps++;
            active = list_active(c, error);
        }
        check(c, error, 0);
        if (list_active(c, error) == 0 || fits_fall_short(c, error, 1)) {
            break;
        }
    }
    return REGRET_OK;
}

/* From now on in double precision, all of them from the residuals that are really left. */
static void fits_leave_single(struct conjugate *c, double error)
{
    c->single = 0;
    for (size_t i = 0; i < c->k; i++) {
        c->one[i].checked = INFINITY;
    }
    check(c, error, 1);
}

/* Fits are made, solved along paths over λ, and asked. */

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
