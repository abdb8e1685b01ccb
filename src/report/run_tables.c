/* A run as tables of SQL: what is small is copied, the rows are not (run_rows.c). docs/extending.md tells of each table. */
#include <cJSON.h>
#include <math.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>

#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "chart/svg.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "report/internal.h"
#include "report/lists.h"
#include "results/row.h"

static const char SCHEMA[] =
    "CREATE TABLE run(pool TEXT, synthetic INT, cells INT, seeds INT, grids INT, votes INT, "
    "observed INT, listed INT);"
    "CREATE TABLE keys(key TEXT PRIMARY KEY, place INT, name TEXT, symbol TEXT, main INT, averaged "
    "INT, "
    "swept INT);"
    /* SQL knows no capitals: of keys that differ by them alone the first has a column. */
    "CREATE VIEW cell_columns AS SELECT key, place FROM keys k WHERE lower(key) <> 'cell' AND NOT "
    "EXISTS "
    "(SELECT 1 FROM keys o WHERE o.place < k.place AND lower(o.key) = lower(k.key));"
    "CREATE TABLE cell_keys(cell INT, key TEXT, value TEXT, place INT, PRIMARY KEY(cell, key)) "
    "WITHOUT ROWID;"
    "CREATE TABLE cell_grids(cell INT, grid INT);"
    "CREATE TABLE grid_contexts(grid INT, context INT, place INT);"
    "CREATE TABLE subjects(family TEXT, kind TEXT, place INT, variant_of TEXT, ranked INT, "
    "obs_based INT, rule TEXT, source TEXT, external TEXT, style INT);"
    "CREATE TABLE contexts(context INTEGER PRIMARY KEY, id TEXT, tag TEXT, grids INT);"
    "CREATE TABLE agents(agent INTEGER PRIMARY KEY, name TEXT, cost REAL);"
    "CREATE TABLE config(key TEXT PRIMARY KEY, value TEXT);"
    "CREATE TABLE hypers(family TEXT, place INT, key TEXT, field TEXT, least REAL, most REAL);"
    "CREATE TABLE agent_means(item INT, grp INT, agent INT, place INT, n INT, mean REAL, low REAL, "
    "high REAL);"
    "CREATE TABLE agent_leads(item INT, heading TEXT, kind TEXT, grp INT, tag TEXT, place INT, "
    "contexts INT, first INT, second INT, lead REAL, low REAL, high REAL, pairs INT, p REAL, "
    "separable INT);";

/* ---- rows ---- */

FREED_POINTER(sqlite3_stmt, sqlite3_finalize)

static int begin_rows(sqlite3_stmt **out, struct run_sql *s, const char *table, int columns)
{
    char query[128];
    sqlite3_snprintf(sizeof query, query, "INSERT INTO %w VALUES(%.*s)", table, 2 * columns - 1,
                     "?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?");
    return sqlite3_prepare_v2(sql_handle(s->sql), query, -1, out, NULL) == SQLITE_OK
               ? REGRET_OK
               : regret_fail(REGRET_E_NOMEM, "out of memory: tables");
}

/* A row: a letter a column, i of a size_t, f of a number (not finite: NULL), t of a text (or NULL). */
static int put_row(sqlite3_stmt *statement, const char *types, ...)
{
    int code = SQLITE_OK;
    va_list args;
    va_start(args, types);
    for (int i = 1; types[i - 1] != '\0'; i++) {
        if (types[i - 1] == 'i') {
            size_t x = va_arg(args, size_t);
            x != REGRET_NO_ROW ? sqlite3_bind_int64(statement, i, (sqlite3_int64)x)
                               : sqlite3_bind_null(statement, i);
        } else if (types[i - 1] == 'f') {
            double x = va_arg(args, double);
            isfinite(x) ? sqlite3_bind_double(statement, i, x) : sqlite3_bind_null(statement, i);
        } else {
            code |=
                sqlite3_bind_text(statement, i, va_arg(args, const char *), -1, SQLITE_TRANSIENT);
        }
    }
    va_end(args);
    code = code == SQLITE_OK ? sqlite3_step(statement) : code;
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? REGRET_OK : regret_fail(REGRET_E_NOMEM, "out of memory: tables");
}

