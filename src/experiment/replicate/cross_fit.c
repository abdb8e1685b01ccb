#include "experiment/replicate/cross_fit.h"

#include <math.h>
#include <stddef.h>

#include "base/core/clock.h"
#include "base/core/try.h"
#include "experiment/replicate/replicate.h"
#include "regret/alloc.h"
#include "regret/measure.h"
#include "results/row/row.h"

/* What one fold measures, and on how many contexts: of those held out for the regret those that take part in it; of
 * the reference ones, in the target population. */
struct fold {
    struct measures measures;
    double test, reference;
};

static double comparable(const struct setting *s)
{
    const struct regret_split *split = s->split.contexts;
    double n = 0.0;
    for (size_t i = 0; i < split->n_test; i++) {
        n += regret_is_comparable(s->task->target + split->test[i] * s->task->n_agents,
                                  s->task->n_agents);
    }
    return n;
}

static void effort_add(struct effort *sum, const struct effort *more)
{
    for (size_t s = 0; s < N_STAGES; s++) {
        sum->seconds[s] += more->seconds[s];
    }
    sum->solver.fits += more->solver.fits;
    sum->solver.steps += more->solver.steps;
    sum->solver.fallbacks += more->solver.fallbacks;
    sum->solver.error = fmax(sum->solver.error, more->solver.error);
}

static int run_fold(struct fold *out, struct details *details, struct effort *effort,
                    const struct replicate_source *from, const struct replicate_place *at)
{
    struct replicate *r = NULL;
    int rc = REGRET_OK;
    TRY(replicate_run(&r, from, at));
    double start = clock_seconds();
    if (r->setting.config.details) {
        rc = details_add(details, r);
    }
    r->effort.seconds[STAGE_MEASURE] += clock_seconds() - start;
    const struct regret_split *split = r->setting.split.contexts;
    *out =
        (struct fold){r->measures, comparable(&r->setting),
                      population_of(r->setting.population, split->reference, split->n_reference)};
    effort_add(effort, &r->effort);
    replicate_free(r);
    return rc;
}

/* How a number of the folds becomes one of the row. */
enum summary { OVER_TEST, OVER_REFERENCE, OVER_FOLDS, MOST_FREQUENT, NOT_JOINED };

static enum summary summary_of(enum regret_measure m)
{
    int by_mean = 0;
    if (row_tuned_symbol(m, &by_mean) != NULL) {
        return by_mean ? OVER_FOLDS : MOST_FREQUENT;
    }
    switch (m) {
    case REGRET_MEASURE_TOP1:
    case REGRET_MEASURE_TOP3:
    case REGRET_MEASURE_SPEARMAN:
    case REGRET_MEASURE_KENDALL:
    case REGRET_MEASURE_DM_RMSE:
    case REGRET_MEASURE_DR_RMSE:
    case REGRET_MEASURE_SNDR_RMSE:
        return OVER_REFERENCE;
    case REGRET_MEASURE_POLICY_IPS: /* folds share their training contexts */
    case REGRET_MEASURE_POLICY_DR:
    case REGRET_MEASURE_POLICY_DR_HALF:
        return NOT_JOINED;
    default:
        return OVER_TEST;
    }
}

static double mean_of(const struct fold *fold, const double *x, size_t n, enum summary how)
{
    double sum = 0.0, weight = 0.0;
    for (size_t k = 0; k < n; k++) {
        double w = how == OVER_TEST        ? fold[k].test
                   : how == OVER_REFERENCE ? fold[k].reference
                                           : 1.0;
        if (!isnan(x[k])) {
            sum += w * x[k];
            weight += w;
        }
    }
    return weight > 0.0 ? sum / weight : NAN;
}

static double most_frequent(const double *x, size_t n)
{
    double best = NAN;
    size_t most = 0;
    for (size_t k = 0; k < n; k++) {
        size_t times = 0;
        for (size_t j = 0; j < n; j++) {
            times += x[j] == x[k];
        }
        if (times > most) {
            most = times;
            best = x[k];
        }
    }
    return best;
}

