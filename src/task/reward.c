#include <string.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "task/reward_maps.h"

#define MAP_AT(name) &map_##name,
static const struct regret_reward_map *const maps[] = {EACH_REWARD_MAP(MAP_AT)};

enum { N_MAPS = sizeof maps / sizeof *maps };
_Static_assert((int)N_MAPS <= (int)REGRET_MAX_REWARD_MAPS, "room for every map");

size_t regret_reward_map_count(void)
{
    return N_MAPS;
}

const struct regret_reward_map *regret_reward_map_at(size_t i)
{
    return i < N_MAPS ? maps[i] : NULL;
}

size_t regret_reward_map_find(const char *name)
{
    size_t i = 0;
    while (i < N_MAPS && strcmp(maps[i]->name, name) != 0) {
        i++;
    }
    return i;
}

/* The parameters of a map follow those of the maps before it. */
static size_t first_parameter(size_t map)
{
    size_t n = 0;
    for (size_t i = 0; i < map && i < N_MAPS; i++) {
        n += maps[i]->n_parameters;
    }
    return n;
}

const struct regret_reward_parameter *regret_reward_parameter_at(size_t i)
{
    for (size_t m = 0; m < N_MAPS; m++) {
        if (i < maps[m]->n_parameters) {
            return &maps[m]->parameters[i];
        }
        i -= maps[m]->n_parameters;
    }
    return NULL;
}

double *regret_reward_parameter_of(struct regret_reward_options *options, const char *key)
{
    size_t i = 0;
    while (strcmp(regret_reward_parameter_at(i)->key, key) != 0) {
        i++;
    }
    return &options->parameter[i];
}

void regret_reward_options_default(struct regret_reward_options *options)
{
    const struct regret_reward_parameter *p = NULL;
    *options = (struct regret_reward_options){0};
    for (size_t i = 0; i < REGRET_MAX_REWARD_PARAMETERS; i++) {
        p = regret_reward_parameter_at(i);
        options->parameter[i] = p != NULL ? p->preset : 0.0;
    }
}

int regret_pool_find_success(size_t *index, const struct regret_pool *pool)
{
    for (size_t k = 0; k < pool->n_components; k++) {
        if (strcmp(pool->components[k].name, "success") == 0) {
            *index = k;
            return 1;
        }
    }
    return 0;
}

static double clip(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

int regret_reward_build(double **out, const struct regret_grid *grid,
                        const struct regret_reward_options *options)
{
    const struct regret_reward_map *map = maps[options->map];
    const struct regret_pool *pool = grid->pool;
    struct regret_reward_view view = {
        grid, options->parameter + first_parameter((size_t)options->map), 0};
    size_t pairs = regret_grid_pairs(grid);
    double *reward = NULL;
    TRY(map->find != NULL ? map->find(&view.column, pool) : REGRET_OK);
    TRY(REGRET_NEW(&reward, pool->n_segments * pairs));
    for (size_t u = 0; u < pool->n_segments; u++) {
        for (size_t p = 0; p < pairs; p++) {
            /* Weights that sum to one up to rounding may leave [0,1] by as much. */
            reward[u * pairs + p] = clip(map->reward(&view, &pool->segments[u], p));
        }
    }
    *out = reward;
    return REGRET_OK;
}

int regret_target_build(double **out, const struct regret_grid *grid, const double *reward)
{
    size_t pairs = regret_grid_pairs(grid), cells = grid->n_contexts * grid->n_agents;
    size_t n_segments = grid->pool->n_segments;
    double *mu = NULL;
    TRY(REGRET_NEW(&mu, cells));
    for (size_t cell = 0; cell < cells; cell++) {
        double total = 0.0;
        for (size_t k = 0; k < grid->n_draws; k++) {
            for (size_t u = 0; u < n_segments; u++) {
                total += reward[u * pairs + cell * grid->n_draws + k];
            }
        }
        mu[cell] = total / (double)(n_segments * grid->n_draws);
    }
    *out = mu;
    return REGRET_OK;
}
