/* The answer on the terminal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "evaluate/internal.h"
#include "log/log.h"
#include "regret/status.h"

/* One screen: what says no, the answer, and the few numbers that it rests on. */

/* Lines of a terminal: diagnostics and agents that are shown, at most, and columns. */
enum { SCREEN_COLUMNS = 100, MOST_TOLD = 4, MOST_AGENTS = 8, NAME_COLUMNS = 24, MOST_NOTES = 3 };

static void put_wrapped(struct regret_buffer *out, const struct regret_buffer *text, size_t rest)
{
    const struct text_margins margins = {SCREEN_COLUMNS, 0, rest};
    struct regret_buffer safe = REGRET_BUFFER_INIT;
    regret_buffer_append_safe(&safe, regret_buffer_get(text), (size_t)SCREEN_COLUMNS * 20);
    text_wrap(out, regret_buffer_get(&safe), &margins);
    regret_buffer_free_into(out, &safe);
}

/* A sentence of at most so many lines, for its end says what to do; of a longer one where all of it stands. */
static void append_whole(struct regret_buffer *line, const char *sentence, size_t lines,
                         const char *file)
{
    size_t most = lines * (SCREEN_COLUMNS - 12);
    int is_cut = regret_text_columns(sentence) > most;
    regret_buffer_append_safe(line, sentence, most);
    if (is_cut) {
        regret_buffer_printf(line, " (whole in %s)", file);
    }
}

/* ---------------------------------------------------------------- what says no */

static void put_diagnostic(struct regret_buffer *out, const struct regret_diagnostic *d)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    regret_buffer_printf(&line, "%-8s", d->verdict == REGRET_DIAGNOSTIC_NO ? "NO" : "caution");
    append_whole(&line, d->sentence, 4, "diagnostics.csv");
    put_wrapped(out, &line, 8);
    regret_buffer_free_into(out, &line);
}

static void put_diagnostics(struct regret_buffer *out, const struct regret_evaluation *e)
{
    size_t told = 0, untold = 0, fine = 0;
    for (size_t i = 0; e->diagnostics != NULL && i < e->diagnostics->n; i++) {
        const struct regret_diagnostic *d = &e->diagnostics->entry[i];
        fine += d->verdict == REGRET_DIAGNOSTIC_FINE;
        if (d->verdict != REGRET_DIAGNOSTIC_FINE && told < MOST_TOLD) {
            put_diagnostic(out, d);
            told++;
        } else {
            untold += d->verdict != REGRET_DIAGNOSTIC_FINE;
        }
    }
    if (untold > 0) {
        regret_buffer_printf(out, "        and %zu more in diagnostics.csv\n", untold);
    }
    if (fine > 0) {
        regret_buffer_printf(out, "fine    %zu question%s\n", fine, fine == 1 ? "" : "s");
    }
    regret_buffer_append(out, told + fine > 0 ? "\n" : "");
}

/* ---------------------------------------------------------------- the answer */

static void put_verdict(struct regret_buffer *out, const struct regret_evaluation *e)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    for (const char *c = regret_verdict_name(e->verdict); *c != '\0'; c++) {
        regret_buffer_append_char(&line, *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
    }
    regret_buffer_printf(&line, ". %s", e->sentence != NULL ? e->sentence : "");
    put_wrapped(out, &line, 0);
    if (e->guess_sentence != NULL) {
        regret_buffer_clear(&line);
        regret_buffer_printf(&line, "Best guess: %s", e->guess_sentence);
        put_wrapped(out, &line, 0);
    }
    regret_buffer_append(out, "\n");
    regret_buffer_free_into(out, &line);
}

