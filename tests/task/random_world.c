#include "task/random_world.h"

#include <criterion/criterion.h>

#include "regret/status.h"
#include "regret/task.h"

enum { BUCKETS = 64, ENTRIES = 8, RANK = 3 };

/* Each text has ENTRIES features, one in each eighth of the buckets. */
static void fill_features(struct random_sim *sim, uint64_t index)
{
    struct regret_csr *m = sim->phi;
    for (size_t p = 0; p < m->rows; p++) {
        struct regret_rng r =
            regret_rng_at(77, REGRET_RNG_TEST, (index << 32) + 1000 + sim->text[p]);
        for (size_t e = 0; e < ENTRIES; e++) {
            size_t at = p * ENTRIES + e;
            m->column[at] =
                (uint32_t)(e * (BUCKETS / ENTRIES)) + regret_rng_below(&r, BUCKETS / ENTRIES);
            m->value[at] = regret_rng_normal(&r);
        }
        m->row_start[p + 1] = (p + 1) * ENTRIES;
    }
}

void random_sim_make(struct random_sim *sim, uint64_t index, size_t contexts, size_t agents,
                     size_t draws, size_t texts_per_context)
{
    size_t pairs = contexts * agents * draws;
    struct regret_rng r = regret_rng_at(77, REGRET_RNG_TEST, index << 32);
    *sim = (struct random_sim){.n_texts = contexts * texts_per_context};
    cr_assert_eq(REGRET_NEW(&sim->text, pairs), REGRET_OK);
    cr_assert_eq(REGRET_NEW(&sim->embedding, contexts * RANK), REGRET_OK);
    cr_assert_eq(regret_csr_new(&sim->phi, pairs, BUCKETS, pairs * ENTRIES), REGRET_OK);
    for (size_t p = 0; p < pairs; p++) {
        sim->text[p] = (uint32_t)(p / (agents * draws) * texts_per_context) +
                       regret_rng_below(&r, (uint32_t)texts_per_context);
    }
    for (size_t i = 0; i < contexts * RANK; i++) {
        sim->embedding[i] = regret_rng_normal(&r);
    }
    fill_features(sim, index);
    cr_assert_eq(REGRET_NEW(&sim->split, 1), REGRET_OK);
    cr_assert_eq(REGRET_NEW(&sim->split->train, contexts), REGRET_OK);
    sim->split->n_train = contexts;
    for (size_t x = 0; x < contexts; x++) {
        sim->split->train[x] = x;
    }
    sim->source = (struct regret_world_source){contexts, agents, draws,          NULL,
                                               sim->phi, NULL,   sim->embedding, RANK};
}

void random_sim_clear(struct random_sim *sim)
{
    regret_free(sim->text);
    regret_free(sim->embedding);
    regret_csr_free(sim->phi);
    regret_split_free(sim->split);
}

struct regret_controlled_world *random_world(const struct random_sim *sim,
                                             const struct regret_world_options *options)
{
    struct regret_controlled_world *world = NULL;
    cr_assert_eq(regret_controlled_world_create(&world, &sim->source, options), REGRET_OK, "%s",
                 regret_error_message());
    return world;
}

int world_draw_exp(struct regret_rows *out, const struct regret_controlled_world *world,
                   const struct regret_split *split, size_t n, uint64_t seed)
{
    struct regret_task *task = NULL;
    int rc = regret_world_task_create(&task, world, 0.0);
    rc = rc == REGRET_OK ? regret_draw_exp(out, task, split, n, seed) : rc;
    regret_task_free(task);
    return rc;
}

int world_draw_obs(struct regret_rows *out, const struct regret_controlled_world *world,
                   const struct regret_split *split, double beta, size_t n, uint64_t seed)
{
    struct regret_task *task = NULL;
    int rc = regret_world_task_create(&task, world, beta);
    rc = rc == REGRET_OK ? regret_draw_obs(out, task, split, n, seed) : rc;
    regret_task_free(task);
    return rc;
}
