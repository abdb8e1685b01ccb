/* Outcomes and copies that are strange. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "evaluate/diagnose.h"
#include "log/log.h"
#include "regret/status.h"
#include "stats/limits.h"

/* One request under several names, in both sources, among those that are to be evaluated; rows that came twice; outputs that
 * changed. */

static const double some_copies = 0.05, many_copies = 0.5;
static const double some_repeated = 0.001, many_repeated = 0.01;
static const double some_same = 0.02, many_same = 0.2;
static const double some_changed = 0.01, many_changed = 0.5;

static enum regret_diagnostic_verdict verdict_of(double share, double some, double many)
{
    return share > many   ? REGRET_DIAGNOSTIC_NO
           : share > some ? REGRET_DIAGNOSTIC_CAUTION
                          : REGRET_DIAGNOSTIC_FINE;
}

static const char *title_of(enum regret_log_source source)
{
    return source == REGRET_LOG_OBS ? "OBS" : "EXP";
}

/* Where a context is met. */
enum { IN_OBS = 1, IN_EXP = 2, IN_EVALUATION = 4, IN_ROWS = IN_OBS | IN_EXP };

struct copies {
    uint32_t *first; /* [contexts] the first context with the same text; itself without a text */
    uint32_t *names; /* [contexts] of a first one: contexts with that text that have rows */
    unsigned char *where; /* [contexts] */
};

FREED_FIELDS(copies, of->first, of->names, of->where)

static void find_places(struct copies *c, const struct regret_log *log)
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            c->where[log->rows[s].context[i]] |= s == REGRET_LOG_OBS ? IN_OBS : IN_EXP;
        }
    }
    for (size_t e = 0; e < log->n_evaluation; e++) {
        c->where[log->evaluation[e]] |= IN_EVALUATION;
    }
    for (size_t x = 0; x < log->n_contexts; x++) {
        c->names[c->first[x]] += (c->where[x] & IN_ROWS) != 0;
    }
}

/* Rows of the source that values rest on, whose text stands under another name as well. */
static void tell_copies(struct findings *f, const struct asked *a, const struct copies *c)
{
    const struct regret_log *log = a->log;
    enum regret_log_source source = a->has[REGRET_LOG_EXP] ? REGRET_LOG_EXP : REGRET_LOG_OBS;
    const struct regret_log_rows *rows = &log->rows[source];
    size_t n = 0;
    uint32_t example = 0;
    for (size_t i = 0; i < rows->n; i++) {
        if (c->names[c->first[rows->context[i]]] > 1) {
            example = n == 0 ? rows->context[i] : example;
            n++;
        }
    }
    double share = (double)n / (double)rows->n;
    struct finding *found = findings_add(
        f, "copies", "share of rows whose text stands under another context's name as well");
    found->value = share;
    found->verdict = verdict_of(share, some_copies, many_copies);
    regret_buffer_printf(&found->fine,
                         "%zu of %zu rows of %s have a text that stands under several contexts.", n,
                         rows->n, title_of(source));
    regret_buffer_printf(
        &found->found,
        "%zu of %zu rows of %s (%.1f %%) have a text that stands under several contexts, context ",
        n, rows->n, title_of(source), 100.0 * share);
    regret_buffer_append_safe(&found->found, log->context[example], 40);
    regret_buffer_append(&found->found,
                         " among them. What is learned of one is tested on the other, and new "
                         "requests are fewer than they "
                         "look: name no column for the context, so that its text is the name.");
}

