/* The rows of a run as tables of SQL, without a copy. */
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "report/internal.h"
#include "results/row.h"

/* A table has a row for each subject, cell and seed, or one for each element of the lists of that row. The first columns are
 * alike; what is missing is NULL. */
enum { COLUMN_CELL, COLUMN_SEED, COLUMN_KIND, COLUMN_FAMILY, COLUMN_FIRST };
enum { MOST_LISTS = 9 };

/* What the numbers of a list say, and by what its elements are told. */
enum row_element { ELEMENT_NONE, ELEMENT_CONTEXT, ELEMENT_AGENT, ELEMENT_PRICE };

struct listed {
    enum regret_list list;
    const char *name;
    int of_oracle; /* it stands in the oracle's row */
    int is_agents; /* its numbers are those of agents */
};

struct rows_table {
    const char *name;
    enum row_element element;
    int of_oracle; /* there are rows of the oracle alone */
    struct listed list[MOST_LISTS];
};

/* The first list says how many elements there are. Without elements by name a list is the columns of one row. */
static const struct rows_table TABLES[] = {
    {.name = "results"},
    {"context_regrets",
     ELEMENT_CONTEXT,
     0,
     {{REGRET_LIST_LOSS, "loss", 0, 0},
      {REGRET_LIST_CHOICE, "choice", 0, 1},
      {REGRET_LIST_CHOICE_ALL, "choice_all", 0, 1},
      {REGRET_LIST_BEST, "best", 1, 0}}},
    {"agent_values",
     ELEMENT_AGENT,
     0,
     {{REGRET_LIST_DM, "dm", 0, 0},
      {REGRET_LIST_DR, "dr", 0, 0},
      {REGRET_LIST_SNDR, "sndr", 0, 0},
      {REGRET_LIST_DM_HALF, "dm_half", 0, 0},
      {REGRET_LIST_DR_HALF, "dr_half", 0, 0},
      {REGRET_LIST_SNDR_HALF, "sndr_half", 0, 0},
      {REGRET_LIST_VALUE, "truth", 1, 0},
      {REGRET_LIST_VALUE_GRID, "truth_grid", 1, 0}}},
    {"agent_worth", ELEMENT_AGENT, 1, {{REGRET_LIST_AGENT_VALUE, "value", 1, 0}}},
    {"price_points",
     ELEMENT_PRICE,
     0,
     {{REGRET_LIST_PRICE_VALUE, "value", 0, 0}, {REGRET_LIST_PRICE_COST, "cost", 0, 0}}},
    {.name = "budgets", .list = {{REGRET_LIST_BUDGET, "price value cost", 0, 0}}},
    {.name = "leaks", .list = {{REGRET_LIST_LEAK, "probability trained held_out", 0, 0}}}};
enum { N_TABLES = sizeof TABLES / sizeof *TABLES };

static const char *const ELEMENTS[] = {
    [ELEMENT_CONTEXT] = "context", [ELEMENT_AGENT] = "agent", [ELEMENT_PRICE] = "i"};

struct rows {
    sqlite3_vtab base;
    const struct run_sql *run;
    const struct rows_table *table;
    size_t oracle; /* its subject */
};

/* A cursor goes over subjects, cells, seeds and elements, the last the fastest, within what a query has settled. */
enum settled { SETTLED_CELL = 1, SETTLED_SEED = 2, SETTLED_FAMILY = 4, SETTLED_ELEMENT = 8 };

struct cursor {
    sqlite3_vtab_cursor base;
    unsigned settled;
    size_t cell, seed, element; /* those that are; no such one: REGRET_NO_ROW */
    char *family;               /* owned */
    size_t at_subject, at_cell, at_seed, i, n;
    struct regret_list_view view[MOST_LISTS];
    sqlite3_int64 passed;
};

/* ---- columns ---- */

