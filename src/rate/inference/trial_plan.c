/* How many clusters an effect wants, from what a pilot's rows contribute to it. */
#include <math.h>

#include "base/core/try.h"
#include "rate/estimate/influence.h"
#include "rate/estimate/summation.h"
#include "rate/estimate/units.h"
#include "regret/alloc.h"
#include "regret/power.h"
#include "regret/rate_inference.h"

enum { MOST_CLUSTERS = 1000000000 };
static const double SIZE = 0.05, SAFE = 0.8;

static const char NO_ICC[] =
    "no two rows of the pilot share a cluster, so their correlation is unknown; plan one row each";
static const char NO_D[] = "no Cohen's d, as there are no scores of originals, or all are equal";
static const char ONE_CLUSTER[] = "all rows are of one cluster, which says nothing of others; "
                                  "--cluster none takes them as independent";

/* What each used row contributes to the effect, so that the mean of x is its error. */
static void fill_contributions(double *x, const struct influence *f, const struct columns *c,
                               enum regret_rate_effect_kind effect)
{
    const double *y = influence_values(c, effect);
    int is_naive = effect == REGRET_EFFECT_NAIVE;
    enum influence_rows rows = influence_rows_of(effect);
    size_t n = c->n1 + c->n0, first[2] = {0, c->n1}, count[2] = {c->n1, c->n0};
    if (rows == ROWS_ALL && !is_naive) {
        count[0] = n;
        count[1] = 0;
    } else if (!is_naive) {
        count[rows == ROWS_WITH ? 1 : 0] = 0;
    }
    for (int k = 0; k < 2; k++) {
        double mean = count[k] > 0 ? mean_of(y + first[k], count[k]) : 0.0;
        double weight = (is_naive && k == 1 ? -1.0 : 1.0) * f->n[ROWS_ALL] / (double)count[k];
        for (size_t i = first[k]; i < first[k] + count[k]; i++) {
            x[i] = weight * (y[i] - mean);
        }
    }
}

/* One-way analysis of variance of x over clusters: the deviation of a row and its intra-cluster
 * correlation, (σ_b² of clusters)/(σ_b² + σ_w²), moments (Donner and Koval 1980, doi:10.2307/2530491). */
static void analyse(struct regret_rate_trial_plan *p, struct influence *f, const double *x)
{
    double n = f->n[ROWS_ALL], n_clusters = (double)f->held[ROWS_ALL];
    const double *size = f->size[ROWS_ALL];
    double all = 0.0, between = 0.0, squared_sizes = 0.0;
    for (size_t i = 0; i < (size_t)n; i++) {
        f->sum[f->cluster[i]] += x[i];
        all += x[i] * x[i];
    }
    for (size_t g = 0; g < f->n_clusters; g++) {
        between += size[g] > 0.0 ? f->sum[g] * f->sum[g] / size[g] : 0.0;
        squared_sizes += size[g] * size[g];
    }
    if (n == n_clusters) {
        p->sd = sqrt(all / (n - 1.0));
        p->icc = NAN;
        return;
    }
    double msb = between / (n_clusters - 1.0), msw = (all - between) / (n - n_clusters);
    double usual = (n - squared_sizes / n) / (n_clusters - 1.0);
    double of_clusters = (msb - msw) / usual, total = fmax(0.0, of_clusters + msw);
    p->sd = sqrt(total);
    p->icc = total > 0.0 ? of_clusters / total : 0.0;
}

