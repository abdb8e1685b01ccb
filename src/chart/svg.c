#include "chart/svg.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "chart/chart.h"
#include "regret/buffer.h"

static const struct chart_style styles[CHART_N_STYLES] = {
    {"#D55E00", MARK_DISC, NULL},           {"#0072B2", MARK_SQUARE, NULL},
    {"#B8860B", MARK_TRIANGLE_DOWN, NULL},  {"#009E73", MARK_TRIANGLE, NULL},
    {"#B65C9A", MARK_DIAMOND, NULL},        {"#8C564B", MARK_CROSS, NULL},
    {"#3391C7", MARK_PLUS, NULL},           {"#6B7A00", MARK_RING, NULL},
    {"#6A5ACD", MARK_FRAME, NULL},          {"#008080", MARK_DIAMOND_FRAME, NULL},
    {"#C2185B", MARK_TRIANGLE_FRAME, NULL}, {"#5F7A8A", MARK_STAR, NULL},
    {"#757575", MARK_NONE, "7 4"},          {"#757575", MARK_NONE, "2 4"},
    {"#757575", MARK_NONE, "10 3 2 3"},     {"#757575", MARK_NONE, "12 6"},
    {"#757575", MARK_NONE, "2 8"},          {"#757575", MARK_NONE, "10 3 2 3 2 3"},
    {"#757575", MARK_NONE, "10 6 2 6"},
};

const struct chart_style *chart_style(int k)
{
    return &styles[k];
}

#define SVG_TEXT 14.0

/* ---------------------------------------------------------------- frame and text */

double svg_width(const struct chart *c)
{
    return c->width > 0.0 ? c->width : CHART_WIDTH;
}

int svg_is_narrow(const struct chart *c)
{
    return svg_width(c) < 600.0;
}

void svg_begin(struct regret_buffer *out, const struct chart *c, double height)
{
    const char *of = svg_is_narrow(c) ? "-narrow" : "";
    const double width = svg_width(c);
    regret_buffer_printf(out,
                         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                         "viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-labelledby=\"%s%s-title "
                         "%s%s-desc\" font-family=\"Helvetica, Arial, sans-serif\" "
                         "font-size=\"%.0f\">\n<title id=\"%s%s-title\">",
                         width, height, width, height, c->name, of, c->name, of, SVG_TEXT, c->name,
                         of);
    html_escape(out, c->title);
    regret_buffer_printf(out, "</title>\n<desc id=\"%s%s-desc\">", c->name, of);
    html_escape(out, c->caption);
    regret_buffer_printf(
        out, "</desc>\n<rect class=\"paper\" width=\"%.0f\" height=\"%.0f\" fill=\"#FFFFFF\"/>\n",
        width, height);
}

void svg_end(struct regret_buffer *out)
{
    regret_buffer_append(out, "</svg>\n");
}

void svg_begin_series(struct regret_buffer *out, size_t series)
{
    regret_buffer_printf(out, "<g data-series=\"%zu\">\n", series);
}

void svg_begin_key(struct regret_buffer *out, size_t series)
{
    regret_buffer_printf(out, "<g class=\"key\" data-series=\"%zu\">\n", series);
}

void svg_end_group(struct regret_buffer *out)
{
    regret_buffer_append(out, "</g>\n");
}

/* "reward.map = smooth, cvci, n_exp 200: 0.0123, 0.0110 to 0.0136" */
void svg_begin_point(struct regret_buffer *out, const struct chart *c,
                     const struct chart_panel *panel, const struct chart_point *p)
{
    const char *series = p->series < c->n_series ? c->series[p->series].name : "";
    struct regret_buffer words = REGRET_BUFFER_INIT;
    if (panel->heading[0] != '\0') {
        regret_buffer_printf(&words, "%s, ", panel->heading);
    }
    if (p->row < c->rows.n && strcmp(c->rows.text[p->row], series) != 0) {
        regret_buffer_printf(&words, "%s, ", c->rows.text[p->row]);
    }
    regret_buffer_append(&words, series);
    if (c->kind == CHART_LINES) {
        regret_buffer_printf(&words, ", %s %.6g", c->x_name, p->x);
    } else if (p->column < c->columns.n) {
        regret_buffer_printf(&words, ", %s", c->columns.text[p->column]);
    }
    regret_buffer_printf(&words, ": %.4g", p->value);
    if (isfinite(p->low) && isfinite(p->high) && p->low < p->high) {
        regret_buffer_printf(&words, ", %.4g to %.4g", p->low, p->high);
    }
    regret_buffer_append(out, "<g class=\"point\"");
    if (p->cell > 0) {
        regret_buffer_printf(out, " data-cell=\"%zu\"", p->cell);
    }
    regret_buffer_append(out, "><title>");
    html_escape(out, regret_buffer_get(&words));
    regret_buffer_append(out, "</title>\n");
    regret_buffer_free_into(out, &words);
}