/* ---- keys and cells ---- */

static int put_keys(struct run_sql *s)
{
    const struct regret_results *r = s->r;
    FREED_BY(sqlite3_finalize_at) sqlite3_stmt *row = NULL;
    TRY(begin_rows(&row, s, "keys", 7));
    for (size_t k = 0; k < r->n_keys; k++) {
        const char *key = r->keys[k].name, *name = k == REGRET_KEY_BETA ? "β" : key;
        const struct regret_reward_parameter *p = reward_parameter(key);
        TRY(put_row(row, "tittiii", key, k, name, p != NULL && p->symbol != NULL ? p->symbol : name,
                    (size_t)(k < REGRET_N_MAIN_KEYS), (size_t)(p != NULL && p->averaged),
                    (size_t)(r->keys[k].n_values > 1)));
    }
    return REGRET_OK;
}

/* cells(cell, and a column a key): what reads as a number is one; and the grid of each. */
static int make_cells(struct run_sql *s)
{
    FREED char *columns = NULL, *values = NULL;
    FREED_BY(sqlite3_finalize_at) sqlite3_stmt *row = NULL;
    const struct regret_results *r = s->r;
    FREED_BY(sqlite3_finalize_at) sqlite3_stmt *grid = NULL;
    TRY(begin_rows(&row, s, "cell_keys", 4));
    TRY(begin_rows(&grid, s, "cell_grids", 2));
    for (size_t c = 0; c < r->n_cells; c++) {
        TRY(r->n_grids > 0 ? put_row(grid, "ii", c, r->cell_grid[c]) : REGRET_OK);
        for (size_t k = 0; k < r->n_keys; k++) {
            TRY(put_row(row, "itti", c, r->keys[k].name, regret_results_key_text(r, c, k),
                        regret_results_key_value(r, c, k)));
        }
    }
    TRY(sql_text(&columns, s->sql,
                 "SELECT group_concat(printf(', \"%%w\" NUMERIC', key), '') FROM (SELECT key FROM "
                 "cell_columns "
                 "ORDER BY place)"));
    TRY(sql_text(
        &values, s->sql,
        "SELECT group_concat(printf(', max(value) FILTER (WHERE key = %%Q)', key), '') FROM "
        "(SELECT key FROM cell_columns ORDER BY place)"));
    TRY(sql_each(s->sql, NULL, NULL, "CREATE TABLE cells(cell INTEGER PRIMARY KEY%s)", columns));
    return sql_each(s->sql, NULL, NULL,
                    "INSERT INTO cells SELECT cell%s FROM cell_keys GROUP BY cell", values);
}

/* ---- contexts and agents of all grids, by numbers of the run ---- */

/* A context's number in the run, and that of the first of its id: of votes several contexts have one id. */
static int number_context(struct run_grid *grid, size_t x, const char *id, struct names *contexts,
                          size_t *seen)
{
    FREED_BY(regret_buffer_free) struct regret_buffer name = REGRET_BUFFER_INIT;
    TRY(names_enter(&grid->cluster[x], contexts, id));
    grid->context[x] = grid->cluster[x];
    if (++seen[grid->cluster[x]] > 1) {
        regret_buffer_printf(&name, "%s\x1f%zu", id, seen[grid->cluster[x]]);
        TRY(regret_buffer_status(&name));
        TRY(names_enter(&grid->context[x], contexts, regret_buffer_get(&name)));
    }
    return REGRET_OK;
}

