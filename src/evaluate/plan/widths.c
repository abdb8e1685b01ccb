#include "evaluate/plan/widths.h"

#include <math.h>

#include "regret/power.h"
#include "regret/student.h"

static const double POWER = 0.8;

struct widths widths_make(const struct pilot *p, const double *share, const double *safe,
                          size_t reference, double level)
{
    struct widths w = {p, share, safe, reference, level, .value = -1.0, .difference = -1.0};
    for (size_t a = 0; a < p->n_agents; a++) {
        double value = pilot_value_variance(p, share, NULL, a);
        double difference = pilot_difference_variance(p, share, NULL, a, reference);
        double at_safe_side = pilot_difference_variance(p, share, safe, a, reference);
        w.difference_safe = fmax(w.difference_safe, at_safe_side);
        if (value > w.value) {
            w.value = value;
            w.value_agent = a;
        }
        if (a != reference && difference > w.difference) {
            w.difference = difference;
            w.difference_agent = a;
        }
    }
    return w;
}

/* Clusters in which the agent has rows, less one: rows of one agent in a cluster are few as long as there are clusters enough. */
static double own_freedom(const struct pilot *p, const double *share, size_t a, double n)
{
    double rows = n * share[a], clusters = n;
    if (p->n_rows > 0) {
        clusters *= (double)p->n_clusters / (double)p->n_rows;
    }
    return fmax(1.0, fmin(rows, clusters) - 1.0);
}

/* Of an agent's rows or those of two: clusters less one, by Welch (1947). */
static double widths_freedom(const struct pilot *p, const double *share, size_t a, size_t b,
                             size_t n)
{
    double of_a = own_freedom(p, share, a, (double)n), of_b = own_freedom(p, share, b, (double)n);
    double v = pilot_value_variance(p, share, NULL, a), w = pilot_value_variance(p, share, NULL, b);
    if (a == b || !(v + w > 0.0)) {
        return fmin(of_a, of_b);
    }
    return (v + w) * (v + w) / (v * v / of_a + w * w / of_b);
}

/* Of all differences together by Bonferroni's inequality. */
static double simultaneous_level(const struct widths *w)
{
    size_t differences = w->pilot->n_agents - 1;
    return 1.0 - (1.0 - w->level) / (double)differences;
}

static double half_width(double variance, double level, double df, size_t n)
{
    return regret_student_quantile(0.5 + 0.5 * level, df) * sqrt(variance / (double)n);
}

static double simultaneous(const struct widths *w, double variance, size_t n)
{
    double df = widths_freedom(w->pilot, w->share, w->difference_agent, w->reference, n);
    return half_width(variance, simultaneous_level(w), df, n);
}

double widths_simultaneous(const void *context, size_t n)
{
    const struct widths *w = context;
    return simultaneous(w, w->difference, n);
}

double widths_simultaneous_safe(const void *context, size_t n)
{
    const struct widths *w = context;
    return simultaneous(w, w->difference_safe, n);
}

double widths_detectable(const void *context, size_t n)
{
    const struct widths_pair *p = context;
    const struct widths *w = p->w;
    double v = pilot_difference_variance(w->pilot, w->share, p->safe, p->agent, w->reference);
    double df = widths_freedom(w->pilot, w->share, p->agent, w->reference, n);
    return regret_detectable_difference(sqrt(v / (double)n), df, 1.0 - simultaneous_level(w),
                                        POWER);
}

struct regret_trial_width widths_at(const struct widths *w, size_t n)
{
    const struct widths_pair widest = {w, w->difference_agent, NULL};
    double df = widths_freedom(w->pilot, w->share, w->value_agent, w->value_agent, n);
    double pair = widths_freedom(w->pilot, w->share, w->difference_agent, w->reference, n);
    return (struct regret_trial_width){.n = n,
                                       .value = half_width(w->value, w->level, df, n),
                                       .difference = half_width(w->difference, w->level, pair, n),
                                       .simultaneous = widths_simultaneous(w, n),
                                       .safe = widths_simultaneous_safe(w, n),
                                       .detectable = widths_detectable(&widest, n)};
}

size_t widths_needed(width_of_rows *width, const void *context, double target)
{
    const size_t most = (size_t)1 << 40;
    size_t low = 1, high = 2; /* low is too few */
    if (!(target > 0.0)) {
        return 0;
    }
    while (high < most && !(width(context, high) <= target)) {
        low = high;
        high *= 2;
    }
    if (!(width(context, high) <= target)) {
        return 0;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (width(context, middle) <= target) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}
