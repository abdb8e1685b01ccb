/* Figures as queries: rows of a file of SQL make a chart (docs/extending.md). */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "chart/chart.h"
#include "chart/figure.h"
#include "regret/status.h"
#include "report/internal.h"

/* ---- what the head says ---- */

static const char *const KINDS[CHART_N_KINDS] = {
    [CHART_LINES] = "lines",     [CHART_INTERVALS] = "intervals", [CHART_STRIPS] = "strips",
    [CHART_WINNERS] = "winners", [CHART_SHARES] = "shares",       [CHART_RANKS] = "ranks"};
static const char *const SCALES[] = {[CHART_LINEAR] = "linear",
                                     [CHART_LOG] = "log",
                                     [CHART_ORDINAL] = "ordinal",
                                     [CHART_EVEN] = "even",
                                     [CHART_SPREAD] = "spread"};
enum { N_SCALES = sizeof SCALES / sizeof *SCALES };

/* "x log", "y spread" */
static enum chart_scale scale_of(const char *draw, char axis)
{
    size_t i = N_SCALES;
    for (size_t k = 0; k < N_SCALES; k++) {
        char word[16];
        snprintf(word, sizeof word, "%c %s", axis, SCALES[k]);
        i = query_lists(draw, word) ? k : i;
    }
    return i < N_SCALES ? (enum chart_scale)i : CHART_LINEAR;
}

/* A whole number that a word says. */
static int number_of(long *out, enum query_word word, const struct query_file *q,
                     struct run_sql *run)
{
    FREED char *text = NULL;
    TRY(query_said(&text, q->word[word], q, run));
    *out = text != NULL ? strtol(text, NULL, 10) : *out;
    return REGRET_OK;
}

static int begin(struct chart *c, const struct query_file *q, const char *name, struct run_sql *run)
{
    FREED char *title = NULL, *x = NULL, *y = NULL;
    const char *kind = q->word[QUERY_KIND] != NULL ? q->word[QUERY_KIND] : "";
    size_t k = texts_find(KINDS, CHART_N_KINDS, kind);
    long decimals = 3, across = 0;
    if (k == CHART_N_KINDS) {
        return regret_fail(REGRET_E_INTERNAL, "%s: no kind of figure", q->name);
    }
    TRY(query_said(&title, q->word[QUERY_TITLE], q, run));
    TRY(query_said(&x, q->word[QUERY_X], q, run));
    TRY(query_said(&y, q->word[QUERY_Y], q, run));
    TRY(number_of(&decimals, QUERY_DECIMALS, q, run));
    TRY(number_of(&across, QUERY_ACROSS, q, run));
    chart_begin(c, (enum chart_kind)k, name, "%s", title != NULL ? title : name);
    chart_axes(c, x != NULL ? x : "", y != NULL ? y : "");
    c->x_scale = scale_of(q->word[QUERY_DRAW], 'x');
    c->y_scale = scale_of(q->word[QUERY_DRAW], 'y');
    c->from_zero = query_lists(q->word[QUERY_DRAW], "from zero");
    c->overlaid = query_lists(q->word[QUERY_DRAW], "overlaid");
    c->numbered = query_lists(q->word[QUERY_DRAW], "numbered");
    c->decimals = (int)decimals;
    c->across = (size_t)across;
    return c->status;
}

/* "newswire-ceiling (SYNTHETIC data), 48 cells, 30 seeds; INTERVALS"; of one seed there are none. */
static int say_facts(struct chart *c, const struct query_file *q, struct run_sql *run)
{
    const struct regret_results *r = run->r;
    FREED char *facts = NULL;
    int one = q->word[QUERY_INTERVALS] != NULL && r->n_seeds < 2;
    TRY(query_said(
        &facts, q->word[q->word[QUERY_INTERVALS] != NULL ? QUERY_INTERVALS : QUERY_FACTS], q, run));
    chart_facts(c, "%s (%s), %zu cell%s, %zu seed%s; %s", r->run.pool_name,
                r->run.synthetic ? "SYNTHETIC data" : "real task", r->n_cells,
                r->n_cells == 1 ? "" : "s", r->n_seeds, r->n_seeds == 1 ? "" : "s",
                one             ? "one seed only, so no intervals"
                : facts != NULL ? facts
                                : "");
    return c->status;
}

