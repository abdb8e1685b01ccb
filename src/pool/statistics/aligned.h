/* Numbers of very different sizes below one another. */
#ifndef REGRET_POOL_ALIGNED_H
#define REGRET_POOL_ALIGNED_H

#include "regret/buffer.h"

/* The columns that a list of numbers takes: before the decimal point, and from it on. */
struct aligned {
    size_t left, right;
};

/* Makes room for x, of four significant digits and never with an exponent, in what begins as zero. */
void aligned_fit(struct aligned *a, double x);
/* Appends x with its point below those of the others. */
void aligned_put(struct regret_buffer *t, const struct aligned *a, double x);

#endif
