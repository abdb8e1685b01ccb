#include "chart/chart.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/names.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* Sets a text that was not set before. */
static void set_text(struct chart *c, char **text, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));
static void set_text(struct chart *c, char **text, const char *format, va_list args)
{
    char *fresh = sticky_print(&c->status, format, args);
    regret_free(*text);
    *text = fresh;
}

static void copy_text(struct chart *c, char **text, const char *from)
{
    regret_free(*text);
    *text = NULL;
    if (c->status == REGRET_OK) {
        c->status = regret_strdup(text, from);
    }
}

void chart_begin(struct chart *c, enum chart_kind kind, const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *c = (struct chart){.kind = kind, .decimals = 3};
    set_text(c, &c->title, format, args);
    va_end(args);
    copy_text(c, &c->name, name);
    copy_text(c, &c->facts, "");
    copy_text(c, &c->caption, "");
    chart_axes(c, "", "");
}

void chart_facts(struct chart *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_text(c, &c->facts, format, args);
    va_end(args);
}

void chart_caption(struct chart *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_text(c, &c->caption, format, args);
    va_end(args);
}

void chart_axes(struct chart *c, const char *x_name, const char *y_name)
{
    copy_text(c, &c->x_name, x_name);
    copy_text(c, &c->y_name, y_name);
}

size_t chart_series(struct chart *c, int style, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sticky_append_text(&c->status, (void **)&c->series, &c->n_series, sizeof *c->series, format,
                       args);
    va_end(args);
    if (c->status != REGRET_OK) {
        return 0;
    }
    c->series[c->n_series - 1].style = style;
    return c->n_series - 1;
}

void chart_row(struct chart *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sticky_append_text(&c->status, (void **)&c->rows.text, &c->rows.n, sizeof *c->rows.text, format,
                       args);
    va_end(args);
}

void chart_column(struct chart *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sticky_append_text(&c->status, (void **)&c->columns.text, &c->columns.n,
                       sizeof *c->columns.text, format, args);
    va_end(args);
}

void chart_panel(struct chart *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sticky_append_text(&c->status, (void **)&c->panels, &c->n_panels, sizeof *c->panels, format,
                       args);
    va_end(args);
}

void chart_point(struct chart *c, struct chart_point p)
{
    if (c->status == REGRET_OK && c->n_panels == 0) {
        c->status = regret_fail(REGRET_E_INTERNAL, "chart %s: a point without a panel", c->name);
    }
    if (c->status != REGRET_OK) {
        return;
    }
    struct chart_panel *panel = &c->panels[c->n_panels - 1];
    struct chart_point *place =
        sticky_append(&c->status, (void **)&panel->points, &panel->n_points, sizeof *place);
    if (place != NULL) {
        *place = p;
    }
}

/* Kinds whose points are of a row, or of a row and a column. */
static int has_rows(enum chart_kind kind)
{
    return kind == CHART_INTERVALS || kind == CHART_STRIPS || kind == CHART_WINNERS ||
           kind == CHART_SHARES;
}

static int has_columns(enum chart_kind kind)
{
    return kind == CHART_WINNERS || kind == CHART_SHARES;
}

int chart_is_by_row(const struct chart *c)
{
    int is = has_rows(c->kind) && !has_columns(c->kind) && c->n_series == c->rows.n;
    for (size_t i = 0; i < c->n_panels; i++) {
        for (size_t j = 0; is && j < c->panels[i].n_points; j++) {
            is = c->panels[i].points[j].series == c->panels[i].points[j].row;
        }
    }
    return is;
}

int chart_has_points(const struct chart *c)
{
    for (size_t i = 0; i < c->n_panels; i++) {
        for (size_t j = 0; j < c->panels[i].n_points; j++) {
            if (isfinite(c->panels[i].points[j].value)) {
                return 1;
            }
        }
    }
    return 0;
}

static int is_within(const struct chart *c, const struct chart_point *p)
{
    int no_series = p->series == CHART_NO_SERIES;
    int free_of_series = c->kind == CHART_RANKS || c->kind == CHART_SHARES ||
                         (c->kind == CHART_WINNERS && !isfinite(p->value));
    return (p->series < c->n_series || (no_series && free_of_series)) &&
           (!(has_rows(c->kind) || (p->flags & CHART_NAMED)) || p->row < c->rows.n) &&
           (!has_columns(c->kind) || p->column < c->columns.n);
}

int chart_check(const struct chart *c)
{
    for (size_t i = 0; c->status == REGRET_OK && i < c->n_panels; i++) {
        for (size_t j = 0; j < c->panels[i].n_points; j++) {
            if (!is_within(c, &c->panels[i].points[j])) {
                return regret_fail(REGRET_E_INTERNAL,
                                   "chart %s: point %zu of panel %zu is of no series, row or "
                                   "column",
                                   c->name, j, i);
            }
        }
    }
    return c->status;
}

static void free_labels(struct chart_labels *labels)
{
    texts_free(labels->text, labels->n);
}

void chart_free(struct chart *c)
{
    for (size_t i = 0; i < c->n_series; i++) {
        regret_free(c->series[i].name);
    }
    for (size_t i = 0; i < c->n_panels; i++) {
        regret_free(c->panels[i].heading);
        regret_free(c->panels[i].points);
    }
    free_labels(&c->rows);
    free_labels(&c->columns);
    regret_free(c->series);
    regret_free(c->panels);
    regret_free(c->name);
    regret_free(c->title);
    regret_free(c->facts);
    regret_free(c->caption);
    regret_free(c->x_name);
    regret_free(c->y_name);
    *c = (struct chart){0};
}
