/* One request under several names, in both sources, among those that are to be evaluated; rows that came twice; outputs that
 * changed. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "evaluate/copies/repeats.h"
#include "evaluate/copies/same_rows.h"
#include "evaluate/copies/texts.h"
#include "evaluate/diagnose/findings.h"
#include "regret/alloc.h"

static const double some_copies = 0.05, many_copies = 0.5;
static const double some_repeated = 0.001, many_repeated = 0.01;
static const double some_same = 0.02, many_same = 0.2;
static const double some_changed = 0.01, many_changed = 0.5;

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
    const char *name = source == REGRET_LOG_EXP ? "EXP" : "OBS";
    struct finding *found = findings_add(
        f, "copies", "share of rows whose text stands under another context's name as well");
    found->value = share;
    found->verdict = share > many_copies   ? REGRET_DIAGNOSTIC_NO
                     : share > some_copies ? REGRET_DIAGNOSTIC_CAUTION
                                           : REGRET_DIAGNOSTIC_FINE;
    regret_buffer_printf(&found->fine,
                         "%zu of %zu rows of %s have a text that stands under several contexts.", n,
                         rows->n, name);
    regret_buffer_printf(
        &found->found,
        "%zu of %zu rows of %s (%.1f %%) have a text that stands under several contexts, context ",
        n, rows->n, name, 100.0 * share);
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
    uint32_t *place = NULL;
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
    regret_free(place);
    if (n == 0) {
        return REGRET_OK;
    }
    const char *name = source == REGRET_LOG_OBS ? "OBS" : "EXP";
    struct finding *found =
        findings_add(f, source == REGRET_LOG_OBS ? "outputs.obs" : "outputs.exp",
                     "share of rows whose output is not the cached one");
    double share = (double)changed / (double)n;
    found->value = share;
    found->verdict = share > many_changed   ? REGRET_DIAGNOSTIC_NO
                     : share > some_changed ? REGRET_DIAGNOSTIC_CAUTION
                                            : REGRET_DIAGNOSTIC_FINE;
    regret_buffer_printf(
        &found->fine,
        "%zu of %zu outputs of %s are not the cached ones of the same context and agent.%s",
        changed, n, name,
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
    const char *name = source == REGRET_LOG_OBS ? "OBS" : "EXP";
    struct finding *found =
        findings_add(f, source == REGRET_LOG_OBS ? "repeated.obs" : "repeated.exp",
                     "share of sequences of eight rows that came before");
    found->value = share;
    found->verdict = share > many_repeated   ? REGRET_DIAGNOSTIC_NO
                     : share > some_repeated ? REGRET_DIAGNOSTIC_CAUTION
                                             : REGRET_DIAGNOSTIC_FINE;
    regret_buffer_printf(&found->fine, "No part of %s stands in it twice.", name);
    if (times > 1) {
        regret_buffer_printf(&found->found,
                             "Every row of %s stands in it %zu times, or a multiple of it: a file "
                             "was put into it again, or a join made copies",
                             name, times);
    } else {
        regret_buffer_printf(&found->found,
                             "%.1f %% of the rows of %s stand in it again, in sequence: a file was "
                             "put into it twice",
                             100.0 * share, name);
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
    found->verdict = same.share > many_same   ? REGRET_DIAGNOSTIC_NO
                     : same.share > some_same ? REGRET_DIAGNOSTIC_CAUTION
                                              : REGRET_DIAGNOSTIC_FINE;
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
