/* Reading a table: contexts, agents, rows. */
#include <string.h>

#include "pool/check.h"
#include "import/import_table.h"
#include "regret/alloc.h"

static int add_thing(struct table_things *things, char *id, const char *given,
                     struct regret_place at)
{
    if (things->n == things->most) {
        regret_free(id);
        return regret_json_error(at, "more than %zu %ss", things->most, things->what);
    }
    int rc = regret_grow((void **)&things->thing, &things->capacity, things->n,
                         sizeof *things->thing, things->what);
    if (rc != REGRET_OK) {
        regret_free(id);
        return rc;
    }
    struct table_thing *thing = &things->thing[things->n];
    *thing = (struct table_thing){.id = id, .line = at.line};
    id_table_put(&things->ids, id, things->n++);
    return regret_strdup(&thing->given, given);
}

/* The number of the thing called `given`. With `add` a new one is added, without it is an error. */
static int find_thing(uint32_t *out, struct table_things *things, const char *given, int add,
                      struct regret_place at)
{
    char *id = NULL;
    int rc = pool_clean_id(&id, given);
    if (rc == REGRET_OK && (rc = pool_check_id(things->what, id)) != REGRET_OK) {
        rc = regret_fail_prefix(rc, "%s:%zu", at.file, at.line);
    }
    if (rc != REGRET_OK) {
        regret_free(id);
        return rc;
    }
    size_t i = id_table_find(&things->ids, id);
    if (i == SIZE_MAX && add) {
        *out = (uint32_t)things->n;
        return add_thing(things, id, given, at);
    }
    if (i == SIZE_MAX) {
        rc = regret_json_error(at, "%s \"%s\" is not in the file of contexts", things->what, id);
    } else if (strcmp(things->thing[i].given, given) != 0) {
        rc = regret_json_error(at,
                               "%s \"%.60s\" would get the id \"%s\", which \"%.60s\" of line %zu "
                               "has; rename one",
                               things->what, given, id, things->thing[i].given,
                               things->thing[i].line);
    }
    *out = (uint32_t)i;
    regret_free(id);
    return rc;
}

/* Sets the text of a context or the title of an agent, which must not change. */
static int set_text(struct table_thing *thing, const char *what, const char *text,
                    struct regret_place at)
{
    if (thing->text == NULL) {
        return regret_strdup(&thing->text, text);
    }
    return strcmp(thing->text, text) == 0
               ? REGRET_OK
               : regret_json_error(at,
                                   "the %s of \"%.60s\" is another one than on line %zu; give "
                                   "different ones different ids",
                                   what, thing->given, thing->line);
}

static int read_context(uint32_t *out, struct table_import *t, struct table_source *source,
                        int apart)
{
    const char *text = NULL;
    int rc = table_source_text(&text, source, TABLE_CONTEXT, 0);
    if (rc == REGRET_OK) {
        rc = find_thing(out, &t->contexts, text, apart || source->field[TABLE_TEXT] != NULL,
                        table_source_place(source));
    }
    if (rc == REGRET_OK && source->field[TABLE_TEXT] != NULL) {
        rc = table_source_text(&text, source, TABLE_TEXT, 0);
        if (rc == REGRET_OK) {
            rc = set_text(&t->contexts.thing[*out], "text", text, table_source_place(source));
        }
    }
    return rc;
}

static int read_agent(uint32_t *out, struct table_import *t, struct table_source *source)
{
    const char *text = NULL;
    double cost = 0.0;
    int rc = table_source_text(&text, source, TABLE_AGENT, 0);
    if (rc == REGRET_OK) {
        rc = find_thing(out, &t->agents, text, 1, table_source_place(source));
    }
    if (rc == REGRET_OK && source->field[TABLE_TITLE] != NULL) {
        rc = table_source_text(&text, source, TABLE_TITLE, 0);
        if (rc == REGRET_OK) {
            rc = set_text(&t->agents.thing[*out], "title", text, table_source_place(source));
        }
    }
    if (rc == REGRET_OK && source->field[TABLE_COST] != NULL) {
        rc = table_source_number(&cost, source, TABLE_COST);
        if (rc == REGRET_OK && cost < 0.0) {
            rc = regret_json_error(table_source_place(source),
                                   "\"%s\" is %g; a cost must not be negative",
                                   source->field[TABLE_COST], cost);
        }
    }
    if (rc == REGRET_OK) {
        t->agents.thing[*out].cost += cost;
        t->agents.thing[*out].costs++;
    }
    return rc;
}

