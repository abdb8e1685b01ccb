#include <math.h>

#include "base/core/try.h"
#include "evaluate/answer/answer.h"
#include "regret/alloc.h"
#include "regret/model.h"

/* A column of more words than this is left out: few rows have each. */
enum { MOST_WORDS = 32 };

/* What the model is fitted on: contexts of rows that surfaces were fitted to, and agents that can be compared. */
struct targets {
    size_t n, n_agents;
    uint32_t *context,
        *place;      /* [n] of the log; [log->n_contexts] the reverse; owned, as the others */
    uint32_t *agent; /* [n_agents] */
    const char **text, **tag, **name;
    double *target, *count; /* [n × n_agents], [n] */
    struct regret_model_row *row;
    size_t n_rows;
    struct regret_column *column;  /* [n_columns]; names borrowed, as the words of cells */
    struct regret_covariate *cell; /* [n × n_columns] */
    const struct regret_covariate **covariate; /* [n] */
    size_t n_columns;
};

static void targets_clear(struct targets *t)
{
    regret_free(t->context);
    regret_free(t->place);
    regret_free(t->agent);
    regret_free(t->text);
    regret_free(t->tag);
    regret_free(t->name);
    regret_free(t->target);
    regret_free(t->count);
    regret_free(t->row);
    regret_free(t->column);
    regret_free(t->cell);
    regret_free(t->covariate);
}

static int list_contexts(struct targets *t, const struct regret_evaluation *e,
                         const struct regret_log *log)
{
    TRY(REGRET_NEW(&t->place, log->n_contexts));
    TRY(REGRET_NEW(&t->context, e->n_fitted));
    for (size_t i = 0; i < e->n_fitted; i++) {
        uint32_t x = log->rows[e->basis].context[e->row[i]];
        if (t->place[x] == 0) {
            t->context[t->n++] = x;
            t->place[x] = (uint32_t)t->n; /* and one, for 0 is none */
        }
    }
    TRY(REGRET_NEW(&t->agent, e->n_agents));
    for (size_t a = 0; a < e->n_agents; a++) {
        if (e->agent[a].clusters >= 2 && !e->agent[a].is_withdrawn) {
            t->agent[t->n_agents++] = (uint32_t)a;
        }
    }
    return REGRET_OK;
}

/* f^(−k)(x, a) + 1{A=a} (Y − f^(−k)(x, a))/p, whose mean given the context is mu(x,a), on the mean over its rows. */
static int fill_targets(struct targets *t, const struct regret_evaluation *e,
                        const struct regret_log *log)
{
    const struct regret_log_rows *rows = &log->rows[e->basis];
    TRY(REGRET_NEW(&t->target, t->n * t->n_agents));
    TRY(REGRET_NEW(&t->count, t->n));
    TRY(REGRET_NEW(&t->row, e->n_fitted));
    for (size_t i = 0; i < e->n_fitted; i++) {
        t->count[t->place[rows->context[e->row[i]]] - 1] += 1.0;
    }
    for (size_t i = 0; i < e->n_fitted; i++) {
        uint32_t at = e->row[i];
        size_t x = t->place[rows->context[at]] - 1;
        for (size_t j = 0; j < t->n_agents; j++) {
            double f = e->surface[e->surface_of[i] * e->n_agents + t->agent[j]];
            double own = 0.0;
            if (rows->agent[at] == t->agent[j]) {
                own = (rows->outcome[at] - f) / e->propensity[i];
                t->row[t->n_rows++] = (struct regret_model_row){
                    (uint32_t)x, (uint32_t)j, rows->outcome[at], 1.0 / e->propensity[i]};
            }
            t->target[x * t->n_agents + j] += (f + own) / t->count[x];
        }
    }
    return REGRET_OK;
}

static int name_targets(struct targets *t, const struct regret_log *log)
{
    TRY(REGRET_NEW(&t->text, t->n));
    TRY(REGRET_NEW(&t->tag, t->n));
    TRY(REGRET_NEW(&t->name, t->n_agents));
    for (size_t x = 0; x < t->n; x++) {
        const char *text = log->text != NULL ? log->text[t->context[x]] : NULL;
        t->text[x] = text != NULL ? text : "";
        t->tag[x] = log->tag != NULL ? log->tags[log->tag[t->context[x]]] : NULL;
    }
    for (size_t j = 0; j < t->n_agents; j++) {
        t->name[j] = log->agent[t->agent[j]];
    }
    return REGRET_OK;
}

/* What a column has of a context. */
static struct regret_covariate cell_of(const struct regret_log_column *c, uint32_t x)
{
    return (struct regret_covariate){.number = c->is_word ? NAN : c->value[x],
                                     .word = c->is_word ? c->words[c->word[x]] : NULL};
}

static int list_columns(struct targets *t, const struct regret_log *log)
{
    TRY(REGRET_NEW(&t->column, log->n_columns));
    TRY(REGRET_NEW(&t->cell, t->n * log->n_columns));
    TRY(REGRET_NEW(&t->covariate, t->n));
    for (size_t j = 0; j < log->n_columns; j++) {
        const struct regret_log_column *c = &log->column[j];
        if (!c->is_word || c->n_words <= MOST_WORDS) {
            t->column[t->n_columns++] = (struct regret_column){
                c->name, c->is_word ? REGRET_COLUMN_WORD : REGRET_COLUMN_NUMBER};
            for (size_t x = 0; x < t->n; x++) {
                t->cell[x * log->n_columns + t->n_columns - 1] = cell_of(c, t->context[x]);
            }
        }
    }
    for (size_t x = 0; x < t->n; x++) {
        t->covariate[x] = t->cell + x * log->n_columns;
    }
    return REGRET_OK;
}

int answer_model(struct regret_model **out, const struct regret_evaluation *e,
                 const struct regret_log *log, const struct regret_evaluate_options *options)
{
    FREED_BY(targets_clear) struct targets t = {0};
    *out = NULL;
    TRY(list_contexts(&t, e, log));
    TRY(fill_targets(&t, e, log));
    TRY(name_targets(&t, log));
    TRY(list_columns(&t, log));
    const struct regret_model_data data = {.n_contexts = t.n,
                                           .n_agents = t.n_agents,
                                           .text = t.text,
                                           .tag = log->tag != NULL ? t.tag : NULL,
                                           .agent = t.name,
                                           .column = t.column,
                                           .covariate = t.covariate,
                                           .n_columns = t.n_columns,
                                           .target = t.target,
                                           .row = t.row,
                                           .n_rows = t.n_rows,
                                           .features = options->features,
                                           .max_bytes = options->max_bytes,
                                           .pool = "evaluate",
                                           .pool_digest = "",
                                           .settings = "{}"};
    TRY(regret_model_fit(out, &data, options->threads));
    regret_model_set_told(*out, e->verdict != REGRET_VERDICT_CANNOT_TELL);
    return REGRET_OK;
}