static void put_deciding(struct regret_buffer *out, const struct regret_evaluation *e,
                         const struct regret_log *log)
{
    struct regret_buffer cuts = REGRET_BUFFER_INIT, line = REGRET_BUFFER_INIT;
    regret_buffer_fail(&cuts, answer_deciding(&cuts, e, log, deciding_say));
    if (cuts.length > 0) {
        regret_buffer_append(&line, "What decides: ");
        append_whole(&line, regret_buffer_get(&cuts), 4, "result.json");
        put_wrapped(out, &line, 0);
        regret_buffer_append(out, "\n");
    }
    regret_buffer_free_into(out, &cuts);
    regret_buffer_free_into(out, &line);
}

/* ---------------------------------------------------------------- agents and policies */

struct ranked {
    double value;
    size_t agent;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->value != y->value ? (x->value < y->value) - (x->value > y->value)
                                : (x->agent > y->agent) - (x->agent < y->agent);
}

static void put_number(struct regret_buffer *out, size_t columns, double value, int is_signed)
{
    char text[32];
    snprintf(text, sizeof text, is_signed ? "%+.3f" : "%.3f", value);
    regret_buffer_printf(out, " %*s", (int)columns - 1, isnan(value) ? "-" : text);
}

static void write_interval(char text[64], double low, double high, int is_signed)
{
    snprintf(text, 64, is_signed ? "[%+.3f, %+.3f]" : "[%.3f, %.3f]", low, high);
}

static void put_interval(struct regret_buffer *out, struct regret_valued v, int is_signed)
{
    char text[64];
    write_interval(text, v.low, v.high, is_signed);
    regret_buffer_printf(out, "  %-18s", isnan(v.low) ? "-" : text);
}

/* Of a difference, at the end of its line. */
static void put_last_interval(struct regret_buffer *out, struct regret_valued v)
{
    char text[64];
    write_interval(text, v.low, v.high, 1);
    regret_buffer_printf(out, "  %s\n", isnan(v.low) ? "-" : text);
}

static void put_agent(struct regret_buffer *out, const struct regret_evaluation *e,
                      const struct regret_log *log, size_t a)
{
    const struct regret_agent_value *x = &e->agent[a];
    const struct regret_valued *v = &x->value[REGRET_VALUE_SNDR];
    regret_buffer_append_field(out, log->agent[a], NAME_COLUMNS);
    regret_buffer_printf(out, " %8zu", x->rows[REGRET_LOG_OBS]);
    put_number(out, 8, as_given(log, x->mean[REGRET_LOG_OBS]), 0);
    regret_buffer_printf(out, " %6zu", x->rows[REGRET_LOG_EXP]);
    put_number(out, 8, isnan(v->error) ? NAN : value_as_given(log, v).value, 0);
    put_interval(out, value_as_given(log, v), 0);
    if (a == e->incumbent) {
        regret_buffer_append(out, "  incumbent\n");
        return;
    }
    put_last_interval(out, bounds_as_given(log, x));
}

/* Where slates differ values are of different rows, and differences alone compare. */
static int put_agents(struct regret_buffer *out, const struct regret_evaluation *e,
                      const struct regret_log *log)
{
    FREED struct ranked *order = NULL;
    int of_own = some_were_absent(log);
    TRY(REGRET_NEW(&order, e->n_agents));
    for (size_t a = 0; a < e->n_agents; a++) {
        const struct regret_valued *value = &e->agent[a].value[REGRET_VALUE_SNDR];
        const struct regret_valued *v = of_own ? &e->agent[a].difference : value;
        order[a] = (struct ranked){isnan(v->error) ? -INFINITY : v->value, a};
    }
    qsort(order, e->n_agents, sizeof *order, compare_ranked);
    regret_buffer_append_field(out, "agent", NAME_COLUMNS);
    regret_buffer_printf(out, "%9s%8s%7s%8s  %-18s  %s\n", "obs rows", "mean", "exp", "value",
                         of_own && log->n_holes == 0 ? "interval, own rows" : "interval",
                         of_own ? "difference, same rows" : "over incumbent, all");
    for (size_t i = 0; i < e->n_agents && i < MOST_AGENTS; i++) {
        put_agent(out, e, log, order[i].agent);
    }
    if (e->n_agents > MOST_AGENTS) {
        regret_buffer_printf(out, "… and %zu more in agents.csv\n", e->n_agents - MOST_AGENTS);
    }
    regret_buffer_append(out, "\n");
    return REGRET_OK;
}

