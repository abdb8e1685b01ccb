/* Texts of a log. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/scales.h"
#include "log/internal.h"
#include "log/log.h"
#include "regret/status.h"
#include "table/fields.h"
#include "table/words.h"

struct log_texts {
    struct log_reading *r;
    struct id_table agents;
    struct said {
        struct names words; /* what stands in a column */
        uint32_t *word;     /* [n_kept] number + 1; 0: nothing; owned */
    } * column;             /* [n_columns]; owned */
    size_t text_conflicts, column_conflicts, strange_agents, repeated_outputs;
    uint64_t strange_line;    /* of the first agent that has no row */
    unsigned char *described; /* [n_kept] 1: an OBS row of the context was looked at; owned */
};

static int changed(const struct log_table *t)
{
    TRY(t->rc);
    return regret_fail(REGRET_E_INPUT,
                       "%s:%llu: the file changed while it was read; give one that "
                       "nobody writes to",
                       t->input->path, (unsigned long long)t->line);
}

static int set_text(struct log_texts *x, struct log_table *t, size_t context)
{
    const char *text = log_table_text(t, LOG_TEXT);
    char **place = &x->r->log->text[context];
    if (text == NULL || *text == '\0') {
        return REGRET_OK;
    }
    x->text_conflicts += *place != NULL && strcmp(*place, text) != 0;
    return *place != NULL ? REGRET_OK : regret_strdup(place, text);
}

static int set_covariates(struct log_texts *x, struct log_table *t, size_t context)
{
    for (size_t i = 0; i < t->input->n_columns; i++) {
        size_t c = t->input->column[i];
        const char *text = log_table_text(t, LOG_COVARIATES + i);
        uint32_t word = 0;
        if (text == NULL || log_is_none(text)) {
            continue;
        }
        TRY(names_enter(&word, &x->column[c].words, text));
        uint32_t *place = &x->column[c].word[context];
        x->column_conflicts += *place != 0 && *place != word + 1;
        *place = *place != 0 ? *place : word + 1;
    }
    return REGRET_OK;
}

/* All that the record at hand says of its context. */
static int describe(struct log_texts *x, struct log_table *t, size_t context)
{
    enum log_loss why = LOG_LOSS_NONE;
    const char *id = log_table_context(t, &why);
    if (id == NULL || regret_hash64(id, strlen(id)) != x->r->kept[context]) {
        return changed(t);
    }
    char **place = &x->r->log->context[context];
    if (*place == NULL) {
        TRY(regret_strdup(place, id));
        x->r->log->first[context] = t->line;
    }
    TRY(set_text(x, t, context));
    return set_covariates(x, t, context);
}

static int take_output(char **out, struct log_table *t)
{
    const char *text = log_table_text(t, LOG_OUTPUT);
    return text != NULL && *text != '\0' ? regret_strdup(out, text) : REGRET_OK;
}

static int take_cached_of(struct log_texts *x, struct log_table *t, size_t context,
                          const char *agent)
{
    struct regret_log *log = x->r->log;
    size_t a = agent != NULL ? id_table_find(&x->agents, agent) : SIZE_MAX;
    if (a == SIZE_MAX) {
        x->strange_line = x->strange_agents++ == 0 ? t->line : x->strange_line;
        return REGRET_OK;
    }
    char **place = &log->output[context * log->n_agents + a];
    x->repeated_outputs += *place != NULL;
    return *place != NULL ? REGRET_OK : take_output(place, t);
}

/* The output of the row, or those of its columns. */
static int take_cached(struct log_texts *x, struct log_table *t, size_t context)
{
    if (t->input->pattern == NULL) {
        return take_cached_of(x, t, context, log_table_text(t, LOG_AGENT));
    }
    for (size_t a = 0; a < fields_agents(t->fields); a++) {
        TRY(take_cached_of(x, t, context, fields_choose(t->fields, a)));
    }
    return REGRET_OK;
}

/* A request: its context is one of the first. One that was left out is none. */
static int take_request(struct log_texts *x, struct log_table *t)
{
    enum log_loss why = LOG_LOSS_NONE;
    const char *id = log_table_context(t, &why);
    uint32_t context = 0;
    if (id == NULL) {
        return REGRET_OK;
    }
    TRY(log_keys_put(&context, &x->r->requests, regret_hash64(id, strlen(id))));
    if (context >= x->r->pass[LOG_INPUT_OUTPUTS].n_contexts) {
        return changed(t);
    }
    TRY(describe(x, t, context));
    return x->r->log->output != NULL ? take_cached(x, t, context) : REGRET_OK;
}

