/* What of a log is doubtful or lost, and what has no meaning as a whole. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/status.h"
#include "base/text.h"
#include "log/config.h"
#include "log/internal.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "table/words.h"

enum {
    EXAMPLE = 40,
    MESSAGE = 120,
    NOTE = 1000
}; /* terminal columns of one, of what a reader says, of a note */

void log_lose(struct log_tally tally[LOG_LOSSES], enum log_loss why, uint64_t line,
              const char *example)
{
    struct log_tally *t = &tally[why];
    if (t->n++ > 0) {
        return;
    }
    t->line = line;
    snprintf(t->example, sizeof t->example, "%s", example != NULL ? example : "");
}

size_t log_losses(const struct log_tally tally[LOG_LOSSES])
{
    size_t n = 0;
    for (size_t i = 0; i < LOG_LOSSES; i++) {
        n += tally[i].n;
    }
    return n;
}

static void put_example(struct regret_buffer *out, const char *example)
{
    if (example[0] != '\0') {
        regret_buffer_append(out, " (\"");
        regret_buffer_append_safe(out, example, EXAMPLE);
        regret_buffer_append(out, "\")");
    }
}

/* An outcome that is not on the scale that was given. */
static void put_range(struct regret_buffer *out, const struct log_scale *scale)
{
    if (scale->kind == LOG_SCALE_BINARY) {
        regret_buffer_append(out, "an outcome that is neither 0 nor 1");
    } else if (isnan(scale->low) || isnan(scale->high)) {
        regret_buffer_printf(out, "an outcome beyond %g, the %s",
                             isnan(scale->low) ? scale->high : scale->low,
                             isnan(scale->low) ? "best" : "worst");
    } else {
        regret_buffer_printf(out, "an outcome outside of %g to %g", scale->low, scale->high);
    }
}

/* A message without the place that it begins with: the line is told beside it. */
static const char *without_place(const char *message, uint64_t line)
{
    char mark[32];
    snprintf(mark, sizeof mark, ":%" PRIu64, line);
    const char *place = strstr(message, mark);
    const char *end = place != NULL ? strstr(place, ": ") : NULL;
    return end != NULL ? end + 2 : message;
}

/* Each kind in words, with the first example and what may be done: 1 where that is known. */
static int put_reason(struct regret_buffer *out, enum log_loss why, const struct log_tally *t,
                      const struct log_scale *scale)
{
    double x = 0.0;
    static const char *const words[LOG_LOSSES][2] = {
        [LOG_LOSS_MALFORMED] = {"a row that cannot be read", ""},
        [LOG_LOSS_CONTEXT] = {"no context", ""},
        [LOG_LOSS_AGENT] = {"no agent", ""},
        [LOG_LOSS_AGENT_LONG] = {"an agent's name of more than 200 bytes",
                                 "; is it the column of answers?"},
        [LOG_LOSS_OUTCOME_BLANK] = {"no outcome", "; if a blank means bad, write 0"},
        [LOG_LOSS_OUTCOME_TEXT] = {"an outcome that is no number", ""},
        [LOG_LOSS_OUTCOME_WORD] = {"an outcome that is a word on a scale of numbers",
                                   "; write numbers: a word is 1 or 0"},
        [LOG_LOSS_OUTCOME_RANGE] = {"", "; \"outcome\" has the range"},
        [LOG_LOSS_OUTCOME_COUNT] = {"an outcome that is no count", "; counts are 0, 1, 2, …"},
        [LOG_LOSS_CHANCE_BLANK] = {"no probability", "; to use such rows leave \"propensity\" out"},
        [LOG_LOSS_CHANCE_TEXT] = {"a probability that is no number", "; write a share, as 0.25"},
        [LOG_LOSS_CHANCE_ZERO] = {"a probability that is not above zero",
                                  "; what happened had a chance, of 1e-100 at least: give it"},
        [LOG_LOSS_CHANCE_ABOVE] = {"a probability above one",
                                   "; give it as a share, not in percent"},
        [LOG_LOSS_SLATE] =
            {"a slate that cannot be read",
             "; it is a list, a|b|c or [\"a\", \"b\"], or has a probability of each, "
             "{\"a\": 0.5, \"b\": 0.5}"},
        [LOG_LOSS_SLATE_AGENT] = {"an agent that was not on offer", "; \"slate\" lists who was"},
        [LOG_LOSS_SLATE_SUM] = {"a slate whose probabilities do not sum to one", ""},
        [LOG_LOSS_CONTEXT_SUM] =
            {"probabilities of the agents of one context that do not sum to one",
             "; \"propensity\" is that of the row's own agent"},
    };
    if (why == LOG_LOSS_MALFORMED && t->example[0] != '\0') {
        regret_buffer_append(out, "a row that cannot be read: ");
        regret_buffer_append_safe(out, without_place(t->example, t->line), MESSAGE);
        return 0;
    }
    if (why == LOG_LOSS_OUTCOME_RANGE) {
        put_range(out, scale);
    }
    regret_buffer_append(out, words[why][0]);
    put_example(out, t->example);
    const char *remedy =
        why == LOG_LOSS_OUTCOME_TEXT && table_source_parse_comma(&x, t->example)
            ? "; write decimal points, or decimal commas alone, and thousands without a mark"
            : words[why][1];
    regret_buffer_append(out, remedy);
    return remedy[0] != '\0';
}

