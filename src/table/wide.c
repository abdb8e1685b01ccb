/* Wide tables: a row holds what every agent has in columns of its own. */
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "table/fields.h"
#include "table/internal.h"

enum { MARK = sizeof FIELDS_AGENT - 1, MOST_SEEN = 5 };

/* Where the agent's name stands in a column of the pattern; 0: it is none. */
static int match(struct regret_span *agent, const char *pattern, const char *column)
{
    const char *mark = strstr(pattern, FIELDS_AGENT);
    size_t before = (size_t)(mark - pattern), after = strlen(mark + MARK), n = strlen(column);
    if (n <= before + after || strncmp(column, pattern, before) != 0 ||
        strcmp(column + n - after, mark + MARK) != 0) {
        return 0;
    }
    *agent = (struct regret_span){column + before, n - before - after};
    return 1;
}

/* 1 where a column has another use than to name an agent: it is a field, leads to one, or is of a pattern that says more. */
static int is_claimed(const struct fields *f, const char *column)
{
    size_t n = strlen(column);
    struct regret_span agent;
    for (size_t i = 0; i < f->n_asked; i++) {
        const char *field = f->pick[i].name;
        if (field != NULL &&
            (strstr(field, FIELDS_AGENT) == NULL
                 ? strncmp(field, column, n) == 0 && (field[n] == '\0' || field[n] == '.')
                 : strlen(field) > strlen(f->pattern) && match(&agent, field, column))) {
            return 1;
        }
    }
    return 0;
}

/* Picks the fields of an agent. */
static int pick_of(struct fields *f, const char *agent)
{
    for (size_t i = 0; i < f->n_asked; i++) {
        FREED_BY(regret_buffer_free) struct regret_buffer name = REGRET_BUFFER_INIT;
        const char *one = f->pick[i].name, *mark = one != NULL ? strstr(one, FIELDS_AGENT) : NULL;
        if (mark != NULL) {
            regret_buffer_append_n(&name, one, (size_t)(mark - one));
            regret_buffer_append(&name, agent);
            regret_buffer_append(&name, mark + MARK);
            TRY(regret_buffer_status(&name));
            one = regret_buffer_get(&name);
        }
        TRY(fields_pick(f, &one, 1));
    }
    return REGRET_OK;
}

static int add_agent(struct fields *f, const char *agent, struct regret_place at)
{
    uint32_t number = 0;
    size_t before = f->agents.n;
    if (names_find(&f->agents, agent) < before) {
        return REGRET_OK;
    }
    if (before >= f->most || (before + 1) * f->n_asked > FIELDS_MAX_WIDE) {
        return regret_json_error(at, "more than %zu agents with %zu fields each", before,
                                 f->n_asked);
    }
    if (!regret_utf8_valid(agent, strlen(agent), NULL)) {
        return regret_json_error(at, "the name of an agent is not UTF-8; convert the file");
    }
    TRY(pick_of(f, agent));
    return names_enter(&number, &f->agents, agent);
}

/* Enters the agent that a column names, once. */
static int take_column(void *context, const char *column)
{
    struct fields *f = context;
    const struct regret_place at = fields_place(f);
    struct regret_span agent;
    char name[FIELDS_MAX_NAME + 1];
    if (!match(&agent, f->pattern, column) || is_claimed(f, column)) {
        return REGRET_OK;
    }
    if (agent.length > FIELDS_MAX_NAME) {
        return regret_json_error(
            at, "the column \"%.40s…\" names an agent by %zu bytes; at most %d are allowed", column,
            agent.length, FIELDS_MAX_NAME);
    }
    snprintf(name, sizeof name, "%.*s", (int)agent.length, agent.text);
    return add_agent(f, name, at);
}

/* How much of the pattern stands before the step that the mark is in. */
static size_t parent_of(const struct fields *f)
{
    size_t n = (size_t)(strstr(f->pattern, FIELDS_AGENT) - f->pattern);
    while (n > 0 && f->pattern[n - 1] != '.') {
        n--;
    }
    return n;
}

static void remember(struct fields *f, const char *name)
{
    size_t n = strlen(f->seen);
    snprintf(f->seen + n, sizeof f->seen - n, "%s%.40s", n > 0 ? ", " : "", name);
}

/* Enters the agent that a member names: it may stand for the rest of the pattern, or for a step of it. */
static int take_member(void *context, const char *name)
{
    FREED_BY(regret_buffer_free) struct regret_buffer path = REGRET_BUFFER_INIT;
    struct fields *f = context;
    size_t parent = parent_of(f);
    const char *rest = strchr(strstr(f->pattern + parent, FIELDS_AGENT), '.');
    struct regret_span agent;
    if (f->agents.n == 0) {
        remember(f, name);
    }
    regret_buffer_append_n(&path, f->pattern, parent);
    regret_buffer_append(&path, name);
    if (rest != NULL && !match(&agent, f->pattern, regret_buffer_get(&path))) {
        regret_buffer_append(&path, rest);
    }
    TRY(regret_buffer_status(&path));
    return take_column(f, regret_buffer_get(&path));
}

int wide_record(struct fields *f)
{
    char parent[FIELDS_MAX_NAME + 1];
    size_t n = parent_of(f);
    snprintf(parent, sizeof parent, "%.*s", (int)(n > 0 ? n - 1 : 0), f->pattern);
    return fields_each_name(f, parent, take_member, f);
}

int wide_check(struct fields *f)
{
    if (f->agents.n > 0) {
        return REGRET_OK;
    }
    for (size_t c = 0, n = 0; c < f->n_columns && n < MOST_SEEN; c++) {
        if (!is_claimed(f, f->header[c])) {
            remember(f, f->header[c]);
            n++;
        }
    }
    f->is_over = 1;
    return regret_json_error((struct regret_place){f->path, f->csv != NULL ? f->line : 0},
                             "no column is one of \"%.60s\"%s%s; correct this, or list the agents",
                             f->pattern, f->seen[0] != '\0' ? "; there are " : "", f->seen);
}

int fields_widen(struct fields *f, const char *pattern, const char *const *agents, size_t n,
                 size_t most)
{
    f->n_asked = f->n;
    f->most = most;
    for (size_t a = 0; a < n; a++) {
        TRY(add_agent(f, agents[a], (struct regret_place){f->path, 0}));
    }
    f->pattern = pattern;
    if (pattern == NULL || f->csv == NULL) {
        return REGRET_OK;
    }
    TRY(fields_each_name(f, "", take_column, f));
    return wide_check(f);
}

size_t fields_agents(const struct fields *f)
{
    return f->agents.n;
}

const char *fields_choose(struct fields *f, size_t a)
{
    f->base = (a + 1) * f->n_asked;
    return f->agents.name[a];
}

const char *fields_agent(const struct fields *f)
{
    return f->agents.name[f->base / f->n_asked - 1];
}

int fields_is_agents_own(const struct fields *f, size_t i)
{
    return f->pick[i].name != NULL && strstr(f->pick[i].name, FIELDS_AGENT) != NULL;
}
