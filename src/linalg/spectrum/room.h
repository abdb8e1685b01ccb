/* Leading singular vectors and principal components, with one definition of the projection and of signs.
 *
 * Offers: regret_svd_*, regret_pca_*, regret_standardise(); what lanczos_top() costs.
 * Way: svd.c and pca.c choose the smaller side and a method → eigen.c (dense) or lanczos.c (nowhere dense) find
 * its eigenpairs → svd.c and pca.c turn these into right singular vectors.
 * Uses: base/core, linalg/dense, linalg/sparse.
 */
#ifndef REGRET_LINALG_SPECTRUM_ROOM_H
#define REGRET_LINALG_SPECTRUM_ROOM_H

#include "linalg/spectrum/lanczos.h"
#include "regret/svd.h"

#endif
