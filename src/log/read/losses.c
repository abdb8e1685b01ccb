#include "log/read/losses.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/core/sticky.h"
#include "base/core/try.h"
#include "import/table/table_cell.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

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

/* A buffer's text as a string that is owned. */
static int take_text(char **out, struct regret_buffer *text)
{
    int rc;
    TRY_CLEANUP(regret_buffer_status(text));
    rc = regret_strdup(out, regret_buffer_get(text));
cleanup:
    regret_buffer_free(text);
    return rc;
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
        TRY(take_text(&loss->reason, &text));
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
    struct regret_buffer text = REGRET_BUFFER_INIT;
    int rc = REGRET_OK;
    va_list args;
    va_start(args, format);
    char *said = sticky_print(&rc, format, args); /* with names as strangers write them */
    va_end(args);
    TRY_CLEANUP(rc);
    regret_buffer_append_safe(&text, said, NOTE);
    char **place = sticky_append(&rc, (void **)&log->note, &log->n_notes, sizeof *log->note);
    TRY_CLEANUP(rc);
    TRY_CLEANUP(take_text(place, &text));
cleanup:
    regret_buffer_free(&text);
    regret_free(said);
    return rc;
}