/* Row i of a source; *drawn is how many of the drawn ones are behind. Of OBS rows that are not drawn the first of a context
 * that is kept counts, too: a trial may have ids alone. */
static int take_row(struct log_texts *x, struct log_table *t, size_t i, size_t *drawn)
{
    struct regret_log *log = x->r->log;
    size_t context = log->rows[t->which].context[i];
    int is_drawn = t->which != LOG_INPUT_OBS || (*drawn < log->n_drawn && log->drawn[*drawn] == i);
    int is_first = context < log->n_kept && !x->described[context];
    if (!is_drawn && !is_first) {
        return REGRET_OK;
    }
    *drawn += (size_t)is_drawn;
    TRY(describe(x, t, context));
    x->described[context] = t->which == LOG_INPUT_OBS;
    if (!is_drawn) {
        return REGRET_OK;
    }
    char **outputs = log->row_output[t->which];
    return outputs != NULL ? take_output(&outputs[i], t) : REGRET_OK;
}

/* Records whose line is that of a row; all requests. */
static int read_table(struct log_texts *x, enum log_input_of which)
{
    FREED_BY(log_table_close) struct log_table t = {0};
    const struct regret_log_rows *rows =
        which != LOG_INPUT_OUTPUTS ? &x->r->log->rows[which] : NULL;
    size_t row = 0, drawn = 0;
    int more = 1;
    if (x->r->config.input[which].path == NULL) {
        return REGRET_OK;
    }
    TRY(log_table_open(&t, &x->r->config, which));
    while (more) {
        TRY(log_table_next(&t, &more));
        if (more && t.is_record && rows == NULL) {
            TRY(take_request(x, &t));
        } else if (more && rows != NULL && row < rows->n && rows->line[row] == t.line) {
            TRY(take_row(x, &t, row++, &drawn));
        }
    }
    return rows != NULL && row < rows->n ? changed(&t) : REGRET_OK;
}

/* Where no context is in both tables: two ids, one of each, that people take for one. */
static int tell_twins(const struct log_reading *r)
{
    const struct regret_log *log = r->log;
    const struct regret_log_rows *obs = &log->rows[REGRET_LOG_OBS];
    FREED_BY(names_free) struct names folded = {0};
    FREED uint32_t *owner = NULL; /* of each name, a context of EXP */
    size_t of_exp = r->pass[LOG_INPUT_EXP].n_contexts, twin = SIZE_MAX, c = 0;
    TRY(REGRET_NEW(&owner, log->n_kept));
    for (size_t i = 0; i < obs->n; i++) {
        if (obs->context[i] < of_exp) {
            return REGRET_OK;
        }
    }
    for (; c < log->n_kept && twin == SIZE_MAX; c++) {
        char *name = log->context[c] != NULL ? name_fold(log->context[c]) : NULL;
        uint32_t i = 0;
        int rc = name != NULL && c < of_exp ? names_enter(&i, &folded, name) : REGRET_OK;
        twin = name != NULL && c >= of_exp ? names_find(&folded, name) : SIZE_MAX;
        free(name);
        TRY(rc);
        owner[i] = c < of_exp ? (uint32_t)c : owner[i];
    }
    return twin == SIZE_MAX ? REGRET_OK
                            : log_note(r->log, "requests \"%.60s\" of EXP and \"%.60s\" of OBS %s",
                                       log->context[owner[twin]], log->context[c - 1], NAME_TWINS);
}

/* ---------------------------------------------------------------- columns */

/* Figures in all that is there: words for yes and no are words. */
static int is_numeric(const struct names *words, const struct log_input *input)
{
    double x = 0.0;
    int numeric = 1;
    for (size_t i = 0; i < words->n && numeric; i++) {
        numeric = !table_source_parse_word(&x, words->name[i]) &&
                  log_number_parse(&x, input, words->name[i]);
    }
    return numeric;
}

static int finish_numbers(struct regret_log_column *column, const struct names *words,
                          const uint32_t *word, const struct regret_log *log,
                          const struct log_input *input)
{
    column->n_known = log->n_kept;
    TRY(REGRET_NEW(&column->value, log->n_kept));
    for (size_t c = 0; c < log->n_kept; c++) {
        column->value[c] = NAN;
        if (word[c] > 0) {
            log_number_parse(&column->value[c], input, words->name[word[c] - 1]);
        }
    }
    return REGRET_OK;
}