static int declare(sqlite3 *db, const struct rows_table *table)
{
    FREED_BY(regret_buffer_free) struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_append(&t, "CREATE TABLE x(cell INT, seed INT, kind TEXT, family TEXT");
    if (table->element != ELEMENT_NONE) {
        regret_buffer_printf(&t, ", %s INT", ELEMENTS[table->element]);
    }
    for (size_t k = 0; k < MOST_LISTS && table->list[k].name != NULL; k++) {
        for (const char *p = table->list[k].name; *p != '\0'; p += strspn(p, " ")) {
            size_t n = strcspn(p, " ");
            regret_buffer_printf(&t, ", %.*s", (int)n, p);
            p += n;
        }
    }
    for (int m = 0; table->list[0].name == NULL && m < REGRET_N_MEASURES; m++) {
        regret_buffer_printf(&t, ", %s REAL", row_measure_name((enum regret_measure)m));
    }
    regret_buffer_append(
        &t, table->list[0].name == NULL
                ? ", basis TEXT, cv TEXT, failure TEXT, losses BLOB HIDDEN, held_out BLOB HIDDEN)"
                : ")");
    TRY(regret_buffer_status(&t));
    return sqlite3_declare_vtab(db, regret_buffer_get(&t)) == SQLITE_OK ? REGRET_OK
                                                                        : REGRET_E_NOMEM;
}

static int connect_rows(sqlite3 *db, void *context, int argc, const char *const *argv,
                        sqlite3_vtab **out, char **error)
{
    const struct run_sql *run = context;
    struct rows *t = NULL;
    size_t i = N_TABLES - 1;
    (void)argc, (void)error;
    while (i > 0 && strcmp(TABLES[i].name, argv[2]) != 0) { /* other_results are results, too */
        i--;
    }
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    if (declare(db, &TABLES[i]) != REGRET_OK || REGRET_NEW(&t, 1) != REGRET_OK) {
        return SQLITE_NOMEM;
    }
    t->run = run;
    t->table = &TABLES[i];
    t->oracle = regret_results_subject(run->r, REGRET_ROW_BASELINE, "oracle");
    *out = &t->base;
    return SQLITE_OK;
}

static int disconnect_rows(sqlite3_vtab *base)
{
    regret_free(base);
    return SQLITE_OK;
}

/* ---- what a query settles ---- */

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct rows *t = (const struct rows *)base;
    const struct regret_results *r = t->run->r;
    static const unsigned of[] = {[COLUMN_CELL] = SETTLED_CELL,
                                  [COLUMN_SEED] = SETTLED_SEED,
                                  [COLUMN_KIND] = 0,
                                  [COLUMN_FAMILY] = SETTLED_FAMILY,
                                  [COLUMN_FIRST] = SETTLED_ELEMENT};
    const size_t n_elements = t->table->element == ELEMENT_CONTEXT ? t->run->contexts.n
                              : t->table->element == ELEMENT_AGENT ? t->run->agents.n
                                                                   : 1;
    unsigned settled = 0;
    for (unsigned bit = SETTLED_CELL; bit <= SETTLED_ELEMENT; bit *= 2) {
        for (int i = 0; i < info->nConstraint && (settled & bit) == 0; i++) {
            int column = info->aConstraint[i].iColumn;
            if (info->aConstraint[i].usable &&
                info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ && column >= 0 &&
                column <= COLUMN_FIRST && of[column] == bit &&
                (bit != SETTLED_ELEMENT ||
                 (t->table->element != ELEMENT_NONE && t->table->element != ELEMENT_PRICE))) {
                settled |= bit;
                info->aConstraintUsage[i].argvIndex = __builtin_popcount(settled);
            }
        }
    }
    double rows = (settled & SETTLED_CELL ? 1.0 : (double)r->n_cells) *
                  (settled & SETTLED_SEED ? 1.0 : (double)r->n_seeds) *
                  (settled & SETTLED_FAMILY ? 1.0 : (double)r->n_subjects) *
                  (settled & SETTLED_ELEMENT ? 1.0 : (double)(n_elements + 1));
    info->idxNum = (int)settled;
    info->estimatedCost = rows + 1.0;
    info->estimatedRows = (sqlite3_int64)rows + 1;
    return SQLITE_OK;
}

static size_t find_seed(const struct regret_results *r, sqlite3_int64 number)
{
    size_t i = 0;
    while (i < r->n_seeds && r->seeds[i] != number) {
        i++;
    }
    return i < r->n_seeds ? i : REGRET_NO_ROW;
}