static void tell_both(struct findings *f, const struct asked *a, const struct copies *c)
{
    const struct regret_log *log = a->log;
    size_t exp = 0, both = 0, evaluation = 0, known = 0;
    unsigned char *where = c->where;
    for (size_t x = 0; x < log->n_contexts; x++) {
        exp += (where[x] & IN_EXP) != 0;
        both += (where[x] & IN_EXP) && (where[x] & IN_OBS);
        evaluation += (where[x] & IN_EVALUATION) != 0;
        known += (where[x] & IN_EVALUATION) && (where[x] & IN_ROWS);
    }
    if (a->has[REGRET_LOG_OBS] && a->has[REGRET_LOG_EXP]) {
        struct finding *found =
            findings_add(f, "both", "share of EXP's contexts that are in OBS too");
        found->value = (double)both / (double)exp;
        regret_buffer_printf(&found->fine,
                             "%zu of EXP's %zu contexts are in OBS too. Values are made without "
                             "the log's rows of contexts that "
                             "they are made on.",
                             both, exp);
    }
    if (evaluation > 0) {
        struct finding *found =
            findings_add(f, "evaluation", "share of evaluation contexts with outcomes");
        found->value = (double)known / (double)evaluation;
        regret_buffer_printf(&found->fine,
                             "%zu of %zu evaluation contexts have outcomes in OBS or EXP: what is "
                             "recommended for them knows of "
                             "these; values of policies do not.",
                             known, evaluation);
    }
}

/* Outputs of rows that are not the cached ones of the same context and agent. */
static int tell_outputs(struct findings *f, const struct asked *a, enum regret_log_source source)
{
    const struct regret_log *log = a->log;
    const struct regret_log_rows *rows = &log->rows[source];
    FREED uint32_t *place = NULL;
    size_t n = 0, changed = 0;
    if (!log->output || !log->row_output[source]) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&place, log->n_contexts));
    for (size_t e = 0; e < log->n_evaluation; e++) {
        place[log->evaluation[e]] = (uint32_t)e + 1;
    }
    for (size_t i = 0; i < rows->n; i++) {
        uint32_t e = place[rows->context[i]];
        const char *cached = e > 0 ? log->output[(e - 1) * log->n_agents + rows->agent[i]] : NULL;
        const char *own = log->row_output[source][i];
        n += cached && own;
        changed += cached && own && strcmp(cached, own) != 0;
    }
    if (n == 0) {
        return REGRET_OK;
    }
    struct finding *found =
        findings_add(f, source == REGRET_LOG_OBS ? "outputs.obs" : "outputs.exp",
                     "share of rows whose output is not the cached one");
    double share = (double)changed / (double)n;
    found->value = share;
    found->verdict = verdict_of(share, some_changed, many_changed);
    regret_buffer_printf(
        &found->fine,
        "%zu of %zu outputs of %s are not the cached ones of the same context and agent.%s",
        changed, n, title_of(source),
        share > some_changed ? " What was judged is not what would be given now: features of "
                               "cached outputs do not belong to "
                               "these outcomes. Cache the outputs that were judged."
                             : "");
    return REGRET_OK;
}

/* Was a file, or a part of it, put into the log twice, or every row by a join? */
static int ask_repeated(struct findings *f, const struct asked *a, enum regret_log_source source)
{
    double share;
    size_t windows, times;
    TRY(repeats_count(&share, &windows, &a->log->rows[source]));
    TRY(repeats_times(&times, a->log, source));
    if (windows < REPEATS_WINDOW && times == 1) {
        return REGRET_OK;
    }
    share = fmax(share, 1.0 - 1.0 / (double)times);
    struct finding *found =
        findings_add(f, source == REGRET_LOG_OBS ? "repeated.obs" : "repeated.exp",
                     "share of sequences of eight rows that came before");
    found->value = share;
    found->verdict = verdict_of(share, some_repeated, many_repeated);
    regret_buffer_printf(&found->fine, "No part of %s stands in it twice.", title_of(source));
    if (times > 1) {
        regret_buffer_printf(&found->found,
                             "Every row of %s stands in it %zu times, or a multiple of it: a file "
                             "was put into it again, or a join made copies",
                             title_of(source), times);
    } else {
        regret_buffer_printf(&found->found,
                             "%.1f %% of the rows of %s stand in it again, in sequence: a file was "
                             "put into it twice",
                             100.0 * share, title_of(source));
    }
    regret_buffer_append(&found->found, ". Intervals are too narrow; take the copies out.");
    return REGRET_OK;
}

