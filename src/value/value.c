/* DM, DR and SNDR, and their intervals. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "stats/resampling.h"
#include "value/internal.h"

/* EXP resamples from streams of its own, past any replicate of the evaluation contexts. */
#define EXP_STREAMS ((uint64_t)1 << 32)

/* Replicates of the parts, part by part, [B × parts · n_agents]; `point` is that of the sample. */
struct parts {
    double *surface, *correction;
    double *surface_point, *correction_point;
    struct surface_miss miss;
    struct moderated moderated;
};

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
        dr[a] = gathered_scale(g, a) * dr[a] / all + g->undefined;
    }
    return REGRET_OK;
}

static void parts_clear(struct parts *parts)
{
    regret_free(parts->surface);
    regret_free(parts->correction);
    regret_free(parts->surface_point);
    regret_free(parts->correction_point);
    surface_miss_clear(&parts->miss);
    moderated_clear(&parts->moderated);
}

/* The statistics of the sample itself, where every context weighs one. */
static int take_point(double *out, regret_statistics *statistics, struct gathered *g, size_t n)
{
    FREED double *weight = NULL;
    TRY(REGRET_NEW(&weight, n));
    for (size_t x = 0; x < n; x++) {
        weight[x] = 1.0;
    }
    return statistics(g, out, weight, 0);
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
    return g->n_exp > 0 ? regret_bootstrap(parts->correction, g->n_exp, m, &how, corrections, g)
                        : REGRET_OK; /* undefined, and so is what there is of it */
}

/* values[a], less values[b] unless that is NO_AGENT. */
static double less(const double *values, size_t a, size_t b)
{
    return values[a] - (b != NO_AGENT ? values[b] : 0.0);
}

/* The variance that n contexts give a part, or the difference of two: the bootstrap's, which is
 * (n − 1)/n of it. Undefined resamples are skipped. `replicates` begins with the part's. */
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

static double point_of(const struct parts *parts, size_t n_agents, size_t kind, size_t a, size_t b)
{
    double point = less(parts->surface_point + surface_of(kind) * n_agents, a, b);
    return kind == REGRET_VALUE_DM
               ? point
               : point + less(parts->correction_point + correction_of(kind) * n_agents, a, b);
}

/* Contexts that the correction of a, less that of b, rests on: all of EXP for DR; for SNDR those of the one with fewer,
 * of those that have any. */
static double clusters_of(const struct gathered *g, size_t part, size_t a, size_t b)
{
    double of_a = g->clusters[a], of_b = b != NO_AGENT ? g->clusters[b] : of_a;
    double fewer = fmin(of_a, of_b), more = fmax(of_a, of_b);
    return part == PART_DR ? g->exp_contexts : fewer > 0.0 ? fewer : more;
}

/* The moderated variance of a correction, as many times as the resampled one is what it was before. Where an agent has
 * none of its own, resamples know nothing. */
static void add_correction(struct value_variance *v, const struct gathered *g,
                           const struct parts *parts, size_t part, size_t a, size_t b,
                           size_t replicates)
{
    size_t n = g->p->n_agents;
    double own = moderated_add(v, &parts->moderated, g, part, a, b);
    if (own > 0.0) {
        double by_clusters = variance(parts->correction + part * n, replicates, N_CORRECTIONS * n,
                                      a, b, clusters_of(g, part, a, b));
        v->correction *= gathered_correction(g, part, a, b, by_clusters) / own;
    }
}

/* Of value `kind` of agent a, less that of agent b unless that is NO_AGENT. */
static struct regret_interval interval_of(const struct gathered *g, const struct parts *parts,
                                          size_t kind, size_t a, size_t b,
                                          const struct regret_value_bootstrap *options)
{
    size_t n = g->p->n_agents, B = options->replicates;
    double m = g->eval_contexts, point = point_of(parts, n, kind, a, b);
    double resampled = variance(parts->surface + surface_of(kind) * n, B, N_SURFACES * n, a, b, m);
    struct value_variance v = {.surface = (1.0 - g->p->eval_share) * resampled, .contexts = m};
    if (kind != REGRET_VALUE_DM) {
        add_correction(&v, g, parts, correction_of(kind), a, b, B);
        v.surface += g->undefined; /* and with it the half-width */
    }
    surface_miss_add(&v, &parts->miss, g, kind, a, b);
    struct value_level level = {.level = options->level};
    double half = value_half_width(&v, &level);
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
    FREED_BY(gathered_clear) struct gathered g = {.p = problem};
    FREED_BY(parts_clear) struct parts parts = {0};
    size_t n = problem->n_agents;
    if (options->replicates < 2 || !(options->level > 0.0 && options->level < 1.0)) {
        return regret_fail(REGRET_E_INPUT,
                           "a bootstrap wants two or more replicates and a level between 0 and 1, "
                           "but has %zu and %g",
                           options->replicates, options->level);
    }
    TRY(gathered_fill(&g));
    TRY(surface_miss_fill(&parts.miss, &g));
    TRY(moderated_fill(&parts.moderated, &g));
    TRY(resample(&parts, &g, options));
    for (size_t v = 0; v < REGRET_N_VALUES * n; v++) {
        interval[v] = interval_of(&g, &parts, v / n, v % n, NO_AGENT, options);
    }
    if (difference != NULL) {
        fill_differences(difference, &g, &parts, options);
    }
    return REGRET_OK;
}

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

