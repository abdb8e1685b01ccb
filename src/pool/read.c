#include "pool/read.h"

#include <cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/input.h"
#include "base/json.h"
#include "base/jsonl.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "pool/check.h"
#include "pool/memory.h"
#include "pool/write.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

/* Reads a pool folder: pool.json, then contexts.jsonl, then outputs.jsonl, a line at a time. */

FREED_POINTER(cJSON, cJSON_Delete)
FREED_POINTER(struct regret_jsonl, regret_jsonl_close)

/* The three maps of an output, each from declared names to numbers. */
struct label_map {
    const char *field;
    const char *const *names; /* of those of the pool's values */
    size_t n;
    int booleans; /* 1: true and false stand for 1 and 0 */
};
enum { N_MAPS = 3 };

struct pool_reader {
    struct regret_pool *pool;
    char *header_path, *contexts_path, *outputs_path;
    struct pool_digests digests;
    struct id_table contexts, agents;
    const char **names; /* of the pool's values: an owned array of borrowed strings */
    struct label_map maps[N_MAPS];
    size_t capacity;                      /* rows allocated in the present file's array */
    size_t lines_capacity;                /* of the lines of the present file */
    size_t *context_lines, *output_lines; /* where each row stood */
};

/* A pool is read from its own folder only: no link leads out of it. */
static int check_own_file(const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0) {
        return errno == ENOENT
                   ? regret_fail(REGRET_E_INPUT,
                                 "%s is missing; a pool folder holds pool.json, contexts.jsonl and "
                                 "outputs.jsonl",
                                 path)
                   : regret_fail(REGRET_E_IO, "cannot examine %s: %s", path, strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return regret_fail(REGRET_E_INPUT,
                           "%s is not a regular file; a pool is read from its own folder only, put "
                           "the file itself there",
                           path);
    }
    return REGRET_OK;
}

static int check_digest(char actual[33], const char *expected, const char *path)
{
    TRY(check_own_file(path));
    TRY(regret_digest_file(actual, path));
    return expected[0] == '\0' || strcmp(actual, expected) == 0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s was changed after the pool was made: pool.json says digest %s, "
                             "the file has %s; restore the file, or delete \"digests\" in "
                             "pool.json and re-create digests with: regret pool pack",
                             path, expected, actual);
}

static int read_rows(struct pool_reader *r, const char *path, jsonl_row *take,
                     int (*reserve)(void *, size_t))
{
    FREED_BY(regret_jsonl_close_at) struct regret_jsonl *file = NULL;
    const struct jsonl_taker taker = {.context = r, .row = take, .reserve = reserve};
    size_t n = 0;
    r->capacity = 0;
    r->lines_capacity = 0;
    TRY(regret_jsonl_open(&file, path));
    return jsonl_each(&n, file, REGRET_JSON_STRICT, regret_threads_allowed(), &taker);
}

/* Room for so many rows of the present file, the new ones empty. */
static int reserve(struct pool_reader *r, void **row, size_t *n, size_t size, size_t **line,
                   size_t rows)
{
    for (; *n < rows; ++*n) {
        TRY(regret_grow(row, &r->capacity, *n, size, "rows of a pool"));
        TRY(regret_grow((void **)line, &r->lines_capacity, *n, sizeof **line, "lines"));
        memset((char *)*row + *n * size, 0, size);
    }
    return REGRET_OK;
}

static int reserve_contexts(void *context, size_t rows)
{
    struct pool_reader *r = context;
    return reserve(r, (void **)&r->pool->contexts, &r->pool->n_contexts, sizeof *r->pool->contexts,
                   &r->context_lines, rows);
}

static int reserve_outputs(void *context, size_t rows)
{
    struct pool_reader *r = context;
    return reserve(r, (void **)&r->pool->outputs, &r->pool->n_outputs, sizeof *r->pool->outputs,
                   &r->output_lines, rows);
}

