#include "log/read/cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/core/try.h"
#include "base/files/input.h"
#include "import/guess/guess.h"
#include "import/table/table_cell.h"
#include "import/table/table_turns.h"
#include "log/read/values.h"
#include "regret/hash.h"
#include "regret/import.h"

static const char BLANKS[] = " \t\r\n";

static int is_blank(const char *text)
{
    return text[strspn(text, BLANKS)] == '\0';
}

/* JSON begins with a brace or a bracket, unless a separator says that the table is CSV. */
static int find_layout(struct regret_table_options *options, const struct log_input *input)
{
    struct regret_jsonl *reader = NULL;
    *options = (struct regret_table_options)REGRET_TABLE_OPTIONS_INIT;
    options->separator = input->separator;
    if (input->separator != '\0') {
        return REGRET_OK;
    }
    TRY(regret_jsonl_open(&reader, input->path));
    char first = regret_jsonl_peek(reader);
    regret_jsonl_close(reader);
    if (first == '{' || first == '[') {
        options->layout = REGRET_TABLE_LAYOUT_JSONL;
        return REGRET_OK;
    }
    return table_profile_separator(&options->separator, input->path);
}

int log_table_open(struct log_table *out, const struct log_config *config, enum log_input_of which)
{
    const struct log_input *input = &config->input[which];
    struct regret_table_options options;
    *out = (struct log_table){
        .config = config, .which = which, .input = input, .turns = REGRET_BUFFER_INIT};
    TRY(input_check_regular(input->path));
    TRY(find_layout(&options, input));
    return table_source_open(&out->source, input->path, &options, input->field,
                             LOG_COVARIATES + input->n_columns,
                             input->agents.pattern != NULL ? &input->agents : NULL);
}

void log_table_close(struct log_table *t)
{
    table_source_close(&t->source);
    regret_buffer_free(&t->turns);
}

int log_table_find_commas(struct log_config *config, enum log_input_of which)
{
    enum { ENOUGH = 10000 };
    FREED_BY(log_table_close) struct log_table t = {0};
    const char *text = NULL;
    double x = 0.0;
    int more = 1, points = 0, commas = 0;
    TRY(log_table_open(&t, config, which));
    while (more && points == 0 && t.ordinal < ENOUGH) {
        TRY(log_table_next(&t, &more));
        TRY(more && t.is_record ? log_table_text(&text, &t, LOG_OUTCOME) : REGRET_OK);
        if (!more || !t.is_record || text == NULL) {
            continue;
        }
        points = strchr(text, '.') != NULL && table_source_parse(&x, text);
        commas |= table_source_parse_comma(&x, text) && table_source_comma_is_clear(text);
    }
    config->input[which].decimal_comma = commas && points == 0;
    return REGRET_OK;
}

int log_number_parse(double *out, const struct log_input *input, const char *text)
{
    return table_source_parse(out, text) ||
           (input->decimal_comma && table_source_parse_comma(out, text));
}

int log_table_next(struct log_table *t, int *more)
{
    int rc = table_source_next(&t->source, more);
    int is_bad = rc == REGRET_E_INPUT && !t->source.over;
    TRY(is_bad ? REGRET_OK : rc);
    *more |= is_bad;
    t->is_record = !is_bad;
    t->line = t->source.number + (strcmp(table_source_unit(&t->source), "line") != 0);
    t->ordinal += (size_t)*more;
    if (t->source.is_wide && t->source.wide.n_agents > 0) {
        table_source_set_agent(&t->source, 0); /* what is no agent's own stands at every one */
    }
    return REGRET_OK;
}

int log_table_text(const char **out, struct log_table *t, size_t field)
{
    int rc = REGRET_OK;
    *out = "";
    if (t->input->field[field] == NULL) {
        return REGRET_OK;
    }
    if (field == LOG_TEXT && t->source.csv == NULL &&
        table_source_value(&t->source, field) == NULL) {
        return REGRET_OK; /* absent: not an error here */
    }
    rc = field == LOG_TEXT || field == LOG_OUTPUT
             ? table_turns_text(out, &t->turns, &t->source, field,
                                field == LOG_TEXT ? TURNS_OF_USER : TURNS_OF_AGENT)
             : table_source_text(out, &t->source, field, 1);
    if (rc == REGRET_E_INPUT) {
        *out = NULL;
        return REGRET_OK;
    }
    return rc;
}

int log_table_context(const char **out, enum log_loss *why, struct log_table *t)
{
    int is_id = t->input->field[LOG_CONTEXT] != NULL;
    *why = LOG_LOSS_NONE;
    if (!is_id && t->input->field[LOG_TEXT] == NULL) {
        snprintf(t->id, sizeof t->id, "%s:%" PRIu64, log_input_name(t->which), t->line);
        *out = t->id;
        return REGRET_OK;
    }
    TRY(log_table_text(out, t, is_id ? LOG_CONTEXT : LOG_TEXT));
    if (*out == NULL || is_blank(*out)) {
        *why = *out == NULL ? LOG_LOSS_MALFORMED : LOG_LOSS_CONTEXT;
        *out = NULL;
    } else if (!is_id) {
        snprintf(t->id, sizeof t->id, "%016" PRIx64, regret_hash64(*out, strlen(*out)));
        *out = t->id;
    }
    return REGRET_OK;
}

static int read_context(struct log_row *row, enum log_loss *why, struct log_table *t)
{
    const char *id = NULL;
    TRY(log_table_context(&id, why, t));
    row->context = id != NULL ? regret_hash64(id, strlen(id)) : 0;
    return REGRET_OK;
}

