/* The stack: a convex combination of other families and of plain means (protocol §5). */
#ifndef REGRET_ESTIMATE_STACK_H
#define REGRET_ESTIMATE_STACK_H

#include "estimate/fit/session.h"

/* Members, from the simplest on: a library is all of them up to some place. */
enum stack_mean { MEAN_AGENT_EXP, MEAN_AGENT_OBS, MEAN_TAG_EXP, MEAN_TAG_OBS, STACK_MEANS };

/* A surface of means: of an agent, or of an agent by tag, over EXP or OBS rows, for every pair; `without` a DR fold of EXP
 * (SIZE_MAX: of all). Means are shrunk as if `rows` more had the mean of all, by tag that of the agent. */
int stack_mean_surface(double *f, const struct regret_problem *problem, enum stack_mean which,
                       double rows, size_t without);

/* What every member says of the EXP rows of contexts that its fit never saw. */
struct stack_level {
    size_t n, members;
    const size_t *kind_end; /* members come in kinds; where each ends, the last at `members` */
    double prior;           /* rows that weights before data are worth */
    double *target;         /* [n] Y − m(X) */
    double *contrast;       /* members × n, f(X, A) − mean over the pairs of X; entry by entry */
    uint32_t *fold, *context; /* [n] */
};

/* Weights of the first `members` on the rows outside fold k (SIZE_MAX: all). */
int stack_weigh(double *weight, const struct stack_level *level, size_t members, size_t k);
/* Cross-validates every library, and chooses the best, of ties (regret_cv_tie()) the simplest. */
int stack_choose(struct regret_estimate *estimate, const struct stack_level *level, size_t folds,
                 double tie_tolerance);

#endif
