#include "task/reward.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/status.h"
#include "regret/task.h"

#define MAP_AT(name) &map_##name,
#define NUMBER_OF(name) NUMBER_##name,
enum { EACH_REWARD_MAP(NUMBER_OF) N_BUILT_IN };
enum { REWARD_NAME_MOST = 40 };
static const struct regret_reward_map *maps[REGRET_MAX_REWARD_MAPS] = {EACH_REWARD_MAP(MAP_AT)};
static size_t n_maps = N_BUILT_IN;
static atomic_int sealed;

size_t regret_reward_map_count(void)
{
    return n_maps;
}

void reward_maps_seal(void)
{
    atomic_store(&sealed, 1);
}

const struct regret_reward_map *regret_reward_map_at(size_t i)
{
    return i < n_maps ? maps[i] : NULL;
}

size_t regret_reward_map_find(const char *name)
{
    size_t i = 0;
    while (i < n_maps && strcmp(maps[i]->name, name) != 0) {
        i++;
    }
    return i;
}

/* The parameters of a map follow those of the maps before it. */
static size_t first_parameter(size_t map)
{
    size_t n = 0;
    for (size_t i = 0; i < map && i < n_maps; i++) {
        n += maps[i]->n_parameters;
    }
    return n;
}

const struct regret_reward_parameter *regret_reward_parameter_at(size_t i)
{
    for (size_t m = 0; m < n_maps; m++) {
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

/* A controlled world stands under its name among the maps of a run. */
static int check_name(const char *name)
{
    if (!name_is_plain(name, REWARD_NAME_MOST) || strcmp(name, "world") == 0 ||
        regret_reward_map_find(name) < n_maps) {
        return regret_fail(REGRET_E_INPUT,
                           "a reward map is called by 1 to %d lower-case letters, digits and "
                           "\"-\", not \"world\", and as no other is; \"%.40s\" will not do",
                           REWARD_NAME_MOST, name != NULL ? name : "");
    }
    return REGRET_OK;
}

static int check_parameter(const struct regret_reward_map *map, size_t i)
{
    static const char HEAD[] = "reward.", LETTERS[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const struct regret_reward_parameter *p = &map->parameters[i], *other = NULL;
    const char *key = p->key != NULL ? p->key : "";
    const char *rest = strncmp(key, HEAD, sizeof HEAD - 1) == 0 ? key + sizeof HEAD - 1 : "";
    int free_key = rest[0] != '\0' && rest[strspn(rest, LETTERS)] == '\0' &&
                   strlen(rest) <= REWARD_NAME_MOST && strcmp(rest, "map") != 0;
    for (size_t k = 0; free_key && (other = regret_reward_parameter_at(k)) != NULL; k++) {
        free_key = strcmp(other->key, key) != 0;
    }
    for (size_t k = 0; free_key && k < i; k++) {
        free_key = strcmp(map->parameters[k].key, key) != 0;
    }
    if (!free_key) {
        return regret_fail(REGRET_E_INPUT,
                           "reward map \"%s\": the parameter \"%.60s\" must be called \"reward.\" "
                           "and 1 to %d lower-case letters, digits and \"_\", and as no other key",
                           map->name, key, REWARD_NAME_MOST);
    }
    return p->help != NULL && p->low <= p->preset && p->preset <= p->high && isfinite(p->low) &&
                   isfinite(p->high)
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "reward map \"%s\": \"%s\" wants help, and a preset between finite "
                             "bounds",
                             map->name, key);
}

int regret_reward_map_register(const struct regret_reward_map *map)
{
    size_t n = first_parameter(n_maps);
    TRY(check_name(map->name));
    if (atomic_load(&sealed)) {
        return regret_fail(REGRET_E_INPUT,
                           "reward map \"%s\" comes too late: register it before the first "
                           "configuration is read",
                           map->name);
    }
    if (map->reward == NULL || n_maps == REGRET_MAX_REWARD_MAPS ||
        n + map->n_parameters > REGRET_MAX_REWARD_PARAMETERS) {
        return regret_fail(REGRET_E_INPUT, "reward map \"%s\": %s", map->name,
                           map->reward == NULL ? "it has no reward"
                                               : "there is no room for it and its parameters");
    }
    for (size_t i = 0; i < map->n_parameters; i++) {
        TRY(check_parameter(map, i));
    }
    maps[n_maps++] = map;
    return REGRET_OK;
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
            if (regret_grid_is_unobserved(grid, p)) {
                reward[u * pairs + p] = NAN; /* not even a map may know it */
                continue;
            }
            double r = map->reward(&view, &pool->segments[u], p);
            if (isnan(r)) { /* of a map that was registered: those of the library have numbers */
                regret_free(reward);
                return regret_fail(REGRET_E_INPUT,
                                   "reward map \"%s\" has no number for pair %zu of pool %s",
                                   map->name, p, pool->name);
            }
            /* Weights that sum to one up to rounding may leave [0,1] by as much. */
            reward[u * pairs + p] = clip(r);
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
        size_t first = regret_grid_first(grid, cell), end = regret_grid_first(grid, cell + 1);
        for (size_t p = first; p < end; p++) {
            for (size_t u = 0; u < n_segments; u++) {
                total += reward[u * pairs + p];
            }
        }
        mu[cell] = total / (double)(n_segments * (end - first));
    }
    *out = mu;
    return REGRET_OK;
}

/* Σ_k w_uk q_k */
static double reward_smooth_reward(const struct regret_reward_view *v,
                                   const struct regret_segment *u, size_t pair)
{
    double r = 0.0;
    for (size_t k = 0; k < v->grid->pool->n_components; k++) {
        r += u->weights[k] * regret_grid_quality(v->grid, pair, k);
    }
    return r;
}

const struct regret_reward_map map_smooth = {
    .name = "smooth",
    .reward = reward_smooth_reward,
};

static const struct regret_reward_parameter price = {
    .key = "reward.price",
    .help = "what the dearest agent's output costs in the priced map",
    .low = 0.0,
    .high = 1.0,
    .preset = 0.1,
    .symbol = "price",
};

/* The pool's dearest agent. */
static int find_dearest(size_t *index, const struct regret_pool *pool)
{
    *index = 0;
    for (size_t a = 0; a < pool->n_agents; a++) {
        *index = pool->agents[a].cost > pool->agents[*index].cost ? a : *index;
    }
    return pool->agents[*index].cost > 0.0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "pool %s has no agent that costs anything, which reward.map = "
                             "\"priced\" needs; --set reward.map=smooth, or give agents a cost",
                             pool->name);
}

