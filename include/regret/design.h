/* What a ridge is fitted on: samples of rows, and designs, the features of the pairs that they draw. */
#ifndef REGRET_DESIGN_H
#define REGRET_DESIGN_H

#include <stddef.h>
#include <stdint.h>

#include "regret/matrix.h"
#include "regret/status.h"
#include "regret/stop.h"

/* Rows gathered by the pair they use. Entries have distinct pairs in ascending order. */
struct regret_sample {
    size_t rows;    /* Σ count */
    size_t entries; /* distinct pairs */
    size_t *pair;   /* [entries] */
    double *count;  /* [entries] rows with this pair, >= 1 */
    double *sum;    /* [entries] Σ y */
    double *square; /* [entries] Σ y² */
};

/* Gathers rows (pair[i], y[i]); with `take` not NULL only those with take[i] == wanted. Free with
 * regret_sample_free(). */
REGRET_API int regret_sample_gather(struct regret_sample **out, const uint32_t *pair,
                                    const double *y, size_t n, size_t n_pairs, const uint32_t *take,
                                    uint32_t wanted);
REGRET_API void regret_sample_free(struct regret_sample *sample);

/* What iterative fits took; counts add up. */
struct regret_solver_record {
    size_t fits;      /* solved to REGRET_POOLED_ERROR */
    size_t steps;     /* products of one vector with φφᵀ */
    size_t fallbacks; /* systems that were solved directly after all */
    double error;     /* the largest error proven of a final prediction */
};

/* The lines of P pairs, of one of three kinds. Borrowed.
 *   dense     value
 *   sparse    φ_p = own[p] + shared[group[p]], so that what all pairs of a context have in common is
 *             held once, and nothing P × dim is ever made dense
 *   reduced   a sparse φ seen from some pairs alone: Z with Z Zᵀ = φφᵀ on them. A ridge fitted on
 *             rows of these pairs has its coefficients in their span, so Z serves it exactly as φ
 *             does, in at most as many columns as there are pairs; predictions go back to φ. */
struct regret_design {
    size_t pairs;                    /* P */
    size_t dim;                      /* columns, without the intercept */
    const double *value;             /* dense: P × dim; reduced: lines × dim; column-major */
    const struct regret_csr *own;    /* P × D; NULL for a dense design */
    const struct regret_csr *shared; /* groups × D; may be NULL */
    const uint32_t *group;           /* [P] rows of `shared`; may be NULL when that is */
    size_t lines;                    /* reduced: pairs that are seen */
    const uint32_t *line; /* reduced: [P] row of `value`, UINT32_MAX where there is none */
    const size_t *basis;  /* reduced: [dim] the pairs of the first lines, where `value` is
                                        lower triangular */
    int iterative;      /* sparse: 1 solves by conjugate gradients in the pairs, not in D columns */
    size_t most_direct; /* iterative: with more pairs drawn than these no fit is solved directly
                                       after all (REGRET_LOOSEST_ERROR) */
    struct regret_solver_record *record; /* iterative: what is added to; may be NULL. One thread. */
    const struct regret_stop
        *stop; /* asked within fits, which then end with REGRET_E_CANCELLED; may be NULL */
};

/* The most_direct of a sparse design: a dense Gram matrix of 600 MB. */
enum { REGRET_MOST_DIRECT = 8192 };
/* The error of predictions that is aimed at there in the place of REGRET_POOLED_ERROR: its last two digits would be most of
 * the steps, and half of them rounding's. */
#define REGRET_MANY_ERROR 1e-8
/* The error of predictions that a fit may end at where more pairs are drawn than that, and rounding or 2,000 steps keep it
 * above what was asked for: the fit is then taken as it is, and its error told. A larger one is REGRET_E_NUMERIC. */
#define REGRET_LOOSEST_ERROR 1e-6

/* The first two kinds. */
REGRET_API struct regret_design regret_design_dense(size_t pairs, size_t dim, const double *value);
REGRET_API struct regret_design regret_design_sparse(const struct regret_csr *own,
                                                     const struct regret_csr *shared,
                                                     const uint32_t *group);

/* Coordinates Z with Z Zᵀ = φφᵀ on the pairs that are seen, in as many columns as there are at most.
 * A ridge fitted on rows of these pairs has its coefficients in their span, so Z serves it exactly as
 * φ does. */
struct regret_coordinates {
    size_t lines, rank;
    double *value;  /* lines × rank, column-major; owned, as the others */
    uint32_t *line; /* [P] the line of a pair; NULL: its own number, a line for every pair */
    size_t *basis; /* [rank] pairs of the first lines, where `value` is lower triangular; or NULL */
};

/* Z of every one of P pairs from their Gram matrix φφᵀ (P × P): that of a pair not seen is its
 * projection on the span of those that are. By the pivoted Cholesky factor of the n pairs with
 * seen[p] != 0. Frees with regret_coordinates_free(). O(n² rank + P n rank) time, O(n² + P rank)
 * memory. */
REGRET_API int regret_coordinates_of_gram(struct regret_coordinates *out, const double *gram,
                                          size_t pairs, const unsigned char *seen);
/* Z of the pairs seen of a sparse design alone, for regret_design_reduced(). O(n² overlap + n² rank)
 * time, O(n²) memory. */
REGRET_API int regret_coordinates_of_design(struct regret_coordinates *out,
                                            const struct regret_design *sparse,
                                            const unsigned char *seen);
REGRET_API void regret_coordinates_free(struct regret_coordinates *coordinates);
/* The design in these coordinates, which is solved directly whatever `sparse` says. Borrows both. O(1). */
REGRET_API struct regret_design regret_design_reduced(const struct regret_design *sparse,
                                                      const struct regret_coordinates *coordinates);

#endif
