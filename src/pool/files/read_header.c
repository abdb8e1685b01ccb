/* Reads pool.json. Types and keys are checked here; the rules of the values in check.c. */
#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "pool/files/columns.h"
#include "pool/files/history.h"
#include "pool/files/read.h"
#include "regret/alloc.h"
#include "regret/json.h"

enum { WHERE_SIZE = 64 };

/* Reads element i of an array of objects (already known to be one) into row i of the pool. */
typedef int element_reader(struct regret_pool *pool, size_t i, const cJSON *element,
                           struct regret_place at);

/* The array `field` of `root`: absent counts as empty unless `demanded`. */
static int find_array(const cJSON **out, size_t *n, const cJSON *root, const char *field,
                      int demanded, size_t limit, struct regret_place at)
{
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(root, field);
    if (!demanded && (given == NULL || cJSON_IsNull(given))) {
        *out = NULL;
        *n = 0;
        return REGRET_OK;
    }
    TRY(regret_json_get_array(&given, root, field, at));
    size_t size = (size_t)cJSON_GetArraySize(given);
    if (size == 0 && demanded) {
        return regret_json_error(at, "\"%s\" is empty; add at least one", field);
    }
    if (size > limit) {
        return regret_json_error(at, "\"%s\" has %zu entries; at most %zu are allowed", field, size,
                                 limit);
    }
    *out = given;
    *n = size;
    return REGRET_OK;
}

/* Calls `read` on each element of an array of objects; messages name "field[i]". */
static int each_element(struct regret_pool *pool, const cJSON *array, const char *field,
                        element_reader *read, const char *path)
{
    size_t i = 0;
    for (const cJSON *e = array != NULL ? array->child : NULL; e != NULL; e = e->next, i++) {
        char where[WHERE_SIZE];
        snprintf(where, sizeof where, "%s[%zu]", field, i);
        struct regret_place at = {where, 0};
        int rc = cJSON_IsObject(e) ? read(pool, i, e, at)
                                   : regret_json_error(at, "must be an object in braces");
        if (rc != REGRET_OK) {
            return regret_fail_prefix(rc, "%s", path);
        }
    }
    return REGRET_OK;
}

/* An array of the pool: what it is filled from, and how. */
struct elements {
    const char *field;
    int demanded;
    size_t limit, size; /* elements at most; bytes of one in memory */
    element_reader *read;
};

static int read_elements(void **out, size_t *n, struct regret_pool *pool, const cJSON *root,
                         const struct elements *e, struct regret_place at)
{
    const cJSON *array = NULL;
    size_t found = 0;
    TRY(find_array(&array, &found, root, e->field, e->demanded, e->limit, at));
    if (array == NULL) {
        return REGRET_OK;
    }
    TRY(regret_calloc(out, found, e->size, e->field));
    *n = found;
    return each_element(pool, array, e->field, e->read, at.file);
}

static int copy_string(char **out, const cJSON *object, const char *field, struct regret_place at)
{
    const char *text = NULL;
    TRY(regret_json_get_string(&text, object, field, at));
    return regret_strdup(out, text);
}

static int read_agent(struct regret_pool *pool, size_t i, const cJSON *e, struct regret_place at)
{
    static const char *const KEYS[] = {"id", "title", "cost"};
    struct regret_agent *agent = &pool->agents[i];
    TRY(regret_json_check_keys(e, KEYS, sizeof KEYS / sizeof *KEYS, at));
    TRY(copy_string(&agent->id, e, "id", at));
    const char *title = agent->id;
    TRY(regret_json_optional_string(&title, e, "title", at));
    TRY(regret_strdup(&agent->title, title));
    agent->cost = 1.0;
    return regret_json_optional_number(&agent->cost, e, "cost", at);
}

static int read_component(struct regret_pool *pool, size_t i, const cJSON *e,
                          struct regret_place at)
{
    static const char *const KEYS[] = {"name", "low", "high", "smaller_is_better"};
    const cJSON *turned = cJSON_GetObjectItemCaseSensitive(e, KEYS[3]);
    struct regret_component *component = &pool->components[i];
    TRY(regret_json_check_keys(e, KEYS, sizeof KEYS / sizeof *KEYS, at));
    TRY(copy_string(&component->name, e, "name", at));
    if (turned != NULL && !cJSON_IsBool(turned)) {
        return regret_json_error(at, "\"%s\" must be true or false", KEYS[3]);
    }
    component->is_turned = cJSON_IsTrue(turned) != 0;
    TRY(regret_json_get_number(&component->low, e, "low", at));
    return regret_json_get_number(&component->high, e, "high", at);
}

/* Weights: one for each component by its name, no other. */
static int read_weights(struct regret_pool *pool, double *weights, const cJSON *e,
                        struct regret_place at)
{
    const char *names[REGRET_POOL_MAX_COMPONENTS];
    for (size_t k = 0; k < pool->n_components; k++) {
        names[k] = pool->components[k].name;
    }
    const cJSON *map = NULL;
    char where[2 * WHERE_SIZE];
    TRY(regret_json_get_object(&map, e, "weights", at));
    snprintf(where, sizeof where, "%s: \"weights\", by the names of components", at.file);
    at.file = where;
    TRY(regret_json_check_keys(map, names, pool->n_components, at));
    for (size_t k = 0; k < pool->n_components; k++) {
        TRY(regret_json_get_number(&weights[k], map, names[k], at));
    }
    return REGRET_OK;
}

