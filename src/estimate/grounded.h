/* The correction that the grounded families share. */
#ifndef REGRET_ESTIMATE_GROUNDED_H
#define REGRET_ESTIMATE_GROUNDED_H

#include "estimate/session.h"

/* Ridge ψ_b(z) → (f_O − Y) on EXP, whole and by folds. */
struct correction {
    double *columns; /* ψ_b(z), owned */
    struct folded *fit;
};
int correction_create(struct correction *c, struct regret_session *session, enum regret_basis basis,
                      double rho);
void correction_free(struct correction *c);

/* Tunes (b, ρ) by causal cross-validation and records it in the estimate. */
int grounded_choose(struct regret_estimate *estimate, struct regret_session *session);

/* Marks the EXP rows that grounded-linear tunes α on: the first ⌊share·n⌋ of a random order, but at
 * least one of two or more. (*out)[i] is 1 for a carved row; free with regret_free(). */
int grounded_holdout(uint32_t **out, const struct regret_problem *problem, double share);

#endif
