#include "pool/memory.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "pool/check.h"
#include "pool/read.h"
#include "pool/write.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "text/patch.h"

FREED_POINTER(struct regret_patch, regret_patch_free)

enum { TYPES = 4 };
static const char *const TYPE_NAMES[TYPES] = {"balanced", "size-first", "locality-first",
                                              "focus-first"};
/* Twentieths: success, size, locality, focus. */
static const double TYPE_WEIGHTS[TYPES][CODING_COMPONENTS] = {
    {5, 5, 5, 5}, {5, 9, 3, 3}, {5, 3, 9, 3}, {5, 3, 3, 9}};

static int describe_components(struct regret_pool *pool)
{
    TRY(REGRET_NEW(&pool->components, CODING_COMPONENTS));
    pool->n_components = CODING_COMPONENTS;
    for (size_t k = 0; k < CODING_COMPONENTS; k++) {
        pool->components[k].high = 1.0;
        TRY(regret_strdup(&pool->components[k].name,
                          k == CODING_SUCCESS ? "success"
                                              : regret_patch_component_name(k - CODING_SIZE)));
    }
    return REGRET_OK;
}

static int describe_aux(struct regret_pool *pool)
{
    TRY(REGRET_NEW(&pool->aux, REGRET_PATCH_STATISTICS));
    pool->n_aux = REGRET_PATCH_STATISTICS;
    for (size_t j = 0; j < REGRET_PATCH_STATISTICS; j++) {
        TRY(regret_strdup(&pool->aux[j], regret_patch_statistic_name(j)));
    }
    return REGRET_OK;
}

static int describe_segments(struct regret_pool *pool)
{
    TRY(REGRET_NEW(&pool->segments, TYPES));
    pool->n_segments = TYPES;
    for (size_t u = 0; u < TYPES; u++) {
        TRY(regret_strdup(&pool->segments[u].name, TYPE_NAMES[u]));
        TRY(REGRET_NEW(&pool->segments[u].weights, CODING_COMPONENTS));
        for (size_t k = 0; k < CODING_COMPONENTS; k++) {
            pool->segments[u].weights[k] = TYPE_WEIGHTS[u][k] / 20.0;
        }
    }
    return REGRET_OK;
}

int coding_pool_describe(struct regret_pool *pool)
{
    pool_free_values(pool);
    TRY(describe_components(pool));
    TRY(describe_aux(pool));
    return describe_segments(pool);
}

int coding_values(double *values, size_t *changed, size_t *files, int success, const char *text,
                  size_t length, const struct regret_patch_issue *issue)
{
    FREED_BY(regret_patch_free_at) struct regret_patch *patch = NULL;
    TRY(regret_patch_parse(&patch, text, length));
    values[CODING_SUCCESS] = success != 0;
    TRY(regret_patch_components(values + CODING_SIZE, patch, issue));
    TRY(regret_patch_statistics(values + CODING_COMPONENTS, patch));
    if (changed != NULL) {
        *changed = patch->added + patch->removed;
    }
    if (files != NULL) {
        *files = patch->n_files;
    }
    return REGRET_OK;
}

static const char *const KINDS[] = {
    [REGRET_COLUMN_NUMBER] = "number", [REGRET_COLUMN_WORD] = "word"};

const char *regret_column_kind_name(enum regret_column_kind kind)
{
    return KINDS[kind];
}

/* ---- reading ---- */

int pool_read_column(struct regret_pool *pool, size_t i, const cJSON *e, struct regret_place at)
{
    static const char *const KEYS[] = {"name", "kind"};
    struct regret_column *column = &pool->columns[i];
    const char *name = NULL, *kind = NULL;
    TRY(regret_json_check_keys(e, KEYS, sizeof KEYS / sizeof *KEYS, at));
    TRY(regret_json_get_string(&name, e, "name", at));
    TRY(regret_json_get_string(&kind, e, "kind", at));
    int is_word = strcmp(kind, KINDS[REGRET_COLUMN_WORD]) == 0;
    if (!is_word && strcmp(kind, KINDS[REGRET_COLUMN_NUMBER]) != 0) {
        return regret_json_error(at, "\"kind\" is \"%.40s\"; it must be \"number\" or \"word\"",
                                 kind);
    }
    column->kind = is_word ? REGRET_COLUMN_WORD : REGRET_COLUMN_NUMBER;
    return regret_strdup(&column->name, name);
}