/* Σ_k w_uk q_k − p c_a/c_max, c_a the cost of the agent */
static double reward_priced_reward(const struct regret_reward_view *v,
                                   const struct regret_segment *u, size_t pair)
{
    const struct regret_pool *pool = v->grid->pool;
    size_t agent = v->grid->agents[regret_grid_cell(v->grid, pair) % v->grid->n_agents];
    return reward_smooth_reward(v, u, pair) -
           v->parameter[0] * pool->agents[agent].cost / pool->agents[v->column].cost;
}

const struct regret_reward_map map_priced = {
    .name = "priced",
    .parameters = &price,
    .n_parameters = 1,
    .find = find_dearest,
    .reward = reward_priced_reward,
};

enum { POWER, PENALTY, CLAIMS_CAP, REWARD_SHARPENED_N_PARAMETERS };
static const struct regret_reward_parameter
    reward_sharpened_parameters[REWARD_SHARPENED_N_PARAMETERS] = {
        [POWER] = {.key = "reward.power",
                   .help = "exponent p of the sharpened map",
                   .low = 0.01,
                   .high = 100.0,
                   .preset = 3.0},
        [PENALTY] = {.key = "reward.penalty",
                     .help = "price of one unsupported claim",
                     .low = 0.0,
                     .high = 1.0,
                     .preset = 0.05},
        [CLAIMS_CAP] = {.key = "reward.claims_cap",
                        .help = "most claims that are charged for",
                        .low = 0.0,
                        .high = 1e6,
                        .preset = 5.0},
};

