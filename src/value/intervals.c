#include <math.h>
#include <string.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "regret/bootstrap.h"
#include "regret/student.h"
#include "regret/value.h"

/* EXP resamples from streams of its own, past any replicate of the evaluation contexts. */
#define EXP_STREAMS ((uint64_t)1 << 32)

/* The two surfaces whose means are wanted, and the two corrections. */
enum { PART_DM, PART_PLUG_IN, N_SURFACES };
enum { PART_DR, PART_SNDR, N_CORRECTIONS };

/* Sums by (context, agent): what resampling contexts needs, gathered once. */
struct gathered {
    const struct regret_value_problem *p;
    size_t n_eval;           /* evaluation contexts */
    double *sum[N_SURFACES]; /* [n_eval × n_agents] predictions */
    double *count;           /* [n_eval × n_agents] evaluation pairs */
    size_t n_exp;            /* contexts with EXP rows */
    double *residual, *rows; /* [n_exp × n_agents] Σ Y − f^(−k), and rows */
    size_t *clusters;        /* [n_agents] contexts with EXP rows of the agent */
    double *scratch;         /* [n_agents] */
    double undefined;        /* NaN where an out-of-fold prediction is; else 0 */
};

/* Replicates of the parts, part by part, [B × parts · n_agents]; `point` is that of the sample. */
struct parts {
    double *surface, *correction;
    double *surface_point, *correction_point;
};

static void gathered_clear(struct gathered *g)
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

static void gather_evaluation(struct gathered *g)
{
    const struct regret_value_problem *p = g->p;
    for (size_t i = 0; i < p->pairs; i++) {
        if (p->eval[i]) {
            size_t cell = p->context[i] * p->n_agents + p->agent[i];
            g->sum[PART_DM][cell] += p->prediction[i];
            g->sum[PART_PLUG_IN][cell] += (p->plug_in != NULL ? p->plug_in : p->prediction)[i];
            g->count[cell] += 1.0;
        }
    }
    double *const arrays[] = {g->sum[PART_DM], g->sum[PART_PLUG_IN], g->count};
    g->n_eval = keep_counted(arrays, 3, g->count, p->n_contexts, p->n_agents);
}

static void gather_exp(struct gathered *g)
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
        g->residual[cell] += residual;
        g->rows[cell] += 1.0;
    }
    double *const arrays[] = {g->residual, g->rows};
    g->n_exp = keep_counted(arrays, 2, g->rows, p->n_contexts, p->n_agents);
    for (size_t x = 0; x < g->n_exp; x++) {
        for (size_t a = 0; a < p->n_agents; a++) {
            g->clusters[a] += g->rows[x * p->n_agents + a] > 0.0;
        }
    }
}

static int gather(struct gathered *g)
{
    size_t cells = g->p->n_contexts * g->p->n_agents;
    for (size_t i = 0; i < N_SURFACES; i++) {
        TRY(REGRET_NEW(&g->sum[i], cells));
    }
    TRY(REGRET_NEW(&g->count, cells));
    TRY(REGRET_NEW(&g->residual, cells));
    TRY(REGRET_NEW(&g->rows, cells));
    TRY(REGRET_NEW(&g->clusters, g->p->n_agents));
    TRY(REGRET_NEW(&g->scratch, g->p->n_agents));
    gather_evaluation(g);
    gather_exp(g);
    if (g->n_eval == 0 || g->n_exp == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "%zu evaluation contexts and %zu EXP rows to resample; a bootstrap "
                           "wants one of each",
                           g->n_eval, g->p->exp->n);
    }
    return REGRET_OK;
}

/* The means of the surfaces on weighted evaluation contexts: out[surface · n_agents + a]. */
static int surfaces(void *context, double *out, const double *weight, size_t worker)
{
    struct gathered *g = context;
    size_t n = g->p->n_agents;
    (void)worker;
    memset(out, 0, N_SURFACES * n * sizeof *out);
    memset(g->scratch, 0, n * sizeof *g->scratch);
    for (size_t x = 0; x < g->n_eval; x++) {
        for (size_t a = 0; a < n && weight[x] > 0.0; a++) {
            out[PART_DM * n + a] += weight[x] * g->sum[PART_DM][x * n + a];
            out[PART_PLUG_IN * n + a] += weight[x] * g->sum[PART_PLUG_IN][x * n + a];
            g->scratch[a] += weight[x] * g->count[x * n + a];
        }
    }
    for (size_t a = 0; a < n; a++) {
        out[PART_DM * n + a] /= g->scratch[a];
        out[PART_PLUG_IN * n + a] /= g->scratch[a];
    }
    return REGRET_OK;
}

