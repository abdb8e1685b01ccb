#include "estimate/practice_world.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "regret/families.h"
#include "regret/rng.h"

struct practice_world *practice_begin(const struct world_shape *shape, uint64_t seed, size_t tags,
                                      size_t rank)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 78);
    struct practice_world *w = calloc(1, sizeof *w);
    cr_assert_not_null(w);
    w->world = world_draw(shape, seed);
    w->tags = tags;
    w->rank = rank;
    w->tag = calloc(shape->contexts, sizeof *w->tag);
    w->words = calloc(shape->contexts * rank + 1, sizeof *w->words);
    for (size_t x = 0; x < shape->contexts; x++) {
        w->tag[x] = tags > 0 ? (uint32_t)(x % tags) : 0;
    }
    for (size_t i = 0; i < shape->contexts * rank; i++) {
        w->words[i] = regret_rng_normal(&r);
    }
    return w;
}

void practice_settle(struct practice_world *w)
{
    world_settle(w->world, 5);
    w->world->problem.tag = w->tags > 0 ? w->tag : NULL;
    w->world->problem.n_tags = w->tags;
    w->world->problem.words = w->words;
    w->world->problem.words_rank = w->rank;
}

struct practice_world *practice_draw(const struct world_shape *shape, uint64_t seed, size_t tags,
                                     size_t rank)
{
    struct practice_world *w = practice_begin(shape, seed, tags, rank);
    practice_settle(w);
    return w;
}

void practice_free(struct practice_world *w)
{
    world_free(w->world);
    free(w->tag);
    free(w->words);
    free(w);
}

struct regret_estimate *practice_fit(struct practice_world *w, const char *family)
{
    return practice_fit_family(w, regret_family_find(family));
}

struct regret_estimate *practice_fit_family(struct practice_world *w,
                                            const struct regret_family *family)
{
    struct regret_session *session = NULL;
    struct regret_estimate *e = NULL;
    cr_assert_eq(regret_session_open(&session, &w->world->problem, &w->world->options), 0, "%s",
                 regret_error_message());
    cr_assert_eq(regret_family_fit(&e, family, session), 0, "%s", regret_error_message());
    regret_session_close(session);
    return e;
}