int log_losses_tell(struct regret_log *log, const struct log_config *config,
                    enum regret_log_source source, const struct log_tally tally[LOG_LOSSES])
{
    int rc = REGRET_OK;
    for (int i = LOG_LOSS_NONE + 1; i < LOG_LOSSES; i++) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        if (tally[i].n == 0) {
            continue;
        }
        struct regret_log_loss *loss =
            sticky_append(&rc, (void **)&log->loss, &log->n_losses, sizeof *log->loss);
        TRY(rc);
        loss->source = source;
        loss->n = tally[i].n;
        loss->line = tally[i].line;
        put_reason(&text, (enum log_loss)i, &tally[i], &config->scale);
        TRY(text_take(&loss->reason, &text));
    }
    return REGRET_OK;
}

int log_losses_check(const struct log_config *config, enum log_input_of input,
                     const struct log_tally tally[LOG_LOSSES], size_t used)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    size_t lost = log_losses(tally), most = LOG_LOSS_NONE;
    const char *path = config->input[input].path;
    if (lost <= used && used > 0) {
        return REGRET_OK;
    }
    if (lost == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "%s has no rows; give a table with some, or leave \"%s\" out", path,
                           log_input_name(input));
    }
    for (size_t i = 0; i < LOG_LOSSES; i++) {
        most = tally[i].n > tally[most].n ? i : most;
    }
    int is_told = put_reason(&text, (enum log_loss)most, &tally[most], &config->scale);
    TRY(regret_buffer_status(&text));
    return regret_fail(REGRET_E_INPUT,
                       "%s:%llu: %s; %zu of %zu rows of \"%s\" cannot be used, %zu of them for "
                       "this%s",
                       path, (unsigned long long)tally[most].line, regret_buffer_get(&text), lost,
                       lost + used, log_input_name(input), tally[most].n,
                       is_told ? "" : ": see that its columns are named right");
}

int log_note(struct regret_log *log, const char *format, ...)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    int rc = REGRET_OK;
    va_list args;
    va_start(args, format);
    FREED char *said = sticky_print(&rc, format, args); /* with names as strangers write them */
    va_end(args);
    TRY(rc);
    regret_buffer_append_safe(&text, said, NOTE);
    char **place = sticky_append(&rc, (void **)&log->note, &log->n_notes, sizeof *log->note);
    TRY(rc);
    return text_take(place, &text);
}

enum { FEW = 5, NAME = 40 }; /* agents named in a message, and terminal columns of each */

/* ---------------------------------------------------------------- files */

