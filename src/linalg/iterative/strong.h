/* Columns of a sparse design that weigh more than texts do, apart from the others: agents, tags and their crosses with a
 * scale, columns of one's own. Left among the others they would be most of a residual and of its rounding, and no
 * prediction could be proven to what is asked for; a fit eliminates them exactly instead, as it does the intercept
 * (conjugate.h). */
#ifndef REGRET_LINALG_STRONG_H
#define REGRET_LINALG_STRONG_H

#include <stddef.h>
#include <stdint.h>

#include "regret/design.h"

/* A column is strong whose entries, where there are any, have a mean square of STRONG_SQUARE (a text has 1 in all) and that
 * has at least STRONG_SHARE of it over all lines. At most so many, the heaviest, and a quarter of the
 * lines. */
enum { MOST_STRONG = 256 };
#define STRONG_SQUARE 2.0
#define STRONG_SHARE 0.01

/* S, n lines × q columns, in compressed rows; a column may stand twice in a row, and counts twice. */
struct strong {
    size_t n, q;
    size_t *row_start; /* [n + 1] */
    uint32_t *column;  /* of S */
    double *value;
    uint32_t *design_column; /* [q] */
    size_t *distinct;        /* [n_distinct] the first of lines that are alike */
    size_t n_distinct;
    unsigned char *is_strong; /* [dim] */
};

/* Of the pairs at pair[0..n) with weights[n], which sum to a total. Without such columns q is 0. O(entries + dim). */
int strong_create(struct strong *out, const struct regret_design *design, const size_t *pair,
                  const double *weight, size_t n);
void strong_clear(struct strong *s);

/* out (q) = Sᵀ (h ∘ v) over the first n lines. */
void strong_collect(double *out, const struct strong *s, const double *h, const double *v,
                    size_t n);
/* The line l of S times c (q). */
double strong_line(const struct strong *s, size_t l, const double *c);

#endif
