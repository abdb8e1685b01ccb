#include "base/json/json_records.h"

#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/json/json_parse.h"
#include "base/json/json_tokens.h"
#include "regret/alloc.h"

/* Is this an object that holds records rather than one? */
static int holds_records(const cJSON *tree)
{
    const cJSON *v = tree->child;
    while (v != NULL && cJSON_IsObject(v)) {
        v = v->next;
    }
    return tree->child != NULL && v == NULL;
}

/* What stands in r->tree: an array, an object with "data", an object of records, or a record. */
static void look_into(struct json_records *r)
{
    const cJSON *data = cJSON_GetObjectItemCaseSensitive(r->tree, "data");
    const cJSON *list = cJSON_IsObject(r->tree) && cJSON_IsArray(data) ? data : r->tree;
    r->is_record = r->kind == JSON_RECORDS_OF_TABLE ||
                   (list == r->tree && !cJSON_IsArray(list) && !holds_records(list));
    r->next = r->is_record ? r->tree : list->child;
    r->index = 0;
}

static int read_whole(struct json_records *r)
{
    regret_jsonl_close(r->lines);
    r->lines = NULL;
    r->line = r->at.line = r->number = 0;
    r->unit = "record";
    TRY(regret_json_read_file_mode(&r->tree, r->path, REGRET_JSON_IMPORT));
    look_into(r);
    return REGRET_OK;
}

/* Does an object begin on this line that goes on over others? */
static int goes_on(const char *line, size_t n)
{
    while (n > 0 && json_is_blank(line[n - 1])) {
        n--;
    }
    return n > 0 && memchr("{[,", line[n - 1], 3) != NULL;
}

static int read_element(struct json_records *r)
{
    struct regret_place at;
    int rc = json_array_next(&r->array, &r->tree, &at);
    r->number = r->index;
    r->index += rc != REGRET_OK; /* the bad one counts, too */
    r->line = r->tree != NULL ? at.line : 0;
    r->next = r->tree;
    return rc;
}

/* The next line as a tree; none at the end. An object on several lines can only be met on the first
 * one. */
static int read_line(struct json_records *r)
{
    const char *line = NULL;
    size_t length = 0;
    struct regret_place at;
    int is_first = r->line == 0;
    TRY(regret_jsonl_next_line(r->lines, &line, &length, &at));
    if (line == NULL) {
        return REGRET_OK;
    }
    r->at = at = (struct regret_place){r->path, at.line};
    r->number = r->line = at.line;
    r->unit = "line";
    if (is_first && r->kind == JSON_RECORDS_OF_SET && goes_on(line, length)) {
        return read_whole(r);
    }
    TRY(regret_json_parse_mode(&r->tree, line, length, at, REGRET_JSON_IMPORT));
    look_into(r);
    return REGRET_OK;
}

int json_records_open(struct json_records *out, const char *path, enum json_records_kind kind)
{
    *out = (struct json_records){
        .kind = kind, .path = path, .room = strlen(path) + 80, .unit = "line", .at = {path, 0}};
    TRY(REGRET_NEW(&out->where, out->room));
    TRY(regret_jsonl_open(&out->lines, path));
    if (regret_jsonl_peek(out->lines) == '[') {
        out->array = (struct json_array){.reader = out->lines, .path = path};
        out->unit = "record";
    }
    return REGRET_OK;
}

void json_records_close(struct json_records *r)
{
    regret_jsonl_close(r->lines);
    cJSON_Delete(r->tree);
    regret_free(r->where);
    *r = (struct json_records){0};
}

/* The record at hand of several in one tree, or in an array. */
static void name_record(struct json_records *r)
{
    if (r->line > 0) {
        snprintf(r->where, r->room, "%s:%zu: record %zu (from 0)", r->path, r->line, r->index);
    } else {
        snprintf(r->where, r->room, "%s: record %zu (from 0)", r->path, r->index);
    }
    r->at = (struct regret_place){r->where, 0};
    r->unit = "record";
    r->number = r->index++;
}

static int check_object(const struct json_records *r, const cJSON *record)
{
    return r->is_record && r->kind == JSON_RECORDS_OF_TABLE
               ? regret_jsonl_check_object(record, r->at)
           : cJSON_IsObject(record) ? REGRET_OK
                                    : regret_json_error(r->at, "must be an object in braces");
}

int json_records_next(struct json_records *r, const cJSON **record)
{
    *record = NULL;
    while (r->next == NULL && r->lines != NULL) {
        cJSON_Delete(r->tree);
        r->tree = NULL;
        TRY(r->array.reader != NULL ? read_element(r) : read_line(r));
        if (r->tree == NULL) {
            break;
        }
    }
    const cJSON *next = r->next;
    if (next == NULL) {
        return REGRET_OK;
    }
    if (!r->is_record) {
        name_record(r);
    }
    r->next = r->is_record ? NULL : next->next; /* an element stands by itself */
    TRY(check_object(r, next));
    *record = next;
    return REGRET_OK;
}

int json_records_is_over(const struct json_records *r)
{
    return r->lines == NULL          ? r->tree == NULL
           : r->array.reader != NULL ? r->array.state == JSON_ARRAY_OVER
                                     : regret_jsonl_is_over(r->lines);
}
