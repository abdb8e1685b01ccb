/* The map of a table: what stands where, and what the pool has of it. */
#include "import/internal.h"

#include <cJSON.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "pool/read.h"
#include "pool/votes.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "regret/text.h"
#include "table/fields.h"

FREED_POINTER(cJSON, cJSON_Delete)

enum { MOST_OF_A_MEAN = 32, MOST_OF_AN_ID = 8, FLAGS = 4 };

static const cJSON *get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

const char *table_map_field(const struct map_table *table, enum map_role role)
{
    return table->role[role].n > 0 ? table->field[table->role[role].first] : NULL;
}

/* ---- Fields ---- */

static int check_field(const char *field, const char *what, struct regret_place at)
{
    size_t n = strlen(field);
    return n > 0 && n <= FIELDS_MAX_NAME
               ? REGRET_OK
               : regret_json_error(at, "the field of \"%.40s\" must have 1 to %d bytes", what,
                                   FIELDS_MAX_NAME);
}

/* Asks for one more field of those at *to, or the first. */
static int add_field(struct map_table *table, struct map_fields *to, const char *field,
                     const char *what, struct regret_place at)
{
    TRY(check_field(field, what, at));
    TRY(regret_grow((void **)&table->field, &table->capacity, table->n, sizeof *table->field,
                    "the fields of a map"));
    to->first = to->n == 0 ? table->n : to->first;
    to->n++;
    table->field[table->n++] = field;
    return REGRET_OK;
}

/* Asks for the field or the fields that are given. */
static int add_fields(struct map_table *table, struct map_fields *to, const cJSON *given,
                      const char *what, size_t most, struct regret_place at)
{
    int is_list = cJSON_IsArray(given), n = is_list ? cJSON_GetArraySize(given) : 1;
    for (const cJSON *e = is_list ? given->child : given; e != NULL; e = is_list ? e->next : NULL) {
        if (!cJSON_IsString(e) || (size_t)n > most) {
            n = 0;
            break;
        }
        TRY(add_field(table, to, e->valuestring, what, at));
    }
    return n > 0       ? REGRET_OK
           : most == 1 ? regret_json_error(at, "the field of \"%.40s\" must be a name", what)
                       : regret_json_error(at,
                                           "the field of \"%.40s\" must be a name, or a list of 1 "
                                           "to %zu names",
                                           what, most);
}

/* What columns may be called in an object of a map; `most` 0: another key of it. */
static const struct map_column {
    const char *key;
    size_t most;
} COLUMNS[] = {[MAP_CONTEXT] = {"context", MOST_OF_AN_ID},
               [MAP_AGENT] = {"agent", MOST_OF_AN_ID},
               [MAP_OUTPUT] = {"output", 1},
               [MAP_TEXT] = {"text", 1},
               [MAP_TAG] = {"tag", 1},
               [MAP_REFERENCE] = {"reference", MOST_OF_AN_ID},
               [MAP_TITLE] = {"title", 1},
               [MAP_COST] = {"cost", 1},
               [MAP_RATER] = {"rater", 1}},
  APART[] = {[MAP_CONTEXT] = {"context", MOST_OF_AN_ID},
             [MAP_TEXT] = {"text", 1},
             [MAP_TAG] = {"tag", 1},
             [MAP_REFERENCE] = {"reference", MOST_OF_AN_ID}},
  VOTES[] = {[MAP_AGENT] = {"model_a", 1},
             [MAP_OUTPUT] = {"text_a", 1},
             [MAP_OTHER_AGENT] = {"model_b", 1},
             [MAP_OTHER_OUTPUT] = {"text_b", 1},
             [MAP_WINNER] = {"winner", FLAGS},
             [MAP_ROLES] = {"both_bad", 0},
             {"shown_first", 0}};
