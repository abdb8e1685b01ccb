#include "import/table_map.h"

#include <cJSON.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "import/summary_scores.h"
#include "import/table_wide.h"
#include "pool/read.h"
#include "pool/votes.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "regret/text.h"

FREED_POINTER(cJSON, cJSON_Delete)

enum { MOST_OF_A_MEAN = 32 };
/* Of a component, beside what pool.json has of one: */
static const char SMALLER_IS_BETTER[] = "smaller_is_better", WORD_VALUES[] = "words",
                  RATER[] = "rater";

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

/* Adds a component that is made, not read, to those of a header. */
static int add_component(cJSON *header, const char *name, double low, double high)
{
    cJSON *component = cJSON_CreateObject();
    TRY(add_item(cJSON_GetObjectItemCaseSensitive(header, "components"), NULL, component));
    return cJSON_AddStringToObject(component, "name", name) != NULL &&
                   cJSON_AddNumberToObject(component, "low", low) != NULL &&
                   cJSON_AddNumberToObject(component, "high", high) != NULL
               ? REGRET_OK
               : no_memory();
}

/* Field number i: its name, or that of its place among the numbers. */
static int add_number(struct table_map *map, const char *field, const char *what,
                      struct regret_place at)
{
    TRY(table_map_check_field(field, what, at));
    TRY(regret_grow((void **)&map->field, &map->capacity, TABLE_VALUES + map->n_numbers,
                    sizeof *map->field, "the fields of a map"));
    TRY(regret_grow((void **)&map->number, &map->number_capacity, map->n_numbers,
                    sizeof *map->number, "the fields of a map"));
    map->field[TABLE_VALUES + map->n_numbers] = field;
    map->number[map->n_numbers++] = (struct table_number){.value = map->n_values};
    return REGRET_OK;
}

/* The fields that a value is the mean of: "from", one or a list, or its name. */
static int add_numbers(struct table_map *map, const cJSON *from, const char *name,
                       struct regret_place at)
{
    int is_list = cJSON_IsArray(from);
    const cJSON *e = is_list ? from->child : from;
    if (from == NULL || cJSON_IsNull(from)) {
        return add_number(map, name, name, at);
    }
    if (e == NULL || (is_list && cJSON_GetArraySize(from) > MOST_OF_A_MEAN)) {
        return regret_json_error(at,
                                 "\"from\" of \"%.40s\" has %d fields; from 1 to %d are allowed",
                                 name, is_list ? cJSON_GetArraySize(from) : 0, MOST_OF_A_MEAN);
    }
    for (; e != NULL; e = is_list ? e->next : NULL) {
        if (!cJSON_IsString(e)) {
            return regret_json_error(
                at,
                "\"from\" of \"%.40s\" must be a field, or a list of fields, whose mean "
                "is taken",
                name);
        }
        TRY(add_number(map, e->valuestring, name, at));
    }
    return REGRET_OK;
}

/* Of the value whose numbers were added last. */
static int read_direction(struct table_map *map, const cJSON *given, struct regret_place at)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(given, SMALLER_IS_BETTER);
    if (v != NULL && !cJSON_IsBool(v)) {
        return regret_json_error(at, "\"%s\" must be true or false", SMALLER_IS_BETTER);
    }
    for (size_t i = map->n_numbers; i-- > 0 && map->number[i].value == map->n_values;) {
        map->number[i].is_reversed = cJSON_IsTrue(v) != 0;
    }
    return REGRET_OK;
}

/* Of the same value: whose scores count. */
static int read_rater(struct table_map *map, const cJSON *given, struct regret_place at)
{
    const char *rater = NULL;
    TRY(regret_json_optional_string(&rater, given, RATER, at));
    if (rater != NULL && map->field[TABLE_RATER] == NULL) {
        return regret_json_error(at,
                                 "a component is of \"%s\" \"%.40s\": say among the "
                                 "\"columns\" where raters stand",
                                 RATER, rater);
    }
    for (size_t i = map->n_numbers; i-- > 0 && map->number[i].value == map->n_values;) {
        map->number[i].rater = rater;
    }
    return REGRET_OK;
}

