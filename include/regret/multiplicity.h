/* P-values of several comparisons made at once, adjusted so that each may be held against the size
 * that all of them together are to have. */
#ifndef REGRET_MULTIPLICITY_H
#define REGRET_MULTIPLICITY_H

#include <stddef.h>

#include "regret/status.h"

/* Both write the adjusted p-value of p[i] to adjusted[i] for i < n; `adjusted` may be `p`. Not a
 * number is no comparison: it is not counted and stays NaN. n = 0 is fine. A p-value outside of
 * [0, 1] is REGRET_E_INPUT and nothing is written. Equal p-values have equal adjusted ones, and the
 * order of the comparisons does not matter. O(n log n) time, O(n) memory. */

/* Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics
 * 6 (1979) 65-70: of the m ascending p-values the i-th becomes max over j <= i of (m − j + 1)·p_j, at
 * most 1. Those at most α are found with a chance of at most α of finding any that is not there,
 * however the comparisons depend on each other. */
REGRET_API int regret_holm(double *adjusted, const double *p, size_t n);

/* Benjamini and Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical
 * Society B 57 (1995) 289-300: the i-th becomes min over j >= i of m·p_j/j, at most 1. Of those at most
 * α a share of at most α is not there, on average, where the comparisons are independent or depend on
 * each other positively (Benjamini and Yekutieli, Annals of Statistics 29 (2001) 1165-1188). Never
 * above Holm's. */
REGRET_API int regret_benjamini_hochberg(double *adjusted, const double *p, size_t n);

#endif