static int check_value(const struct table_import *t, const struct table_source *source, size_t k,
                       double value)
{
    const struct regret_pool *pool = t->map.pool;
    const char *field = source->field[TABLE_VALUES + k];
    if (k < pool->n_components &&
        !(value >= pool->components[k].low && value <= pool->components[k].high)) {
        return regret_json_error(table_source_place(source),
                                 "\"%s\" is %.15g; the map says %g to %g", field, value,
                                 pool->components[k].low, pool->components[k].high);
    }
    if (k >= pool->n_components && k < pool->n_components + pool->n_counts && value < 0.0) {
        return regret_json_error(table_source_place(source),
                                 "\"%s\" is %.15g; a count must not be negative", field, value);
    }
    return REGRET_OK;
}

static int read_output(struct table_row *row, struct table_import *t, struct table_source *source)
{
    const char *text = NULL;
    int rc = REGRET_NEW(&row->values, t->map.n_values);
    for (size_t k = 0; rc == REGRET_OK && k < t->map.n_values; k++) {
        rc = table_source_number(&row->values[k], source, TABLE_VALUES + k);
        if (rc == REGRET_OK) {
            rc = check_value(t, source, k, row->values[k]);
        }
    }
    if (rc == REGRET_OK && (rc = pool_check_values(t->map.pool, row->values)) != REGRET_OK) {
        rc = regret_fail_prefix(rc, "%s:%zu", source->path, source->line);
    }
    if (rc == REGRET_OK) {
        rc = table_source_text(&text, source, TABLE_OUTPUT, 1);
    }
    return rc == REGRET_OK ? regret_strdup(&row->text, text) : rc;
}

/* Values first: a row that is left out must not leave a context or an agent behind. */
static int read_row(struct table_import *t, struct table_source *source)
{
    struct table_row row = {.line = source->line};
    int rc = read_output(&row, t, source);
    if (rc == REGRET_OK) {
        rc = read_context(&row.context, t, source, 0);
    }
    if (rc == REGRET_OK) {
        rc = read_agent(&row.agent, t, source);
    }
    if (rc == REGRET_OK && t->n_rows == REGRET_POOL_MAX_OUTPUTS) {
        rc = regret_json_error(table_source_place(source), "more than %d rows",
                               (int)REGRET_POOL_MAX_OUTPUTS);
    }
    if (rc == REGRET_OK) {
        rc = regret_grow((void **)&t->rows, &t->row_capacity, t->n_rows, sizeof *t->rows, "rows");
    }
    if (rc != REGRET_OK) {
        regret_free(row.text);
        regret_free(row.values);
        return rc;
    }
    t->rows[t->n_rows++] = row;
    return REGRET_OK;
}

/* Counts and tells of a bad row that may be left out; any other error stays one. */
static int leave_out(struct table_import *t, int rc)
{
    if (rc != REGRET_E_INPUT) {
        return rc;
    }
    if (!t->options->skip_bad) {
        return regret_fail_suffix(rc, "; --skip-bad leaves bad rows out");
    }
    t->report.bad++;
    if (t->options->note != NULL) {
        t->options->note(t->options->note_context, regret_error_message());
    }
    return REGRET_OK;
}

static int read_rows(struct table_import *t, struct table_source *source)
{
    int more = 1, rc = REGRET_OK;
    while (rc == REGRET_OK && more) {
        rc = table_source_next(source, &more);
        if (rc == REGRET_OK && !more) {
            break;
        }
        t->report.rows++;
        if (rc == REGRET_OK) {
            rc = read_row(t, source);
        }
        if (rc != REGRET_OK && !source->over) {
            rc = leave_out(t, rc);
            more = 1;
        }
    }
    return rc;
}

static int read_contexts(struct table_import *t)
{
    struct table_source source;
    uint32_t index = 0;
    int more = 1;
    int rc = table_source_open(&source, t->options->contexts_path, t->options, t->map.contexts,
                               TABLE_TEXT + 1);
    if (rc != REGRET_OK) {
        return rc;
    }
    while (rc == REGRET_OK && more) {
        rc = table_source_next(&source, &more);
        if (rc == REGRET_OK && more) {
            rc = read_context(&index, t, &source, 1);
        }
    }
    table_source_close(&source);
    return rc;
}

int table_read(struct table_import *t, const char *table_path)
{
    struct table_source source;
    t->contexts = (struct table_things){.what = "context", .most = REGRET_POOL_MAX_CONTEXTS};
    t->agents = (struct table_things){.what = "agent", .most = REGRET_POOL_MAX_AGENTS};
    int rc = id_table_init(&t->contexts.ids, t->contexts.most);
    if (rc == REGRET_OK) {
        rc = id_table_init(&t->agents.ids, t->agents.most);
    }
    if (rc == REGRET_OK && t->options->contexts_path != NULL) {
        rc = read_contexts(t);
    }
    if (rc == REGRET_OK) {
        rc = table_source_open(&source, table_path, t->options, t->map.field,
                               TABLE_VALUES + t->map.n_values);
    }
    if (rc == REGRET_OK) {
        rc = read_rows(t, &source);
        table_source_close(&source);
    }
    return rc;
}