/* Of the same value: what words count. */
static int read_words(struct table_map *map, const cJSON *given, struct regret_place at)
{
    const cJSON *words = cJSON_GetObjectItemCaseSensitive(given, WORD_VALUES);
    if (words == NULL) {
        return REGRET_OK;
    }
    TRY(regret_json_get_object(&words, given, WORD_VALUES, at));
    for (const cJSON *w = words->child; w != NULL; w = w->next) {
        if (!cJSON_IsNumber(w) || w->string[strspn(w->string, " \t\r\n")] == '\0') {
            return regret_json_error(at,
                                     "\"%s\" must say of each word which number it counts, as "
                                     "{\"good\": 1, \"bad\": 0}",
                                     WORD_VALUES);
        }
    }
    for (size_t i = map->n_numbers; i-- > 0 && map->number[i].value == map->n_values;) {
        map->number[i].words = words;
    }
    return REGRET_OK;
}

static int has(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key) != NULL;
}

/* A component: one that is made of what the table has, or its fields. */
static int read_component(struct table_map *map, const cJSON *given, const char *name,
                          struct regret_place at)
{
    struct made_score made = {.value = map->n_values};
    int is_made = 0;
    TRY(made_score_read(&made, &is_made, given, at));
    if (is_made) {
        map->made[map->n_made++] = made;
    }
    if (made.metric == NULL) {
        TRY(add_numbers(map, cJSON_GetObjectItemCaseSensitive(given, "from"), name, at));
    }
    TRY(read_direction(map, given, at));
    TRY(read_rater(map, given, at));
    return read_words(map, given, at);
}

/* The component as pool.json has it. */
static int copy_component(cJSON *values, const cJSON *given)
{
    static const char *const OWN[] = {"from", "metric", "pass_at", WORD_VALUES, RATER};
    cJSON *copy = cJSON_Duplicate(given, 1);
    for (size_t i = 0; i < sizeof OWN / sizeof *OWN; i++) {
        cJSON_DeleteItemFromObjectCaseSensitive(copy, OWN[i]);
    }
    TRY(add_item(values, NULL, copy));
    int is_made = has(given, "metric") || has(given, "pass_at");
    TRY(is_made && !has(copy, "low") ? add_item(copy, "low", cJSON_CreateNumber(0.0)) : REGRET_OK);
    return is_made && !has(copy, "high") ? add_item(copy, "high", cJSON_CreateNumber(1.0))
                                         : REGRET_OK;
}

/* An element of "components", "counts" or "aux" for pool.json, and the fields it comes from. */
static int split_value(cJSON *values, struct table_map *map, const cJSON *given, int is_component,
                       struct regret_place at)
{
    static const char *const KEYS[] = {"name", "from"};
    const char *name = NULL;
    if (cJSON_IsString(given) && !is_component) {
        TRY(add_number(map, given->valuestring, given->valuestring, at));
        name = given->valuestring;
    } else if (!cJSON_IsObject(given)) {
        return regret_json_error(at, is_component ? "a component must be an object in braces"
                                                  : "counts and aux labels are names or objects");
    } else {
        TRY(is_component ? REGRET_OK : regret_json_check_keys(given, KEYS, 2, at));
        TRY(regret_json_get_string(&name, given, "name", at));
        TRY(is_component
                ? read_component(map, given, name, at)
                : add_numbers(map, cJSON_GetObjectItemCaseSensitive(given, "from"), name, at));
    }
    map->n_values++;
    return is_component ? copy_component(values, given)
                        : add_item(values, NULL, cJSON_CreateString(name));
}

/* Adds "components", "counts" or "aux" to the header; the map's numbers grow by their fields. */
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
        TRY(split_value(values, map, e, is_component, at));
    }
    return REGRET_OK;
}

