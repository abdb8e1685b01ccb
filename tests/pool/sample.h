/* Small pools for the tests of this room. */
#ifndef REGRET_TESTS_POOL_SAMPLE_H
#define REGRET_TESTS_POOL_SAMPLE_H

#include "regret/pool.h"

struct sample_shape {
    size_t contexts, agents;
    size_t max_draws; /* a pair has 1 to max_draws */
    double missing;   /* share of pairs without output, by chance; the first pair is always there */
    size_t levels;    /* scores take so many levels: few levels make ties */
    unsigned long seed; /* of everything random */
};

/* A valid, checked pool of three components (ranges 0–5, 1–5, -1–1), one count, two aux labels.
 * Asserts on failure. */
struct regret_pool *sample_pool(const struct sample_shape *shape);

/* A fresh folder below /tmp, made once a test; removed by sample_cleanup(). Borrowed. */
const char *sample_folder(void);
void sample_cleanup(void);

/* sample_folder()/name, valid until eight more calls. */
const char *sample_path(const char *name);

/* Writes the pool sample_folder()/name again without its history, and reads it. */
struct regret_pool *sample_without_history(const char *name);

/* Writes a text to sample_folder()/name. */
void sample_write(const char *name, const char *text);

/* A valid pool folder "p" of two contexts, two agents, written by hand, without digests. */
void sample_hand_written(void);

#endif
