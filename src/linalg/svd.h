/* Truncated singular value decomposition. */
#ifndef LINALG_SVD_H
#define LINALG_SVD_H

#include <stdint.h>

/* Below so many rows a component the dense method is the faster one: at rank 50 both took as long with about
 * 600 texts of newswire (bench-peer) and with 680 of random words (bench-text). */
enum { LANCZOS_LEAST_ROWS = 12 };

#endif