/* The corrections on weighted contexts of EXP: out[correction · n_agents + a]. */
static int corrections(void *context, double *out, const double *weight, size_t worker)
{
    struct gathered *g = context;
    size_t n = g->p->n_agents;
    double *dr = out + PART_DR * n, *sndr = out + PART_SNDR * n, *rows = g->scratch, all = 0.0;
    (void)worker;
    memset(dr, 0, n * sizeof *dr);
    memset(rows, 0, n * sizeof *rows);
    for (size_t x = 0; x < g->n_exp; x++) {
        for (size_t a = 0; a < n && weight[x] > 0.0; a++) {
            dr[a] += weight[x] * g->residual[x * n + a];
            rows[a] += weight[x] * g->rows[x * n + a];
        }
    }
    for (size_t a = 0; a < n; a++) {
        all += rows[a];
    }
    for (size_t a = 0; a < n; a++) {
        sndr[a] = (rows[a] > 0.0 ? dr[a] / rows[a] : 0.0) + g->undefined;
        dr[a] = (double)n * dr[a] / all + g->undefined;
    }
    return REGRET_OK;
}

static void parts_clear(struct parts *parts)
{
    regret_free(parts->surface);
    regret_free(parts->correction);
    regret_free(parts->surface_point);
    regret_free(parts->correction_point);
}

/* The statistics of the sample itself, where every context weighs one. */
static int take_point(double *out, regret_statistics *statistics, struct gathered *g, size_t n)
{
    double *weight = NULL;
    TRY(REGRET_NEW(&weight, n));
    for (size_t x = 0; x < n; x++) {
        weight[x] = 1.0;
    }
    int rc = statistics(g, out, weight, 0);
    regret_free(weight);
    return rc;
}

static int resample(struct parts *parts, struct gathered *g,
                    const struct regret_value_bootstrap *options)
{
    struct regret_bootstrap_options how = {options->replicates, options->seed, 0, 1};
    size_t n = N_SURFACES * g->p->n_agents, m = N_CORRECTIONS * g->p->n_agents;
    TRY(REGRET_NEW(&parts->surface, how.n_replicates * n));
    TRY(REGRET_NEW(&parts->correction, how.n_replicates * m));
    TRY(REGRET_NEW(&parts->surface_point, n));
    TRY(REGRET_NEW(&parts->correction_point, m));
    TRY(take_point(parts->surface_point, surfaces, g, g->n_eval));
    TRY(take_point(parts->correction_point, corrections, g, g->n_exp));
    TRY(regret_bootstrap(parts->surface, g->n_eval, n, &how, surfaces, g));
    how.first = EXP_STREAMS;
    return regret_bootstrap(parts->correction, g->n_exp, m, &how, corrections, g);
}

/* For the value of an agent itself, in the place of one that it is less. */
#define NO_AGENT SIZE_MAX

/* values[a], less values[b] unless that is NO_AGENT. */
static double less(const double *values, size_t a, size_t b)
{
    return values[a] - (b != NO_AGENT ? values[b] : 0.0);
}

/* The variance that n contexts give a part, or the difference of two: the bootstrap's, which is
 * (n − 1)/n of it. Undefined resamples are passed over. `replicates` begins with the part's. */
static double variance(const double *replicates, size_t n_replicates, size_t width, size_t a,
                       size_t b, double n)
{
    double count = 0.0, mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < n_replicates; i++) {
        double x = less(replicates + i * width, a, b);
        if (!isnan(x)) { /* Welford's update */
            double step = x - mean;
            count += 1.0;
            mean += step / count;
            squares += step * (x - mean);
        }
    }
    return squares / (count - 1.0) * n / (n - 1.0);
}

/* Contexts that the correction of a, less that of b, rests on: those of the one with fewer, but an
 * agent without rows has no correction, and no variance of it. */