static int read_agent(struct log_row *row, enum log_loss *why, const char **example,
                      struct log_table *t)
{
    TRY(log_table_text(example, t, LOG_AGENT));
    size_t n = *example != NULL ? strlen(*example) : 0;
    *why = *example == NULL      ? LOG_LOSS_MALFORMED
           : is_blank(*example)  ? LOG_LOSS_AGENT
           : n > LOG_AGENT_BYTES ? LOG_LOSS_AGENT_LONG
                                 : LOG_LOSS_NONE;
    memcpy(row->agent, *example != NULL ? *example : "", *why == LOG_LOSS_NONE ? n + 1 : 0);
    return REGRET_OK;
}

/* Whether an outcome lies on the scale, if one is given. */
static enum log_loss judge_outcome(const struct log_row *row, const struct log_scale *scale)
{
    int is_binary = scale->kind == LOG_SCALE_BINARY ||
                    (scale->low + scale->high == 1.0 && scale->low * scale->high == 0.0);
    if (!scale->is_given) {
        return LOG_LOSS_NONE;
    }
    if (row->is_word && !is_binary) {
        return LOG_LOSS_OUTCOME_WORD;
    }
    if (scale->kind == LOG_SCALE_BINARY) {
        return row->outcome == 0.0 || row->outcome == 1.0 ? LOG_LOSS_NONE : LOG_LOSS_OUTCOME_RANGE;
    }
    if (scale->kind == LOG_SCALE_COUNTS &&
        (row->outcome < 0.0 || row->outcome != floor(row->outcome))) {
        return LOG_LOSS_OUTCOME_COUNT;
    }
    /* fmin() and fmax() pass over an end that is the data's; the worst may be the larger number */
    int falls = scale->low > scale->high;
    double least = falls ? scale->high : scale->low, most = falls ? scale->low : scale->high;
    return row->outcome < least || row->outcome > most ? LOG_LOSS_OUTCOME_RANGE : LOG_LOSS_NONE;
}

static int read_outcome(struct log_row *row, enum log_loss *why, const char **example,
                        struct log_table *t)
{
    TRY(log_table_text(example, t, LOG_OUTCOME));
    if (*example == NULL) {
        *why = LOG_LOSS_MALFORMED;
    } else if (is_blank(*example) || table_source_is_missing(*example)) {
        *why = LOG_LOSS_OUTCOME_BLANK;
    } else if (!log_outcome_parse(&row->outcome, &row->is_word, *example) &&
               !log_number_parse(&row->outcome, t->input, *example)) {
        *why = LOG_LOSS_OUTCOME_TEXT;
    } else {
        *why = judge_outcome(row, &t->config->scale);
    }
    return REGRET_OK;
}

static int read_chance(struct log_row *row, enum log_loss *why, const char **example,
                       struct log_table *t)
{
    row->chance = NAN;
    *why = LOG_LOSS_NONE;
    if (t->input->field[LOG_PROPENSITY] == NULL) {
        return REGRET_OK;
    }
    TRY(log_table_text(example, t, LOG_PROPENSITY));
    *why = *example == NULL                                          ? LOG_LOSS_MALFORMED
           : is_blank(*example) || table_source_is_missing(*example) ? LOG_LOSS_CHANCE_BLANK
           : !log_number_parse(&row->chance, t->input, *example)     ? LOG_LOSS_CHANCE_TEXT
           : row->chance < LOG_LEAST_CHANCE                          ? LOG_LOSS_CHANCE_ZERO
           : row->chance > 1.0                                       ? LOG_LOSS_CHANCE_ABOVE
                                                                     : LOG_LOSS_NONE;
    return REGRET_OK;
}

static int read_slate(struct log_row *row, enum log_loss *why, const char **example,
                      struct log_table *t)
{
    if (t->input->field[LOG_SLATE] == NULL) {
        return REGRET_OK;
    }
    const struct cJSON *value = table_source_value(&t->source, LOG_SLATE);
    char scratch[JSON_SCRATCH];
    const char *text = json_text(scratch, value);
    *example = text;
    if (t->source.csv != NULL) {
        TRY(log_table_text(&text, t, LOG_SLATE));
        *example = text;
        if (text == NULL) {
            *why = LOG_LOSS_MALFORMED;
            return REGRET_OK;
        }
    }
    TRY(log_slate_read(&t->slate, why, text != NULL ? text : "", text == NULL ? value : NULL,
                       row->agent));
    row->chance = isnan(row->chance) ? t->slate.chance : row->chance;
    *why = t->slate.n > REGRET_LOG_MAX_AGENTS ? LOG_LOSS_SLATE : *why;
    *example = *why == LOG_LOSS_SLATE_AGENT ? row->agent : *example;
    return REGRET_OK;
}

int log_row_read(struct log_row *out, enum log_loss *why, const char **example, struct log_table *t)
{
    *example = NULL;
    TRY(read_context(out, why, t));
    TRY(*why == LOG_LOSS_NONE ? read_agent(out, why, example, t) : REGRET_OK);
    TRY(*why == LOG_LOSS_NONE ? read_outcome(out, why, example, t) : REGRET_OK);
    TRY(*why == LOG_LOSS_NONE ? read_chance(out, why, example, t) : REGRET_OK);
    TRY(*why == LOG_LOSS_NONE ? read_slate(out, why, example, t) : REGRET_OK);
    if (*why == LOG_LOSS_MALFORMED) {
        *example = regret_error_message();
    }
    return REGRET_OK;
}
