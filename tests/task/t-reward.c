/* Reward maps and the target, by their formulas. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "regret/status.h"
#include "task/small_task.h"

/* r_u from the raw scores of the pool, without the grid's help. */
static double by_hand(const struct small_task *w, size_t u, size_t pair,
                      const struct regret_reward_options *o)
{
    const struct regret_output *output = w->grid->outputs[pair];
    struct regret_reward_options own = *o;
    double power = *regret_reward_parameter_of(&own, "reward.power");
    double penalty = *regret_reward_parameter_of(&own, "reward.penalty");
    double cap = *regret_reward_parameter_of(&own, "reward.claims_cap");
    int is_smooth = strcmp(regret_reward_map_at((size_t)o->map)->name, "smooth") == 0;
    double r = 0.0;
    for (size_t k = 0; k < 3 && output != NULL; k++) {
        const struct regret_component *c = &w->pool->components[k];
        double q = (output->values[k] - c->low) / (c->high - c->low);
        double weight = k == u ? 0.55 : 0.225;
        r += weight * (is_smooth ? q : pow(q, power));
    }
    if (!is_smooth && output != NULL) {
        double claims = output->values[3];
        r -= penalty * (claims < cap ? claims : cap);
    }
    return r < 0.0 ? 0.0 : r > 1.0 ? 1.0 : r;
}

static void compare(const struct small_task *w, const struct regret_reward_options *o)
{
    size_t pairs = regret_grid_pairs(w->grid), n_segments = w->pool->n_segments;
    double *reward = NULL, *mu = NULL;
    cr_assert_eq(n_segments, 3);
    cr_assert_eq(regret_reward_build(&reward, w->grid, o), 0);
    cr_assert_eq(regret_target_build(&mu, w->grid, reward), 0);
    for (size_t cell = 0; cell < w->grid->n_contexts * w->grid->n_agents; cell++) {
        size_t first = regret_grid_first(w->grid, cell), end = regret_grid_first(w->grid, cell + 1);
        double mean = 0.0;
        for (size_t u = 0; u < n_segments; u++) {
            for (size_t p = first; p < end; p++) {
                cr_assert_float_eq(reward[u * pairs + p], by_hand(w, u, p, o), 1e-14);
                cr_assert(reward[u * pairs + p] >= 0.0 && reward[u * pairs + p] <= 1.0);
                mean += by_hand(w, u, p, o) / (double)(n_segments * (end - first));
            }
        }
        cr_assert_float_eq(mu[cell], mean, 1e-14);
    }
    regret_free(reward);
    regret_free(mu);
}

Test(reward, maps_and_target_by_hand)
{
    static const double parameters[][3] = {/* p, pen, c_max */
                                           {3.0, 0.05, 5.0},
                                           {0.5, 0.4, 2.0},
                                           {1.0, 0.0, 5.0},
                                           {2.0, 1.0, 0.0}};
    struct regret_reward_options o = small_task_reward("smooth");
    struct small_task w;
    small_task_make(&w, 9, 4, 3, 1);
    for (size_t i = 0; i < w.pool->n_outputs; i++) {
        w.pool->outputs[i].values[3] = (double)(i % 9); /* claims beyond the cap too */
    }
    compare(&w, &o);
    o = small_task_reward("sharpened");
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        *regret_reward_parameter_of(&o, "reward.power") = parameters[i][0];
        *regret_reward_parameter_of(&o, "reward.penalty") = parameters[i][1];
        *regret_reward_parameter_of(&o, "reward.claims_cap") = parameters[i][2];
        compare(&w, &o);
    }
    small_task_clear(&w);
}

/* Names, keys and room of the maps. */
Test(reward, maps_declare_their_parameters)
{
    static const char *const names[] = {"smooth", "sharpened", "utility", "priced"};
    struct regret_reward_options o;
    const struct regret_reward_parameter *p = NULL;
    size_t n = 0;
    regret_reward_options_default(&o);
    cr_assert_eq(o.map, 0);
    cr_assert_eq(regret_reward_map_count(), 4);
    for (size_t i = 0; i < 4; i++) {
        cr_assert_str_eq(regret_reward_map_at(i)->name, names[i]);
        cr_assert_eq(regret_reward_map_find(names[i]), i);
    }
    cr_assert_null(regret_reward_map_at(4));
    cr_assert_eq(regret_reward_map_find("blunt"), 4);
    for (; (p = regret_reward_parameter_at(n)) != NULL; n++) {
        cr_assert_eq(regret_reward_parameter_of(&o, p->key), &o.parameter[n], "%s twice", p->key);
        cr_assert(o.parameter[n] == p->preset && p->low <= p->preset && p->preset <= p->high);
    }
    cr_assert_eq(n, 6);
    cr_assert_leq(n, REGRET_MAX_REWARD_PARAMETERS);
}

/* The second component of three is success; the weights of the others are scaled to sum to one. */
static double utility_by_hand(const struct small_task *w, size_t u, size_t pair, double lambda_fix,
                              double omega)
{
    static const double WEIGHTS[3][2] = {
        {0.55 / 0.775, 0.225 / 0.775}, {0.5, 0.5}, {0.225 / 0.775, 0.55 / 0.775}};
    const double *v = w->grid->outputs[pair]->values;
    double first = v[0] / 5.0, s = (v[1] - 1.0) / 4.0, last = (v[2] + 1.0) / 2.0;
    double mean = WEIGHTS[u][0] * first + WEIGHTS[u][1] * last, least = fmin(first, last);
    return lambda_fix * s + (1.0 - lambda_fix) * ((1.0 - omega) * mean + omega * least);
}

