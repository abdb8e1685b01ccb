/* What the errors of a family of one's own say of whether it has seen what was held out (docs/formats.md). */
#ifndef REGRET_EXPERIMENT_LEAKS_H
#define REGRET_EXPERIMENT_LEAKS_H

#include "experiment/measures/steps.h"

/* Fills in the list "leak" of a family's row (include/regret/results.h): NaN where the predictions do not tell. */
int leaks_take(double out[REGRET_N_LEAK], const struct setting *setting, const double *prediction);

#endif
