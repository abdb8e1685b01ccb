/* What replicates share: once for a pool and feature options (lab), once for a seed (bench). */
#ifndef REGRET_EXPERIMENT_LAB_H
#define REGRET_EXPERIMENT_LAB_H

#include <stdint.h>

#include "regret/config.h"
#include "regret/matrix.h"
#include "regret/pool.h"
#include "regret/proxy.h"
#include "regret/task.h"

/* A grid with its features. Read-only once made. */
struct lab {
    struct regret_config config; /* the options it was made by */
    struct regret_grid *grid;
    size_t pairs;
    uint32_t *agent, *context; /* [pairs] grid indices */
    struct regret_csr *phi;    /* pairs × D */
    double *gram;              /* φ φᵀ, pairs × pairs */
    struct regret_terms *terms;
    double *statistics; /* pairs × REGRET_STATISTICS */
    double *aux;        /* pairs × n_aux */
    double *components; /* pairs × n_components, normalised */
    double *embedding;  /* e(x), n_contexts × embedding_rank */
    size_t embedding_rank;
};

/* Labs of a plan: each distinct one made once, cell c uses labs[of_cell[c]]. */
struct lab_set {
    struct lab **labs;
    size_t n;
    size_t *of_cell; /* [cells] */
};

int lab_set_create(struct lab_set **out, const struct regret_plan *plan,
                   const struct regret_pool *pool);
void lab_set_free(struct lab_set *set);

/* One seed's split and the coordinates of φ it implies: Z with Z Zᵀ = φφᵀ on training pairs, and
 * the projection of test pairs on their span, which is all a ridge fitted on training pairs can
 * see. */
struct bench {
    const struct lab *lab;
    uint64_t seed;
    double train_share;
    struct regret_split *split;
    unsigned char *train, *test; /* [pairs] */
    double *coordinates;         /* pairs × rank */
    size_t rank;
};

int bench_create(struct bench **out, const struct lab *lab, uint64_t seed, double train_share);
void bench_free(struct bench *bench);

#endif
