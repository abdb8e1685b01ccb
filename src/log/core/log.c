#include "regret/log.h"

#include "regret/alloc.h"

const char *regret_log_source_name(enum regret_log_source source)
{
    static const char *const names[REGRET_LOG_SOURCES] = {"obs", "exp"};
    return names[source];
}

/* Those of a log that was not read to its end may not be there. */
static void free_texts(char **texts, size_t n)
{
    while (texts != NULL && n > 0) {
        regret_free(texts[--n]);
    }
    regret_free(texts);
}

static void free_rows(struct regret_log_rows *rows)
{
    regret_free(rows->context);
    regret_free(rows->agent);
    regret_free(rows->outcome);
    regret_free(rows->propensity);
    regret_free(rows->cluster);
    regret_free(rows->time);
    regret_free(rows->line);
}

static void free_column(struct regret_log_column *column)
{
    regret_free(column->name);
    regret_free(column->value);
    regret_free(column->word);
    free_texts(column->words, column->n_words);
}

void regret_log_free(struct regret_log *log)
{
    if (log == NULL) {
        return;
    }
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        free_texts(log->row_output[s], log->rows[s].n);
        free_rows(&log->rows[s]);
    }
    free_texts(log->output, log->n_evaluation * log->n_agents);
    for (size_t i = 0; log->column != NULL && i < log->n_columns; i++) {
        free_column(&log->column[i]);
    }
    for (size_t i = 0; log->loss != NULL && i < log->n_losses; i++) {
        regret_free(log->loss[i].reason);
    }
    free_texts(log->note, log->n_notes);
    regret_free(log->cluster_name);
    free_texts(log->agent, log->n_agents);
    free_texts(log->context, log->n_contexts);
    free_texts(log->text, log->n_contexts);
    free_texts(log->tags, log->n_tags);
    regret_free(log->column);
    regret_free(log->loss);
    regret_free(log->tag);
    regret_free(log->drawn);
    regret_free(log->evaluation);
    regret_free(log->cost);
    regret_free(log);
}