int log_check_files(const struct log_config *config)
{
    const char *path[] = {config->input[LOG_INPUT_OBS].path, config->input[LOG_INPUT_EXP].path};
    char digest[2][33];
    size_t size[2];
    for (size_t i = 0; i < 2; i++) {
        int fd = -1;
        if (path[i] == NULL) {
            return REGRET_OK;
        }
        TRY(input_open_regular(&fd, &size[i], path[i]));
        close(fd);
    }
    if (size[0] != size[1] || size[0] == 0) {
        return REGRET_OK;
    }
    TRY(regret_digest_file(digest[0], path[0]));
    TRY(regret_digest_file(digest[1], path[1]));
    return strcmp(digest[0], digest[1]) != 0
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "%s: \"obs\" and \"exp\" are the same rows (%s, %s): a log is no trial "
                     "beside itself; were they assigned at random, leave \"obs\" out, else "
                     "\"exp\"",
                     config->path, path[0], path[1]);
}

/* ---------------------------------------------------------------- agents */

/* "a, b, c and 4 more" of the agents that are in `here` and not in `there` (NULL: nobody is). */
static void put_agents(struct regret_buffer *out, const struct regret_log *log,
                       const unsigned char *here, const unsigned char *there)
{
    size_t n = 0;
    for (size_t a = 0; a < log->n_agents; a++) {
        if (!here[a] || (there != NULL && there[a])) {
            continue;
        }
        if (n++ < FEW) {
            regret_buffer_append(out, n > 1 ? ", " : "");
            regret_buffer_append_safe(out, log->agent[a], NAME);
        }
    }
    if (n > FEW) {
        regret_buffer_printf(out, " and %zu more", n - FEW);
    }
}

static size_t count_agents(const struct regret_log *log, const unsigned char *here,
                           const unsigned char *there, int in_both)
{
    size_t n = 0;
    for (size_t a = 0; a < log->n_agents; a++) {
        n += here[a] && (there == NULL || (there[a] != 0) == in_both);
    }
    return n;
}

static int no_overlap(const struct log_reading *r)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_printf(&text, "no agent is in both tables: %s has ",
                         r->config.input[LOG_INPUT_OBS].path);
    put_agents(&text, r->log, r->pass[REGRET_LOG_OBS].agents, NULL);
    regret_buffer_printf(&text, "; %s has ", r->config.input[LOG_INPUT_EXP].path);
    put_agents(&text, r->log, r->pass[REGRET_LOG_EXP].agents, NULL);
    TRY(regret_buffer_status(&text));
    return regret_fail(REGRET_E_INPUT, "%s. Names must be spelled alike; or leave one table out",
                       regret_buffer_get(&text));
}

/* Notes who is in one table only. */
static int tell_apart(struct log_reading *r, enum regret_log_source here, const char *what)
{
    FREED_BY(regret_buffer_free) struct regret_buffer names = REGRET_BUFFER_INIT;
    const unsigned char *in = r->pass[here].agents, *other = r->pass[!here].agents;
    size_t n = count_agents(r->log, in, other, 0);
    if (n == 0) {
        return REGRET_OK;
    }
    put_agents(&names, r->log, in, other);
    TRY(regret_buffer_status(&names));
    return log_note(r->log, "%zu agent%s in %s only (%s): %s", n, n == 1 ? " is" : "s are",
                    here == REGRET_LOG_OBS ? "OBS" : "EXP", regret_buffer_get(&names), what);
}

