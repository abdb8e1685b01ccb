/* The equations of a mixed model in the order in which they are solved. */
#ifndef LINALG_CROSSED_H
#define LINALG_CROSSED_H

#include <stddef.h>
#include <stdint.h>

#include "linalg/mixed_model.h"

/* Columns of one side: blocks of as many. */
struct crossed_side {
    size_t n, width;
    uint32_t *of; /* [n entries of the model] block, CROSSED_NONE: of none */
};

struct front {
    size_t first, end;      /* its entries, in their order here */
    size_t block, n_blocks; /* those of the side inside that it eliminates */
    size_t touched;         /* outer columns that its entries have, the common ones first … */
    size_t outer;           /* … and where they stand in `outer` */
    size_t across;          /* touched × its columns inside, where internal.h keeps them */
};

struct crossed {
    const struct mixed_model *m;
    int is_part_inside;
    struct crossed_side part, group; /* the blocks inside in the order of the fronts */
    size_t width;                    /* columns of a block inside */
    size_t n_inner, n_outer;         /* columns */
    uint32_t *order;                 /* [n] the model's entry at every place here */
    size_t *
        place; /* [n] where the outer block of the entry there begins in its front's line; SIZE_MAX: it has none */
    size_t *start; /* [blocks inside + 1] entries of block b are [start[b], start[b + 1]) */
    struct front *front;
    size_t n_fronts, n_across;
    uint32_t *outer;        /* of all fronts, ascending in each */
    size_t longest, widest; /* entries or columns inside, and outer columns, of a front at most */
    size_t most;            /* numbers of a front's lines, and of its columns inside */
};

int crossed_make(struct crossed *c, const struct mixed_model *m);
void crossed_free(struct crossed *c);

/* The variance of a column in the side inside, or among the outer ones; SIZE_MAX: fixed. */
size_t crossed_inner_variance(const struct crossed *c, size_t column);
size_t crossed_outer_variance(const struct crossed *c, size_t column);
/* What the variance of the entry at place i, given all columns, has of the three behind the blocks; of a group only where that has no column. */
void crossed_shares(double share[MIXED_OTHERS], const struct crossed *c, size_t i, const double *v);
/* A front's outer columns, scaled, touched × entries; and those of the side inside, width × entries. */
void crossed_fill(double *lines, const struct crossed *c, const struct front *f,
                  const double *scale);
void crossed_fill_inner(double *lines, const struct crossed *c, size_t first, size_t end,
                        const double *scale);

#endif
