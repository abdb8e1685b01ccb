/* A sparse design in two parts and the same numbers dense. */
#ifndef REGRET_TESTS_RANDOM_DESIGN_H
#define REGRET_TESTS_RANDOM_DESIGN_H

#include <stdint.h>

#include "linalg/random_matrix.h"
#include "regret/design.h"

struct random_design {
    struct regret_csr *own, *shared; /* `shared` NULL without groups */
    uint32_t *group;
    double *columns; /* pairs × dim: own + shared of its group */
    struct regret_design sparse, dense;
};

static inline struct random_design random_design(size_t pairs, size_t groups, size_t dim,
                                                 uint64_t seed)
{
    struct random_design d = {0};
    double *shared = NULL;
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 9);
    d.own = random_csr(&d.columns, pairs, dim, 0.3, 2 * seed);
    if (groups > 0) {
        d.shared = random_csr(&shared, groups, dim, 0.5, 2 * seed + 1);
        d.group = malloc(pairs * sizeof *d.group);
        for (size_t p = 0; p < pairs; p++) {
            d.group[p] = regret_rng_below(&r, (uint32_t)groups);
            for (size_t j = 0; j < dim; j++) {
                d.columns[j * pairs + p] += shared[j * groups + d.group[p]];
            }
        }
    }
    free(shared);
    d.sparse = regret_design_sparse(d.own, d.shared, d.group);
    d.dense = regret_design_dense(pairs, dim, d.columns);
    return d;
}

static inline void random_design_clear(struct random_design *d)
{
    regret_csr_free(d->own);
    regret_csr_free(d->shared);
    free(d->group);
    free(d->columns);
}

#endif
