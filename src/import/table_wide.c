#include "import/table_wide.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

enum { MAX_STEPS = 16, MARK = sizeof TABLE_AGENT_MARK - 1, MOST_NAMED = 5 };

/* ---------------------------------------------------------------- patterns */

size_t table_agent_marks(const char *field)
{
    size_t n = 0;
    for (const char *p = field; (p = strstr(p, TABLE_AGENT_MARK)) != NULL; p += MARK) {
        n++;
    }
    return n;
}

/* Where the agent's name stands in a column of the pattern; 0: it is none. */
static int match(const char **agent, size_t *length, const char *pattern, const char *column)
{
    const char *mark = strstr(pattern, TABLE_AGENT_MARK);
    if (mark == NULL) {
        return 0;
    }
    size_t before = (size_t)(mark - pattern), after = strlen(mark + MARK), n = strlen(column);
    if (n <= before + after || strncmp(column, pattern, before) != 0 ||
        strcmp(column + n - after, mark + MARK) != 0) {
        return 0;
    }
    *agent = column + before;
    *length = n - before - after;
    return 1;
}

/* 1 where the map has another use for a column than to name an agent. */
static int is_claimed(const struct table_wide *w, const char *column)
{
    size_t n = strlen(column), length = 0, own = strlen(w->asked->pattern);
    const char *agent = NULL;
    for (size_t i = 0; i < w->n_fields; i++) {
        const char *field = w->field[i];
        if (field == NULL) {
            continue;
        }
        if (table_agent_marks(field) == 0
                ? strncmp(field, column, n) == 0 && (field[n] == '\0' || field[n] == '.')
                : strlen(field) > own && match(&agent, &length, field, column)) {
            return 1;
        }
    }
    return 0;
}

/* A field's name for an agent. */
static int expand(char **out, const char *field, const char *agent, struct regret_place at)
{
    const char *mark = strstr(field, TABLE_AGENT_MARK);
    char name[REGRET_TABLE_MAX_FIELD + 1];
    int n = mark == NULL ? snprintf(name, sizeof name, "%s", field)
                         : snprintf(name, sizeof name, "%.*s%s%s", (int)(mark - field), field,
                                    agent, mark + MARK);
    return n < (int)sizeof name
               ? regret_strdup(out, name)
               : regret_json_error(at,
                                   "the column \"%.40s\" of agent \"%.40s\" has %d bytes; at "
                                   "most %d are allowed",
                                   field, agent, n, REGRET_TABLE_MAX_FIELD);
}

/* ---------------------------------------------------------------- agents */

/* The next agent, whose fields are `name`: it is one only when all are there. */
static int fill_agent(struct table_wide *w, char **name, const char *agent, struct regret_place at)
{
    int rc = REGRET_OK;
    memset(name, 0, w->n_fields * sizeof *name);
    for (size_t i = 0; i < w->n_fields; i++) {
        TRY_CLEANUP(w->field[i] != NULL ? expand(&name[i], w->field[i], agent, at) : REGRET_OK);
    }
    TRY_CLEANUP(regret_strdup(&w->agent[w->n_agents], agent));
    id_table_put(&w->ids, w->agent[w->n_agents], w->n_agents);
    w->n_agents++;
cleanup:
    for (size_t i = 0; rc != REGRET_OK && i < w->n_fields; i++) {
        regret_free(name[i]);
    }
    return rc;
}

static int add_agent(struct table_wide *w, const char *agent, struct regret_place at)
{
    size_t most = REGRET_TABLE_MAX_WIDE / w->n_fields;
    if (id_table_find(&w->ids, agent) != SIZE_MAX) {
        return REGRET_OK;
    }
    if (w->n_agents >= REGRET_POOL_MAX_AGENTS || w->n_agents >= most) {
        return regret_json_error(at, "more than %zu agents with %zu fields each", w->n_agents,
                                 w->n_fields);
    }
    if (!regret_utf8_valid(agent, strlen(agent), NULL)) {
        return regret_json_error(at, "the name of an agent is not UTF-8; convert the file");
    }
    TRY(regret_grow((void **)&w->agent, &w->capacity, w->n_agents, sizeof *w->agent, "agents"));
    TRY(regret_grow((void **)&w->name, &w->name_capacity, w->n_agents,
                    w->n_fields * sizeof *w->name, "columns"));
    TRY(id_table_reserve(&w->ids, w->n_agents + 1));
    return fill_agent(w, &w->name[w->n_agents * w->n_fields], agent, at);
}

