/* Drift over time. */
#include <math.h>

#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
#include "evaluate/diagnose.h"
#include "regret/status.h"
#include "stats/multiplicity.h"

/* Changes below this part of the outcome's range, or this share of rows, are told but are no "no". */
static const double material = 0.01;
enum { LEAST_COUNT = 20 /* rows of a kind whose share is looked at */ };
enum stream { STREAM_OBS = 16, STREAM_EXP, STREAM_GAP };

/* Places in time of the rows of a source, 0 to 1, those at one time in the middle of it; NaN of rows outside of [low, high], NULL where it
 * has no times. Of more than 2^16 times every k-th is looked at. */
static int places(double **out, const struct regret_log_rows *rows, double low, double high)
{
    enum { MOST = 1 << 16 };
    FREED double *times = NULL, *sorted = NULL;
    size_t step = rows->n / MOST + 1, n = 0;
    if (!rows->time) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&times, rows->n));
    TRY(REGRET_NEW(&sorted, rows->n / step + 1));
    for (size_t i = 0; i < rows->n; i++) {
        times[i] = rows->time[i] >= low && rows->time[i] <= high ? rows->time[i] : NAN;
        if (i % step == 0 && !isnan(times[i])) {
            sorted[n++] = times[i];
        }
    }
    regret_sort_numbers(sorted, n);
    for (size_t i = 0; i < rows->n; i++) {
        size_t before = isnan(times[i]) ? 0 : sorted_below(sorted, n, times[i]);
        size_t up_to = isnan(times[i]) ? 0 : sorted_below(sorted, n, nextafter(times[i], INFINITY));
        times[i] = isnan(times[i]) || n == 0 ? NAN : 0.5 * (double)(before + up_to) / (double)n;
    }
    *out = times;
    times = NULL;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- outcomes */

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

/* Of every agent the change of its mean outcome from the first row to the last: a line over the place of rows in time. */

enum { LEAST_ROWS = 10, LEAST_CLUSTERS = 5 /* of an agent in a source */ };

/* Sums over the rows of an agent in a source. */
struct moments {
    double n, t, y;
    double tt, ty, yy; /* about the means */
};

struct fitting {
    const struct regret_log *log;
    double *const *place; /* of a source and a row, τ; NULL: none of the source's */
    struct moments *at;   /* [agents × sources] */
};

FREED_FIELDS(fitting, of->at)

static struct moments *moments_of(const struct fitting *f, size_t agent, size_t source)
{
    return &f->at[agent * REGRET_LOG_SOURCES + source];
}

static int is_there(const struct fitting *f, size_t source, size_t row)
{
    return f->place[source] && !isnan(f->place[source][row]);
}

static void sum(struct fitting *f, size_t source)
{
    const struct regret_log_rows *rows = &f->log->rows[source];
    for (size_t i = 0; i < rows->n; i++) {
        if (is_there(f, source, i)) {
            struct moments *m = moments_of(f, rows->agent[i], source);
            m->n += 1.0;
            m->t += f->place[source][i];
            m->y += rows->outcome[i];
        }
    }
    for (size_t a = 0; a < f->log->n_agents; a++) {
        struct moments *m = moments_of(f, a, source);
        m->t /= m->n > 0.0 ? m->n : 1.0;
        m->y /= m->n > 0.0 ? m->n : 1.0;
    }
    for (size_t i = 0; i < rows->n; i++) {
        if (is_there(f, source, i)) {
            struct moments *m = moments_of(f, rows->agent[i], source);
            double t = f->place[source][i] - m->t, y = rows->outcome[i] - m->y;
            m->tt += t * t;
            m->ty += t * y;
            m->yy += y * y;
        }
    }
}

static int is_enough(const struct moments *m)
{
    return m->n >= LEAST_ROWS && m->tt > 1e-9 * m->n;
}

static struct score slope_score(const void *context, enum regret_log_source source, size_t row)
{
    const struct fitting *f = context;
    const struct regret_log_rows *rows = &f->log->rows[source];
    const struct moments *m = moments_of(f, rows->agent[row], source);
    if (!is_there(f, source, row) || !is_enough(m)) {
        return (struct score){.cell = SCORE_NONE};
    }
    double t = f->place[source][row] - m->t;
    return (struct score){rows->agent[row], 0.0, t * (rows->outcome[row] - m->y) / m->tt};
}