/* The width of a character of Helvetica or Arial at SVG_TEXT, rather more than less: of ASCII by its group, of
 * ideographs and pictographs, from U+3000 on, a square. Bytes after the first of a character count nothing. */
static double character_width(unsigned char byte)
{
    if ((byte & 0xC0) == 0x80) {
        return 0.0;
    }
    return byte > 0xE2                                           ? 14.0
           : byte == 'm' || byte == 'M' || byte == 'W'           ? 12.6
           : byte == 'w' || (byte >= 'A' && byte <= 'Z')         ? 10.2
           : byte != '\0' && strchr("fijltI.,:;'|!()[] -", byte) ? 4.7
                                                                 : 7.9;
}

double svg_text_width(const char *text)
{
    double width = 0.0;
    for (; *text != '\0'; text++) {
        width += character_width((unsigned char)*text);
    }
    return width;
}

/* The bytes of the characters that stand in `width`. */
static size_t bytes_within(const char *text, double width)
{
    size_t n = 0;
    for (; text[n] != '\0'; n++) {
        width -= character_width((unsigned char)text[n]);
        if (width < 0.0) {
            break;
        }
    }
    return n;
}

void svg_shorten(struct regret_buffer *out, const char *text, double width)
{
    struct regret_buffer safe = REGRET_BUFFER_INIT;
    regret_buffer_append_safe(&safe, text, SIZE_MAX);
    const char *whole = regret_buffer_get(&safe), *tail = whole;
    double rest = svg_text_width(whole);
    if (rest > width) {
        regret_buffer_append_n(out, whole, bytes_within(whole, 0.5 * (width - 14.0)));
        regret_buffer_append(out, "…");
        while (*tail != '\0' &&
               (rest > 0.5 * (width - 14.0) || ((unsigned char)*tail & 0xC0) == 0x80)) {
            rest -= character_width((unsigned char)*tail++);
        }
    }
    regret_buffer_append(out, tail);
    regret_buffer_free_into(out, &safe);
}

/* An element of text in at most `width`. */
static void put_text(struct regret_buffer *out, double x, double y, enum svg_anchor anchor,
                     double width, const char *attributes, const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    struct regret_buffer shown = REGRET_BUFFER_INIT;
    svg_shorten(&shown, text, width);
    regret_buffer_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y,
                         anchors[anchor], attributes);
    html_escape(out, regret_buffer_get(&shown));
    regret_buffer_append(out, "</text>\n");
    regret_buffer_free_into(out, &shown);
}

static const char INK[] = "class=\"ink\" fill=\"#1A1A1A\"";
static const char MUTED[] = "class=\"muted\" fill=\"#4A4A4A\"";

void svg_text(struct regret_buffer *out, double x, double y, enum svg_anchor anchor, double width,
              const char *text)
{
    put_text(out, x, y, anchor, width, INK, text);
}

void svg_muted_text(struct regret_buffer *out, double x, double y, enum svg_anchor anchor,
                    double width, const char *text)
{
    put_text(out, x, y, anchor, width, MUTED, text);
}

void svg_slanted_text(struct regret_buffer *out, double x, double y, int degrees, double width,
                      const char *text)
{
    char attributes[128];
    snprintf(attributes, sizeof attributes, "%s transform=\"rotate(-%d %.1f %.1f)\"", MUTED,
             degrees, x, y);
    put_text(out, x, y, SVG_START, width, attributes, text);
}

/* The bytes of `text` that go into a line: up to a blank where there is one. */
static size_t line_length(const char *text, double width)
{
    size_t n = bytes_within(text, width), blank = n;
    while (text[n] != '\0' && blank > 0 && text[blank] != ' ') {
        blank--;
    }
    return text[n] != '\0' && blank > 0 ? blank : n > 0 ? n : strlen(text);
}

