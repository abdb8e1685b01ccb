#include "import/table_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cJSON.h>

#include "base/csv_table.h"
#include "base/try.h"
#include "import/table_map.h"
#include "regret/alloc.h"
#include "regret/file.h"

struct regret_place table_source_place(const struct table_source *s)
{
    return s->csv != NULL || s->json.path == NULL ? (struct regret_place){s->path, s->number}
                                                  : s->json.at;
}

const char *table_source_unit(const struct table_source *s)
{
    return s->csv != NULL ? "line" : s->json.unit;
}

static void choose(struct table_source *s, size_t a)
{
    s->agent = a;
    s->field = (const char *const *)&s->wide.name[a * s->n_fields];
    if (s->csv != NULL) {
        s->column = s->columns + a * s->n_fields;
    }
}

const char *table_source_agent(const struct table_source *s)
{
    return s->wide.agent[s->agent];
}

/* What R, pandas and spreadsheets write where a number is missing. */
int table_source_is_missing(const char *text)
{
    static const char *const marks[] = {"na", "n/a", "nan", "null", "none", "<na>", "#n/a"};
    text += strspn(text, " \t\r\n");
    size_t n = strcspn(text, " \t\r\n");
    int found = 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        found |= n == strlen(marks[i]) && strncasecmp(text, marks[i], n) == 0;
    }
    return found && text[n + strspn(text + n, " \t\r\n")] == '\0';
}

static int is_number_field(size_t i)
{
    return i == TABLE_COST || i >= TABLE_VALUES;
}

