#include "value/gathered.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/student.h"

void gathered_clear(struct gathered *g)
{
    for (size_t i = 0; i < N_SURFACES; i++) {
        regret_free(g->sum[i]);
    }
    regret_free(g->count);
    regret_free(g->residual);
    regret_free(g->rows);
    regret_free(g->clusters);
    regret_free(g->scratch);
}

static int any(const double *count, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (count[i] > 0.0) {
            return 1;
        }
    }
    return 0;
}

/* Moves the contexts with a count to the front of every array; returns how many there are. */
static size_t keep_counted(double *const *array, size_t n_arrays, const double *count,
                           size_t n_contexts, size_t width)
{
    size_t kept = 0;
    for (size_t x = 0; x < n_contexts; x++) {
        if (any(count + x * width, width)) {
            for (size_t i = 0; i < n_arrays; i++) {
                memmove(array[i] + kept * width, array[i] + x * width, width * sizeof(double));
            }
            kept++;
        }
    }
    return kept;
}

static double weight_of(const struct regret_value_problem *p, size_t pair)
{
    return p->weight != NULL ? p->weight[p->context[pair]] : 1.0;
}

/* The weights of the contexts that have a count of agent a, or of any (NO_AGENT), in effect. */
static double effective(const struct regret_value_problem *p, const double *count, size_t a,
                        double *weight)
{
    size_t n = p->n_agents;
    for (size_t x = 0; x < p->n_contexts; x++) {
        int counted = a == NO_AGENT ? any(count + x * n, n) : count[x * n + a] > 0.0;
        weight[x] = !counted ? 0.0 : p->weight != NULL ? p->weight[x] : 1.0;
    }
    double number = regret_effective_number(weight, p->n_contexts);
    return isnan(number) ? 0.0 : number;
}

static void gather_evaluation(struct gathered *g, double *weights)
{
    const struct regret_value_problem *p = g->p;
    for (size_t i = 0; i < p->pairs; i++) {
        if (p->eval[i]) {
            size_t cell = p->context[i] * p->n_agents + p->agent[i];
            double weight = weight_of(p, i);
            g->sum[PART_DM][cell] += weight * p->prediction[i];
            g->sum[PART_PLUG_IN][cell] +=
                weight * (p->plug_in != NULL ? p->plug_in : p->prediction)[i];
            g->count[cell] += weight;
        }
    }
    g->eval_contexts = effective(p, g->count, NO_AGENT, weights);
    double *const arrays[] = {g->sum[PART_DM], g->sum[PART_PLUG_IN], g->count};
    g->n_eval = keep_counted(arrays, 3, g->count, p->n_contexts, p->n_agents);
}

static void gather_exp(struct gathered *g, double *weights)
{
    const struct regret_value_problem *p = g->p;
    g->undefined = p->cross_fit == NULL ? NAN : 0.0;
    for (size_t i = 0; i < p->exp->n; i++) {
        uint32_t pair = p->exp->pair[i];
        size_t cell = p->context[pair] * p->n_agents + p->agent[pair];
        double residual = p->cross_fit != NULL ? p->exp->y[i] - p->cross_fit[i] : 0.0;
        if (isnan(residual)) {
            g->undefined = NAN; /* as in regret_value_dr() */
        }
        g->residual[cell] += weight_of(p, pair) * residual;
        g->rows[cell] += weight_of(p, pair);
    }
    g->exp_contexts = effective(p, g->rows, NO_AGENT, weights);
    g->undefined = g->exp_contexts > 0.0 ? g->undefined : NAN;
    for (size_t a = 0; a < p->n_agents; a++) {
        g->clusters[a] = effective(p, g->rows, a, weights);
    }
    double *const arrays[] = {g->residual, g->rows};
    g->n_exp = keep_counted(arrays, 2, g->rows, p->n_contexts, p->n_agents);
}

int gathered_fill(struct gathered *g)
{
    size_t cells = g->p->n_contexts * g->p->n_agents;
    double *weights = NULL;
    for (size_t i = 0; i < N_SURFACES; i++) {
        TRY(REGRET_NEW(&g->sum[i], cells));
    }
    TRY(REGRET_NEW(&g->count, cells));
    TRY(REGRET_NEW(&g->residual, cells));
    TRY(REGRET_NEW(&g->rows, cells));
    TRY(REGRET_NEW(&g->clusters, g->p->n_agents));
    TRY(REGRET_NEW(&g->scratch, g->p->n_agents));
    TRY(REGRET_NEW(&weights, g->p->n_contexts));
    gather_evaluation(g, weights);
    gather_exp(g, weights);
    regret_free(weights);
    if (g->n_eval == 0 || g->p->exp->n == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "%zu evaluation contexts and %zu EXP rows; intervals of values want one "
                           "of each",
                           g->n_eval, g->p->exp->n);
    }
    return REGRET_OK;
}

double gathered_clusters(const struct gathered *g, size_t correction, size_t a, size_t b)
{
    if (correction == PART_DR) {
        return g->exp_contexts;
    }
    double of_a = g->clusters[a], of_b = b != NO_AGENT ? g->clusters[b] : of_a;
    double fewer = fmin(of_a, of_b), more = fmax(of_a, of_b);
    return fewer > 0.0 ? fewer : more;
}

size_t surface_of(size_t kind)
{
    return kind == REGRET_VALUE_DM ? PART_DM : PART_PLUG_IN;
}

size_t correction_of(size_t kind)
{
    return kind == REGRET_VALUE_DR ? PART_DR : PART_SNDR;
}

static double quantile(struct value_level *level, double df)
{
    if (!(df == level->df)) {
        level->df = df;
        level->t = regret_student_quantile(0.5 * (1.0 + level->level), df);
    }
    return level->t;
}

double value_half_width(const struct value_variance *v, struct value_level *level)
{
    int corrected = !(v->clusters == 0.0);
    if (v->contexts < 2.0 || (corrected && v->clusters < 2.0)) {
        return NAN; /* one context says nothing of how they differ, nor do two as good as one */
    }
    double correction = corrected ? v->correction : 0.0;
    double df_correction = corrected ? v->clusters - 1.0 : 1.0;
    double total = v->surface + correction;
    double df =
        total * total /
        (v->surface * v->surface / (v->contexts - 1.0) + correction * correction / df_correction);
    return total > 0.0 ? quantile(level, df) * sqrt(total) : total;
}
