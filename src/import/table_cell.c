#include "import/table_cell.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/status.h"
#include "import/importer.h"
#include "import/table_map.h"
#include "import/table_source.h"
#include "regret/buffer.h"
#include "regret/status.h"

static int is_number_field(size_t i)
{
    return i == TABLE_COST || i >= TABLE_VALUES;
}

/* From where a field's path leads on: the record or, at *path, its nested row. */
static const cJSON *base_of(const char **path, const struct table_source *s, size_t i)
{
    size_t n = s->nest + sizeof TABLE_NEST - 1;
    *path = s->field[i];
    if (s->nest == 0 || strncmp(s->field[i], s->field[TABLE_AGENT], n) != 0) {
        return s->record;
    }
    *path += n;
    return s->row;
}

static const cJSON *find(const struct table_source *s, size_t i)
{
    const char *path = NULL;
    const cJSON *base = base_of(&path, s, i);
    return table_follow(base, path);
}

const cJSON *table_source_value(const struct table_source *s, size_t i)
{
    return s->csv == NULL && s->field[i] != NULL ? find(s, i) : NULL;
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
    const cJSON *field; /* what the path leads to as it is written; NULL: nowhere */
    const cJSON *next;  /* element of the list, or the one value */
    const char *rest;   /* of the path, from each element; NULL: the element itself */
    int is_list;
};

static void begin_elements(struct elements *e, const cJSON *base, const char *path)
{
    char list[REGRET_TABLE_MAX_FIELD + 1];
    const char *rest = NULL;
    const cJSON *field = table_follow(base, path), *v = field;
    const char *star = field == NULL ? strstr(path, ".*") : NULL;
    if (star != NULL && (star[2] == '.' || star[2] == '\0')) {
        snprintf(list, sizeof list, "%.*s", (int)(star - path), path);
        v = table_follow(base, list);
        rest = star[2] == '.' ? star + 3 : NULL;
        v = cJSON_IsArray(v) ? v : NULL;
    }
    int is_list = v != NULL && cJSON_IsArray(v);
    *e = (struct elements){field, is_list ? v->child : v, rest, is_list};
}

static void begin_field(struct elements *e, const struct table_source *s, size_t i)
{
    const char *path = NULL;
    const cJSON *base = base_of(&path, s, i);
    begin_elements(e, base, path);
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
    begin_field(&elements, s, i);
    for (*n = 0; next_element(&v, &elements); ++*n) {
        blanks += is_blank_value(v, is_number) != 0;
    }
    blanks += *n == 0;
    *n += *n == 0; /* none is one that is blank */
    return blanks;
}

int table_source_is_blank(struct table_source *s, size_t i)
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
    table_source_set_agent(s, a);
    for (size_t i = 0; i < s->n_fields; i++) {
        const char *pattern = s->wide.field[i];
        if (pattern != NULL && table_agent_marks(pattern) > 0 && !table_source_is_blank(s, i)) {
            return 1;
        }
    }
    return 0;
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

const char *table_json_cell(char scratch[JSON_SCRATCH], double range[2], const cJSON *base,
                            const char *path)
{
    struct elements elements;
    const cJSON *v = NULL;
    double sum = 0.0, x = 0.0;
    size_t n = 0;
    begin_elements(&elements, base, path);
    range[0] = INFINITY;
    range[1] = -INFINITY;
    if (!elements.is_list) {
        return json_text(scratch, elements.next);
    }
    for (; next_element(&v, &elements); n++) {
        const char *text = json_text(scratch, v);
        if (text == NULL || !table_source_parse(&x, text)) {
            return NULL;
        }
        range[0] = fmin(range[0], x);
        range[1] = fmax(range[1], x);
        sum += x;
    }
    snprintf(scratch, JSON_SCRATCH, "%.15g", n > 0 ? sum / (double)n : 0.0);
    return n > 0 ? scratch : NULL;
}

/* The text of what stands in field i. */
static int text_of_value(const char **out, struct table_source *s, size_t i, const cJSON *v,
                         int may_lack)
{
    *out = json_text(s->scratch, v);
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
    return s->csv != NULL ? text_of_csv(out, s, i) : text_of_value(out, s, i, find(s, i), may_lack);
}

