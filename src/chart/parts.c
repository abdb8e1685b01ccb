/* What the pictures of all kinds of charts share. */
#include <math.h>
#include <string.h>

#include "chart/svg.h"

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

void svg_range(double *low, double *high, const struct chart *c)
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

int svg_is_log(const struct chart *c)
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
