#include "pool/check.h"

#include <math.h>
#include <string.h>
#include <utf8proc.h>

#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "pool/memory.h"
#include "pool/write.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

/* A weight written with 15 digits is still one; a third written as 0.333 is not. */
static const double WEIGHT_TOLERANCE = 1e-9;

/* Whole numbers a double holds exactly. */
static const double LARGEST_COUNT = 9007199254740992.0;

static int check_utf8(const char *what, const char *text)
{
    size_t bad = 0;
    if (text != NULL && !regret_utf8_valid(text, strlen(text), &bad)) {
        return regret_fail(REGRET_E_INPUT, "the %s is not valid UTF-8 at byte %zu", what, bad + 1);
    }
    return REGRET_OK;
}

/* White space and characters that cannot be seen would make two ids look alike; slashes would make
 * an id a path. */
static int is_forbidden_in_id(utf8proc_int32_t c)
{
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
        return 1;
    default:
        return c == '/' || c == '\\';
    }
}

int pool_check_id(const char *what, const char *id)
{
    if (id == NULL || id[0] == '\0') {
        return regret_fail(REGRET_E_INPUT, "the %s is empty; give it a name", what);
    }
    TRY(check_utf8(what, id));
    if (strlen(id) > REGRET_POOL_MAX_ID) {
        return regret_fail(REGRET_E_INPUT, "the %s \"%.40s…\" has more than %d bytes; shorten it",
                           what, id, REGRET_POOL_MAX_ID);
    }
    if (strcmp(id, ".") == 0 || strcmp(id, "..") == 0) {
        return regret_fail(REGRET_E_INPUT, "the %s \"%s\" is the name of a folder; rename it", what,
                           id);
    }
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)id;
    while (*p != '\0') {
        utf8proc_int32_t c = 0;
        p += utf8proc_iterate(p, -1, &c);
        if (is_forbidden_in_id(c)) {
            return regret_fail(REGRET_E_INPUT,
                               "the %s \"%s\" holds U+%04X; white space, control characters and "
                               "slashes are not allowed there, use - or _",
                               what, id, (unsigned)c);
        }
    }
    return REGRET_OK;
}

int pool_check_tag(const char *tag)
{
    if (tag[0] == '\0') {
        return regret_fail(REGRET_E_INPUT, "the tag is empty; give it a name, or leave it out");
    }
    TRY(check_utf8("tag", tag));
    return strlen(tag) <= REGRET_POOL_MAX_ID
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "the tag \"%.40s…\" has more than %d bytes; shorten it", tag,
                             REGRET_POOL_MAX_ID);
}

int pool_clean_id(char **out, const char *text)
{
    char *id = NULL;
    size_t n = 0;
    TRY(regret_strdup(&id, text));
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)text;
    while (*p != '\0') {
        utf8proc_int32_t c = 0;
        utf8proc_ssize_t bytes = utf8proc_iterate(p, -1, &c);
        bytes = bytes > 0 ? bytes : 1; /* what is not UTF-8 is left to pool_check_id() */
        if (c >= 0 && is_forbidden_in_id(c)) {
            id[n++] = '-';
        } else {
            memcpy(id + n, p, (size_t)bytes);
            n += (size_t)bytes;
        }
        p += bytes;
    }
    id[n] = '\0';
    *out = id;
    return REGRET_OK;
}

/* 1: it becomes the id where every character that ids must not have is "-", and a number that tells it from another may
 * stand behind. */
static int is_own_name(const char *title, const char *id)
{
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)title;
    while (*p != '\0') {
        utf8proc_int32_t c = 0;
        utf8proc_ssize_t bytes = utf8proc_iterate(p, -1, &c);
        bytes = bytes > 0 ? bytes : 1;
        int is_dash = c >= 0 && is_forbidden_in_id(c);
        if (is_dash ? *id != '-' : strncmp(id, (const char *)p, (size_t)bytes) != 0) {
            return 0;
        }
        id += is_dash ? 1 : bytes;
        p += bytes;
    }
    return *id == '\0' ||
           (*id == ':' && id[1] != '\0' && id[1 + strspn(id + 1, "0123456789")] == '\0');
}

