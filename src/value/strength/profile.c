/* What the likelihood of strengths says of values and of differences. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "value/strength/strength.h"

void strength_gradient(double *g, const double *theta, size_t m, size_t a, size_t b)
{
    memset(g, 0, m * sizeof *g);
    if (a == m) {
        g[m] = 1.0;
        return;
    }
    for (size_t j = 0; j < m; j++) {
        double p = strength_win(theta[a] - theta[j]),
               q = b < m ? strength_win(theta[b] - theta[j]) : 0.0;
        double of_a = j != a ? p * (1.0 - p) / (double)(m - 1) : 0.0;
        double of_b = j != b ? q * (1.0 - q) / (double)(m - 1) : 0.0;
        g[j] += of_b - of_a;
        g[a] += of_a;
        if (b < m) {
            g[b] -= of_b;
        }
    }
}

static double value_at(const double *theta, size_t m, size_t a)
{
    return a == m ? theta[m] : strength_value(theta, m, a);
}

/* A line through the maximum: along H⁻¹ contrast the likelihood falls least, nearly. */
struct along {
    struct profiled *p;
    const double *contrast; /* [dim] */
    double *direction;      /* [dim] H⁻¹ contrast, over its length in the contrast */
    double at, error;       /* the contrast at the maximum, and its error */
    double *theta;          /* [dim] the constrained maximum that was last found */
    double *room;
};

static void begin(struct along *l, struct profiled *p, const double *contrast, double *room)
{
    size_t n = p->c->m + (size_t)p->c->position;
    double variance = 0.0;
    *l = (struct along){p, contrast, room, 0.0, 0.0, room + n, room + 2 * n};
    for (size_t i = 0; i < n; i++) {
        l->direction[i] = 0.0;
        for (size_t j = 0; j < n; j++) {
            l->direction[i] += p->inverse[i * n + j] * contrast[j];
        }
    }
    for (size_t j = 0; j < n; j++) {
        variance += contrast[j] * l->direction[j];
        l->at += contrast[j] * p->theta[j];
    }
    for (size_t i = 0; i < n; i++) {
        l->direction[i] /= variance;
    }
    l->error = sqrt(variance);
}

/* √(twice the fall) where the contrast is x from the maximum's. */
static int fall_at(double *out, struct along *l, double x)
{
    const struct compared *c = l->p->c;
    int steps = 0;
    for (size_t i = 0; i < c->m + (size_t)c->position; i++) {
        l->theta[i] = l->p->theta[i] + x * l->direction[i];
    }
    TRY(strength_maximise(l->theta, &steps, c, l->p->ridge, l->contrast, l->room));
    *out = sqrt(2.0 * fmax(0.0, l->p->top - strength_likelihood(c, l->theta, l->p->ridge)));
    return REGRET_OK;
}

/* Leaves in l->theta where the fall is `wanted` on one side; *is_there 0 where the contrast ends before. */
static int find_end(int *is_there, struct along *l, double side, double wanted)
{
    const double farthest = 30.0, enough = 1e-12;
    double low = 0.0, high = INFINITY, fall_low = 0.0, fall_high = 0.0;
    double x = fmin(wanted * l->error, 8.0);
    *is_there = 1;
    for (int k = 0; k < 100; k++) {
        double fall = 0.0;
        if (fabs(l->at + side * x) > farthest && !isfinite(high)) {
            *is_there = 0;
            return REGRET_OK;
        }
        TRY(fall_at(&fall, l, side * x));
        if (fabs(fall - wanted) <= enough * wanted) {
            break;
        }
        if (fall < wanted) {
            low = x;
            fall_low = fall;
        } else {
            high = x;
            fall_high = fall;
        }
        double secant = low + (high - low) * (wanted - fall_low) / (fall_high - fall_low);
        double last = x;
        x = !isfinite(high) ? fmin(2.0 * x, x * fmax(1.1, 1.05 * wanted / fall))
            : k % 3 == 2    ? 0.5 * (low + high)
                            : secant;
        if (fabs(x - last) <= enough * x) {
            break;
        }
    }
    return REGRET_OK;
}

int strength_profile(struct limits *out, struct profiled *p, size_t a, double critical)
{
    size_t m = p->c->m;
    double *contrast = p->room, value = value_at(p->theta, m, a);
    struct along l;
    if (p->c->position) {
        contrast[m] = 0.0;
    }
    strength_gradient(contrast, p->theta, m, a, SIZE_MAX);
    double largest = contrast[a];
    for (size_t i = 0; i < m && a < m; i++) {
        contrast[i] /= largest;
    }
    begin(&l, p, contrast, p->room + m + 1);
    for (int side = -1; side <= 1; side += 2) {
        int is_there = 0;
        TRY(find_end(&is_there, &l, side, sqrt(critical)));
        double end = is_there   ? value_at(l.theta, m, a)
                     : a == m   ? (double)side * INFINITY
                     : side > 0 ? 1.0
                                : 0.0;
        *(side < 0 ? &out->low : &out->high) = side < 0 ? fmin(end, value) : fmax(end, value);
    }
    return REGRET_OK;
}

int strength_ratio(double *out, struct profiled *p, size_t a, size_t b)
{
    size_t m = p->c->m;
    double *contrast = p->room, fall = 0.0;
    struct along l;
    memset(contrast, 0, (m + 1) * sizeof *contrast);
    contrast[a] = 1.0;
    if (b < m) {
        contrast[b] = -1.0;
    }
    begin(&l, p, contrast, p->room + m + 1);
    TRY(fall_at(&fall, &l, -l.at));
    *out = fall * fall;
    return REGRET_OK;
}