static int read_segment(struct regret_pool *pool, size_t i, const cJSON *e, struct regret_place at)
{
    static const char *const KEYS[] = {"name", "weights"};
    struct regret_segment *segment = &pool->segments[i];
    TRY(regret_json_check_keys(e, KEYS, sizeof KEYS / sizeof *KEYS, at));
    TRY(copy_string(&segment->name, e, "name", at));
    TRY(REGRET_NEW(&segment->weights, pool->n_components));
    return read_weights(pool, segment->weights, e, at);
}

/* An optional array of strings. */
static int read_names(char ***out, size_t *n, const cJSON *root, const char *field, size_t limit,
                      struct regret_place at)
{
    const cJSON *array = NULL;
    TRY(find_array(&array, n, root, field, 0, limit, at));
    if (array == NULL) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(out, *n));
    size_t i = 0;
    for (const cJSON *e = array->child; e != NULL; e = e->next, i++) {
        TRY(cJSON_IsString(e)
                ? regret_strdup(&(*out)[i], e->valuestring)
                : regret_json_error(at, "\"%s\"[%zu] must be a string, the name", field, i));
    }
    return REGRET_OK;
}

static int read_description(struct regret_pool *pool, const cJSON *root, struct regret_place at)
{
    const struct {
        const char *field;
        char **to;
    } strings[] = {{"name", &pool->name},
                   {"title", &pool->title},
                   {"version", &pool->version},
                   {"licence", &pool->licence},
                   {"source", &pool->source}};
    const char *format = NULL;
    TRY(regret_json_get_string(&format, root, "format", at));
    if (strcmp(format, REGRET_POOL_FORMAT) != 0) {
        return regret_json_error(at, "\"format\" is \"%.40s\"; this version reads \"%s\"", format,
                                 REGRET_POOL_FORMAT);
    }
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        TRY(copy_string(strings[i].to, root, strings[i].field, at));
    }
    const cJSON *synthetic = cJSON_GetObjectItemCaseSensitive(root, "synthetic");
    pool->synthetic = cJSON_IsTrue(synthetic) ? 1 : 0;
    return cJSON_IsBool(synthetic)
               ? REGRET_OK
               : regret_json_error(at, "\"synthetic\" must be true (texts or scores were made by a "
                                       "program) or false");
}

/* Agents, components, names, segments, history. */
static int read_arrays(struct regret_pool *pool, const cJSON *root, struct regret_place at)
{
    const struct elements agents = {"agents", 1, REGRET_POOL_MAX_AGENTS, sizeof *pool->agents,
                                    read_agent};
    const struct elements components = {"components", 1, REGRET_POOL_MAX_COMPONENTS,
                                        sizeof *pool->components, read_component};
    const struct elements segments = {"segments", 0, REGRET_POOL_MAX_SEGMENTS,
                                      sizeof *pool->segments, read_segment};
    const struct elements columns = {"columns", 0, REGRET_POOL_MAX_COLUMNS, sizeof *pool->columns,
                                     pool_read_column};
    const struct elements history = {"history", 0, REGRET_POOL_MAX_HISTORY, sizeof *pool->history,
                                     pool_read_step};
    TRY(read_elements((void **)&pool->agents, &pool->n_agents, pool, root, &agents, at));
    TRY(read_elements((void **)&pool->components, &pool->n_components, pool, root, &components,
                      at));
    TRY(read_names(&pool->counts, &pool->n_counts, root, "counts", REGRET_POOL_MAX_COUNTS, at));
    TRY(read_names(&pool->aux, &pool->n_aux, root, "aux", REGRET_POOL_MAX_AUX, at));
    TRY(read_elements((void **)&pool->history, &pool->n_history, pool, root, &history, at));
    TRY(read_elements((void **)&pool->columns, &pool->n_columns, pool, root, &columns, at));
    TRY(read_elements((void **)&pool->segments, &pool->n_segments, pool, root, &segments, at));
    return pool->segments != NULL ? REGRET_OK : regret_pool_default_segments(pool);
}

static int read_digest(char out[33], const cJSON *map, const char *field, struct regret_place at)
{
    const char *digest = "";
    TRY(regret_json_optional_string(&digest, map, field, at));
    size_t n = strlen(digest);
    if (!(n == 0 || (n == 32 && strspn(digest, "0123456789abcdef") == 32))) {
        return regret_json_error(at, "digest \"%s\" must be 32 hexadecimal digits in lower case",
                                 field);
    }
    memcpy(out, digest, n + 1);
    return REGRET_OK;
}

static int read_digests(struct pool_digests *digests, const cJSON *root, struct regret_place at)
{
    static const char *const KEYS[] = {"contexts.jsonl", "outputs.jsonl"};
    const cJSON *map = cJSON_GetObjectItemCaseSensitive(root, "digests");
    *digests = (struct pool_digests){"", ""};
    if (map == NULL) {
        return REGRET_OK;
    }
    TRY(regret_json_get_object(&map, root, "digests", at));
    TRY(regret_json_check_keys(map, KEYS, sizeof KEYS / sizeof *KEYS, at));
    TRY(read_digest(digests->contexts, map, KEYS[0], at));
    return read_digest(digests->outputs, map, KEYS[1], at);
}

int pool_read_header(struct regret_pool *pool, struct pool_digests *digests, const cJSON *root,
                     const char *path)
{
    static const char *const KEYS[] = {"format",   "name",      "title",   "version",    "licence",
                                       "source",   "synthetic", "agents",  "components", "counts",
                                       "segments", "aux",       "columns", "history",    "digests"};
    struct regret_place at = {path, 0};
    if (!cJSON_IsObject(root)) {
        return regret_json_error(at, "must be one object in braces");
    }
    TRY(regret_json_check_keys(root, KEYS, sizeof KEYS / sizeof *KEYS, at));
    TRY(read_description(pool, root, at));
    TRY(read_arrays(pool, root, at));
    return read_digests(digests, root, at);
}
