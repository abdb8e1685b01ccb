/* Ridge on two sources pooled by a weight. */
#ifndef LINALG_POOLED_RIDGE_H
#define LINALG_POOLED_RIDGE_H

#include <stddef.h>

#include "linalg/iterative.h"
#include "regret/design.h"

struct regret_pooled {
    struct regret_design design;
    size_t q;                     /* design.dim + 1 */
    const double *factor;         /* L of A = L Lᵀ, q × q lower; NULL without OBS (A = I) */
    const double *rotation, *tau; /* Q, as regret_sym_rotate() wants it; NULL without EXP (Q = I) */
    const double *diagonal, *off; /* T, [q] and [q - 1]; NULL without EXP */
    const double *obs_moment;     /* Qᵀ L⁻¹ a, [q]; NULL without OBS */
    const double *exp_moment;     /* Qᵀ L⁻¹ b, [q]; NULL without EXP */
    double n_obs, n_exp;          /* rows; 0 without */
    const double
        *obs_gram; /* A and B themselves, q × q lower, of a plain solver, whose coordinates */
    const double *exp_gram;      /* are θ; else NULL, as without the sample */
    size_t entries;              /* different pairs of EXP */
    size_t *pair;                /* [entries], ascending */
    double *line;                /* their lines in solver coordinates, entries × q */
    double *memory;              /* all of the above but `pair` and `line` */
    struct iterative *iterative; /* instead of all that, for an iterative design; else NULL */
};
/* 1: made by regret_pooled_create_plain(), and not iterative. */
static inline int pooled_is_plain(const struct regret_pooled *p)
{
    return p->obs_gram != NULL || p->exp_gram != NULL;
}
const struct iterative_part *left_out_iterative(const struct regret_left_out *f);
const struct iterative_part *left_out_of_obs(const struct regret_left_out *f); /* or NULL */

/* One λ in solver coordinates, before the low-rank part of what is left out: a tridiagonal matrix
 * and its right-hand side. */
struct pooled_system {
    size_t q;
    double *diagonal, *off, *rhs;
};

/* Solves the system of `lambda` less the rows left out; leaves the system destroyed. */
int left_out_solve(double *x, struct pooled_system *system, double lambda,
                   const struct regret_left_out *f);
/* n_E / n', and Σ y u/n_E of the part in solver coordinates. */
double left_out_scale(const struct regret_left_out *f);
const double *left_out_moment(const struct regret_left_out *f);

#endif