static size_t put_lines(struct regret_buffer *out, double x, double y, double width,
                        const char *attributes, const char *text)
{
    size_t lines = 0;
    while (*text != '\0') {
        size_t n = line_length(text, width);
        if (out != NULL) {
            struct regret_buffer line = REGRET_BUFFER_INIT;
            regret_buffer_append_n(&line, text, n);
            put_text(out, x, y + SVG_LINE * (double)lines, SVG_START, 2.0 * width, attributes,
                     regret_buffer_get(&line));
            regret_buffer_free_into(out, &line);
        }
        lines++;
        text += n;
        text += *text == ' ';
    }
    return lines;
}

size_t svg_paragraph(struct regret_buffer *out, double x, double y, double width, const char *text)
{
    return put_lines(out, x, y, width, MUTED, text);
}

/* Bold letters are wider. */
static const char BOLD[] = "class=\"ink\" fill=\"#1A1A1A\" font-weight=\"bold\"";
static const double BOLD_SHARE = 0.92;

void svg_heading(struct regret_buffer *out, double x, double y, double width, const char *text)
{
    put_text(out, x, y, SVG_START, BOLD_SHARE * width, BOLD, text);
}

size_t svg_title(struct regret_buffer *out, double x, double y, double width, const char *text)
{
    return put_lines(out, x, y, BOLD_SHARE * width, BOLD, text);
}

/* ---------------------------------------------------------------- lines and shapes */

void svg_rule(struct regret_buffer *out, enum svg_rule rule, double x1, double y1, double x2,
              double y2)
{
    regret_buffer_printf(out,
                         "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                         "stroke=\"%s\"/>\n",
                         rule == SVG_AXIS ? "axis" : "grid", x1, y1, x2, y2,
                         rule == SVG_AXIS ? "#5A5A5A" : "#E0E0E0");
}

static void put_line_style(struct regret_buffer *out, int k)
{
    const struct chart_style *s = chart_style(k);
    regret_buffer_printf(out, "class=\"line s%d\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"",
                         k, s->colour);
    if (s->dash != NULL) {
        regret_buffer_printf(out, " stroke-dasharray=\"%s\"", s->dash);
    }
}

void svg_line(struct regret_buffer *out, int k, double x1, double y1, double x2, double y2)
{
    svg_polyline(out, k, (const double[]){x1, x2}, (const double[]){y1, y2}, 2);
}

static void put_points(struct regret_buffer *out, const double *x, const double *y, size_t n)
{
    regret_buffer_append(out, " d=\"");
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', x[i], y[i]);
    }
}

void svg_polyline(struct regret_buffer *out, int k, const double *x, const double *y, size_t n)
{
    regret_buffer_append(out, "<path ");
    put_line_style(out, k);
    put_points(out, x, y, n);
    regret_buffer_append(out, "\"/>\n");
}

void svg_band(struct regret_buffer *out, int k, const double *x, const double *y, size_t n)
{
    regret_buffer_printf(out, "<path class=\"band s%d\" fill=\"%s\" fill-opacity=\"0.11\"", k,
                         chart_style(k)->colour);
    put_points(out, x, y, n);
    regret_buffer_append(out, "z\"/>\n");
}

/* The paths of marks around (0, 0). */
static const char *const marks[] = {
    [MARK_DISC] = "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
    [MARK_SQUARE] = "M-4.5 -4.5h9v9h-9z",
    [MARK_TRIANGLE] = "M0 -6l5.7 10h-11.4z",
    [MARK_TRIANGLE_DOWN] = "M0 6l5.7 -10h-11.4z",
    [MARK_DIAMOND] = "M0 -6.4l5 6.4l-5 6.4l-5 -6.4z",
    [MARK_CROSS] = "M-4.5 -4.5l9 9m0 -9l-9 9",
    [MARK_PLUS] = "M-5.5 0h11m-5.5 -5.5v11",
    [MARK_RING] = "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
    [MARK_FRAME] = "M-4 -4h8v8h-8z",
    [MARK_DIAMOND_FRAME] = "M0 -6l4.6 6l-4.6 6l-4.6 -6z",
    [MARK_TRIANGLE_FRAME] = "M0 -5.5l5 9h-10z",
    [MARK_STAR] = "M-5 0h10m-7.5 -4.4l5 8.8m0 -8.8l-5 8.8",
};