int table_wide_begin(struct table_wide *w, const struct table_agents *asked,
                     const char *const *field, size_t n_fields, struct regret_place at)
{
    *w = (struct table_wide){.asked = asked, .field = field, .n_fields = n_fields};
    for (size_t a = 0; a < asked->n_names; a++) {
        TRY(add_agent(w, asked->name[a], at));
    }
    return REGRET_OK;
}

void table_wide_free(struct table_wide *w)
{
    for (size_t i = 0; i < w->n_agents * w->n_fields; i++) {
        regret_free(w->name[i]);
    }
    for (size_t a = 0; a < w->n_agents; a++) {
        regret_free(w->agent[a]);
    }
    regret_free(w->name);
    regret_free(w->agent);
    id_table_free(&w->ids);
    *w = (struct table_wide){0};
}

int table_wide_column(struct table_wide *w, const char *column, struct regret_place at)
{
    const char *from = NULL;
    char agent[REGRET_TABLE_MAX_FIELD + 1];
    size_t length = 0;
    if (w->asked->pattern == NULL || !match(&from, &length, w->asked->pattern, column) ||
        is_claimed(w, column)) {
        return REGRET_OK;
    }
    if (length > REGRET_TABLE_MAX_FIELD) {
        return regret_json_error(at,
                                 "the column \"%.40s…\" names an agent by %zu bytes; at most "
                                 "%d are allowed",
                                 column, length, REGRET_TABLE_MAX_FIELD);
    }
    memcpy(agent, from, length);
    agent[length] = '\0';
    return add_agent(w, agent, at);
}

/* ---------------------------------------------------------------- JSON */

static const cJSON *member(const cJSON *from, const char *step)
{
    int is_place =
        step[0] != '\0' && strspn(step, "0123456789") == strlen(step) && strlen(step) < 9;
    if (cJSON_IsArray(from)) {
        return is_place ? cJSON_GetArrayItem(from, atoi(step)) : NULL;
    }
    return cJSON_GetObjectItemCaseSensitive(from, step);
}

/* Any dot of the path may end a step, the first that leads anywhere does: a node is reached in one way alone, so that
 * no record makes this take longer than its own size times the path's. */
const cJSON *table_follow(const cJSON *from, const char *path)
{
    char step[REGRET_TABLE_MAX_FIELD + 1];
    struct {
        const cJSON *at;
        const char *rest, *dot; /* what is left of the path, and the dot to try next */
    } way[MAX_STEPS];
    size_t depth = 0;
    way[0].at = from;
    way[0].rest = way[0].dot = path;
    for (;;) {
        const cJSON *found =
            way[depth].dot == way[depth].rest ? member(way[depth].at, way[depth].rest) : NULL;
        const char *dot = strchr(way[depth].dot, '.');
        if (found != NULL) {
            return found;
        }
        if (dot == NULL) { /* nothing further from here: back to where another dot may do */
            if (depth == 0) {
                return NULL;
            }
            depth--;
            continue;
        }
        size_t n = (size_t)(dot - way[depth].rest);
        way[depth].dot = dot + 1;
        if (n > REGRET_TABLE_MAX_FIELD) {
            return NULL;
        }
        memcpy(step, way[depth].rest, n);
        step[n] = '\0';
        const cJSON *next = member(way[depth].at, step);
        if (next != NULL && depth + 1 < MAX_STEPS) {
            depth++;
            way[depth].at = next;
            way[depth].rest = way[depth].dot = dot + 1;
        }
    }
}