/* Rows of the trial that are rows of the log as well. */
static int ask_both(struct findings *f, const struct asked *a)
{
    struct same_rows same;
    if (!a->has[REGRET_LOG_OBS] || !a->has[REGRET_LOG_EXP]) {
        return REGRET_OK;
    }
    TRY(same_rows_count(&same, a->log));
    size_t n = a->log->rows[REGRET_LOG_EXP].n;
    struct finding *found =
        findings_add(f, "same.rows", "share of EXP's rows that are copies of rows of OBS");
    found->value = same.share;
    found->verdict = verdict_of(same.share, some_same, many_same);
    regret_buffer_append(&found->fine,
                         "No more rows of EXP are like rows of OBS than chance makes so.");
    regret_buffer_printf(&found->found, "%zu of %zu rows of EXP stand in OBS, too", same.n, n);
    if (a->log->n_drawn > 0 && a->log->n_drawn < a->log->rows[REGRET_LOG_OBS].n) {
        regret_buffer_printf(&found->found, ", of which %zu of %zu rows could be compared",
                             a->log->n_drawn, a->log->rows[REGRET_LOG_OBS].n);
    }
    if (same.exp_line > 0) {
        regret_buffer_printf(&found->found, " (line %llu of EXP is line %llu of OBS)",
                             (unsigned long long)same.exp_line, (unsigned long long)same.obs_line);
    }
    regret_buffer_append(&found->found,
                         ": a part of a log is no trial beside it. Were they assigned at random, "
                         "take them out of the log; else leave \"exp\" out.");
    return REGRET_OK;
}

/* Asked before all else: where rows are copies no other answer is worth reading. */
int ask_same_rows(struct findings *f, const struct asked *a)
{
    TRY(ask_both(f, a));
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        if (a->has[s]) {
            TRY(ask_repeated(f, a, (enum regret_log_source)s));
        }
    }
    return REGRET_OK;
}

int ask_copies(struct findings *f, const struct asked *a)
{
    FREED_BY(copies_fields) struct copies c = {0};
    size_t n_texts, n = a->log->n_contexts;
    TRY(REGRET_NEW(&c.first, n));
    TRY(REGRET_NEW(&c.names, n));
    TRY(REGRET_NEW(&c.where, n));
    TRY(texts_find_copies(c.first, &n_texts, a->log));
    find_places(&c, a->log);
    if (n_texts > 0) {
        tell_copies(f, a, &c);
    }
    tell_both(f, a, &c);
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        if (a->has[s]) {
            TRY(tell_outputs(f, a, (enum regret_log_source)s));
        }
    }
    return REGRET_OK;
}

/* Are outcomes of both sources on one scale, do they say anything, and how many rows are missing? */

static const double at_an_end = 0.98, some_lost = 0.05, many_lost = 0.2;

/* ---------------------------------------------------------------- one scale */

static const double few = 0.25, hardly_any = 0.05; /* shares of rows */

static double share_within(const struct regret_log_rows *rows, double low, double high)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        n += rows->outcome[i] >= low && rows->outcome[i] <= high;
    }
    return (double)n / (double)rows->n;
}

/* The least and the most of the outcomes, and how many are neither. */
struct spread {
    double low, high;
    size_t between;
};

static struct spread spread_of(const struct regret_log_rows *rows)
{
    struct spread s = {INFINITY, -INFINITY, 0};
    for (size_t i = 0; i < rows->n; i++) {
        s.low = fmin(s.low, rows->outcome[i]);
        s.high = fmax(s.high, rows->outcome[i]);
    }
    for (size_t i = 0; i < rows->n; i++) {
        s.between += rows->outcome[i] > s.low && rows->outcome[i] < s.high;
    }
    return s;
}

/* Whether `one` has two values, and most rows of the other are neither. */
static int is_other_kind(struct spread one, const struct regret_log_rows *other)
{
    double ends = share_within(other, one.low, one.low) + share_within(other, one.high, one.high);
    return one.between == 0 && one.low < one.high && ends < 0.5;
}