static int take_context(void *context, size_t i, const cJSON *row, struct regret_place at)
{
    struct pool_reader *r = context;
    static const char *const KEYS[] = {"id", "text", "tag", "title", "columns"};
    struct regret_pool *pool = r->pool;
    const char *id = NULL, *text = NULL, *tag = NULL, *title = NULL;
    if (i >= REGRET_POOL_MAX_CONTEXTS) {
        return regret_json_error(at, "more than %d contexts", REGRET_POOL_MAX_CONTEXTS);
    }
    TRY(regret_json_check_keys(row, KEYS, sizeof KEYS / sizeof *KEYS, at));
    TRY(regret_json_get_string(&id, row, "id", at));
    TRY(regret_json_get_string(&text, row, "text", at));
    TRY(regret_json_optional_string(&tag, row, "tag", at));
    TRY(regret_json_optional_string(&title, row, "title", at));
    r->context_lines[i] = at.line;
    TRY(regret_strdup(&pool->contexts[i].id, id));
    TRY(regret_strdup(&pool->contexts[i].text, text));
    TRY(tag != NULL ? regret_strdup(&pool->contexts[i].tag, tag) : REGRET_OK);
    TRY(title != NULL ? regret_strdup(&pool->contexts[i].title, title) : REGRET_OK);
    return pool_read_covariates(&pool->contexts[i].columns, pool, row, at);
}

/* "WHAT … is not in …; did you mean …?". Slow and thorough: it runs once. */
static int unknown_id(const struct regret_pool *pool, int is_agent, const char *id,
                      struct regret_place at)
{
    size_t n = is_agent ? pool->n_agents : pool->n_contexts;
    FREED const char **known = NULL;
    TRY(REGRET_NEW(&known, n));
    for (size_t i = 0; i < n; i++) {
        known[i] = is_agent ? pool->agents[i].id : pool->contexts[i].id;
    }
    const char *near = name_nearest(id, known, n);
    return regret_json_error(at, "%s \"%.*s\" is not in %s%s%s%s", is_agent ? "agent" : "context",
                             REGRET_POOL_MAX_ID, id,
                             is_agent ? "the agents of pool.json" : "contexts.jsonl",
                             near != NULL ? "; did you mean \"" : "; add it there",
                             near != NULL ? near : "", near != NULL ? "\"?" : "");
}

static int resolve(struct regret_output *o, const struct pool_reader *r, const cJSON *row,
                   struct regret_place at)
{
    const char *id = NULL;
    TRY(regret_json_get_string(&id, row, "context", at));
    size_t context = id_table_find(&r->contexts, id);
    if (context == SIZE_MAX) {
        return unknown_id(r->pool, 0, id, at);
    }
    TRY(regret_json_get_string(&id, row, "agent", at));
    size_t agent = id_table_find(&r->agents, id);
    if (agent == SIZE_MAX) {
        return unknown_id(r->pool, 1, id, at);
    }
    long long draw = 0;
    TRY(regret_json_optional_integer(&draw, row, "draw", 0, REGRET_POOL_MAX_OUTPUTS - 1, at));
    o->context = (uint32_t)context;
    o->agent = (uint32_t)agent;
    o->draw = (uint32_t)draw;
    return REGRET_OK;
}

/* Names all keys that should be there and are not, or the first that should not be. */
static int wrong_key(const struct label_map *m, const cJSON *value, struct regret_place at)
{
    const char *near = name_nearest(value->string, m->names, m->n);
    return regret_json_error(at, "\"%s\" holds \"%.64s\", which pool.json does not declare%s%s%s",
                             m->field, value->string, near != NULL ? "; did you mean \"" : "",
                             near != NULL ? near : "", near != NULL ? "\"?" : "; remove it");
}

/* Reads one map into values[0..n). Keys nearly always come in the declared order, so the k-th name
 * is tried first. A key given twice was refused by the parser: n known keys are all of them. */
static int read_map(double *values, const struct label_map *m, const cJSON *row,
                    struct regret_place at)
{
    const cJSON *map = cJSON_GetObjectItemCaseSensitive(row, m->field);
    if (m->n == 0 && map == NULL) {
        return REGRET_OK;
    }
    size_t found = 0;
    TRY(regret_json_get_object(&map, row, m->field, at));
    for (const cJSON *v = map->child; v != NULL; v = v->next, found++) {
        size_t k = found;
        if (k >= m->n || strcmp(v->string, m->names[k]) != 0) {
            for (k = 0; k < m->n && strcmp(v->string, m->names[k]) != 0; k++) {
            }
        }
        if (k == m->n) {
            return wrong_key(m, v, at);
        }
        int is_verdict = m->booleans && cJSON_IsBool(v);
        if (!cJSON_IsNumber(v) && !is_verdict) {
            return regret_json_error(at, "\"%s\": \"%s\" must be a number%s", m->field, v->string,
                                     cJSON_IsString(v) ? "; write it without quotes" : "");
        }
        values[k] = is_verdict ? (double)(cJSON_IsTrue(v) != 0) : v->valuedouble;
    }
    for (size_t k = 0; found < m->n && k < m->n; k++) {
        if (cJSON_GetObjectItemCaseSensitive(map, m->names[k]) == NULL) {
            return regret_json_error(at, "\"%s\" lacks \"%s\", which pool.json declares; add it",
                                     m->field, m->names[k]);
        }
    }
    return REGRET_OK;
}

