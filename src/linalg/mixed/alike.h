/* Entries that are groups of their own, with as many rows each, have one variance given the columns, σ² I, which a rotation
 * leaves as it is. So of more of them than columns R of [X y] = Q R takes the place, and entries without line and outcome,
 * which only determinants and traces count. */
#ifndef REGRET_LINALG_MIXED_ALIKE_H
#define REGRET_LINALG_MIXED_ALIKE_H

#include "linalg/mixed/mixed_problem.h"

struct alike {
    struct mixed_model model; /* of the same ℓ and β: that given where no class is so large */
    double *line, *y, *rows, *times;
    uint32_t *group;
};

/* O(N q²) once, which is more than one step of all entries; a step is of q + 2 entries a class then. */
int alike_make(struct alike *a, const struct mixed_model *m);
void alike_free(struct alike *a);

#endif
