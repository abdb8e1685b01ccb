#include "report/internal.h"

#include <cJSON.h>
#include <math.h>

#include "base/random.h"
#include "base/status.h"
#include "regret/experiment.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"

double pair_deviation(const struct family_pair *pair)
{
    return pair->moments.se * sqrt((double)pair->moments.n);
}

double detectable_with(double deviation, size_t seeds)
{
    return seeds < 2
               ? NAN
               : regret_detectable_difference(deviation / sqrt((double)seeds), (double)(seeds - 1),
                                              DETECTABLE_SIZE, DETECTABLE_POWER);
}

/* Those of a mean regret, the lowest first; equals keep the run's order. */
static size_t order_families(size_t *out, const struct slice *s, const struct ranking *ranking)
{
    size_t n = 0;
    for (size_t i = 0; i < ranking->n; i++) {
        double mean = slice_estimate(s, REGRET_MEASURE_REGRET, ranking->families[i]).mean;
        size_t j = n;
        if (!isfinite(mean)) {
            continue;
        }
        for (; j > 0 && mean < slice_estimate(s, REGRET_MEASURE_REGRET, out[j - 1]).mean; j--) {
            out[j] = out[j - 1];
        }
        out[j] = ranking->families[i];
        n++;
    }
    return n;
}

/* The pair of two families; `d` is room for a number of each seed. */
static struct family_pair pair_of(double *d, const struct slice *s, size_t a, size_t b)
{
    const enum regret_measure regret = REGRET_MEASURE_REGRET;
    size_t seeds = 0;
    slice_differences(d, &seeds, s, regret, a, regret, b);
    return (struct family_pair){a, b, paired_moments(d, seeds)};
}

int family_pairs(struct family_pair **out, size_t *n, const struct slice *s,
                 const struct ranking *ranking)
{
    FREED struct family_pair *pairs = NULL;
    size_t made = 0;
    FREED size_t *order = NULL;
    FREED double *d = NULL;
    TRY(REGRET_NEW(&order, ranking->n));
    TRY(REGRET_NEW(&d, s->r->n_seeds));
    TRY(REGRET_NEW(&pairs, ranking->n * ranking->n));
    size_t families = order_families(order, s, ranking);
    for (size_t i = 0; i < families; i++) {
        for (size_t j = i + 1; j < families; j++) {
            pairs[made++] = pair_of(d, s, order[i], order[j]);
        }
    }
    *out = pairs;
    *n = made;
    pairs = NULL;
    return REGRET_OK;
}

/* What a run will be able to show, by the variance of a pilot. */

/* What a pilot says of its pairs of families, and that sorted. */
struct scheme_pairs {
    const struct regret_power_scheme *scheme;
    struct family_pair *pair; /* [n], of the ranked families; the first is best and second */
    size_t n, seeds;          /* seeds of the pilot that have every cell */
    double *deviation;        /* [n] of the paired differences over seeds, ascending */
};

static int read_pairs(struct scheme_pairs *out, const struct regret_power_scheme *scheme)
{
    FREED_BY(table_data_free) struct table_data d = {0};
    out->scheme = scheme;
    TRY(table_data_make(&d, scheme->pilot));
    const struct ranking ranking = {scheme->pilot, d.ranked, d.n_ranked};
    TRY(family_pairs(&out->pair, &out->n, &d.all, &ranking));
    if (out->n == 0) {
        return regret_fail(
            REGRET_E_INPUT,
            "the pilot has %zu ranked famil%s with rows, and a difference needs two; "
            "see \"families\"",
            d.n_ranked, d.n_ranked == 1 ? "y" : "ies");
    }
    TRY(REGRET_NEW(&out->deviation, out->n));
    out->seeds = out->pair[0].moments.n;
    for (size_t i = 0; i < out->n; i++) {
        out->deviation[i] = pair_deviation(&out->pair[i]);
        out->seeds = out->pair[i].moments.n < out->seeds ? out->pair[i].moments.n : out->seeds;
    }
    if (out->seeds < 2) {
        return regret_fail(REGRET_E_INPUT,
                           "the pilot has %zu seed%s with every cell, which tells nothing of how "
                           "differences scatter; give it two at least, better five or more",
                           out->seeds, out->seeds == 1 ? "" : "s");
    }
    regret_sort_numbers(out->deviation, out->n);
    return REGRET_OK;
}

/* NaN where no number of seeds that a run may have is enough. */
static double seeds_for(double deviation, double difference)
{
    size_t n = regret_observations_needed(deviation, difference, DETECTABLE_SIZE, DETECTABLE_POWER,
                                          REGRET_MAX_SEEDS);
    return n > 0 ? (double)n : NAN;
}

