#include "import/build/practice.h"

enum { SLATE = 5 };

/* The largest round budget that is not above `wanted`. */
static size_t round_budget(double wanted)
{
    static const size_t ROUND[] = {50, 100, 200, 500, 1000, 2000, 5000};
    size_t best = 20;
    for (size_t i = 0; i < sizeof ROUND / sizeof *ROUND; i++) {
        best = (double)ROUND[i] <= wanted ? ROUND[i] : best;
    }
    return best;
}

/* A log of about two rows a pair, and experiments of a twentieth and a fifth of it. */
static void budgets_of(size_t *n_obs, size_t n_exp[2], size_t pairs)
{
    *n_obs = round_budget(2.0 * (double)pairs);
    n_exp[0] = round_budget((double)*n_obs / 20.0);
    n_exp[1] = round_budget((double)*n_obs / 5.0);
    if (n_exp[1] == n_exp[0]) {
        n_exp[1] = 2 * n_exp[0];
    }
}

/* Features that can say who is good at what: columns of agents, of agents by tag, of agents by words of the request, so much
 * wider than those of words that a mean of an agent is hardly shrunk; penalties up to where little but these is left, chosen by
 * requests left out; and the families that are made for practice. */
static void put_features(struct regret_buffer *out, const struct practice *p)
{
    regret_buffer_append(
        out, "  \"families\": [\"exp-only\", \"obs-only\", \"representation-exp\", "
             "\"grounded\", \"cvci\", \"cvci-residual\", \"mixed\", \"stack\"],\n"
             "  \"exp_only.rho\": [1, 10, 100, 1000], \"obs_only.rho\": [1, 10, 100, 1000], "
             "\"cv.leave_out\": \"contexts\",\n"
             "  \"features.agent\": 10");
    regret_buffer_append(out, p->has_tags ? ", \"features.agent_tag\": 10" : "");
    regret_buffer_append(out, p->has_texts ? ", \"features.agent_words\": 3" : "");
    regret_buffer_append(
        out, p->has_columns ? ", \"features.columns\": 1, \"features.agent_columns\": 2" : "");
    regret_buffer_append(out, ",\n");
}

void practice_config(struct regret_buffer *out, const struct practice *p)
{
    size_t n_obs = 0, n_exp[2];
    budgets_of(&n_obs, n_exp, p->pairs);
    regret_buffer_append(out, "{\"pool\": ");
    regret_buffer_json_string(out, p->pool);
    regret_buffer_printf(out, ", \"seeds\": 30, \"contexts.hard\": 0, \"n_obs\": %zu,\n", n_obs);
    if (p->agents < SLATE) {
        regret_buffer_printf(out, "  \"router.slate\": %zu,\n", p->agents);
    }
    regret_buffer_append(out, p->has_holes ? "  \"grid.policy\": \"observed\",\n" : "");
    put_features(out, p);
    regret_buffer_append(out, p->has_costs ? "  \"costs.enabled\": true,\n" : "");
    regret_buffer_append(out, "  \"sweep\": {");
    regret_buffer_append(out, p->has_rewards ? "\"beta\": [0, 0.5, 1], " : "");
    regret_buffer_printf(out, "\"n_exp\": [%zu, %zu]}}\n", n_exp[0], n_exp[1]);
}

struct practice practice_of(const struct regret_pool *pool, const char *path)
{
    struct practice p = {.pool = path,
                         .agents = pool->n_agents,
                         .has_texts = 1,
                         .has_columns = pool->n_columns > 0,
                         .has_rewards = pool->n_components > 1};
    for (size_t i = 0; i < pool->n_outputs; i++) {
        p.pairs += pool->outputs[i].draw == 0;
    }
    for (size_t i = 0; i < pool->n_contexts; i++) {
        p.has_tags |= pool->contexts[i].tag != NULL;
    }
    for (size_t i = 1; i < pool->n_agents; i++) {
        p.has_costs |= pool->agents[i].cost != pool->agents[0].cost;
    }
    p.has_holes = p.pairs < pool->n_contexts * pool->n_agents;
    return p;
}
