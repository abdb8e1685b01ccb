/* What the sources of this folder share. */
#ifndef ESTIMATE_INTERNAL_H
#define ESTIMATE_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "regret/design.h"
#include "regret/estimate.h"

/* ---- folds.c: causal cross-validation: folds, the fits without each, their losses. ---- */

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
