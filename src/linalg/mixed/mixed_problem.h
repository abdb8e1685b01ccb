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

/* Columns of a line with one variance; all common or all own. */
struct mixed_span {
    size_t begin, end;
};

struct mixed_model {
    size_t n;              /* entries */
    size_t common, own;    /* columns that all entries have, and those that a part has for itself */
    size_t parts;          /* of which an entry belongs to one */
    const double *line;    /* (common + own) × n, column-major: the line of an entry together */
    const uint32_t *part;  /* [n] < parts */
    const double *y;       /* [n] means of rows */
    const double *rows;    /* [n] how many, > 0 */
    const uint32_t *group; /* [n] ascending */
    size_t fixed;          /* columns before the first block, all common */
    const double *precision; /* [fixed] */
    size_t n_blocks;
    struct mixed_span block[MIXED_MAX_BLOCKS]; /* they may be empty */
    double within;                             /* S */
    const struct regret_stop *stop;            /* asked at every step; may be NULL */
};

/* Where β of part 0 begins, and those of the next parts by `own` each. */
static inline size_t mixed_columns(const struct mixed_model *m)
{
    return m->common + m->parts * m->own;
}

#endif