const char *regret_agent_name(const struct regret_agent *agent)
{
    return agent->title != NULL && is_own_name(agent->title, agent->id) ? agent->title : agent->id;
}

const char *regret_context_name(const struct regret_context *context)
{
    return context->title != NULL ? context->title : context->id;
}

static int check_limit(const char *what, size_t n, size_t low, size_t high)
{
    if (n < low) {
        return regret_fail(REGRET_E_INPUT, "the pool has no %s; add at least one", what);
    }
    if (n > high) {
        return regret_fail(REGRET_E_INPUT, "the pool has %zu %s; at most %zu are allowed", n, what,
                           high);
    }
    return REGRET_OK;
}

/* Ids in a row of structs whose first member is the id: the `i`-th of `stride` bytes each. */
static const char *id_at(const void *row, size_t stride, size_t i)
{
    const char *id = NULL;
    memcpy(&id, (const char *)row + i * stride, sizeof id);
    return id;
}

/* The i-th id well-formed and none of those before. There must be room in the table. */
static int check_new_id(struct id_table *ids, const char *what, const char *id, size_t i)
{
    TRY(pool_check_id(what, id));
    return id_table_put(ids, id, i) == i
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT, "the %s \"%s\" is given twice; rename or remove one",
                             what, id);
}

/* Every id well-formed, none twice. */
static int check_ids(const char *what, const void *row, size_t stride, size_t n)
{
    FREED_BY(id_table_free) struct id_table ids = {NULL, 0, 0};
    TRY(id_table_reserve(&ids, n));
    for (size_t i = 0; i < n; i++) {
        TRY(check_new_id(&ids, what, id_at(row, stride, i), i));
    }
    return REGRET_OK;
}

static int check_agents(const struct regret_pool *pool)
{
    TRY(check_limit("agents", pool->n_agents, 1, REGRET_POOL_MAX_AGENTS));
    TRY(check_ids("agent id", pool->agents, sizeof *pool->agents, pool->n_agents));
    for (size_t i = 0; i < pool->n_agents; i++) {
        const struct regret_agent *a = &pool->agents[i];
        TRY(check_utf8("title of an agent", a->title));
        if (!(isfinite(a->cost) && a->cost >= 0.0)) {
            return regret_fail(REGRET_E_INPUT,
                               "the cost of agent \"%s\" is %.15g; it must be finite and >= 0",
                               a->id, a->cost);
        }
    }
    return REGRET_OK;
}

static int check_components(const struct regret_pool *pool)
{
    TRY(check_limit("components", pool->n_components, 1, REGRET_POOL_MAX_COMPONENTS));
    TRY(check_ids("component name", pool->components, sizeof *pool->components,
                  pool->n_components));
    for (size_t k = 0; k < pool->n_components; k++) {
        const struct regret_component *c = &pool->components[k];
        if (!(isfinite(c->low) && isfinite(c->high) && isfinite(c->high - c->low) &&
              c->low < c->high)) {
            return regret_fail(REGRET_E_INPUT,
                               "the range of component \"%s\" is %.15g to %.15g; low must be less "
                               "than high, and both finite",
                               c->name, c->low, c->high);
        }
    }
    return REGRET_OK;
}

static int check_weights(const struct regret_pool *pool, const struct regret_segment *s)
{
    if (s->weights == NULL) {
        return regret_fail(REGRET_E_INPUT, "segment \"%s\" has no weights; give one a component",
                           s->name);
    }
    double sum = 0.0;
    for (size_t k = 0; k < pool->n_components; k++) {
        double w = s->weights[k];
        if (!(isfinite(w) && w >= 0.0)) {
            return regret_fail(REGRET_E_INPUT,
                               "segment \"%s\" gives component \"%s\" the weight %.15g; weights "
                               "are finite and >= 0",
                               s->name, pool->components[k].name, w);
        }
        sum += w;
    }
    if (!(fabs(sum - 1.0) <= WEIGHT_TOLERANCE)) {
        return regret_fail(REGRET_E_INPUT,
                           "the weights of segment \"%s\" sum to %.15g; divide each by that sum",
                           s->name, sum);
    }
    return REGRET_OK;
}