int log_check_agents(struct log_reading *r)
{
    const struct regret_log *log = r->log;
    const unsigned char *obs = r->pass[REGRET_LOG_OBS].agents,
                        *exp = r->pass[REGRET_LOG_EXP].agents;
    size_t n_obs = count_agents(log, obs, NULL, 0), n_exp = count_agents(log, exp, NULL, 0);
    enum log_input_of one = n_exp > 0 ? LOG_INPUT_EXP : LOG_INPUT_OBS;
    if (log->n_agents < 2 || n_exp == 1) {
        size_t a = 0;
        while (!(n_exp == 1 ? exp : obs)[a]) {
            a++;
        }
        return regret_fail(
            REGRET_E_INPUT,
            "%s: the only agent is \"%.60s\" (column \"%s\"): %s; name the column "
            "of who answered, or give a table with several agents%s",
            r->config.input[one].path, log->agent[a], r->config.input[one].field[LOG_AGENT],
            one == LOG_INPUT_EXP ? "nothing was randomized" : "there is nothing to compare",
            n_exp == 1 && log->n_agents > 1 ? ", or leave \"exp\" out" : "");
    }
    if (n_obs == 0 || n_exp == 0) {
        return REGRET_OK;
    }
    if (count_agents(log, obs, exp, 1) == 0) {
        return no_overlap(r);
    }
    TRY(tell_apart(r, REGRET_LOG_OBS, "nothing randomized says how good they are"));
    return tell_apart(r, REGRET_LOG_EXP, "the log has nothing on them");
}

/* ---------------------------------------------------------------- probabilities of a context */

struct chance {
    uint32_t context, agent;
    double chance;
};

static int chance_compare(const void *x, const void *y)
{
    const struct chance *a = x, *b = y;
    return a->context != b->context ? (a->context > b->context) - (a->context < b->context)
           : a->agent != b->agent   ? (a->agent > b->agent) - (a->agent < b->agent)
                                    : (a->chance > b->chance) - (a->chance < b->chance);
}

/* Whether the rows of one context, c[0..n), may be. A pair may have several probabilities, of different days: the least
 * and the most of each are what is summed. */
static int sums_are_possible(const struct chance *c, size_t n, size_t n_agents)
{
    double least = 0.0, most = 0.0;
    size_t agents = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || c[i].agent != c[i - 1].agent) {
            least += c[i].chance;
            agents++;
        }
        if (i + 1 == n || c[i + 1].agent != c[i].agent) {
            most += c[i].chance;
        }
    }
    return least <= 1.0 + LOG_SUM_SLACK && (agents < n_agents || most >= 1.0 - LOG_SUM_SLACK);
}

int log_check_sums(struct log_reading *r)
{
    struct regret_log_rows *rows = &r->log->rows[REGRET_LOG_EXP];
    struct log_pass *pass = &r->pass[REGRET_LOG_EXP];
    FREED unsigned char *bad = NULL; /* contexts that cannot be */
    FREED struct chance *c = NULL;
    size_t kept = 0;
    if (pass->stated_chances == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&bad, r->contexts.n));
    TRY(REGRET_NEW(&c, rows->n));
    for (size_t i = 0; i < rows->n; i++) {
        c[i] = (struct chance){rows->context[i], rows->agent[i], rows->propensity[i]};
    }
    qsort(c, rows->n, sizeof *c, chance_compare);
    for (size_t i = 0, end; i < rows->n; i = end) {
        for (end = i + 1; end < rows->n && c[end].context == c[i].context; end++) {
        }
        bad[c[i].context] = !sums_are_possible(c + i, end - i, r->log->n_agents);
    }
    for (size_t i = 0; i < rows->n; i++) {
        if (bad[rows->context[i]]) {
            log_lose(pass->tally, LOG_LOSS_CONTEXT_SUM, rows->line[i], NULL);
        } else {
            log_rows_move(rows, kept++, i);
        }
    }
    rows->n = kept;
    return log_losses_check(&r->config, LOG_INPUT_EXP, pass->tally, kept);
}

/* ---------------------------------------------------------------- notes */

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* Contexts of rows of both sources. */
static int tell_both(struct log_reading *r)
{
    const struct regret_log_rows *obs = &r->log->rows[REGRET_LOG_OBS],
                                 *exp = &r->log->rows[REGRET_LOG_EXP];
    FREED unsigned char *in = NULL;
    size_t n = 0;
    if (obs->n == 0 || exp->n == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&in, r->contexts.n));
    for (size_t i = 0; i < exp->n; i++) {
        in[exp->context[i]] = 1;
    }
    for (size_t i = 0; i < obs->n; i++) {
        n += in[obs->context[i]] == 1;
        in[obs->context[i]] |= 2;
    }
    return n == 0 ? REGRET_OK
                  : log_note(r->log,
                             "%zu context%s in both OBS and EXP: what is learned and judged on "
                             "them is kept apart",
                             n, n == 1 ? " is" : "s are");
}

