/* Gaussian elimination and the ridge of protocol §5, by loops. */
#ifndef REGRET_TESTS_REFERENCE_RIDGE_H
#define REGRET_TESTS_REFERENCE_RIDGE_H

#include <stddef.h>
#include <stdint.h>

/* n zeroed items, never NULL: running out of memory ends the test program. */
void *reference_zeroed(size_t n, size_t size);
double *reference_doubles(size_t n);
void reference_fill(double *x, size_t n, double value);

/* Gaussian elimination with partial pivoting. `m` is q × (q+1), row-major: the matrix and, as its
 * last column, the right-hand side; it is destroyed. */
void reference_solve(long double *x, long double *m, size_t q);

struct reference_features {
    size_t dim;
    const double *value; /* pairs × dim, ROW-major */
};

/* Rows that carry `weight` of the loss, shared equally: each has weight/n, and their penalty ρ adds
 * weight·ρ/n to ρ_eff. One part of weight 1 is a plain fit; two parts are a pooled one. */
struct reference_part {
    double weight, rho;
    size_t n;
    const uint32_t *pair;
    const double *y;
    const unsigned char *use; /* [n] rows taking part; NULL: all */
};

/* Whether row i takes part, and how many of n do; `use` NULL: all. */
int reference_takes(const unsigned char *use, size_t i);
size_t reference_count(const unsigned char *use, size_t n);

/* min over b, θ of Σ w_i (y_i − b − θ·x_i)² + ρ_eff ‖θ‖²; `f` gets b + θ·x of every pair, not
 * clipped. NaN when a part has weight and no rows. */
void reference_ridge(double *f, size_t pairs, const struct reference_features *x,
                     const struct reference_part *parts, size_t n_parts);

#endif