static int is_blank_text(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

/* A field, or an element of a list, that holds nothing. */
static int is_blank_value(const cJSON *v, int is_number)
{
    return v == NULL || cJSON_IsNull(v) || (is_number && cJSON_IsArray(v) && v->child == NULL) ||
           (cJSON_IsString(v) && (is_blank_text(v->valuestring) ||
                                  (is_number && table_source_is_missing(v->valuestring))));
}

/* What a field of JSON holds, one after the other: the elements of a list, what a path with a step "*" leads to from
 * each of them (NULL where it leads nowhere), or the one value that there is. */
struct elements {
    const cJSON *next; /* element of the list, or the one value */
    const char *rest;  /* of the path, from each element; NULL: the element itself */
    int is_list;
};

static void begin_elements(struct elements *e, const struct table_source *s, size_t i)
{
    static const char STEP[] = ".*";
    char path[REGRET_TABLE_MAX_FIELD + 1];
    const cJSON *v = table_follow(s->record, s->field[i]);
    const char *star = v == NULL ? strstr(s->field[i], STEP) : NULL, *rest = NULL;
    if (star != NULL && (star[2] == '.' || star[2] == '\0')) {
        snprintf(path, sizeof path, "%.*s", (int)(star - s->field[i]), s->field[i]);
        v = table_follow(s->record, path);
        rest = star[2] == '.' ? star + 3 : NULL;
        v = cJSON_IsArray(v) ? v : NULL;
    }
    int is_list = v != NULL && cJSON_IsArray(v);
    *e = (struct elements){is_list ? v->child : v, rest, is_list};
}

/* The next in *value; 0 at the end. */
static int next_element(const cJSON **value, struct elements *e)
{
    const cJSON *at = e->next;
    if (at == NULL) {
        return 0;
    }
    *value = e->rest != NULL ? table_follow(at, e->rest) : at;
    e->next = e->is_list ? at->next : NULL;
    return 1;
}

/* How many of the elements of field i hold nothing, out of *n; what they hold may be wrong all the same. */
static size_t count_blanks(size_t *n, struct table_source *s, size_t i)
{
    int is_number = is_number_field(i);
    struct elements elements;
    const cJSON *v = NULL;
    size_t blanks = 0;
    if (s->csv != NULL) {
        const char *text = regret_csv_field(NULL, s->csv, s->column[i]);
        *n = 1;
        return is_blank_text(text) || (is_number && table_source_is_missing(text));
    }
    begin_elements(&elements, s, i);
    for (*n = 0; next_element(&v, &elements); ++*n) {
        blanks += is_blank_value(v, is_number) != 0;
    }
    blanks += *n == 0;
    *n += *n == 0; /* none is one that is blank */
    return blanks;
}

static int is_blank(struct table_source *s, size_t i)
{
    size_t n = 0;
    return count_blanks(&n, s, i) == n;
}

int table_source_lacks(struct table_source *s, size_t i)
{
    size_t n = 0;
    return count_blanks(&n, s, i) > 0;
}

int table_source_choose(struct table_source *s, size_t a)
{
    choose(s, a);
    for (size_t i = 0; i < s->n_fields; i++) {
        const char *pattern = s->wide.field[i];
        if (pattern != NULL && table_agent_marks(pattern) > 0 && !is_blank(s, i)) {
            return 1;
        }
    }
    return 0;
}

int table_no_column(const char *name, const char *const *known, size_t n)
{
    const char *near = regret_nearest_word(name, known, n);
    char other = n == 1 ? known[0][strcspn(known[0], ";\t|")] : '\0';
    if (other != '\0') {
        const char quoted[] = {'\'', other, '\'', '\0'};
        return regret_fail(REGRET_E_INPUT,
                           "there is no column \"%s\"; the header is one column, \"%.40s\": say "
                           "what separates fields, --separator %s",
                           name, known[0], other == '\t' ? "tab" : quoted);
    }
    return near != NULL ? regret_fail(REGRET_E_INPUT,
                                      "there is no column \"%s\"; did you mean \"%s\"?", name, near)
                        : regret_fail(REGRET_E_INPUT,
                                      "there is no column \"%s\"; the header has %zu, the first is "
                                      "\"%.40s\"",
                                      name, n, known[0]);
}

/* The columns of every field, of a wide table those of every agent. */
static int find_columns(struct table_source *s, const char *const *known, struct id_table *header,
                        const unsigned char *twice)
{
    for (size_t i = 0; i < s->n_fields; i++) {
        const char *name = s->field[i];
        size_t c = name != NULL ? id_table_find(header, name) : SIZE_MAX;
        if (name != NULL && c == SIZE_MAX) {
            return regret_fail_prefix(table_no_column(name, known, s->n_columns), "%s:%zu", s->path,
                                      s->number);
        }
        if (name != NULL && twice[c]) {
            return regret_json_error(table_source_place(s),
                                     "column \"%s\" is given twice; rename one", name);
        }
        s->column[i] = c;
    }
    return REGRET_OK;
}

/* Finds the columns by a table of the header's names, for a wide table asks for thousands. */
static int read_header(struct table_source *s, const char **known, unsigned char *twice,
                       struct id_table *header)
{
    TRY(id_table_reserve(header, s->n_columns));
    for (size_t c = 0; c < s->n_columns; c++) {
        known[c] = regret_csv_field(NULL, s->csv, c);
        size_t first = id_table_put(header, known[c], c);
        twice[first] |= first != c;
        TRY(s->is_wide ? table_wide_column(&s->wide, known[c], table_source_place(s)) : REGRET_OK);
    }
    TRY(s->is_wide ? table_wide_check(&s->wide, known, s->n_columns, table_source_place(s))
                   : REGRET_OK);
    size_t times = s->is_wide ? s->wide.n_agents : 1;
    TRY(REGRET_NEW(&s->columns, times * s->n_fields));
    s->column = s->columns;
    for (size_t a = 0; a < times; a++) {
        if (s->is_wide) {
            choose(s, a);
        }
        TRY(find_columns(s, known, header, twice));
    }
    return REGRET_OK;
}

static int open_csv(struct table_source *s, char separator)
{
    struct id_table header = {NULL, 0, 0};
    const char **known = NULL;
    unsigned char *twice = NULL;
    int rc;
    TRY(csv_table_open(&s->csv, s->path, separator));
    TRY(regret_csv_next(s->csv, &s->n_columns));
    if (s->n_columns == 0) {
        return regret_fail(REGRET_E_INPUT, "%s is empty; give a table with a header", s->path);
    }
    s->number = regret_csv_line(s->csv);
    TRY_CLEANUP(REGRET_NEW(&known, s->n_columns));
    TRY_CLEANUP(REGRET_NEW(&twice, s->n_columns));
    rc = read_header(s, known, twice, &header);
cleanup:
    id_table_free(&header);
    regret_free(known);
    regret_free(twice);
    return rc;
}

int table_source_open(struct table_source *out, const char *path,
                      const struct regret_table_options *options, const char *const *field,
                      size_t n_fields, const struct table_agents *agents)
{
    *out = (struct table_source){
        .path = path, .field = field, .n_fields = n_fields, .is_wide = agents != NULL};
    int rc;
    TRY_CLEANUP(agents != NULL
                    ? table_wide_begin(&out->wide, agents, field, n_fields, table_source_place(out))
                    : REGRET_OK);
    TRY_CLEANUP(options->layout == REGRET_TABLE_LAYOUT_CSV
                    ? open_csv(out, options->separator)
                    : json_records_open(&out->json, path,
                                        options->layout == REGRET_TABLE_LAYOUT_JSONL
                                            ? JSON_RECORDS_OF_TABLE
                                            : JSON_RECORDS_OF_SET));
    return REGRET_OK;
cleanup:
    table_source_close(out);
    return rc;
}

void table_source_close(struct table_source *s)
{
    regret_csv_close(s->csv);
    json_records_close(&s->json);
    regret_free(s->columns);
    regret_free(s->numbers);
    table_wide_free(&s->wide);
    *s = (struct table_source){0};
}

static int next_csv(struct table_source *s, int *more)
{
    size_t n = 0;
    int rc = regret_csv_next(s->csv, &n);
    s->number = regret_csv_line(s->csv);
    s->over = rc != REGRET_OK && regret_csv_is_over(s->csv);
    *more = n > 0;
    TRY(rc);
    return n == 0 || n == s->n_columns
               ? REGRET_OK
               : regret_json_error(table_source_place(s), "%zu fields where the header has %zu", n,
                                   s->n_columns);
}

static int next_json(struct table_source *s, int *more)
{
    int rc = json_records_next(&s->json, &s->record);
    s->over = rc != REGRET_OK && json_records_is_over(&s->json);
    *more = s->record != NULL;
    s->number = s->json.number;
    TRY(rc);
    if (s->record == NULL) { /* nobody knows before what the agents are */
        rc = s->is_wide ? table_wide_check(&s->wide, NULL, 0, (struct regret_place){s->path, 0})
                        : REGRET_OK;
        s->over |= rc != REGRET_OK;
        return rc;
    }
    return s->is_wide ? table_wide_record(&s->wide, s->record, table_source_place(s)) : REGRET_OK;
}

int table_source_next(struct table_source *s, int *more)
{
    *more = 0;
    return s->csv != NULL ? next_csv(s, more) : next_json(s, more);
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

const char *table_json_text(char scratch[TABLE_SCRATCH], const cJSON *v)
{
    if (cJSON_IsString(v)) {
        return v->valuestring;
    }
    if (cJSON_IsBool(v)) {
        return cJSON_IsTrue(v) ? "true" : "false";
    }
    if (!cJSON_IsNumber(v)) {
        return NULL;
    }
    snprintf(scratch, TABLE_SCRATCH, "%.15g", v->valuedouble);
    if (strtod(scratch, NULL) != v->valuedouble) {
        snprintf(scratch, TABLE_SCRATCH, "%.17g", v->valuedouble);
    }
    return scratch;
}

static int text_of_json(const char **out, struct table_source *s, size_t i, int may_lack)
{
    const cJSON *v = table_follow(s->record, s->field[i]);
    *out = table_json_text(s->scratch, v);
    if (*out == NULL && may_lack && (v == NULL || cJSON_IsNull(v))) {
        *out = "";
    }
    return *out != NULL ? REGRET_OK
                        : regret_json_error(table_source_place(s), "\"%s\" is %s; it must be %s",
                                            s->field[i],
                                            v == NULL         ? "absent"
                                            : cJSON_IsNull(v) ? "null"
                                                              : "a list or an object",
                                            is_number_field(i) ? "a number" : "a text or a number");
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

/* The number that a text of field i is. */
static int parse_number(double *out, const struct table_source *s, size_t i, const char *text)
{
    if (table_source_parse(out, text)) {
        return REGRET_OK;
    }
    text += strspn(text, " \t\r\n");
    return is_blank_text(text)
               ? regret_json_error(table_source_place(s), "\"%s\" is empty; it must be a number",
                                   s->field[i])
               : regret_json_error(table_source_place(s),
                                   "\"%s\" is \"%.40s\"; it must be a finite number", s->field[i],
                                   text);
}

int table_source_number(double *out, struct table_source *s, size_t i)
{
    const char *text = NULL;
    TRY(table_source_text(&text, s, i, 0));
    return parse_number(out, s, i, text);
}

static int add_number(struct table_source *s, size_t *n, size_t i, const char *text)
{
    TRY(regret_grow((void **)&s->numbers, &s->numbers_capacity, *n, sizeof *s->numbers,
                    "the numbers of a list"));
    TRY(parse_number(&s->numbers[*n], s, i, text));
    ++*n;
    return REGRET_OK;
}

int table_source_numbers(const double **out, size_t *n, struct table_source *s, size_t i)
{
    struct elements elements = {NULL, NULL, 0};
    const cJSON *v = NULL;
    const char *text = NULL;
    *n = 0;
    if (s->csv == NULL) {
        begin_elements(&elements, s, i);
    }
    if (!elements.is_list || elements.next == NULL) {
        elements.next = NULL;
        TRY(table_source_text(&text, s, i, 0));
        TRY(add_number(s, n, i, text));
    }
    while (next_element(&v, &elements)) {
        text = table_json_text(s->scratch, v);
        if (text == NULL) {
            return regret_json_error(
                table_source_place(s),
                "\"%s\" holds %s; a list must be of numbers, whose mean is taken", s->field[i],
                is_blank_value(v, 1) ? "null" : "a list or an object");
        }
        TRY(add_number(s, n, i, text));
    }
    *out = s->numbers;
    return REGRET_OK;
}

int table_source_first_text(const char **out, struct table_source *s, size_t i)
{
    struct elements elements;
    const cJSON *v = NULL;
    *out = NULL;
    if (s->csv != NULL) {
        TRY(text_of_csv(out, s, i));
        *out = is_blank_text(*out) ? NULL : *out;
        return REGRET_OK;
    }
    begin_elements(&elements, s, i);
    while (*out == NULL && next_element(&v, &elements)) {
        const char *text = v != NULL && cJSON_IsString(v) ? v->valuestring : "";
        if (v != NULL && !cJSON_IsString(v) && !cJSON_IsNull(v)) {
            return regret_json_error(table_source_place(s),
                                     "\"%s\" must be a text, or a list of texts", s->field[i]);
        }
        *out = is_blank_text(text) ? NULL : text;
    }
    return REGRET_OK;
}