static void put_policies(struct regret_buffer *out, const struct regret_evaluation *e,
                         const struct regret_log *log)
{
    regret_buffer_printf(out, "%-24s%9s%8s  %-18s  %-18s  %s\n", "policy", "share", "value",
                         some_were_absent(log) && log->n_holes == 0 ? "interval, own rows"
                                                                    : "interval",
                         "over single", "over incumbent");
    for (size_t p = 0; p < REGRET_POLICIES; p++) {
        const struct regret_policy_worth *x = &e->policy[p];
        if (!x->is_there) {
            continue;
        }
        regret_buffer_printf(out, "%-24s%8.0f%%", regret_policy_name((enum regret_policy_kind)p),
                             100.0 * x->share);
        put_number(out, 8, value_as_given(log, &x->value).value, 0);
        put_interval(out, value_as_given(log, &x->value), 0);
        put_interval(out, difference_as_given(log, &x->over_single), 1);
        put_last_interval(out, difference_as_given(log, &x->over_incumbent));
    }
    regret_buffer_append(out, "\n");
}

/* ---------------------------------------------------------------- how it was come by */

/* On how many rows what is told of agents rests, where that is not all. */
static void put_offers(struct regret_buffer *line, const struct regret_evaluation *e,
                       const struct regret_log *log)
{
    size_t told = 0, untold = 0;
    regret_buffer_append(
        line, log->n_holes > 0 ? " A difference is of requests of kinds on which the log has both:"
                               : " A value is of the rows in which the agent was on offer, a "
                                 "difference of those in which both were:");
    for (size_t a = 0; a < e->n_agents; a++) {
        size_t rows = e->agent[a].difference.rows;
        if (a != e->incumbent && rows < e->rows && told < MOST_TOLD) {
            regret_buffer_append(line, told++ > 0 ? ", " : " ");
            regret_buffer_append_safe(line, log->agent[a], NAME_COLUMNS);
            regret_buffer_printf(line, " %zu", rows);
        } else {
            untold += a != e->incumbent && rows < e->rows;
        }
    }
    regret_buffer_append(line, untold > 0 ? " … (agents.csv)." : ".");
}

static void put_source(struct regret_buffer *out, const struct regret_evaluation *e,
                       const struct regret_log *log)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    const struct regret_fitted_family *used = &e->family[e->used], *best = &e->family[e->best];
    regret_buffer_printf(&line,
                         "Values of %zu rows of %s in %zu %ss, %g %% intervals for new requests.",
                         e->rows, e->basis == REGRET_LOG_EXP ? "the trial" : "the log", e->clusters,
                         log->cluster_name, 100.0 * e->level);
    if (some_were_absent(log)) {
        put_offers(&line, e, log);
    }
    regret_buffer_printf(&line, " Surface: %s (cross-validated loss %.4f)", used->name, used->loss);
    if (best != used) {
        regret_buffer_printf(&line, "; least loss: %s (%.4f)", best->name, best->loss);
    }
    regret_buffer_append(&line, ".");
    if (!isnan(e->lambda)) {
        regret_buffer_printf(&line, " λ = %.2f: %s.", e->lambda, e->lambda_says);
    }
    put_wrapped(out, &line, 0);
    regret_buffer_free_into(out, &line);
}

static void put_notes(struct regret_buffer *out, char *const *note, size_t n, size_t *room)
{
    for (size_t i = 0; i<n && * room> 0; i++, (*room)--) {
        struct regret_buffer line = REGRET_BUFFER_INIT;
        regret_buffer_append(&line, "Note: ");
        append_whole(&line, note[i], 3, "result.json");
        put_wrapped(out, &line, 6);
        regret_buffer_free_into(out, &line);
    }
}