/* Processor hours of the run with that many seeds. */
static double hours(const struct regret_power_plan *plan, const struct regret_power_scheme *scheme,
                    double seeds)
{
    return (plan->setup_seconds + seeds * (double)plan->cells * scheme->replicate_seconds) / 3600.0;
}

/* Hours are told by significant digits: they go from seconds to months. */
static void put_hours(struct table *t, double x)
{
    table_cell(t, NULL, x, NAN, 2, TABLE_NUMBER | TABLE_SIGNIFICANT);
}

static double safe_deviation(double deviation, size_t seeds)
{
    return regret_deviation_bound(deviation, (double)(seeds - 1), DETECTABLE_POWER);
}

enum { DECIMALS = 4 };

static void put_pairs(struct table *t, const struct regret_power_plan *plan,
                      const struct scheme_pairs *s)
{
    const struct regret_results *r = s->scheme->pilot;
    table_block(t, "%s: differences of regret in the pilot of %zu seeds, mean over %zu cell%s",
                s->scheme->name, s->seeds, r->n_cells, r->n_cells == 1 ? "" : "s");
    table_column(t, "Better − worse");
    table_column(t, "Difference ± SE");
    table_column(t, "Deviation over seeds");
    table_column(t, "Detectable with %zu seeds", plan->seeds);
    if (plan->difference > 0.0) {
        table_column(t, "Seeds for %g", plan->difference);
        table_column(t, "Seeds, to be safe");
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct family_pair *p = &s->pair[i];
        double deviation = pair_deviation(p);
        table_row(t, "%s − %s", r->subjects[p->a].name, r->subjects[p->b].name);
        table_signed_estimate(t, p->moments.mean, p->moments.se, DECIMALS);
        table_number(t, deviation, DECIMALS);
        table_number(t, detectable_with(deviation, plan->seeds), DECIMALS);
        if (plan->difference > 0.0) {
            table_number(t, seeds_for(deviation, plan->difference), 0);
            table_number(t, seeds_for(safe_deviation(deviation, p->moments.n), plan->difference),
                         0);
        }
    }
}

static void put_needs(struct table *t, const struct regret_power_plan *plan,
                      const struct scheme_pairs *s)
{
    static const char *const targets[] = {"best and second", "half of the pairs", "every pair"};
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there are as many as pairs */
    const double deviations[] = {pair_deviation(&s->pair[0]), s->deviation[(s->n - 1) / 2],
                                 s->deviation[s->n - 1]};
    for (size_t i = 0; i < sizeof deviations / sizeof *deviations; i++) {
        double seeds = seeds_for(deviations[i], plan->difference);
        double safe = seeds_for(safe_deviation(deviations[i], s->seeds), plan->difference);
        table_row(t, "%s: %s", s->scheme->name, targets[i]);
        table_number(t, seeds, 0);
        put_hours(t, hours(plan, s->scheme, seeds));
        table_number(t, safe, 0);
        put_hours(t, hours(plan, s->scheme, safe));
    }
}

static void put_all_needs(struct table *t, const struct regret_power_plan *plan,
                          const struct scheme_pairs *schemes)
{
    table_block(t, "What a difference of %g needs", plan->difference);
    TABLE_HEADS(t, "To find it", "Seeds", "Hours", "Seeds, to be safe", "Hours, to be safe");
    for (size_t k = 0; k < plan->n_schemes; k++) {
        put_needs(t, plan, &schemes[k]);
    }
}

static void put_seeds(struct table *t, const struct regret_power_plan *plan,
                      const struct scheme_pairs *s)
{
    static const size_t usual[] = {5, 10, 20, 30, 50, 100, 200};
    table_block(t, "%s: least detectable difference by seeds", s->scheme->name);
    TABLE_HEADS(t, "Seeds", "Best and second", "Median of the pairs", "Largest of the pairs",
                "Hours");
    size_t next = 0;
    for (int own = 0; next < sizeof usual / sizeof *usual || !own;) {
        int at_end = next == sizeof usual / sizeof *usual;
        int is_own = !own && (at_end || plan->seeds <= usual[next]);
        size_t seeds = is_own ? plan->seeds : usual[next];
        next += !at_end && seeds == usual[next];
        own |= is_own;
        table_row(t, is_own ? "%zu (planned)" : "%zu", seeds);
        table_number(t, detectable_with(pair_deviation(&s->pair[0]), seeds), DECIMALS);
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there are as many as pairs */
        table_number(t, detectable_with(s->deviation[(s->n - 1) / 2], seeds), DECIMALS);
        table_number(t, detectable_with(s->deviation[s->n - 1], seeds), DECIMALS);
        put_hours(t, hours(plan, s->scheme, (double)seeds));
    }
}

