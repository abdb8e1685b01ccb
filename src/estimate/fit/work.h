/* The work of fitting, estimated from sizes alone. Shards are cut by it, so it is whole-number
 * arithmetic: the same on every machine. */
#ifndef REGRET_ESTIMATE_WORK_H
#define REGRET_ESTIMATE_WORK_H

#include <stdint.h>

#include "regret/estimate.h"

/* Multiply-adds by what they wait for. */
struct fit_work {
    uint64_t block;    /* products and factorisations of matrices, which run in the caches */
    uint64_t reduce;   /* reduction to a tridiagonal, half of it matrix by vector */
    uint64_t scatter;  /* sparse rows and dense columns read once */
    uint64_t product;  /* panels of vectors by sparse rows (src/linalg/design/sparse_rows.h) */
    uint64_t evaluate; /* losses of candidates: many small solves, and a column of pairs each */
};

/* The sizes that decide. */
struct fit_sizes {
    const struct regret_estimate_options *options;
    uint64_t pairs, drawn, obs, exp; /* pairs; different ones drawn, in OBS, in EXP */
    uint64_t row;                    /* stored elements of a row of φ */
    uint64_t columns;                /* columns of φ */
    int sparse;                      /* 1: φ is kept in its columns, not in a Gram matrix */
    int iterative;                   /* 1: fits in φ are solved by conjugate gradients */
    uint64_t stored; /* stored elements of the rows drawn, what contexts share once */
    uint64_t strong; /* columns that such fits eliminate (linalg/iterative/strong.h) */
    uint64_t q, z;   /* sides of the systems in φ and in z */
    uint64_t cv_folds;
    uint64_t value_folds; /* of DR; 0 without */
    int kept;             /* 1: a refit without some rows, by hyper-parameters that are there */
};

/* Sums and products that stop at the top: an absurd configuration is dear, not cheap. */
uint64_t work_add(uint64_t a, uint64_t b);
uint64_t work_mul(uint64_t a, uint64_t b);
uint64_t work_mul3(uint64_t a, uint64_t b, uint64_t c);
uint64_t work_least(uint64_t a, uint64_t b);

/* Σ u uᵀ over `rows` lines of φ. */
void work_moments(struct fit_work *w, const struct fit_sizes *s, uint64_t rows);
/* A ridge on φ of one sample of `rows` lines, with `outputs` outcomes. */
void work_ridge(struct fit_work *w, const struct fit_sizes *s, uint64_t rows, uint64_t outputs);
/* `fits` on φ of all rows but a few, of which the whole is there: its sketch, where there is one. */
void work_refits(struct fit_work *w, const struct fit_sizes *s, uint64_t fits);
/* `losses` values of λ by a system of side q that is already factorised, each over the causal-CV
 * folds. */
void work_losses(struct fit_work *w, const struct fit_sizes *s, uint64_t q, uint64_t losses);
/* `fits` pooled systems of side q over `obs` and the EXP lines, `losses` values of λ each. */
void work_tuning(struct fit_work *w, const struct fit_sizes *s, uint64_t q, uint64_t obs,
                 uint64_t fits, uint64_t losses);
/* The choice of ρ_E and ρ_O, where there is one. */
void work_plain_rhos(struct fit_work *w, const struct fit_sizes *s);
/* Out-of-fold predictions for DR. */
void work_cross_fit(struct fit_work *w, const struct fit_sizes *s, uint64_t q);

#endif