/* ---- the cursor ---- */

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    struct cursor *c = NULL;
    (void)base;
    if (REGRET_NEW(&c, 1) != REGRET_OK) {
        return SQLITE_NOMEM;
    }
    *out = &c->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    struct cursor *c = (struct cursor *)base;
    regret_free(c->family);
    regret_free(c);
    return SQLITE_OK;
}

static struct rows *rows_of(const struct cursor *c)
{
    return (struct rows *)c->base.pVtab;
}

/* The number of the element of this row that has the number in the run; REGRET_NO_ROW: none. */
static size_t find_element(const struct rows *t, const struct cursor *c)
{
    const struct run_sql *run = t->run;
    const struct run_grid *grid = &run->grid[run->r->cell_grid[c->at_cell]];
    if (t->table->element == ELEMENT_AGENT) {
        size_t i = 0;
        while (i < c->n && grid->agent[i] != c->element) {
            i++;
        }
        return i < c->n ? i : REGRET_NO_ROW;
    }
    const struct regret_list_view x =
        regret_results_list(run->r, REGRET_LIST_CONTEXT, t->oracle, c->at_cell, c->at_seed);
    uint32_t wanted = c->element < run->contexts.n ? grid->number[c->element] : NAMES_NONE;
    size_t low = 0, high = x.n; /* numbers ascend */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uint32_t)x.number[middle] < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < x.n && low < c->n && (uint32_t)x.number[low] == wanted ? low : REGRET_NO_ROW;
}

/* The lists of the row at hand, and how many elements there are: 1 without lists. */
static void enter(const struct rows *t, struct cursor *c)
{
    const struct regret_results *r = t->run->r;
    c->i = 0;
    c->n = t->table->list[0].name == NULL;
    if (c->n == 1) {
        return;
    }
    int has = r->n_grids > 0 && t->oracle != REGRET_NO_ROW &&
              (!t->table->of_oracle || c->at_subject == t->oracle);
    for (size_t k = 0; has && k < MOST_LISTS && t->table->list[k].name != NULL; k++) {
        size_t of = t->table->list[k].of_oracle ? t->oracle : c->at_subject;
        c->view[k] = regret_results_list(r, t->table->list[k].list, of, c->at_cell, c->at_seed);
    }
    c->n = !has ? 0 : t->table->element == ELEMENT_NONE ? c->view[0].n > 0 : c->view[0].n;
    if (c->n > 0 && t->table->element == ELEMENT_CONTEXT) {
        size_t n = regret_results_list(r, REGRET_LIST_CONTEXT, t->oracle, c->at_cell, c->at_seed).n;
        c->n = n == c->n ? n : 0;
    }
    if (c->n > 0 && c->settled & SETTLED_ELEMENT) {
        c->i = find_element(t, c);
        c->n = c->i == REGRET_NO_ROW ? 0 : c->i + 1;
    }
}

static int is_over(sqlite3_vtab_cursor *base)
{
    const struct cursor *c = (const struct cursor *)base;
    return c->at_subject >= rows_of(c)->run->r->n_subjects;
}

static int is_wanted(const struct rows *t, const struct cursor *c)
{
    return (c->settled & SETTLED_FAMILY) == 0 ||
           (c->family != NULL && strcmp(t->run->r->subjects[c->at_subject].name, c->family) == 0);
}

/* To the next replicate of a subject that is wanted. */
static void pass(const struct rows *t, struct cursor *c)
{
    const struct regret_results *r = t->run->r;
    c->at_seed += c->settled & SETTLED_SEED ? r->n_seeds : 1;
    if (c->at_seed >= r->n_seeds) {
        c->at_seed = c->settled & SETTLED_SEED ? c->seed : 0;
        c->at_cell += c->settled & SETTLED_CELL ? r->n_cells : 1;
        if (c->at_cell >= r->n_cells) {
            c->at_cell = c->settled & SETTLED_CELL ? c->cell : 0;
            do {
                c->at_subject++;
            } while (c->at_subject < r->n_subjects && !is_wanted(t, c));
        }
    }
}

static int next_row(sqlite3_vtab_cursor *base)
{
    struct cursor *c = (struct cursor *)base;
    const struct rows *t = rows_of(c);
    c->passed++;
    if (++c->i < c->n) {
        return SQLITE_OK;
    }
    do {
        pass(t, c);
        c->n = 0;
        if (!is_over(base)) {
            enter(t, c);
        }
    } while (c->n == 0 && !is_over(base));
    return SQLITE_OK;
}