#define ROLE(name) (1U << MAP_##name)
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The columns that an object names; those of the bits in `demanded` must be there. */
static int read_columns(struct map_table *table, const cJSON *object,
                        const struct map_column *column, size_t n, unsigned demanded,
                        struct regret_place at)
{
    const char *keys[MAP_ROLES + 2], *ignored = NULL;
    size_t n_keys = 0;
    for (size_t i = 0; i < n; i++) {
        keys[n_keys] = column[i].key;
        n_keys += column[i].key != NULL;
    }
    TRY(regret_json_check_keys(object, keys, n_keys, at));
    for (size_t i = 0; i < n; i++) {
        const cJSON *given = column[i].most > 0 ? get(object, column[i].key) : NULL;
        if (given != NULL && !cJSON_IsNull(given)) {
            TRY(add_fields(table, &table->role[i], given, column[i].key, column[i].most, at));
        } else if ((demanded >> i & 1) != 0) {
            return regret_json_get_string(&ignored, object, column[i].key, at);
        }
    }
    return REGRET_OK;
}

/* "contexts", the fields of a file of contexts; those of the table where it has none, which nobody looks for there. */
static int read_apart(struct table_map *map, struct regret_place at)
{
    const cJSON *contexts = NULL;
    struct map_table *own = &map->context;
    if (get(map->root, "contexts") != NULL) {
        TRY(regret_json_get_object(&contexts, map->root, "contexts", at));
        TRY(read_columns(own, contexts, APART, COUNT(APART), 0, at));
    }
    for (size_t r = 0; r < COUNT(APART); r++) {
        struct map_fields *from = &map->rows.role[r];
        int is_asked = APART[r].key != NULL && own->role[r].n == 0;
        for (size_t i = 0; is_asked && i < from->n; i++) {
            TRY(add_field(own, &own->role[r], map->rows.field[from->first + i], "contexts", at));
        }
        while (APART[r].key != NULL && r != MAP_CONTEXT && from->n > 0) {
            map->rows.field[from->first + --from->n] = NULL;
        }
    }
    return own->role[MAP_TEXT].n > 0
               ? REGRET_OK
               : regret_json_error(at, "say where the text of a context stands: \"contexts\": "
                                       "{\"text\": …}");
}

static int read_fields(struct table_map *map, struct regret_place at, int contexts_apart)
{
    const cJSON *columns = NULL;
    unsigned demanded = ROLE(CONTEXT) | (contexts_apart ? 0 : ROLE(TEXT));
    TRY(regret_json_get_object(&columns, map->root, "columns", at));
    if (!map->is_wide && !map->votes.wanted) {
        demanded |= ROLE(AGENT) | (cJSON_IsArray(get(columns, "agent")) ? 0 : ROLE(OUTPUT));
    }
    TRY(read_columns(&map->rows, columns, COLUMNS, COUNT(COLUMNS), demanded, at));
    if (contexts_apart) {
        return read_apart(map, at);
    }
    return get(map->root, "contexts") == NULL
               ? REGRET_OK
               : regret_json_error(at, "\"contexts\" is of a file of contexts; "
                                       "name it with --contexts");
}

/* ---- Wide tables ---- */

static size_t count_marks(const char *field)
{
    size_t n = 0;
    for (; (field = strstr(field, FIELDS_AGENT)) != NULL; field++) {
        n++;
    }
    return n;
}

/* "agents" as a list of names. */
static int read_agent_names(struct table_map *map, const cJSON *list, struct regret_place at)
{
    size_t n = (size_t)cJSON_GetArraySize(list);
    if (n == 0 || n > REGRET_POOL_MAX_AGENTS) {
        return regret_json_error(at, "\"agents\" has %zu entries; from 1 to %d are allowed", n,
                                 (int)REGRET_POOL_MAX_AGENTS);
    }
    TRY(REGRET_NEW(&map->agent, n));
    const cJSON *e = NULL;
    cJSON_ArrayForEach(e, list)
    {
        if (!cJSON_IsString(e)) {
            return regret_json_error(at, "\"agents\" is a list of names, texts all of them");
        }
        TRY(check_field(e->valuestring, "agents", at));
        map->agent[map->n_agents++] = e->valuestring;
    }
    return REGRET_OK;
}

static int read_agents(struct table_map *map, struct regret_place at)
{
    const cJSON *given = get(map->root, "agents");
    map->is_wide = given != NULL;
    if (cJSON_IsArray(given)) {
        return read_agent_names(map, given, at);
    }
    if (given != NULL && (!cJSON_IsString(given) || count_marks(given->valuestring) != 1)) {
        return regret_json_error(at, "\"agents\" must be a list of names, or the name of a column "
                                     "with one " FIELDS_AGENT " in it");
    }
    map->agent_pattern = given != NULL ? given->valuestring : NULL;
    return given != NULL ? check_field(given->valuestring, "agents", at) : REGRET_OK;
}

