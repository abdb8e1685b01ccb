/* Drift over time. */
#include <math.h>

#include "base/status.h"
#include "evaluate/clusters.h"
#include "evaluate/differences.h"
#include "evaluate/internal.h"
#include "regret/status.h"

/* Changes below this part of the outcome's range, or this share of rows, are told but are no "no". */
static const double material = 0.01;
enum { LEAST_COUNT = 20 /* rows of a kind whose share is looked at */ };
enum stream { STREAM_OBS = 16, STREAM_EXP, STREAM_GAP };

/* Places in time of the rows of a source, those outside of [low, high] left out; NULL where it has no times. */
static int places(double **out, const struct regret_log_rows *rows, double low, double high)
{
    FREED_BY(time_order_free) struct time_order order = {0};
    FREED double *times = NULL;
    if (!rows->time) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&times, rows->n));
    for (size_t i = 0; i < rows->n; i++) {
        times[i] = rows->time[i] >= low && rows->time[i] <= high ? rows->time[i] : NAN;
    }
    TRY(time_order_build(&order, times, rows->n));
    for (size_t i = 0; i < rows->n; i++) {
        times[i] = time_place(&order, times[i]);
    }
    *out = times;
    times = NULL;
    return REGRET_OK;
}

/* The change of one agent, or of all together, whichever is clearer, and the test of both. */
struct change {
    size_t agent; /* n: all together */
    int is_there; /* 0: nothing can be tested */
    double value, error, critical, p;
};

/* The mean of changes by their precisions, with its error; agents of one cluster may move together. */
static void pool(double *value, double *error, const double *each, const double *errors,
                 const double *covariance, size_t n)
{
    double weights = 0.0, sum = 0.0, together = 0.0;
    for (size_t k = 0; k < n; k++) {
        if (errors[k] > 0.0) {
            double w = 1.0 / (errors[k] * errors[k]);
            weights += w;
            sum += w * each[k];
        }
        for (size_t l = 0; covariance && errors[k] > 0.0 && l < k; l++) {
            if (errors[l] > 0.0) {
                together +=
                    2.0 * covariance[l * n + k] / (errors[k] * errors[k] * errors[l] * errors[l]);
            }
        }
    }
    *value = sum / weights;
    *error = sqrt(weights + fmax(together, 0.0)) / weights;
}

static int test_agents(struct joint_answer *out, const struct asked *a, const double *value,
                       const double *error, const double *covariance, enum stream stream)
{
    size_t n = a->log->n_agents;
    FREED double *z = NULL;
    TRY(REGRET_NEW(&z, n));
    for (size_t k = 0; k < n; k++) {
        z[k] = error[k] > 0.0 ? value[k] / error[k] : NAN;
    }
    return joint_test(out, NULL,
                      &(struct joint){.z = z,
                                      .covariance = covariance,
                                      .n = n,
                                      .draws = a->options->resamples,
                                      .seed = a->options->seed,
                                      .stream = stream,
                                      .level = a->options->level});
}

static int test(struct change *out, const struct asked *a, const double *value, const double *error,
                const double *covariance, enum stream stream)
{
    struct joint_answer answer;
    size_t n = a->log->n_agents;
    *out = (struct change){.agent = n};
    TRY(test_agents(&answer, a, value, error, covariance, stream));
    if (answer.largest == n) {
        return REGRET_OK;
    }
    pool(&out->value, &out->error, value, error, covariance, n);
    double together = normal_two_sided(out->value / out->error);
    out->is_there = 1;
    out->critical = normal_of_two_sided(1.0 - a->options->level);
    out->p = fmin(1.0, 2.0 * fmin(together, answer.p));
    if (answer.p < together) {
        out->agent = answer.largest;
        out->value = value[answer.largest];
        out->error = error[answer.largest];
        out->critical = answer.critical;
    }
    return REGRET_OK;
}

static void tell_change(struct findings *f, const struct asked *a, const struct change *c,
                        const char *name, const char *what, const char *fine,
                        const char *found_first, const char *found_last)
{
    if (!c->is_there) {
        return;
    }
    struct finding *found = findings_add(f, name, what);
    set_gap(found, a->log, c->value, c->value - c->critical * c->error,
            c->value + c->critical * c->error);
    found->p = c->p;
    if (fabs(c->value) < material) {
        found->most = REGRET_DIAGNOSTIC_CAUTION;
    }
    regret_buffer_append(&found->fine, fine);
    regret_buffer_append(&found->found, found_first);
    struct regret_buffer *both[] = {&found->fine, &found->found};
    for (size_t i = 0; i < 2; i++) {
        if (c->agent < a->log->n_agents) {
            say_agent(both[i], a->log, c->agent);
        } else {
            regret_buffer_append(both[i], "all agents together");
        }
        regret_buffer_printf(both[i], ", %+.3f from first to last (%+.3f to %+.3f).", found->value,
                             found->low, found->high);
    }
    regret_buffer_append(&found->found, found_last);
}