static int begin_rows(sqlite3_vtab_cursor *base, int settled, const char *text, int argc,
                      sqlite3_value **argv)
{
    struct cursor *c = (struct cursor *)base;
    const struct rows *t = rows_of(c);
    const struct regret_results *r = t->run->r;
    int k = 0, none = r->n_seeds == 0 || r->n_cells == 0;
    (void)text, (void)argc;
    regret_free(c->family);
    c->family = NULL;
    c->settled = (unsigned)settled;
    c->passed = 0;
    if (c->settled & SETTLED_CELL) {
        sqlite3_int64 x = sqlite3_value_int64(argv[k++]);
        c->cell = (size_t)x;
        none |= x < 0 || (size_t)x >= r->n_cells;
    }
    if (c->settled & SETTLED_SEED) {
        c->seed = find_seed(r, sqlite3_value_int64(argv[k++]));
        none |= c->seed == REGRET_NO_ROW;
    }
    if (c->settled & SETTLED_FAMILY) {
        const char *name = (const char *)sqlite3_value_text(argv[k++]);
        if (name != NULL && regret_strdup(&c->family, name) != REGRET_OK) {
            return SQLITE_NOMEM;
        }
    }
    if (c->settled & SETTLED_ELEMENT) {
        c->element = (size_t)sqlite3_value_int64(argv[k++]);
    }
    c->at_subject = none ? r->n_subjects : 0;
    c->at_cell = c->settled & SETTLED_CELL ? c->cell : 0;
    c->at_seed = c->settled & SETTLED_SEED ? c->seed : 0;
    while (!is_over(base) && !is_wanted(t, c)) {
        c->at_subject++;
    }
    c->n = 0;
    if (!is_over(base)) {
        enter(t, c);
    }
    if (c->n == 0 && !is_over(base)) {
        next_row(base);
    }
    return SQLITE_OK;
}

/* ---- what stands in a column ---- */

/* The losses of a row, or the contexts that they are of, by the numbers of their ids in the run. */
static void give_list(sqlite3_context *context, const struct rows *t, const struct cursor *c,
                      int is_losses)
{
    const struct regret_results *r = t->run->r;
    struct regret_list_view x = {NULL, 0};
    if (t->oracle != REGRET_NO_ROW) {
        x = regret_results_list(r, is_losses ? REGRET_LIST_LOSS : REGRET_LIST_CONTEXT,
                                is_losses ? c->at_subject : t->oracle, c->at_cell, c->at_seed);
    }
    if (x.n == 0) {
        return;
    }
    if (is_losses) {
        sqlite3_result_blob64(context, x.number, x.n * sizeof *x.number, SQLITE_STATIC);
        return;
    }
    double *number = sqlite3_malloc64(x.n * sizeof *number);
    for (size_t i = 0; number != NULL && i < x.n; i++) {
        number[i] = (double)t->run->grid[r->cell_grid[c->at_cell]].cluster[(size_t)x.number[i]];
    }
    sqlite3_result_blob64(context, number, x.n * sizeof *number, sqlite3_free);
}

static void give_result(sqlite3_context *context, const struct rows *t, const struct cursor *c,
                        int column)
{
    enum { WORDS = 3 };
    const struct regret_results *r = t->run->r;
    size_t row = r->at[c->at_subject + r->n_subjects * (c->at_cell + r->n_cells * c->at_seed)];
    if (row == REGRET_NO_ROW) {
        return;
    }
    if (column < REGRET_N_MEASURES) {
        query_give(context, r->measure[column][row]);
        return;
    }
    column -= REGRET_N_MEASURES;
    if (column >= WORDS) {
        give_list(context, t, c, column == WORDS);
        return;
    }
    const size_t *words[WORDS] = {r->row_basis, r->row_cv, r->row_failure};
    size_t word = words[column][row];
    if (word != REGRET_NO_ROW) {
        sqlite3_result_text(context, r->words[word], -1, SQLITE_STATIC);
    }
}

