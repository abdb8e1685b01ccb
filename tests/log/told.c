#include "log/told.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/status.h"

static int by_text(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

static void tell_context(struct regret_buffer *out, const struct regret_log *log, uint32_t c)
{
    const char *text = log->text[c] != NULL ? log->text[c] : "-";
    regret_buffer_printf(out, " %s text %s", log->context[c] != NULL ? log->context[c] : "-", text);
    regret_buffer_printf(out, " tag %s", log->tag != NULL ? log->tags[log->tag[c]] : "-");
    for (size_t k = 0; k < log->n_columns; k++) {
        const struct regret_log_column *column = &log->column[k];
        if (column->is_word) {
            regret_buffer_printf(out, " %s %s", column->name, column->words[column->word[c]]);
        } else {
            regret_buffer_printf(out, " %s %.17g", column->name, column->value[c]);
        }
    }
}

static void tell_row(struct regret_buffer *out, const struct regret_log *log,
                     enum regret_log_source s, size_t i, int lines)
{
    const struct regret_log_rows *rows = &log->rows[s];
    regret_buffer_printf(out, "%s %s outcome %.17g", regret_log_source_name(s),
                         log->agent[rows->agent[i]], rows->outcome[i]);
    regret_buffer_printf(out, " p %.17g time %.17g",
                         rows->propensity != NULL ? rows->propensity[i] : NAN,
                         rows->time != NULL ? rows->time[i] : NAN);
    if (lines) {
        regret_buffer_printf(out, " line %llu", (unsigned long long)rows->line[i]);
    }
    if (log->row_output[s] != NULL && log->row_output[s][i] != NULL) {
        regret_buffer_printf(out, " answer %s", log->row_output[s][i]);
    }
    tell_context(out, log, rows->context[i]);
}

/* The lines of one source, sorted. */
static void tell_rows(struct regret_buffer *out, const struct regret_log *log,
                      enum regret_log_source s, int lines)
{
    size_t n = log->rows[s].n;
    char **line = calloc(n + 1, sizeof *line);
    for (size_t i = 0; line != NULL && i < n; i++) {
        struct regret_buffer one = REGRET_BUFFER_INIT;
        tell_row(&one, log, s, i, lines);
        line[i] = strdup(regret_buffer_get(&one));
        regret_buffer_free(&one);
    }
    qsort(line, n, sizeof *line, by_text);
    for (size_t i = 0; line != NULL && i < n; i++) {
        regret_buffer_printf(out, "%s\n", line[i]);
        free(line[i]);
    }
    free(line);
}

void told_log(struct regret_buffer *out, const struct regret_log *log, int lines)
{
    regret_buffer_printf(out, "%zu contexts, %zu clusters by %s, outcomes %g to %g\n",
                         log->n_contexts, log->n_clusters, log->cluster_name, log->low, log->high);
    for (size_t a = 0; a < log->n_agents; a++) {
        regret_buffer_printf(out, "agent %s cost %.12g\n", log->agent[a],
                             log->cost != NULL ? log->cost[a] : NAN);
    }
    tell_rows(out, log, REGRET_LOG_OBS, lines);
    tell_rows(out, log, REGRET_LOG_EXP, lines);
    for (size_t i = 0; i < log->n_losses; i++) {
        regret_buffer_printf(out, "lost %s %zu: %s\n", regret_log_source_name(log->loss[i].source),
                             log->loss[i].n, log->loss[i].reason);
    }
}

int told_note(const struct regret_log *log, const char *words)
{
    int found = 0;
    for (size_t i = 0; i < log->n_notes; i++) {
        found |= strstr(log->note[i], words) != NULL;
    }
    return found;
}
