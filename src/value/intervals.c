#include <math.h>
#include <string.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "regret/bootstrap.h"
#include "regret/value.h"

/* The EXP rows resample from streams of their own, past any replicate of the contexts. */
#define ROW_STREAMS ((uint64_t)1 << 32)

/* What the resamples need, gathered once. */
struct gathered {
    size_t n_agents, n_eval; /* n_eval: evaluation contexts */
    double *sum, *count;     /* [n_eval × n_agents] predictions of (context, agent) */
    double *residual;        /* [n_E] Y − f^(−k) */
    double *scratch;         /* [n_agents] */
    const struct regret_rows *exp;
    const uint32_t *agent;
};

static void gathered_clear(struct gathered *g)
{
    regret_free(g->sum);
    regret_free(g->count);
    regret_free(g->residual);
    regret_free(g->scratch);
}

/* Moves the contexts with evaluation pairs to the front. */
static void keep_evaluated(struct gathered *g, size_t n_contexts)
{
    size_t n = g->n_agents;
    for (size_t x = 0; x < n_contexts; x++) {
        double any = 0.0;
        for (size_t a = 0; a < n; a++) {
            any += g->count[x * n + a];
        }
        if (any > 0.0) {
            memmove(g->sum + g->n_eval * n, g->sum + x * n, n * sizeof *g->sum);
            memmove(g->count + g->n_eval * n, g->count + x * n, n * sizeof *g->count);
            g->n_eval++;
        }
    }
}

static int gather(struct gathered *g, const double *prediction, const double *cross_fit,
                  const uint32_t *context, const unsigned char *eval, size_t pairs,
                  size_t n_contexts)
{
    size_t cells = n_contexts * g->n_agents;
    int rc = REGRET_OK;
    TRY(REGRET_NEW(&g->sum, cells));
    TRY(REGRET_NEW(&g->count, cells));
    TRY(REGRET_NEW(&g->residual, g->exp->n));
    TRY(REGRET_NEW(&g->scratch, g->n_agents));
    for (size_t p = 0; p < pairs; p++) {
        if (eval[p]) {
            size_t cell = context[p] * g->n_agents + g->agent[p];
            g->sum[cell] += prediction[p];
            g->count[cell] += 1.0;
        }
    }
    keep_evaluated(g, n_contexts);
    int defined = 1;
    for (size_t i = 0; i < g->exp->n; i++) {
        g->residual[i] = cross_fit != NULL ? g->exp->y[i] - cross_fit[i] : NAN;
        defined = defined && !isnan(g->residual[i]);
    }
    for (size_t i = 0; i < g->exp->n && !defined; i++) {
        g->residual[i] = NAN; /* as in regret_value_dr() */
    }
    if (g->n_eval == 0 || g->exp->n == 0) {
        rc = regret_fail(REGRET_E_INPUT,
                         "%zu evaluation contexts and %zu EXP rows to resample; a bootstrap wants "
                         "one of each",
                         g->n_eval, g->exp->n);
    }
    return rc;
}

/* V_DM of one resample of the evaluation contexts: out[a]. */
static int plug_in(void *context, double *out, const double *weight, size_t worker)
{
    struct gathered *g = context;
    size_t n = g->n_agents;
    (void)worker;
    memset(out, 0, n * sizeof *out);
    memset(g->scratch, 0, n * sizeof *g->scratch);
    for (size_t x = 0; x < g->n_eval; x++) {
        for (size_t a = 0; a < n && weight[x] > 0.0; a++) {
            out[a] += weight[x] * g->sum[x * n + a];
            g->scratch[a] += weight[x] * g->count[x * n + a];
        }
    }
    for (size_t a = 0; a < n; a++) {
        out[a] /= g->scratch[a];
    }
    return REGRET_OK;
}

/* V_DR − V_DM and V_SNDR − V_DM of one resample of the EXP rows: out[a], out[n_agents + a]. */
static int corrections(void *context, double *out, const double *weight, size_t worker)
{
    struct gathered *g = context;
    size_t n = g->n_agents;
    double *sum = out, *mean = out + n, *rows = g->scratch;
    (void)worker;
    memset(sum, 0, n * sizeof *sum);
    memset(rows, 0, n * sizeof *rows);
    for (size_t i = 0; i < g->exp->n; i++) {
        uint32_t a = g->agent[g->exp->pair[i]];
        sum[a] += weight[i] * g->residual[i];
        rows[a] += weight[i];
    }
    double undefined = isnan(g->residual[0]) ? NAN : 0.0;
    for (size_t a = 0; a < n; a++) {
        mean[a] = (rows[a] > 0.0 ? sum[a] / rows[a] : 0.0) + undefined;
        sum[a] = (double)n * sum[a] / (double)g->exp->n + undefined;
    }
    return REGRET_OK;
}