static int is_in(size_t i, const struct map_fields *of)
{
    return i >= of->first && i < of->first + of->n;
}

/* What field i is of a context, the same for all agents; NULL: nothing. */
static const char *of_context(const struct map_table *t, size_t i)
{
    for (size_t r = 0; r < COUNT(APART); r++) {
        if (APART[r].key != NULL && is_in(i, &t->role[r])) {
            return APART[r].key;
        }
    }
    return is_in(i, &t->covariates) ? "covariate" : NULL;
}

static int check_wide(const struct table_map *map, struct regret_place at)
{
    const struct map_table *t = &map->rows;
    size_t marks = map->n_made;
    if (t->role[MAP_AGENT].n > 0) {
        return regret_json_error(at, "\"agents\" is of a wide table, the column \"agent\" of a "
                                     "long one; leave one of the two out");
    }
    for (size_t i = 0; i < t->n; i++) {
        const char *field = t->field[i], *what = of_context(t, i);
        size_t n = field != NULL ? count_marks(field) : 0;
        if (n > 1 || (n > 0 && what != NULL)) {
            return regret_json_error(
                at,
                n > 1 ? "the field \"%.60s\" holds " FIELDS_AGENT " twice; once is enough"
                      : "the field \"%.60s\" holds " FIELDS_AGENT
                        ", but it is the %s of a context, the same for all agents",
                field, what != NULL ? what : "");
        }
        marks += i >= map->first_number ? n : 0;
    }
    if (t->role[MAP_OUTPUT].n == 0 && (map->is_coding || map->derive.wanted || map->n_made > 0)) {
        return regret_json_error(at, "say which columns hold the %s: \"output\"",
                                 map->is_coding ? "patches" : "texts");
    }
    return marks > 0 ? REGRET_OK
                     : regret_json_error(at, "no score holds " FIELDS_AGENT
                                             ": say which columns are an agent's, as in "
                                             "\"from\": \"" FIELDS_AGENT "_score\"");
}

/* ---- The header of the pool ---- */

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

/* One more of a list of the header, which begins with it. */
static int add_element(cJSON *header, const char *key, cJSON *item)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(header, key);
    list = list != NULL ? list : cJSON_AddArrayToObject(header, key);
    return add_item(list, NULL, item);
}

/* One more value; of those that are made that is all. */
static int add_value(struct table_map *map, struct map_value **out)
{
    TRY(regret_grow((void **)&map->value, &map->capacity, map->n_values, sizeof *map->value,
                    "the values of a map"));
    *out = &map->value[map->n_values++];
    **out = (struct map_value){.words = NULL};
    return REGRET_OK;
}

/* A component that is made, not read. */
static int add_made(cJSON *header, struct table_map *map, const char *name, double low, double high)
{
    struct map_value *v = NULL;
    cJSON *component = cJSON_CreateObject();
    TRY(add_element(header, "components", component));
    TRY(add_value(map, &v));
    return cJSON_AddStringToObject(component, "name", name) != NULL &&
                   cJSON_AddNumberToObject(component, "low", low) != NULL &&
                   cJSON_AddNumberToObject(component, "high", high) != NULL
               ? REGRET_OK
               : no_memory();
}

/* "words": what words count. */
static int read_words(struct map_value *v, const cJSON *given, struct regret_place at)
{
    if (get(given, "words") == NULL) {
        return REGRET_OK;
    }
    TRY(regret_json_get_object(&v->words, given, "words", at));
    for (const cJSON *w = v->words->child; w != NULL; w = w->next) {
        if (!cJSON_IsNumber(w) || w->string[strspn(w->string, " \t\r\n")] == '\0') {
            return regret_json_error(at, "\"words\" must say of each word which number it counts, "
                                         "as {\"good\": 1, \"bad\": 0}");
        }
    }
    return REGRET_OK;
}