static int check_segments(const struct regret_pool *pool)
{
    TRY(check_limit("segments", pool->n_segments, 1, REGRET_POOL_MAX_SEGMENTS));
    TRY(check_ids("segment name", pool->segments, sizeof *pool->segments, pool->n_segments));
    for (size_t s = 0; s < pool->n_segments; s++) {
        TRY(check_weights(pool, &pool->segments[s]));
    }
    return REGRET_OK;
}

static int check_description(const struct regret_pool *pool)
{
    const struct {
        const char *what, *text;
    } texts[] = {{"title", pool->title},
                 {"version", pool->version},
                 {"licence", pool->licence},
                 {"source", pool->source}};
    TRY(pool_check_id("pool name", pool->name));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        TRY(check_utf8(texts[i].what, texts[i].text));
    }
    TRY(check_limit("counts", pool->n_counts, 0, REGRET_POOL_MAX_COUNTS));
    TRY(check_limit("aux labels", pool->n_aux, 0, REGRET_POOL_MAX_AUX));
    TRY(check_ids("count name", pool->counts, sizeof *pool->counts, pool->n_counts));
    TRY(check_ids("aux label name", pool->aux, sizeof *pool->aux, pool->n_aux));
    TRY(check_limit("columns of contexts", pool->n_columns, 0, REGRET_POOL_MAX_COLUMNS));
    return check_ids("column name", pool->columns, sizeof *pool->columns, pool->n_columns);
}

/* Puts the file and line, or the pool's name and the row, before the message. */
static int at_row(int rc, const struct regret_pool *pool, const char *file, const size_t *lines,
                  const char *what, size_t i)
{
    if (file == NULL) {
        return regret_fail_prefix(rc, "pool \"%s\", %s %zu", pool->name, what, i);
    }
    return regret_fail_prefix(rc, "%s:%zu", file, lines[i]);
}

static int check_header(const struct regret_pool *pool)
{
    TRY(check_description(pool));
    TRY(check_agents(pool));
    TRY(check_components(pool));
    TRY(check_segments(pool));
    return pool_check_history(pool->history, pool->n_history);
}

int pool_check_header(const struct regret_pool *pool, const struct pool_origin *origin)
{
    int rc = check_header(pool);
    if (rc != REGRET_OK) {
        return origin != NULL
                   ? regret_fail_prefix(rc, "%s", origin->header)
                   : regret_fail_prefix(rc, "pool \"%s\"", pool->name == NULL ? "" : pool->name);
    }
    return REGRET_OK;
}

/* The i-th context; `from_file`: its UTF-8 was checked as it was parsed. */
static int check_context(struct id_table *ids, const struct regret_pool *pool, size_t i,
                         int from_file)
{
    const struct regret_context *c = &pool->contexts[i];
    TRY(check_new_id(ids, "context id", c->id, i));
    TRY(pool_check_covariates(pool, c->columns));
    if (c->text == NULL) {
        return regret_fail(REGRET_E_INPUT, "context \"%s\" has no text", c->id);
    }
    TRY(c->tag != NULL ? pool_check_tag(c->tag) : REGRET_OK);
    TRY(from_file || c->title == NULL ? REGRET_OK : check_utf8("title", c->title));
    text_store_pass(pool->texts, c->text);
    return from_file ? REGRET_OK : check_utf8("text", c->text);
}

