#include "log/log.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/status.h"

/* When each agent was on offer last in a table, or was chosen, where that does not say who was. */
static int last_of_table(double *last, const struct regret_log *log, enum regret_log_source s)
{
    const struct regret_log_rows *rows = &log->rows[s];
    FREED double *latest = NULL;
    TRY(REGRET_NEW(&latest, log->n_offers));
    for (size_t o = 0; o < log->n_offers; o++) {
        latest[o] = -INFINITY;
    }
    for (size_t i = 0; i < rows->n && rows->time != NULL; i++) {
        double *to = rows->offer != NULL ? &latest[rows->offer[i]] : &last[rows->agent[i]];
        *to = fmax(*to, rows->time[i]);
    }
    for (size_t o = 0; o < log->n_offers; o++) {
        for (size_t a = 0; a < log->n_agents && latest[o] > -INFINITY; a++) {
            last[a] = is_on(log, o, a) ? fmax(last[a], latest[o]) : last[a];
        }
    }
    return REGRET_OK;
}

/* Rows up to the last time of each agent, in one way through them; all rows that have a time in *timed. */
static int count_before(size_t **out, size_t *timed, const struct regret_log_rows *rows,
                        const double *last, size_t n)
{
    FREED double *sorted = NULL;
    FREED size_t *rows_to = NULL;
    *timed = 0;
    TRY(REGRET_NEW(&sorted, n));
    TRY(REGRET_NEW(&rows_to, n + 1));
    TRY(REGRET_NEW(out, n));
    memcpy(sorted, last, n * sizeof *sorted);
    regret_sort_numbers(sorted, n);
    for (size_t i = 0; i < rows->n; i++) {
        if (!isnan(rows->time[i])) {
            rows_to[sorted_below(sorted, n, rows->time[i])]++;
            (*timed)++;
        }
    }
    for (size_t k = 1; k < n; k++) {
        rows_to[k] += rows_to[k - 1];
    }
    for (size_t a = 0; a < n; a++) {
        (*out)[a] = rows_to[sorted_below(sorted, n, last[a])];
    }
    return REGRET_OK;
}

/* An agent that is gone: once its share of rows has been so long without it that chance has it so in one of a thousand logs. */
static int is_gone(size_t own, size_t before, size_t later)
{
    return own > 0 && before > 0 &&
           (double)later * log1p(-(double)own / (double)(before + 1)) < log(1e-3);
}

int log_gone_find(struct log_gone *out, const struct regret_log *log)
{
    const struct regret_log_rows *rows = &log->rows[rows_of_values(log)];
    FREED size_t *own = NULL;
    FREED size_t *before = NULL;
    size_t timed = 0;
    TRY(REGRET_NEW(&out->last, log->n_agents));
    TRY(REGRET_NEW(&out->later, log->n_agents));
    TRY(REGRET_NEW(&out->is_gone, log->n_agents));
    if (rows->time == NULL) {
        return REGRET_OK;
    }
    for (size_t a = 0; a < log->n_agents; a++) {
        out->last[a] = -INFINITY;
    }
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        TRY(last_of_table(out->last, log, (enum regret_log_source)s));
    }
    TRY(count_before(&before, &timed, rows, out->last, log->n_agents));
    TRY(REGRET_NEW(&own, log->n_agents));
    for (size_t i = 0; i < rows->n; i++) {
        own[rows->agent[i]]++;
    }
    for (size_t a = 0; a < log->n_agents; a++) {
        out->later[a] = timed - before[a];
        out->is_gone[a] = (unsigned char)is_gone(own[a], before[a], out->later[a]);
    }
    return REGRET_OK;
}

int log_find_withdrawn(struct regret_log *log)
{
    FREED_BY(log_gone_fields) struct log_gone gone = {0};
    if (!some_were_absent(log)) {
        return REGRET_OK;
    }
    TRY(log_gone_find(&gone, log));
    log->withdrawn = gone.is_gone;
    gone.is_gone = NULL;
    return REGRET_OK;
}

const char *regret_log_source_name(enum regret_log_source source)
{
    static const char *const names[REGRET_LOG_SOURCES] = {"obs", "exp"};
    return names[source];
}

int log_incumbent(size_t *out, const struct regret_log *log, const unsigned char *takes_part)
{
    const struct regret_log_rows *rows =
        &log->rows[log->rows[REGRET_LOG_OBS].n > 0 ? REGRET_LOG_OBS : REGRET_LOG_EXP];
    FREED size_t *count = NULL;
    size_t best = log->n_agents;
    if (log->incumbent < log->n_agents) {
        *out = log->incumbent;
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&count, log->n_agents));
    for (size_t i = 0; i < rows->n; i++) {
        count[rows->agent[i]]++;
    }
    for (size_t a = 0; a < log->n_agents; a++) {
        if (takes_part[a] && (best == log->n_agents || count[a] > count[best])) {
            best = a;
        }
    }
    *out = best;
    return REGRET_OK;
}

void log_say(struct regret_buffer *out, const struct regret_log *log, const char *words,
             const size_t *agent)
{
    enum { COLUMNS = 40 };
    for (const char *at; (at = strchr(words, '@')) != NULL; words = at + 1, agent++) {
        regret_buffer_append_n(out, words, (size_t)(at - words));
        regret_buffer_append_safe(out, *agent < log->n_agents ? log->agent[*agent] : "none",
                                  COLUMNS);
    }
    regret_buffer_append(out, words);
}

static void free_rows(struct regret_log_rows *rows)
{
    regret_free(rows->cluster != rows->context ? rows->cluster : NULL);
    regret_free(rows->context);
    regret_free(rows->agent);
    regret_free(rows->outcome);
    regret_free(rows->propensity);
    regret_free(rows->slate);
    regret_free(rows->offer);
    regret_free(rows->time);
    regret_free(rows->line);
}

void log_free_column(struct regret_log_column *column)
{
    regret_free(column->name);
    regret_free(column->value);
    regret_free(column->word);
    texts_free(column->words, column->n_words);
}

void log_free_tags(struct regret_log *log)
{
    texts_free(log->tags, log->n_tags);
    regret_free(log->tag);
    log->tags = NULL;
    log->tag = NULL;
    log->n_tags = 0;
}

void regret_log_free(struct regret_log *log)
{
    if (log == NULL) {
        return;
    }
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        texts_free(log->row_output[s], log->rows[s].n);
        free_rows(&log->rows[s]);
    }
    texts_free(log->output, log->n_evaluation * log->n_agents);
    for (size_t i = 0; log->column != NULL && i < log->n_columns; i++) {
        log_free_column(&log->column[i]);
    }
    for (size_t i = 0; log->loss != NULL && i < log->n_losses; i++) {
        regret_free(log->loss[i].reason);
    }
    texts_free(log->note, log->n_notes);
    regret_free(log->cluster_name);
    texts_free(log->agent, log->n_agents);
    texts_free(log->context, log->n_contexts);
    texts_free(log->text, log->n_contexts);
    log_free_tags(log);
    regret_free(log->column);
    regret_free(log->loss);
    regret_free(log->first);
    for (size_t i = 0; i < log->n_holes; i++) {
        regret_free(log->hole[i].where);
    }
    regret_free(log->hole);
    regret_free(log->on_offer);
    regret_free(log->withdrawn);
    regret_free(log->drawn);
    regret_free(log->evaluation);
    regret_free(log->cost);
    regret_free(log);
}
