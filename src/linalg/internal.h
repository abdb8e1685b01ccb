/* What the sources of this folder share. */
#ifndef LINALG_INTERNAL_H
#define LINALG_INTERNAL_H

#include <stddef.h>

#include "linalg/crossed.h"
#include "linalg/iterative.h"
#include "linalg/precondition.h"

/* ---- conjugate.c: conjugate gradients on blocks, and ridge fits by them. ---- */

/* The fits of a struct conjugate, and what moves them. */

/* One fit. */
struct one {
    struct iterative_fit fit;
    double rho, mean_y; /* ρ_eff; Σ w y */
    double reach;       /* (1 + g)/2 */
    double rz;          /* r · z */
    double norm;        /* ‖r‖ */
    double least;       /* ‖r‖ when it was last halved, */
    size_t since;       /* and steps since then */
    double error;       /* proven of x; infinite before the first check */
    double b;           /* intercept, as of the last check; with γ in `strong` */
    int begun;          /* 1: d is a direction of the recurrence */
    double checked;     /* ‖r‖ as of the last check */
    int stalled;        /* 1: two checks in a row found the same */
    int dropped;        /* 1: not wanted any more */
    int waits;          /* > 0: until others are solved that it begins between */
    int settled;        /* 1: as good as it gets, and taken so */
};

struct conjugate {
    const struct iterative *it;
    size_t pairs;          /* lines that any fit has weight on */
    size_t apart;          /* columns that are eliminated, a line each behind these */
    size_t n;              /* pairs + apart */
    size_t k;              /* fits */
    struct one *one;       /* [k] */
    double *h;             /* n × k: √w */
    double *x, *r, *d;     /* n × k: solution, residual, direction */
    double *value;         /* n × k: K h∘x as of the last check */
    double *strong, *of_y; /* apart × k: γ as of the last check, and that of ȳ alone */
    double *spare;         /* n + 2 apart */
    double *q;             /* n × SPARSE_PANEL: products of a panel; scratch */
    double *panel;         /* scratch of the product */
    double *memory;
    struct preconditioner precondition;
    struct elimination eliminate;
    size_t *active; /* [k] */
    size_t steps;
    int single; /* 1: the recurrence multiplies in single precision */
};

/* The pooled ridge by conjugate gradients.
 *
 * A fit has weights w over the n different pairs of both samples, Σ w = 1, and outcomes ȳ of these:
 *
 *   w_i = λ c_i/n_O + (1−λ) c'_i/n',   ρ = λ ρ_O/n_O + (1−λ) ρ_E/n',
 *
 * with the counts c in OBS and c' in EXP without what is left out. With h = √w and the projection P that takes out the
 * intercept and the strong columns S (precondition.h; without these P = I − h hᵀ), its dual is
 *
 *   M β = P h∘ȳ,   M = P diag(h) ΦΦᵀ diag(h) P + ρ I,   θ = Φᵀ h∘β,   (b, γ) those of ȳ − Φθ on (1, S).
 *
 * Vectors have a line more for every column of S, the residual of its penalty, where h and Φ are zero. A residual r moves no
 * prediction of a pair in the samples by more than
 *
 *   (1 + g) max‖φ‖ ‖r‖/(2√ρ),   since θ moves by Bᵀ M⁻¹ r with B Bᵀ + ρ I = M, and σ/(σ² + ρ) ≤ 1/(2√ρ);
 *
 * the part of Φ is φᵀδθ, that of (b, γ) is at most g ‖h∘Φδθ‖ (elimination_reach(); 1 where there is the intercept alone).
 *
 * Down to errors of 1e-5 the recurrence multiplies in single precision; the residual that proves an error is always
 * computed in double. */

/* Several fits at once. */
struct conjugate;
int conjugate_create(struct conjugate **out, const struct iterative *it,
                     const struct iterative_fit *fit, size_t n);
void conjugate_free(struct conjugate *c);
/* Until no prediction of the fits not dropped is further than `error` from the exact one. REGRET_E_NUMERIC when
 * that is out of reach; but of a last resort only where REGRET_LOOSEST_ERROR is, too. */
int conjugate_solve(struct conjugate *c, double error);
void conjugate_drop(struct conjugate *c, size_t i);
double conjugate_error(const struct conjugate *c, size_t i); /* what is proven of fit i */
size_t conjugate_steps(const struct conjugate *c); /* products with ΦΦᵀ, summed over fits */
/* Values of fit i at the entries of a part of a sample; (θ, b), dim + 1. */
void conjugate_part_values(double *value, const struct conjugate *c, size_t i,
                           const struct iterative_part *part);
int conjugate_solution(double *solution, const struct conjugate *c, size_t i);

/* ---- mixed_equations.c: fronts of a mixed model eliminated. ---- */

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

/* ---- pca.c: principal components. ---- */

/* How many of the k descending Gram eigenvalues σ² count as rank (REGRET_RANK_TOLERANCE). */
size_t eigen_rank(const double *values, size_t k);

/* Applies the sign rule of regret/design.h to every column of v (n x k). */
void eigen_fix_signs(double *v, size_t n, size_t k);

#endif
