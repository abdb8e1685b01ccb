#include "base/core/texts.h"
#include "base/core/try.h"
#include "log/core/incumbent.h"
#include "log/core/parts.h"
#include "regret/alloc.h"

const char *regret_log_source_name(enum regret_log_source source)
{
    static const char *const names[REGRET_LOG_SOURCES] = {"obs", "exp"};
    return names[source];
}

int log_incumbent(size_t *out, const struct regret_log *log, const unsigned char *takes_part)
{
    const struct regret_log_rows *rows =
        &log->rows[log->rows[REGRET_LOG_OBS].n > 0 ? REGRET_LOG_OBS : REGRET_LOG_EXP];
    size_t *count = NULL, best = log->n_agents;
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
    regret_free(count);
    *out = best;
    return REGRET_OK;
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
