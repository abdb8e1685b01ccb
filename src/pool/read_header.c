/* Reads pool.json. Types and keys are checked here; the rules of the values in check.c. */
#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "pool/read.h"
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
    int rc = regret_json_get_array(&given, root, field, at);
    if (rc != REGRET_OK) {
        return rc;
    }
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
    int rc = REGRET_OK;
    size_t i = 0;
    for (const cJSON *e = array != NULL ? array->child : NULL; rc == REGRET_OK && e != NULL;
         e = e->next, i++) {
        char where[WHERE_SIZE];
        snprintf(where, sizeof where, "%s[%zu]", field, i);
        struct regret_place at = {where, 0};
        rc = cJSON_IsObject(e) ? read(pool, i, e, at)
                               : regret_json_error(at, "must be an object in braces");
        if (rc != REGRET_OK) {
            rc = regret_fail_prefix(rc, "%s", path);
        }
    }
    return rc;
}

static int copy_string(char **out, const cJSON *object, const char *field, struct regret_place at)
{
    const char *text = NULL;
    int rc = regret_json_get_string(&text, object, field, at);
    return rc != REGRET_OK ? rc : regret_strdup(out, text);
}

static int read_agent(struct regret_pool *pool, size_t i, const cJSON *e, struct regret_place at)
{
    static const char *const KEYS[] = {"id", "title", "cost"};
    struct regret_agent *agent = &pool->agents[i];
    int rc = regret_json_check_keys(e, KEYS, sizeof KEYS / sizeof *KEYS, at);
    if (rc == REGRET_OK) {
        rc = copy_string(&agent->id, e, "id", at);
    }
    const char *title = agent->id;
    if (rc == REGRET_OK) {
        rc = regret_json_optional_string(&title, e, "title", at);
    }
    if (rc == REGRET_OK) {
        rc = regret_strdup(&agent->title, title);
    }
    agent->cost = 1.0;
    return rc != REGRET_OK ? rc : regret_json_optional_number(&agent->cost, e, "cost", at);
}

static int read_component(struct regret_pool *pool, size_t i, const cJSON *e,
                          struct regret_place at)
{
    static const char *const KEYS[] = {"name", "low", "high"};
    struct regret_component *component = &pool->components[i];
    int rc = regret_json_check_keys(e, KEYS, sizeof KEYS / sizeof *KEYS, at);
    if (rc == REGRET_OK) {
        rc = copy_string(&component->name, e, "name", at);
    }
    if (rc == REGRET_OK) {
        rc = regret_json_get_number(&component->low, e, "low", at);
    }
    return rc != REGRET_OK ? rc : regret_json_get_number(&component->high, e, "high", at);
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
    int rc = regret_json_get_object(&map, e, "weights", at);
    snprintf(where, sizeof where, "%s: \"weights\", by the names of components", at.file);
    at.file = where;
    if (rc == REGRET_OK) {
        rc = regret_json_check_keys(map, names, pool->n_components, at);
    }
    for (size_t k = 0; rc == REGRET_OK && k < pool->n_components; k++) {
        rc = regret_json_get_number(&weights[k], map, names[k], at);
    }
    return rc;
}

static int read_segment(struct regret_pool *pool, size_t i, const cJSON *e, struct regret_place at)
{
    static const char *const KEYS[] = {"name", "weights"};
    struct regret_segment *segment = &pool->segments[i];
    int rc = regret_json_check_keys(e, KEYS, sizeof KEYS / sizeof *KEYS, at);
    if (rc == REGRET_OK) {
        rc = copy_string(&segment->name, e, "name", at);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&segment->weights, pool->n_components);
    }
    return rc != REGRET_OK ? rc : read_weights(pool, segment->weights, e, at);
}

/* An optional array of strings. */
static int read_names(char ***out, size_t *n, const cJSON *root, const char *field, size_t limit,
                      struct regret_place at)
{
    const cJSON *array = NULL;
    int rc = find_array(&array, n, root, field, 0, limit, at);
    if (rc != REGRET_OK || array == NULL) {
        return rc;
    }
    rc = REGRET_NEW(out, *n);
    size_t i = 0;
    for (const cJSON *e = array->child; rc == REGRET_OK && e != NULL; e = e->next, i++) {
        rc = cJSON_IsString(e)
                 ? regret_strdup(&(*out)[i], e->valuestring)
                 : regret_json_error(at, "\"%s\"[%zu] must be a string, the name", field, i);
    }
    return rc;
}

