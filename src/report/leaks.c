#include "report/leaks.h"

#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "regret/estimate.h"
#include "regret/results.h"
#include "stats/distributions.h"

/* What is too unlikely of errors that cancel, whose probability is far too large for most honest families, and of less
 * error on held-out contexts; how much less that must be; and what part of the least error of the families here
 * nobody is thought to reach. */
static const double CANCEL = 0.05, UNLIKELY = 0.001, EASIER = 0.1, SMALL_PART = 0.05;

/* A mean of what is finite. */
struct mean {
    double sum, n;
};

static void add(struct mean *m, double x)
{
    m->sum += isfinite(x) ? x : 0.0;
    m->n += isfinite(x);
}

static double mean_of(const struct mean *m)
{
    return m->n > 0.0 ? m->sum / m->n : NAN;
}

static double least_error(const struct regret_results *r)
{
    double least = NAN;
    for (size_t f = 0; f < r->n_families; f++) {
        struct mean error = {0};
        for (size_t i = 0; i < r->n_rows && r->subjects[f].external == NULL; i++) {
            double rmse = r->measure[REGRET_MEASURE_RMSE][i];
            add(&error, r->row_subject[i] == f ? rmse * rmse : NAN);
        }
        least = fmin(least, mean_of(&error)); /* of a NaN and a number the number */
    }
    return least;
}

/* Of one tag left out, the training contexts are of other kinds and may be the harder ones. */
static int splits_alike(const struct regret_run_facts *run)
{
    const cJSON *split = cJSON_GetObjectItemCaseSensitive(run->config, "contexts.split");
    return cJSON_IsString(split) && strcmp(split->valuestring, "leave-one-tag-out") != 0;
}

/* One-sided, of the differences of the seeds. */
static double student_below(double sum, double squares, double n)
{
    if (n < 2.0) {
        return NAN;
    }
    double mean = sum / n, variance = fmax(0.0, squares - n * mean * mean) / (n - 1.0);
    return variance > 0.0 ? regret_student_cdf(mean / sqrt(variance / n), n - 1.0)
                          : (mean < 0.0 ? 0.0 : 1.0);
}

struct leak_evidence leak_evidence(const struct regret_results *r, size_t subject)
{
    struct mean probability = {0}, trained = {0}, held_out = {0};
    double sum = 0.0, squares = 0.0, n = 0.0;
    for (size_t s = 0; s < r->n_seeds; s++) {
        struct mean difference = {0};
        for (size_t c = 0; c < r->n_cells; c++) {
            struct regret_list_view leak = regret_results_list(r, REGRET_LIST_LEAK, subject, c, s);
            if (leak.n == REGRET_N_LEAK) {
                const double *x = leak.number;
                add(&probability, x[REGRET_LEAK_PROBABILITY]);
                add(&trained, x[REGRET_LEAK_TRAINED]);
                add(&held_out, x[REGRET_LEAK_HELD_OUT]);
                add(&difference, x[REGRET_LEAK_HELD_OUT] - x[REGRET_LEAK_TRAINED]);
            }
        }
        if (difference.n > 0.0) {
            double d = mean_of(&difference);
            sum += d;
            squares += d * d;
            n += 1.0;
        }
    }
    double twice = 2.0 * mean_of(&probability);
    return (struct leak_evidence){.probability = twice > 1.0 ? 1.0 : twice,
                                  .trained = mean_of(&trained),
                                  .held_out = mean_of(&held_out),
                                  .easier =
                                      splits_alike(&r->run) ? student_below(sum, squares, n) : NAN,
                                  .best = least_error(r)};
}

static int errors_cancel(const struct leak_evidence *e)
{
    return e->probability < CANCEL;
}

static int is_easier(const struct leak_evidence *e)
{
    return e->easier < UNLIKELY && e->held_out < (1.0 - EASIER) * e->trained;
}

static int is_too_good(const struct leak_evidence *e)
{
    return e->held_out < SMALL_PART * e->best;
}

int leak_is_likely(const struct leak_evidence *e)
{
    return errors_cancel(e) || is_easier(e) || is_too_good(e);
}

int leak_is_unknown(const struct leak_evidence *e)
{
    return isnan(e->probability) && !isnan(e->held_out);
}

static void put_reasons(struct regret_buffer *out, const struct leak_evidence *e)
{
    const char *separator = "";
    if (errors_cancel(e)) {
        regret_buffer_printf(out,
                             "its errors cancel over training and held-out contexts together, "
                             "which those of one that has not do with a probability of %.1g",
                             e->probability);
        separator = ", and ";
    }
    if (is_easier(e)) {
        regret_buffer_printf(out,
                             "%sits mean squared error is %.2g on held-out contexts and %.2g on "
                             "those it may learn from",
                             separator, e->held_out, e->trained);
        separator = ", and ";
    }
    if (is_too_good(e)) {
        regret_buffer_printf(out,
                             "%sits mean squared error on held-out contexts, %.2g, is less than a "
                             "twentieth of that of any family of the program, %.2g",
                             separator, e->held_out, e->best);
    }
}

static void put_family(struct regret_buffer *out, const struct regret_subject *subject,
                       const struct leak_evidence *e)
{
    const char *gap = out->length > 0 ? " " : "";
    if (leak_is_likely(e)) {
        regret_buffer_printf(out, "%sCAUTION: ", gap);
        regret_buffer_append_safe(out, subject->name, REGRET_FAMILY_NAME_SIZE);
        regret_buffer_append(out, " seems to have seen the scores that were held out: ");
        put_reasons(out, e);
        regret_buffer_append(out, ". Its place says nothing until that is explained.");
    } else if (leak_is_unknown(e)) {
        regret_buffer_append(out, gap);
        regret_buffer_append_safe(out, subject->name, REGRET_FAMILY_NAME_SIZE);
        regret_buffer_append(out, " predicts no training pairs, so that nothing shows whether it "
                                  "has seen what was held out.");
    }
}

void leak_caution(struct regret_buffer *out, const struct regret_results *r)
{
    for (size_t f = 0; f < r->n_families; f++) {
        if (r->subjects[f].external != NULL) {
            const struct leak_evidence evidence = leak_evidence(r, f);
            put_family(out, &r->subjects[f], &evidence);
        }
    }
}
