/* What rows of a log's tables say: outcomes, times, chances and slates in the words that people and programs write. */
#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/csv.h"
#include "base/input.h"
#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "log/config.h"
#include "log/internal.h"
#include "regret/status.h"
#include "table/fields.h"
#include "table/words.h"

FREED_POINTER(cJSON, cJSON_Delete)

static const char BLANKS[] = " \t\r\n";

/* Figures of a shape at *p, "0000-00-00", which then stands behind them. */
static int take(int *out, const char **p, const char *shape)
{
    const char *s = *p;
    size_t k = 0;
    out[0] = 0;
    for (; *shape != '\0'; shape++, s++) {
        if (*shape != '0') {
            k += shape[-1] == '0';
            out[k] = 0;
        }
        if (*shape == '0' ? *s < '0' || *s > '9' : *s != *shape) {
            return 0;
        }
        out[k] = *shape == '0' ? 10 * out[k] + (*s - '0') : out[k];
    }
    *p = s;
    return 1;
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

/* A clock, 12:30, 12:30:05 or 12:30:05.25, and a zone: Z, UTC, +01:00, +0100, +01, or none. */
static int take_clock(double *out, const char **p)
{
    int clock[2], second[1] = {0}, hours[1] = {0}, minutes[1] = {0};
    double part = 0.0, unit = 0.1;
    if (!take(clock, p, "00:00")) {
        return 0;
    }
    *p += **p == ':';
    if ((*p)[-1] == ':' && !take(second, p, "00")) {
        return 0;
    }
    if (**p == '.' || **p == ',') {
        for (++*p; **p >= '0' && **p <= '9'; ++*p, unit /= 10.0) {
            part += unit * (**p - '0');
        }
    }
    *p += **p == ' ';
    double sign = **p == '-' ? -60.0 : 60.0;
    if (**p == '+' || **p == '-') {
        ++*p;
        if (!take(hours, p, "00")) {
            return 0;
        }
        *p += **p == ':';
        if (**p >= '0' && **p <= '9' && !take(minutes, p, "00")) {
            return 0;
        }
    } else {
        *p += strncasecmp(*p, "UTC", 3) == 0 ? 3 : **p == 'Z' || **p == 'z';
    }
    *out += 3600.0 * clock[0] + 60.0 * clock[1] + second[0] + part -
            sign * (60.0 * hours[0] + minutes[0]);
    return clock[0] <= 24 && clock[1] < 60 && second[0] <= 60; /* a leap second is one */
}

static int parse_iso(double *out, const char *p)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int date[3];
    if (!take(date, &p, "0000-00-00") || date[1] < 1 || date[1] > 12 || date[2] < 1) {
        return 0;
    }
    int is_leap = (date[0] % 4 == 0 && date[0] % 100 != 0) || date[0] % 400 == 0;
    double seconds = 86400.0 * (double)days_of(date[0], date[1], date[2]);
    if (date[2] > days[date[1] - 1] + (date[1] == 2 && is_leap)) {
        return 0;
    }
    if ((*p == 'T' || *p == 't' || *p == ' ') && p[1] >= '0' && p[1] <= '9') {
        ++p;
        if (!take_clock(&seconds, &p)) {
            return 0;
        }
    }
    *out = p[strspn(p, BLANKS)] == '\0' ? seconds : *out;
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

/* 1 where a call did what it is for; want of memory is kept for log_table_next() to hand on. */
static int did(struct log_table *t, int rc)
{
    t->rc = rc != REGRET_OK && rc != REGRET_E_INPUT ? rc : t->rc;
    return !rc;
}

/* ---------------------------------------------------------------- slates */

static void offer(struct log_slate *out, const char *name, size_t length)
{
    uint64_t hash = regret_hash64(name, length);
    if (out->n < REGRET_LOG_MAX_AGENTS) {
        out->name[out->n] = hash;
    }
    out->n++;
    out->offer += hash;
}

static enum log_loss slate_of_list(struct log_slate *out, const cJSON *list, const char *agent)
{
    char scratch[JSON_SCRATCH];
    int found = 0;
    for (const cJSON *v = list->child; v != NULL; v = v->next) {
        const char *name = json_text(scratch, v);
        if (name == NULL) {
            return LOG_LOSS_SLATE;
        }
        found |= strcmp(name, agent) == 0;
        offer(out, name, strlen(name));
    }
    out->key = out->offer;
    return found ? LOG_LOSS_NONE : LOG_LOSS_SLATE_AGENT;
}

/* Of an agent and its probability. */
static uint64_t key_of(const cJSON *chance)
{
    uint64_t key[2] = {regret_hash64(chance->string, strlen(chance->string)), 0};
    memcpy(&key[1], &chance->valuedouble, sizeof key[1]);
    return regret_hash64(key, sizeof key);
}

static enum log_loss slate_of_chances(struct log_slate *out, const cJSON *object, const char *agent)
{
    double sum = 0.0;
    for (const cJSON *v = object->child; v != NULL; v = v->next) {
        if (!cJSON_IsNumber(v)) {
            return LOG_LOSS_CHANCE_TEXT;
        }
        if (v->valuedouble < 0.0) {
            return LOG_LOSS_CHANCE_ZERO;
        }
        sum += v->valuedouble;
        if (v->valuedouble > 0.0) {
            out->key += key_of(v);
            offer(out, v->string, strlen(v->string));
        }
        out->chance = strcmp(v->string, agent) == 0 ? v->valuedouble : out->chance;
    }
    return isnan(out->chance)                ? LOG_LOSS_SLATE_AGENT
           : fabs(sum - 1.0) > LOG_SUM_SLACK ? LOG_LOSS_SLATE_SUM
           : out->chance >= LOG_LEAST_CHANCE ? LOG_LOSS_NONE
                                             : LOG_LOSS_CHANCE_ZERO;
}

/* Names between separators, without the blanks around them. */
static enum log_loss slate_of_text(struct log_slate *out, const char *text, const char *agent)
{
    static const char separators[] = "|;,";
    size_t length = strlen(agent), k = 0;
    int found = 0;
    while (k < 2 && strchr(text, separators[k]) == NULL) {
        k++;
    }
    for (const char *p = text;; p++) {
        p += strspn(p, BLANKS);
        const char *end = strchr(p, separators[k]);
        size_t n = end != NULL ? (size_t)(end - p) : strlen(p);
        const char *next = p + n;
        while (n > 0 && strchr(BLANKS, p[n - 1]) != NULL) {
            n--;
        }
        if (n > 0) {
            found |= n == length && memcmp(p, agent, n) == 0;
            offer(out, p, n);
        }
        if (*next == '\0') {
            break;
        }
        p = next;
    }
    out->key = out->offer;
    return out->n == 0 ? LOG_LOSS_SLATE : found ? LOG_LOSS_NONE : LOG_LOSS_SLATE_AGENT;
}

/* A list of JSON, an object of JSON with the probability of each, or a|b|c (where there is no bar, with semicolons; where there is none
 * of these, with commas). */
static enum log_loss read_slate(struct log_table *t, const char *text, const char *agent)
{
    struct log_slate *out = &t->slate;
    FREED_BY(cJSON_Delete_at) cJSON *parsed = NULL;
    out->n = 0;
    out->chance = NAN;
    out->key = out->offer = 0;
    text += strspn(text, BLANKS);
    if (*text == '\0' || table_source_is_missing(text)) {
        return LOG_LOSS_NONE;
    }
    if (*text != '[' && *text != '{') {
        return slate_of_text(out, text, agent);
    }
    did(t, regret_json_parse(&parsed, text, strlen(text), (struct regret_place){"a slate", 0}));
    return parsed == NULL          ? LOG_LOSS_SLATE
           : cJSON_IsArray(parsed) ? slate_of_list(out, parsed, agent)
                                   : slate_of_chances(out, parsed, agent);
}

/* ---------------------------------------------------------------- a table */

int log_table_open(struct log_table *t, const struct log_config *config, enum log_input_of which)
{
    const struct log_input *input = &config->input[which];
    const char *agent = input->field[LOG_AGENT],
               *nest = agent != NULL ? strstr(agent, FIELDS_NEST) : NULL;
    FREED char *rows = NULL; /* elements of a list of each record */
    char separator = input->separator;
    int is_json = 0;
    *t = (struct log_table){.config = config, .which = which, .input = input};
    TRY(input_check_regular(input->path));
    TRY(csv_find_layout(&is_json, &separator, input->path));
    TRY(nest != NULL ? regret_strndup(&rows, agent, (size_t)(nest - agent)) : REGRET_OK);
    TRY(fields_open(&t->fields, input->path, is_json ? FIELDS_LINES : FIELDS_CSV, separator, rows));
    TRY(fields_pick(t->fields, input->field, LOG_COVARIATES + input->n_columns));
    return input->pattern != NULL
               ? fields_widen(t->fields, input->pattern, NULL, 0, REGRET_LOG_MAX_AGENTS)
               : REGRET_OK;
}

void log_table_close(struct log_table *t)
{
    fields_close(t->fields);
}

int log_table_next(struct log_table *t, int *more)
{
    TRY(t->rc); /* of the record before */
    int rc = fields_next(t->fields, more),
        is_bad = rc == REGRET_E_INPUT && !fields_is_over(t->fields);
    TRY(is_bad ? REGRET_OK : rc);
    *more |= is_bad;
    t->is_record = !is_bad;
    t->line = fields_number(t->fields) + (strcmp(fields_unit(t->fields), "line") != 0);
    t->ordinal += (size_t)*more;
    return REGRET_OK;
}

const char *log_table_text(struct log_table *t, size_t field)
{
    struct fields_cell cell = {FIELDS_TEXT, "", 0};
    const char *text = "";
    int is_read = 1;
    if (t->input->field[field] == NULL) {
        return "";
    }
    if (field == LOG_TEXT || field == LOG_SLATE) { /* which may be absent, or lists */
        is_read = did(t, fields_cell(&cell, t->fields, field));
        text = cell.text != NULL ? cell.text : "";
    }
    if (is_read && field != LOG_SLATE && cell.text != NULL) {
        is_read = did(t, field == LOG_TEXT || field == LOG_OUTPUT
                             ? fields_turns(&text, t->fields, field, field == LOG_TEXT)
                             : fields_text(&text, t->fields, field, 1, NULL));
    }
    return is_read ? text : NULL;
}

static int is_blank(const char *text)
{
    return text[strspn(text, BLANKS)] == '\0';
}

int log_is_none(const char *text)
{
    return is_blank(text) || table_source_is_missing(text);
}

const char *log_table_context(struct log_table *t, enum log_loss *why)
{
    int is_id = t->input->field[LOG_CONTEXT] != NULL;
    *why = LOG_LOSS_NONE;
    if (!is_id && t->input->field[LOG_TEXT] == NULL) {
        snprintf(t->id, sizeof t->id, "%s:%" PRIu64, log_input_name(t->which), t->line);
        return t->id;
    }
    const char *text = log_table_text(t, is_id ? LOG_CONTEXT : LOG_TEXT);
    if (text == NULL || is_blank(text)) {
        *why = text == NULL ? LOG_LOSS_MALFORMED : LOG_LOSS_CONTEXT;
        return NULL;
    }
    if (!is_id) {
        snprintf(t->id, sizeof t->id, "%016" PRIx64, regret_hash64(text, strlen(text)));
    }
    return is_id ? text : t->id;
}

int log_number_parse(double *out, const struct log_input *input, const char *text)
{
    return table_source_parse(out, text) ||
           (input->decimal_comma && table_source_parse_comma(out, text));
}

int log_table_find_commas(struct log_config *config, enum log_input_of which)
{
    enum { ENOUGH = 10000 };
    FREED_BY(log_table_close) struct log_table t = {0};
    double x = 0.0;
    int more = 1, points = 0, commas = 0;
    TRY(log_table_open(&t, config, which));
    while (more && points == 0 && t.ordinal < ENOUGH) {
        TRY(log_table_next(&t, &more));
        const char *text = more && t.is_record ? log_table_text(&t, LOG_OUTCOME) : NULL;
        if (text != NULL) {
            points = strchr(text, '.') != NULL && table_source_parse(&x, text);
            commas |= table_source_parse_comma(&x, text) && table_source_comma_is_clear(text);
        }
    }
    config->input[which].decimal_comma = commas && points == 0;
    return t.rc;
}

/* ---------------------------------------------------------------- a row */

static enum log_loss read_agent(struct log_row *row, const char **example, struct log_table *t)
{
    const char *text = *example = log_table_text(t, LOG_AGENT);
    size_t n = text != NULL ? strlen(text) : 0;
    if (text == NULL || is_blank(text) || n > LOG_AGENT_BYTES) {
        return text == NULL     ? LOG_LOSS_MALFORMED
               : is_blank(text) ? LOG_LOSS_AGENT
                                : LOG_LOSS_AGENT_LONG;
    }
    memcpy(row->agent, text, n + 1);
    return LOG_LOSS_NONE;
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

static enum log_loss read_outcome(struct log_row *row, const char **example, struct log_table *t)
{
    const char *text = *example = log_table_text(t, LOG_OUTCOME);
    if (text == NULL || log_is_none(text)) {
        return text == NULL ? LOG_LOSS_MALFORMED : LOG_LOSS_OUTCOME_BLANK;
    }
    row->is_word = table_source_parse_verdict(&row->outcome, text);
    return row->is_word || log_number_parse(&row->outcome, t->input, text)
               ? judge_outcome(row, &t->config->scale)
               : LOG_LOSS_OUTCOME_TEXT;
}

static enum log_loss read_chance(struct log_row *row, const char **example, struct log_table *t)
{
    row->chance = NAN;
    if (t->input->field[LOG_PROPENSITY] == NULL) {
        return LOG_LOSS_NONE;
    }
    const char *text = *example = log_table_text(t, LOG_PROPENSITY);
    return text == NULL                                      ? LOG_LOSS_MALFORMED
           : log_is_none(text)                               ? LOG_LOSS_CHANCE_BLANK
           : !log_number_parse(&row->chance, t->input, text) ? LOG_LOSS_CHANCE_TEXT
           : row->chance < LOG_LEAST_CHANCE                  ? LOG_LOSS_CHANCE_ZERO
           : row->chance > 1.0                               ? LOG_LOSS_CHANCE_ABOVE
                                                             : LOG_LOSS_NONE;
}

static enum log_loss read_offer(struct log_row *row, const char **example, struct log_table *t)
{
    if (t->input->field[LOG_SLATE] == NULL) {
        return LOG_LOSS_NONE;
    }
    const char *text = *example = log_table_text(t, LOG_SLATE);
    enum log_loss why = text != NULL ? read_slate(t, text, row->agent) : LOG_LOSS_MALFORMED;
    row->chance = isnan(row->chance) ? t->slate.chance : row->chance;
    *example = why == LOG_LOSS_SLATE_AGENT ? row->agent : text;
    return text != NULL && t->slate.n > REGRET_LOG_MAX_AGENTS ? LOG_LOSS_SLATE : why;
}

enum log_loss log_row_read(struct log_row *out, const char **example, struct log_table *t)
{
    typedef enum log_loss read_part(struct log_row *, const char **, struct log_table *);
    static read_part *const parts[] = {read_agent, read_outcome, read_chance, read_offer};
    enum log_loss why = LOG_LOSS_NONE;
    const char *id = log_table_context(t, &why);
    *example = NULL;
    out->context = id != NULL ? regret_hash64(id, strlen(id)) : 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && why == LOG_LOSS_NONE; i++) {
        why = parts[i](out, example, t);
    }
    *example = why == LOG_LOSS_MALFORMED ? regret_error_message() : *example;
    return why;
}
