/* The problem of a replicate as files for an estimator that is another program (docs/formats.md). */
#ifndef REGRET_EXPERIMENT_EXTERNAL_PROBLEM_H
#define REGRET_EXPERIMENT_EXTERNAL_PROBLEM_H

#include "experiment/measures/steps.h"

#define EXTERNAL_PROBLEM_FORMAT "regret-problem-1"

/* What a family of one's own is asked. */
struct external_case {
    const char *name;
    const struct setting *setting;
    const struct draws *draws;
    const struct fitted_proxy *proxy;
    const struct estimates *estimates; /* its folds */
};

/* problem.json and every other array into an empty folder. `phi`: the folder where external_write_phi() has put φ
 * (files are linked). Nothing of what is written tells a segment, the target, or an outcome of
 * held-out contexts. */
int external_write_problem(const char *folder, const char *phi, const struct external_case *c);

#endif
