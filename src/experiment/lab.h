/* What replicates share: once for a pool and feature options (lab), once for the options of a
 * controlled world (lab_world), once for a seed (bench). */
#ifndef REGRET_EXPERIMENT_LAB_H
#define REGRET_EXPERIMENT_LAB_H

#include <stdint.h>

#include "regret/config.h"
#include "regret/matrix.h"
#include "regret/pool.h"
#include "regret/proxy.h"
#include "regret/task.h"
#include "regret/world.h"

/* A grid with its features. Read-only once made.
 *
 * A dense lab holds the Gram matrix of its pairs, from which replicates take coordinates of φ.
 * Where that matrix would be too large, and for a controlled world, the lab is sparse: φ itself, in
 * two parts, serves as the design, and fits are solved in its D columns or, where fewer pairs are
 * drawn, in coordinates of these. */
struct lab {
    struct regret_config config; /* the options it was made by */
    struct regret_grid *grid;
    size_t pairs;
    uint32_t *agent, *context; /* [pairs] grid indices */
    int sparse;
    struct regret_csr *phi;         /* pairs × D; of a sparse lab without what follows */
    struct regret_csr *phi_context; /* contexts × D, the namespace that all pairs of a context have
                                       in common; NULL in a dense lab */
    double *gram;                   /* φ φᵀ, pairs × pairs; NULL in a sparse lab */
    struct regret_terms *terms; /* these two: NULL in a sparse lab that no proxy asks for them */
    double *statistics;         /* pairs × REGRET_STATISTICS */
    double *aux;                /* pairs × n_aux */
    double *components;         /* pairs × n_components, normalised */
    double *embedding;          /* e(x), n_contexts × embedding_rank */
    size_t embedding_rank;
};

/* `texts_wanted`: statistics and terms of the outputs are made in a sparse lab too. */
int lab_create(struct lab **out, const struct regret_config *config, const struct regret_pool *pool,
               int texts_wanted);
void lab_free(struct lab *lab);
/* Refuses a cell of a sparse lab whose fits would be too large. */
int lab_check_size(const struct lab *lab, const struct regret_config *config);

/* A controlled world over a lab's texts, with what does not depend on a seed. Read-only. */
struct lab_world {
    struct regret_config config; /* the options it was made by */
    const struct lab *lab;
    struct regret_controlled_world *world;
    double *mu;      /* the target, [n_contexts × n_agents] */
    double *pair_mu; /* mean over segments of μ(x,m,u), [pairs] */
    double *labels;  /* T, pairs × world.labels */
};
int lab_world_create(struct lab_world **out, const struct lab *lab,
                     const struct regret_config *config);
void lab_world_free(struct lab_world *world);

/* Labs and worlds of a plan, each distinct one made once. Cell c uses labs[of_cell[c]] and, in a
 * controlled world, worlds[world_of_cell[c]]. */
struct lab_set {
    struct lab **labs;
    size_t n;
    size_t *of_cell; /* [cells] */
    struct lab_world **worlds;
    size_t n_worlds;
    size_t *world_of_cell; /* [cells] */
};
/* The world of a cell; NULL with task "pool". */
const struct lab_world *lab_set_world(const struct lab_set *set, size_t cell);

int lab_set_create(struct lab_set **out, const struct regret_plan *plan,
                   const struct regret_pool *pool);
void lab_set_free(struct lab_set *set);

/* Every cell's draws must be possible before anything is written; `path` is the configuration's. */
int lab_set_check(const struct lab_set *set, const struct regret_plan *plan, const char *path);

/* One seed's split. */
struct bench {
    const struct lab *lab;
    uint64_t seed;
    double train_share;
    struct regret_split *split;
    unsigned char *train, *test; /* [pairs] */
};

int bench_create(struct bench **out, const struct lab *lab, uint64_t seed, double train_share);
void bench_free(struct bench *bench);

#endif
