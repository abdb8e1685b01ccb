#include "import/table_source.h"

#include <cJSON.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/jsonl.h"
#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "import/table_map.h"
#include "import/table_wide.h"
#include "regret/status.h"

/* Where in a table the parts of a pool stand: "columns", "contexts" and "agents" of a map. */

int table_map_check_field(const char *field, const char *what, struct regret_place at)
{
    size_t n = strlen(field);
    return n > 0 && n <= REGRET_TABLE_MAX_FIELD
               ? REGRET_OK
               : regret_json_error(at, "the field of \"%.40s\" must have 1 to %d bytes", what,
                                   REGRET_TABLE_MAX_FIELD);
}

/* "reference": a field, or a list of two, whose references count together. */
static int read_reference(const char **fields, const cJSON *object, struct regret_place at)
{
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(object, "reference");
    const cJSON *first = cJSON_GetArrayItem(given, 0), *second = cJSON_GetArrayItem(given, 1);
    if (!cJSON_IsArray(given)) {
        TRY(regret_json_optional_string(&fields[TABLE_REFERENCE], object, "reference", at));
        return fields[TABLE_REFERENCE] != NULL
                   ? table_map_check_field(fields[TABLE_REFERENCE], "reference", at)
                   : REGRET_OK;
    }
    if (!cJSON_IsString(first) || !cJSON_IsString(second) || cJSON_GetArraySize(given) > 2) {
        return regret_json_error(at, "\"reference\" must be a field, or a list of two");
    }
    fields[TABLE_REFERENCE] = first->valuestring;
    fields[TABLE_OTHER_REFERENCE] = second->valuestring;
    TRY(table_map_check_field(first->valuestring, "reference", at));
    return table_map_check_field(second->valuestring, "reference", at);
}

/* "context" and "agent" may be two columns, which name one together. */
static int read_pair(const char **fields, const cJSON *columns, const char *key,
                     enum table_field first, enum table_field second, struct regret_place at)
{
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(columns, key),
                *one = cJSON_GetArrayItem(given, 0), *other = cJSON_GetArrayItem(given, 1);
    if (!cJSON_IsArray(given)) {
        return REGRET_OK;
    }
    if (!cJSON_IsString(one) || !cJSON_IsString(other) || cJSON_GetArraySize(given) > 2) {
        return regret_json_error(at, "\"%s\" must be a field, or a list of two", key);
    }
    fields[first] = one->valuestring;
    fields[second] = other->valuestring;
    TRY(table_map_check_field(one->valuestring, key, at));
    return table_map_check_field(other->valuestring, key, at);
}

/* The fields `wanted` of an object of strings; the first `demanded` of them must be there. */
int table_map_read_columns(const char **out, const cJSON *object, const char *const *wanted,
                           size_t n, size_t demanded, struct regret_place at)
{
    TRY(regret_json_check_keys(object, wanted, n, at));
    for (size_t i = 0; i < n; i++) {
        if (strcmp(wanted[i], "reference") == 0 || out[i] != NULL) {
            continue; /* read_reference(), read_pair() */
        }
        TRY(i < demanded ? regret_json_get_string(&out[i], object, wanted[i], at)
                         : regret_json_optional_string(&out[i], object, wanted[i], at));
        if (out[i] != NULL) {
            TRY(table_map_check_field(out[i], wanted[i], at));
        }
    }
    return REGRET_OK;
}

/* "agents" as a list of names. */
static int read_agent_names(struct table_agents *out, const cJSON *list, struct regret_place at)
{
    size_t n = (size_t)cJSON_GetArraySize(list);
    if (n == 0 || n > REGRET_POOL_MAX_AGENTS) {
        return regret_json_error(at, "\"agents\" has %zu entries; from 1 to %d are allowed", n,
                                 (int)REGRET_POOL_MAX_AGENTS);
    }
    TRY(REGRET_NEW(&out->name, n));
    for (const cJSON *e = list->child; e != NULL; e = e->next) {
        if (!cJSON_IsString(e)) {
            return regret_json_error(at, "\"agents\" is a list of names, texts all of them");
        }
        TRY(table_map_check_field(e->valuestring, "agents", at));
        for (size_t i = 0; i < out->n_names; i++) {
            if (strcmp(out->name[i], e->valuestring) == 0) {
                return regret_json_error(at, "\"agents\" names \"%.60s\" twice; remove one",
                                         e->valuestring);
            }
        }
        out->name[out->n_names++] = e->valuestring;
    }
    return REGRET_OK;
}