/* Every caption of the head that says anything, one behind the other. */
static int say_captions(struct chart *c, const struct query_file *q, struct run_sql *run)
{
    FREED_BY(regret_buffer_free) struct regret_buffer entry = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer all = REGRET_BUFFER_INIT;
    static const char WORD[] = "caption: ";
    for (const char *p = query_skip_blanks(q->text); strncmp(p, "--", 2) == 0;
         p = query_skip_blanks(p)) {
        FREED char *text = NULL;
        TRY(query_entry(&entry, &p));
        if (strncmp(regret_buffer_get(&entry), WORD, strlen(WORD)) == 0) {
            TRY(query_said(&text, regret_buffer_get(&entry) + strlen(WORD), q, run));
            regret_buffer_printf(&all, "%s%s", text != NULL && all.length > 0 ? " " : "",
                                 text != NULL ? text : "");
        }
    }
    TRY(regret_buffer_status(&all));
    chart_caption(c, "%s", regret_buffer_get(&all));
    return c->status;
}

/* ---- rows ---- */

/* What columns of a row say; a statement without a value only tells the order of series, rows and columns. */
enum row_column {
    C_PANEL,
    C_SERIES,
    C_ROW,
    C_COLUMN,
    C_X,
    C_VALUE,
    C_LOW,
    C_HIGH,
    C_STYLE,
    C_TIE,
    C_ORIGIN,
    C_NAMED,
    C_CELL,
    C_LIMIT,
    N_ROW_COLUMNS
};
static const char *const COLUMNS[N_ROW_COLUMNS] = {"panel",   "series", "row",   "column", "x",
                                                   "value",   "low",    "high",  "_style", "_tie",
                                                   "_origin", "_named", "_cell", "_limit"};

struct plot {
    struct chart *c;
    const struct query_file *q;
    int at[N_ROW_COLUMNS]; /* where the statement at hand has them; -1: nowhere */
    struct names series, rows, columns;
};

static void plot_free(struct plot *f)
{
    names_free(&f->series);
    names_free(&f->rows);
    names_free(&f->columns);
}

static int see_columns(void *context, sqlite3_stmt *s)
{
    struct plot *f = context;
    for (size_t k = 0; k < N_ROW_COLUMNS; k++) {
        f->at[k] = -1;
    }
    for (int i = 0; i < sqlite3_column_count(s); i++) {
        const char *name = sqlite3_column_name(s, i);
        size_t k = texts_find(COLUMNS, N_ROW_COLUMNS, name);
        if (k == N_ROW_COLUMNS) {
            return regret_fail(REGRET_E_INTERNAL, "%s: figures have no column %s", f->q->name,
                               name);
        }
        f->at[k] = i;
    }
    return REGRET_OK;
}

/* The number of what a row names; `otherwise` where it names nothing. *is_new: it comes for the first time. */
static int enter(size_t *out, int *is_new, struct names *names, const char **name, size_t otherwise,
                 sqlite3_stmt *s, int column)
{
    size_t before = names->n;
    uint32_t i = NAMES_NONE;
    *name = column >= 0 ? (const char *)sqlite3_column_text(s, column) : NULL;
    TRY(names_enter(&i, names, *name));
    *out = i != NAMES_NONE ? i : otherwise;
    *is_new = names->n > before;
    return REGRET_OK;
}

