/* The coefficient of one column of a least-squares fit of one or two, with the bias-reduced variance CR2 of
 * clusters and Satterthwaite's degrees of freedom under independent rows (Bell and McCaffrey 2002, as in
 * influence.h, whose closed form is that of columns of indicators).
 *
 * With Q the columns made orthonormal in their order, ρ the length of the last one before, e the residuals,
 * and by cluster c: G_c = Q_c'Q_c, u_c = (I − G_c)^(−1/2) (0, …, 1/ρ)',
 *
 *   ψ_c = u_c' Q_c'e_c,   se² = Σ_c ψ_c²,   df = (tr B)² / tr B²,
 *   B = diag(u_c'G_c u_c) − V V',   V_c = G_c u_c,
 *
 * since Q_c'(I − Q_c Q_c')^(−1/2) = (I − G_c)^(−1/2) Q_c'. */
#ifndef REGRET_RATE_LINE_FIT_H
#define REGRET_RATE_LINE_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "regret/rate_inference.h"

/* Rows k < n, all arrays overwritten but y: x[0] and x[1] the columns, or x[1] NULL and only one; cluster[k]
 * below n_clusters. `room` has 5 numbers for each cluster and n. The coefficient of the last column.
 * Missing: fewer than three rows, a column that the others make up, one cluster on which all rests.
 * O(n + n_clusters). */
void line_fit(struct regret_rate_slope_test *out, double *const x[2], const double *y,
              const uint32_t *cluster, size_t n, size_t n_clusters, double *room);

#endif
