/* Ridge regression pooled over OBS and EXP: one factorisation serves every pooling weight λ and every fold left
 * out.
 *
 * Offers: regret_pooled_* and regret_left_out_* (regret/pooled_ridge.h has the mathematics); multi_ridge_predict()
 * for many outcomes with one design.
 * Way: pooled_ridge.c factorises both samples → left_out.c takes folds away → pooled_batch.c solves one fit or
 * many, by conjugate gradients where the design is iterative, and by pooled_fallback.c directly where these do not
 * get there.
 * Uses: base/core, linalg/dense, linalg/design, linalg/iterative, linalg/sparse.
 */
#ifndef REGRET_LINALG_RIDGE_ROOM_H
#define REGRET_LINALG_RIDGE_ROOM_H

#include "linalg/ridge/multi_ridge.h"
#include "regret/pooled_ridge.h"

#endif
