/* Coordinates of the features that a fit can see. */
#ifndef REGRET_EXPERIMENT_COORDINATES_H
#define REGRET_EXPERIMENT_COORDINATES_H

#include "experiment/lab.h"

/* Z with Z Zᵀ = φφᵀ on the pairs with drawn[p] != 0, and for all others the projection on their
 * span. A ridge fitted on rows of drawn pairs has its coefficients in that span, so Z serves it
 * exactly as φ does, in as many columns as there are different drawn pairs at most. */
struct coordinates {
    double *value; /* pairs × rank, column-major; owned */
    size_t rank;
};

/* By the pivoted Cholesky factor of a dense lab's Gram matrix: O(n³ + pairs n²) for n drawn pairs.
 */
int coordinates_create(struct coordinates *out, const struct lab *lab, const unsigned char *drawn);
void coordinates_free(struct coordinates *c);

#endif
