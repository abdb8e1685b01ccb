#include "chart/figure.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/csv.h"
#include "base/status.h"
#include "chart/chart.h"
#include "chart/svg.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* Charts as pictures: the kind of a chart chooses who draws it; its files. */

int chart_svg(struct regret_buffer *out, const struct chart *c)
{
    static int (*const draw[CHART_N_KINDS])(struct regret_buffer *, const struct chart *) = {
        [CHART_LINES] = svg_draw_lines,   [CHART_INTERVALS] = svg_draw_intervals,
        [CHART_STRIPS] = svg_draw_strips, [CHART_WINNERS] = svg_draw_grid,
        [CHART_SHARES] = svg_draw_grid,   [CHART_RANKS] = svg_draw_ranks,
    };
    TRY(draw[c->kind](out, c));
    return regret_buffer_status(out);
}

int figures_add(struct figures *f, struct chart *c)
{
    int rc = chart_check(c);
    struct figure *new = sticky_append(&rc, (void **)&f->items, &f->n, sizeof *new);
    if (new == NULL) {
        return rc;
    }
    TRY(chart_svg(&new->svg, c));
    c->width = CHART_NARROW;
    TRY(chart_svg(&new->narrow, c));
    c->width = 0.0;
    TRY(chart_csv(&new->csv, c));
    new->name = c->name;
    new->title = c->title;
    new->facts = c->facts;
    new->caption = c->caption;
    c->name = c->title = c->facts = c->caption = NULL;
    return REGRET_OK;
}

static int save_file(const char *folder, const char *name, const char *end,
                     const struct regret_buffer *text, int guard)
{
    FREED_BY(regret_buffer_free) struct regret_buffer file = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer guarded = REGRET_BUFFER_INIT;
    if (guard) {
        regret_csv_guard(&guarded, regret_buffer_get(text), text->length);
    }
    regret_buffer_printf(&file, "%s.%s", name, end);
    TRY(regret_buffer_status(&file));
    return regret_file_write_text(folder, regret_buffer_get(&file), guard ? &guarded : text);
}

int figures_save(const char *folder, const struct figures *f, int safe_csv)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct figure *one = &f->items[i];
        TRY(save_file(folder, one->name, "svg", &one->svg, 0));
        TRY(save_file(folder, one->name, "csv", &one->csv, safe_csv));
    }
    return REGRET_OK;
}

int chart_save(const char *folder, struct chart *c)
{
    struct figures one = {NULL, 0};
    int rc;
    TRY_CLEANUP(figures_add(&one, c));
    TRY_CLEANUP(regret_folder_create(folder));
    rc = figures_save(folder, &one, 0);
cleanup:
    figures_free(&one);
    chart_free(c);
    return rc;
}

void figures_free(struct figures *f)
{
    for (size_t i = 0; i < f->n; i++) {
        struct figure *one = &f->items[i];
        regret_free(one->name);
        regret_free(one->title);
        regret_free(one->facts);
        regret_free(one->caption);
        regret_buffer_free(&one->svg);
        regret_buffer_free(&one->narrow);
        regret_buffer_free(&one->csv);
    }
    regret_free(f->items);
    *f = (struct figures){NULL, 0};
}

/* What the pictures of all kinds of charts share. */

/* The entries of the legend: every series, side by side in as many lines as it takes. */
static double put_legend(struct regret_buffer *out, const struct chart *c, double y)
{
    double x = SVG_MARGIN;
    for (size_t k = 0; k < c->n_series; k++) {
        const struct chart_series *s = &c->series[k];
        double width = fmin(svg_text_width(s->name), svg_width(c) - 2.0 * SVG_MARGIN - 44.0);
        if (x > SVG_MARGIN && x + 36.0 + width > svg_width(c) - SVG_MARGIN) {
            x = SVG_MARGIN;
            y += 22.0;
        }
        if (out != NULL) {
            svg_begin_key(out, k);
            svg_line(out, s->style, x, y - 5.0, x + 26.0, y - 5.0);
            svg_marker(out, s->style, x + 13.0, y - 5.0);
            svg_text(out, x + 34.0, y, SVG_START, width + 8.0, s->name);
            svg_end_group(out);
        }
        x += 58.0 + width;
    }
    return y;
}