static int read_description(struct regret_pool *pool, const cJSON *root, struct regret_place at)
{
    const char *format = NULL;
    int rc = regret_json_get_string(&format, root, "format", at);
    if (rc == REGRET_OK && strcmp(format, REGRET_POOL_FORMAT) != 0) {
        rc = regret_json_error(at, "\"format\" is \"%.40s\"; this version reads \"%s\"", format,
                               REGRET_POOL_FORMAT);
    }
    struct {
        const char *field;
        char **to;
    } strings[] = {{"name", &pool->name},
                   {"title", &pool->title},
                   {"version", &pool->version},
                   {"licence", &pool->licence},
                   {"source", &pool->source}};
    for (size_t i = 0; rc == REGRET_OK && i < sizeof strings / sizeof *strings; i++) {
        rc = copy_string(strings[i].to, root, strings[i].field, at);
    }
    if (rc == REGRET_OK) {
        const cJSON *synthetic = cJSON_GetObjectItemCaseSensitive(root, "synthetic");
        if (!cJSON_IsBool(synthetic)) {
            rc = regret_json_error(at, "\"synthetic\" must be true (texts or scores were made by a "
                                       "program) or false");
        }
        pool->synthetic = cJSON_IsTrue(synthetic) ? 1 : 0;
    }
    return rc;
}

static int read_agents(struct regret_pool *pool, const cJSON *root, struct regret_place at)
{
    const cJSON *array = NULL;
    size_t n = 0;
    int rc = find_array(&array, &n, root, "agents", 1, REGRET_POOL_MAX_AGENTS, at);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&pool->agents, n);
    }
    if (rc != REGRET_OK) {
        return rc;
    }
    pool->n_agents = n;
    return each_element(pool, array, "agents", read_agent, at.file);
}

static int read_components(struct regret_pool *pool, const cJSON *root, struct regret_place at)
{
    const cJSON *array = NULL;
    size_t n = 0;
    int rc = find_array(&array, &n, root, "components", 1, REGRET_POOL_MAX_COMPONENTS, at);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&pool->components, n);
    }
    if (rc != REGRET_OK) {
        return rc;
    }
    pool->n_components = n;
    return each_element(pool, array, "components", read_component, at.file);
}

static int read_segments(struct regret_pool *pool, const cJSON *root, struct regret_place at)
{
    const cJSON *array = NULL;
    size_t n = 0;
    int rc = find_array(&array, &n, root, "segments", 0, REGRET_POOL_MAX_SEGMENTS, at);
    if (rc == REGRET_OK && array == NULL) {
        return regret_pool_default_segments(pool);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&pool->segments, n);
    }
    if (rc != REGRET_OK) {
        return rc;
    }
    pool->n_segments = n;
    return each_element(pool, array, "segments", read_segment, at.file);
}

static int read_digest(char out[33], const cJSON *map, const char *field, struct regret_place at)
{
    const char *digest = "";
    int rc = regret_json_optional_string(&digest, map, field, at);
    size_t n = strlen(digest);
    if (rc == REGRET_OK && !(n == 0 || (n == 32 && strspn(digest, "0123456789abcdef") == 32))) {
        rc = regret_json_error(at, "digest \"%s\" must be 32 hexadecimal digits in lower case",
                               field);
    }
    if (rc == REGRET_OK) {
        memcpy(out, digest, n + 1);
    }
    return rc;
}

static int read_digests(struct pool_digests *digests, const cJSON *root, struct regret_place at)
{
    static const char *const KEYS[] = {"contexts.jsonl", "outputs.jsonl"};
    const cJSON *map = cJSON_GetObjectItemCaseSensitive(root, "digests");
    *digests = (struct pool_digests){"", ""};
    if (map == NULL) {
        return REGRET_OK;
    }
    int rc = regret_json_get_object(&map, root, "digests", at);
    if (rc == REGRET_OK) {
        rc = regret_json_check_keys(map, KEYS, sizeof KEYS / sizeof *KEYS, at);
    }
    if (rc == REGRET_OK) {
        rc = read_digest(digests->contexts, map, KEYS[0], at);
    }
    return rc != REGRET_OK ? rc : read_digest(digests->outputs, map, KEYS[1], at);
}

int pool_read_header(struct regret_pool *pool, struct pool_digests *digests, const cJSON *root,
                     const char *path)
{
    static const char *const KEYS[] = {"format",   "name",      "title",  "version",    "licence",
                                       "source",   "synthetic", "agents", "components", "counts",
                                       "segments", "aux",       "digests"};
    struct regret_place at = {path, 0};
    if (!cJSON_IsObject(root)) {
        return regret_json_error(at, "must be one object in braces");
    }
    int rc = regret_json_check_keys(root, KEYS, sizeof KEYS / sizeof *KEYS, at);
    if (rc == REGRET_OK) {
        rc = read_description(pool, root, at);
    }
    if (rc == REGRET_OK) {
        rc = read_agents(pool, root, at);
    }
    if (rc == REGRET_OK) {
        rc = read_components(pool, root, at);
    }
    if (rc == REGRET_OK) {
        rc = read_names(&pool->counts, &pool->n_counts, root, "counts", REGRET_POOL_MAX_COUNTS, at);
    }
    if (rc == REGRET_OK) {
        rc = read_names(&pool->aux, &pool->n_aux, root, "aux", REGRET_POOL_MAX_AUX, at);
    }
    if (rc == REGRET_OK) {
        rc = read_segments(pool, root, at);
    }
    return rc != REGRET_OK ? rc : read_digests(digests, root, at);
}