/* Tests slopes of a source, or of OBS less those of EXP where `source` is neither. */
static int test_slopes(struct change *out, const struct asked *a, const struct slopes *s,
                       size_t source, enum stream stream)
{
    size_t n = a->log->n_agents;
    FREED double *value = NULL, *error = NULL;
    TRY(REGRET_NEW(&value, n));
    TRY(REGRET_NEW(&error, n));
    for (size_t k = 0; k < n; k++) {
        const struct slope *one = &s->at[k];
        if (source < REGRET_LOG_SOURCES) {
            value[k] = one->value[source];
            error[k] = one->error[source];
        } else {
            value[k] = one->value[REGRET_LOG_OBS] - one->value[REGRET_LOG_EXP];
            error[k] = hypot(one->error[REGRET_LOG_OBS], one->error[REGRET_LOG_EXP]);
        }
    }
    return test(out, a, value, error, s->covariance, stream);
}

static int ask_outcome(struct findings *f, const struct asked *a, const double *place,
                       enum regret_log_source source)
{
    const double *const one[] = {source == REGRET_LOG_OBS ? place : NULL,
                                 source == REGRET_LOG_EXP ? place : NULL};
    FREED_BY(slopes_free) struct slopes slopes = {0};
    struct change change;
    int is_obs = source == REGRET_LOG_OBS;
    TRY(slopes_build(&slopes, a->log, a->order, one));
    TRY(test_slopes(&change, a, &slopes, source, is_obs ? STREAM_OBS : STREAM_EXP));
    tell_change(
        f, a, &change, is_obs ? "drift.obs" : "drift.exp",
        "change of the mean outcome from first row to last, of the clearest agent or of all "
        "together",
        is_obs ? "Outcomes of OBS do not move visibly with time; the clearest: "
               : "Outcomes of EXP do not move visibly with time; the clearest: ",
        is_obs ? "Outcomes of OBS move with time: " : "Outcomes of EXP move with time: ",
        " What held then need not hold now: use the latest rows, or make time a covariate.");
    return REGRET_OK;
}

/* First and last time of a source. */
static void find_range(double *low, double *high, const struct regret_log_rows *rows)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < rows->n; i++) {
        *low = fmin(*low, rows->time[i]);
        *high = fmax(*high, rows->time[i]);
    }
}

static int ask_gap_over_time(struct findings *f, const struct asked *a)
{
    const struct regret_log_rows *obs = &a->log->rows[REGRET_LOG_OBS],
                                 *exp = &a->log->rows[REGRET_LOG_EXP];
    double low[2], high[2], *place[2] = {NULL, NULL};
    struct slopes slopes = {0};
    struct change change;
    int rc;
    if (!obs->time || !exp->time) {
        return REGRET_OK;
    }
    find_range(&low[0], &high[0], obs);
    find_range(&low[1], &high[1], exp);
    double from = fmax(low[0], low[1]), to = fmin(high[0], high[1]);
    if (!(from < to)) {
        struct finding *found = findings_add(f, "drift.gap", "seconds between log and trial");
        found->value = fmax(low[0], low[1]) - fmin(high[0], high[1]);
        regret_buffer_append(&found->fine, "OBS and EXP do not overlap in time: a gap between them "
                                           "may be a change over time as well as a log that lies.");
        return REGRET_OK;
    }
    TRY_CLEANUP(places(&place[REGRET_LOG_OBS], obs, from, to));
    TRY_CLEANUP(places(&place[REGRET_LOG_EXP], exp, from, to));
    TRY_CLEANUP(slopes_build(&slopes, a->log, a->order, (const double *const *)place));
    TRY_CLEANUP(test_slopes(&change, a, &slopes, REGRET_LOG_SOURCES, STREAM_GAP));
    tell_change(f, a, &change, "drift.gap",
                "change of the gap, OBS - EXP, while both were collected, of the clearest agent or "
                "of all together",
                "The gap between OBS and EXP does not move visibly with time; the clearest: ",
                "The gap between OBS and EXP moves with time: ",
                " How far the log is off is not one number: compare rows of one period.");
cleanup:
    slopes_free(&slopes);
    regret_free(place[0]);
    regret_free(place[1]);
    return rc;
}

/* Of what kind rows are whose shares may move. */
struct kinds {
    const struct asked *asked;
    const double *place;
    double mean; /* of places */
    enum regret_log_source source;
    int by_agent;
};