Test(reward, utility_by_hand)
{
    struct small_task w;
    size_t success = 0;
    small_task_make(&w, 7, 4, 2, 6);
    cr_assert_eq(regret_pool_find_success(&success, w.pool), 0);
    regret_free(w.pool->components[1].name);
    cr_assert_eq(regret_strdup(&w.pool->components[1].name, "success"), 0);
    cr_assert(regret_pool_find_success(&success, w.pool) == 1 && success == 1);
    size_t pairs = regret_grid_pairs(w.grid);
    for (size_t cell = 0; cell < 25; cell++) {
        struct regret_reward_options o = small_task_reward("utility");
        double *reward = NULL;
        double fix = 0.25 * (double)(cell / 5), omega = 0.25 * (double)(cell % 5);
        *regret_reward_parameter_of(&o, "reward.lambda_fix") = fix;
        *regret_reward_parameter_of(&o, "reward.omega") = omega;
        cr_assert_eq(regret_reward_build(&reward, w.grid, &o), 0);
        for (size_t i = 0; i < 3 * pairs; i++) {
            double expected = utility_by_hand(&w, i / pairs, i % pairs, fix, omega);
            cr_assert_float_eq(reward[i], expected, 1e-14);
        }
        regret_free(reward);
    }
    small_task_clear(&w);
}

Test(reward, utility_needs_success_beside_others)
{
    struct regret_reward_options o = small_task_reward("utility");
    struct small_task w;
    double *reward = NULL;
    small_task_make(&w, 3, 2, 1, 7);
    cr_assert_eq(regret_reward_build(&reward, w.grid, &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "no component \"success\""));
    regret_free(w.pool->components[0].name);
    cr_assert_eq(regret_strdup(&w.pool->components[0].name, "success"), 0);
    memcpy(w.pool->segments[1].weights, (double[]){1.0, 0.0, 0.0}, 3 * sizeof(double));
    cr_assert_eq(regret_reward_build(&reward, w.grid, &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "weighs nothing but success"));
    cr_assert_null(reward);
    small_task_clear(&w);
}

Test(reward, imputed_pairs_earn_nothing)
{
    const struct sample_shape holes = {8, 5, 1, 0.4, 6, 4};
    const struct regret_grid_options impute = {REGRET_GRID_IMPUTE_ZERO, 0, 0};
    const struct regret_reward_options smooth = small_task_reward("smooth");
    struct small_task w = {.pool = sample_pool(&holes)};
    cr_assert_eq(regret_grid_cut(&w.grid, w.pool, &impute), 0);
    cr_assert_gt(w.grid->imputed, 0);
    compare(&w, &smooth);
    small_task_clear(&w);
}

Test(reward, sharpened_needs_its_count)
{
    struct regret_reward_options sharpened = small_task_reward("sharpened");
    struct small_task w;
    double *reward = NULL;
    small_task_make(&w, 3, 2, 1, 5);
    w.pool->counts[0][0] = 'U';
    cr_assert_eq(regret_reward_build(&reward, w.grid, &sharpened), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "sample"));
    cr_assert_not_null(strstr(regret_error_message(), "--set reward.map=smooth, or add the count"));
    cr_assert_null(reward);
    w.pool->counts[0][0] = 'u';
    cr_assert_eq(regret_reward_build(&reward, w.grid, &sharpened), 0);
    regret_free(reward);
    for (int what = 0; what < 2; what++) {
        reward = NULL;
        regret_alloc_fail_after(0);
        int rc = what ? regret_target_build(&reward, w.grid, w.reward)
                      : regret_reward_build(&reward, w.grid, &sharpened);
        regret_alloc_fail_after(-1);
        cr_assert(rc == REGRET_E_NOMEM && reward == NULL);
    }
    small_task_clear(&w);
}

/* Reward less the agent's share of the dearest cost, against the smooth map; free agents are no basis for
 * a price. */
Test(reward, priced_is_smooth_less_the_price)
{
    static const double PRICES[] = {0.0, 0.1, 0.7, 1.0};
    const struct regret_reward_options smooth = small_task_reward("smooth");
    struct regret_reward_options priced = small_task_reward("priced");
    struct small_task w;
    double *plain = NULL, *reward = NULL;
    small_task_make(&w, 7, 4, 2, 5);
    size_t pairs = regret_grid_pairs(w.grid);
    for (size_t a = 0; a < 4; a++) {
        w.pool->agents[a].cost = (double[]){2.0, 0.0, 8.0, 5.0}[a];
    }
    cr_assert_eq(regret_reward_build(&plain, w.grid, &smooth), 0);
    for (size_t i = 0; i < sizeof PRICES / sizeof *PRICES; i++) {
        *regret_reward_parameter_of(&priced, "reward.price") = PRICES[i];
        cr_assert_eq(regret_reward_build(&reward, w.grid, &priced), 0);
        for (size_t p = 0; p < w.pool->n_segments * pairs; p++) {
            size_t agent = regret_grid_cell(w.grid, p % pairs) % w.grid->n_agents;
            double cost = w.pool->agents[w.grid->agents[agent]].cost / 8.0;
            cr_assert_float_eq(reward[p], fmax(plain[p] - PRICES[i] * cost, 0.0), 1e-15);
        }
        regret_free(reward);
        reward = NULL;
    }
    for (size_t a = 0; a < 4; a++) {
        w.pool->agents[a].cost = 0.0;
    }
    cr_assert_eq(regret_reward_build(&reward, w.grid, &priced), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "no agent that costs anything"));
    regret_free(plain);
    small_task_clear(&w);
}