/* Numbers of a run, by names that another has numbered, too. */
static int number_grids(struct run_sql *s, struct names *contexts, struct names *agents)
{
    const struct regret_results *r = s->r;
    FREED size_t *seen = NULL;
    size_t most = contexts->n;
    for (size_t g = 0; g < r->n_grids; g++) {
        most += r->grids[g].n_contexts;
    }
    TRY(REGRET_NEW(&s->grid, r->n_grids));
    TRY(REGRET_NEW(&seen, most));
    for (size_t g = 0; g < r->n_grids; g++) {
        const struct regret_run_grid *grid = &r->grids[g];
        TRY(REGRET_NEW(&s->grid[g].context, grid->n_contexts));
        TRY(REGRET_NEW(&s->grid[g].cluster, grid->n_contexts));
        TRY(REGRET_NEW(&s->grid[g].agent, grid->n_agents));
        memset(seen, 0, most * sizeof *seen);
        for (size_t x = 0; x < grid->n_contexts; x++) {
            TRY(number_context(&s->grid[g], x, grid->contexts[x], contexts, seen));
        }
        for (size_t a = 0; a < grid->n_agents; a++) {
            TRY(names_enter(&s->grid[g].agent[a], agents, grid->agents[a]));
        }
    }
    for (size_t g = 0; g < r->n_grids; g++) {
        TRY(REGRET_NEW(&s->grid[g].number, contexts->n));
        memset(s->grid[g].number, 0xff, contexts->n * sizeof *s->grid[g].number);
        for (size_t x = 0; x < r->grids[g].n_contexts; x++) {
            s->grid[g].number[s->grid[g].context[x]] = (uint32_t)x;
        }
    }
    return REGRET_OK;
}

static int put_grids(struct run_sql *s)
{
    const struct regret_results *r = s->r;
    FREED const char **tag = NULL, **id = NULL;
    FREED size_t *grids = NULL;
    FREED double *cost = NULL;
    FREED_BY(sqlite3_finalize_at) sqlite3_stmt *row = NULL;
    FREED_BY(sqlite3_finalize_at) sqlite3_stmt *agent = NULL;
    FREED_BY(sqlite3_finalize_at) sqlite3_stmt *place = NULL;
    TRY(number_grids(s, &s->contexts, &s->agents));
    TRY(REGRET_NEW(&tag, s->contexts.n));
    TRY(REGRET_NEW(&id, s->contexts.n));
    TRY(REGRET_NEW(&grids, s->contexts.n));
    TRY(REGRET_NEW(&cost, s->agents.n));
    TRY(begin_rows(&place, s, "grid_contexts", 3));
    for (size_t g = 0; g < r->n_grids; g++) {
        const struct regret_run_grid *grid = &r->grids[g];
        for (size_t x = 0; x < grid->n_contexts; x++) {
            size_t i = s->grid[g].context[x];
            id[i] = grid->contexts[x];
            tag[i] = grid->tags != NULL ? grid->tags[x] : NULL;
            grids[i]++;
            TRY(put_row(place, "iii", g, i, x));
        }
        for (size_t a = 0; a < grid->n_agents; a++) {
            cost[s->grid[g].agent[a]] = grid->costs != NULL ? grid->costs[a] : NAN;
        }
    }
    TRY(begin_rows(&row, s, "contexts", 4));
    for (size_t x = 0; x < s->contexts.n; x++) {
        TRY(put_row(row, "itti", x, id[x], tag[x], grids[x]));
    }
    TRY(begin_rows(&agent, s, "agents", 3));
    for (size_t a = 0; a < s->agents.n; a++) {
        TRY(put_row(agent, "itf", a, s->agents.name[a], cost[a]));
    }
    return REGRET_OK;
}

/* ---- families, baselines and fits ---- */

/* The place of the name among the program's families; their number where it is none of them. */
static size_t registered(const char *name)
{
    size_t k = 0;
    while (k < regret_family_count() && strcmp(regret_family_at(k)->name, name) != 0) {
        k++;
    }
    return k;
}

/* The style that a family has in every figure: its place among the program's families. Others follow in the run's order. */
static int family_style(const struct regret_results *r, size_t family)
{
    size_t known = regret_family_count(), style = registered(r->subjects[family].name);
    for (size_t f = 0, own = style; own == known && f < family; f++) {
        style += registered(r->subjects[f].name) == known;
    }
    return (int)(style % CHART_N_SERIES_STYLES);
}