/* What a component says beside its range: how it is made, or read. */
static int read_component(struct table_map *map, struct map_value *v, const cJSON *given,
                          int *is_made, struct regret_place at)
{
    const cJSON *turned = get(given, "smaller_is_better");
    struct made_score made = {.value = map->n_values - 1};
    TRY(made_score_read(&made, is_made, given, at));
    if (*is_made && map->n_made < REGRET_POOL_MAX_COMPONENTS) { /* of more the pool says so */
        map->made[map->n_made++] = made;
    }
    if (turned != NULL && !cJSON_IsBool(turned)) {
        return regret_json_error(at, "\"smaller_is_better\" must be true or false");
    }
    v->is_reversed = cJSON_IsTrue(turned) != 0;
    TRY(regret_json_optional_string(&v->rater, given, "rater", at));
    if (v->rater != NULL && map->rows.role[MAP_RATER].n == 0) {
        return regret_json_error(at,
                                 "a component is of \"rater\" \"%.40s\": say among the "
                                 "\"columns\" where raters stand",
                                 v->rater);
    }
    return read_words(v, given, at);
}

/* One of "components", "counts" or "aux"; its copy in the header keeps what pool.json has. */
static int read_value(cJSON *list, int i, struct table_map *map, const cJSON *given,
                      int is_component, struct regret_place at)
{
    static const char *const KEYS[] = {"name", "from"},
                             *const OWN[] = {"from", "metric", "pass_at", "words", "rater"},
                             *const RANGE[] = {"low", "high"};
    const char *name = cJSON_IsString(given) && !is_component ? given->valuestring : NULL;
    cJSON *copy = cJSON_GetArrayItem(list, i);
    struct map_value *v = NULL;
    int is_made = 0;
    TRY(add_value(map, &v));
    if (name == NULL && !cJSON_IsObject(given)) {
        return regret_json_error(at, is_component ? "a component must be an object in braces"
                                                  : "counts and aux labels are names or objects");
    }
    if (name == NULL) {
        TRY(is_component ? REGRET_OK : regret_json_check_keys(given, KEYS, 2, at));
        TRY(regret_json_get_string(&name, given, "name", at));
    }
    TRY(is_component ? read_component(map, v, given, &is_made, at) : REGRET_OK);
    const cJSON *from = get(given, "from");
    if (!is_made || map->made[map->n_made - 1].metric == NULL) {
        TRY(from == NULL || cJSON_IsNull(from)
                ? add_field(&map->rows, &v->from, name, name, at)
                : add_fields(&map->rows, &v->from, from, name, MOST_OF_A_MEAN, at));
    }
    for (size_t k = 0; k < COUNT(OWN); k++) {
        cJSON_DeleteItemFromObjectCaseSensitive(copy, OWN[k]);
    }
    for (int k = 0; k < 2 && is_made; k++) {
        TRY(get(copy, RANGE[k]) == NULL ? add_item(copy, RANGE[k], cJSON_CreateNumber(k))
                                        : REGRET_OK);
    }
    return is_component || cJSON_ReplaceItemInArray(list, i, cJSON_CreateString(name))
               ? REGRET_OK
               : no_memory();
}

static int read_list(cJSON *header, struct table_map *map, const char *key, struct regret_place at)
{
    const cJSON *given = get(map->root, key);
    int is_component = strcmp(key, "components") == 0, i = 0;
    if (given == NULL && !is_component) {
        return REGRET_OK;
    }
    TRY(regret_json_get_array(&given, map->root, key, at));
    cJSON *list = cJSON_GetObjectItemCaseSensitive(header, key);
    for (const cJSON *e = given->child; e != NULL; e = e->next) {
        TRY(read_value(list, i++, map, e, is_component, at));
    }
    return REGRET_OK;
}

/* What `key` makes itself, or is of another kind of table. */
static int refuse_others(const struct table_map *map, const char *key, const char *const *other,
                         size_t n, struct regret_place at)
{
    for (size_t i = 0; i < n; i++) {
        if (get(map->root, other[i]) != NULL) {
            return regret_json_error(at,
                                     "\"%s\" stands in the place of \"%s\"; leave one of the two "
                                     "out",
                                     key, other[i]);
        }
    }
    return REGRET_OK;
}