int table_map_read_agents(struct table_map *map, struct regret_place at)
{
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(map->root, "agents");
    map->is_wide = given != NULL;
    if (given == NULL) {
        return REGRET_OK;
    }
    if (cJSON_IsArray(given)) {
        return read_agent_names(&map->agents, given, at);
    }
    if (!cJSON_IsString(given) || table_agent_marks(given->valuestring) != 1) {
        return regret_json_error(at, "\"agents\" must be a list of names, or the name of a column "
                                     "with one " TABLE_AGENT_MARK " in it");
    }
    map->agents.pattern = given->valuestring;
    return table_map_check_field(given->valuestring, "agents", at);
}

int table_map_check_wide(const struct table_map *map, struct regret_place at)
{
    static const char *const WHAT[] = {[TABLE_CONTEXT] = "context",
                                       [TABLE_TEXT] = "text",
                                       [TABLE_TAG] = "tag",
                                       [TABLE_REFERENCE] = "reference",
                                       [TABLE_OTHER_REFERENCE] = "reference",
                                       [TABLE_VALUES] = NULL};
    size_t marks = 0;
    if (map->field[TABLE_AGENT] != NULL) {
        return regret_json_error(at, "\"agents\" is of a wide table, the column \"agent\" of a "
                                     "long one; leave one of the two out");
    }
    for (size_t i = 0; i < TABLE_VALUES + map->n_numbers + map->n_covariates; i++) {
        const char *of_context = i < TABLE_VALUES                     ? WHAT[i]
                                 : i >= TABLE_VALUES + map->n_numbers ? "covariate"
                                                                      : NULL;
        size_t n = map->field[i] != NULL ? table_agent_marks(map->field[i]) : 0;
        if (n > 1 || (n > 0 && of_context != NULL)) {
            return regret_json_error(at,
                                     n > 1 ? "the field \"%.60s\" holds " TABLE_AGENT_MARK
                                             " twice; once is enough"
                                           : "the field \"%.60s\" holds " TABLE_AGENT_MARK
                                             ", but it is the %s of a context, the same for all "
                                             "agents",
                                     map->field[i], of_context != NULL ? of_context : "");
        }
        marks += i >= TABLE_VALUES ? n : 0;
    }
    if (map->field[TABLE_OUTPUT] == NULL &&
        (map->is_coding || map->derive.wanted || map->n_made > 0)) {
        return regret_json_error(at, "say which columns hold the %s: \"output\"",
                                 map->is_coding ? "patches" : "texts");
    }
    return marks > 0 || map->n_made > 0
               ? REGRET_OK
               : regret_json_error(at, "no score holds " TABLE_AGENT_MARK
                                       ": say which columns are an agent's, as in "
                                       "\"from\": \"" TABLE_AGENT_MARK "_score\"");
}

