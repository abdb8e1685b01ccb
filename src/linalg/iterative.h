/* Iterative ridge: the problem and its strong columns. */
#ifndef LINALG_ITERATIVE_H
#define LINALG_ITERATIVE_H

#include <stddef.h>
#include <stdint.h>

#include "linalg/sparse_rows.h"
#include "regret/design.h"

/* Columns of a sparse design that weigh more than texts do, apart from the others: agents, tags and their crosses with a
 * scale, columns of one's own. Left among the others they would be most of a residual and of its rounding, and no
 * prediction could be proven to what is asked for; a fit eliminates them exactly instead, as it does the intercept
 * (internal.h). */

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

/* Samples over a sparse design whose Gram matrix would be too dear, ready for conjugate gradients (internal.h): their
 * pairs, the rows of the design at these, and the sketch that preconditions every fit.
 *
 * The preconditioner is a Nyström sketch ΦΦᵀ ≈ F Fᵀ of rank r, the same for every fit (Frangella, Tropp and Udell,
 * "Randomized Nyström preconditioning", SIAM J. Matrix Anal. Appl. 44, 2023), its core r × r for the weights of each. */

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
