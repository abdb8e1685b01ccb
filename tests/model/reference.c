#include "model/reference.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/design.h"

/* Tags by first appearance. */
static size_t tag_index(const struct regret_model_data *all, const char *tag)
{
    size_t index = 0;
    for (size_t x = 0; x < all->n_contexts; x++) {
        int seen = 0;
        for (size_t y = 0; y < x; y++) {
            seen |= strcmp(all->tag[y], all->tag[x]) == 0;
        }
        if (!seen && strcmp(all->tag[x], tag) == 0) {
            return index;
        }
        index += !seen;
    }
    return index;
}

static void put_words(double *z, size_t cols, size_t first, const struct regret_model_data *all,
                      const char *const *text, size_t n)
{
    const struct regret_feature_options words = {.buckets = all->features.buckets, .context = 1.0};
    struct regret_tokens *tokens = NULL;
    struct regret_csr *phi = NULL;
    uint32_t *index = calloc(n, sizeof *index);
    for (size_t i = 0; i < n; i++) {
        index[i] = (uint32_t)i;
    }
    cr_assert_eq(regret_tokens_build(&tokens, text, n), 0);
    struct regret_pairs pairs = {
        .n_pairs = n, .contexts = tokens, .outputs = tokens, .context = index};
    cr_assert_eq(regret_features_build(&phi, &pairs, &words), 0);
    for (size_t i = 0; i < n; i++) {
        for (size_t e = phi->row_start[i]; e < phi->row_start[i + 1]; e++) {
            z[i * cols + first + phi->column[e]] = phi->value[e];
        }
    }
    regret_csr_free(phi);
    regret_tokens_free(tokens);
    free(index);
}

void naive_design_make(struct naive_design *out, const struct regret_model_data *all,
                       const char *const *text, const char *const *tag, size_t n, double gamma,
                       int words)
{
    size_t n_tags = gamma > 0.0 ? tag_index(all, "no tag at all") : 0;
    out->n = n;
    out->cols = n_tags + (words ? all->features.buckets : 0);
    out->z = calloc(n * out->cols + 1, sizeof *out->z);
    for (size_t i = 0; gamma > 0.0 && i < n; i++) {
        out->z[i * out->cols + tag_index(all, tag[i])] = sqrt(gamma);
    }
    if (words) {
        put_words(out->z, out->cols, n_tags, all, text, n);
    }
}

void naive_design_free(struct naive_design *d)
{
    free(d->z);
}

void naive_solve(double *a, double *b, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        for (size_t i = k; i < n; i++) {
            pivot = fabs(a[i * n + k]) > fabs(a[pivot * n + k]) ? i : pivot;
        }
        for (size_t j = 0; j < n; j++) {
            double swap = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = swap;
        }
        double swap = b[k];
        b[k] = b[pivot];
        b[pivot] = swap;
        cr_assert_gt(fabs(a[k * n + k]), 1e-12);
        for (size_t i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (size_t j = k; j < n; j++) {
                a[i * n + j] -= factor * a[k * n + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++) {
            b[k] -= a[k * n + j] * b[j];
        }
        b[k] /= a[k * n + k];
    }
}

static double dot(const double *a, const double *b, size_t n)
{
    double total = 0.0;
    for (size_t i = 0; i < n; i++) {
        total += a[i] * b[i];
    }
    return total;
}

/* Representer theorem: θ = Σ w_i z_i, with (K + ρI) w + b 1 = y and 1·w = 0. */
double naive_ridge(const struct naive_design *d, const size_t *at, size_t n, const double *y,
                   double rho, const double *z)
{
    size_t m = n + 1;
    double *a = calloc(m * m, sizeof *a), *b = calloc(m, sizeof *b), f;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            a[i * m + j] =
                dot(d->z + at[i] * d->cols, d->z + at[j] * d->cols, d->cols) + (i == j ? rho : 0.0);
        }
        a[i * m + n] = a[n * m + i] = 1.0;
        b[i] = y[at[i]];
    }
    naive_solve(a, b, m);
    f = b[n];
    for (size_t i = 0; i < n; i++) {
        f += b[i] * dot(d->z + at[i] * d->cols, z, d->cols);
    }
    free(a);
    free(b);
    return f;
}

double naive_without(const struct naive_design *d, const size_t *at, size_t n, const double *y,
                     double rho, size_t left)
{
    size_t *rest = calloc(n, sizeof *rest), m = 0;
    for (size_t i = 0; i < n; i++) {
        if (at[i] != left) {
            rest[m++] = at[i];
        }
    }
    double f = naive_ridge(d, rest, m, y, rho, d->z + left * d->cols);
    free(rest);
    return f;
}
