#include "linalg/mixed/whitened.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"

size_t group_end(const struct mixed_model *m, size_t e)
{
    size_t end = e + 1;
    while (end < m->n && m->group[end] == m->group[e]) {
        end++;
    }
    return end;
}

/* x ← x − a_g s t_e, where s = Σ_g t_f x_f over the group: what both W and W' do to values on their scale. */
static void take_group(double *x, size_t width, const struct whitened *w, size_t first, size_t end)
{
    double *sum = w->sum;
    memset(sum, 0, width * sizeof *sum);
    for (size_t e = first; e < end; e++) {
        cblas_daxpy((int)width, sqrt(w->d[e]), x + e * width, 1, sum, 1);
    }
    for (size_t e = first; e < end; e++) {
        cblas_daxpy((int)width, -w->a[e] * sqrt(w->d[e]), sum, 1, x + e * width, 1);
    }
}

static void take_groups(double *x, size_t width, const struct whitened *w,
                        const struct mixed_model *m)
{
    for (size_t e = 0, end; e < m->n; e = end) {
        end = group_end(m, e);
        take_group(x, width, w, e, end);
    }
}

static void scale(double *x, size_t width, const struct whitened *w, size_t n)
{
    for (size_t e = 0; e < n; e++) {
        cblas_dscal((int)width, sqrt(w->d[e]), x + e * width, 1);
    }
}

void whiten(double *x, size_t width, const struct whitened *w, const struct mixed_model *m)
{
    scale(x, width, w, m->n);
    take_groups(x, width, w, m);
}

void whiten_transposed(double *x, size_t width, const struct whitened *w,
                       const struct mixed_model *m)
{
    take_groups(x, width, w, m);
    scale(x, width, w, m->n);
}

/* d, a and log|R|. (1 − a D)² = 1/(1 + v_c D) with D = Σ d of a group. */
static void weigh(struct whitened *w, const struct mixed_model *m, const double *v)
{
    const double *other = v + m->n_blocks;
    w->log_det = 0.0;
    for (size_t e = 0, end; e < m->n; e = end) {
        double total = 0.0;
        end = group_end(m, e);
        for (size_t f = e; f < end; f++) {
            w->d[f] = 1.0 / (other[MIXED_ENTRY] + other[MIXED_NOISE] / m->rows[f]);
            w->log_det -= mixed_times(m, f) * log(w->d[f]);
            total += w->d[f];
        }
        double root = sqrt(1.0 + other[MIXED_GROUP] * total);
        w->log_det += 2.0 * mixed_times(m, e) * log(root);
        for (size_t f = e; f < end; f++) {
            w->a[f] = (1.0 - 1.0 / root) / total;
        }
    }
}

int whitened_make(struct whitened *w, const struct mixed_model *m, const double *v)
{
    size_t widest = m->q > MIXED_MAX_VARIANCES ? m->q : MIXED_MAX_VARIANCES;
    TRY(REGRET_NEW(&w->d, m->n));
    TRY(REGRET_NEW(&w->a, m->n));
    TRY(REGRET_NEW(&w->y, m->n));
    TRY(REGRET_NEW(&w->sum, widest));
    TRY(REGRET_NEW(&w->line, m->q * m->n));
    weigh(w, m, v);
    memcpy(w->line, m->line, m->q * m->n * sizeof *w->line);
    memcpy(w->y, m->y, m->n * sizeof *w->y);
    whiten(w->line, m->q, w, m);
    whiten(w->y, 1, w, m);
    return REGRET_OK;
}

void whitened_free(struct whitened *w)
{
    regret_free(w->d);
    regret_free(w->a);
    regret_free(w->y);
    regret_free(w->sum);
    regret_free(w->line);
}
