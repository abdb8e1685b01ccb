/* Compressed sparse rows: making them, products, and Matrix Market. Panels are blocks of dense vectors that one
 * pass over the rows multiplies.
 *
 * Offers: struct regret_csr and regret_csr_*; struct gram_operator, A Aᵀ on panels of vectors.
 * Way: csr.c builds rows of (column, value) → csr_product.c multiplies them by themselves or by a dense matrix,
 * panel.c by many vectors at once → matrix_market.c writes them.
 * Uses: base/core, base/text.
 */
#ifndef REGRET_LINALG_SPARSE_ROOM_H
#define REGRET_LINALG_SPARSE_ROOM_H

#include "linalg/sparse/panel.h"
#include "regret/matrix.h"

#endif