static double clusters_of(const struct gathered *g, size_t correction, size_t a, size_t b)
{
    if (correction == PART_DR) {
        return (double)g->n_exp;
    }
    size_t of_a = g->clusters[a], of_b = b != NO_AGENT ? g->clusters[b] : of_a;
    size_t fewer = of_a < of_b ? of_a : of_b, more = of_a < of_b ? of_b : of_a;
    return (double)(fewer > 0 ? fewer : more);
}

/* The surface of value `kind` among the parts, and its correction (of DR and SNDR). */
static size_t surface_of(size_t kind)
{
    return kind == REGRET_VALUE_DM ? PART_DM : PART_PLUG_IN;
}

static size_t correction_of(size_t kind)
{
    return kind == REGRET_VALUE_DR ? PART_DR : PART_SNDR;
}

static double point_of(const struct parts *parts, size_t n_agents, size_t kind, size_t a, size_t b)
{
    double point = less(parts->surface_point + surface_of(kind) * n_agents, a, b);
    return kind == REGRET_VALUE_DM
               ? point
               : point + less(parts->correction_point + correction_of(kind) * n_agents, a, b);
}

/* Of value `kind` of agent a, less that of agent b unless that is NO_AGENT: point ± t · se, the
 * degrees of freedom of the two independent parts by Satterthwaite. */
static struct regret_interval interval_of(const struct gathered *g, const struct parts *parts,
                                          size_t kind, size_t a, size_t b,
                                          const struct regret_value_bootstrap *options)
{
    size_t n = g->p->n_agents, B = options->replicates;
    double m = (double)g->n_eval, point = point_of(parts, n, kind, a, b);
    double var = variance(parts->surface + surface_of(kind) * n, B, N_SURFACES * n, a, b, m);
    double correction = 0.0, df_correction = 1.0;
    if (kind != REGRET_VALUE_DM) {
        size_t part = correction_of(kind);
        double clusters = clusters_of(g, part, a, b);
        if (clusters > 0.0) {
            correction =
                variance(parts->correction + part * n, B, N_CORRECTIONS * n, a, b, clusters);
            df_correction = clusters - 1.0;
        }
        correction += g->undefined;
    }
    double total = var + correction;
    double df = total * total / (var * var / (m - 1.0) + correction * correction / df_correction);
    double half = total > 0.0
                      ? regret_student_quantile(0.5 * (1.0 + options->level), df) * sqrt(total)
                      : total;
    return (struct regret_interval){point - half, point + half};
}

/* Every difference between two agents, of which the mirrored one is the negative; none of an agent
 * to itself, where it is defined. */
static void fill_differences(struct regret_interval *difference, const struct gathered *g,
                             const struct parts *parts,
                             const struct regret_value_bootstrap *options)
{
    size_t n = g->p->n_agents;
    for (size_t kind = 0; kind < REGRET_N_VALUES; kind++, difference += n * n) {
        for (size_t a = 0; a < n; a++) {
            double none = point_of(parts, n, kind, a, a);
            difference[a * n + a] = (struct regret_interval){none, none};
            for (size_t b = a + 1; b < n; b++) {
                struct regret_interval d = interval_of(g, parts, kind, a, b, options);
                difference[a * n + b] = d;
                difference[b * n + a] = (struct regret_interval){-d.high, -d.low};
            }
        }
    }
}

int regret_value_intervals(struct regret_interval *interval, struct regret_interval *difference,
                           const struct regret_value_problem *problem,
                           const struct regret_value_bootstrap *options)
{
    struct gathered g = {.p = problem};
    struct parts parts = {0};
    size_t n = problem->n_agents;
    if (options->replicates < 2 || !(options->level > 0.0 && options->level < 1.0)) {
        return regret_fail(REGRET_E_INPUT,
                           "a bootstrap wants two or more replicates and a level between 0 and 1, "
                           "but has %zu and %g",
                           options->replicates, options->level);
    }
    int rc;
    TRY_CLEANUP(gather(&g));
    TRY_CLEANUP(resample(&parts, &g, options));
    for (size_t v = 0; v < REGRET_N_VALUES * n; v++) {
        interval[v] = interval_of(&g, &parts, v / n, v % n, NO_AGENT, options);
    }
    if (difference != NULL) {
        fill_differences(difference, &g, &parts, options);
    }
cleanup:
    gathered_clear(&g);
    parts_clear(&parts);
    return rc;
}