/* "coding": the one component of the header is the success, until coding_pool_describe(). */
static int read_coding(cJSON *header, struct table_map *map, struct regret_place at)
{
    static const char *const KEYS[] = {"success"}, *const MADE[] = {"components", "counts", "aux",
                                                                    "segments", "derive"};
    const cJSON *coding = NULL;
    const char *field = NULL;
    TRY(regret_json_get_object(&coding, map->root, "coding", at));
    TRY(regret_json_check_keys(coding, KEYS, 1, at));
    TRY(regret_json_get_string(&field, coding, "success", at));
    TRY(refuse_others(map, "coding", MADE, COUNT(MADE), at));
    TRY(add_made(header, map, "success", 0.0, 1.0));
    TRY(add_field(&map->rows, &map->value[0].from, field, "success", at));
    map->is_coding = 1;
    return REGRET_OK;
}

/* "derive": what is made of the texts by formula. */
static int read_derive(struct table_map *map, struct regret_place at)
{
    static const char *const WORDS[] = {"conciseness", "statistics"};
    const cJSON *given = NULL;
    if (get(map->root, "derive") != NULL) {
        TRY(regret_json_get_array(&given, map->root, "derive", at));
    }
    for (const cJSON *e = given != NULL ? given->child : NULL; e != NULL; e = e->next) {
        const char *word = cJSON_IsString(e) ? e->valuestring : "";
        size_t which = texts_find(WORDS, 2, word);
        if (which == 2) {
            return regret_fail_prefix(name_unknown("derived value", word, WORDS, 2), "%s", at.file);
        }
        *(which == 0 ? &map->derive.conciseness : &map->derive.statistics) = 1;
    }
    map->derive.wanted = map->derive.conciseness || map->derive.statistics;
    map->derive.cost = map->rows.role[MAP_COST].n == 0;
    return REGRET_OK;
}

