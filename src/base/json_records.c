#include "base/json_records.h"

#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "base/json_parse.h"
#include "base/json_tokens.h"
#include "base/try.h"
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
    r->is_record = list == r->tree && !cJSON_IsArray(list) && !holds_records(list);
    r->next = r->is_record ? r->tree : list->child;
    r->index = 0;
}

static int read_whole(struct json_records *r)
{
    regret_jsonl_close(r->lines);
    r->lines = NULL;
    r->line = 0;
    r->at.line = 0;
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
    TRY(json_array_next_value(&r->array, &r->tree, &at));
    r->next = r->tree;
    return REGRET_OK;
}

/* The next line as a tree; none at the end. An object on several lines can only be met on the first
 * one. */
static int read_line(struct json_records *r, int first)
{
    const char *line = NULL;
    size_t length = 0;
    struct regret_place at;
    TRY(regret_jsonl_next_line(r->lines, &line, &length, &at));
    if (line == NULL) {
        return REGRET_OK;
    }
    r->at = at = (struct regret_place){r->path, at.line};
    r->line = at.line;
    if (first && goes_on(line, length)) {
        return read_whole(r);
    }
    TRY(regret_json_parse_mode(&r->tree, line, length, at, REGRET_JSON_IMPORT));
    look_into(r);
    return REGRET_OK;
}

int json_records_open(struct json_records *out, const char *path)
{
    *out = (struct json_records){.path = path, .room = strlen(path) + 80};
    TRY(REGRET_NEW(&out->where, out->room));
    TRY(regret_jsonl_open(&out->lines, path));
    if (regret_jsonl_peek(out->lines) == '[') {
        out->array = (struct json_array){.reader = out->lines, .path = path};
        return read_element(out);
    }
    return read_line(out, 1);
}

void json_records_close(struct json_records *r)
{
    regret_jsonl_close(r->lines);
    cJSON_Delete(r->tree);
    regret_free(r->where);
    *r = (struct json_records){0};
}

/* The record at hand of several in one tree. */
static struct regret_place name_record(struct json_records *r)
{
    if (r->line > 0) {
        snprintf(r->where, r->room, "%s:%zu: record %zu (from 0)", r->path, r->line, r->index);
    } else {
        snprintf(r->where, r->room, "%s: record %zu (from 0)", r->path, r->index);
    }
    return (struct regret_place){r->where, 0};
}

int json_records_next(struct json_records *r, const cJSON **record)
{
    while (r->next == NULL && r->lines != NULL) {
        cJSON_Delete(r->tree);
        r->tree = NULL;
        TRY(r->array.reader != NULL ? read_element(r) : read_line(r, 0));
        if (r->tree == NULL) {
            break;
        }
    }
    *record = r->next;
    if (r->next == NULL) {
        return REGRET_OK;
    }
    if (!r->is_record) {
        r->at = name_record(r);
        r->index++;
    }
    r->next = r->is_record ? NULL : r->next->next; /* an element stands by itself */
    return cJSON_IsObject(*record) ? REGRET_OK
                                   : regret_json_error(r->at, "must be an object in braces");
}

int json_records_is_over(const struct json_records *r)
{
    return r->lines == NULL || r->array.reader != NULL || regret_jsonl_is_over(r->lines);
}