/* `x` is room for a number of each fold. */
static void join_family(struct family_measures *out, const struct fold *fold, size_t n,
                        size_t family, double *x)
{
    /* A mean over some of the folds would be about other contexts than those of the other families. */
    for (size_t k = 0; k < n; k++) {
        if (fold[k].measures.family[family].failure.word != NULL) {
            *out = fold[k].measures.family[family];
            return;
        }
    }
    for (size_t m = 0; m < REGRET_N_MEASURES; m++) {
        for (size_t k = 0; k < n; k++) {
            x[k] = fold[k].measures.family[family].measure[m];
        }
        enum summary how = summary_of((enum regret_measure)m);
        out->measure[m] = how == NOT_JOINED      ? NAN
                          : how == MOST_FREQUENT ? most_frequent(x, n)
                                                 : mean_of(fold, x, n, how);
    }
    for (size_t m = 0; m < REGRET_N_LEAK; m++) {
        for (size_t k = 0; k < n; k++) {
            x[k] = fold[k].measures.family[family].leak[m];
        }
        out->leak[m] = mean_of(fold, x, n, OVER_TEST);
    }
    for (size_t k = 0; k < n; k++) {
        x[k] = fold[k].measures.family[family].basis;
    }
    out->basis = (int)most_frequent(x, n);
    for (size_t k = 0; k < n; k++) {
        x[k] = fold[k].measures.family[family].cv_mode;
    }
    out->cv_mode = (int)most_frequent(x, n);
}

/* `count` numbers at `offset` of struct measures, each over the contexts of the regret. */
static void join_numbers(struct measures *out, const struct fold *fold, size_t n, size_t offset,
                         size_t count, double *x)
{
    double *to = (double *)((char *)out + offset);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < n; k++) {
            x[k] = ((const double *)((const char *)&fold[k].measures + offset))[i];
        }
        to[i] = mean_of(fold, x, n, OVER_TEST);
    }
}

static void join(struct measures *out, const struct fold *fold, size_t n, double *x)
{
    _Static_assert(offsetof(struct measures, fit_r2_clipped) + sizeof out->fit_r2_clipped ==
                       sizeof *out,
                   "what struct measures holds besides is joined here, too");
    *out = fold[0].measures;
    for (size_t i = 0; i < out->n_families; i++) {
        join_family(&out->family[i], fold, n, i, x);
    }
    join_numbers(out, fold, n, offsetof(struct measures, baseline_regret), out->baselines.n, x);
    for (size_t i = 0; i < out->baselines.n * MEASURED_POLICY; i++) {
        out->baseline_policy[i] = NAN;
    }
    join_numbers(out, fold, n, offsetof(struct measures, fit_r2), out->n_fits, x);
    join_numbers(out, fold, n, offsetof(struct measures, fit_r2_clipped), out->n_fits, x);
}

int cross_fit(struct measures *out, struct details *details, struct effort *effort,
              const struct replicate_source *from, size_t cell, uint64_t seed)
{
    struct regret_config config;
    FREED struct fold *fold = NULL;
    FREED double *x = NULL;
    regret_run_plan_cell(&config, from->plan, cell);
    size_t n = context_folds(&config, run_inputs_features(from->inputs, cell)->grid);
    TRY(REGRET_NEW(&fold, n));
    TRY(REGRET_NEW(&x, n));
    for (size_t k = 0; k < n; k++) {
        const struct replicate_place at = {cell, seed, k, 0};
        TRY(run_fold(&fold[k], details, effort, from, &at));
    }
    details_finish(details);
    if (n == 1) {
        *out = fold[0].measures; /* as they are: a mean of one may differ in the last bit */
    } else {
        join(out, fold, n, x);
    }
    return REGRET_OK;
}
