/* A linear mixed model of N entries, each the mean of rows of its own, in parts and in groups:
 *
 *   y_e = x_e β + c_g(e) + p_e + ε_e      c_g ~ N(0, v_c)   p_e ~ N(0, v_p)   ε_e ~ N(0, v_ε / n_e)
 *   β_j ~ N(0, v_b) for the columns of block b; columns before the first block have a precision that is given, 0 for
 *   an effect that is fixed.
 *
 * Some columns all entries have, others a part for itself. With V the covariance of y given the fixed effects,
 *
 *   ℓ(v) = −½ [ log|V| + log|X_f' V⁻¹ X_f| + y'Py + (n − N) log v_ε + S/v_ε ]     (up to a constant)
 *
 * is the restricted likelihood of the rows, S their squares within entries (Patterson and Thompson, Biometrika 58, 1971); β at the v
 * that maximises it is the best linear unbiased prediction (Robinson, Statistical Science 6, 1991).
 *
 * Method. Henderson's mixed model equations (equations.h), parts or groups eliminated first (crossed.h). ℓ is climbed in log v by
 * Newton steps with the average information (Gilmour, Thompson and Cullis, Biometrics 51, 1995), damped until ℓ rises. A step is
 * O(Σ over parts of entries × columns², and m³), m the columns in common and those of all parts, or the groups of two entries
 * or more, whichever are fewer. */
#ifndef REGRET_LINALG_MIXED_MODEL_H
#define REGRET_LINALG_MIXED_MODEL_H

#include "linalg/mixed/mixed_problem.h"

/* β, [mixed_columns()], given variances v [n_blocks + MIXED_OTHERS], > 0; those of blocks without columns are not read. */
int mixed_solve(double *beta, const struct mixed_model *m, const double *v);
/* The v of largest ℓ with low ≤ v ≤ MIXED_MOST that a climb reaches, and that ℓ; v holds where to start. Blocks without
 * columns stay as they are. */
int mixed_choose(double *v, double *likelihood, const struct mixed_model *m, const double *low);
#define MIXED_MOST 1e2

#endif
