/* What a mixed model is of: its entries, columns and blocks (mixed_model.h has the mathematics). */
#ifndef REGRET_LINALG_MIXED_PROBLEM_H
#define REGRET_LINALG_MIXED_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "regret/stop.h"

enum { MIXED_MAX_BLOCKS = 9 };
/* Places of variances behind those of the blocks. */
enum { MIXED_GROUP, MIXED_ENTRY, MIXED_NOISE, MIXED_OTHERS };
enum { MIXED_MAX_VARIANCES = MIXED_MAX_BLOCKS + MIXED_OTHERS };

struct mixed_model {
    size_t n, q;           /* entries, columns */
    const double *line;    /* q × n, column-major: the line of an entry stands together */
    const double *y;       /* [n] means of rows */
    const double *rows;    /* [n] how many, > 0 */
    const uint32_t *group; /* [n] ascending */
    const double
        *times; /* [n] how many stand at an entry, of those without line and y; NULL: one at each */
    size_t fixed;            /* columns before the first block */
    const double *precision; /* [fixed] */
    size_t n_blocks;
    size_t end[MIXED_MAX_BLOCKS];   /* block b ends before this column; it may be empty */
    double within;                  /* S */
    const struct regret_stop *stop; /* asked at every step; may be NULL */
};

static inline double mixed_times(const struct mixed_model *m, size_t e)
{
    return m->times != NULL ? m->times[e] : 1.0;
}

#endif