static int take_names(struct chart_point *p, struct plot *f, sqlite3_stmt *s)
{
    const char *name = NULL;
    int is_new = 0;
    double style = number_at(s, f->at[C_STYLE]);
    TRY(enter(&p->series, &is_new, &f->series, &name, CHART_NO_SERIES, s, f->at[C_SERIES]));
    if (is_new) {
        chart_series(f->c, isfinite(style) ? (int)style : 0, "%s", name);
    }
    TRY(enter(&p->row, &is_new, &f->rows, &name, 0, s, f->at[C_ROW]));
    if (is_new) {
        chart_row(f->c, "%s", name);
    }
    TRY(enter(&p->column, &is_new, &f->columns, &name, 0, s, f->at[C_COLUMN]));
    if (is_new) {
        chart_column(f->c, "%s", name);
    }
    return f->c->status;
}

static double or_zero(double x)
{
    return isfinite(x) ? x : 0.0;
}

static int take_row(void *context, sqlite3_stmt *s)
{
    struct plot *f = context;
    struct chart *c = f->c;
    const int *at = f->at;
    const char *panel = text_at(s, at[C_PANEL]);
    struct chart_point p = {.x = or_zero(number_at(s, at[C_X])),
                            .value = number_at(s, at[C_VALUE]),
                            .low = number_at(s, at[C_LOW]),
                            .high = number_at(s, at[C_HIGH])};
    TRY(take_names(&p, f, s));
    if (at[C_VALUE] < 0) {
        return REGRET_OK;
    }
    p.flags = (number_at(s, at[C_TIE]) > 0.0 ? CHART_TIE : 0) |
              (number_at(s, at[C_ORIGIN]) > 0.0 ? CHART_ORIGIN : 0) |
              (number_at(s, at[C_NAMED]) > 0.0 ? CHART_NAMED : 0);
    double cell = number_at(s, at[C_CELL]);
    p.cell = cell >= 0.0 ? (size_t)cell + 1 : 0;
    c->limit = or_zero(number_at(s, at[C_LIMIT]));
    if (c->n_panels == 0 || strcmp(c->panels[c->n_panels - 1].heading, panel) != 0) {
        chart_panel(c, "%s", panel);
    }
    chart_point(c, p);
    return c->status;
}

/* ---- a figure ---- */

static int fill(struct chart *c, const struct query_file *q, const char *name, struct run_sql *run)
{
    FREED_BY(plot_free) struct plot f = {.c = c, .q = q};
    TRY(begin(c, q, name, run));
    TRY(say_facts(c, q, run));
    TRY(say_captions(c, q, run));
    for (const char *p = query_skip_blanks(q->text); *p != '\0'; p = query_skip_blanks(p)) {
        const struct regret_place at = {q->name, query_line(q->text, p)};
        if (strncmp(p, "--", 2) == 0) {
            p += strcspn(p, "\n");
        } else {
            TRY(sql_statement(run->sql, &p, &at, see_columns, take_row, &f));
        }
    }
    return sql_clear(run->sql);
}

static int make_one(struct figures *out, const struct query_file *q, const char *name,
                    struct run_sql *run)
{
    FREED_BY(chart_free) struct chart c = {0};
    int is_shown = 0;
    TRY(query_asks(&is_shown, QUERY_WHEN, 1, q, run));
    TRY(is_shown ? fill(&c, q, name, run) : REGRET_OK);
    return chart_has_points(&c) ? figures_add(out, &c) : REGRET_OK;
}

int figures_make(struct figures *out, struct run_sql *run)
{
    FREED_BY(figures_free) struct figures made = {NULL, 0};
    const char *const *names = NULL;
    size_t n = query_names(&names, QUERY_FIGURES);
    for (size_t i = 0; i < n; i++) {
        FREED_BY(query_file_free) struct query_file q = {0};
        TRY(query_find(&q, QUERY_FIGURES, names[i]));
        TRY(make_one(&made, &q, names[i], run));
    }
    *out = made;
    made = (struct figures){NULL, 0};
    return REGRET_OK;
}
