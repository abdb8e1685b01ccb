#include "report/cautions/grid_caution.h"

#include <cJSON.h>

static const double MANY = 0.1, FULL = 0.9; /* of the pairs */

/* What is left out for missing outputs is of the pool only where no other contexts were. */
static int holds_all_contexts(const struct regret_run_facts *run)
{
    const cJSON *hard = cJSON_GetObjectItemCaseSensitive(run->config, "contexts.hard");
    return cJSON_IsNumber(hard) && hard->valuedouble == 0.0;
}

void grid_caution(struct regret_buffer *out, const struct regret_run_facts *run)
{
    if (run->contexts <= 0 || run->agents <= 0) {
        return;
    }
    double pairs = (double)run->contexts * (double)run->agents;
    double imputed = run->imputed > 0 ? (double)run->imputed / pairs : 0.0;
    long long contexts = run->contexts + (run->dropped_contexts > 0 ? run->dropped_contexts : 0);
    long long agents = run->agents + (run->dropped_agents > 0 ? run->dropped_agents : 0);
    double kept = pairs / ((double)contexts * (double)agents);
    if (run->observed >= 0 && (double)run->observed < FULL * pairs) {
        regret_buffer_printf(
            out,
            "%.2g %% of the grid's pairs of context and agent are observed (grid.policy): regret "
            "is what is lost against the best of those, on the %lld of %lld contexts with two; "
            "what is recommended of all agents is valued by policy_dr of results.csv, which takes "
            "an agent's missing outputs to be missing at random, and the choice not to depend on "
            "them.",
            100.0 * (double)run->observed / pairs, run->comparable, run->contexts);
    } else if (imputed >= MANY) {
        regret_buffer_printf(
            out,
            "%.1f %% of the grid's pairs of context and agent have no output and count as 0 "
            "(grid.policy): to recommend well is then to find agents that have one.",
            100.0 * imputed);
    } else if (kept < 1.0 - MANY && holds_all_contexts(run)) {
        regret_buffer_printf(
            out,
            "The grid holds %.2g %% of the pool's pairs of context and agent, those "
            "of %lld of %lld contexts and %lld of %lld agents, since outputs are "
            "missing (grid.policy): what holds there need not hold for the rest.",
            100.0 * kept, run->contexts, contexts, run->agents, agents);
    }
}
