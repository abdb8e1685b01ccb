/* A small task on a random pool, for the tests of rewards, logging policies and draws. */
#ifndef REGRET_TESTS_SMALL_TASK_H
#define REGRET_TESTS_SMALL_TASK_H

#include "pool/sample.h"
#include "regret/task.h"

enum { EMBEDDING_RANK = 3 };

struct small_task {
    struct regret_pool *pool;
    struct regret_grid *grid;
    struct regret_split *split;
    double *reward;    /* of the task */
    double *embedding; /* contexts × EMBEDDING_RANK */
    struct regret_cached_task *task;
};

/* The map of that name with the parameters of the protocol. */
struct regret_reward_options small_task_reward(const char *map);

/* Smooth rewards, four fifths of the contexts to train on, β = .6, a slate of three. */
void small_task_make(struct small_task *w, size_t contexts, size_t agents, size_t draws,
                     uint64_t seed);
void small_task_clear(struct small_task *w);

/* Pearson's χ² of counts against expected numbers. */
double chi_square(const double *count, const double *expected, size_t n);

#endif