void regret_evaluation_describe(struct regret_buffer *out, const struct regret_evaluation *e,
                                const struct regret_log *log)
{
    size_t room = MOST_NOTES;
    put_diagnostics(out, e);
    put_verdict(out, e);
    put_deciding(out, e, log);
    regret_buffer_fail(out, put_agents(out, e, log));
    put_policies(out, e, log);
    put_source(out, e, log);
    put_notes(out, e->note, e->n_notes, &room);
    put_notes(out, log->note, log->n_notes, &room);
    if (e->n_notes + log->n_notes > MOST_NOTES) {
        regret_buffer_printf(out, "      and %zu more in result.json\n",
                             e->n_notes + log->n_notes - MOST_NOTES);
    }
}

/* What the evaluation asks of itself, beside what was asked of the log. */

int answer_trial_is_void(const struct regret_evaluation *e)
{
    static const char *const about[] = {"same.rows", "repeated.exp", "balance", "shares"};
    for (size_t i = 0; e->diagnostics != NULL && i < e->diagnostics->n; i++) {
        const struct regret_diagnostic *d = &e->diagnostics->entry[i];
        for (size_t j = 0; j < sizeof about / sizeof *about; j++) {
            if (d->verdict == REGRET_DIAGNOSTIC_NO &&
                strncmp(d->name, about[j], strlen(about[j])) == 0) {
                return 1;
            }
        }
    }
    return 0;
}

/* Puts an entry behind those that are as grave or graver. */
static int insert(struct regret_evaluation *e, const struct regret_diagnostic *entry,
                  const struct regret_buffer *sentence)
{
    struct regret_diagnostics *d = e->diagnostics;
    size_t at = 0;
    if (d == NULL) {
        TRY(REGRET_NEW(&d, 1));
        e->diagnostics = d;
    }
    struct regret_diagnostic own = *entry;
    TRY(regret_buffer_status(sentence));
    TRY(regret_realloc((void **)&d->entry, d->n + 1, sizeof *d->entry, "diagnostics"));
    TRY(regret_strdup(&own.sentence, regret_buffer_get(sentence)));
    while (at < d->n && d->entry[at].verdict >= own.verdict) {
        at++;
    }
    memmove(d->entry + at + 1, d->entry + at, (d->n - at) * sizeof *d->entry);
    d->entry[at] = own;
    d->n++;
    return REGRET_OK;
}

static enum regret_diagnostic_verdict caution_if(int is_doubtful)
{
    return is_doubtful ? REGRET_DIAGNOSTIC_CAUTION : REGRET_DIAGNOSTIC_FINE;
}

/* A slope of 1: differences between agents are as f says. Of 0: f knows none. */
static int add_calibration(struct regret_evaluation *e)
{
    const struct regret_valued *c = &e->calibration;
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    const struct regret_diagnostic entry = {.name = "calibration",
                                            .what = "slope of outcomes on predicted differences",
                                            .value = c->value,
                                            .low = c->low,
                                            .high = c->high,
                                            .p = NAN,
                                            .verdict = caution_if(c->high < 1.0 || c->low > 1.0)};
    if (isnan(c->value) || isnan(c->error)) {
        return REGRET_OK;
    }
    regret_buffer_printf(
        &text,
        "on rows that the fit did not see, a predicted difference of 1 between agents "
        "was %.2f (%.2f to %.2f): ",
        c->value, c->low, c->high);
    regret_buffer_append(
        &text, c->high < 1.0 && c->low <= 0.0 ? "predictions by request say nothing; go by "
                                                "the values of agents"
               : c->high < 1.0 ? "predictions by request exaggerate; go by intervals, not "
                                 "by margins"
               : c->low > 1.0  ? "predictions by request are too timid; margins are larger "
                                 "than they say"
                               : "predictions are about right");
    return insert(e, &entry, &text);
}

