#include <math.h>

#include "value/strength/strength.h"

double strength_win(double theta)
{
    return theta >= 0.0 ? 1.0 / (1.0 + exp(-theta)) : exp(theta) / (1.0 + exp(theta));
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
