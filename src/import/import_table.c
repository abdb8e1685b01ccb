/* A table of one's own becomes a pool. What becomes of what: include/regret/import.h. */
#include "import/import_table.h"

#include <stdlib.h>
#include <string.h>

#include "import/natural_order.h"
#include "regret/alloc.h"

static int by_pair_and_line(const void *left, const void *right)
{
    const struct table_row *a = left, *b = right;
    if (a->context != b->context) {
        return a->context < b->context ? -1 : 1;
    }
    if (a->agent != b->agent) {
        return a->agent < b->agent ? -1 : 1;
    }
    return (a->line > b->line) - (a->line < b->line);
}

/* Rows [from, to) are of one pair, in the order of lines. */
static int settle_pair(struct table_import *t, size_t from, size_t to, const char *path)
{
    enum regret_repeats rule = t->options->repeats;
    if (to - from > 1 && rule == REGRET_REPEATS_REFUSE) {
        const struct table_row *row = &t->rows[from];
        return regret_fail(REGRET_E_INPUT,
                           "%s:%zu: agent \"%s\" has an output for context \"%s\" before, on line "
                           "%zu; remove one, or say with --repeats which counts",
                           path, row[1].line, t->agents.thing[row->agent].id,
                           t->contexts.thing[row->context].id, row->line);
    }
    for (size_t i = from; i < to; i++) {
        t->rows[i].kept =
            rule == REGRET_REPEATS_DRAWS || i == (rule == REGRET_REPEATS_LAST ? to - 1 : from);
        t->rows[i].draw = rule == REGRET_REPEATS_DRAWS ? (uint32_t)(i - from) : 0;
        t->report.repeated += !t->rows[i].kept;
        t->report.outputs += t->rows[i].kept;
        t->contexts.thing[t->rows[i].context].rows += t->rows[i].kept;
        t->agents.thing[t->rows[i].agent].rows += t->rows[i].kept;
        t->report.empty += t->rows[i].kept && t->rows[i].text[0] == '\0';
    }
    t->report.pairs++;
    return REGRET_OK;
}

int table_settle_repeats(struct table_import *t, const char *path)
{
    int rc = REGRET_OK;
    if (t->n_rows > 0) {
        qsort(t->rows, t->n_rows, sizeof *t->rows, by_pair_and_line);
    }
    for (size_t i = 0, next; rc == REGRET_OK && i < t->n_rows; i = next) {
        for (next = i + 1; next < t->n_rows && t->rows[next].context == t->rows[i].context &&
                           t->rows[next].agent == t->rows[i].agent;) {
            next++;
        }
        rc = settle_pair(t, i, next, path);
    }
    return rc;
}

/* Agents in natural order, but those of rows left out. */
static int fill_agents(struct regret_pool *pool, struct table_import *t)
{
    const char **order = NULL;
    struct regret_agent *agents = NULL;
    size_t n = 0;
    int rc = REGRET_NEW(&order, t->agents.n);
    for (size_t a = 0; rc == REGRET_OK && a < t->agents.n; a++) {
        if (t->agents.thing[a].rows > 0) {
            order[n++] = t->agents.thing[a].id;
        }
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&agents, n);
    }
    if (rc != REGRET_OK) {
        regret_free(order);
        return rc;
    }
    qsort(order, n, sizeof *order, natural_order);
    regret_free(pool->agents[0].id);
    regret_free(pool->agents[0].title);
    regret_free(pool->agents);
    pool->agents = agents;
    pool->n_agents = n;
    for (size_t a = 0; rc == REGRET_OK && a < n; a++) {
        struct table_thing *thing = &t->agents.thing[id_table_find(&t->agents.ids, order[a])];
        thing->index = (uint32_t)a;
        agents[a].cost =
            t->map.field[TABLE_COST] != NULL ? thing->cost / (double)thing->costs : 1.0;
        rc = regret_strdup(&agents[a].id, thing->id);
        if (rc == REGRET_OK) {
            rc = regret_strdup(&agents[a].title, thing->text != NULL ? thing->text : thing->given);
        }
    }
    regret_free(order);
    return rc;
}

