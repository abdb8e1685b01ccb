#include <math.h>

#include "value/strength/strength.h"

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

void strength_information(double *h, const struct compared *c, const double *theta, double ridge,
                          double mean)
{
    size_t m = c->m;
    for (size_t i = 0; i < m * m; i++) {
        h[i] = mean / (double)m;
    }
    for (size_t i = 0; i < m; i++) {
        h[i * m + i] += ridge;
    }
    for (size_t v = 0; v < c->n; v++) {
        size_t a = c->vote[v].a, b = c->vote[v].b;
        double p = strength_win(theta[a] - theta[b]), w = c->vote[v].votes * p * (1.0 - p);
        h[a * m + a] += w;
        h[b * m + b] += w;
        h[a < b ? a * m + b : b * m + a] -= w; /* the lower triangle, by columns */
    }
}