static int read_covariate(struct regret_covariate *out, const struct regret_column *column,
                          const cJSON *value, struct regret_place at)
{
    if (column->kind == REGRET_COLUMN_WORD) {
        return cJSON_IsString(value)
                   ? regret_strdup(&out->word, value->valuestring)
                   : regret_json_error(at,
                                       "\"columns\": \"%s\" is declared as a word; write a string "
                                       "in quotes, \"\" where it is not known",
                                       column->name);
    }
    if (cJSON_IsNull(value)) {
        out->number = NAN;
        return REGRET_OK;
    }
    if (!cJSON_IsNumber(value) && !cJSON_IsBool(value)) {
        return regret_json_error(
            at, "\"columns\": \"%s\" must be a number, true, false or null%s", column->name,
            cJSON_IsString(value) ? "; write it without quotes, or declare it as a word" : "");
    }
    out->number = cJSON_IsBool(value) ? (double)(cJSON_IsTrue(value) != 0) : value->valuedouble;
    return REGRET_OK;
}

static int check_names(const struct regret_pool *pool, const cJSON *map, struct regret_place at)
{
    const char *names[REGRET_POOL_MAX_COLUMNS];
    for (size_t j = 0; j < pool->n_columns; j++) {
        names[j] = pool->columns[j].name;
    }
    for (const cJSON *v = map->child; v != NULL; v = v->next) {
        size_t j = texts_find(names, pool->n_columns, v->string);
        const char *near = j == pool->n_columns ? name_nearest(v->string, names, j) : NULL;
        if (j == pool->n_columns) {
            return regret_json_error(
                at, "\"columns\" holds \"%.64s\", which pool.json does not declare%s%s%s",
                v->string, near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                near != NULL ? "\"?" : "; remove it, or declare it there");
        }
    }
    return REGRET_OK;
}

int pool_read_covariates(struct regret_covariate **out, const struct regret_pool *pool,
                         const cJSON *row, struct regret_place at)
{
    const cJSON *map = cJSON_GetObjectItemCaseSensitive(row, "columns");
    if (pool->n_columns == 0 && map == NULL) {
        return REGRET_OK;
    }
    TRY(regret_json_get_object(&map, row, "columns", at));
    TRY(check_names(pool, map, at));
    if (pool->n_columns == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(out, pool->n_columns));
    for (size_t j = 0; j < pool->n_columns; j++) {
        const struct regret_column *column = &pool->columns[j];
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(map, column->name);
        if (value == NULL) {
            return regret_json_error(
                at, "\"columns\" lacks \"%s\", which pool.json declares; add it%s", column->name,
                column->kind == REGRET_COLUMN_WORD ? ", \"\" where it is not known"
                                                   : ", null where it is not known");
        }
        TRY(read_covariate(&(*out)[j], column, value, at));
    }
    return REGRET_OK;
}

/* ---- rules ---- */

static int check_word(const char *name, const char *word)
{
    size_t n = strlen(word), bad = 0;
    if (!regret_utf8_valid(word, n, &bad)) {
        return regret_fail(REGRET_E_INPUT, "column \"%s\" is not valid UTF-8 at byte %zu", name,
                           bad + 1);
    }
    if (n > REGRET_POOL_MAX_ID) {
        return regret_fail(REGRET_E_INPUT,
                           "column \"%s\" is \"%.40s…\", of more than %d bytes; shorten the word, "
                           "or put it into the text",
                           name, word, REGRET_POOL_MAX_ID);
    }
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)word[i] < 0x20 || word[i] == 0x7f) {
            return regret_fail(REGRET_E_INPUT,
                               "column \"%s\" holds a control character (U+%04X); remove it", name,
                               (unsigned)word[i]);
        }
    }
    return REGRET_OK;
}

int pool_check_covariates(const struct regret_pool *pool, const struct regret_covariate *columns)
{
    if (pool->n_columns > 0 && columns == NULL) {
        return regret_fail(REGRET_E_INPUT, "has none of the pool's %zu columns", pool->n_columns);
    }
    for (size_t j = 0; j < pool->n_columns; j++) {
        const struct regret_column *column = &pool->columns[j];
        if (column->kind == REGRET_COLUMN_NUMBER && isinf(columns[j].number)) {
            return regret_fail(REGRET_E_INPUT, "column \"%s\" is %.15g; it must be finite, or NaN",
                               column->name, columns[j].number);
        }
        if (column->kind == REGRET_COLUMN_WORD) {
            TRY(columns[j].word != NULL
                    ? check_word(column->name, columns[j].word)
                    : regret_fail(REGRET_E_INPUT, "column \"%s\" has no word; \"\" is one",
                                  column->name));
        }
    }
    return REGRET_OK;
}

int pool_same_covariate(enum regret_column_kind kind, const struct regret_covariate *a,
                        const struct regret_covariate *b)
{
    return kind == REGRET_COLUMN_WORD
               ? strcmp(a->word, b->word) == 0
               : a->number == b->number || (isnan(a->number) && isnan(b->number));
}