/* "coding": the one component of the header is the success, until coding_pool_describe(). */
static int read_coding(cJSON *header, struct table_map *map, struct regret_place at)
{
    static const char *const KEYS[] = {"success"}, *const MADE[] = {"components", "counts", "aux",
                                                                    "segments", "derive"};
    const cJSON *coding = NULL;
    const char *success_field = NULL;
    TRY(regret_json_get_object(&coding, map->root, "coding", at));
    TRY(table_map_read_columns(&success_field, coding, KEYS, 1, 1, at));
    TRY(add_number(map, success_field, "success", at));
    for (size_t i = 0; i < sizeof MADE / sizeof *MADE; i++) {
        if (cJSON_GetObjectItemCaseSensitive(map->root, MADE[i]) != NULL) {
            return regret_json_error(at, "\"coding\" makes the \"%s\"; leave one of the two out",
                                     MADE[i]);
        }
    }
    map->is_coding = 1;
    map->n_values = 1;
    TRY(add_item(header, "components", cJSON_CreateArray()));
    return add_component(header, "success", 0.0, 1.0);
}

/* "derive": what is made of the texts by formula. */
static int read_derive(struct table_map *map, struct regret_place at)
{
    static const char *const WORDS[] = {"conciseness", "statistics"};
    const cJSON *given = NULL;
    if (cJSON_GetObjectItemCaseSensitive(map->root, "derive") != NULL) {
        TRY(regret_json_get_array(&given, map->root, "derive", at));
    }
    for (const cJSON *e = given != NULL ? given->child : NULL; e != NULL; e = e->next) {
        const char *word = cJSON_IsString(e) ? e->valuestring : "";
        int is_conciseness = strcmp(word, WORDS[0]) == 0,
            is_statistics = strcmp(word, WORDS[1]) == 0;
        if (!cJSON_IsString(e)) {
            return regret_json_error(at, "\"derive\" must be a list of names, texts all of them");
        }
        if (!is_conciseness && !is_statistics) {
            return regret_fail_prefix(name_unknown("derived value", word, WORDS, 2), "%s", at.file);
        }
        map->derive.conciseness |= is_conciseness;
        map->derive.statistics |= is_statistics;
    }
    map->derive.wanted = map->derive.conciseness || map->derive.statistics;
    map->derive.cost = map->field[TABLE_COST] == NULL;
    return REGRET_OK;
}

/* A reference is given where, and only where, something is made of it. */
static int check_reference(const struct table_map *map, struct regret_place at)
{
    const char *metric = NULL;
    int is_given = map->field[TABLE_REFERENCE] != NULL || map->contexts[TABLE_REFERENCE] != NULL;
    for (size_t i = 0; i < map->n_made && metric == NULL; i++) {
        metric = map->made[i].metric;
    }
    if (metric != NULL && !is_given) {
        return regret_json_error(at,
                                 "the metric \"%s\" needs \"reference\" among the \"columns\": "
                                 "where an output that is known to be good stands",
                                 metric);
    }
    return metric != NULL || map->derive.conciseness || !is_given
               ? REGRET_OK
               : regret_json_error(
                     at, "\"reference\" is for \"derive\": [\"conciseness\"] and for components "
                         "with a \"metric\"; add one, or leave the reference out");
}

/* Behind the aux labels that are read. */
static int add_statistics(cJSON *header, struct table_map *map)
{
    cJSON *aux = cJSON_GetObjectItemCaseSensitive(header, "aux");
    if (!map->derive.statistics) {
        return REGRET_OK;
    }
    aux = aux != NULL ? aux : cJSON_AddArrayToObject(header, "aux");
    map->derive.statistics_value = map->n_values;
    for (size_t j = 0; j < REGRET_STATISTICS; j++) {
        TRY(aux != NULL ? add_item(aux, NULL, cJSON_CreateString(regret_text_statistic_name(j)))
                        : no_memory());
        map->n_values++;
    }
    return REGRET_OK;
}