static double linear_half_width(const struct gathered *g, const struct surface_miss *miss,
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
        half[v] = linear_half_width(&g, &miss, &moderated, v / n, v % n, &at);
    }
    return REGRET_OK;
}

enum { BLOCK = 256 }; /* agents with a pass over the pairs */

static double weight_of(const struct regret_context_weights *w, size_t pair)
{
    return w != NULL && w->weight != NULL ? w->weight[w->context[pair]] : 1.0;
}

/* The agents from `first` on, at most BLOCK. */
static void dm_of_block(double *value, const double *prediction, const uint32_t *agent,
                        const unsigned char *eval, size_t pairs, size_t first, size_t n_agents,
                        const struct regret_context_weights *weights)
{
    double n[BLOCK] = {0.0};
    for (size_t a = 0; a < n_agents; a++) {
        value[first + a] = 0.0;
    }
    for (size_t p = 0; p < pairs; p++) {
        size_t a = agent[p] - first; /* wraps below `first` */
        if (eval[p] && a < n_agents) {
            double weight = weight_of(weights, p);
            weight *= weights != NULL && weights->share != NULL ? weights->share[p] : 1.0;
            value[first + a] += weight * prediction[p];
            n[a] += weight;
        }
    }
    for (size_t a = 0; a < n_agents; a++) {
        value[first + a] /= n[a];
    }
}

void regret_value_dm(double *value, const double *prediction, const uint32_t *agent,
                     const unsigned char *eval, size_t pairs, size_t n_agents,
                     const struct regret_context_weights *weights)
{
    for (size_t first = 0; first < n_agents; first += BLOCK) {
        size_t n = n_agents - first < BLOCK ? n_agents - first : BLOCK;
        dm_of_block(value, prediction, agent, eval, pairs, first, n, weights);
    }
}

void regret_value_dr(double *dr, double *sndr, const double *dm, const struct regret_rows *exp,
                     const double *cross_fit, const uint32_t *agent, size_t n_agents,
                     const struct regret_context_weights *weights,
                     const struct regret_exp_support *support)
{
    int partial = support != NULL && support->offered != NULL;
    struct regret_context_weights offered = {0};
    if (partial) { /* then `weights` tell the contexts */
        offered.context = weights->context;
        offered.weight = support->offered;
    }
    const struct regret_context_weights *w = partial ? &offered : weights;
    for (size_t a = 0; a < n_agents; a++) {
        double residuals = 0.0, n = 0.0, all = 0.0;
        for (size_t i = 0; i < exp->n; i++) {
            double weight = weight_of(w, exp->pair[i]);
            double residual = weight * (exp->y[i] - cross_fit[i]);
            all += weight;
            if (isnan(residual)) {
                residuals = NAN;
            } else if (agent[exp->pair[i]] == a) {
                residuals += residual;
                n += weight;
            }
        }
        double scale = partial ? support->factor[a] * (double)n_agents : (double)n_agents;
        dr[a] = dm[a] + scale * residuals / all;
        int has_none = n == 0.0 && all > 0.0 && !isnan(residuals);
        sndr[a] = has_none ? dm[a] : dm[a] + residuals / n; /* 0/0 where nobody has any */
    }
}

double regret_effective_number(const double *weight, size_t n)
{
    double sum = 0.0, squares = 0.0, largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, weight[i]);
    }
    for (size_t i = 0; i < n; i++) {
        double share = weight[i] / largest; /* squares of tiny weights are no zeroes */
        sum += share;
        squares += share * share;
    }
    return sum * sum / squares;
}

/* Σ w y, Σ w f, Σ w and Σ w² over the contexts on which the agent is observed. */
struct matched_sums {
    double y, f, weight, squares;
    size_t n;
};

static struct matched_sums sum_matched(const double *f, const double *y, const double *p, size_t n)
{
    struct matched_sums s = {0};
    for (size_t x = 0; x < n; x++) {
        if (!isnan(y[x])) {
            double w = 1.0 / p[x];
            s.y += w * y[x];
            s.f += w * f[x];
            s.weight += w;
            s.squares += w * w;
            s.n++;
        }
    }
    return s;
}

void regret_policy_value(struct regret_policy_value *out, const double *f, const double *y,
                         const double *p, size_t n, double level)
{
    const struct matched_sums s = sum_matched(f, y, p, n);
    double mean = 0.0, squares = 0.0, correction = (s.y - s.f) / s.weight;
    *out = (struct regret_policy_value){NAN, NAN, NAN, s.n};
    if (s.n < REGRET_POLICY_MIN_MATCHED) {
        return;
    }
    for (size_t x = 0; x < n; x++) {
        mean += f[x] / (double)n;
    }
    for (size_t x = 0; x < n; x++) {
        double w = isnan(y[x]) ? 0.0 : (double)n / p[x] / s.weight;
        double psi = f[x] - mean + (w > 0.0 ? w * (y[x] - f[x] - correction) : 0.0);
        squares += psi * psi;
    }
    double m = s.weight * s.weight / s.squares;
    out->ips = s.y / s.weight;
    out->dr = mean + correction;
    out->dr_half = regret_student_quantile(0.5 * (1.0 + level), m - 1.0) *
                   sqrt(squares * m / (m - 1.0)) / (double)n;
}