double svg_head(struct regret_buffer *out, const struct chart *c)
{
    const double width = svg_width(c) - 2.0 * SVG_MARGIN;
    double y = 26.0;
    y += SVG_LINE * (double)svg_title(out, SVG_MARGIN, y, width, c->title) + 3.0;
    y += SVG_LINE * (double)svg_paragraph(out, SVG_MARGIN, y, width, c->facts);
    if (c->n_series > 0 && c->kind != CHART_RANKS && !chart_is_by_row(c)) {
        y = put_legend(out, c, y + 8.0) + 16.0;
    }
    return y;
}

/* The smallest and greatest of the values and intervals of the panels, 0 among them where the chart says so;
 * 0 and 0 without any. */
static void svg_range(double *low, double *high, const struct chart *c)
{
    *low = c->from_zero ? 0.0 : INFINITY;
    *high = c->from_zero ? 0.0 : -INFINITY;
    for (size_t i = 0; i < c->n_panels; i++) {
        for (size_t j = 0; j < c->panels[i].n_points; j++) {
            const struct chart_point *p = &c->panels[i].points[j];
            if (!isfinite(p->value)) {
                continue;
            }
            *low = fmin(fmin(*low, p->value), isfinite(p->low) ? p->low : INFINITY);
            *high = fmax(fmax(*high, p->value), isfinite(p->high) ? p->high : -INFINITY);
        }
    }
    if (*low > *high) {
        *low = *high = 0.0;
    }
}

/* The same of the values alone that are above 0; 0 where one is not. */
static void range_above_zero(double *low, double *high, const struct chart *c)
{
    *low = INFINITY;
    *high = 0.0;
    for (size_t i = 0; i < c->n_panels; i++) {
        for (size_t j = 0; j < c->panels[i].n_points; j++) {
            double value = c->panels[i].points[j].value;
            if (isfinite(value)) {
                *low = fmin(*low, value);
                *high = fmax(*high, value);
            }
        }
    }
    *low = *low > 0.0 && isfinite(*low) ? *low : 0.0;
}

/* A factor of the values from which a linear axis hides the small ones. */
static const double SPREAD = 6.0;

/* Whether the values go on a logarithmic axis. */
static int svg_is_log(const struct chart *c)
{
    double low = 0.0, high = 0.0;
    range_above_zero(&low, &high, c);
    return low > 1e-150 && high < 1e150 &&
           (c->y_scale == CHART_LOG || (c->y_scale == CHART_SPREAD && high / low >= SPREAD));
}

struct svg_axis svg_value_axis(const struct chart *c, double begin, double end)
{
    double low = 0.0, high = 0.0;
    if (svg_is_log(c)) {
        double least = 0.0, most = 0.0;
        range_above_zero(&least, &most, c);
        svg_range(&low, &high, c);
        /* An interval that reaches down to zero is cut. */
        return svg_log_axis(fmax(low, 0.5 * least), fmin(high, 4.0 * most), begin, end);
    }
    svg_range(&low, &high, c);
    return svg_axis(low, c->limit > 0.0 ? fmin(high, fmax(c->limit, low)) : high, begin, end);
}

/* Whether two labels that differ look the same once they are shortened. */
static int are_confused(const struct chart_labels *labels, double width)
{
    struct regret_buffer shown = REGRET_BUFFER_INIT; /* one behind the other */
    int found = 0;
    for (size_t i = 0; i < labels->n && !found; i++) {
        size_t begin = shown.length, other = 0;
        svg_shorten(&shown, labels->text[i], width);
        regret_buffer_append_char(&shown, '\0');
        if (regret_buffer_status(&shown) != REGRET_OK) {
            break; /* the picture fails next */
        }
        for (size_t j = 0; j < i; j++) {
            found |= strcmp(shown.data + begin, shown.data + other) == 0 &&
                     strcmp(labels->text[i], labels->text[j]) != 0;
            other += strlen(shown.data + other) + 1;
        }
    }
    regret_buffer_free(&shown);
    return found;
}

double svg_label_width(const struct chart_labels *labels, double most)
{
    double width = 0.0;
    for (size_t i = 0; i < labels->n; i++) {
        width = fmax(width, svg_text_width(labels->text[i]));
    }
    double least = fmin(width, most), widest = fmin(width, 1.9 * most);
    while (least < widest && are_confused(labels, least)) {
        least = fmin(1.1 * least, widest);
    }
    return least;
}

