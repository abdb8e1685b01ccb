/* Where in a table the parts of a pool stand: "columns", "contexts" and "agents" of a map. */
#include "import/table/table_map.h"

#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/import.h"
#include "regret/json.h"

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

/* The fields `wanted` of an object of strings; the first `demanded` of them must be there. */
int table_map_read_columns(const char **out, const cJSON *object, const char *const *wanted,
                           size_t n, size_t demanded, struct regret_place at)
{
    TRY(regret_json_check_keys(object, wanted, n, at));
    for (size_t i = 0; i < n; i++) {
        if (strcmp(wanted[i], "reference") == 0) {
            continue; /* read_reference() */
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
    size_t demanded = map->is_wide || map->votes.wanted ? TABLE_CONTEXT + 1
                      : contexts_apart                  ? TABLE_TEXT
                                                        : TABLE_TEXT + 1;
    TRY(regret_json_get_object(&columns, map->root, "columns", at));
    TRY(table_map_read_columns(map->field, columns, COLUMNS, TABLE_OTHER_REFERENCE, demanded, at));
    TRY(read_reference(map->field, columns, at));
    if (!contexts_apart) { /* the one left to demand of a wide table */
        TRY(regret_json_get_string(&map->field[TABLE_TEXT], columns, "text", at));
    }
    return read_context_fields(map, at, contexts_apart);
}
