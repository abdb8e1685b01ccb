#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/alloc.h"
#include "regret/rng.h"
#include "regret/value.h"

/* What one resample needs, gathered once. */
struct gathered {
    size_t n_agents, n_contexts, n_eval; /* n_eval: evaluation contexts */
    double *mean;     /* [n_eval × n_agents] mean prediction of (context, agent) */
    double *residual; /* [n_E] Y − f^(−k) */
    const struct regret_rows *exp;
    const uint32_t *agent;
};

static int gather(struct gathered *g, const double *prediction, const double *cross_fit,
                  const uint32_t *context, const unsigned char *eval, size_t pairs)
{
    double *sum = NULL, *count = NULL;
    size_t cells = g->n_contexts * g->n_agents;
    int rc = REGRET_NEW(&sum, cells);
    if (rc != REGRET_OK || (rc = REGRET_NEW(&count, cells)) != REGRET_OK ||
        (rc = REGRET_NEW(&g->mean, cells)) != REGRET_OK ||
        (rc = REGRET_NEW(&g->residual, g->exp->n)) != REGRET_OK) {
        goto cleanup;
    }
    for (size_t p = 0; p < pairs; p++) {
        if (eval[p]) {
            size_t cell = context[p] * g->n_agents + g->agent[p];
            sum[cell] += prediction[p];
            count[cell] += 1.0;
        }
    }
    for (size_t x = 0; x < g->n_contexts; x++) {
        if (count[x * g->n_agents] == 0.0) {
            continue;
        }
        for (size_t a = 0; a < g->n_agents; a++) {
            size_t cell = x * g->n_agents + a;
            g->mean[g->n_eval * g->n_agents + a] = sum[cell] / count[cell];
        }
        g->n_eval++;
    }
    for (size_t i = 0; i < g->exp->n; i++) {
        g->residual[i] = g->exp->y[i] - cross_fit[i];
    }
    if (g->n_eval == 0) {
        rc = regret_fail(REGRET_E_INPUT, "no evaluation contexts to resample");
    }
cleanup:
    regret_free(sum);
    regret_free(count);
    return rc;
}

/* One resample: value[kind * n_agents + a]. */
static void resample(double *value, double *rows, const struct gathered *g, uint64_t seed, size_t b)
{
    size_t n_agents = g->n_agents, n = g->exp->n;
    double *dm = value, *dr = value + n_agents, *sndr = value + 2 * n_agents;
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_BOOTSTRAP, b);
    memset(value, 0, 3 * n_agents * sizeof *value);
    memset(rows, 0, n_agents * sizeof *rows);
    for (size_t i = 0; i < g->n_eval; i++) {
        size_t x = regret_rng_below(&rng, (uint32_t)g->n_eval);
        for (size_t a = 0; a < n_agents; a++) {
            dm[a] += g->mean[x * n_agents + a] / (double)g->n_eval;
        }
    }
    for (size_t j = 0; j < n; j++) {
        size_t i = regret_rng_below(&rng, (uint32_t)n);
        uint32_t a = g->agent[g->exp->pair[i]];
        dr[a] += g->residual[i];
        rows[a] += 1.0;
    }
    for (size_t a = 0; a < n_agents; a++) {
        double residuals = dr[a];
        dr[a] = dm[a] + (double)n_agents * residuals / (double)n;
        sndr[a] = rows[a] > 0.0 ? dm[a] + residuals / rows[a] : dm[a];
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). */
static double quantile(const double *sorted, size_t n, double p)
{
    double h = (double)(n - 1) * p;
    size_t k = (size_t)h;
    return k + 1 < n ? sorted[k] + (h - (double)k) * (sorted[k + 1] - sorted[k]) : sorted[n - 1];
}

static struct regret_interval percentile(double *draws, size_t n, double level)
{
    for (size_t b = 0; b < n; b++) {
        if (isnan(draws[b])) {
            return (struct regret_interval){NAN, NAN};
        }
    }
    qsort(draws, n, sizeof *draws, ascending);
    return (struct regret_interval){quantile(draws, n, (1.0 - level) / 2.0),
                                    quantile(draws, n, (1.0 + level) / 2.0)};
}

/* Turns the resampled values (B × 3·n_agents) into intervals. */
static void summarise(struct regret_interval *interval, struct regret_interval *difference,
                      const double *values, double *column, size_t n_agents,
                      const struct regret_value_bootstrap *options)
{
    size_t width = REGRET_N_VALUES * n_agents, n = options->replicates;
    for (size_t v = 0; v < width; v++) {
        for (size_t b = 0; b < n; b++) {
            column[b] = values[b * width + v];
        }
        interval[v] = percentile(column, n, options->level);
        for (size_t other = 0; difference != NULL && other < n_agents; other++) {
            size_t w = v / n_agents * n_agents + other;
            for (size_t b = 0; b < n; b++) {
                column[b] = values[b * width + v] - values[b * width + w];
            }
            difference[v * n_agents + other] = percentile(column, n, options->level);
        }
    }
}

int regret_value_intervals(struct regret_interval *interval, struct regret_interval *difference,
                           const struct regret_value_bootstrap *options, const double *prediction,
                           const double *cross_fit, const struct regret_rows *exp,
                           const uint32_t *agent, const uint32_t *context,
                           const unsigned char *eval, size_t pairs, size_t n_agents,
                           size_t n_contexts)
{
    struct gathered g = {
        .n_agents = n_agents, .n_contexts = n_contexts, .exp = exp, .agent = agent};
    double *values = NULL, *column = NULL;
    if (options->replicates == 0 || !(options->level > 0.0 && options->level < 1.0)) {
        return regret_fail(REGRET_E_INPUT,
                           "a bootstrap wants at least one replicate and a level between 0 and 1");
    }
    size_t width = REGRET_N_VALUES * n_agents;
    size_t column_size = options->replicates > n_agents ? options->replicates : n_agents;
    int rc = gather(&g, prediction, cross_fit, context, eval, pairs);
    if (rc != REGRET_OK || (rc = REGRET_NEW(&values, options->replicates * width)) != REGRET_OK ||
        (rc = REGRET_NEW(&column, column_size)) != REGRET_OK) {
        goto cleanup;
    }
    for (size_t b = 0; b < options->replicates; b++) {
        resample(values + b * width, column, &g, options->seed, b);
    }
    summarise(interval, difference, values, column, n_agents, options);
cleanup:
    regret_free(g.mean);
    regret_free(g.residual);
    regret_free(values);
    regret_free(column);
    return rc;
}