size_t chart_row_values(double *values, int *style, const struct chart *c,
                        const struct chart_panel *panel, size_t row)
{
    size_t n = 0;
    for (size_t j = 0; j < panel->n_points; j++) {
        const struct chart_point *p = &panel->points[j];
        if (p->row == row && isfinite(p->value)) {
            values[n++] = p->value;
            *style = c->series[p->series].style;
        }
    }
    return n;
}

/* The numbers of a chart: a record a point, the columns that its kind uses. */

enum column {
    COLUMN_PANEL,
    COLUMN_SERIES,
    COLUMN_ROW,
    COLUMN_COLUMN,
    COLUMN_X,
    COLUMN_VALUE,
    COLUMN_LOW,
    COLUMN_HIGH,
    COLUMN_TIE,
    N_COLUMNS
};

static const char *const names[N_COLUMNS] = {"panel", "series", "row",  "column", "x",
                                             "value", "low",    "high", "tie"};

#define BIT(column) (1u << (column))
static const unsigned used[CHART_N_KINDS] = {
    [CHART_LINES] = BIT(COLUMN_SERIES) | BIT(COLUMN_X) | BIT(COLUMN_LOW) | BIT(COLUMN_HIGH),
    [CHART_INTERVALS] = BIT(COLUMN_SERIES) | BIT(COLUMN_ROW) | BIT(COLUMN_LOW) | BIT(COLUMN_HIGH),
    [CHART_STRIPS] = BIT(COLUMN_SERIES) | BIT(COLUMN_ROW),
    [CHART_WINNERS] = BIT(COLUMN_SERIES) | BIT(COLUMN_ROW) | BIT(COLUMN_COLUMN) | BIT(COLUMN_TIE),
    [CHART_SHARES] = BIT(COLUMN_ROW) | BIT(COLUMN_COLUMN),
    [CHART_RANKS] = BIT(COLUMN_SERIES) | BIT(COLUMN_LOW) | BIT(COLUMN_HIGH),
};

static int has_column(const struct chart *c, int k)
{
    return k == COLUMN_VALUE || (k == COLUMN_PANEL && c->n_panels > 1) ||
           (k == COLUMN_ROW && c->kind == CHART_LINES && c->rows.n > 0) ||
           (used[c->kind] & BIT(k)) != 0;
}

static void put_field(struct regret_buffer *out, const struct chart *c,
                      const struct chart_panel *panel, const struct chart_point *p, int k)
{
    switch (k) {
    case COLUMN_PANEL:
        csv_field(out, panel->heading);
        break;
    case COLUMN_SERIES:
        csv_field(out, p->series == CHART_NO_SERIES ? "" : c->series[p->series].name);
        break;
    case COLUMN_ROW:
        csv_field(out,
                  c->kind == CHART_LINES && !(p->flags & CHART_NAMED) ? "" : c->rows.text[p->row]);
        break;
    case COLUMN_COLUMN:
        csv_field(out, c->columns.text[p->column]);
        break;
    case COLUMN_TIE:
        regret_buffer_append_char(out, p->flags & CHART_TIE ? '1' : '0');
        break;
    default:
        csv_number(out, k == COLUMN_X       ? p->x
                        : k == COLUMN_VALUE ? p->value
                        : k == COLUMN_LOW   ? p->low
                                            : p->high);
    }
}

int chart_csv(struct regret_buffer *out, const struct chart *c)
{
    const char *comma = "";
    for (int k = 0; k < N_COLUMNS; k++) {
        if (has_column(c, k)) {
            regret_buffer_printf(out, "%s%s", comma, names[k]);
            comma = ",";
        }
    }
    for (size_t i = 0; i < c->n_panels; i++) {
        for (size_t j = 0; j < c->panels[i].n_points; j++) {
            comma = "\n";
            for (int k = 0; k < N_COLUMNS; k++) {
                if (has_column(c, k)) {
                    regret_buffer_append(out, comma);
                    put_field(out, c, &c->panels[i], &c->panels[i].points[j], k);
                    comma = ",";
                }
            }
        }
    }
    regret_buffer_append_char(out, '\n');
    return regret_buffer_status(out);
}