static void put_marker(struct regret_buffer *out, int k, double x, double y, int filled)
{
    const struct chart_style *s = chart_style(k);
    if (s->mark == MARK_NONE) {
        return;
    }
    regret_buffer_printf(out,
                         filled ? "<path class=\"fill s%d\" fill=\"%s\""
                                : "<path class=\"line s%d\" fill=\"none\" stroke-width=\"2\" "
                                  "stroke=\"%s\"",
                         k, s->colour);
    regret_buffer_printf(out, " transform=\"translate(%.1f %.1f)\" d=\"%s\"/>\n", x, y,
                         marks[s->mark]);
}

void svg_marker(struct regret_buffer *out, int k, double x, double y)
{
    put_marker(out, k, x, y, chart_style(k)->mark <= MARK_DIAMOND);
}

void svg_hollow_marker(struct regret_buffer *out, int k, double x, double y)
{
    put_marker(out, k, x, y, 0);
}

void svg_bar(struct regret_buffer *out, int k, double x, double y)
{
    regret_buffer_printf(out,
                         "<path class=\"line s%d\" fill=\"none\" stroke=\"%s\" stroke-width=\"3\" "
                         "d=\"M%.1f %.1fv12\"/>\n",
                         k, chart_style(k)->colour, x, y - 6.0);
}

void svg_beyond(struct regret_buffer *out, int k, double x, double y)
{
    regret_buffer_printf(out, "<path class=\"fill s%d\" fill=\"%s\" d=\"M%.1f %.1fl9 5l-9 5z\"/>\n",
                         k, chart_style(k)->colour, x - 9.0, y - 5.0);
}

void svg_dot(struct regret_buffer *out, int k, double x, double y)
{
    regret_buffer_printf(out,
                         "<circle class=\"fill s%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\" fill=\"%s\" "
                         "fill-opacity=\"0.45\"/>\n",
                         k, x, y, chart_style(k)->colour);
}

void svg_tile(struct regret_buffer *out, int k, double x, double y, double width, double height,
              double opacity, int dashed)
{
    const char *colour = chart_style(k)->colour;
    regret_buffer_printf(out,
                         "<rect class=\"tile s%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                         "height=\"%.1f\" fill=\"%s\" fill-opacity=\"%.3f\" stroke=\"%s\" "
                         "stroke-opacity=\"%s\"%s/>\n",
                         k, x, y, width, height, colour, opacity, colour, dashed ? "1" : "0.35",
                         dashed ? " stroke-dasharray=\"3 3\"" : "");
}

/* ---------------------------------------------------------------- axes */

/* A horizontal axis shorter than this has fewer labels, and a name that ends where it does. */
static const double SHORT_AXIS = 400.0;

struct svg_axis svg_axis(double low, double high, double begin, double end)
{
    double size = fmax(fabs(low), fabs(high));
    if (!(high - low > fmax(DBL_MIN * 1e9, 1e-12 * size))) { /* one value, as far as digits go */
        double half = fmax(0.5, 0.1 * size);
        low -= half;
        high += half;
    }
    double steps =
        end > begin && end - begin < SHORT_AXIS ? 3.5 : 7.0; /* labels stand side by side */
    double raw = (high - low) / steps, power = pow(10.0, floor(log10(raw)));
    double digit = raw / power;
    double step = power * (digit <= 1.0 ? 1.0 : digit <= 2.0 ? 2.0 : digit <= 5.0 ? 5.0 : 10.0);
    return (struct svg_axis){
        floor(low / step) * step, ceil(high / step) * step, step, begin, end, 0};
}

/* 1, 2 and 5 of every decade up to two decades and a half, then 1 alone, then fewer. */
static double log_tick(int per_decade, int every, long i)
{
    if (per_decade == 1) {
        return pow(10.0, (double)(i * every));
    }
    double decade = floor((double)i / 3.0);
    long place = i - 3 * (long)decade;
    return (place == 0 ? 1.0 : place == 1 ? 2.0 : 5.0) * pow(10.0, decade);
}

