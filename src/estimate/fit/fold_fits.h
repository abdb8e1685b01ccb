/* Fits on an iterative φ without each fold, by what was made for the whole: its rows, its sketch, and one batch of vectors for
 * all folds. A refit that keeps its hyper-parameters asks for the λ that the whole was asked for. */
#ifndef REGRET_ESTIMATE_FOLD_FITS_H
#define REGRET_ESTIMATE_FOLD_FITS_H

#include "estimate/fit/session.h"

/* Of the folds problem->dr, without the OBS rows that kept[fold · OBS rows + i] says are left out as well (1: left in); a
 * fold that is not `defined` has none. `whole` is the session of the whole and outlives them. */
struct fold_fits;
int fold_fits_create(struct fold_fits **out, struct regret_session *whole,
                     const struct regret_folds *folds, const uint32_t *kept);
void fold_fits_free(struct fold_fits *fits);

/* Values of every pair at λ without fold k. */
int fold_fits_values(double *value, const struct fold_fits *fits, size_t k, double lambda);

#endif
