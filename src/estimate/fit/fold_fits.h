/* Fits on an iterative φ of the whole and without each fold, by what was made for the whole: its rows and its sketch. Those of
 * one λ are made together when one of them is first asked for: a refit asks for what the whole was asked for. */
#ifndef REGRET_ESTIMATE_FOLD_FITS_H
#define REGRET_ESTIMATE_FOLD_FITS_H

#include "regret/estimate.h"
#include "regret/pooled_ridge.h"

/* Folds problem->dr; kept[fold · OBS rows + i] = 0: OBS row i is left out as well; NULL: all are kept. With the fit of
 * the whole among them, or without. Problem and solver outlive them. */
struct fold_fits;
int fold_fits_create(struct fold_fits **out, const struct regret_problem *problem,
                     const struct regret_pooled *pooled, const uint32_t *kept, int with_whole);
void fold_fits_free(struct fold_fits *fits);

/* Values of every pair at λ without fold k, which leaves rows of both samples; or (FOLD_NONE) of the whole. */
#define FOLD_NONE SIZE_MAX
int fold_fits_values(double *value, struct fold_fits *fits, size_t k, double lambda);

#endif
