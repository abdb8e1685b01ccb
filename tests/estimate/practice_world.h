/* A world of the family tests with tags and words of contexts. */
#ifndef REGRET_TESTS_PRACTICE_WORLD_H
#define REGRET_TESTS_PRACTICE_WORLD_H

#include "estimate/family_world.h"

struct practice_world {
    struct world *world;
    size_t tags, rank, own_rank;
    uint32_t *tag; /* [contexts] */
    double *words; /* contexts × rank */
    double *own;   /* contexts × own_rank */
    struct regret_csr *common_words;
};

/* Words of which the first is planted: by it the first two agents differ. */
enum { PRACTICE_WORDS = 5, PRACTICE_PLANTED = 2 };

/* Not settled: it may be tampered with. tags 0: none. */
struct practice_world *practice_begin(const struct world_shape *shape, uint64_t seed, size_t tags,
                                      size_t rank);
void practice_settle(struct practice_world *w);
struct practice_world *practice_draw(const struct world_shape *shape, uint64_t seed, size_t tags,
                                     size_t rank);
void practice_free(struct practice_world *w);
/* Own columns, by the first of which agents differ; before it is settled. */
void practice_give_own(struct practice_world *w, size_t rank, uint64_t seed);
struct regret_estimate *practice_fit(struct practice_world *w, const char *family);

#endif
