#include "report/cautions/constant_agents.h"

#include <cJSON.h>
#include <string.h>

#include "report/rows/lists.h"
#include "report/rows/table_data.h"

enum { MOST_TOLD = 3 }; /* agents, each in two sentences */

/* The share of held-out contexts, over all replicates, for which the subject chose the agent; -1 where
 * its rows hold no choices. */
static double share_of(const struct regret_results *r, size_t subject, size_t agent)
{
    double chosen = 0.0, all = 0.0;
    for (size_t i = 0; i < r->n_cells * r->n_seeds; i++) {
        struct regret_list_view choice =
            regret_results_list(r, REGRET_LIST_CHOICE, subject, i % r->n_cells, i / r->n_cells);
        for (size_t k = 0; k < choice.n; k++) {
            chosen += choice.number[k] == (double)agent;
            all += 1.0;
        }
    }
    return all > 0.0 ? chosen / all : -1.0;
}

/* Of the families that are ranked, those that choose the agent least and most often. */
static void say_families(struct regret_buffer *out, const struct regret_results *r, size_t agent)
{
    double least = 2.0, most = -1.0;
    size_t rarest = REGRET_NO_ROW, keenest = REGRET_NO_ROW;
    for (size_t f = 0; f < r->n_families; f++) {
        double share = family_is_ranked(r, f) ? share_of(r, f, agent) : -1.0;
        if (share >= 0.0 && share < least) {
            least = share;
            rarest = f;
        }
        if (share > most) {
            most = share;
            keenest = f;
        }
    }
    if (rarest == REGRET_NO_ROW || keenest == REGRET_NO_ROW) {
        return;
    }
    regret_buffer_printf(out, ", and recommended for %.1f %% (%s)", 100.0 * least,
                         r->subjects[rarest].name);
    if (most > least) {
        regret_buffer_printf(out, " to %.1f %% (%s)", 100.0 * most, r->subjects[keenest].name);
    }
}

static int is_constant(const struct regret_results *r, size_t agent)
{
    size_t g = 0;
    while (g < r->n_grids && r->grids[g].constant != NULL && r->grids[g].constant[agent]) {
        g++;
    }
    return r->n_grids > 0 && g == r->n_grids;
}

static size_t count_constant(const struct regret_results *r, size_t n_agents)
{
    size_t n = 0;
    for (size_t a = 0; a < n_agents; a++) {
        n += (size_t)is_constant(r, a);
    }
    return n;
}

void constant_agents_describe(struct regret_buffer *out, const struct regret_results *r)
{
    size_t oracle = lists_oracle(r), agents = r->n_grids > 0 ? r->grids[0].n_agents : 0;
    size_t constant = oracle != REGRET_NO_ROW ? count_constant(r, agents) : 0, told = 0;
    if (constant > 1 && constant == agents) {
        regret_buffer_printf(out,
                             "Each of the %zu agents gives one text to every context, as where the "
                             "pool has no outputs: all that is learnt of an output is whose it is.",
                             agents);
        return;
    }
    for (size_t a = 0; told < constant && told < MOST_TOLD; a++) {
        if (!is_constant(r, a)) {
            continue;
        }
        regret_buffer_printf(
            out,
            "%s%s gives one text to every context, whatever is asked. By the scores "
            "it is the best agent for %.1f %% of the held-out contexts",
            told > 0 ? " " : "", r->grids[0].agents[a], 100.0 * share_of(r, oracle, a));
        say_families(out, r, a);
        regret_buffer_append(out, ".");
        told++;
    }
    if (told < constant) {
        regret_buffer_printf(out, " So do %zu more of the %zu agents.", constant - told, agents);
    }
}

int outputs_are_read(const struct regret_results *r)
{
    static const char *const keys[] = {"features.output", "features.overlap", "features.shape",
                                       "features.patch"};
    const char *task =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(r->run.config, "task"));
    size_t read = 0, agents = r->n_grids > 0 ? r->grids[0].n_agents : 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const cJSON *scale = cJSON_GetObjectItemCaseSensitive(r->run.config, keys[i]);
        read += cJSON_IsNumber(scale) && scale->valuedouble > 0.0;
    }
    return read > 0 && count_constant(r, agents) < agents &&
           (task == NULL || strcmp(task, "pool") == 0);
}
