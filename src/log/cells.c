#include "log/cells.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/input.h"
#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "import/profile.h"
#include "import/table_cell.h"
#include "import/table_rows.h"
#include "import/table_source.h"
#include "log/doubts.h"
#include "log/settle.h"
#include "regret/buffer.h"

static const char BLANKS[] = " \t\r\n";

int log_outcome_parse(double *out, int *is_word, const char *text)
{
    *is_word = table_source_parse_verdict(out, text);
    return *is_word || table_source_parse(out, text);
}

/* `digits` figures at *p, which then stands behind them. */
static int take_figures(int *out, const char **p, int digits)
{
    *out = 0;
    for (int i = 0; i < digits; i++, ++*p) {
        if (**p < '0' || **p > '9') {
            return 0;
        }
        *out = 10 * *out + (**p - '0');
    }
    return 1;
}

static int take(const char **p, char c)
{
    *p += **p == c;
    return (*p)[-1] == c;
}

/* Days since 1970-01-01 of a date of the Gregorian calendar (H. Hinnant, "chrono-compatible low-level date algorithms",
 * days_from_civil). */
static long days_of(int year, int month, int day)
{
    long y = year - (month <= 2), era = (y >= 0 ? y : y - 399) / 400;
    long of_era = y - era * 400;
    long of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int take_date(double *out, const char **p)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day;
    if (!take_figures(&year, p, 4) || !take(p, '-') || !take_figures(&month, p, 2) ||
        !take(p, '-') || !take_figures(&day, p, 2) || month < 1 || month > 12 || day < 1) {
        return 0;
    }
    int is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    *out = 86400.0 * (double)days_of(year, month, day);
    return day <= days[month - 1] + (month == 2 && is_leap);
}

/* The seconds of a clock: 12:30, 12:30:05 or 12:30:05.25. */
static int take_clock(double *out, const char **p)
{
    int hour, minute, second = 0;
    double part = 0.0, unit = 0.1;
    if (!take_figures(&hour, p, 2) || !take(p, ':') || !take_figures(&minute, p, 2)) {
        return 0;
    }
    if (**p == ':') {
        ++*p;
        if (!take_figures(&second, p, 2)) {
            return 0;
        }
        if (**p == '.' || **p == ',') {
            for (++*p; **p >= '0' && **p <= '9'; ++*p, unit /= 10.0) {
                part += unit * (**p - '0');
            }
        }
    }
    *out += 3600.0 * hour + 60.0 * minute + second + part;
    return hour <= 24 && minute < 60 && second <= 60; /* a leap second is one */
}

/* Z, UTC, +01:00, +0100, +01, or nothing. */
static int take_zone(double *out, const char **p)
{
    int hour = 0, minute = 0;
    *p += **p == ' ';
    if (**p != '+' && **p != '-') {
        *p += strncasecmp(*p, "UTC", 3) == 0 ? 3 : **p == 'Z' || **p == 'z';
        return 1;
    }
    double sign = **p == '-' ? -60.0 : 60.0;
    ++*p;
    if (!take_figures(&hour, p, 2)) {
        return 0;
    }
    *p += **p == ':';
    if (**p >= '0' && **p <= '9' && !take_figures(&minute, p, 2)) {
        return 0;
    }
    *out -= sign * (60.0 * hour + minute);
    return 1;
}

static int parse_iso(double *out, const char *p)
{
    double seconds = 0.0;
    if (!take_date(&seconds, &p)) {
        return 0;
    }
    if ((*p == 'T' || *p == 't' || *p == ' ') && p[1] >= '0' && p[1] <= '9') {
        ++p;
        if (!take_clock(&seconds, &p) || !take_zone(&seconds, &p)) {
            return 0;
        }
    }
    *out = seconds;
    return p[strspn(p, BLANKS)] == '\0';
}

