#include "import/table/table_turns.h"

#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "import/table/table_cell.h"

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