/* Whether one range is a small part of the other and few rows of the wide one are there. Users who choose well make a log
 * narrow, too, but then hardly any row of a trial is better than all of it. */
static int is_other_width(const struct regret_log_rows rows[], const struct spread s[])
{
    enum { TIMES = 4 };
    double width[] = {s[0].high - s[0].low, s[1].high - s[1].low};
    int narrow = width[0] > width[1];
    return width[narrow] > 0.0 && width[!narrow] >= TIMES * width[narrow] &&
           share_within(&rows[!narrow], s[narrow].low, s[narrow].high) < few &&
           (narrow == REGRET_LOG_EXP ||
            share_within(&rows[REGRET_LOG_EXP], s[narrow].high, INFINITY) >= hardly_any);
}

int ask_scales(struct findings *f, const struct asked *a)
{
    enum { ENOUGH = 20 }; /* rows of each */
    const struct regret_log *log = a->log;
    const struct regret_log_rows *obs = &log->rows[REGRET_LOG_OBS],
                                 *exp = &log->rows[REGRET_LOG_EXP];
    if (obs->n < ENOUGH || exp->n < ENOUGH) {
        return REGRET_OK;
    }
    struct spread s[] = {spread_of(obs), spread_of(exp)};
    double shared[] = {share_within(obs, s[1].low, s[1].high),
                       share_within(exp, s[0].low, s[0].high)};
    int is_kind[] = {is_other_kind(s[0], exp), is_other_kind(s[1], obs)};
    if (!is_kind[0] && !is_kind[1] && !is_other_width(log->rows, s) &&
        (shared[0] >= few || shared[1] >= few)) {
        return REGRET_OK;
    }
    struct finding *found =
        findings_add(f, "scale", "the smaller share of outcomes within the other source's range");
    found->value = fmin(shared[0], shared[1]);
    found->verdict = REGRET_DIAGNOSTIC_NO;
    regret_buffer_printf(
        &found->fine,
        "OBS and EXP seem to be on two scales: outcomes of OBS are %g to %g, of EXP %g to %g, and "
        "%s. If so, nothing below that rests on both holds: bring them to one scale, or leave "
        "\"obs\" out.",
        as_given(log, s[0].low), as_given(log, s[0].high), as_given(log, s[1].low),
        as_given(log, s[1].high),
        is_kind[0]   ? "OBS has these two values alone"
        : is_kind[1] ? "EXP has these two values alone"
                     : "few of one are within the other's");
    return REGRET_OK;
}

/* ---------------------------------------------------------------- each source */

static void ask_source(struct findings *f, const struct asked *a, enum regret_log_source source)
{
    const struct regret_log_rows *rows = &a->log->rows[source];
    size_t low = 0, high = 0;
    for (size_t i = 0; i < rows->n; i++) {
        low += rows->outcome[i] <= 0.0;
        high += rows->outcome[i] >= 1.0;
    }
    size_t most = low > high ? low : high;
    double share = (double)most / (double)rows->n, end = low > high ? a->log->low : a->log->high;
    struct finding *found =
        findings_add(f, source == REGRET_LOG_OBS ? "outcome.obs" : "outcome.exp",
                     "share of outcomes at one end of the range");
    found->value = share;
    if (outcomes_are_alike(rows)) {
        found->verdict = REGRET_DIAGNOSTIC_NO;
        regret_buffer_printf(&found->fine,
                             "All %zu outcomes of %s are the same, %g. No agent can be told from "
                             "another: look at the column "
                             "and the range that are named.",
                             rows->n, title_of(source), as_given(a->log, rows->outcome[0]));
        return;
    }
    found->verdict = share > at_an_end ? REGRET_DIAGNOSTIC_CAUTION : REGRET_DIAGNOSTIC_FINE;
    regret_buffer_printf(
        &found->fine, "%.1f %% of the outcomes of %s are at %g, the %s end of the range.%s",
        100.0 * share, title_of(source), end, low > high ? "low" : "high",
        share > at_an_end ? " Agents differ in few rows: a finer outcome would tell more." : "");
}

