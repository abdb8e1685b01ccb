/* The records of JSON as rows of a table, their fields by paths. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/jsonl.h"
#include "base/status.h"
#include "import/init.h"
#include "import/table_cell.h"
#include "regret/status.h"

/* The row at hand: what the path of a field is told from. */
struct json_row {
    struct init_table *t;
    const cJSON *record;
    size_t line;
    const char *before; /* of elements of a list that is rows: "answers.*." */
};

static int put_named(struct json_row *r, const char *path, const char *text, const double *range)
{
    struct init_table *t = r->t;
    FREED_BY(regret_buffer_free) struct regret_buffer whole = REGRET_BUFFER_INIT;
    uint32_t k = 0;
    regret_buffer_append(&whole, r->before);
    regret_buffer_append(&whole, path);
    TRY(regret_buffer_status(&whole));
    TRY(names_enter(&k, &t->names, regret_buffer_get(&whole)));
    TRY(k == t->n_columns ? init_add_column(t, regret_buffer_get(&whole)) : REGRET_OK);
    /* Where a column has come all cells are put again. */
    return t->insert[0] == NULL ? REGRET_OK : init_put_cell(t, k, text, r->line, range);
}

static int put_value(struct json_row *r, struct regret_buffer *path, const cJSON *v, int depth);

static int put_member(struct json_row *r, struct regret_buffer *path, const char *key,
                      const cJSON *v, int depth)
{
    size_t length = path->length;
    regret_buffer_printf(path, "%s%s", length > 0 ? "." : "", key);
    TRY(regret_buffer_status(path));
    TRY(put_value(r, path, v, depth + 1));
    path->length = length;
    path->data[length] = '\0';
    return REGRET_OK;
}

/* What elements of a list are called by: a text beside a number. */
static int is_called(const struct init_table *t, const cJSON *object)
{
    for (const cJSON *m = object != NULL ? object->child : NULL; m != NULL; m = m->next) {
        int is_key = strcmp(m->string, "name") == 0 || strcmp(m->string, "key") == 0 ||
                     strcmp(m->string, "label") == 0;
        if (cJSON_IsString(m) &&
            (is_key || (init_name_any(&t->words, m->string) & (INIT_MEASURE | INIT_AGENT)) != 0)) {
            return 1;
        }
    }
    return 0;
}

/* Lists: of one element that; of numbers their mean, of objects that of each of their numbers; others as they are. */
static int put_list(struct json_row *r, struct regret_buffer *path, const cJSON *list, int depth)
{
    char scratch[JSON_SCRATCH];
    double range[2] = {INFINITY, -INFINITY};
    const cJSON *first = list->child;
    if (first != NULL && first->next == NULL && !cJSON_IsObject(first)) {
        return put_member(r, path, "0", first, depth);
    }
    const char *mean = table_json_cell(scratch, range, r->record, regret_buffer_get(path));
    if (mean != NULL || first == NULL) {
        return first == NULL ? REGRET_OK : put_named(r, regret_buffer_get(path), mean, range);
    }
    for (const cJSON *m = first->child; cJSON_IsObject(first) && m != NULL; m = m->next) {
        FREED_BY(regret_buffer_free) struct regret_buffer each = REGRET_BUFFER_INIT;
        regret_buffer_printf(&each, "%s.*.%s", regret_buffer_get(path), m->string);
        TRY(regret_buffer_status(&each));
        mean = is_called(r->t, first)
                   ? NULL
                   : table_json_cell(scratch, range, r->record, regret_buffer_get(&each));
        TRY(mean != NULL ? put_named(r, regret_buffer_get(&each), mean, range) : REGRET_OK);
    }
    char *text = cJSON_PrintUnformatted(list);
    int rc = text != NULL ? put_named(r, regret_buffer_get(path), text, NULL)
                          : regret_fail(REGRET_E_NOMEM, "out of memory: a list");
    cJSON_free(text);
    return rc;
}

