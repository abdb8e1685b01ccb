/* The mixed model equations at one v, factorised: K = X'DX + Λ in all columns that crossed.h numbers.
 *
 * Values of entries are in the order of crossed.h and on the scale of √d, d_e = 1/Var(y_e) given all columns; coefficients are those of the
 * side inside and then the outer ones. `m` of either stand in columns. */
#ifndef REGRET_LINALG_EQUATIONS_H
#define REGRET_LINALG_EQUATIONS_H

#include "linalg/mixed/crossed.h"

struct equations {
    const struct crossed *c;
    double *root; /* [n] √d */
    double *own;  /* of every block inside its factor, width² */
    double *
        across; /* of every front what the outer columns take from those inside, touched × columns */
    double *s;             /* n_outer², the factor of what is left */
    double *lines, *inner; /* room for those of a front: outer columns, and those inside */
    double *square;        /* room for a matrix of a front's outer columns */
    double *some;          /* room for EQUATIONS_WIDTH of a front's outer columns */
    double log_det;        /* log|K| */
};

/* O(Σ over fronts of entries × columns² + n_outer³). */
int equations_make(struct equations *q, const struct crossed *c, const double *v);
void equations_free(struct equations *q);

static inline size_t equations_columns(const struct crossed *c)
{
    return c->n_inner + c->n_outer;
}

/* x ← L⁻¹ X'√D y, K = L L', and x ← K⁻¹ X'√D y; m ≤ EQUATIONS_WIDTH. */
void equations_reduce(double *x, const struct equations *q, const double *y, size_t m);
void equations_solve(double *x, const struct equations *q, const double *y, size_t m);
/* fitted (EQUATIONS_WIDTH × n, of an entry together) ← √D X_j x_j of the columns of every variance j, and behind these of the
 * fixed ones. */
enum { EQUATIONS_FIXED = MIXED_MAX_VARIANCES, EQUATIONS_WIDTH };
void equations_fit(double *fitted, const struct equations *q, const double *x);
/* The diagonal of √D X K⁻¹ X' √D, [n], and that of K⁻¹. O(as equations_make()). */
int equations_diagonals(double *of_entries, double *of_columns, const struct equations *q);

#endif
