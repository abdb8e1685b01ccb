#include "evaluate/reference.h"

#include <math.h>
#include <stdlib.h>

static const double PRIOR = 4.0;

/* Σ over clusters of (Σ x)(Σ y), by comparing every row with every other. */
static double by_pairs(const struct basis *b, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < b->n; i++) {
        for (size_t j = 0; j < b->n; j++) {
            sum += b->cluster[i] == b->cluster[j] ? x[i] * y[j] : 0.0;
        }
    }
    return sum;
}

static double count_clusters(const struct basis *b, const unsigned char *use)
{
    double n = 0.0;
    for (size_t c = 0; c < b->n_clusters; c++) {
        int seen = 0;
        for (size_t i = 0; i < b->n; i++) {
            seen |= use[i] && b->cluster[i] == c;
        }
        n += seen;
    }
    return n;
}

static double surface(const struct basis *b, size_t i, uint32_t a)
{
    return b->surface[i * b->n_agents + a];
}

struct own {
    double weight, mean, m;
    double *q; /* [n] influence of rows on R */
};

static struct own own_rows(const struct basis *b, const uint32_t *choice, const unsigned char *use)
{
    struct own o = {0};
    double *w = calloc(b->n, sizeof *w), sum = 0.0;
    o.q = calloc(b->n, sizeof *o.q);
    for (size_t i = 0; i < b->n; i++) {
        w[i] = use[i] && choice[i] == b->agent[i] ? 1.0 / b->propensity[i] : 0.0;
        o.weight += w[i];
        sum += w[i] > 0.0 ? w[i] * (b->y[i] - surface(b, i, choice[i])) : 0.0;
    }
    o.mean = sum / o.weight;
    for (size_t i = 0; i < b->n; i++) {
        o.q[i] = w[i] > 0.0 ? w[i] * (b->y[i] - surface(b, i, choice[i]) - o.mean) / o.weight : 0.0;
    }
    o.m = o.weight * o.weight / by_pairs(b, w, w);
    free(w);
    return o;
}

static double prior(const struct basis *b, double variance, double m)
{
    return ((m - 1.0) * variance + PRIOR * b->noise / m) / (m - 1.0 + PRIOR);
}

struct reference reference_worth(const struct basis *b, const uint32_t *choice,
                                 const unsigned char *use)
{
    struct reference r = {0};
    struct own o = own_rows(b, choice, use);
    double *p = calloc(b->n, sizeof *p), *d = calloc(b->n, sizeof *d), n = 0.0, total = 0.0;
    for (size_t i = 0; i < b->n; i++) {
        n += use[i];
        r.dm += use[i] ? surface(b, i, choice[i]) : 0.0;
        total += use[i] && choice[i] == b->agent[i]
                     ? (b->y[i] - surface(b, i, choice[i])) / b->propensity[i]
                     : 0.0;
    }
    r.dm /= n;
    r.sndr = r.dm + o.mean;
    r.dr = r.dm + total / n;
    for (size_t i = 0; i < b->n; i++) {
        p[i] = use[i] ? (surface(b, i, choice[i]) - r.dm) / n : 0.0;
        double own = choice[i] == b->agent[i]
                         ? (b->y[i] - surface(b, i, choice[i])) / b->propensity[i]
                         : 0.0;
        d[i] = use[i] ? (own - total / n) / n : 0.0;
    }
    double c = count_clusters(b, use), vp = c / (c - 1.0) * by_pairs(b, p, p);
    double vq = prior(b, o.m / (o.m - 1.0) * by_pairs(b, o.q, o.q), o.m);
    double vd = prior(b, c / (c - 1.0) * by_pairs(b, d, d), o.m);
    double df = o.m - 1.0 + PRIOR;
    r.sndr_error = sqrt(fmax(vp + vq + 2.0 * by_pairs(b, p, o.q), 0.1 * (vp + vq)));
    r.dr_error = sqrt(fmax(vp + vd + 2.0 * by_pairs(b, p, d), 0.1 * (vp + vd)));
    r.sndr_df = (vp + vq) * (vp + vq) / (vp * vp / (c - 1.0) + vq * vq / df);
    r.dr_df = (vp + vd) * (vp + vd) / (vp * vp / (c - 1.0) + vd * vd / df);
    free(o.q);
    free(p);
    free(d);
    return r;
}

void reference_difference(double *value, double *error, const struct basis *b, const uint32_t *x,
                          const uint32_t *y)
{
    unsigned char *differ = calloc(b->n, 1), *all = malloc(b->n);
    double *p = calloc(b->n, sizeof *p), n = (double)b->n, share = 0.0;
    for (size_t i = 0; i < b->n; i++) {
        differ[i] = x[i] != y[i];
        all[i] = 1;
        share += differ[i] / n;
    }
    struct own of_x = own_rows(b, x, differ), of_y = own_rows(b, y, differ);
    *value = 0.0;
    for (size_t i = 0; i < b->n; i++) {
        p[i] = differ[i] ? surface(b, i, x[i]) + of_x.mean - surface(b, i, y[i]) - of_y.mean : 0.0;
        *value += p[i] / n;
    }
    for (size_t i = 0; i < b->n; i++) {
        p[i] = (p[i] - *value) / n;
        of_x.q[i] *= share;
        of_y.q[i] *= share;
    }
    double c = count_clusters(b, all), s2 = share * share;
    double vp = c / (c - 1.0) * by_pairs(b, p, p);
    double vx = s2 * prior(b, of_x.m / (of_x.m - 1.0) * by_pairs(b, of_x.q, of_x.q) / s2, of_x.m);
    double vy = s2 * prior(b, of_y.m / (of_y.m - 1.0) * by_pairs(b, of_y.q, of_y.q) / s2, of_y.m);
    double covariances =
        2.0 * (by_pairs(b, p, of_x.q) - by_pairs(b, p, of_y.q) - by_pairs(b, of_x.q, of_y.q));
    *error = sqrt(fmax(vp + vx + vy + covariances, 0.1 * (vp + vx + vy)));
    free(of_x.q);
    free(of_y.q);
    free(differ);
    free(all);
    free(p);
}

double reference_noise(const struct basis *b)
{
    double sum = 0.0, df = 0.0;
    uint32_t *choice = malloc(b->n * sizeof *choice);
    unsigned char *all = malloc(b->n);
    for (uint32_t a = 0; a < b->n_agents; a++) {
        for (size_t i = 0; i < b->n; i++) {
            choice[i] = a;
            all[i] = 1;
        }
        struct own o = own_rows(b, choice, all);
        if (o.m >= 2.0) {
            sum += (o.m - 1.0) * o.m * (o.m / (o.m - 1.0) * by_pairs(b, o.q, o.q));
            df += o.m - 1.0;
        }
        free(o.q);
    }
    free(choice);
    free(all);
    return df > 0.0 ? sum / df : 0.0;
}
