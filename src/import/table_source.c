#include "import/table_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cJSON.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "regret/file.h"

enum { MAX_STEPS = 16, MAX_NEAR = 256 };

struct regret_place table_source_place(const struct table_source *s)
{
    return (struct regret_place){s->path, s->line};
}

/* A column that is not there, with the one that may have been meant. */
static int no_column(struct table_source *s, const char *name)
{
    const char *known[MAX_NEAR] = {""};
    size_t n = 0;
    for (; n < s->n_columns && n < MAX_NEAR; n++) {
        known[n] = regret_csv_field(NULL, s->csv, n);
    }
    const char *near = regret_nearest_word(name, known, n);
    char other = n == 1 ? known[0][strcspn(known[0], ";\t|")] : '\0';
    if (other != '\0') {
        const char quoted[] = {'\'', other, '\'', '\0'};
        return regret_json_error(
            table_source_place(s),
            "there is no column \"%s\"; the header is one column, \"%.40s\": say "
            "what separates fields, --separator %s",
            name, known[0], other == '\t' ? "tab" : quoted);
    }
    return near != NULL
               ? regret_json_error(table_source_place(s),
                                   "there is no column \"%s\"; did you mean \"%s\"?", name, near)
               : regret_json_error(table_source_place(s),
                                   "there is no column \"%s\"; the header has %zu, the "
                                   "first is \"%.40s\"",
                                   name, s->n_columns, known[0]);
}

static int find_column(struct table_source *s, size_t i)
{
    s->column[i] = SIZE_MAX;
    for (size_t c = 0; c < s->n_columns; c++) {
        if (strcmp(regret_csv_field(NULL, s->csv, c), s->field[i]) != 0) {
            continue;
        }
        if (s->column[i] != SIZE_MAX) {
            return regret_json_error(table_source_place(s),
                                     "column \"%s\" is given twice; rename one", s->field[i]);
        }
        s->column[i] = c;
    }
    return s->column[i] != SIZE_MAX ? REGRET_OK : no_column(s, s->field[i]);
}

static int open_csv(struct table_source *s, char separator)
{
    struct regret_csv_options options = REGRET_CSV_OPTIONS_INIT;
    options.separator = separator;
    options.stray_quotes = separator == '\t';
    TRY(regret_csv_open(&s->csv, s->path, &options));
    TRY(regret_csv_next(s->csv, &s->n_columns));
    if (s->n_columns == 0) {
        return regret_fail(REGRET_E_INPUT, "%s is empty; give a table with a header", s->path);
    }
    s->line = regret_csv_line(s->csv);
    TRY(REGRET_NEW(&s->column, s->n_fields));
    for (size_t i = 0; i < s->n_fields; i++) {
        TRY(s->field[i] != NULL ? find_column(s, i) : REGRET_OK);
    }
    return REGRET_OK;
}

static int open_jsonl(struct table_source *s)
{
    TRY(regret_jsonl_open(&s->jsonl, s->path));
    regret_jsonl_set_mode(s->jsonl, REGRET_JSON_IMPORT);
    return REGRET_OK;
}

int table_source_open(struct table_source *out, const char *path,
                      const struct regret_table_options *options, const char *const *field,
                      size_t n_fields)
{
    *out = (struct table_source){.path = path, .field = field, .n_fields = n_fields};
    int rc = options->layout == REGRET_TABLE_LAYOUT_JSONL ? open_jsonl(out)
                                                          : open_csv(out, options->separator);
    if (rc != REGRET_OK) {
        table_source_close(out);
    }
    return rc;
}

void table_source_close(struct table_source *s)
{
    regret_csv_close(s->csv);
    regret_jsonl_close(s->jsonl);
    cJSON_Delete(s->record);
    regret_free(s->column);
    *s = (struct table_source){0};
}

static int next_csv(struct table_source *s, int *more)
{
    size_t n = 0;
    int rc = regret_csv_next(s->csv, &n);
    s->line = regret_csv_line(s->csv);
    s->over = rc != REGRET_OK && regret_csv_is_over(s->csv);
    *more = n > 0;
    TRY(rc);
    return n == 0 || n == s->n_columns
               ? REGRET_OK
               : regret_json_error(table_source_place(s), "%zu fields where the header has %zu", n,
                                   s->n_columns);
}

static int next_jsonl(struct table_source *s, int *more)
{
    struct regret_place at = {s->path, 0};
    cJSON_Delete(s->record);
    s->record = NULL;
    int rc = regret_jsonl_next(s->jsonl, &s->record, &at);
    s->over = rc != REGRET_OK && regret_jsonl_is_over(s->jsonl);
    *more = s->record != NULL;
    s->line = at.line;
    TRY(rc);
    return s->record == NULL ? REGRET_OK
                             : regret_jsonl_check_object(s->record, table_source_place(s));
}

