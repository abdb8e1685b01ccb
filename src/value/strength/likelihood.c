/* The likelihood of strengths, its derivatives and its maxima. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/symmetric.h"
#include "value/strength/strength.h"

enum { MOST_STEPS = 200, MOST_HALVINGS = 60 };
/* Newton's method doubles its digits: what is left is rounding. */
static const double LAST_STEP = 1e-11;
/* Keeps γ finite where the first has won always; less than rounding else. */
static const double OF_POSITION = 1e-9;

double strength_win(double theta)
{
    return theta >= 0.0 ? 1.0 / (1.0 + exp(-theta)) : exp(theta) / (1.0 + exp(theta));
}

double strength_value(const double *theta, size_t n, size_t agent)
{
    double sum = 0.0, others = 0.0;
    for (size_t b = 0; b < n; b++) {
        if (b != agent && !isnan(theta[b])) {
            sum += strength_win(theta[agent] - theta[b]);
            others += 1.0;
        }
    }
    return isnan(theta[agent]) ? (double)NAN : others > 0.0 ? sum / others : 0.5;
}

static size_t dim_of(const struct compared *c)
{
    return c->m + (size_t)c->position;
}

/* s log p + (1 − s) log(1 − p) is s d − log(1 + e^d). */
double strength_likelihood(const struct compared *c, const double *theta, double ridge)
{
    double sum = 0.0;
    for (size_t v = 0; v < c->n_cells; v++) {
        double d = strength_gap(c, theta, &c->cell[v]);
        sum += c->cell[v].votes * (c->cell[v].share * d - fmax(d, 0.0) - log1p(exp(-fabs(d))));
    }
    for (size_t i = 0; i < c->m; i++) {
        double from = theta[i] - c->centre[i];
        sum -= 0.5 * ridge * from * from;
    }
    return sum - (c->position ? 0.5 * OF_POSITION * theta[c->m] * theta[c->m] : 0.0);
}

void strength_slope(double *g, const struct compared *c, const double *theta, double ridge)
{
    for (size_t i = 0; i < c->m; i++) {
        g[i] = -ridge * (theta[i] - c->centre[i]);
    }
    if (c->position) {
        g[c->m] = -OF_POSITION * theta[c->m];
    }
    for (size_t v = 0; v < c->n_cells; v++) {
        const struct regret_vote *of = &c->cell[v];
        double rest = of->votes * (of->share - strength_win(strength_gap(c, theta, of)));
        g[of->a] += rest;
        g[of->b] -= rest;
        if (c->position) {
            g[c->m] += of->first * rest;
        }
    }
}

void strength_information(double *h, const struct compared *c, const double *theta, double ridge)
{
    size_t m = c->m, n = dim_of(c);
    memset(h, 0, n * n * sizeof *h);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            h[i * n + j] = 1.0 / (double)m;
        }
        h[i * n + i] += ridge;
    }
    if (c->position) {
        h[m * n + m] = OF_POSITION;
    }
    for (size_t v = 0; v < c->n_cells; v++) {
        size_t a = c->cell[v].a, b = c->cell[v].b;
        double p = strength_win(strength_gap(c, theta, &c->cell[v]));
        double w = c->cell[v].votes * p * (1.0 - p);
        h[a * n + a] += w;
        h[b * n + b] += w;
        h[a < b ? a * n + b : b * n + a] -= w; /* the lower triangle, by columns */
        if (c->position) {
            h[a * n + m] += c->cell[v].first * w;
            h[b * n + m] -= c->cell[v].first * w;
            h[m * n + m] += (c->cell[v].first != 0 ? w : 0.0);
        }
    }
}

struct newton {
    double *next, *step, *along,
        *h; /* [dim], [dim], [dim], [dim × dim]; step and along are neighbours */
};

/* The contrast stays what it is: the step's part along H⁻¹ contrast is taken off. */
static void keep_contrast(struct newton *w, const struct compared *c, const double *contrast)
{
    double moved = 0.0, along = 0.0;
    for (size_t i = 0; i < dim_of(c); i++) {
        moved += contrast[i] * w->step[i];
        along += contrast[i] * w->along[i];
    }
    for (size_t i = 0; i < dim_of(c); i++) {
        w->step[i] -= moved / along * w->along[i];
    }
}

/* One step, halved while the likelihood falls by it; *length is that of its longest part. */
static int improve(double *length, double *theta, struct newton *w, const struct compared *c,
                   double ridge, const double *contrast)
{
    size_t n = dim_of(c);
    double before = strength_likelihood(c, theta, ridge), share = 1.0;
    double rounding = 1e-13 * fmax(1.0, fabs(before)); /* in it a last step would be lost */
    double rise = 0.0; /* twice that of the likelihood by the step */
    strength_slope(w->step, c, theta, ridge);
    memcpy(w->next, w->step, n * sizeof *w->next);
    strength_information(w->h, c, theta, ridge);
    TRY(regret_sym_cholesky(w->h, n));
    if (contrast != NULL) {
        memcpy(w->along, contrast, n * sizeof *w->along);
    }
    regret_sym_cholesky_solve(w->step, contrast != NULL ? 2 : 1, w->h, n);
    if (contrast != NULL) {
        keep_contrast(w, c, contrast);
    }
    for (size_t i = 0; i < n; i++) {
        rise += w->next[i] * w->step[i];
    }
    for (int k = 0; k < MOST_HALVINGS; k++, share *= 0.5) {
        *length = 0.0;
        for (size_t i = 0; i < n; i++) {
            w->next[i] = theta[i] + share * w->step[i];
            *length = fmax(*length, fabs(share * w->step[i]));
        }
        if (*length <= LAST_STEP || strength_likelihood(c, w->next, ridge) >= before - rounding) {
            break;
        }
    }
    memcpy(theta, w->next, n * sizeof *theta);
    *length = rise > 1e-4 * rounding ? *length : 0.0; /* where it is flat steps are rounding */
    return REGRET_OK;
}

int strength_maximise(double *theta, int *steps, const struct compared *c, double ridge,
                      const double *contrast, double *room)
{
    size_t n = dim_of(c);
    struct newton w = {room, room + n, room + 2 * n, room + 3 * n};
    double length = INFINITY;
    for (*steps = 0; length > LAST_STEP && *steps < MOST_STEPS; ++*steps) {
        TRY(improve(&length, theta, &w, c, ridge, contrast));
    }
    return length <= LAST_STEP ? REGRET_OK
                               : regret_fail(REGRET_E_NUMERIC,
                                             "strengths of %zu agents do not settle in %d steps; "
                                             "a larger ridge would help",
                                             c->m, (int)MOST_STEPS);
}
