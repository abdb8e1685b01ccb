/* Fits on an iterative φ without each fold, by what was made for the whole: its rows, its sketch, and one batch of vectors for
 * all folds. A refit that keeps its hyper-parameters asks for the λ that the whole was asked for. */
#ifndef REGRET_ESTIMATE_FOLD_FITS_H
#define REGRET_ESTIMATE_FOLD_FITS_H

#include "regret/estimate.h"
#include "regret/pooled_ridge.h"

/* What there is of the whole. */
struct fold_whole {
    const struct regret_problem *problem; /* and the folds problem->dr */
    const struct regret_pooled
        *pooled;          /* its solver of φ; outlives the fits, as the problem does */
    const double *lambda; /* [n_lambdas] that it was asked for */
    size_t n_lambdas;
};

/* kept[fold · OBS rows + i] = 0: OBS row i is left out as well; NULL: all are kept. */
struct fold_fits;
int fold_fits_create(struct fold_fits **out, const struct fold_whole *whole, const uint32_t *kept);
void fold_fits_free(struct fold_fits *fits);

/* Values of every pair at λ without fold k, which leaves rows of both samples. */
int fold_fits_values(double *value, const struct fold_fits *fits, size_t k, double lambda);

#endif