/* One of "covariates", which is one of the "columns" of pool.json, and its field: of the file of contexts where there is
 * one. */
static int add_covariate(cJSON *columns, struct table_map *map, const cJSON *given,
                         int contexts_apart, struct regret_place at)
{
    static const char *const KEYS[] = {"name", "kind", "from"};
    const char *field = NULL;
    size_t place = TABLE_VALUES + map->n_numbers + map->n_covariates;
    if (!cJSON_IsObject(given)) {
        return regret_json_error(at, "a covariate must be an object: {\"name\": …, \"kind\": "
                                     "\"number\" or \"word\"}");
    }
    TRY(regret_json_check_keys(given, KEYS, sizeof KEYS / sizeof *KEYS, at));
    TRY(regret_json_get_string(&field, given, "name", at));
    TRY(regret_json_optional_string(&field, given, "from", at));
    TRY(table_map_check_field(field, "covariates", at));
    TRY(regret_grow((void **)&map->field, &map->capacity, place, sizeof *map->field,
                    "the fields of a map"));
    map->field[place] = contexts_apart ? NULL : field;
    map->contexts[TABLE_VALUES + map->n_covariates++] = contexts_apart ? field : NULL;
    cJSON *copy = cJSON_Duplicate(given, 1);
    cJSON_DeleteItemFromObjectCaseSensitive(copy, "from");
    return add_item(columns, NULL, copy);
}

/* "covariates": what the table knows of a context besides its text. Behind all numbers, whose fields they follow. */
static int read_covariates(cJSON *header, struct table_map *map, int contexts_apart,
                           struct regret_place at)
{
    const cJSON *given = NULL;
    if (cJSON_GetObjectItemCaseSensitive(map->root, "covariates") == NULL) {
        return REGRET_OK;
    }
    TRY(regret_json_get_array(&given, map->root, "covariates", at));
    if (cJSON_GetArraySize(given) > REGRET_POOL_MAX_COLUMNS) {
        return regret_json_error(at, "\"covariates\" has %d entries; at most %d are allowed",
                                 cJSON_GetArraySize(given), (int)REGRET_POOL_MAX_COLUMNS);
    }
    cJSON *columns = cJSON_AddArrayToObject(header, "columns");
    if (columns == NULL) {
        return no_memory();
    }
    for (const cJSON *e = given->child; e != NULL; e = e->next) {
        TRY(add_covariate(columns, map, e, contexts_apart, at));
    }
    return REGRET_OK;
}

/* The outcome, of several votes how many it is the mean of, and who was shown first. */
static int add_votes(cJSON *header, struct table_map *map, struct regret_place at)
{
    TRY(table_vote_map_read(map, at));
    TRY(add_item(header, "components", cJSON_CreateArray()));
    TRY(add_component(header, REGRET_VOTES_COMPONENT, 0.0, 1.0));
    TRY(add_item(header, "aux", cJSON_CreateArray()));
    cJSON *aux = cJSON_GetObjectItemCaseSensitive(header, "aux");
    map->n_values = map->votes.first >= 0 ? 3 : 2;
    TRY(add_item(aux, NULL, cJSON_CreateString(REGRET_VOTES_COUNT)));
    return map->votes.first >= 0 ? add_item(aux, NULL, cJSON_CreateString(REGRET_VOTES_FIRST))
                                 : REGRET_OK;
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
    const char *name = NULL;
    TRY(regret_json_get_string(&name, map->root, "name", at));
    const struct {
        const char *key, *otherwise;
    } members[] = {{"format", REGRET_POOL_FORMAT},
                   {"name", NULL},
                   {"title", name},
                   {"version", "1"},
                   {"licence", "unknown"},
                   {"source", path_last(table_path)},
                   {"synthetic", NULL},
                   {"segments", NULL}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        TRY(copy_member(header, map, members[i].key, members[i].otherwise));
    }
    TRY(add_agent(header));
    TRY(read_derive(map, at));
    if (map->votes.wanted) {
        return add_votes(header, map, at);
    }
    if (cJSON_GetObjectItemCaseSensitive(map->root, "coding") != NULL) {
        return read_coding(header, map, at);
    }
    TRY(split_values(header, map, "components", REGRET_POOL_MAX_COMPONENTS, at));
    if (map->derive.conciseness) { /* behind those that are read */
        map->derive.conciseness_value = map->n_values++;
        TRY(add_component(header, "conciseness", SUMMARY_LEAST, SUMMARY_MOST));
    }
    TRY(split_values(header, map, "counts", REGRET_POOL_MAX_COUNTS, at));
    TRY(split_values(header, map, "aux", REGRET_POOL_MAX_AUX, at));
    return add_statistics(header, map);
}