static struct share_row moved(const void *context, size_t row)
{
    const struct kinds *k = context;
    const struct regret_log_rows *rows = &k->asked->log->rows[k->source];
    if (isnan(k->place[row])) {
        return (struct share_row){.kind = (size_t)-1};
    }
    return (struct share_row){k->by_agent ? rows->agent[row]
                                          : k->asked->log->tag[rows->context[row]],
                              k->place[row] - k->mean};
}

/* Change of the share of the kind that moves the most, from first row to last: a line has the slope S/Σ(τ − τ̄)², 1/12 n. */
static int test_shares(struct change *out, const struct kinds *k, size_t n)
{
    FREED_BY(shares_free) struct shares s = {0};
    struct joint_answer answer;
    FREED double *z = NULL;
    TRY(shares_gather(&s, n, k->asked->order, k->source, moved, k));
    TRY(REGRET_NEW(&z, n));
    for (size_t i = 0; i < n; i++) {
        int is_tested = s.count[i] >= LEAST_COUNT && s.rows - s.count[i] >= LEAST_COUNT;
        z[i] = is_tested && s.variance[i] > 0.0 ? s.sum[i] / sqrt(s.variance[i]) : NAN;
    }
    TRY(joint_test(&answer, NULL,
                   &(struct joint){.z = z, .n = n, .level = k->asked->options->level}));
    *out = (struct change){.agent = answer.largest,
                           .is_there = answer.largest < n,
                           .critical = answer.critical,
                           .p = answer.p};
    if (out->is_there) {
        double scale = 12.0 / (double)s.rows;
        out->value = s.sum[answer.largest] * scale;
        out->error = sqrt(s.variance[answer.largest]) * scale;
    }
    return REGRET_OK;
}

static int ask_shares_over_time(struct findings *f, const struct asked *a, const double *place,
                                enum regret_log_source source, int by_agent)
{
    const struct regret_log *log = a->log;
    struct kinds k = {
        .asked = a, .place = place, .mean = 0.5, .source = source, .by_agent = by_agent};
    size_t n = by_agent ? log->n_agents : log->n_tags;
    const char *name = source == REGRET_LOG_OBS ? "OBS" : "EXP";
    struct change change;
    if (!by_agent && !log->tag) {
        return REGRET_OK;
    }
    TRY(test_shares(&change, &k, n));
    if (!change.is_there) {
        return REGRET_OK;
    }
    struct finding *found = findings_add(
        f, by_agent ? "drift.choice" : "drift.tags",
        by_agent ? "change of an agent's share of OBS from first row to last, the clearest"
                 : "change of a tag's share of rows from first row to last, the clearest");
    found->value = change.value;
    found->low = change.value - change.critical * change.error;
    found->high = change.value + change.critical * change.error;
    found->p = change.p;
    found->most = REGRET_DIAGNOSTIC_CAUTION; /* means of the whole period stay what they are */
    regret_buffer_printf(&found->fine,
                         "The shares of %s in %s do not move visibly with time; the clearest: ",
                         by_agent ? "agents" : "tags", name);
    regret_buffer_printf(&found->found,
                         "The shares of %s in %s move with time: ", by_agent ? "agents" : "tags",
                         name);
    struct regret_buffer *both[] = {&found->fine, &found->found};
    for (size_t i = 0; i < 2; i++) {
        (by_agent ? say_agent : say_tag)(both[i], log, change.agent);
        regret_buffer_printf(both[i], ", %+.3f from first to last (%+.3f to %+.3f).", change.value,
                             found->low, found->high);
    }
    regret_buffer_append(&found->found, by_agent
                                            ? " What chose changed: where outcomes move with time "
                                              "too, agents are compared at different times."
                                            : " Values are of the requests of the whole period, "
                                              "not of those to come: weigh the latest more.");
    return REGRET_OK;
}

static int ask_source(struct findings *f, const struct asked *a, enum regret_log_source source)
{
    const struct regret_log_rows *rows = &a->log->rows[source];
    FREED double *place = NULL;
    if (!rows->time || !a->has[source]) {
        return REGRET_OK;
    }
    TRY(places(&place, rows, -INFINITY, INFINITY));
    TRY(ask_outcome(f, a, place, source));
    if (source == REGRET_LOG_OBS || !a->has[REGRET_LOG_OBS]) {
        TRY(ask_shares_over_time(f, a, place, source, 0));
    }
    if (source == REGRET_LOG_OBS) {
        TRY(ask_shares_over_time(f, a, place, source, 1));
    }
    return REGRET_OK;
}

int ask_drift(struct findings *f, const struct asked *a)
{
    TRY(ask_source(f, a, REGRET_LOG_OBS));
    TRY(ask_source(f, a, REGRET_LOG_EXP));
    return a->has[REGRET_LOG_OBS] && a->has[REGRET_LOG_EXP] && !findings_have(f, "scale")
               ? ask_gap_over_time(f, a)
               : REGRET_OK;
}