/* Enters the agent that a member names: it may stand for the whole of the pattern from `leaf` on, or for a
 * step of it. */
static int enter_member(struct table_wide *w, const char *leaf, const char *name,
                        struct regret_place at)
{
    const char *pattern = w->asked->pattern, *after = strstr(leaf, TABLE_AGENT_MARK) + MARK;
    const char *rest = strchr(after, '.'), *from = NULL;
    char path[2 * REGRET_TABLE_MAX_FIELD + 2];
    size_t length = 0;
    if (strlen(name) > REGRET_TABLE_MAX_FIELD) {
        return regret_json_error(at, "\"%.40s…\" names an agent by more than %d bytes", name,
                                 REGRET_TABLE_MAX_FIELD);
    }
    int n = snprintf(path, sizeof path, "%.*s%s", (int)(leaf - pattern), pattern, name);
    if (!match(&from, &length, pattern, path) && rest != NULL) {
        snprintf(path + n, sizeof path - (size_t)n, "%s", rest);
    }
    if (w->n_agents == 0) {
        importer_remember(w->seen, sizeof w->seen, name);
    }
    return table_wide_column(w, path, at);
}

int table_wide_record(struct table_wide *w, const cJSON *record, struct regret_place at)
{
    const char *pattern = w->asked->pattern, *leaf = pattern;
    char parent[REGRET_TABLE_MAX_FIELD + 1] = "";
    if (pattern == NULL) {
        return REGRET_OK;
    }
    for (const char *p = pattern, *mark = strstr(pattern, TABLE_AGENT_MARK); p < mark; p++) {
        leaf = *p == '.' ? p + 1 : leaf;
    }
    if (leaf > pattern) {
        memcpy(parent, pattern, (size_t)(leaf - pattern) - 1);
        record = table_follow(record, parent);
    }
    for (const cJSON *m = cJSON_IsObject(record) ? record->child : NULL; m != NULL; m = m->next) {
        TRY(enter_member(w, leaf, m->string, at));
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- no agent */

/* The end of a column that is as long as that of the pattern. */
static const char *tail(const char *column, size_t length)
{
    size_t n = strlen(column);
    return n > length ? column + n - length : column;
}

/* Columns that end nearly as the pattern does, or begin so; or the first of them. */
static void name_near(char *list, size_t size, const char *pattern, const char *const *known,
                      size_t n)
{
    const char *mark = strstr(pattern, TABLE_AGENT_MARK), *near = NULL;
    size_t before = (size_t)(mark - pattern), after = strlen(mark + MARK), named = 0;
    for (size_t c = 0; after > 0 && near == NULL && c < n; c++) {
        const char *end = tail(known[c], after);
        near = name_nearest(mark + MARK, &end, 1);
    }
    for (size_t c = 0; c < n && named < MOST_NAMED; c++) {
        int is_near = near != NULL ? strcmp(tail(known[c], after), near) == 0
                                   : before > 0 && strncasecmp(known[c], pattern,
                                                               before < 3 ? before : 3) == 0;
        if (is_near) {
            importer_remember(list, size, known[c]);
            named++;
        }
    }
    for (size_t c = 0; c < n && c < MOST_NAMED && named == 0; c++) {
        importer_remember(list, size, known[c]);
    }
}

int table_wide_check(const struct table_wide *w, const char *const *known, size_t n,
                     struct regret_place at)
{
    char list[200] = "";
    if (w->n_agents > 0) {
        return REGRET_OK;
    }
    snprintf(list, sizeof list, "%s", w->seen);
    if (n > 0) {
        name_near(list, sizeof list, w->asked->pattern, known, n);
    }
    return regret_json_error(at,
                             "no column is one of \"%.60s\"%s%s; correct this, or list the "
                             "agents",
                             w->asked->pattern, list[0] != '\0' ? "; there are " : "", list);
}