/* Words in natural order, the first being "" for none. */
static int finish_words(struct regret_log_column *column, struct names *words, const uint32_t *word,
                        const struct regret_log *log)
{
    uint32_t none = 0;
    FREED uint32_t *rank = NULL;
    column->is_word = 1;
    TRY(names_enter(&none, words, ""));
    size_t n = words->n;
    TRY(log_names_rank(&column->words, &rank, words));
    column->n_words = n;
    TRY(REGRET_NEW(&column->word, log->n_contexts)); /* 0, which is "" */
    for (size_t c = 0; c < log->n_kept; c++) {
        column->word[c] = rank[word[c] > 0 ? word[c] - 1 : none];
    }
    return REGRET_OK;
}

/* 1 where a column of contexts, or with NULL the tag, is made of the outcomes of one table's rows that say it, the first of
 * each context. Words far apart in a log alone are kinds of requests, for all that is known, and what agents are worth on them it may not say
 * (log/overlap). */
static int is_made(int *out, const struct regret_log *log, const struct regret_log_column *column)
{
    FREED struct told *told = NULL;
    FREED unsigned char *seen = NULL;
    int is_number = column != NULL && !column->is_word;
    TRY(REGRET_NEW(&told, log->n_kept));
    TRY(REGRET_NEW(&seen, log->n_kept));
    *out = 0;
    for (int s = REGRET_LOG_SOURCES - 1; s >= 0; s--) { /* as tables are read: EXP, then OBS */
        const struct regret_log_rows *rows = &log->rows[s];
        size_t n = 0;
        for (size_t i = 0; i < rows->n; i++) {
            size_t c = rows->context[i];
            if (c >= log->n_kept || seen[c] != 0) {
                continue;
            }
            seen[c] = 1;
            uint32_t word = is_number ? 0 : column != NULL ? column->word[c] : log->tag[c];
            double x = is_number ? column->value[c] : 0.0;
            told[n] = (struct told){rows->outcome[i], x, word};
            n += column == NULL || (is_number ? !isnan(x) : column->words[word][0] != '\0');
        }
        int is_kind =
            !is_number && n > 0 && log->rows[REGRET_LOG_EXP].n == 0 && told_is_apart(told, n);
        *out |= !is_kind && told_is_made(told, n, is_number);
    }
    return REGRET_OK;
}

static const char MADE[] =
    "follows from the outcome, which nobody knows before an agent is chosen: "
    "left out";

/* What no request has before it is answered is no covariate. */
static int drop_made(struct regret_log *log)
{
    int made = 0;
    size_t kept = 0;
    for (size_t k = 0; k < log->n_columns; k++) {
        struct regret_log_column own = log->column[k];
        TRY(is_made(&made, log, &own));
        TRY(made ? log_note(log, "covariate \"%.60s\" %s", own.name, MADE) : REGRET_OK);
        log->column[k] = log->column[kept];
        log->column[kept] = own;
        kept += !made;
    }
    while (log->n_columns > kept) {
        log_free_column(&log->column[--log->n_columns]);
    }
    TRY(log->tag != NULL ? is_made(&made, log, NULL) : REGRET_OK);
    if (log->tag == NULL || !made) {
        return REGRET_OK;
    }
    log_free_tags(log);
    return log_note(log, "the tag %s", MADE);
}

static int finish_columns(struct log_texts *x)
{
    const struct log_config *config = &x->r->config;
    struct regret_log *log = x->r->log;
    const struct log_input *input = /* that has commas, if one has */
        &config->input[config->input[LOG_INPUT_EXP].decimal_comma ? LOG_INPUT_EXP : LOG_INPUT_OBS];
    TRY(REGRET_NEW(&log->column, config->n_columns));
    log->n_columns = config->n_columns;
    for (size_t k = 0; k < config->n_columns; k++) {
        struct regret_log_column *column = &log->column[k];
        TRY(regret_strdup(&column->name, config->column[k]));
        struct said *said = &x->column[k];
        if (said->words.n == 0) {
            TRY(log_note(log, "covariate \"%.60s\" is empty", column->name));
        }
        TRY(is_numeric(&said->words, input)
                ? finish_numbers(column, &said->words, said->word, log, input)
                : finish_words(column, &said->words, said->word, log));
    }
    return drop_made(log);
}

