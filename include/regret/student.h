/* Student's t distribution. */
#ifndef REGRET_STUDENT_H
#define REGRET_STUDENT_H

#include "regret/status.h"

/* P(T <= t) with df > 0 degrees of freedom, not necessarily whole; infinite df is the normal
 * distribution. NaN of a NaN and of df <= 0. To about 1e-14. By the continued fraction of the
 * incomplete beta function (Abramowitz and Stegun 26.5.8, 26.7.1). */
REGRET_API double regret_student_cdf(double t, double df);
/* The t with P(T <= t) = p, 0 < p < 1; NaN otherwise. */
REGRET_API double regret_student_quantile(double p, double df);

#endif
