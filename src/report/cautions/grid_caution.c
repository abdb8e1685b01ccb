#include "report/cautions/grid_caution.h"

#include <cJSON.h>

static const double MANY = 0.1, FULL = 0.9; /* of the pairs */

/* What is left out for missing outputs is of the pool only where no other contexts were. */
static int holds_all_contexts(const struct regret_run_facts *run)
{
    const cJSON *hard = cJSON_GetObjectItemCaseSensitive(run->config, "contexts.hard");
    return cJSON_IsNumber(hard) && hard->valuedouble == 0.0;
}

/* Of a grid with pairs that nobody observed, agents seen on less than half as many contexts as the one that is seen on most:
 * what they are worth is of those contexts. */
void say_partial_agents(struct regret_buffer *out, const struct regret_results *r)
{
    enum { MOST_TOLD = 3 };
    const struct regret_run_grid *grid = r->n_grids > 0 ? &r->grids[r->cell_grid[0]] : NULL;
    const struct regret_run_means *m = r->n_means > 0 ? &r->means[r->cell_means[0]] : NULL;
    double most = 0.0;
    size_t told = 0, partial = 0;
    if (grid == NULL || m == NULL || m->n_agents != grid->n_agents || r->run.observed < 0) {
        return;
    }
    for (size_t a = 0; a < m->n_agents; a++) {
        most = m->n[a] > most ? m->n[a] : most;
    }
    for (size_t a = 0; a < m->n_agents; a++) {
        partial += 2.0 * m->n[a] < most;
    }
    for (size_t a = 0; a < m->n_agents && told < MOST_TOLD; a++) {
        if (2.0 * m->n[a] < most) {
            regret_buffer_printf(out, "%s%s has outputs of %.0f", told > 0 ? ", " : " ",
                                 grid->agents[a], m->n[a]);
            told++;
        }
    }
    if (partial > 0) {
        regret_buffer_append(out, partial > told ? ", and others of few" : "");
        regret_buffer_printf(out,
                             " of %zu contexts: what is said of an agent is of those it was seen "
                             "on, and need not hold for the rest.",
                             grid->n_contexts);
    }
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
