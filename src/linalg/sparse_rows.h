/* Products of sparse rows. */
#ifndef LINALG_SPARSE_ROWS_H
#define LINALG_SPARSE_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "regret/design.h"

enum { SPARSE_PANEL = 16, SPARSE_BLOCK = 2048 };
/* Of a vector by itself all columns are near, up to so many; with so many rows, rows cut into blocks cost more than the
 * products, and are there once more as a whole. Of so many, other methods are taken in linalg/iterative, too. */
enum { SPARSE_WHOLE = 65536, SPARSE_MANY_ROWS = 8192 };

struct sparse_part { /* compressed rows, for every block anew */
    size_t rows;
    size_t *row_start; /* [blocks × (rows + 1)] into the two below */
    uint16_t *column;  /* within its block */
    double *value;
    float *single; /* the same, rounded; NULL in one block of all columns */
};
struct sparse_layout {
    size_t width, blocks; /* columns of a block; 0 blocks: not made */
    struct sparse_part own;
    struct sparse_part shared; /* of a group; without rows where the design shares nothing */
};
struct sparse_rows {
    size_t rows, cols, groups;
    size_t dim;                  /* columns of the design */
    uint32_t *design_column;     /* [cols] */
    struct sparse_layout panels; /* in blocks of SPARSE_BLOCK */
    struct sparse_layout whole;  /* in one, of many rows */
    uint32_t *group;             /* [rows] or NULL */
    double longest;              /* the largest length of a row */
};

/* Rows at pair[0..n) of a sparse design, in that order, without the columns with apart[j] != 0 (NULL: all of them).
 * O(entries + dim log dim). */
int sparse_rows_create(struct sparse_rows **out, const struct regret_design *design,
                       const size_t *pair, size_t n, const unsigned char *apart);
void sparse_rows_free(struct sparse_rows *m);

/* Columns of an array of `lines` lines, each times a factor for every line. */
struct sparse_columns {
    size_t lines; /* of the array; those past the rows of a product are left alone */
    const double *value;
    const double *factor; /* of the same shape, or one column for all */
    int one_factor;
    const size_t *which; /* [n] which columns; NULL: the first n */
    size_t n;
    int packed; /* 1: a product's columns stand in the order of `which`, not at its places */
    int single; /* 1: multiply in single precision, in half the time; off by about 1e-7 of the largest element */
};

/* Scratch of the products: doubles. */
size_t sparse_rows_scratch(const struct sparse_rows *m);
/* The columns of out = Φ Φᵀ (factor ∘ v) for the first `rows` lines, at the places of v's or packed. Not in place. O(entries)
 * a column. */
void sparse_rows_gram(double *out, const struct sparse_rows *m, size_t rows,
                      const struct sparse_columns *v, double *scratch);
/* θ (dim) = Φᵀ v, v one vector of m->rows; `scratch` as above. O(entries). */
void sparse_rows_combine(double *theta, const struct sparse_rows *m, const double *v,
                         double *scratch);

#endif