static int tell_table(struct log_reading *r, enum regret_log_source s)
{
    const struct log_pass *pass = &r->pass[s];
    size_t n = r->log->rows[s].n;
    const char *path = r->config.input[s].path;
    if (pass->bad_times > 0) {
        TRY(log_note(r->log,
                     "%zu time%s of %s cannot be read, the first at line %llu (\"%s\"): write "
                     "2026-03-01T12:30:00Z, or seconds since 1970",
                     pass->bad_times, plural(pass->bad_times), path,
                     (unsigned long long)pass->bad_time_line, pass->bad_time));
    }
    if (pass->backwards > 0) {
        TRY(log_note(r->log,
                     "times go backwards in %s at %zu row%s, the first at line %llu: rows "
                     "are taken as of the time they give",
                     path, pass->backwards, plural(pass->backwards),
                     (unsigned long long)pass->backwards_line));
    }
    if (pass->without_cluster > 0) {
        TRY(log_note(r->log,
                     "%zu of %zu rows of %s have no cluster and are taken by their contexts",
                     pass->without_cluster, n, path));
    }
    if (pass->bad_costs > 0) {
        TRY(log_note(r->log, "%zu cost%s of %s cannot be read and are left out", pass->bad_costs,
                     plural(pass->bad_costs), path));
    }
    return s == REGRET_LOG_OBS && pass->stated_chances > 0 && pass->without_chance > 0
               ? log_note(r->log, "%zu of %zu rows of %s have no probability: none is used",
                          pass->without_chance, n, path)
               : REGRET_OK;
}

/* One table has ids of contexts, the other only texts: no context can then be in both. */
static int tell_ids(struct log_reading *r)
{
    const struct log_input *input = r->config.input;
    int id[LOG_INPUTS];
    for (int i = 0; i < LOG_INPUTS; i++) {
        id[i] = input[i].field[LOG_CONTEXT] != NULL;
    }
    for (int i = 1; i < LOG_INPUTS; i++) {
        for (int j = 0; j < i; j++) {
            if (input[i].path != NULL && input[j].path != NULL && id[i] != id[j]) {
                return log_note(r->log,
                                "\"%s\" names contexts by an id and \"%s\" by their texts: no "
                                "context is taken to be in both",
                                log_input_name((enum log_input_of)(id[i] ? i : j)),
                                log_input_name((enum log_input_of)(id[i] ? j : i)));
            }
        }
    }
    return REGRET_OK;
}

/* Agents that look like one. */
static int tell_twins(struct log_reading *r)
{
    const char *twin[2];
    TRY(name_twins(twin, (const char *const *)r->log->agent, r->log->n_agents));
    return twin[0] == NULL ? REGRET_OK
                           : log_note(r->log, "agents \"%.60s\" and \"%.60s\" %s", twin[0], twin[1],
                                      NAME_TWINS);
}

int log_tell_doubts(struct log_reading *r)
{
    const struct log_pass *outputs = &r->pass[LOG_INPUT_OUTPUTS];
    TRY(tell_twins(r));
    TRY(tell_both(r));
    TRY(tell_ids(r));
    TRY(!r->log->is_by_slate ? REGRET_OK
                             : log_note(r->log, "EXP gives no probabilities: that of a row is one "
                                                "over the agents of its slate"));
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        TRY(tell_table(r, (enum regret_log_source)s));
    }
    if (r->tag_conflicts > 0) {
        TRY(log_note(r->log, "%zu row%s another tag for a context that has one: the first counts",
                     r->tag_conflicts, r->tag_conflicts == 1 ? " has" : "s have"));
    }
    size_t lost = log_losses(outputs->tally);
    return lost == 0 ? REGRET_OK
                     : log_note(r->log, "%zu row%s of %s cannot be read and are left out", lost,
                                plural(lost), r->config.input[LOG_INPUT_OUTPUTS].path);
}