/* What the plan wants, once the pilot is known: `df` of its clusters. */
static void solve(struct regret_rate_trial_plan *p, double pooled_sd, double df,
                  const struct regret_rate_trial_plan_options *o)
{
    double unit = o->is_d ? pooled_sd : 1.0, m = p->rows_per_cluster;
    double wanted = unit * (o->detect > 0.0 ? o->detect : 0.5 * o->width);
    /* Half the width of an interval is t_{.975} se: what a power of one half would want. */
    double power = o->detect > 0.0 ? o->power : 0.5;
    double icc = p->icc > 0.0 ? p->icc : 0.0;
    p->design_effect = 1.0 + (m - 1.0) * icc;
    double sd = p->sd * sqrt(p->design_effect / m);
    p->clusters = regret_observations_needed(sd, wanted, SIZE, power, MOST_CLUSTERS);
    p->rows = (size_t)ceil((double)p->clusters * m - 1e-9);
    p->safe_clusters = regret_observations_needed(regret_deviation_bound(sd, df, SAFE), wanted,
                                                  SIZE, power, MOST_CLUSTERS);
}

struct planning {
    struct regret_rate_trial_plans *plans;
    const struct regret_rate_trial_plan_options *options;
};

static int visit(void *context, size_t k, const struct columns *c, const struct clusters *clusters,
                 const size_t *members, size_t n_members)
{
    const struct planning *planning = context;
    const struct regret_rate_trial_plan_options *o = planning->options;
    struct regret_rate_trial_plan *p = &planning->plans->plans[k];
    const struct regret_rate_estimate *e = &planning->plans->estimates[k];
    FREED_BY(influence_free) struct influence f = {0};
    FREED double *x = NULL;
    (void)members;
    *p =
        (struct regret_rate_trial_plan){.estimate = k, .sd = NAN, .icc = NAN, .design_effect = NAN};
    p->rows_per_cluster = NAN;
    p->missing = e->effects[o->effect].missing;
    p->missing = p->missing == NULL && o->is_d && !(e->pooled_sd > 0.0) ? NO_D : p->missing;
    if (p->missing != NULL) {
        return REGRET_OK;
    }
    TRY(influence_new(&f, c, clusters->matter ? clusters->of : NULL,
                      cluster_count(clusters, n_members)));
    TRY(REGRET_NEW(&x, e->n_used));
    fill_contributions(x, &f, c, o->effect);
    analyse(p, &f, x);
    p->rows_per_cluster =
        o->rows_per_cluster > 0.0 ? o->rows_per_cluster : f.n[ROWS_ALL] / (double)f.held[ROWS_ALL];
    p->missing = !isfinite(p->sd)                              ? MISSING_TOO_LARGE
                 : f.held[ROWS_ALL] < 2                        ? ONE_CLUSTER
                 : isnan(p->icc) && p->rows_per_cluster != 1.0 ? NO_ICC
                                                               : NULL;
    if (p->missing == NULL) {
        solve(p, e->pooled_sd, (double)f.held[ROWS_ALL] - 1.0, o);
    }
    return REGRET_OK;
}

int regret_rate_trial_plan(struct regret_rate_trial_plans *out, const struct regret_rate_rows *rows,
                           const struct regret_rate_trial_plan_options *options)
{
    const struct regret_rate_options how = {.clusters = options->clusters, .threads = 1};
    FREED_BY(regret_rate_trial_plans_free) struct regret_rate_trial_plans plans = {0};
    struct planning planning = {&plans, options};
    if (!(options->detect > 0.0 || options->width > 0.0)) {
        return regret_fail(REGRET_E_INPUT, "a plan wants an effect to detect, or a width of the "
                                           "interval, above 0");
    }
    if (!(options->power > 0.0 && options->power < 1.0)) {
        return regret_fail(REGRET_E_INPUT, "power is between 0 and 1, not %g", options->power);
    }
    TRY(regret_rate_estimate(&plans.estimates, &plans.n, rows, &how));
    TRY(REGRET_NEW(&plans.plans, plans.n));
    TRY(visit_estimates(rows, plans.estimates, plans.n, rows->cluster, rows->n_clusters,
                        options->clusters, visit, &planning));
    *out = plans;
    plans = (struct regret_rate_trial_plans){0};
    return REGRET_OK;
}

void regret_rate_trial_plans_free(struct regret_rate_trial_plans *plans)
{
    regret_free(plans->plans);
    regret_free(plans->estimates);
    *plans = (struct regret_rate_trial_plans){0};
}
