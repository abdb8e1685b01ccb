#include "report/rows/lists.h"

#include <math.h>
#include <string.h>

static int same_agents(const struct regret_run_grid *a, const struct regret_run_grid *b)
{
    size_t i = 0;
    while (a->n_agents == b->n_agents && i < a->n_agents &&
           strcmp(a->agents[i], b->agents[i]) == 0) {
        i++;
    }
    return a->n_agents == b->n_agents && i == a->n_agents;
}

size_t lists_oracle(const struct regret_results *r)
{
    size_t oracle = regret_results_subject(r, REGRET_ROW_BASELINE, "oracle");
    for (size_t i = 1; i < r->n_grids; i++) {
        if (!same_agents(&r->grids[0], &r->grids[i])) {
            return REGRET_NO_ROW;
        }
    }
    for (size_t i = 0; oracle != REGRET_NO_ROW && i < r->n_cells * r->n_seeds; i++) {
        if (regret_results_list(r, REGRET_LIST_CONTEXT, oracle, i % r->n_cells, i / r->n_cells).n >
            0) {
            return oracle;
        }
    }
    return REGRET_NO_ROW;
}

double list_mean(const struct slice *s, enum regret_list list, size_t subject, size_t a,
                 size_t seed)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->n_cells; i++) {
        struct regret_list_view v = regret_results_list(s->r, list, subject, s->cells[i], seed);
        sum += a < v.n ? v.number[a] : NAN;
    }
    return sum / (double)s->n_cells;
}

struct seeds_mean seeds_mean(double *x, size_t n_seeds)
{
    size_t n = keep_finite(x, n_seeds);
    struct paired p = paired_moments(x, n);
    return (struct seeds_mean){p.mean, half_width(p.se, n)};
}