/* "contexts", the fields of a file of contexts. */
static int read_context_fields(struct table_map *map, struct regret_place at, int contexts_apart)
{
    static const char *const APART[] = {"context", "text", "tag", "reference"};
    const cJSON *contexts = NULL;
    const char *apart[3] = {NULL, NULL, NULL};
    const char **own = map->contexts;
    if (cJSON_GetObjectItemCaseSensitive(map->root, "contexts") != NULL) {
        TRY(regret_json_get_object(&contexts, map->root, "contexts", at));
        TRY(table_map_read_columns(apart, contexts, APART, 4, 0, at));
        TRY(read_reference(own, contexts, at));
    }
    if (!contexts_apart) {
        return contexts == NULL ? REGRET_OK
                                : regret_json_error(at, "\"contexts\" is of a file of contexts; "
                                                        "name it with --contexts");
    }
    own[TABLE_CONTEXT] = apart[0] != NULL ? apart[0] : map->field[TABLE_CONTEXT];
    own[TABLE_SECOND_CONTEXT] = apart[0] != NULL ? NULL : map->field[TABLE_SECOND_CONTEXT];
    own[TABLE_TEXT] = apart[1] != NULL ? apart[1] : map->field[TABLE_TEXT];
    own[TABLE_TAG] = apart[2] != NULL ? apart[2] : map->field[TABLE_TAG];
    if (own[TABLE_REFERENCE] == NULL) {
        own[TABLE_REFERENCE] = map->field[TABLE_REFERENCE];
        own[TABLE_OTHER_REFERENCE] = map->field[TABLE_OTHER_REFERENCE];
    }
    map->field[TABLE_TEXT] = map->field[TABLE_TAG] = NULL;
    map->field[TABLE_REFERENCE] = map->field[TABLE_OTHER_REFERENCE] = NULL;
    return own[TABLE_TEXT] != NULL
               ? REGRET_OK
               : regret_json_error(at, "say where the text of a context stands: \"contexts\": "
                                       "{\"text\": …}");
}

int table_map_read_fields(struct table_map *map, struct regret_place at, int contexts_apart)
{
    static const char *const COLUMNS[TABLE_OTHER_REFERENCE] = {
        [TABLE_CONTEXT] = "context", [TABLE_AGENT] = "agent", [TABLE_OUTPUT] = "output",
        [TABLE_TEXT] = "text",       [TABLE_TAG] = "tag",     [TABLE_REFERENCE] = "reference",
        [TABLE_TITLE] = "title",     [TABLE_COST] = "cost",   [TABLE_RATER] = "rater"};
    const cJSON *columns = NULL;
    TRY(regret_json_get_object(&columns, map->root, "columns", at));
    TRY(read_pair(map->field, columns, "context", TABLE_CONTEXT, TABLE_SECOND_CONTEXT, at));
    TRY(read_pair(map->field, columns, "agent", TABLE_AGENT, TABLE_SECOND_AGENT, at));
    size_t demanded = map->is_wide || map->votes.wanted        ? TABLE_CONTEXT + 1
                      : map->field[TABLE_SECOND_AGENT] != NULL ? TABLE_AGENT + 1
                      : contexts_apart                         ? TABLE_TEXT
                                                               : TABLE_TEXT + 1;
    TRY(table_map_read_columns(map->field, columns, COLUMNS, TABLE_OTHER_REFERENCE, demanded, at));
    TRY(read_reference(map->field, columns, at));
    if (!contexts_apart) { /* the one left to demand of a wide table */
        TRY(regret_json_get_string(&map->field[TABLE_TEXT], columns, "text", at));
    }
    return read_context_fields(map, at, contexts_apart);
}

struct regret_place table_source_place(const struct table_source *s)
{
    return s->csv != NULL || s->json.path == NULL ? (struct regret_place){s->path, s->number}
           : s->row != NULL                       ? (struct regret_place){s->where, 0}
                                                  : s->json.at;
}

const char *table_source_unit(const struct table_source *s)
{
    return s->csv != NULL ? "line" : s->nest > 0 ? "row" : s->json.unit;
}

enum { PLACE = 160 }; /* bytes of a place but for the paths */

void table_source_set_agent(struct table_source *s, size_t a)
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

int table_no_column(const char *name, const char *const *known, size_t n)
{
    const char *near = name_nearest(name, known, n);
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
            table_source_set_agent(s, a);
        }
        TRY(find_columns(s, known, header, twice));
    }
    return REGRET_OK;
}