static void give_element(sqlite3_context *context, const struct rows *t, const struct cursor *c)
{
    const struct run_grid *grid = &t->run->grid[t->run->r->cell_grid[c->at_cell]];
    if (t->table->element == ELEMENT_CONTEXT) {
        const struct regret_list_view x =
            regret_results_list(t->run->r, REGRET_LIST_CONTEXT, t->oracle, c->at_cell, c->at_seed);
        sqlite3_result_int64(context, grid->context[(size_t)x.number[c->i]]);
    } else {
        sqlite3_result_int64(context, t->table->element == ELEMENT_AGENT
                                          ? (sqlite3_int64)grid->agent[c->i]
                                          : (sqlite3_int64)c->i);
    }
}

static void give_number(sqlite3_context *context, const struct rows *t, const struct cursor *c,
                        size_t column)
{
    int is_row = t->table->element == ELEMENT_NONE;
    size_t k = is_row ? 0 : column, i = is_row ? column : c->i;
    double x = i < c->view[k].n ? c->view[k].number[i] : NAN;
    if (!t->table->list[k].is_agents) {
        query_give(context, x);
    } else if (isfinite(x)) {
        const struct run_grid *grid = &t->run->grid[t->run->r->cell_grid[c->at_cell]];
        sqlite3_result_int64(context, grid->agent[(size_t)x]);
    }
}

static int give_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    const struct cursor *c = (const struct cursor *)base;
    const struct rows *t = rows_of(c);
    const struct regret_subject *subject = &t->run->r->subjects[c->at_subject];
    int elements = t->table->element != ELEMENT_NONE;
    switch (column) {
    case COLUMN_CELL:
        sqlite3_result_int64(context, (sqlite3_int64)c->at_cell);
        break;
    case COLUMN_SEED:
        sqlite3_result_int64(context, t->run->r->seeds[c->at_seed]);
        break;
    case COLUMN_KIND:
        sqlite3_result_text(context, row_kind_name(subject->kind), -1, SQLITE_STATIC);
        break;
    case COLUMN_FAMILY:
        sqlite3_result_text(context, subject->name, -1, SQLITE_STATIC);
        break;
    default:
        if (t->table->list[0].name == NULL) {
            give_result(context, t, c, column - COLUMN_FIRST);
        } else if (elements && column == COLUMN_FIRST) {
            give_element(context, t, c);
        } else {
            give_number(context, t, c, (size_t)(column - COLUMN_FIRST - elements));
        }
    }
    return SQLITE_OK;
}

/* Of results the place of the row in the run's files, so that what came first is the least. */
static int give_row(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    const struct cursor *c = (const struct cursor *)base;
    const struct rows *t = rows_of(c);
    const struct regret_results *r = t->run->r;
    size_t row = r->at[c->at_subject + r->n_subjects * (c->at_cell + r->n_cells * c->at_seed)];
    *out = t->table->list[0].name == NULL && row != REGRET_NO_ROW
               ? (sqlite3_int64)row
               : (sqlite3_int64)r->n_rows + c->passed;
    return SQLITE_OK;
}

static const sqlite3_module MODULE = {.xCreate = connect_rows,
                                      .xConnect = connect_rows,
                                      .xBestIndex = best_index,
                                      .xDisconnect = disconnect_rows,
                                      .xDestroy = disconnect_rows,
                                      .xOpen = open_cursor,
                                      .xClose = close_cursor,
                                      .xFilter = begin_rows,
                                      .xNext = next_row,
                                      .xEof = is_over,
                                      .xColumn = give_column,
                                      .xRowid = give_row};

static int add_module(struct run_sql *of, const char *name, struct run_sql *run)
{
    return sqlite3_create_module_v2(sql_handle(of->sql), name, &MODULE, run, NULL) == SQLITE_OK
               ? REGRET_OK
               : regret_fail(REGRET_E_NOMEM, "out of memory: tables");
}

int run_rows_add(struct run_sql *run)
{
    TRY(add_module(run, "run_rows", run));
    for (size_t i = 0; i < N_TABLES; i++) {
        TRY(sql_each(run->sql, NULL, NULL, "CREATE VIRTUAL TABLE %s USING run_rows",
                     TABLES[i].name));
    }
    return REGRET_OK;
}

int run_rows_add_other(struct run_sql *run)
{
    TRY(add_module(run, "other_rows", run->other));
    return sql_each(run->sql, NULL, NULL, "CREATE VIRTUAL TABLE other_results USING other_rows");
}