static int baseline_style(const struct regret_subject *baseline)
{
    const char *source = baseline->source != NULL ? baseline->source : "";
    int by_exp = strcmp(source, "EXP") == 0, by_obs = strcmp(source, "OBS") == 0;
    switch (baseline->rule) {
    case REGRET_RULE_SINGLE:
        return by_exp   ? CHART_STYLE_REFERENCE
               : by_obs ? CHART_STYLE_REFERENCE_2
                        : CHART_STYLE_REFERENCE_6;
    case REGRET_RULE_BY_TAG:
        return by_exp   ? CHART_STYLE_REFERENCE_4
               : by_obs ? CHART_STYLE_REFERENCE_5
                        : CHART_STYLE_REFERENCE_7;
    default:
        return CHART_STYLE_REFERENCE_3;
    }
}

static int put_subjects(struct run_sql *s)
{
    static const char *const rules[] = {[REGRET_RULE_NONE] = NULL,
                                        [REGRET_RULE_ORACLE] = "oracle",
                                        [REGRET_RULE_RANDOM] = "random",
                                        [REGRET_RULE_SINGLE] = "single",
                                        [REGRET_RULE_BY_TAG] = "by tag"};
    const struct regret_results *r = s->r;
    FREED_BY(sqlite3_finalize_at) sqlite3_stmt *row = NULL;
    FREED_BY(sqlite3_finalize_at) sqlite3_stmt *hyper = NULL;
    TRY(begin_rows(&row, s, "subjects", 10));
    TRY(begin_rows(&hyper, s, "hypers", 6));
    for (size_t i = 0, fits = 0; i < r->n_subjects; i++) {
        const struct regret_subject *x = &r->subjects[i];
        const struct regret_family *known =
            x->kind == REGRET_ROW_FAMILY ? regret_family_find(x->name) : NULL;
        size_t style = x->kind == REGRET_ROW_FAMILY     ? (size_t)family_style(r, i)
                       : x->kind == REGRET_ROW_BASELINE ? (size_t)baseline_style(x)
                                                        : fits++;
        TRY(put_row(row, "ttitiittti", x->name, row_kind_name(x->kind), i, x->variant_of,
                    (size_t)(x->kind == REGRET_ROW_FAMILY && family_is_ranked(r, i)),
                    (size_t)((x->roles & REGRET_ROLE_OBS_BASED) != 0), rules[x->rule], x->source,
                    x->external, style));
        for (size_t h = 0; known != NULL && h < known->n_hypers; h++) {
            const struct regret_hyper *p = &known->hypers[h];
            if (p->kind == REGRET_HYPER_GRID && p->column != NULL) {
                TRY(put_row(hyper, "tittff", x->name, h, p->key, p->column, p->low, p->high));
            }
        }
    }
    return REGRET_OK;
}

/* ---- what the pool itself says ---- */

static int put_item(struct run_sql *s, sqlite3_stmt *mean, sqlite3_stmt *lead, size_t item)
{
    const struct regret_run_means *m = &s->r->means[item];
    FREED_BY(slice_free) struct slice cells = {0};
    FREED_BY(regret_buffer_free) struct regret_buffer heading = REGRET_BUFFER_INIT;
    FREED struct means_best *best = NULL;
    FREED size_t *agents = NULL, *groups = NULL;
    TRY(means_cells(&cells, s->r, item));
    TRY(means_best(&best, m));
    TRY(means_order_agents(&agents, m));
    TRY(means_order_groups(&groups, m));
    means_heading(&heading, &cells);
    TRY(regret_buffer_status(&heading));
    const uint32_t *run_agent = s->grid[s->r->cell_grid[cells.cells[0]]].agent;
    for (size_t j = 0; j <= m->n_tags; j++) {
        size_t g = groups[j];
        const struct means_best *b = &best[g];
        TRY(put_row(lead, "ittitiiiifffifi", item, regret_buffer_get(&heading),
                    has_strengths(s->r) ? "votes"
                    : m->over != NULL   ? "within contexts"
                                        : "means",
                    g, means_group_name(m, g), j, (size_t)m->contexts[g],
                    b->first != REGRET_NO_ROW ? run_agent[b->first] : REGRET_NO_ROW,
                    b->second != REGRET_NO_ROW ? run_agent[b->second] : REGRET_NO_ROW, b->lead.mean,
                    b->lead.low, b->lead.high, b->pairs, b->p, (size_t)b->separable));
        for (size_t i = 0; i < m->n_agents; i++) {
            size_t a = agents[i];
            struct limits l = means_limits(m, g, a);
            TRY(put_row(mean, "iiiiifff", item, g, (size_t)run_agent[a], i,
                        (size_t)m->n[g * m->n_agents + a], means_of(m, g, a), l.low, l.high));
        }
    }
    return REGRET_OK;
}

