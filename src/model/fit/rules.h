/* What the contrasts go by: decided by the regret of contexts that were left out of everything that chose. */
#ifndef REGRET_MODEL_RULES_H
#define REGRET_MODEL_RULES_H

#include "model/fit/contrast.h"

enum { RULE_FOLDS = 5 };

/* What was found. */
struct rules {
    double rho[DESIGNS]; /* of the fit of all contexts by each design, by its own left-out loss … */
    double loss[DESIGNS]; /* … which is this */
    enum regret_model_rule rule;
    size_t design; /* the one of that rule */
    struct regret_model_score score[REGRET_MODEL_RULES];
    double random;
    size_t judged;
};

/* Contexts are left out in RULE_FOLDS folds, each with its share of every tag. In every fold every design has its ρ chosen
 * by leaving out one context after the other, and of the designs of a rule the one of least loss speaks for it. With δ_x the
 * regret of the best single agent of the fold less that of the rule on x, a rule is taken for better where
 * mean δ > t se(δ), t of Student's distribution at 1 − .05/(2 × the rules compared); own columns and words are taken instead
 * of the one before only where they are better than it in the same way. */
int rules_find(struct rules *out, const struct panel *panel, const struct design_list *designs,
               const uint32_t *kind, size_t threads);

#endif