/* ---------------------------------------------------------------- all of it */

/* Contexts for which a recommendation is wanted: they are numbered first. One whose rows all were left out is none. */
static int finish_evaluation(struct log_reading *r)
{
    struct regret_log *log = r->log;
    size_t n = r->config.input[LOG_INPUT_OUTPUTS].path != NULL
                   ? r->pass[LOG_INPUT_OUTPUTS].n_contexts
               : log->rows[REGRET_LOG_EXP].n > 0 ? r->pass[LOG_INPUT_EXP].n_contexts
                                                 : log->n_kept;
    TRY(REGRET_NEW(&log->evaluation, n));
    log->n_evaluation = 0;
    for (size_t c = 0; c < n; c++) {
        if (log->context[c] != NULL) {
            log->evaluation[log->n_evaluation++] = (uint32_t)c;
        }
    }
    return REGRET_OK;
}

static int tell(const struct log_texts *x)
{
    struct regret_log *log = x->r->log;
    TRY(tell_twins(x->r));
    if (x->text_conflicts > 0) {
        TRY(log_note(log,
                     "%zu row%s another text for a context that has one: the first counts; is the "
                     "column of contexts right?",
                     x->text_conflicts, x->text_conflicts == 1 ? " has" : "s have"));
    }
    if (x->column_conflicts > 0) {
        TRY(log_note(log,
                     "%zu covariate%s of rows differ from what their context has: the first counts",
                     x->column_conflicts, x->column_conflicts == 1 ? "" : "s"));
    }
    if (x->strange_agents > 0) {
        TRY(log_note(log,
                     "%zu output%s of agents that have no row (%s, the first at line %llu): left "
                     "out",
                     x->strange_agents, x->strange_agents == 1 ? " is" : "s are",
                     x->r->config.input[LOG_INPUT_OUTPUTS].path,
                     (unsigned long long)x->strange_line));
    }
    return x->repeated_outputs == 0
               ? REGRET_OK
               : log_note(log, "%zu output%s for the second time: the first counts",
                          x->repeated_outputs, x->repeated_outputs == 1 ? " is" : "s are");
}

static int begin(struct log_texts *x, struct log_reading *r)
{
    struct regret_log *log = r->log;
    size_t n_columns = r->config.n_columns;
    x->r = r;
    TRY(id_table_reserve(&x->agents, log->n_agents));
    for (size_t a = 0; a < log->n_agents; a++) {
        id_table_put(&x->agents, log->agent[a], a);
    }
    TRY(REGRET_NEW(&log->context, log->n_contexts)); /* pages that are not touched are not there */
    TRY(REGRET_NEW(&log->text, log->n_contexts));
    TRY(REGRET_NEW(&log->first, log->n_contexts));
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        TRY(r->config.input[s].field[LOG_OUTPUT] != NULL
                ? REGRET_NEW(&log->row_output[s], log->rows[s].n)
                : REGRET_OK);
    }
    TRY(r->config.input[LOG_INPUT_OUTPUTS].field[LOG_OUTPUT] != NULL
            ? REGRET_NEW(&log->output, r->pass[LOG_INPUT_OUTPUTS].n_contexts * log->n_agents)
            : REGRET_OK);
    log->n_evaluation = log->output != NULL ? r->pass[LOG_INPUT_OUTPUTS].n_contexts : 0;
    TRY(REGRET_NEW(&x->described, log->n_kept));
    TRY(REGRET_NEW(&x->column, n_columns));
    for (size_t k = 0; k < n_columns; k++) {
        TRY(REGRET_NEW(&x->column[k].word, log->n_kept));
    }
    return REGRET_OK;
}

static void texts_free_all(struct log_texts *x)
{
    for (size_t k = 0; x->column != NULL && k < x->r->config.n_columns; k++) {
        names_free(&x->column[k].words);
        regret_free(x->column[k].word);
    }
    regret_free(x->column);
    regret_free(x->described);
    id_table_free(&x->agents);
}

int log_texts_read(struct log_reading *r)
{
    FREED_BY(texts_free_all) struct log_texts x = {0};
    TRY(begin(&x, r));
    TRY(read_table(&x, LOG_INPUT_OUTPUTS));
    TRY(read_table(&x, LOG_INPUT_EXP));
    TRY(read_table(&x, LOG_INPUT_OBS));
    TRY(finish_columns(&x));
    TRY(finish_evaluation(r));
    return tell(&x);
}
