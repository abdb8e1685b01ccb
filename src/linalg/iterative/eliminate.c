#include "linalg/iterative/eliminate.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/symmetric.h"
#include "regret/alloc.h"

int elimination_init(struct elimination *e, const struct strong *strong, size_t fits)
{
    size_t q = strong->q;
    *e = (struct elimination){.strong = strong};
    TRY(REGRET_NEW(&e->core, (q * q + q + 1) * fits));
    e->mean = e->core + q * q * fits;
    e->root = e->mean + q * fits;
    return REGRET_OK;
}

void elimination_clear(struct elimination *e)
{
    regret_free(e->core);
    *e = (struct elimination){0};
}

int elimination_set(struct elimination *e, size_t i, const double *gram, size_t ld,
                    const double *mean, double rho)
{
    size_t q = e->strong->q;
    double *core = e->core + i * q * q;
    e->root[i] = sqrt(rho);
    for (size_t j = 0; j < q; j++) {
        memcpy(core + j * q + j, gram + j * ld + j, (q - j) * sizeof *core);
        core[j * q + j] += rho;
        e->mean[i * q + j] = mean[j];
    }
    return q > 0 ? regret_sym_cholesky(core, q) : REGRET_OK;
}

static double take_mean(double *v, const double *h, size_t n)
{
    double mean = cblas_ddot((int)n, h, 1, v, 1);
    cblas_daxpy((int)n, -mean, h, 1, v, 1);
    return mean;
}

/* Takes h∘(S − 1mᵀ) c and √ρ c out of v, c (q) by the normal equations. */
static void take_strong(double *v, double *c, const struct elimination *e, size_t i,
                        const double *h, size_t n)
{
    size_t q = e->strong->q;
    strong_collect(c, e->strong, h, v, n); /* hᵀv is zero, and so is what the centre adds */
    cblas_daxpy((int)q, e->root[i], v + n, 1, c, 1);
    regret_sym_cholesky_solve(c, 1, e->core + i * q * q, q);
    double centre = cblas_ddot((int)q, e->mean + i * q, 1, c, 1);
    for (size_t l = 0; l < n; l++) {
        v[l] -= h[l] * (strong_line(e->strong, l, c) - centre);
    }
    cblas_daxpy((int)q, -e->root[i], c, 1, v + n, 1);
}

/* Twice: columns that sum to a constant make G as bad as ρ is small, and what a first pass leaves, a second takes. */
double elimination_project(double *v, double *c, const struct elimination *e, size_t i,
                           const double *h, size_t n)
{
    size_t q = e->strong->q;
    double intercept = take_mean(v, h, n);
    if (q > 0) {
        take_strong(v, c, e, i, h, n);
        intercept += take_mean(v, h, n);
        take_strong(v, c + q, e, i, h, n);
        cblas_daxpy((int)q, 1.0, c + q, 1, c, 1);
    }
    return intercept;
}

/* Lines that are solved for at a time. */
enum { BLOCK = 128 };

/* Columns s − m of the distinct lines [first, …) that are among the first n; how many, and where to go on. */
static size_t take_lines(double *to, size_t *next, const struct elimination *e, size_t i, size_t n)
{
    const struct strong *s = e->strong;
    size_t q = s->q, many = 0;
    for (; many < BLOCK && *next < s->n_distinct; ++*next) {
        size_t l = s->distinct[*next];
        double *line = to + many * q;
        for (size_t j = 0; l < n && j < q; j++) {
            line[j] = -e->mean[i * q + j];
        }
        for (size_t k = s->row_start[l]; l < n && k < s->row_start[l + 1]; k++) {
            line[s->column[k]] += s->value[k];
        }
        many += l < n;
    }
    return many;
}

int elimination_reach(double *reach, const struct elimination *e, size_t i, size_t n)
{
    size_t q = e->strong->q, many;
    double *line = NULL, rho = e->root[i] * e->root[i], largest = 0.0;
    *reach = 1.0;
    if (q == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&line, 2 * q * BLOCK));
    for (size_t next = 0; next < e->strong->n_distinct;) {
        double *solved = line + q * BLOCK;
        many = take_lines(line, &next, e, i, n);
        memcpy(solved, line, q * many * sizeof *line);
        regret_sym_cholesky_solve(solved, many, e->core + i * q * q, q);
        for (size_t k = 0; k < many; k++) {
            const double *y = solved + k * q;
            double moved =
                cblas_ddot((int)q, line + k * q, 1, y, 1) - rho * cblas_ddot((int)q, y, 1, y, 1);
            largest = moved > largest ? moved : largest;
        }
    }
    *reach = sqrt(1.0 + largest);
    regret_free(line);
    return REGRET_OK;
}
