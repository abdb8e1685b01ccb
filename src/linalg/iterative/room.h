/* The pooled ridge by conjugate gradients, for sparse designs whose Gram matrix would be too dear.
 *
 * Offers: struct iterative (two samples ready for it) and struct conjugate (several fits at once, each to an error
 * that its residual proves).
 * Way: strong.c sets columns apart that outweigh texts → iterative.c packs the rows of both samples without them and
 * makes a Nyström sketch → eliminate.c takes them and the intercept out of each fit, precondition.c weighs the sketch for it
 * → fits.c iterates and proves the errors, conjugate.c has it go in single precision first, along paths over λ.
 * Uses: base/core, linalg/dense, linalg/design.
 */
#ifndef REGRET_LINALG_ITERATIVE_ROOM_H
#define REGRET_LINALG_ITERATIVE_ROOM_H

#include "linalg/iterative/conjugate.h"
#include "linalg/iterative/iterative.h"
#include "linalg/iterative/strong.h"

#endif
