/* Random matrices for the tests, sparse and dense at once. */
#ifndef REGRET_TESTS_RANDOM_MATRIX_H
#define REGRET_TESTS_RANDOM_MATRIX_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "regret/design.h"
#include "regret/status.h"
#include "regret/task.h"

/* A rows x cols matrix with about `density` of its places filled by normals; *dense (column-major,
 * to be freed) holds the same numbers. */
static inline struct regret_csr *random_csr(double **dense, size_t rows, size_t cols,
                                            double density, uint64_t seed)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 0);
    size_t *row = malloc(rows * cols * sizeof *row), *column = malloc(rows * cols * sizeof *column);
    double *value = malloc(rows * cols * sizeof *value), *d = calloc(rows * cols, sizeof *d);
    size_t n = 0;
    for (size_t j = 0; j < cols; j++) {
        for (size_t i = 0; i < rows; i++) {
            if (regret_rng_uniform(&r) < density) {
                row[n] = i;
                column[n] = j;
                d[i + j * rows] = value[n++] = regret_rng_normal(&r);
            }
        }
    }
    struct regret_csr *m = NULL;
    cr_assert_eq(regret_csr_from_triplets(&m, rows, cols, n, row, column, value), REGRET_OK);
    free(row);
    free(column);
    free(value);
    *dense = d;
    return m;
}

static inline double *random_dense(size_t rows, size_t cols, uint64_t seed)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 1);
    double *d = malloc(rows * cols * sizeof *d);
    for (size_t i = 0; i < rows * cols; i++) {
        d[i] = regret_rng_normal(&r);
    }
    return d;
}

#endif
