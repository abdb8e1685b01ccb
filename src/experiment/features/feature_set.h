/* A grid with its features: what every replicate of some feature options reads. */
#ifndef REGRET_EXPERIMENT_FEATURE_SET_H
#define REGRET_EXPERIMENT_FEATURE_SET_H

#include <stdint.h>

#include "regret/config.h"
#include "regret/matrix.h"
#include "regret/pool.h"
#include "regret/proxy.h"

/* Read-only once made.
 *
 * A dense set holds the Gram matrix of its pairs, from which replicates take coordinates of φ. Where
 * that would be dearer than conjugate gradients, or too large, and for a controlled world, the set is sparse: φ itself,
 * in two parts, serves as the design, and fits are solved by whichever way is the cheapest (cell_cost.h). */
struct feature_set {
    struct regret_config config; /* the options it was made by */
    struct regret_grid *grid;
    size_t pairs;
    uint32_t *agent, *context; /* [pairs] grid indices */
    int outputs_known; /* 0: an agent that is unobserved somewhere gives several texts, so that nobody knows
                                       what φ and z of such a pair would be */
    int sparse;
    struct regret_csr *phi; /* pairs × columns, which are the D buckets and, where they are
                                       features, the agents; of a sparse set without what follows */
    struct regret_csr
        *phi_context; /* contexts × columns, the namespace that all pairs of a context have
                                       in common; NULL in a dense set */
    double *gram;     /* φ φᵀ, pairs × pairs; NULL in a sparse set */
    struct regret_terms *terms; /* these two: NULL in a sparse set that no proxy asks for them */
    double *statistics;         /* pairs × REGRET_STATISTICS */
    double *aux;                /* pairs × n_aux */
    double *components;         /* pairs × n_components, normalised */
    double *embedding;          /* e(x), n_contexts × embedding_rank */
    size_t embedding_rank;
};

void feature_set_free(struct feature_set *set);

#endif
