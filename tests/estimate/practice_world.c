#include "estimate/practice_world.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "regret/design.h"
#include "regret/estimate.h"
#include "regret/task.h"

/* Half of the contexts hold a word, and by one of them the first two agents differ. */
static void hold_words(struct practice_world *w, struct regret_rng *r)
{
    struct regret_rows *rows[] = {&w->world->obs, &w->world->exp};
    size_t n = w->world->shape.contexts, m = 0, row[PRACTICE_WORDS * 64],
           column[PRACTICE_WORDS * 64];
    double one[PRACTICE_WORDS * 64], planted[64] = {0.0};
    cr_assert_leq(n, 64);
    for (size_t j = 0; j < PRACTICE_WORDS; j++) {
        for (size_t x = 0; x < n; x++) {
            if (regret_rng_uniform(r) < 0.5) {
                planted[x] += j == PRACTICE_PLANTED;
                row[m] = j;
                column[m] = x;
                one[m++] = 1.0;
            }
        }
    }
    cr_assert_eq(regret_csr_from_triplets(&w->common_words, PRACTICE_WORDS, n, m, row, column, one),
                 0);
    for (size_t s = 0; s < 2; s++) {
        for (size_t i = 0; i < rows[s]->n; i++) {
            size_t pair = rows[s]->pair[i], a = w->world->agent[pair];
            double shift =
                a < 2 ? (a == 0 ? 0.3 : -0.3) * (planted[w->world->context[pair]] - 0.5) : 0.0;
            rows[s]->y[i] = fmin(1.0, fmax(0.0, rows[s]->y[i] + shift));
        }
    }
}

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
    hold_words(w, &r);
    return w;
}

void practice_give_own(struct practice_world *w, size_t rank, uint64_t seed)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 79);
    struct regret_rows *rows[] = {&w->world->obs, &w->world->exp};
    w->own_rank = rank;
    w->own = calloc(w->world->shape.contexts * rank, sizeof *w->own);
    for (size_t i = 0; i < w->world->shape.contexts * rank; i++) {
        w->own[i] = regret_rng_normal(&r);
    }
    for (size_t s = 0; s < 2; s++) {
        for (size_t i = 0; i < rows[s]->n; i++) {
            size_t pair = rows[s]->pair[i];
            double slope = w->world->agent[pair] == 0 ? 0.1 : -0.05;
            rows[s]->y[i] =
                fmin(1.0, fmax(0.0, rows[s]->y[i] + slope * w->own[w->world->context[pair]]));
        }
    }
}

void practice_settle(struct practice_world *w)
{
    world_settle(w->world, 5);
    w->world->problem.tag = w->tags > 0 ? w->tag : NULL;
    w->world->problem.n_tags = w->tags;
    w->world->problem.words = w->words;
    w->world->problem.words_rank = w->rank;
    w->world->problem.common_words = w->common_words;
    w->world->problem.own = w->own;
    w->world->problem.own_rank = w->own_rank;
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
    free(w->own);
    regret_csr_free(w->common_words);
    free(w);
}

struct regret_estimate *practice_fit(struct practice_world *w, const char *family)
{
    struct regret_session *session = NULL;
    struct regret_estimate *e = NULL;
    cr_assert_eq(regret_session_open(&session, &w->world->problem, &w->world->options), 0, "%s",
                 regret_error_message());
    cr_assert_eq(regret_family_fit(&e, regret_family_find(family), session), 0, "%s",
                 regret_error_message());
    regret_session_close(session);
    return e;
}
