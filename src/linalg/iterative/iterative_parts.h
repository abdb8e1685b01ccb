/* What the iterative solver is made of; see iterative.h. */
#ifndef REGRET_LINALG_ITERATIVE_PARTS_H
#define REGRET_LINALG_ITERATIVE_PARTS_H

#include "linalg/iterative/iterative.h"
#include "linalg/sparse/sparse_rows.h"

/* Measured over pools of 2,000 to 46,000 pairs (docs/speed.md). */
enum { SKETCH_POWERS = 1, SKETCH_RANK = ITERATIVE_SKETCH_PRODUCTS / (SKETCH_POWERS + 1) };

/* A sample over lines, with its moments of the sketch: Σ count f fᵀ (rank × rank, lower) and Σ count f. */
struct iterative_sample {
    double rows, rho;
    double *count, *sum;
    double *core, *mean;
};

struct iterative {
    size_t pairs;
    size_t n, m;  /* different pairs of both samples; of EXP, which come first */
    size_t *pair; /* [n] */
    struct sparse_rows *rows;
    struct iterative_sample obs, exp; /* over n lines */
    size_t rank;
    float *sketch; /* F, n × rank */
};

struct iterative_part {
    size_t n;
    size_t *line;                   /* [n] of EXP */
    struct iterative_sample sample; /* over n */
};

#endif