static int put_value(struct json_row *r, struct regret_buffer *path, const cJSON *v, int depth)
{
    char scratch[JSON_SCRATCH];
    if (cJSON_IsObject(v)) {
        for (const cJSON *m = v->child; m != NULL; m = m->next) {
            TRY(put_member(r, path, m->string, m, depth));
        }
        return REGRET_OK;
    }
    if (cJSON_IsArray(v)) {
        return put_list(r, path, v, depth);
    }
    const char *text = json_text(scratch, v);
    return text != NULL ? put_named(r, regret_buffer_get(path), text, NULL) : REGRET_OK;
}

/* A record without the list whose elements are rows, or such an element. */
static int put_object(struct json_row *r, const cJSON *object, const char *without)
{
    FREED_BY(regret_buffer_free) struct regret_buffer path = REGRET_BUFFER_INIT;
    r->record = object;
    for (const cJSON *m = object->child; m != NULL; m = m->next) {
        TRY(without == NULL || strcmp(m->string, without) != 0
                ? put_member(r, &path, m->string, m, 0)
                : REGRET_OK);
    }
    return REGRET_OK;
}

static int put_row(struct init_table *t, const cJSON *record, const cJSON *element, size_t line)
{
    struct json_row row = {.t = t, .line = line, .before = ""};
    char before[INIT_REST + 4];
    for (int again = 0; again < 2; again++) {
        row.before = "";
        TRY(put_object(&row, record, t->nest));
        if (element != NULL) {
            snprintf(before, sizeof before, "%.*s.*.", INIT_REST, t->nest);
            row.before = before;
            TRY(put_object(&row, element, NULL));
        }
        if (t->insert[0] != NULL) {
            break;
        }
        TRY(init_prepare_insert(t)); /* columns have come, and the cells so far went nowhere */
    }
    return init_end_row(t, line, &t->is_cut);
}

/* A list of objects that name agents, where the record has no agent of its own. */
static const char *find_nest(const struct init_table *t, const cJSON *record)
{
    const char *nest = NULL;
    for (size_t i = 0; i < t->known->agent.n; i++) {
        const char *star = strstr(t->known->agent.item[i], ".*.");
        for (const cJSON *m = record->child; star != NULL && m != NULL; m = m->next) {
            size_t n = strlen(m->string);
            nest = (size_t)(star - t->known->agent.item[i]) == n &&
                           strncmp(m->string, t->known->agent.item[i], n) == 0
                       ? m->string
                       : nest;
        }
    }
    for (const cJSON *m = record->child; m != NULL && t->known->agent.n == 0; m = m->next) {
        struct init_said said;
        init_name_role(&said, &t->words, m->string);
        if ((said.roles & INIT_AGENT) != 0 && cJSON_IsString(m)) {
            return NULL;
        }
        const cJSON *e = cJSON_IsArray(m) && cJSON_IsObject(m->child) ? m->child->child : NULL;
        for (; e != NULL; e = e->next) {
            init_name_role(&said, &t->words, e->string);
            nest = (said.roles & INIT_AGENT) != 0 && cJSON_IsString(e) ? m->string : nest;
        }
    }
    return nest;
}

static int read_records(struct init_table *t, struct json_records *records)
{
    const cJSON *record = NULL;
    for (;;) {
        TRY(json_records_next(records, &record));
        if (record == NULL || t->is_cut) {
            return REGRET_OK;
        }
        const char *nest = t->rows == 0 && t->nest == NULL ? find_nest(t, record) : NULL;
        TRY(nest != NULL ? regret_strdup(&t->nest, nest) : REGRET_OK);
        const cJSON *list =
            t->nest != NULL ? cJSON_GetObjectItemCaseSensitive(record, t->nest) : NULL;
        for (const cJSON *e = list != NULL ? list->child : NULL; e != NULL && !t->is_cut;
             e = e->next) {
            TRY(cJSON_IsObject(e) ? put_row(t, record, e, records->number) : REGRET_OK);
        }
        TRY(t->nest == NULL ? put_row(t, record, NULL, records->number) : REGRET_OK);
    }
}

int init_read_json(struct init_table *t)
{
    FREED_BY(json_records_close) struct json_records records = {0};
    t->is_json = 1;
    TRY(json_records_open(&records, t->path, JSON_RECORDS_OF_TABLE));
    TRY(read_records(t, &records));
    return t->rows != 1 || t->known->is_log
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s holds one object; a table is a list of objects, one a "
                             "row",
                             t->path);
}