int pool_same_covariates(const struct regret_pool *pool, const struct regret_covariate *a,
                         const struct regret_covariate *b)
{
    for (size_t j = 0; j < pool->n_columns; j++) {
        if (!pool_same_covariate(pool->columns[j].kind, &a[j], &b[j])) {
            return 0;
        }
    }
    return 1;
}

/* ---- freeing ---- */

static void pool_free_columns(struct regret_pool *pool)
{
    for (size_t j = 0; pool->columns != NULL && j < pool->n_columns; j++) {
        regret_free(pool->columns[j].name);
    }
    regret_free(pool->columns);
    pool->columns = NULL;
    pool->n_columns = 0;
}

void pool_free_covariates(struct regret_covariate *columns, size_t n)
{
    for (size_t j = 0; columns != NULL && j < n; j++) {
        regret_free(columns[j].word);
    }
    regret_free(columns);
}

/* The pool in memory: freeing, default segments, normalised scores. */

static void free_segments(struct regret_segment *segments, size_t n)
{
    for (size_t i = 0; segments != NULL && i < n; i++) {
        regret_free(segments[i].name);
        regret_free(segments[i].weights);
    }
    regret_free(segments);
}

void pool_free_values(struct regret_pool *pool)
{
    for (size_t i = 0; pool->components != NULL && i < pool->n_components; i++) {
        regret_free(pool->components[i].name);
    }
    regret_free(pool->components);
    texts_free(pool->counts, pool->n_counts);
    texts_free(pool->aux, pool->n_aux);
    free_segments(pool->segments, pool->n_segments);
    pool->components = NULL;
    pool->counts = pool->aux = NULL;
    pool->segments = NULL;
    pool->n_components = pool->n_counts = pool->n_aux = pool->n_segments = 0;
}

static void free_header(struct regret_pool *pool)
{
    regret_free(pool->name);
    regret_free(pool->title);
    regret_free(pool->version);
    regret_free(pool->licence);
    regret_free(pool->source);
    for (size_t i = 0; pool->agents != NULL && i < pool->n_agents; i++) {
        regret_free(pool->agents[i].id);
        regret_free(pool->agents[i].title);
    }
    regret_free(pool->agents);
    pool_free_values(pool);
}

void regret_pool_free(struct regret_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    free_header(pool);
    for (size_t i = 0; pool->contexts != NULL && i < pool->n_contexts; i++) {
        regret_free(pool->contexts[i].id);
        regret_free(pool->texts == NULL ? pool->contexts[i].text : NULL);
        regret_free(pool->contexts[i].tag);
        pool_free_covariates(pool->contexts[i].columns, pool->n_columns);
        regret_free(pool->contexts[i].title);
    }
    regret_free(pool->contexts);
    pool_free_columns(pool);
    for (size_t i = 0; pool->outputs != NULL && i < pool->n_outputs; i++) {
        regret_free(pool->texts == NULL ? pool->outputs[i].text : NULL);
        regret_free(pool->outputs[i].values);
    }
    regret_free(pool->outputs);
    text_store_free(pool->texts);
    pool_free_history(pool->history, pool->n_history);
    regret_free(pool);
}

/* Of segment s on component k of n. */
static double default_weight(size_t n, size_t s, size_t k)
{
    return n == 1 ? 1.0 : k == s ? 0.55 : 0.45 / (double)(n - 1);
}

int pool_has_default_segments(const struct regret_pool *pool)
{
    size_t n = pool->n_components;
    int same = pool->n_segments == n;
    for (size_t i = 0; same && i < n * n; i++) {
        const struct regret_segment *segment = &pool->segments[i / n];
        same = strcmp(segment->name, pool->components[i / n].name) == 0 &&
               segment->weights[i % n] == default_weight(n, i / n, i % n);
    }
    return same;
}

int regret_pool_default_segments(struct regret_pool *pool)
{
    size_t n = pool->n_components;
    struct regret_segment *segments = NULL;
    int rc;
    if (n == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "a pool without components has no segments; add a component first");
    }
    TRY_CLEANUP(REGRET_NEW(&segments, n));
    for (size_t s = 0; s < n; s++) {
        TRY_CLEANUP(regret_strdup(&segments[s].name, pool->components[s].name));
        TRY_CLEANUP(REGRET_NEW(&segments[s].weights, n));
        for (size_t k = 0; k < n; k++) {
            segments[s].weights[k] = default_weight(n, s, k);
        }
    }
    free_segments(pool->segments, pool->n_segments);
    pool->segments = segments;
    pool->n_segments = n;
    segments = NULL;
cleanup:
    free_segments(segments, n);
    return rc;
}