static int read_header(struct regret_pool *pool, struct table_map *map, const char *path,
                       const char *table_path, int contexts_apart)
{
    const struct regret_place at = {path, 0};
    struct pool_digests digests;
    FREED_BY(cJSON_Delete_at) cJSON *header = cJSON_CreateObject();
    if (header == NULL) {
        return no_memory();
    }
    TRY(make_header(header, map, table_path, at));
    TRY(check_reference(map, at));
    TRY(read_covariates(header, map, contexts_apart, at));
    TRY(pool_read_header(pool, &digests, header, path));
    regret_free(pool->agents[0].id);
    regret_free(pool->agents[0].title);
    regret_free(pool->agents);
    pool->agents = NULL;
    pool->n_agents = 0;
    return REGRET_OK;
}

int table_map_read(struct table_map *map, struct regret_pool *pool, const char *text,
                   const char *path, const char *table_path, int contexts_apart)
{
    static const char *const KEYS[] = {
        "name",     "title",     "version",    "licence",    "source", "columns",
        "contexts", "synthetic", "components", "counts",     "aux",    "segments",
        "coding",   "agents",    "derive",     "covariates", "votes",  "decimal_comma"};
    struct regret_place at = {path, 0};
    TRY(text != NULL ? regret_json_parse(&map->root, text, strlen(text), at)
                     : regret_json_read_file(&map->root, path));
    if (!cJSON_IsObject(map->root)) {
        return regret_json_error(at, "must be one object in braces");
    }
    TRY(regret_json_check_keys(map->root, KEYS, sizeof KEYS / sizeof *KEYS, at));
    map->capacity = TABLE_VALUES;
    TRY(REGRET_NEW(&map->field, map->capacity));
    TRY(table_map_read_agents(map, at));
    const cJSON *comma = cJSON_GetObjectItemCaseSensitive(map->root, "decimal_comma");
    if (comma != NULL && !cJSON_IsBool(comma)) {
        return regret_json_error(at, "\"decimal_comma\" must be true or false");
    }
    map->decimal_comma = cJSON_IsTrue(comma) != 0;
    map->votes.wanted = cJSON_GetObjectItemCaseSensitive(map->root, "votes") != NULL;
    TRY(table_map_read_fields(map, at, contexts_apart));
    if (map->field[TABLE_RATER] != NULL &&
        (map->votes.wanted || cJSON_GetObjectItemCaseSensitive(map->root, "coding") != NULL)) {
        return regret_json_error(at,
                                 "\"%s\" is for \"components\": neither votes nor the success "
                                 "of patches are means of raters",
                                 RATER);
    }
    TRY(read_header(pool, map, path, table_path, contexts_apart));
    return map->is_wide ? table_map_check_wide(map, at) : REGRET_OK;
}

void table_map_free(struct table_map *map)
{
    cJSON_Delete(map->root);
    regret_free(map->field);
    regret_free(map->number);
    regret_free(map->agents.name);
    *map = (struct table_map){0};
}