int pool_check_contexts(const struct regret_pool *pool, const struct pool_origin *origin,
                        struct id_table *table)
{
    const char *file = origin != NULL ? origin->contexts : NULL;
    struct id_table ids = {NULL, 0, 0};
    int rc = check_limit("contexts", pool->n_contexts, 1, REGRET_POOL_MAX_CONTEXTS);
    if (rc != REGRET_OK) {
        return regret_fail_prefix(rc, "%s", file != NULL ? file : pool->name);
    }
    TRY(id_table_reserve(&ids, pool->n_contexts));
    for (size_t i = 0; i < pool->n_contexts; i++) {
        rc = check_context(&ids, pool, i, origin != NULL);
        if (rc != REGRET_OK) {
            id_table_free(&ids);
            return at_row(rc, pool, file, origin != NULL ? origin->context_lines : NULL, "context",
                          i);
        }
    }
    *table = ids;
    return REGRET_OK;
}

static int check_component_values(const struct regret_pool *pool, const double *values)
{
    for (size_t k = 0; k < pool->n_components; k++) {
        const struct regret_component *c = &pool->components[k];
        if (!(values[k] >= c->low && values[k] <= c->high)) {
            return regret_fail(REGRET_E_INPUT,
                               "component \"%s\" is %.15g, outside its range %.15g to %.15g; "
                               "correct the score, or the range in pool.json",
                               c->name, values[k], c->low, c->high);
        }
    }
    return REGRET_OK;
}

int pool_check_values(const struct regret_pool *pool, const double *values)
{
    TRY(check_component_values(pool, values));
    values += pool->n_components;
    for (size_t k = 0; k < pool->n_counts; k++) {
        if (!(values[k] >= 0.0 && values[k] <= LARGEST_COUNT && values[k] == floor(values[k]))) {
            return regret_fail(REGRET_E_INPUT,
                               "count \"%s\" is %.15g; it must be a whole number >= 0",
                               pool->counts[k], values[k]);
        }
    }
    values += pool->n_counts;
    for (size_t k = 0; k < pool->n_aux; k++) {
        if (!isfinite(values[k])) {
            return regret_fail(REGRET_E_INPUT, "aux label \"%s\" is %.15g; it must be finite",
                               pool->aux[k], values[k]);
        }
    }
    return REGRET_OK;
}

static int check_output(const struct regret_pool *pool, const struct regret_output *o,
                        int from_file)
{
    if (o->context >= pool->n_contexts || o->agent >= pool->n_agents) {
        return regret_fail(
            REGRET_E_INPUT, "refers to context %u and agent %u; the pool has %zu and %zu",
            (unsigned)o->context, (unsigned)o->agent, pool->n_contexts, pool->n_agents);
    }
    if (o->text == NULL || o->values == NULL) {
        return regret_fail(REGRET_E_INPUT, "has no %s", o->text == NULL ? "text" : "values");
    }
    TRY(from_file ? REGRET_OK : check_utf8("text", o->text));
    text_store_pass(pool->texts, o->text);
    return pool_check_values(pool, o->values);
}

int pool_check_outputs(const struct regret_pool *pool, const struct pool_origin *origin)
{
    const char *file = origin != NULL ? origin->outputs : NULL;
    int rc = check_limit("outputs", pool->n_outputs, 1, REGRET_POOL_MAX_OUTPUTS);
    if (rc != REGRET_OK) {
        return regret_fail_prefix(rc, "%s", file != NULL ? file : pool->name);
    }
    for (size_t i = 0; i < pool->n_outputs; i++) {
        rc = check_output(pool, &pool->outputs[i], origin != NULL);
        if (rc != REGRET_OK) {
            return at_row(rc, pool, file, origin != NULL ? origin->output_lines : NULL, "output",
                          i);
        }
    }
    return REGRET_OK;
}

int pool_check_parts(const struct regret_pool *pool)
{
    struct id_table contexts = {NULL, 0, 0};
    TRY(pool_check_header(pool, NULL));
    TRY(pool_check_contexts(pool, NULL, &contexts));
    id_table_free(&contexts);
    return pool_check_outputs(pool, NULL);
}

int regret_pool_check(struct regret_pool *pool)
{
    TRY(pool_check_parts(pool));
    TRY(pool_sort_outputs(pool, NULL));
    return pool_check_order(pool, NULL);
}
