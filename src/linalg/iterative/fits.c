/* Conjugate gradients for many fits at once: each has its own weights, all share the products with ΦΦᵀ
 * and with the sketch. Vectors of fit i are columns of n × fits arrays. */
#include "linalg/iterative/fits.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"

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

struct fit_shares fit_shares(const struct iterative *it, const struct iterative_fit *fit)
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

int fit_start(struct conjugate *c, size_t i)
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

int fit_is_wanted(const struct one *o)
{
    return !o->dropped && !o->settled && o->waits == 0;
}

double fit_bound(const struct conjugate *c, const struct one *o, double norm)
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

double fit_residual(double *r, struct conjugate *c, size_t i)
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

int fits_fall_short(const struct conjugate *c, double error, int stalled)
{
    int any = 0;
    for (size_t i = 0; i < c->k; i++) {
        const struct one *o = &c->one[i];
        any |= fit_is_wanted(o) && o->error > error && (o->stalled || !stalled);
    }
    return any;
}

int fits_iterate(struct conjugate *c, double error)
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

void fits_leave_single(struct conjugate *c, double error)
{
    c->single = 0;
    for (size_t i = 0; i < c->k; i++) {
        c->one[i].checked = INFINITY;
    }
    check(c, error, 1);
}
