#include "estimate/reference_ridge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Linear algebra: nothing but loops ------------------------------------------------------ */

void *reference_zeroed(size_t n, size_t size)
{
    void *memory = calloc(n > 0 ? n : 1, size);
    if (!memory) {
        fprintf(stderr, "reference: out of memory\n");
        abort();
    }
    return memory;
}

double *reference_doubles(size_t n)
{
    return reference_zeroed(n, sizeof(double));
}

void reference_solve(long double *x, long double *m, size_t q)
{
    size_t width = q + 1;
    for (size_t k = 0; k < q; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < q; i++) {
            if (fabsl(m[i * width + k]) > fabsl(m[best * width + k])) {
                best = i;
            }
        }
        for (size_t j = 0; j < width; j++) {
            long double swap = m[k * width + j];
            m[k * width + j] = m[best * width + j];
            m[best * width + j] = swap;
        }
        for (size_t i = k + 1; i < q; i++) {
            long double factor = m[i * width + k] / m[k * width + k];
            for (size_t j = k; j < width; j++) {
                m[i * width + j] -= factor * m[k * width + j];
            }
        }
    }
    for (size_t k = q; k-- > 0;) {
        long double sum = m[k * width + q];
        for (size_t j = k + 1; j < q; j++) {
            sum -= m[k * width + j] * x[j];
        }
        x[k] = sum / m[k * width + k];
    }
}

/* ---- Ridge (protocol §5) -------------------------------------------------------------------- */

int reference_takes(const unsigned char *use, size_t i)
{
    return !use || use[i];
}

size_t reference_count(const unsigned char *use, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        count += reference_takes(use, i) != 0;
    }
    return count;
}

/* Adds w (y − θ·x − b)² to the normal equations of (θ, b). */
static void add_row(long double *m, const double *x, size_t dim, double y, long double w)
{
    size_t q = dim + 1;
    for (size_t i = 0; i < q; i++) {
        long double xi = i < dim ? x[i] : 1.0;
        for (size_t j = 0; j < q; j++) {
            m[i * (q + 1) + j] += w * xi * (j < dim ? x[j] : 1.0);
        }
        m[i * (q + 1) + q] += w * xi * y;
    }
}

void reference_fill(double *x, size_t n, double value)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = value;
    }
}

void reference_ridge(double *f, size_t pairs, const struct reference_features *x,
                     const struct reference_part *parts, size_t n_parts)
{
    size_t q = x->dim + 1;
    long double *m = reference_zeroed(q * (q + 1), sizeof *m);
    long double *theta = reference_zeroed(q, sizeof *theta); /* θ, then b */
    long double rho_eff = 0.0L;
    for (size_t k = 0; k < n_parts; k++) {
        const struct reference_part *part = &parts[k];
        size_t n = reference_count(part->use, part->n);
        if (part->weight == 0.0) {
            continue;
        }
        if (n == 0) {
            reference_fill(f, pairs, NAN);
            goto cleanup;
        }
        for (size_t i = 0; i < part->n; i++) {
            if (reference_takes(part->use, i)) {
                add_row(m, x->value + part->pair[i] * x->dim, x->dim, part->y[i],
                        (long double)part->weight / (long double)n);
            }
        }
        rho_eff += (long double)part->weight * part->rho / (long double)n;
    }
    for (size_t j = 0; j < x->dim; j++) {
        m[j * (q + 1) + j] += rho_eff; /* b is not penalised */
    }
    reference_solve(theta, m, q);
    for (size_t p = 0; p < pairs; p++) {
        long double sum = theta[x->dim];
        for (size_t j = 0; j < x->dim; j++) {
            sum += theta[j] * x->value[p * x->dim + j];
        }
        f[p] = (double)sum;
    }
cleanup:
    free(m);
    free(theta);
}