int table_source_next(struct table_source *s, int *more)
{
    *more = 0;
    return s->csv != NULL ? next_csv(s, more) : next_jsonl(s, more);
}

static int is_number_of_array(const char *step)
{
    return step[0] != '\0' && strspn(step, "0123456789") == strlen(step) && strlen(step) < 9;
}

/* The member that `path` leads to, NULL where there is none. */
static const cJSON *follow(const cJSON *from, const char *path)
{
    char step[REGRET_TABLE_MAX_FIELD + 1];
    for (int steps = 0; from != NULL && steps < MAX_STEPS; steps++) {
        const cJSON *whole = cJSON_GetObjectItemCaseSensitive(from, path);
        const char *dot = strchr(path, '.');
        if (whole != NULL) {
            return whole;
        }
        size_t n = dot != NULL ? (size_t)(dot - path) : strlen(path);
        memcpy(step, path, n);
        step[n] = '\0';
        from = cJSON_IsArray(from)
                   ? is_number_of_array(step) ? cJSON_GetArrayItem(from, atoi(step)) : NULL
                   : cJSON_GetObjectItemCaseSensitive(from, step);
        if (dot == NULL) {
            return from;
        }
        path = dot + 1;
    }
    return NULL;
}

static int text_of_csv(const char **out, struct table_source *s, size_t i)
{
    size_t length = 0, bad = 0;
    const char *text = regret_csv_field(&length, s->csv, s->column[i]);
    if (memchr(text, '\0', length) != NULL) {
        return regret_json_error(table_source_place(s),
                                 "column \"%s\" holds a zero byte; remove it", s->field[i]);
    }
    if (!regret_utf8_valid(text, length, &bad)) {
        return regret_json_error(table_source_place(s),
                                 "column \"%s\" is not UTF-8 at its byte %zu; convert it",
                                 s->field[i], bad + 1);
    }
    *out = text;
    return REGRET_OK;
}

static int text_of_json(const char **out, struct table_source *s, size_t i, int may_lack)
{
    const cJSON *v = follow(s->record, s->field[i]);
    if (cJSON_IsString(v)) {
        *out = v->valuestring;
    } else if (cJSON_IsBool(v)) {
        *out = cJSON_IsTrue(v) ? "true" : "false";
    } else if (cJSON_IsNumber(v)) {
        snprintf(s->scratch, sizeof s->scratch, "%.15g", v->valuedouble);
        if (strtod(s->scratch, NULL) != v->valuedouble) {
            snprintf(s->scratch, sizeof s->scratch, "%.17g", v->valuedouble);
        }
        *out = s->scratch;
    } else if (may_lack && (v == NULL || cJSON_IsNull(v))) {
        *out = "";
    } else {
        return regret_json_error(table_source_place(s),
                                 "\"%s\" is %s; it must be a text or a number", s->field[i],
                                 v == NULL         ? "absent"
                                 : cJSON_IsNull(v) ? "null"
                                                   : "a list or an object");
    }
    return REGRET_OK;
}

int table_source_text(const char **out, struct table_source *s, size_t i, int may_lack)
{
    return s->csv != NULL ? text_of_csv(out, s, i) : text_of_json(out, s, i, may_lack);
}

int table_source_parse(double *out, const char *text)
{
    char *end = NULL;
    text += strspn(text, " \t\r\n");
    size_t n = strcspn(text, " \t\r\n");
    if (text[n + strspn(text + n, " \t\r\n")] != '\0') {
        return 0;
    }
    if ((n == 4 && strncasecmp(text, "true", 4) == 0) ||
        (n == 5 && strncasecmp(text, "false", 5) == 0)) {
        *out = n == 4;
        return 1;
    }
    double x = strcspn(text, "xX") < n ? NAN : strtod(text, &end); /* nothing hexadecimal */
    if (n == 0 || end != text + n || !isfinite(x)) {
        return 0;
    }
    *out = x;
    return 1;
}

int table_source_number(double *out, struct table_source *s, size_t i)
{
    const char *text = NULL;
    TRY(table_source_text(&text, s, i, 0));
    if (table_source_parse(out, text)) {
        return REGRET_OK;
    }
    text += strspn(text, " \t\r\n");
    return strcspn(text, " \t\r\n") == 0
               ? regret_json_error(table_source_place(s), "\"%s\" is empty; it must be a number",
                                   s->field[i])
               : regret_json_error(table_source_place(s),
                                   "\"%s\" is \"%.40s\"; it must be a finite number", s->field[i],
                                   text);
}