static int put_means(struct run_sql *s)
{
    FREED_BY(sqlite3_finalize_at) sqlite3_stmt *mean = NULL;
    FREED_BY(sqlite3_finalize_at) sqlite3_stmt *lead = NULL;
    TRY(begin_rows(&mean, s, "agent_means", 8));
    TRY(begin_rows(&lead, s, "agent_leads", 15));
    for (size_t i = 0; i < s->r->n_means; i++) {
        TRY(put_item(s, mean, lead, i));
    }
    return REGRET_OK;
}

/* ---- the configuration, and the run ---- */

static int put_config(struct run_sql *s)
{
    FREED_BY(sqlite3_finalize_at) sqlite3_stmt *row = NULL;
    const struct regret_results *r = s->r;
    const cJSON *config = r->run.config;
    TRY(begin_rows(&row, s, "config", 2));
    for (const cJSON *x = config != NULL ? config->child : NULL; x != NULL; x = x->next) {
        char *text = cJSON_IsString(x) ? NULL : cJSON_PrintUnformatted(x);
        int rc = put_row(row, "tt", x->string, text != NULL ? text : x->valuestring);
        cJSON_free(text);
        TRY(rc);
    }
    FREED_BY(sqlite3_finalize_at) sqlite3_stmt *run = NULL;
    TRY(begin_rows(&run, s, "run", 8));
    return put_row(run, "tiiiiiii", r->run.pool_name, (size_t)r->run.synthetic, r->n_cells,
                   r->n_seeds, r->n_grids, (size_t)has_strengths(r),
                   (size_t)(r->run.observed > 0 ? r->run.observed : 0),
                   (size_t)(lists_oracle(r) != REGRET_NO_ROW));
}

/* ---- the whole ---- */

static int load(struct run_sql *s)
{
    TRY(sql_open(&s->sql));
    TRY(estimates_add(s));
    TRY(statistics_add(s));
    TRY(sql_run(s->sql, SCHEMA, &(struct regret_place){NULL, 1}));
    TRY(put_keys(s));
    TRY(make_cells(s));
    TRY(put_grids(s));
    TRY(put_subjects(s));
    TRY(put_means(s));
    TRY(put_config(s));
    TRY(run_rows_add(s));
    TRY(sql_run(s->sql, report_file("data/report/views.sql"),
                &(struct regret_place){"data/report/views.sql", 1}));
    sql_guard(s->sql);
    return REGRET_OK;
}

int run_sql_open(struct run_sql **out, const struct regret_results *r)
{
    FREED_BY(run_sql_close_at) struct run_sql *s = NULL;
    TRY(REGRET_NEW(&s, 1));
    s->r = r;
    TRY(load(s));
    *out = s;
    s = NULL;
    return REGRET_OK;
}

int run_sql_other(struct run_sql *s, const struct regret_results *r)
{
    TRY(REGRET_NEW(&s->other, 1));
    s->other->r = r;
    TRY(number_grids(s->other, &s->contexts, &s->agents));
    sqlite3_set_authorizer(sql_handle(s->sql), NULL, NULL);
    TRY(run_rows_add_other(s));
    return sql_each(s->sql, NULL, NULL, "CREATE TABLE cell_pairs(cell INT, other INT)");
}

void run_sql_close(struct run_sql *s)
{
    if (s == NULL) {
        return;
    }
    sql_close(s->sql);
    run_sql_close(s->other);
    for (size_t g = 0; s->grid != NULL && g < s->r->n_grids; g++) {
        regret_free(s->grid[g].context);
        regret_free(s->grid[g].cluster);
        regret_free(s->grid[g].number);
        regret_free(s->grid[g].agent);
    }
    regret_free(s->grid);
    regret_free(s->drawn);
    names_free(&s->contexts);
    names_free(&s->agents);
    regret_free(s);
}