/* The median over pairs of how much of the first scheme's variance the second has. */
static int note_trade(struct table *t, const struct scheme_pairs *one,
                      const struct scheme_pairs *other)
{
    double *share = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&share, one->n));
    for (size_t i = 0; i < one->n; i++) {
        for (size_t j = 0; j < other->n; j++) {
            const struct family_pair *p = &one->pair[i], *q = &other->pair[j];
            int same = (p->a == q->a && p->b == q->b) || (p->a == q->b && p->b == q->a);
            if (same && p->moments.se > 0.0) {
                share[n++] = pow(pair_deviation(q) / pair_deviation(p), 2.0);
            }
        }
    }
    if (n > 0) {
        regret_sort_numbers(share, n);
        double variance = regret_quantile(share, n, 0.5);
        double time = other->scheme->replicate_seconds / one->scheme->replicate_seconds;
        /* The deviation of the logarithm of a variance of n normal numbers is about the root of
         * 2 / (n - 1); pairs of families scatter together, so that their median is no better. */
        double spread = sqrt(2.0 / (double)(one->seeds - 1) + 2.0 / (double)(other->seeds - 1));
        table_note(
            t,
            "A seed of \"%s\" has %.2f of the variance of one of \"%s\" (median over pairs) "
            "and takes %.1f times as long: an hour of it is worth %.2f hours of the other. By "
            "pilots of %zu and %zu seeds that is known within a factor of %.1f (80 %% interval).",
            other->scheme->name, variance, one->scheme->name, time, 1.0 / (variance * time),
            one->seeds, other->seeds, exp(regret_student_quantile(0.9, INFINITY) * spread));
    }
    regret_free(share);
    return REGRET_OK;
}

static void note_meaning(struct table *t, const struct regret_power_plan *plan,
                         const struct scheme_pairs *s)
{
    double bound = safe_deviation(1.0, s->seeds);
    table_note(t, "Two-sided t test of paired differences at 5 %%, power 80 %%; seeds are the "
                  "replicates, cells of a seed are averaged. One cell alone scatters more.");
    table_note(t,
               "A pilot of %zu seeds knows deviations roughly: \"to be safe\" plans with the upper "
               "end of their one-sided 80 %% interval, %.2f times the deviation and so about %.1f "
               "times the seeds.",
               s->seeds, bound, bound * bound);
    table_note(
        t, "Contexts: with twice as many, a seed holds out twice as many, and needs are between "
           "half of these seeds (if differences scatter by which contexts are held out) and all "
           "of them (if by the draws).");
    table_note(t,
               "Hours are of a processor, for %zu cells, set-up included; divide by the threads. "
               "\"–\": more than %d seeds.",
               plan->cells, REGRET_MAX_SEEDS);
}

static int put_plan(struct table *t, const struct regret_power_plan *plan,
                    struct scheme_pairs *schemes)
{
    table_begin(t, "power", "What %s can show%s", plan->config,
                plan->scheme[0].pilot->run.synthetic ? " (SYNTHETIC data)" : "");
    for (size_t k = 0; k < plan->n_schemes; k++) {
        TRY(read_pairs(&schemes[k], &plan->scheme[k]));
    }
    if (plan->difference > 0.0) {
        put_all_needs(t, plan, schemes);
    }
    for (size_t k = 0; k < plan->n_schemes; k++) {
        put_seeds(t, plan, &schemes[k]);
    }
    for (size_t k = 0; k < plan->n_schemes; k++) {
        put_pairs(t, plan, &schemes[k]);
    }
    if (plan->n_schemes > 1) {
        TRY(note_trade(t, &schemes[0], &schemes[1]));
    }
    note_meaning(t, plan, &schemes[0]);
    return REGRET_OK;
}

int regret_report_power(struct regret_buffer *out, const struct regret_power_plan *plan,
                        enum regret_format format)
{
    struct scheme_pairs schemes[sizeof plan->scheme / sizeof *plan->scheme] = {{0}};
    struct table t = {0};
    int rc = render_made(out, &t, put_plan(&t, plan, schemes), format);
    for (size_t k = 0; k < plan->n_schemes; k++) {
        regret_free(schemes[k].pair);
        regret_free(schemes[k].deviation);
    }
    return rc;
}