static int fill_contexts(struct regret_pool *pool, struct table_import *t)
{
    int rc = REGRET_NEW(&pool->contexts, t->contexts.n);
    for (size_t x = 0; rc == REGRET_OK && x < t->contexts.n; x++) {
        struct table_thing *thing = &t->contexts.thing[x];
        if (thing->rows == 0) {
            continue;
        }
        thing->index = (uint32_t)pool->n_contexts;
        rc = regret_strdup(&pool->contexts[pool->n_contexts++].id, thing->id);
        if (rc == REGRET_OK) {
            pool->contexts[thing->index].text = thing->text;
            thing->text = NULL;
        }
    }
    return rc;
}

int table_fill_pool(struct table_import *t)
{
    struct regret_pool *pool = t->map.pool;
    int rc = fill_agents(pool, t);
    if (rc == REGRET_OK) {
        rc = fill_contexts(pool, t);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&pool->outputs, t->report.outputs);
    }
    for (size_t i = 0; rc == REGRET_OK && i < t->n_rows; i++) {
        struct table_row *row = &t->rows[i];
        if (row->kept) {
            pool->outputs[pool->n_outputs++] =
                (struct regret_output){.context = t->contexts.thing[row->context].index,
                                       .agent = t->agents.thing[row->agent].index,
                                       .draw = row->draw,
                                       .text = row->text,
                                       .values = row->values};
            row->text = NULL;
            row->values = NULL;
        }
    }
    t->report.contexts = pool->n_contexts;
    t->report.agents = pool->n_agents;
    return rc == REGRET_OK ? regret_pool_check(pool) : rc;
}

static void things_free(struct table_things *things)
{
    for (size_t i = 0; i < things->n; i++) {
        regret_free(things->thing[i].given);
        regret_free(things->thing[i].id);
        regret_free(things->thing[i].text);
    }
    regret_free(things->thing);
    id_table_free(&things->ids);
}

static void table_free(struct table_import *t)
{
    for (size_t i = 0; i < t->n_rows; i++) {
        regret_free(t->rows[i].text);
        regret_free(t->rows[i].values);
    }
    regret_free(t->rows);
    things_free(&t->contexts);
    things_free(&t->agents);
    table_map_free(&t->map);
}

int regret_import_table(struct regret_table_report *report, const char *table_path,
                        const char *map_path, const char *pool_path,
                        const struct regret_table_options *options, int replace)
{
    const struct regret_table_options defaults = REGRET_TABLE_OPTIONS_INIT;
    struct table_import t = {.options = options != NULL ? options : &defaults};
    struct regret_text card = REGRET_TEXT_INIT;
    int rc = table_map_read(&t.map, map_path, table_path, t.options->contexts_path != NULL);
    if (rc == REGRET_OK) {
        rc = table_read(&t, table_path);
    }
    if (rc == REGRET_OK) {
        rc = table_settle_repeats(&t, table_path);
    }
    if (rc == REGRET_OK && t.report.outputs == 0) {
        rc = regret_fail(REGRET_E_INPUT, "%s: none of its %zu rows is of use", table_path,
                         t.report.rows);
    }
    if (rc == REGRET_OK) {
        rc = table_fill_pool(&t);
    }
    if (rc == REGRET_OK) {
        table_map_card(&card, &t.map);
        rc = regret_text_status(&card);
    }
    if (rc == REGRET_OK) {
        rc = regret_pool_write(t.map.pool, pool_path, regret_text_get(&card), replace);
    }
    if (rc == REGRET_OK && report != NULL) {
        *report = t.report;
    }
    regret_text_free(&card);
    table_free(&t);
    return rc;
}
