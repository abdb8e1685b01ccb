/* One replicate: a pure function of (pool, cell, seed). */
#ifndef REGRET_EXPERIMENT_REPLICATE_H
#define REGRET_EXPERIMENT_REPLICATE_H

#include "experiment/coordinates.h"
#include "experiment/lab.h"
#include "regret/text_buffer.h"

/* Where the time goes. */
enum stage { STAGE_FEATURES, STAGE_DRAW, STAGE_PROXY, STAGE_FIT, STAGE_MEASURE, N_STAGES };
extern const char *const stage_names[N_STAGES];
/* Seconds of a clock that only goes forward; in no result. */
double stage_clock(void);

/* Values of the agents over the test contexts, by one family. */
struct agent_values {
    double *dm, *dr, *sndr; /* [n_agents]; dr and sndr are NULL when values are off */
};

/* Everything drawn, fitted and measured; what `cell --export` opens. */
struct replicate {
    struct regret_config config;
    uint64_t seed;
    const struct lab *lab;
    const struct bench *bench;
    const struct lab_world *world; /* NULL with task "pool" */

    double *reward; /* [n_segments × pairs]; NULL in a controlled world */
    double *mu;     /* [n_contexts × n_agents] */
    double *truth;  /* [n_agents] V(a) over the test contexts */
    struct regret_task task;
    struct regret_rows obs, exp;
    struct coordinates coordinates; /* of φ in a dense lab */
    struct regret_coordinates
        reduced;              /* of φ in a sparse lab with fewer drawn pairs than columns */
    struct regret_design phi; /* φ of every pair as the estimators see it */
    double *z;                /* pairs × z_dim */
    size_t z_dim;
    struct regret_folds *cv, *dr;
    struct regret_problem problem;
    struct regret_estimate **estimate; /* [families.n] */
    struct agent_values *values;       /* [families.n] */
    double seconds[N_STAGES];          /* wall time; in no result */
};

int replicate_run(struct replicate **out, const struct regret_config *config,
                  const struct bench *bench, const struct lab_world *world);
/* Marks the pairs of OBS and EXP rows; returns how many were not marked before. */
size_t replicate_mark_drawn(unsigned char *mark, const struct replicate *r);

void replicate_free(struct replicate *r);

/* Appends the result rows (include/regret/results.h), one line each. */
int replicate_rows(struct regret_text *text, const struct replicate *r, size_t cell,
                   const char *cell_key);
/* How many rows that is. */
size_t replicate_row_count(const struct regret_config *config, const struct regret_pool *pool);

#endif
