/* Texts and turns of a row that is a tree: of logs; and the cells of JSON that `init` looks at. */
#include "import/table_cell.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "import/importer.h"
#include "import/table_rows.h"
#include "import/table_source.h"
#include "regret/buffer.h"
#include "regret/status.h"

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
                                            "a text or a number");
}

int table_source_text(const char **out, struct table_source *s, size_t i, int may_lack)
{
    return s->csv != NULL ? text_of_csv(out, s, i) : text_of_value(out, s, i, find(s, i), may_lack);
}

static void add_text(struct regret_buffer *room, const char *text)
{
    regret_buffer_append(room, room->length > 0 ? "\n\n" : "");
    regret_buffer_append(room, text);
}

/* A turn without a role is of whoever is asked for. */
static int is_of(const cJSON *turn, enum turns whose)
{
    const cJSON *role = cJSON_GetObjectItemCaseSensitive(turn, "role");
    role = role != NULL ? role : cJSON_GetObjectItemCaseSensitive(turn, "from");
    if (!cJSON_IsString(role)) {
        return 1;
    }
    int is_user = strcmp(role->valuestring, "user") == 0 || strcmp(role->valuestring, "human") == 0;
    int is_system = strcmp(role->valuestring, "system") == 0;
    return whose == TURNS_OF_USER ? is_user : !is_user && !is_system;
}

/* What a turn says: a text, or a list of texts beside pictures and the like. */
static void add_content(struct regret_buffer *room, const cJSON *content)
{
    if (cJSON_IsString(content)) {
        add_text(room, content->valuestring);
        return;
    }
    for (const cJSON *e = cJSON_IsArray(content) ? content->child : NULL; e != NULL; e = e->next) {
        const cJSON *text = cJSON_GetObjectItemCaseSensitive(e, "text");
        if (cJSON_IsString(text)) {
            add_text(room, text->valuestring);
        }
    }
}

/* A round holds the turn of a user beside those of two models, whom its names do not tell. */
static const cJSON *turn_of(const cJSON *e, enum turns whose)
{
    const cJSON *user = cJSON_GetObjectItemCaseSensitive(e, "user");
    return cJSON_IsObject(user) && whose == TURNS_OF_USER ? user : e;
}

void table_turns_append(struct regret_buffer *room, const cJSON *list, enum turns whose)
{
    const cJSON *item = cJSON_IsArray(list) ? list->child : NULL;
    if (cJSON_IsString(list)) {
        add_text(room, list->valuestring);
    }
    for (; item != NULL; item = item->next) {
        const cJSON *e = turn_of(item, whose);
        const cJSON *content = cJSON_GetObjectItemCaseSensitive(e, "content");
        content = content != NULL ? content : cJSON_GetObjectItemCaseSensitive(e, "value");
        content = content != NULL ? content : cJSON_GetObjectItemCaseSensitive(e, "text");
        if (cJSON_IsString(e)) {
            add_text(room, e->valuestring);
        } else if (is_of(e, whose)) {
            add_content(room, content);
        }
    }
}

/* Tables of CSV hold lists as texts. One that is no list of JSON is a text like others. */
static int take_list(int *is_list, struct regret_buffer *room, const char *text, enum turns whose)
{
    cJSON *list = NULL;
    text += strspn(text, " \t\r\n");
    *is_list = 0;
    if (text[0] != '[') {
        return REGRET_OK;
    }
    int rc = regret_json_parse(&list, text, strlen(text), (struct regret_place){"a list", 0});
    *is_list = cJSON_IsArray(list); /* of none it is not */
    if (*is_list) {
        table_turns_append(room, list, whose);
    }
    cJSON_Delete(list);
    return rc == REGRET_E_INPUT ? REGRET_OK : rc;
}

int table_turns_text(const char **out, struct regret_buffer *room, struct table_source *s, size_t i,
                     enum turns whose)
{
    const cJSON *value = table_source_value(s, i);
    const char *text = NULL;
    int is_list = cJSON_IsArray(value);
    regret_buffer_clear(room);
    if (is_list) {
        table_turns_append(room, value, whose);
    } else {
        TRY(table_source_text(&text, s, i, whose == TURNS_OF_AGENT));
        TRY(take_list(&is_list, room, text, whose));
    }
    TRY(regret_buffer_status(room));
    *out = is_list ? regret_buffer_get(room) : text;
    return REGRET_OK;
}
