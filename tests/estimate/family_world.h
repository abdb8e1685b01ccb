/* Random problems of estimation. tests/outside recomputes what families make of exported ones. */
#ifndef REGRET_TESTS_FAMILY_WORLD_H
#define REGRET_TESTS_FAMILY_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include "regret/estimate.h"

struct world_shape {
    size_t contexts, agents,
        train;       /* pairs = contexts · agents; the first `train` contexts train */
    size_t phi, z;   /* dimensions */
    size_t obs, exp; /* rows */
    double noise;    /* half-width of the uniform noise of an outcome */
    double stretch;  /* outcomes leave [.5 − .3, .5 + .3] by this factor, then clip */
};

/* The eight families, grounded-linear tuned by the EXP holdout as a ninth, and grounded with a choice of
 * α as a tenth. */
enum { WORLD_HOLDOUT = 8, WORLD_SHRUNK, WORLD_FAMILIES };
/* Those of practice come last in the table, and have tests of their own. */
enum { WORLD_PRACTICE = 2 };
const char *world_family(int f); /* its name in the table */

struct world {
    struct world_shape shape;
    size_t pairs;
    uint32_t *agent;
    unsigned char *train;
    double *phi, *z;                 /* row-major */
    double *phi_columns, *z_columns; /* the same, column-major */
    struct regret_rows obs, exp;
    struct regret_folds *cv, *dr, *obs_folds, *obs_cv;
    uint32_t *context; /* [pairs] */
    struct regret_estimate_options options;
    struct regret_problem problem;
};

/* A random world: features, outcomes that depend on both, uniform EXP and self-selected OBS. The
 * world is ready to be tampered with (agent, train, features, rows) before world_settle(). */
struct world *world_draw(const struct world_shape *shape, uint64_t seed);
/* Makes the library's folds and fills `problem`. */
void world_settle(struct world *w, uint64_t seed);
/* Fills `problem` from the folds as they are. */
void world_join(struct world *w, uint64_t seed);
/* Folds with fold[i] of each row, gathered as the library wants them. */
struct regret_folds *world_folds(const struct world *w, const struct regret_rows *rows,
                                 enum regret_fold_mode mode, size_t n_folds, const uint32_t *fold);
void world_free(struct world *w);

/* The library's fit of family f in a session of its own; to be freed. */
struct regret_estimate *world_fit(struct world *w, int f);

/* Fits all families in one session: numbers of [0,1], the same as in a session of one's own, and out of fold where there are four rows of EXP or more. */
void world_fits(struct world *w, const char *what);

/* Largest |a − b| over n numbers; infinite when just one of two is NaN. */
double world_gap(const double *a, const double *b, size_t n);

#endif
