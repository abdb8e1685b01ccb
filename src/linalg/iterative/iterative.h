/* Samples over a sparse design whose Gram matrix would be too dear, ready for conjugate gradients (conjugate.h): their
 * pairs, the rows of the design at these, and the sketch that preconditions every fit.
 *
 * The preconditioner is a Nyström sketch ΦΦᵀ ≈ F Fᵀ of rank r, the same for every fit (Frangella, Tropp and Udell,
 * "Randomized Nyström preconditioning", SIAM J. Matrix Anal. Appl. 44, 2023), its core r × r for the weights of each. */
#ifndef REGRET_LINALG_ITERATIVE_H
#define REGRET_LINALG_ITERATIVE_H

#include "linalg/design/sparse_rows.h"
#include "linalg/iterative/strong.h"
#include "regret/design.h"

/* Products of a vector with φφᵀ: what the sketch takes, and a fit that is used, as it was on pools of 2,000 to 46,000
 * pairs (benchmarks/growth.py). One multiply-add of them takes the time of so many of a product of dense matrices. */
enum { ITERATIVE_SKETCH_PRODUCTS = 320, ITERATIVE_FIT_PRODUCTS = 38, SPARSE_COST_RATIO = 8 };

/* Measured over pools of 2,000 to 46,000 pairs (benchmarks/growth.py). */
enum { SKETCH_POWERS = 1, SKETCH_RANK = ITERATIVE_SKETCH_PRODUCTS / (SKETCH_POWERS + 1) };

/* A sample over lines, with its moments of g, the lines of the sketch and of S side by side: Σ count g gᵀ
 * (wide × wide, lower) and Σ count g. */
struct iterative_sample {
    double rows, rho;
    double *count, *sum;
    double *core, *mean;
};

/* Both samples over one design; read-only once made. */
struct iterative {
    size_t pairs;
    int is_last_resort; /* 1: too many pairs to be solved directly where this does not get there */
    size_t n, m;        /* different pairs of both samples; of EXP, which come first */
    size_t *pair;       /* [n] */
    const struct regret_stop *stop;   /* of the design */
    struct strong strong;             /* S, what is eliminated */
    struct sparse_rows *rows;         /* the other columns, Φ */
    struct iterative_sample obs, exp; /* over n lines */
    size_t rank, wide;                /* wide = rank + strong.q */
    float *sketch;                    /* F, n × rank */
};

/* Part of a sample: its lines and their share of the sketch's core. */
struct iterative_part {
    size_t n;
    size_t *line;                   /* [n], ascending */
    struct iterative_sample sample; /* over n */
};

/* What is to be fitted. */
struct iterative_fit {
    double lambda;
    const struct iterative_part *left_out;     /* of EXP, or NULL */
    const struct iterative_part *obs_left_out; /* of OBS, or NULL */
    const double *obs_sum; /* Σ y of the entries of OBS instead of its own, without EXP; or NULL */
    double rho_exp;        /* > 0: instead of EXP's own */
};

int iterative_create(struct iterative **out, const struct regret_design *design,
                     const struct regret_sample *obs, const struct regret_sample *exp,
                     double rho_obs, double rho_exp);
void iterative_free(struct iterative *it);

/* `of`: the sample of `it` that it is part of. */
int iterative_part_create(struct iterative_part **out, const struct iterative *it,
                          const struct iterative_sample *of, const struct regret_sample *part);
void iterative_part_free(struct iterative_part *part);

#endif