/* The resampled values, B × (kinds · n_agents): the plug-in parts and corrections put together. */
static int resample(double *values, struct gathered *g,
                    const struct regret_value_bootstrap *options)
{
    struct regret_bootstrap_options how = {options->replicates, options->seed, 0, 1};
    size_t n = g->n_agents, width = REGRET_N_VALUES * n;
    double *dm = NULL, *correction = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&dm, how.n_replicates * n));
    TRY_CLEANUP(REGRET_NEW(&correction, how.n_replicates * 2 * n));
    TRY_CLEANUP(regret_bootstrap(dm, g->n_eval, n, &how, plug_in, g));
    how.first = ROW_STREAMS;
    TRY_CLEANUP(regret_bootstrap(correction, g->exp->n, 2 * n, &how, corrections, g));
    for (size_t b = 0; b < how.n_replicates; b++) {
        for (size_t a = 0; a < n; a++) {
            double *of_agent = values + b * width + a, plain = dm[b * n + a];
            of_agent[REGRET_VALUE_DM * n] = plain;
            of_agent[REGRET_VALUE_DR * n] = plain + correction[b * 2 * n + a];
            of_agent[REGRET_VALUE_SNDR * n] = plain + correction[b * 2 * n + n + a];
        }
    }
cleanup:
    regret_free(dm);
    regret_free(correction);
    return rc;
}

static int summarise(struct regret_interval *out, const double *replicates, size_t width, size_t v,
                     const struct regret_value_bootstrap *options)
{
    struct regret_bootstrap_interval found;
    TRY(regret_bootstrap_summarise(&found, replicates, options->replicates, width, v,
                                   options->level));
    *out = (struct regret_interval){found.low, found.high};
    return REGRET_OK;
}

/* All intervals into `found`: those of the values, then (when wanted) those of differences. */
static int find_intervals(struct regret_interval *found, const double *values, double *column,
                          size_t n_agents, int differences,
                          const struct regret_value_bootstrap *options)
{
    size_t width = REGRET_N_VALUES * n_agents;
    int rc = REGRET_OK;
    for (size_t v = 0; rc == REGRET_OK && v < width; v++) {
        rc = summarise(found + v, values, width, v, options);
        for (size_t b = 0; rc == REGRET_OK && differences && b < n_agents; b++) {
            size_t w = v / n_agents * n_agents + b;
            for (size_t i = 0; i < options->replicates; i++) {
                column[i] = values[i * width + v] - values[i * width + w];
            }
            rc = summarise(found + width + v * n_agents + b, column, 1, 0, options);
        }
    }
    return rc;
}

int regret_value_intervals(struct regret_interval *interval, struct regret_interval *difference,
                           const struct regret_value_bootstrap *options, const double *prediction,
                           const double *cross_fit, const struct regret_rows *exp,
                           const uint32_t *agent, const uint32_t *context,
                           const unsigned char *eval, size_t pairs, size_t n_agents,
                           size_t n_contexts)
{
    struct gathered g = {.n_agents = n_agents, .exp = exp, .agent = agent};
    double *values = NULL, *column = NULL;
    struct regret_interval *found = NULL;
    if (options->replicates < 2 || !(options->level > 0.0 && options->level < 1.0)) {
        return regret_fail(REGRET_E_INPUT,
                           "a bootstrap wants two or more replicates and a level between 0 and 1, "
                           "but has %zu and %g",
                           options->replicates, options->level);
    }
    size_t width = REGRET_N_VALUES * n_agents;
    int rc;
    TRY_CLEANUP(gather(&g, prediction, cross_fit, context, eval, pairs, n_contexts));
    TRY_CLEANUP(REGRET_NEW(&values, options->replicates * width));
    TRY_CLEANUP(REGRET_NEW(&column, options->replicates));
    TRY_CLEANUP(REGRET_NEW(&found, width * (n_agents + 1)));
    TRY_CLEANUP(resample(values, &g, options));
    TRY_CLEANUP(find_intervals(found, values, column, n_agents, difference != NULL, options));
    memcpy(interval, found, width * sizeof *found);
    if (difference != NULL) {
        memcpy(difference, found + width, width * n_agents * sizeof *found);
    }
cleanup:
    gathered_clear(&g);
    regret_free(values);
    regret_free(column);
    regret_free(found);
    return rc;
}