/* An agent's slope, NaN of too few rows, and its error by clusters, under no change, not below that of independent rows. */
static void find_slope(double *value, double *error, const struct fitting *f,
                       const struct scores *s, size_t agent, size_t source)
{
    const struct moments *m = moments_of(f, agent, source);
    *value = *error = NAN;
    if (is_enough(m) && s->at[agent].clusters[source] >= LEAST_CLUSTERS && m->yy > 0.0) {
        *value = m->ty / m->tt;
        *error = sqrt(fmax(s->at[agent].variance[source], m->yy / (m->n - 1.0) / m->tt));
    }
}

/* Tests slopes of the source that has places, or where both have of OBS less those of EXP. */
static int test_slopes(struct change *out, const struct asked *a, double *const *place,
                       enum stream stream)
{
    const struct regret_log *log = a->log;
    FREED_BY(fitting_fields) struct fitting f = {.log = log, .place = place};
    FREED_BY(scores_free) struct scores s = {0};
    FREED double *value = NULL, *error = NULL;
    TRY(REGRET_NEW(&f.at, log->n_agents * REGRET_LOG_SOURCES));
    TRY(REGRET_NEW(&value, log->n_agents));
    TRY(REGRET_NEW(&error, log->n_agents));
    sum(&f, REGRET_LOG_OBS);
    sum(&f, REGRET_LOG_EXP);
    TRY(scores_gather(&s, log->n_agents, NULL, a->order, slope_score, &f));
    for (size_t k = 0; k < log->n_agents; k++) {
        size_t first = place[REGRET_LOG_OBS] ? REGRET_LOG_OBS : REGRET_LOG_EXP;
        find_slope(&value[k], &error[k], &f, &s, k, first);
        if (place[REGRET_LOG_OBS] && place[REGRET_LOG_EXP]) {
            double of_exp, error_of_exp;
            find_slope(&of_exp, &error_of_exp, &f, &s, k, REGRET_LOG_EXP);
            value[k] -= of_exp;
            error[k] = hypot(error[k], error_of_exp);
        }
    }
    return test(out, a, value, error, s.covariance, stream);
}

static int ask_outcome(struct findings *f, const struct asked *a, double *place,
                       enum regret_log_source source)
{
    double *const one[] = {source == REGRET_LOG_OBS ? place : NULL,
                           source == REGRET_LOG_EXP ? place : NULL};
    struct change change;
    int is_obs = source == REGRET_LOG_OBS;
    TRY(test_slopes(&change, a, one, is_obs ? STREAM_OBS : STREAM_EXP));
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
    FREED double *of_obs = NULL, *of_exp = NULL;
    double low[2], high[2];
    struct change change;
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
    TRY(places(&of_obs, obs, from, to));
    TRY(places(&of_exp, exp, from, to));
    TRY(test_slopes(&change, a, (double *const[]){of_obs, of_exp}, STREAM_GAP));
    tell_change(f, a, &change, "drift.gap",
                "change of the gap, OBS - EXP, while both were collected, of the clearest agent or "
                "of all together",
                "The gap between OBS and EXP does not move visibly with time; the clearest: ",
                "The gap between OBS and EXP moves with time: ",
                " How far the log is off is not one number: compare rows of one period.");
    return REGRET_OK;
}

/* ---------------------------------------------------------------- shares */

/* Of what kind rows are whose shares may move. */
struct kinds {
    const struct asked *asked;
    const double *place;
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
                              k->place[row] - 0.5};
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
        const struct share_sums *of = &s.at[i];
        int is_tested = of->count >= LEAST_COUNT && s.rows - of->count >= LEAST_COUNT;
        z[i] = is_tested && of->variance > 0.0 ? of->sum / sqrt(of->variance) : NAN;
    }
    TRY(joint_test(&answer, NULL,
                   &(struct joint){.z = z, .n = n, .level = k->asked->options->level}));
    *out = (struct change){.agent = answer.largest,
                           .is_there = answer.largest < n,
                           .critical = answer.critical,
                           .p = answer.p};
    if (out->is_there) {
        double scale = 12.0 / (double)s.rows;
        out->value = s.at[answer.largest].sum * scale;
        out->error = sqrt(s.at[answer.largest].variance) * scale;
    }
    return REGRET_OK;
}

static int ask_shares_over_time(struct findings *f, const struct asked *a, const double *place,
                                enum regret_log_source source, int by_agent)
{
    const struct regret_log *log = a->log;
    const struct kinds k = {a, place, source, by_agent};
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
