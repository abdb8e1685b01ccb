/* A look at JSON: the fields of its records are columns. */
#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "base/id_table.h"
#include "base/try.h"
#include "import/profile.h"
#include "import/table_source.h"
#include "regret/alloc.h"

enum { LONGEST_LIST = 8 };

struct search {
    struct table_profile *profile;
    size_t capacity; /* of its columns */
    struct id_table names;
    const cJSON *record;
    size_t records;                        /* whose fields were looked for */
    char path[REGRET_TABLE_MAX_FIELD + 1]; /* of the value at hand */
};

/* Two passes: which fields there are, and what they hold. */
typedef int take_record(struct search *s, const cJSON *record, int *full);

static int each_record(struct search *s, const char *path, take_record *take)
{
    struct json_records records;
    const cJSON *record = NULL;
    int rc;
    TRY_CLEANUP(json_records_open(&records, path, JSON_RECORDS_OF_TABLE));
    for (int full = 0; !full;) {
        TRY_CLEANUP(json_records_next(&records, &record));
        if (record == NULL) {
            break;
        }
        TRY_CLEANUP(take(s, record, &full));
    }
cleanup:
    json_records_close(&records);
    return rc;
}

/* ---------------------------------------------------------------- fields */

/* Enters a field under its path, unless it is there or the path leads elsewhere in this record (names may hold
 * dots). */
static int enter(struct search *s, const cJSON *value)
{
    struct table_profile *p = s->profile;
    if (id_table_find(&s->names, s->path) != SIZE_MAX ||
        table_follow(s->record, s->path) != value) {
        return REGRET_OK;
    }
    TRY(id_table_reserve(&s->names, p->n_columns + 1));
    TRY(regret_grow((void **)&p->column, &s->capacity, p->n_columns, sizeof *p->column,
                    "the fields of records"));
    struct profile_column *c = &p->column[p->n_columns];
    *c = (struct profile_column){0};
    TRY(regret_strdup(&c->name, s->path));
    id_table_put(&s->names, c->name, p->n_columns++);
    return REGRET_OK;
}

/* Enters the value at s->path, of `length` bytes, and what it holds. JSON is read to a depth of 64. */
static int enter_all(struct search *s, const cJSON *value, size_t length)
{
    size_t i = 0;
    if (!cJSON_IsObject(value) && !cJSON_IsArray(value)) {
        return length > 0 ? enter(s, value) : REGRET_OK;
    }
    if (cJSON_IsArray(value) && cJSON_GetArraySize(value) > LONGEST_LIST) {
        return REGRET_OK;
    }
    for (const cJSON *m = value->child; m != NULL && s->profile->n_columns <= PROFILE_COLUMNS;
         m = m->next, i++) {
        char *end = s->path + length;
        const char *dot = length > 0 ? "." : "";
        size_t room = sizeof s->path - length;
        int n = cJSON_IsObject(value) ? snprintf(end, room, "%s%s", dot, m->string)
                                      : snprintf(end, room, "%s%zu", dot, i);
        TRY((size_t)n < room ? enter_all(s, m, length + (size_t)n) : REGRET_OK);
    }
    return REGRET_OK;
}

static int take_fields(struct search *s, const cJSON *record, int *full)
{
    s->record = record;
    TRY(enter_all(s, record, 0));
    *full = s->profile->n_columns > PROFILE_COLUMNS ||
            ++s->records >= PROFILE_CELLS / (s->profile->n_columns + 1);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- cells */

static int take_cells(struct search *s, const cJSON *record, int *full)
{
    struct table_profile *p = s->profile;
    TRY(table_profile_begin_row(p, full));
    for (size_t k = 0; k < p->n_columns && !*full; k++) {
        char scratch[TABLE_SCRATCH];
        const char *text = table_json_text(scratch, table_follow(record, p->column[k].name));
        text = text != NULL ? text : "";
        table_profile_cell(p, k, text, strlen(text));
    }
    return REGRET_OK;
}

int table_profile_read_json(struct table_profile *out, const char *path)
{
    struct search s = {.profile = out};
    int rc;
    *out = (struct table_profile){0};
    TRY_CLEANUP(each_record(&s, path, take_fields));
    TRY_CLEANUP(table_profile_check_columns(out->n_columns, path));
    TRY_CLEANUP(each_record(&s, path, take_cells));
    rc = table_profile_finish(out, path);
cleanup:
    id_table_free(&s.names);
    return rc;
}