struct svg_axis svg_log_axis(double low, double high, double begin, double end)
{
    double decades = log10(high) - log10(low);
    int per_decade = decades <= 2.5 ? 3 : 1, every = decades <= 8.0 ? 1 : (int)ceil(decades / 8.0);
    long first = (long)floor(per_decade * log10(low) / every) - 2;
    while (log_tick(per_decade, every, first + 1) <= low * (1.0 + 1e-9)) {
        first++;
    }
    long last = first + 1;
    while (log_tick(per_decade, every, last) < high * (1.0 - 1e-9)) {
        last++;
    }
    return (struct svg_axis){log_tick(per_decade, every, first),
                             log_tick(per_decade, every, last),
                             per_decade == 3 ? 0.0 : every,
                             begin,
                             end,
                             1};
}

double svg_at(const struct svg_axis *a, double value)
{
    double share = a->log ? (log(value) - log(a->low)) / (log(a->high) - log(a->low))
                          : (value - a->low) / (a->high - a->low);
    return a->begin + fmin(fmax(share, 0.0), 1.0) * (a->end - a->begin);
}

int svg_tick(const struct svg_axis *a, int i, double *value)
{
    if (!a->log) {
        *value = a->low + a->step * i;
        *value = fabs(*value) < 1e-9 * a->step ? 0.0 : *value;
        return *value <= a->high + 1e-6 * a->step;
    }
    int per_decade = a->step > 0.0 ? 1 : 3, every = a->step > 0.0 ? (int)a->step : 1;
    long first = (long)floor(per_decade * log10(a->low) / every) - 2;
    while (log_tick(per_decade, every, first) < a->low * (1.0 - 1e-9)) {
        first++;
    }
    *value = log_tick(per_decade, every, first + i);
    return *value <= a->high * (1.0 + 1e-9);
}

/* In as many digits as tell a tick from the next, four at least. */
static void put_tick(char *label, size_t room, const struct svg_axis *a, double value)
{
    double size = fmax(fabs(a->low), fabs(a->high));
    int digits = a->step > 0.0 && !a->log ? (int)ceil(log10(size / a->step)) + 1 : 0;
    snprintf(label, room, "%.*g", digits < 4 ? 4 : digits > 15 ? 15 : digits, value);
}

void svg_axis_name(struct regret_buffer *out, double x, double y, enum svg_anchor anchor,
                   double width, const char *name, int is_log)
{
    struct regret_buffer whole = REGRET_BUFFER_INIT;
    regret_buffer_printf(&whole, "%s%s", name, is_log ? " (log scale)" : "");
    svg_muted_text(out, x, y, anchor, width, regret_buffer_get(&whole));
    regret_buffer_free_into(out, &whole);
}

void svg_axis_x(struct regret_buffer *out, const struct svg_axis *a, double y1, double y2,
                const char *name)
{
    double value = 0.0, middle = 0.5 * (a->begin + a->end), free_from = -INFINITY;
    for (int i = 0; svg_tick(a, i, &value); i++) {
        char label[32];
        double x = svg_at(a, value);
        put_tick(label, sizeof label, a, value);
        double half = 0.5 * svg_text_width(label);
        svg_rule(out, value == 0.0 ? SVG_AXIS : SVG_GRID, x, y1, x, y2);
        if (x - half >= free_from) { /* ticks of a logarithm may be close */
            svg_muted_text(out, x, y2 + 18.0, SVG_MIDDLE, 120.0, label);
            free_from = x + half + 4.0;
        }
    }
    if (a->end - a->begin < SHORT_AXIS) {
        svg_axis_name(out, a->end + 12.0, y2 + 40.0, SVG_END, a->end, name, a->log);
    } else {
        svg_axis_name(out, middle, y2 + 40.0, SVG_MIDDLE, a->end - a->begin + 120.0, name, a->log);
    }
}

void svg_axis_y(struct regret_buffer *out, const struct svg_axis *a, double x1, double x2,
                const char *name)
{
    double value = 0.0;
    for (int i = 0; svg_tick(a, i, &value); i++) {
        char label[32];
        double y = svg_at(a, value);
        put_tick(label, sizeof label, a, value);
        svg_rule(out, value == 0.0 ? SVG_AXIS : SVG_GRID, x1, y, x2, y);
        svg_muted_text(out, x1 - 8.0, y + 5.0, SVG_END, 120.0, label);
    }
    svg_axis_name(out, x1 - 52.0, a->end - 14.0, SVG_START, x2 - x1 + 40.0, name, a->log);
}