int log_time_parse(double *out, const char *text)
{
    char *end = NULL;
    text += strspn(text, BLANKS);
    if (parse_iso(out, text)) {
        return 1;
    }
    double x = strpbrk(text, "xXnN") == NULL ? strtod(text, &end) : NAN; /* nothing hexadecimal */
    if (end == NULL || end == text || !isfinite(x) || end[strspn(end, BLANKS)] != '\0') {
        return 0;
    }
    double size = fabs(x);
    *out = size < 1e11 ? x : size < 1e14 ? x / 1e3 : size < 1e17 ? x / 1e6 : x / 1e9;
    return 1;
}

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

/* Read here. */
static const char *const input_keys[] = {"obs",       "exp",      "outputs",    "outcome",
                                         "incumbent", "obs.rows", "exp.shares", "seed"};
enum { INPUT_KEYS = sizeof input_keys / sizeof *input_keys };

/* Read by who estimates, as configurations of `regret run` have them. */
static const char *const estimation_keys[] = {"folds",
                                              "level",
                                              "resamples",
                                              "families",
                                              "features.*",
                                              "cv.*",
                                              "text.*",
                                              "solver",
                                              "exp_only.*",
                                              "obs_only.*",
                                              "representation_exp.*",
                                              "cvci.*",
                                              "cvci_residual.*",
                                              "grounded.*",
                                              "grounded_linear.*",
                                              "grounded_anchored.*",
                                              "mixed.*",
                                              "stack.*"};
enum { ESTIMATION_KEYS = sizeof estimation_keys / sizeof *estimation_keys };

/* What a configuration of `regret run` has and this one never. */
static const char *const run_keys[] = {"pool", "cells", "seeds", "budget.obs", "budget.exp"};

int log_config_is_input_key(const char *key)
{
    int found = 0;
    for (size_t i = 0; i < INPUT_KEYS; i++) {
        found |= strcmp(key, input_keys[i]) == 0;
    }
    return found;
}

static int is_estimation_key(const char *key)
{
    int found = 0;
    for (size_t i = 0; i < ESTIMATION_KEYS; i++) {
        size_t n = strlen(estimation_keys[i]);
        found |= estimation_keys[i][n - 1] == '*' ? strncmp(key, estimation_keys[i], n - 1) == 0
                                                  : strcmp(key, estimation_keys[i]) == 0;
    }
    return found;
}

/* The nearest key there is; of "feature.agent" the nearest beginning, "features.*". */
static const char *nearest(char *room, size_t size, const char *key)
{
    const char *known[INPUT_KEYS + ESTIMATION_KEYS];
    memcpy(known, input_keys, sizeof input_keys);
    memcpy(known + INPUT_KEYS, estimation_keys, sizeof estimation_keys);
    const char *near = name_nearest(key, known, INPUT_KEYS + ESTIMATION_KEYS);
    if (near == NULL && strchr(key, '.') != NULL) {
        snprintf(room, size, "%.*s.*", (int)strcspn(key, "."), key);
        near = name_nearest(room, known, INPUT_KEYS + ESTIMATION_KEYS);
    }
    return near;
}

static int refuse(const char *key, struct regret_place at)
{
    char room[80];
    const char *near = nearest(room, sizeof room, key);
    return near != NULL
               ? regret_json_error(at, "there is no key \"%.60s\"; did you mean \"%s\"?", key, near)
               : regret_json_error(at, "there is no key \"%.60s\"; docs/guide.md lists them", key);
}

int log_config_check_keys(const cJSON *root, struct regret_place at)
{
    for (size_t i = 0; i < sizeof run_keys / sizeof *run_keys; i++) {
        if (cJSON_GetObjectItemCaseSensitive(root, run_keys[i]) != NULL) {
            return regret_json_error(at,
                                     "\"%s\" is a key of `regret run`, whose configuration this "
                                     "seems to be; `regret evaluate` wants one with \"obs\" or "
                                     "\"exp\": regret init --obs LOG --exp TRIAL -o evaluate.json",
                                     run_keys[i]);
        }
    }
    for (const cJSON *v = root->child; v != NULL; v = v->next) {
        if (!log_config_is_input_key(v->string) && !is_estimation_key(v->string)) {
            return refuse(v->string, at);
        }
    }
    return REGRET_OK;
}
