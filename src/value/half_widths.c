#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "value/gathered.h"
#include "value/miss.h"

/* The variance of the ratio Σ top / Σ bottom over n contexts, to first order: the limit of the
 * bootstrap's for many resamples. `point` is the ratio; elements lie apart by the strides. */
static double ratio_variance(const double *top, size_t top_stride, const double *bottom,
                             size_t bottom_stride, size_t n, double point)
{
    double squares = 0.0, all = 0.0;
    for (size_t x = 0; x < n; x++) {
        double u = top[x * top_stride] - point * bottom[x * bottom_stride];
        squares += u * u;
        all += bottom[x * bottom_stride];
    }
    return squares / (all * all);
}

/* A mean over the evaluation contexts. */
static double surface_variance(const struct gathered *g, size_t surface, size_t a)
{
    size_t n = g->p->n_agents;
    const double *sum = g->sum[surface] + a, *count = g->count + a;
    double point = gathered_sum(sum, n, g->n_eval) / gathered_sum(count, n, g->n_eval);
    double m = g->eval_contexts;
    return ratio_variance(sum, n, count, n, g->n_eval, point) * m / (m - 1.0) *
           (1.0 - g->p->eval_share);
}

static double half_width(const struct gathered *g, const struct surface_miss *miss,
                         const struct moderated *moderated, size_t kind, size_t a,
                         struct value_level *level)
{
    struct value_variance v = {.surface = surface_variance(g, surface_of(kind), a),
                               .contexts = g->eval_contexts};
    if (kind != REGRET_VALUE_DM) {
        v.surface += g->undefined;
        moderated_add(&v, moderated, g, correction_of(kind), a, NO_AGENT);
    }
    surface_miss_add(&v, miss, g, kind, a, NO_AGENT);
    return value_half_width(&v, level);
}

int regret_value_half_widths(double *half, const struct regret_value_problem *problem, double level)
{
    FREED_BY(gathered_clear) struct gathered g = {.p = problem};
    struct value_level at = {.level = level};
    FREED_BY(surface_miss_clear) struct surface_miss miss = {0};
    FREED_BY(moderated_clear) struct moderated moderated = {0};
    size_t n = problem->n_agents;
    if (!(level > 0.0 && level < 1.0)) {
        return regret_fail(REGRET_E_INPUT, "intervals want a level between 0 and 1, not %g", level);
    }
    TRY(gathered_fill(&g));
    TRY(surface_miss_fill(&miss, &g));
    TRY(moderated_fill(&moderated, &g));
    for (size_t v = 0; v < REGRET_N_VALUES * n; v++) {
        half[v] = half_width(&g, &miss, &moderated, v / n, v % n, &at);
    }
    return REGRET_OK;
}