/* How many rows the mean of an agent's outcomes rests on, (Σy)²/Σy², from the nearer end of the range. */
static double rows_behind(size_t *n, const struct regret_log_rows *rows, uint32_t agent)
{
    double sum[2] = {0.0, 0.0}, squares[2] = {0.0, 0.0};
    *n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->agent[i] == agent) {
            const double y[2] = {rows->outcome[i], 1.0 - rows->outcome[i]};
            for (size_t k = 0; k < 2; k++) {
                sum[k] += y[k];
                squares[k] += y[k] * y[k];
            }
            ++*n;
        }
    }
    size_t k = sum[0] > sum[1];
    return squares[k] > 0.0 ? sum[k] * sum[k] / squares[k] : (double)*n;
}

/* Of graded outcomes: where a few rows make an agent's mean, more such rows may be missing. */
static void ask_tail(struct findings *f, const struct asked *a, enum regret_log_source source)
{
    const struct regret_log_rows *rows = &a->log->rows[source];
    double least = INFINITY;
    size_t of = 0, rows_of = 0;
    for (uint32_t agent = 0; agent < a->log->n_agents; agent++) {
        size_t n = 0;
        double e = rows_behind(&n, rows, agent);
        if (n >= HEAVY_REFUSE && e < HEAVY_WARN && e < 0.25 * (double)n && e < least) {
            least = e;
            of = agent;
            rows_of = n;
        }
    }
    if (spread_of(rows).between == 0 || !isfinite(least)) {
        return;
    }
    struct finding *found =
        findings_add(f, "outcome.tail", "rows that the mean of an agent rests on, the fewest");
    found->value = least;
    found->verdict = REGRET_DIAGNOSTIC_CAUTION;
    log_say(&found->fine, a->log, "Outcomes have a long tail: the mean of @", &of);
    regret_buffer_printf(&found->fine, " rests on about %.0f of its %zu rows. %s", least, rows_of,
                         least < HEAVY_REFUSE
                             ? "That is too few for a mean: go by the share of rows that are not 0."
                             : "Its interval may still end too low, as where large ones are rare.");
}

static void ask_losses(struct findings *f, const struct asked *a)
{
    const struct regret_log *log = a->log;
    size_t n = 0, kept = log->rows[REGRET_LOG_OBS].n + log->rows[REGRET_LOG_EXP].n;
    const struct regret_log_loss *most = NULL;
    for (size_t i = 0; i < log->n_losses; i++) {
        n += log->loss[i].n;
        most = !most || log->loss[i].n > most->n ? &log->loss[i] : most;
    }
    if (n == 0) {
        return;
    }
    struct finding *found = findings_add(f, "left.out", "share of rows that could not be used");
    double share = (double)n / (double)(n + kept);
    found->value = share;
    found->verdict = verdict_of(share, some_lost, many_lost);
    regret_buffer_printf(
        &found->fine,
        "%zu of %zu rows (%.1f %%) could not be used; most of them, %zu of %s, for: ", n, n + kept,
        100.0 * share, most->n, title_of(most->source));
    regret_buffer_append_safe(&found->fine, most->reason, 200);
    regret_buffer_printf(&found->fine, " (first in line %llu).", (unsigned long long)most->line);
    regret_buffer_append(&found->fine, share > some_lost
                                           ? " If they were lost for a reason that has to do with "
                                             "agent or outcome, what is left is no "
                                             "sample of all: repair them."
                                           : "");
}

int ask_outcomes(struct findings *f, const struct asked *a)
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        if (a->has[s]) {
            ask_source(f, a, (enum regret_log_source)s);
            ask_tail(f, a, (enum regret_log_source)s);
        }
    }
    ask_losses(f, a);
    return REGRET_OK;
}
