#include "linalg/dense/simplex.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/symmetric.h"

struct active_set {
    const double *q, *c;
    size_t n;
    unsigned char is_free[SIMPLEX_MOST];
};

/* x of the free ones that minimises on Σ x = 1 alone: Q x = c − ν 1. The others of x are 0. */
static int solve_free(double *x, double *nu, const struct active_set *s)
{
    double a[SIMPLEX_MOST * SIMPLEX_MOST], right[2 * SIMPLEX_MOST];
    size_t place[SIMPLEX_MOST], m = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->is_free[i]) {
            place[m++] = i;
        }
    }
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            a[i * m + j] = s->q[place[i] * s->n + place[j]];
        }
        right[i] = s->c[place[i]];
        right[m + i] = 1.0;
    }
    TRY(regret_sym_cholesky(a, m));
    regret_sym_cholesky_solve(right, 2, a, m);
    double sum = 0.0, ones = 0.0;
    for (size_t i = 0; i < m; i++) {
        sum += right[i];
        ones += right[m + i];
    }
    *nu = (sum - 1.0) / ones;
    memset(x, 0, s->n * sizeof *x);
    for (size_t i = 0; i < m; i++) {
        x[place[i]] = right[i] - *nu * right[m + i];
    }
    return REGRET_OK;
}

/* w moves towards x until the first free one reaches 0, which is bound then; 1 where it gets there. */
static int move(double *w, const double *x, struct active_set *s)
{
    double share = 1.0;
    size_t first = s->n;
    for (size_t i = 0; i < s->n; i++) {
        if (s->is_free[i] && x[i] < 0.0 && w[i] / (w[i] - x[i]) < share) {
            share = w[i] / (w[i] - x[i]);
            first = i;
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        w[i] += share * (x[i] - w[i]);
    }
    if (first < s->n) {
        w[first] = 0.0;
        s->is_free[first] = 0;
    }
    return first == s->n;
}

/* Frees the bound one that gains most: of the largest c − Q w − ν above rounding. 0: there is none. */
static int free_best(struct active_set *s, const double *w, double nu)
{
    double most = 0.0;
    size_t best = s->n;
    for (size_t i = 0; i < s->n; i++) {
        double slope = s->c[i] - nu, size = fabs(s->c[i]) + fabs(nu);
        for (size_t j = 0; j < s->n; j++) {
            slope -= s->q[i * s->n + j] * w[j];
            size += fabs(s->q[i * s->n + j] * w[j]);
        }
        if (!s->is_free[i] && slope > most && slope > 1e-12 * size) {
            most = slope;
            best = i;
        }
    }
    if (best < s->n) {
        s->is_free[best] = 1;
    }
    return best < s->n;
}

int simplex_least_squares(double *w, const double *q, const double *c, size_t n)
{
    enum { MOST_ROUNDS = 20 * SIMPLEX_MOST };
    struct active_set s = {.q = q, .c = c, .n = n};
    double x[SIMPLEX_MOST], nu = 0.0;
    int is_done = 0;
    for (size_t i = 0; i < n; i++) {
        w[i] = 1.0 / (double)n;
        s.is_free[i] = 1;
    }
    for (int round = 0; round < MOST_ROUNDS && !is_done; round++) {
        TRY(solve_free(x, &nu, &s));
        is_done = move(w, x, &s) && !free_best(&s, w, nu);
    }
    return is_done ? REGRET_OK
                   : regret_fail(REGRET_E_NUMERIC,
                                 "weights of %zu surfaces are not found: check "
                                 "for predictions that are not finite",
                                 n);
}