static int find_claims(size_t *index, const struct regret_pool *pool)
{
    for (size_t i = 0; i < pool->n_counts; i++) {
        if (strcmp(pool->counts[i], "unsupported_claims") == 0) {
            *index = i;
            return REGRET_OK;
        }
    }
    return regret_fail(
        REGRET_E_INPUT,
        "pool %s has no count \"unsupported_claims\", which reward.map = \"sharpened\" "
        "needs; --set reward.map=smooth, or add the count",
        pool->name);
}

/* clip(Σ_k w_uk q_k^p − pen·min(c, c_max), 0, 1), c the count of unsupported claims */
static double reward_sharpened_reward(const struct regret_reward_view *v,
                                      const struct regret_segment *u, size_t pair)
{
    double r = 0.0;
    for (size_t k = 0; k < v->grid->pool->n_components; k++) {
        r += u->weights[k] * pow(regret_grid_quality(v->grid, pair, k), v->parameter[POWER]);
    }
    return r - v->parameter[PENALTY] *
                   fmin(regret_grid_count(v->grid, pair, v->column), v->parameter[CLAIMS_CAP]);
}

const struct regret_reward_map map_sharpened = {
    .name = "sharpened",
    .parameters = reward_sharpened_parameters,
    .n_parameters = REWARD_SHARPENED_N_PARAMETERS,
    .find = find_claims,
    .reward = reward_sharpened_reward,
};

enum { LAMBDA_FIX, OMEGA, REWARD_UTILITY_N_PARAMETERS };
static const struct regret_reward_parameter reward_utility_parameters[REWARD_UTILITY_N_PARAMETERS] =
    {
        [LAMBDA_FIX] = {.key = "reward.lambda_fix",
                        .help = "weight of success in the utility map",
                        .low = 0.0,
                        .high = 1.0,
                        .preset = 0.5,
                        .symbol = "λ_fix",
                        .averaged = 1},
        [OMEGA] = {.key = "reward.omega",
                   .help = "weight of the worst quality in the utility map",
                   .low = 0.0,
                   .high = 1.0,
                   .preset = 0.0,
                   .symbol = "ω",
                   .averaged = 1},
};

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

/* The component "success" and something beside it that every segment weighs. */
static int find_success(size_t *index, const struct regret_pool *pool)
{
    if (!regret_pool_find_success(index, pool) || pool->n_components < 2) {
        return regret_fail(REGRET_E_INPUT,
                           "pool %s has no component \"success\" beside others, which "
                           "reward.map = \"utility\" needs; use \"smooth\"",
                           pool->name);
    }
    for (size_t u = 0; u < pool->n_segments; u++) {
        double others = 0.0;
        for (size_t k = 0; k < pool->n_components; k++) {
            others += k != *index ? pool->segments[u].weights[k] : 0.0;
        }
        if (!(others > 0.0)) {
            return regret_fail(REGRET_E_INPUT,
                               "pool %s: segment \"%s\" weighs nothing but success; "
                               "reward.map = \"utility\" needs a weight on another component",
                               pool->name, pool->segments[u].name);
        }
    }
    return REGRET_OK;
}

/* λ_fix s + (1−λ_fix) [(1−ω) Σ_k w̃_uk q_k + ω min_k q_k], where s is the component "success", k runs
 * over the others and w̃ are the segment's weights on them, scaled to sum to one */
static double reward_utility_reward(const struct regret_reward_view *v,
                                    const struct regret_segment *u, size_t pair)
{
    double fix = v->parameter[LAMBDA_FIX], omega = v->parameter[OMEGA];
    double sum = 0.0, weight = 0.0, least = 1.0;
    for (size_t k = 0; k < v->grid->pool->n_components; k++) {
        if (k != v->column) {
            double q = regret_grid_quality(v->grid, pair, k);
            sum += u->weights[k] * q;
            weight += u->weights[k];
            least = q < least ? q : least;
        }
    }
    double quality = (1.0 - omega) * sum / weight + omega * least;
    return fix * regret_grid_quality(v->grid, pair, v->column) + (1.0 - fix) * quality;
}

const struct regret_reward_map map_utility = {
    .name = "utility",
    .parameters = reward_utility_parameters,
    .n_parameters = REWARD_UTILITY_N_PARAMETERS,
    .find = find_success,
    .reward = reward_utility_reward,
};