static int open_csv(struct table_source *s, char separator)
{
    FREED_BY(id_table_free) struct id_table header = {NULL, 0, 0};
    FREED const char **known = NULL;
    FREED unsigned char *twice = NULL;
    TRY(csv_table_open_trimmed(&s->csv, s->path, separator));
    TRY(regret_csv_next(s->csv, &s->n_columns));
    if (s->n_columns == 0) {
        return regret_fail(REGRET_E_INPUT, "%s is empty; give a table with a header", s->path);
    }
    s->number = regret_csv_line(s->csv);
    TRY(REGRET_NEW(&known, s->n_columns));
    TRY(REGRET_NEW(&twice, s->n_columns));
    return read_header(s, known, twice, &header);
}

/* Rows may be nested in the records of JSON. */
static int prepare_rows(struct table_source *s)
{
    const char *agent = s->field[TABLE_AGENT],
               *nest = agent != NULL ? strstr(agent, TABLE_NEST) : NULL;
    s->nest = nest != NULL ? (size_t)(nest - agent) : 0;
    s->where_room = strlen(s->path) + REGRET_TABLE_MAX_FIELD + PLACE;
    return s->nest > 0 ? REGRET_NEW(&s->where, s->where_room) : REGRET_OK;
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
    TRY_CLEANUP(out->csv == NULL && n_fields > TABLE_AGENT ? prepare_rows(out) : REGRET_OK);
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
    regret_free(s->where);
    table_wide_free(&s->wide);
    *s = (struct table_source){0};
}

static int next_csv(struct table_source *s, int *more)
{
    size_t n = 0;
    int rc = regret_csv_next(s->csv, &n);
    s->number = regret_csv_line(s->csv);
    s->over = rc != REGRET_OK && (regret_csv_is_over(s->csv) || csv_is_unclosed(s->csv));
    *more = n > 0;
    TRY(rc);
    return n == 0 || n == s->n_columns
               ? REGRET_OK
               : regret_json_error(table_source_place(s), "%zu fields where the header has %zu", n,
                                   s->n_columns);
}

/* From the record at hand to the list in it whose elements are rows. */
static int open_rows(struct table_source *s)
{
    char path[REGRET_TABLE_MAX_FIELD + 1];
    snprintf(path, sizeof path, "%.*s", (int)s->nest, s->field[TABLE_AGENT]);
    const cJSON *list = table_follow(s->record, path);
    if (list == NULL || !cJSON_IsArray(list)) {
        return regret_json_error(s->json.at,
                                 "\"%s\" is %s; it must be a list, whose elements are rows", path,
                                 list == NULL ? "absent" : "no list");
    }
    s->next_row = list->child;
    s->row_index = 0;
    return REGRET_OK;
}

/* The next row, in the list at hand or the next record's that has one. */
static int next_row(struct table_source *s)
{
    struct regret_place at;
    s->row = NULL;
    while (s->next_row == NULL) {
        TRY(json_records_next(&s->json, &s->record));
        if (s->record == NULL) {
            return REGRET_OK;
        }
        TRY(open_rows(s));
    }
    s->row = s->next_row;
    s->next_row = s->row->next;
    at = s->json.at;
    int n = at.line > 0 ? snprintf(s->where, s->where_room, "%s:%zu", at.file, at.line)
                        : snprintf(s->where, s->where_room, "%s", at.file);
    snprintf(s->where + n, s->where_room - (size_t)n, ": \"%.*s\" %zu (from 0)", (int)s->nest,
             s->field[TABLE_AGENT], s->row_index++);
    s->number = s->rows++;
    return cJSON_IsObject(s->row)
               ? REGRET_OK
               : regret_json_error(table_source_place(s), "must be an object in braces");
}

static int next_nested(struct table_source *s, int *more)
{
    int rc = next_row(s);
    s->over = rc != REGRET_OK && json_records_is_over(&s->json);
    *more = s->row != NULL;
    return rc;
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
    return s->csv != NULL ? next_csv(s, more)
           : s->nest > 0  ? next_nested(s, more)
                          : next_json(s, more);
}
