/* Several rewrites of one response: reward models "M@rewriter#repeat", and the means over them. */
#ifndef REGRET_RATE_VARIANTS_H
#define REGRET_RATE_VARIANTS_H

#include "regret/rate.h"

/* Whether two names are equal, or both absent. */
int same_name(const char *a, const char *b);
/* Whether a model is a mean over rewrites that is part of no other mean. */
int is_whole_mean(const struct regret_rate_rows *rows, size_t model);
/* The models of single rewrites that a mean is over; returns their number. */
size_t leaves_of(size_t out[REGRET_RATE_MAX_MODELS], const struct regret_rate_rows *rows,
                 size_t mean);
/* Those of the leaves that count for row i: they have every score of a rewrite that any of them has. */
size_t leaves_of_row(size_t out[REGRET_RATE_MAX_MODELS], const struct regret_rate_rows *rows,
                     const size_t *leaves, size_t n, size_t i);

#endif