static int read_values(struct regret_output *o, const struct pool_reader *r, const cJSON *row,
                       struct regret_place at)
{
    const struct regret_pool *pool = r->pool;
    size_t offset = 0;
    TRY(REGRET_NEW(&o->values, pool->n_components + pool->n_counts + pool->n_aux));
    for (size_t i = 0; i < N_MAPS; i++) {
        TRY(read_map(o->values + offset, &r->maps[i], row, at));
        offset += r->maps[i].n;
    }
    return REGRET_OK;
}

static int take_output(void *context, size_t i, const cJSON *row, struct regret_place at)
{
    struct pool_reader *r = context;
    static const char *const KEYS[] = {"context",    "agent",  "draw", "text",
                                       "components", "counts", "aux"};
    struct regret_pool *pool = r->pool;
    struct regret_output o = {0};
    const char *text = NULL;
    if (i >= REGRET_POOL_MAX_OUTPUTS) {
        return regret_json_error(at, "more than %d outputs", REGRET_POOL_MAX_OUTPUTS);
    }
    TRY(regret_json_check_keys(row, KEYS, sizeof KEYS / sizeof *KEYS, at));
    TRY(resolve(&o, r, row, at));
    TRY(regret_json_get_string(&text, row, "text", at));
    pool->outputs[i] = o;
    r->output_lines[i] = at.line;
    TRY(regret_strdup(&pool->outputs[i].text, text));
    return read_values(&pool->outputs[i], r, row, at);
}

/* The tables that rows of outputs.jsonl are read by. */
static int prepare_maps(struct pool_reader *r)
{
    const struct regret_pool *pool = r->pool;
    size_t counts = pool->n_components, aux = counts + pool->n_counts, n = aux + pool->n_aux;
    TRY(REGRET_NEW(&r->names, n));
    for (size_t k = 0; k < n; k++) {
        r->names[k] = regret_pool_value_name(pool, k);
    }
    r->maps[0] = (struct label_map){"components", r->names, pool->n_components, 1};
    r->maps[1] = (struct label_map){"counts", r->names + counts, pool->n_counts, 0};
    r->maps[2] = (struct label_map){"aux", r->names + aux, pool->n_aux, 0};
    TRY(id_table_reserve(&r->agents, pool->n_agents));
    for (size_t a = 0; a < pool->n_agents; a++) {
        id_table_put(&r->agents, pool->agents[a].id, a);
    }
    return REGRET_OK;
}

static int read_header(struct pool_reader *r)
{
    FREED_BY(cJSON_Delete_at) cJSON *root = NULL;
    TRY(regret_json_read_file(&root, r->header_path));
    return pool_read_header(r->pool, &r->digests, root, r->header_path);
}

/* Three digests of 32 digits each, and together the digest of the pool. */
static int check_digests(struct pool_reader *r)
{
    char digests[3 * 32 + 1];
    TRY(pool_digest_header(digests, r->pool, r->header_path));
    TRY(check_digest(digests + 32, r->digests.contexts, r->contexts_path));
    TRY(check_digest(digests + 64, r->digests.outputs, r->outputs_path));
    regret_digest(r->pool->digest, digests, 96);
    return REGRET_OK;
}

static int read_files(struct pool_reader *r)
{
    struct pool_origin origin = {r->header_path, r->contexts_path, r->outputs_path, NULL, NULL};
    TRY(check_own_file(r->header_path));
    TRY(read_header(r));
    TRY(pool_check_header(r->pool, &origin));
    TRY(check_digests(r));
    TRY(read_rows(r, r->contexts_path, take_context, reserve_contexts));
    origin.context_lines = r->context_lines;
    TRY(pool_check_contexts(r->pool, &origin, &r->contexts));
    TRY(prepare_maps(r));
    TRY(read_rows(r, r->outputs_path, take_output, reserve_outputs));
    origin.output_lines = r->output_lines;
    TRY(pool_check_outputs(r->pool, &origin));
    TRY(pool_sort_outputs(r->pool, &origin));
    return pool_check_order(r->pool, &origin);
}

static void free_reader(struct pool_reader *r)
{
    regret_pool_free(r->pool);
    regret_free(r->header_path);
    regret_free(r->contexts_path);
    regret_free(r->outputs_path);
    id_table_free(&r->contexts);
    id_table_free(&r->agents);
    regret_free(r->names);
    regret_free(r->context_lines);
    regret_free(r->output_lines);
}

