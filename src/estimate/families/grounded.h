/* The correction that the grounded families share. */
#ifndef REGRET_ESTIMATE_GROUNDED_H
#define REGRET_ESTIMATE_GROUNDED_H

#include "estimate/fit/session.h"
#include "estimate/fit/work.h"

/* Ridge ψ_b(z) → (f_O − Y) on EXP, whole and by folds. */
struct correction {
    double *columns; /* ψ_b(z), owned */
    struct folded *fit;
};
int correction_create(struct correction *c, struct regret_session *session, enum regret_basis basis,
                      double rho);
void correction_free(struct correction *c);

/* Tunes (b, ρ) at α = 1 by causal cross-validation and records it in the estimate. */
int grounded_choose_direction(struct regret_estimate *estimate, struct regret_session *session);

/* The work of that and of fitting what it chose. */
void grounded_work(struct fit_work *work, const struct fit_sizes *sizes);

extern const struct regret_family family_grounded;

#endif