/* The words that field i may hold in the place of numbers; NULL: none. Covariates, behind the values, have none. */
static const cJSON *words_of(const struct table_source *s, size_t i)
{
    return i >= TABLE_VALUES && i - TABLE_VALUES < s->n_values ? s->values[i - TABLE_VALUES].words
                                                               : NULL;
}

/* What a word counts by the map. */
static int find_word(double *out, const struct table_source *s, size_t i, const char *text)
{
    size_t n = strlen(text);
    const cJSON *words = words_of(s, i);
    while (n > 0 && strchr(" \t\r\n", text[n - 1]) != NULL) {
        n--;
    }
    for (const cJSON *w = words != NULL ? words->child : NULL; w != NULL; w = w->next) {
        if (strlen(w->string) == n && strncasecmp(w->string, text, n) == 0) {
            *out = w->valuedouble;
            return 1;
        }
    }
    return 0;
}

/* The number that a text of field i is. */
static int parse_number(double *out, const struct table_source *s, size_t i, const char *text)
{
    double x = 0.0;
    text += strspn(text, " \t\r\n");
    int has_words = words_of(s, i) != NULL;
    if (find_word(out, s, i, text) || table_source_parse(out, text) ||
        (i == TABLE_COST && table_source_parse_money(out, text)) ||
        (s->decimal_comma && table_source_parse_comma(out, text))) {
        return REGRET_OK;
    }
    return is_blank_text(text)
               ? regret_json_error(table_source_place(s), "\"%s\" is empty; it must be a number",
                                   s->field[i])
               : regret_json_error(
                     table_source_place(s), "\"%s\" is \"%.40s\"; it must be a finite number%s%s%s",
                     s->field[i], text, has_words ? ", or one of the \"words\" of the map" : "",
                     strpbrk(text, "0123456789") == NULL
                         ? ", or yes, pass, true, correct or their opposites"
                         : "",
                     table_source_parse_comma(&x, text)
                         ? ": if commas are decimal points here, say \"decimal_comma\": true in "
                           "the map"
                         : "");
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

/* The numbers of a field of JSON: the one that it is, or those of its list. */
static int numbers_of_json(size_t *n, struct table_source *s, size_t i)
{
    struct elements elements;
    const cJSON *v = NULL;
    const char *text = NULL;
    begin_field(&elements, s, i);
    if (!elements.is_list || elements.next == NULL) {
        TRY(text_of_value(&text, s, i, elements.field, 0));
        return add_number(s, n, i, text);
    }
    while (next_element(&v, &elements)) {
        text = json_text(s->scratch, v);
        if (text == NULL) {
            return regret_json_error(
                table_source_place(s),
                "\"%s\" holds %s; a list must be of numbers, whose mean is taken", s->field[i],
                is_blank_value(v, 1) ? "null" : "a list or an object");
        }
        TRY(add_number(s, n, i, text));
    }
    return REGRET_OK;
}

int table_source_numbers(const double **out, size_t *n, struct table_source *s, size_t i)
{
    const char *text = NULL;
    *n = 0;
    if (s->csv != NULL) {
        TRY(text_of_csv(&text, s, i));
        TRY(add_number(s, n, i, text));
    } else {
        TRY(numbers_of_json(n, s, i));
    }
    *out = s->numbers;
    return REGRET_OK;
}

static void append_reference(struct regret_buffer *out, const char *text)
{
    if (!is_blank_text(text)) {
        references_append(out, text);
    }
}

int table_source_references(struct regret_buffer *out, struct table_source *s, size_t i)
{
    struct elements elements;
    const cJSON *v = NULL;
    if (s->csv != NULL) {
        const char *text = NULL;
        TRY(text_of_csv(&text, s, i));
        append_reference(out, text);
        return regret_buffer_status(out);
    }
    begin_field(&elements, s, i);
    while (next_element(&v, &elements)) {
        const char *text = v != NULL && cJSON_IsString(v) ? v->valuestring : "";
        if (v != NULL && !cJSON_IsString(v) && !cJSON_IsNull(v)) {
            return regret_json_error(table_source_place(s),
                                     "\"%s\" must be a text, or a list of texts", s->field[i]);
        }
        append_reference(out, text);
    }
    return regret_buffer_status(out);
}