/* Do the families, which read the log in different ways, name the same single agent? */
static int add_families(struct regret_evaluation *e, const struct regret_log *log)
{
    size_t same = 0, other = e->n_families;
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < e->n_families; i++) {
        same += e->family[i].single == e->family[e->used].single;
        other = e->family[i].single != e->family[e->used].single ? i : other;
    }
    const struct regret_diagnostic entry = {.name = "families",
                                            .what =
                                                "share of families that name the same best agent",
                                            .value = (double)same / (double)e->n_families,
                                            .low = NAN,
                                            .high = NAN,
                                            .p = NAN,
                                            .verdict = caution_if(other < e->n_families)};
    if (e->n_families < 2) {
        return REGRET_OK;
    }
    regret_buffer_printf(&text, "%zu of %zu families name", same, e->n_families);
    log_say(&text, log, " @ the best single agent", &e->family[e->used].single);
    if (other < e->n_families) {
        regret_buffer_printf(&text, "; %s names", e->family[other].name);
        log_say(&text, log, " @: go by the intervals, which are corrected by the trial",
                &e->family[other].single);
    }
    return insert(e, &entry, &text);
}

int answer_add_seed(struct regret_evaluation *e, const struct regret_evaluation *again,
                    const struct regret_log *log)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    if (e->single == e->n_agents || again->single == again->n_agents) {
        return REGRET_OK;
    }
    const struct regret_valued *v = &e->agent[e->single].value[REGRET_VALUE_SNDR];
    const struct regret_valued *w = &again->agent[e->single].value[REGRET_VALUE_SNDR];
    double change = v->error > 0.0 ? (w->value - v->value) / v->error : 0.0;
    int is_same = e->single == again->single, is_fine = is_same && fabs(change) < 1.0;
    const struct regret_diagnostic entry = {.name = "seed",
                                            .what =
                                                "change of the best agent's value, in its errors",
                                            .value = change,
                                            .low = NAN,
                                            .high = NAN,
                                            .p = NAN,
                                            .verdict = caution_if(!is_fine)};
    log_say(&text, log, "with other folds and the surface of mixed @", &again->single);
    regret_buffer_printf(
        &text,
        " is the best single agent%s; the value of the one named here changes by %+.2f "
        "of its standard errors%s",
        is_same ? ", too" : "", change,
        is_fine ? "" : ": what chance deals into folds matters; go by intervals");
    return insert(e, &entry, &text);
}

int answer_add_checks(struct regret_evaluation *e, const struct regret_log *log)
{
    TRY(add_calibration(e));
    return add_families(e, log);
}

static double within(double x, double least)
{
    return x < least ? least : x > 1.0 ? 1.0 : x;
}

/* On the scale that was given, and within it: values of corrected surfaces may be outside, as no mean of outcomes is (protocol §13). */
static struct regret_valued scaled(const struct regret_log *log, const struct regret_valued *v,
                                   double add, double least)
{
    double low = within(v->low, least), high = within(v->high, least);
    bounds_of_gap(log, &low, &high);
    return (struct regret_valued){.value = add + gap_as_given(log, within(v->value, least)),
                                  .error = fabs(gap_as_given(log, v->error)),
                                  .df = v->df,
                                  .low = add + low,
                                  .high = add + high,
                                  .rows = v->rows};
}

struct regret_valued value_as_given(const struct regret_log *log, const struct regret_valued *v)
{
    return scaled(log, v, log->low, 0.0);
}

struct regret_valued difference_as_given(const struct regret_log *log,
                                         const struct regret_valued *v)
{
    return scaled(log, v, 0.0, -1.0);
}

struct regret_valued bounds_as_given(const struct regret_log *log,
                                     const struct regret_agent_value *agent)
{
    const struct regret_valued bounds = {.low = agent->simultaneous_low,
                                         .high = agent->simultaneous_high};
    return scaled(log, &bounds, 0.0, -1.0);
}