double regret_pool_quality(const struct regret_pool *pool, const struct regret_output *output,
                           size_t component)
{
    const struct regret_component *c = &pool->components[component];
    return (output->values[component] - c->low) / (c->high - c->low);
}

const char *regret_pool_value_name(const struct regret_pool *pool, size_t k)
{
    size_t scores = pool->n_components, counts = scores + pool->n_counts;
    return k < scores   ? pool->components[k].name
           : k < counts ? pool->counts[k - scores]
                        : pool->aux[k - counts];
}

/* The order of outputs: by context, agent, draw. */

struct sort_key {
    uint32_t context, agent, draw;
    uint32_t position; /* before sorting: fits, since REGRET_POOL_MAX_OUTPUTS does */
};

static int compare(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_keys(const void *left, const void *right)
{
    const struct sort_key *a = left, *b = right;
    int c = compare(a->context, b->context);
    c = c != 0 ? c : compare(a->agent, b->agent);
    c = c != 0 ? c : compare(a->draw, b->draw);
    return c != 0 ? c : compare(a->position, b->position);
}

static struct sort_key key_of(const struct regret_pool *pool, size_t i)
{
    const struct regret_output *o = &pool->outputs[i];
    return (struct sort_key){o->context, o->agent, o->draw, (uint32_t)i};
}

static int is_sorted(const struct regret_pool *pool)
{
    for (size_t i = 1; i < pool->n_outputs; i++) {
        struct sort_key a = key_of(pool, i - 1), b = key_of(pool, i);
        if (compare_keys(&a, &b) > 0) {
            return 0;
        }
    }
    return 1;
}

int pool_sort_outputs(struct regret_pool *pool, struct pool_origin *origin)
{
    size_t n = pool->n_outputs;
    FREED struct sort_key *keys = NULL;
    FREED struct regret_output *outputs = NULL;
    FREED size_t *lines = NULL;
    if (is_sorted(pool)) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&keys, n));
    TRY(REGRET_NEW(&outputs, n));
    TRY(REGRET_NEW(&lines, origin != NULL ? n : 0));
    for (size_t i = 0; i < n; i++) {
        keys[i] = key_of(pool, i);
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    for (size_t i = 0; i < n; i++) {
        outputs[i] = pool->outputs[keys[i].position];
    }
    memcpy(pool->outputs, outputs, n * sizeof *outputs);
    if (origin != NULL) {
        for (size_t i = 0; i < n; i++) {
            lines[i] = origin->output_lines[keys[i].position];
        }
        memcpy(origin->output_lines, lines, n * sizeof *lines);
    }
    return REGRET_OK;
}

/* Names context, agent and draw of output i; then what is wrong, then the place in the file. */
static int order_error(const struct regret_pool *pool, const struct pool_origin *origin, size_t i,
                       const char *problem)
{
    const struct regret_output *o = &pool->outputs[i];
    const char *context = pool->contexts[o->context].id, *agent = pool->agents[o->agent].id;
    int rc = regret_fail(REGRET_E_INPUT, "context \"%s\", agent \"%s\", draw %u %s", context, agent,
                         (unsigned)o->draw, problem);
    if (origin == NULL) {
        return regret_fail_prefix(rc, "pool \"%s\"", pool->name);
    }
    return regret_fail_prefix(rc, "%s:%zu", origin->outputs, origin->output_lines[i]);
}

static int twice(const struct regret_pool *pool, const struct pool_origin *origin, size_t i)
{
    if (origin == NULL) {
        return order_error(pool, origin, i, "is given twice; remove one or number the draws");
    }
    char problem[96];
    snprintf(problem, sizeof problem,
             "is given twice, first on line %zu; remove one or number the draws",
             origin->output_lines[i - 1]);
    return order_error(pool, origin, i, problem);
}

int pool_check_order(const struct regret_pool *pool, const struct pool_origin *origin)
{
    for (size_t i = 0; i < pool->n_outputs; i++) {
        struct sort_key a = key_of(pool, i > 0 ? i - 1 : 0), b = key_of(pool, i);
        int same_pair = i > 0 && a.context == b.context && a.agent == b.agent;
        if (same_pair && a.draw == b.draw) {
            return twice(pool, origin, i);
        }
        if (i > 0 && compare_keys(&a, &b) > 0) {
            return order_error(pool, origin, i,
                               "is out of order; call regret_pool_check() first, which sorts");
        }
        uint32_t expected = same_pair ? a.draw + 1 : 0;
        if (b.draw != expected) {
            return order_error(pool, origin, i,
                               "leaves a gap; number the draws of a pair 0, 1, … without gaps");
        }
    }
    return REGRET_OK;
}