static int check_folder(const char *path)
{
    struct stat info;
    int there = stat(path, &info) == 0;
    if (!there && errno != ENOENT && errno != ENOTDIR) {
        return regret_fail(REGRET_E_IO, "cannot examine %s: %s", path, strerror(errno));
    }
    return there && S_ISDIR(info.st_mode)
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s is not a folder; a pool is a folder with a pool.json in it", path);
}

int regret_pool_read(struct regret_pool **out, const char *path)
{
    FREED_BY(free_reader) struct pool_reader r = {0};
    TRY(check_folder(path));
    TRY(REGRET_NEW(&r.pool, 1));
    TRY(regret_path_join(&r.header_path, path, "pool.json"));
    TRY(regret_path_join(&r.contexts_path, path, "contexts.jsonl"));
    TRY(regret_path_join(&r.outputs_path, path, "outputs.jsonl"));
    TRY(read_files(&r));
    *out = r.pool;
    r.pool = NULL;
    return REGRET_OK;
}

int regret_pool_read_card(char **out, const char *path)
{
    char *card = NULL;
    FREED char *card_path = NULL;
    TRY(regret_path_join(&card_path, path, "README.md"));
    if (!input_is_absent(card_path)) {
        TRY(check_own_file(card_path));
        TRY(regret_file_read(&card, NULL, card_path, REGRET_POOL_MAX_CARD));
    }
    *out = card;
    return REGRET_OK;
}

/* Reads pool.json. Types and keys are checked here; the rules of the values in check.c. */

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

/* An array of the pool: what it is filled from, and how. Of objects messages name "field[i]". */
struct elements {
    const char *field;
    int demanded, are_names;
    size_t limit, size; /* elements at most; bytes of one in memory */
    element_reader *read;
    void **array;
    size_t *n;
};

static int read_element(struct regret_pool *pool, const struct elements *of, size_t i,
                        const cJSON *e, struct regret_place at)
{
    char where[WHERE_SIZE];
    if (of->are_names) {
        return cJSON_IsString(e)
                   ? regret_strdup((char **)*of->array + i, e->valuestring)
                   : regret_json_error(at, "\"%s\"[%zu] must be a string, the name", of->field, i);
    }
    snprintf(where, sizeof where, "%s[%zu]", of->field, i);
    const struct regret_place there = {where, 0};
    int rc = cJSON_IsObject(e) ? of->read(pool, i, e, there)
                               : regret_json_error(there, "must be an object in braces");
    return rc != REGRET_OK ? regret_fail_prefix(rc, "%s", at.file) : rc;
}

static int read_elements(struct regret_pool *pool, const struct elements *of, const cJSON *root,
                         struct regret_place at)
{
    const cJSON *array = NULL;
    size_t found = 0, i = 0;
    TRY(find_array(&array, &found, root, of->field, of->demanded, of->limit, at));
    if (array == NULL) {
        return REGRET_OK;
    }
    TRY(regret_calloc(of->array, found, of->size, of->field));
    *of->n = found;
    for (const cJSON *e = array->child; e != NULL; e = e->next) {
        TRY(read_element(pool, of, i++, e, at));
    }
    return REGRET_OK;
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
    const struct elements all[] = {
        {"agents", 1, 0, REGRET_POOL_MAX_AGENTS, sizeof *pool->agents, read_agent,
         (void **)&pool->agents, &pool->n_agents},
        {"components", 1, 0, REGRET_POOL_MAX_COMPONENTS, sizeof *pool->components, read_component,
         (void **)&pool->components, &pool->n_components},
        {"counts", 0, 1, REGRET_POOL_MAX_COUNTS, sizeof *pool->counts, NULL, (void **)&pool->counts,
         &pool->n_counts},
        {"aux", 0, 1, REGRET_POOL_MAX_AUX, sizeof *pool->aux, NULL, (void **)&pool->aux,
         &pool->n_aux},
        {"history", 0, 0, REGRET_POOL_MAX_HISTORY, sizeof *pool->history, pool_read_step,
         (void **)&pool->history, &pool->n_history},
        {"columns", 0, 0, REGRET_POOL_MAX_COLUMNS, sizeof *pool->columns, pool_read_column,
         (void **)&pool->columns, &pool->n_columns},
        {"segments", 0, 0, REGRET_POOL_MAX_SEGMENTS, sizeof *pool->segments, read_segment,
         (void **)&pool->segments, &pool->n_segments}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        TRY(read_elements(pool, &all[i], root, at));
    }
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
