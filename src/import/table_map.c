#include "import/table_map.h"

#include <string.h>

#include <cJSON.h>

#include "base/try.h"
#include "pool/read.h"
#include "regret/alloc.h"
#include "regret/import.h"
#include "regret/json.h"

enum { CARD_COLUMNS = 200 };

static int no_memory(void)
{
    return regret_fail(REGRET_E_NOMEM, "out of memory: a map");
}

/* Adds `item`, which may be NULL for want of memory, to an array or, with a key, to an object. */
static int add_item(cJSON *parent, const char *key, cJSON *item)
{
    if (key != NULL ? cJSON_AddItemToObject(parent, key, item)
                    : cJSON_AddItemToArray(parent, item)) {
        return REGRET_OK;
    }
    cJSON_Delete(item);
    return no_memory();
}

static int check_field(const char *field, const char *what, struct regret_place at)
{
    size_t n = strlen(field);
    return n > 0 && n <= REGRET_TABLE_MAX_FIELD
               ? REGRET_OK
               : regret_json_error(at, "the field of \"%.40s\" must have 1 to %d bytes", what,
                                   REGRET_TABLE_MAX_FIELD);
}

/* The fields `wanted` of an object of strings; the first `demanded` of them must be there. */
static int read_columns(const char **out, const cJSON *object, const char *const *wanted, size_t n,
                        size_t demanded, struct regret_place at)
{
    TRY(regret_json_check_keys(object, wanted, n, at));
    for (size_t i = 0; i < n; i++) {
        TRY(i < demanded ? regret_json_get_string(&out[i], object, wanted[i], at)
                         : regret_json_optional_string(&out[i], object, wanted[i], at));
        if (out[i] != NULL) {
            TRY(check_field(out[i], wanted[i], at));
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
        TRY(check_field(e->valuestring, "agents", at));
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

/* "agents": the table is wide, and this is who they are. */
static int read_agents(struct table_map *map, struct regret_place at)
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
    return check_field(given->valuestring, "agents", at);
}

/* What the columns of a wide table must be once all are known. */
static int check_wide(const struct table_map *map, struct regret_place at)
{
    static const char *const WHAT[] = {
        [TABLE_CONTEXT] = "context", [TABLE_TEXT] = "text", [TABLE_TAG] = "tag"};
    size_t marks = 0;
    if (map->field[TABLE_AGENT] != NULL) {
        return regret_json_error(at, "\"agents\" is of a wide table, the column \"agent\" of a "
                                     "long one; leave one of the two out");
    }
    for (size_t i = 0; i < TABLE_VALUES + map->n_values; i++) {
        size_t n = map->field[i] != NULL ? table_agent_marks(map->field[i]) : 0;
        if (n > 1 || (n > 0 && (i == TABLE_CONTEXT || i == TABLE_TEXT || i == TABLE_TAG))) {
            return regret_json_error(at,
                                     n > 1 ? "the field \"%.60s\" holds " TABLE_AGENT_MARK
                                             " twice; once is enough"
                                           : "the field \"%.60s\" holds " TABLE_AGENT_MARK
                                             ", but it is the %s of a context, the same for all "
                                             "agents",
                                     map->field[i], i <= TABLE_TAG ? WHAT[i] : "");
        }
        marks += i >= TABLE_VALUES ? n : 0;
    }
    if (map->is_coding && map->field[TABLE_OUTPUT] == NULL) {
        return regret_json_error(at, "say which columns hold the patches: \"output\"");
    }
    return marks > 0 ? REGRET_OK
                     : regret_json_error(at, "no score holds " TABLE_AGENT_MARK
                                             ": say which columns are an agent's, as in "
                                             "\"from\": \"" TABLE_AGENT_MARK "_score\"");
}

/* "contexts", the fields of a file of contexts. */
static int read_context_fields(struct table_map *map, struct regret_place at, int contexts_apart)
{
    static const char *const APART[] = {"context", "text", "tag"};
    const cJSON *contexts = NULL;
    const char *apart[3] = {NULL, NULL, NULL};
    if (cJSON_GetObjectItemCaseSensitive(map->root, "contexts") != NULL) {
        TRY(regret_json_get_object(&contexts, map->root, "contexts", at));
        TRY(read_columns(apart, contexts, APART, 3, 0, at));
    }
    if (!contexts_apart) {
        return contexts == NULL ? REGRET_OK
                                : regret_json_error(at, "\"contexts\" is of a file of contexts; "
                                                        "name it with --contexts");
    }
    map->contexts[TABLE_CONTEXT] = apart[0] != NULL ? apart[0] : map->field[TABLE_CONTEXT];
    map->contexts[TABLE_TEXT] = apart[1] != NULL ? apart[1] : map->field[TABLE_TEXT];
    map->contexts[TABLE_TAG] = apart[2] != NULL ? apart[2] : map->field[TABLE_TAG];
    map->field[TABLE_TEXT] = map->field[TABLE_TAG] = NULL;
    return map->contexts[TABLE_TEXT] != NULL
               ? REGRET_OK
               : regret_json_error(at, "say where the text of a context stands: \"contexts\": "
                                       "{\"text\": …}");
}

static int read_fields(struct table_map *map, struct regret_place at, int contexts_apart)
{
    static const char *const COLUMNS[TABLE_VALUES] = {
        [TABLE_CONTEXT] = "context", [TABLE_AGENT] = "agent", [TABLE_OUTPUT] = "output",
        [TABLE_TEXT] = "text",       [TABLE_TAG] = "tag",     [TABLE_TITLE] = "title",
        [TABLE_COST] = "cost"};
    const cJSON *columns = NULL;
    size_t demanded = map->is_wide     ? TABLE_CONTEXT + 1
                      : contexts_apart ? TABLE_TEXT
                                       : TABLE_TEXT + 1;
    TRY(regret_json_get_object(&columns, map->root, "columns", at));
    TRY(read_columns(map->field, columns, COLUMNS, TABLE_VALUES, demanded, at));
    if (!contexts_apart) { /* the one left to demand of a wide table */
        TRY(regret_json_get_string(&map->field[TABLE_TEXT], columns, "text", at));
    }
    return read_context_fields(map, at, contexts_apart);
}

/* An element of "components", "counts" or "aux" for pool.json, and the field it comes from. */
static int split_value(cJSON *values, const char **field, const cJSON *given, int is_component,
                       struct regret_place at)
{
    static const char *const KEYS[] = {"name", "from"};
    const char *name = NULL;
    if (cJSON_IsString(given) && !is_component) {
        name = *field = given->valuestring;
    } else if (!cJSON_IsObject(given)) {
        return regret_json_error(at, is_component ? "a component must be an object in braces"
                                                  : "counts and aux labels are names or objects");
    } else {
        TRY(is_component ? REGRET_OK : regret_json_check_keys(given, KEYS, 2, at));
        TRY(regret_json_get_string(&name, given, "name", at));
        *field = name;
        TRY(regret_json_optional_string(field, given, "from", at));
    }
    TRY(check_field(*field, name, at));
    cJSON *copy = is_component ? cJSON_Duplicate(given, 1) : cJSON_CreateString(name);
    cJSON_DeleteItemFromObjectCaseSensitive(copy, "from");
    return add_item(values, NULL, copy);
}

/* Adds "components", "counts" or "aux" to the header; map->field grows by their fields. */
static int split_values(cJSON *header, struct table_map *map, const char *key, size_t limit,
                        struct regret_place at)
{
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(map->root, key);
    int is_component = strcmp(key, "components") == 0;
    if (given == NULL && !is_component) {
        return REGRET_OK;
    }
    TRY(regret_json_get_array(&given, map->root, key, at));
    if ((size_t)cJSON_GetArraySize(given) > limit) {
        return regret_json_error(at, "\"%s\" has %d entries; at most %zu are allowed", key,
                                 cJSON_GetArraySize(given), limit);
    }
    cJSON *values = cJSON_AddArrayToObject(header, key);
    if (values == NULL) {
        return no_memory();
    }
    for (const cJSON *e = given->child; e != NULL; e = e->next) {
        TRY(split_value(values, &map->field[TABLE_VALUES + map->n_values], e, is_component, at));
        map->n_values++;
    }
    return REGRET_OK;
}

/* "coding": the one component of the header is the success, until coding_pool_describe(). */
static int read_coding(cJSON *header, struct table_map *map, struct regret_place at)
{
    static const char *const KEYS[] = {"success"}, *const MADE[] = {"components", "counts", "aux",
                                                                    "segments"};
    const cJSON *coding = NULL;
    TRY(regret_json_get_object(&coding, map->root, "coding", at));
    TRY(read_columns(&map->field[TABLE_VALUES], coding, KEYS, 1, 1, at));
    for (size_t i = 0; i < sizeof MADE / sizeof *MADE; i++) {
        if (cJSON_GetObjectItemCaseSensitive(map->root, MADE[i]) != NULL) {
            return regret_json_error(at, "\"coding\" makes the \"%s\"; leave one of the two out",
                                     MADE[i]);
        }
    }
    map->is_coding = 1;
    map->n_values = 1;
    cJSON *components = cJSON_AddArrayToObject(header, "components");
    cJSON *success = cJSON_CreateObject();
    TRY(add_item(components, NULL, success));
    return cJSON_AddStringToObject(success, "name", "success") != NULL &&
                   cJSON_AddNumberToObject(success, "low", 0.0) != NULL &&
                   cJSON_AddNumberToObject(success, "high", 1.0) != NULL
               ? REGRET_OK
               : no_memory();
}

/* A copy of map->root's member, or `otherwise`, as a member of the header. */
static int copy_member(cJSON *header, const struct table_map *map, const char *key,
                       const char *otherwise)
{
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(map->root, key);
    if (given == NULL && otherwise == NULL) {
        return REGRET_OK;
    }
    return add_item(header, key,
                    given != NULL ? cJSON_Duplicate(given, 1) : cJSON_CreateString(otherwise));
}

/* One agent, which pool.json must have, in the place of all. */
static int add_agent(cJSON *header)
{
    cJSON *agents = cJSON_AddArrayToObject(header, "agents"), *agent = cJSON_CreateObject();
    TRY(add_item(agents, NULL, agent));
    return cJSON_AddStringToObject(agent, "id", "agent") != NULL ? REGRET_OK : no_memory();
}

/* pool.json as the map has it. */
static int make_header(cJSON *header, struct table_map *map, const char *table_path,
                       struct regret_place at)
{
    const char *slash = strrchr(table_path, '/');
    const char *name = NULL;
    TRY(regret_json_get_string(&name, map->root, "name", at));
    const struct {
        const char *key, *otherwise;
    } members[] = {{"format", REGRET_POOL_FORMAT},
                   {"name", NULL},
                   {"title", name},
                   {"version", "1"},
                   {"licence", "unknown"},
                   {"source", slash != NULL ? slash + 1 : table_path},
                   {"synthetic", NULL},
                   {"segments", NULL}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        TRY(copy_member(header, map, members[i].key, members[i].otherwise));
    }
    TRY(add_agent(header));
    if (cJSON_GetObjectItemCaseSensitive(map->root, "coding") != NULL) {
        return read_coding(header, map, at);
    }
    TRY(split_values(header, map, "components", REGRET_POOL_MAX_COMPONENTS, at));
    TRY(split_values(header, map, "counts", REGRET_POOL_MAX_COUNTS, at));
    return split_values(header, map, "aux", REGRET_POOL_MAX_AUX, at);
}

static int read_header(struct regret_pool *pool, struct table_map *map, const char *path,
                       const char *table_path)
{
    struct pool_digests digests;
    cJSON *header = cJSON_CreateObject();
    int rc;
    if (header == NULL) {
        return no_memory();
    }
    TRY_CLEANUP(make_header(header, map, table_path, (struct regret_place){path, 0}));
    TRY_CLEANUP(pool_read_header(pool, &digests, header, path));
    regret_free(pool->agents[0].id);
    regret_free(pool->agents[0].title);
    regret_free(pool->agents);
    pool->agents = NULL;
    pool->n_agents = 0;
cleanup:
    cJSON_Delete(header);
    return rc;
}

int table_map_read(struct table_map *map, struct regret_pool *pool, const char *path,
                   const char *table_path, int contexts_apart)
{
    static const char *const KEYS[] = {"name",    "title",    "version",   "licence",    "source",
                                       "columns", "contexts", "synthetic", "components", "counts",
                                       "aux",     "segments", "coding",    "agents"};
    enum { MOST = REGRET_POOL_MAX_COMPONENTS + REGRET_POOL_MAX_COUNTS + REGRET_POOL_MAX_AUX };
    struct regret_place at = {path, 0};
    TRY(regret_json_read_file(&map->root, path));
    if (!cJSON_IsObject(map->root)) {
        return regret_json_error(at, "must be one object in braces");
    }
    TRY(regret_json_check_keys(map->root, KEYS, sizeof KEYS / sizeof *KEYS, at));
    TRY(REGRET_NEW(&map->field, TABLE_VALUES + (size_t)MOST));
    TRY(read_agents(map, at));
    TRY(read_fields(map, at, contexts_apart));
    TRY(read_header(pool, map, path, table_path));
    return map->is_wide ? check_wide(map, at) : REGRET_OK;
}

void table_map_free(struct table_map *map)
{
    cJSON_Delete(map->root);
    regret_free(map->field);
    regret_free(map->agents.name);
    *map = (struct table_map){0};
}

/* "* kind NAME: FIELD" */
static void card_line(struct regret_text *card, const struct table_map *map, const char *kind,
                      const char *name, size_t value)
{
    regret_text_printf(card, "* %s ", kind);
    regret_text_append_safe(card, name, CARD_COLUMNS);
    regret_text_append(card, ": field ");
    regret_text_append_safe(card, map->field[TABLE_VALUES + value], CARD_COLUMNS);
    regret_text_append_char(card, '\n');
}

void table_map_card(struct regret_text *card, const struct table_map *map,
                    const struct regret_pool *pool)
{
    size_t value = 0;
    regret_text_append(card, "# ");
    regret_text_append_safe(card, pool->title, CARD_COLUMNS);
    regret_text_append(card, map->is_wide
                                 ? "\n\nImported from a wide table, a row a context. Source: "
                                 : "\n\nImported from a table, a row an output. Source: ");
    regret_text_append_safe(card, pool->source, CARD_COLUMNS);
    regret_text_append(card, ". Licence: ");
    regret_text_append_safe(card, pool->licence, CARD_COLUMNS);
    regret_text_printf(card, ".%s\n\n",
                       pool->synthetic ? " Texts or scores are synthetic: a program made them."
                                       : "");
    if (map->is_coding) {
        card_line(card, map, "component", "success", 0);
        regret_text_append(card,
                           "* components size, locality and focus, and the aux labels: made of the "
                           "patch and of its\n  context by the formulas of "
                           "include/regret/patch.h; nobody judged them\n");
        return;
    }
    for (size_t k = 0; k < pool->n_components; k++) {
        card_line(card, map, "component", pool->components[k].name, value++);
    }
    for (size_t k = 0; k < pool->n_counts; k++) {
        card_line(card, map, "count", pool->counts[k], value++);
    }
    for (size_t k = 0; k < pool->n_aux; k++) {
        card_line(card, map, "aux label", pool->aux[k], value++);
    }
}
