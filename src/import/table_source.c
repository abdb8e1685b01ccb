/* Rows of a table with a tree each: of logs, whose cells are read from it. */
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
#include "import/table_wide.h"
#include "regret/status.h"
#include "table/fields.h"

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

/* The columns of every field, of a wide table those of every agent. */
static int find_columns(struct table_source *s, const char *const *known, struct id_table *header,
                        const unsigned char *twice)
{
    for (size_t i = 0; i < s->n_fields; i++) {
        const char *name = s->field[i];
        size_t c = name != NULL ? id_table_find(header, name) : SIZE_MAX;
        if (name != NULL && c == SIZE_MAX) {
            return regret_fail_prefix(fields_no_column(name, known, s->n_columns), "%s:%zu",
                                      s->path, s->number);
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