/* A reference is given where, and only where, something is made of it. */
static int check_reference(const struct table_map *map, struct regret_place at)
{
    const char *metric = NULL;
    int is_given = map->rows.role[MAP_REFERENCE].n > 0 || map->context.role[MAP_REFERENCE].n > 0;
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

/* "covariates": what the table, or the file of contexts, knows of a context besides its text; pool.json calls them "columns". */
static int read_covariates(cJSON *header, struct table_map *map, struct map_table *table,
                           struct regret_place at)
{
    static const char *const KEYS[] = {"name", "kind", "from"};
    const cJSON *given = NULL;
    if (get(map->root, "covariates") == NULL) {
        return REGRET_OK;
    }
    TRY(regret_json_get_array(&given, map->root, "covariates", at));
    for (const cJSON *e = given->child; e != NULL; e = e->next) {
        const char *field = NULL;
        if (!cJSON_IsObject(e)) {
            return regret_json_error(at, "a covariate must be an object: {\"name\": …, \"kind\": "
                                         "\"number\" or \"word\"}");
        }
        TRY(regret_json_check_keys(e, KEYS, COUNT(KEYS), at));
        TRY(regret_json_get_string(&field, e, "name", at));
        TRY(regret_json_optional_string(&field, e, "from", at));
        TRY(add_field(table, &table->covariates, field, "covariates", at));
    }
    cJSON *columns = cJSON_DetachItemFromObjectCaseSensitive(header, "covariates");
    for (cJSON *e = columns->child; e != NULL; e = e->next) {
        cJSON_DeleteItemFromObjectCaseSensitive(e, "from");
    }
    return add_item(header, "columns", columns);
}

/* ---- Votes ---- */

/* Which of the n words a key has, the first where it is absent. */
static int read_word(size_t *out, const cJSON *object, const char *key, const char *const *words,
                     size_t n, struct regret_place at)
{
    const char *word = words[0];
    TRY(regret_json_optional_string(&word, object, key, at));
    *out = texts_find(words, n, word);
    return *out < n ? REGRET_OK
                    : regret_fail_prefix(name_unknown(key, word, words, n), "%s", at.file);
}

/* "votes": the outcome, of several votes how many it is the mean of, and who was shown first. */
static int read_votes(cJSON *header, struct table_map *map, struct regret_place at)
{
    static const char *const MADE[] = {"components", "counts", "aux",   "segments",
                                       "coding",     "derive", "agents"};
    static const char *const BAD[] = {"tie", "drop"}, *const FIRST[] = {"model_a", "model_b",
                                                                        "unknown"};
    const unsigned demanded = ROLE(AGENT) | ROLE(OTHER_AGENT) | ROLE(WINNER);
    const cJSON *votes = NULL;
    struct map_value *v = NULL;
    size_t bad = 0, first = 0;
    TRY(refuse_others(map, "votes", MADE, COUNT(MADE), at));
    if (map->rows.role[MAP_AGENT].n > 0 || map->rows.role[MAP_OUTPUT].n > 0) {
        return regret_json_error(at, "of \"columns\", \"agent\" and \"output\" are of a row with "
                                     "one output; \"votes\" have \"model_a\", \"model_b\", "
                                     "\"text_a\" and \"text_b\"");
    }
    TRY(regret_json_get_object(&votes, map->root, "votes", at));
    TRY(read_columns(&map->rows, votes, VOTES, COUNT(VOTES), demanded, at));
    TRY(read_word(&bad, votes, "both_bad", BAD, 2, at));
    TRY(read_word(&first, votes, "shown_first", FIRST, 3, at));
    map->votes.is_words = cJSON_IsString(get(votes, "winner"));
    map->votes.drops_bad = bad == 1;
    map->votes.first = first < 2 ? (int)first : -1;
    if (map->rows.role[MAP_OUTPUT].n != map->rows.role[MAP_OTHER_OUTPUT].n) {
        return regret_json_error(at, "\"votes\" has the text of one answer; give \"text_a\" and "
                                     "\"text_b\", or neither");
    }
    TRY(add_made(header, map, REGRET_VOTES_COMPONENT, 0.0, 1.0));
    TRY(add_value(map, &v));
    TRY(add_element(header, "aux", cJSON_CreateString(REGRET_VOTES_COUNT)));
    TRY(first < 2 ? add_value(map, &v) : REGRET_OK);
    return first < 2 ? add_element(header, "aux", cJSON_CreateString(REGRET_VOTES_FIRST))
                     : REGRET_OK;
}

/* ---- All of it ---- */

/* The values of a row, which the header has one after the other. */
static int read_values(cJSON *header, struct table_map *map, struct regret_place at)
{
    struct map_value *v = NULL;
    TRY(read_derive(map, at));
    map->first_number = map->rows.n;
    if (map->votes.wanted) {
        return read_votes(header, map, at);
    }
    if (get(map->root, "coding") != NULL) {
        return read_coding(header, map, at);
    }
    TRY(read_list(header, map, "components", at));
    if (map->derive.conciseness) { /* behind those that are read */
        map->derive.conciseness_value = map->n_values;
        TRY(add_made(header, map, "conciseness", SUMMARY_LEAST, SUMMARY_MOST));
    }
    TRY(read_list(header, map, "counts", at));
    TRY(read_list(header, map, "aux", at));
    map->derive.statistics_value = map->n_values;
    for (size_t j = 0; j < REGRET_STATISTICS && map->derive.statistics; j++) {
        TRY(add_element(header, "aux", cJSON_CreateString(regret_text_statistic_name(j))));
        TRY(add_value(map, &v));
    }
    return REGRET_OK;
}

/* pool.json as the map has it: a copy without what only maps have, with one agent, which it must have, in the place of all. */
static int make_header(cJSON *header, struct table_map *map, const char *table_path,
                       int contexts_apart, struct regret_place at)
{
    static const char *const OWN[] = {"columns", "contexts", "agents",       "votes",
                                      "coding",  "derive",   "decimal_comma"};
    const char *name = NULL;
    TRY(regret_json_get_string(&name, map->root, "name", at));
    const struct {
        const char *key, *otherwise;
    } members[] = {{"format", REGRET_POOL_FORMAT},
                   {"title", name},
                   {"version", "1"},
                   {"licence", "unknown"},
                   {"source", path_last(table_path)}};
    for (size_t i = 0; i < COUNT(OWN); i++) {
        cJSON_DeleteItemFromObjectCaseSensitive(header, OWN[i]);
    }
    for (size_t i = 0; i < COUNT(members); i++) {
        TRY(get(header, members[i].key) == NULL
                ? add_item(header, members[i].key, cJSON_CreateString(members[i].otherwise))
                : REGRET_OK);
    }
    cJSON *agent = cJSON_CreateObject();
    TRY(add_element(header, "agents", agent));
    TRY(add_item(agent, "id", cJSON_CreateString("agent")));
    TRY(read_values(header, map, at));
    TRY(check_reference(map, at));
    return read_covariates(header, map, contexts_apart ? &map->context : &map->rows, at);
}

static int read_header(struct regret_pool *pool, struct table_map *map, const char *path,
                       const char *table_path, int contexts_apart)
{
    struct pool_digests digests;
    FREED_BY(cJSON_Delete_at) cJSON *header = cJSON_Duplicate(map->root, 1);
    if (header == NULL) {
        return no_memory();
    }
    TRY(make_header(header, map, table_path, contexts_apart, (struct regret_place){path, 0}));
    TRY(pool_read_header(pool, &digests, header, path));
    regret_free(pool->agents[0].id);
    regret_free(pool->agents[0].title);
    regret_free(pool->agents);
    pool->agents = NULL;
    pool->n_agents = 0;
    return REGRET_OK;
}

int table_map_read(struct table_map *map, struct regret_pool *pool, const char *path,
                   const char *table_path, int contexts_apart)
{
    static const char *const KEYS[] = {
        "name",     "title",     "version",    "licence",    "source", "columns",
        "contexts", "synthetic", "components", "counts",     "aux",    "segments",
        "coding",   "agents",    "derive",     "covariates", "votes",  "decimal_comma"};
    struct regret_place at = {path, 0};
    TRY(regret_json_read_file(&map->root, path));
    if (!cJSON_IsObject(map->root)) {
        return regret_json_error(at, "must be one object in braces");
    }
    TRY(regret_json_check_keys(map->root, KEYS, COUNT(KEYS), at));
    TRY(read_agents(map, at));
    const cJSON *comma = get(map->root, "decimal_comma");
    if (comma != NULL && !cJSON_IsBool(comma)) {
        return regret_json_error(at, "\"decimal_comma\" must be true or false");
    }
    map->decimal_comma = cJSON_IsTrue(comma) != 0;
    map->votes.wanted = get(map->root, "votes") != NULL;
    TRY(read_fields(map, at, contexts_apart));
    if (map->rows.role[MAP_RATER].n > 0 &&
        (map->votes.wanted || get(map->root, "coding") != NULL)) {
        return regret_json_error(at, "\"rater\" is for \"components\": neither votes nor the "
                                     "success of patches are means of raters");
    }
    TRY(read_header(pool, map, path, table_path, contexts_apart));
    return map->is_wide ? check_wide(map, at) : REGRET_OK;
}

void table_map_free(struct table_map *map)
{
    cJSON_Delete(map->root);
    regret_free(map->rows.field);
    regret_free(map->context.field);
    regret_free(map->value);
    regret_free(map->agent);
    *map = (struct table_map){0};
}

void table_map_card(struct regret_buffer *card, const struct table_map *map,
                    const struct regret_pool *pool)
{
    enum { WIDEST = 200 };
    char *text = cJSON_Print(map->root);
    regret_buffer_append(card, "# ");
    regret_buffer_append_safe(card, pool->title, WIDEST);
    regret_buffer_printf(card, "\n\nImported from a %s. Source: ",
                         map->is_wide        ? "wide table, a row a context"
                         : map->votes.wanted ? "table of votes"
                                             : "table, a row an output");
    regret_buffer_append_safe(card, pool->source, WIDEST);
    regret_buffer_append(card, ". Licence: ");
    regret_buffer_append_safe(card, pool->licence, WIDEST);
    regret_buffer_printf(
        card, ".%s\n\nWhat stood where (docs/formats.md, the map of a table):\n\n```json\n",
        pool->synthetic ? " Texts or scores are synthetic: a program made them." : "");
    regret_buffer_append_visible(card, text != NULL ? text : "");
    regret_buffer_append(card, "\n```\n");
    regret_buffer_fail(card, text != NULL ? REGRET_OK : no_memory());
    cJSON_free(text);
}
