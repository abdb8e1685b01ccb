#include "report/svg.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"

/* Okabe and Ito, "Color Universal Design": blue, bluish green, vermilion, black. */
static const char *const colours[SVG_MAX_SERIES] = {"#0072B2", "#009E73", "#D55E00", "#000000"};

const char *svg_colour(int k)
{
    return colours[k];
}

void svg_begin(struct regret_text *out, double width, double height, const char *title,
               const char *description)
{
    regret_text_printf(out,
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                       "viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-labelledby=\"title desc\" "
                       "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"14\">\n"
                       "<title id=\"title\">",
                       width, height, width, height);
    html_escape(out, title);
    regret_text_append(out, "</title>\n<desc id=\"desc\">");
    html_escape(out, description);
    regret_text_printf(out, "</desc>\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#FFFFFF\"/>\n",
                       width, height);
    svg_heading(out, 16.0, 26.0, title);
}

void svg_end(struct regret_text *out)
{
    regret_text_append(out, "</svg>\n");
}

void svg_text(struct regret_text *out, double x, double y, enum svg_anchor anchor, const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    regret_text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#222222\">", x,
                       y, anchors[anchor]);
    html_escape(out, text);
    regret_text_append(out, "</text>\n");
}

void svg_heading(struct regret_text *out, double x, double y, const char *text)
{
    regret_text_printf(
        out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"16\" font-weight=\"bold\" fill=\"#111111\">",
        x, y);
    html_escape(out, text);
    regret_text_append(out, "</text>\n");
}

static void grid_line(struct regret_text *out, double x1, double y1, double x2, double y2,
                      int strong)
{
    regret_text_printf(out,
                       "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                       "stroke-width=\"1\"/>\n",
                       x1, y1, x2, y2, strong ? "#555555" : "#DDDDDD");
}

void svg_line(struct regret_text *out, int k, double x1, double y1, double x2, double y2)
{
    regret_text_printf(out,
                       "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                       "stroke-width=\"2\"/>\n",
                       x1, y1, x2, y2, colours[k]);
}

void svg_marker(struct regret_text *out, int k, double x, double y)
{
    switch (k) {
    case SVG_BLUE_DISC:
        regret_text_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>\n", x, y,
                           colours[k]);
        break;
    case SVG_GREEN_SQUARE:
        regret_text_printf(out,
                           "<rect x=\"%.1f\" y=\"%.1f\" width=\"9\" height=\"9\" fill=\"%s\"/>\n",
                           x - 4.5, y - 4.5, colours[k]);
        break;
    default:
        regret_text_printf(out, "<path d=\"M%.1f %.1f l6 10 h-12 z\" fill=\"%s\"/>\n", x, y - 6.0,
                           colours[k]);
    }
}

/* Roughly how wide a text stands at 14 pixels. */
static double text_width(const char *text)
{
    double n = 0.0;
    for (; *text != '\0'; text++) {
        n += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return 7.4 * n;
}

void svg_legend(struct regret_text *out, double x, double y, const char *const *names,
                const int *styles, int n)
{
    for (int k = 0; k < n; k++) {
        svg_line(out, styles[k], x, y, x + 24.0, y);
        svg_marker(out, styles[k], x + 12.0, y);
        svg_text(out, x + 30.0, y + 5.0, SVG_START, names[k]);
        x += 54.0 + text_width(names[k]);
    }
}

struct svg_axis svg_axis(double low, double high, double begin, double end)
{
    if (!(high - low > DBL_MIN * 1e9)) {
        double middle = isfinite(low) ? low : 0.0;
        low = middle - 0.5;
        high = middle + 0.5;
    }
    double raw = (high - low) / 8.0, power = pow(10.0, floor(log10(raw)));
    double digit = raw / power;
    double step = power * (digit <= 1.0 ? 1.0 : digit <= 2.0 ? 2.0 : digit <= 5.0 ? 5.0 : 10.0);
    return (struct svg_axis){floor(low / step) * step, ceil(high / step) * step, step, begin, end};
}

double svg_at(const struct svg_axis *a, double value)
{
    return a->begin + (value - a->low) / (a->high - a->low) * (a->end - a->begin);
}

static int axis_ticks(const struct svg_axis *a)
{
    return (int)floor((a->high - a->low) / a->step + 0.5) + 1;
}

static double tick_value(const struct svg_axis *a, int i)
{
    double value = a->low + a->step * i;
    return fabs(value) < 1e-9 * a->step ? 0.0 : value;
}

void svg_axis_x(struct regret_text *out, const struct svg_axis *a, double y1, double y2,
                const char *name)
{
    for (int i = 0; i < axis_ticks(a); i++) {
        char label[32];
        double value = tick_value(a, i), x = svg_at(a, value);
        snprintf(label, sizeof label, "%.4g", value);
        grid_line(out, x, y1, x, y2, value == 0.0);
        svg_text(out, x, y2 + 18.0, SVG_MIDDLE, label);
    }
    svg_text(out, 0.5 * (a->begin + a->end), y2 + 40.0, SVG_MIDDLE, name);
}

void svg_axis_y(struct regret_text *out, const struct svg_axis *a, double x1, double x2,
                const char *name)
{
    for (int i = 0; i < axis_ticks(a); i++) {
        char label[32];
        double value = tick_value(a, i), y = svg_at(a, value);
        snprintf(label, sizeof label, "%.4g", value);
        grid_line(out, x1, y, x2, y, value == 0.0);
        svg_text(out, x1 - 8.0, y + 5.0, SVG_END, label);
    }
    svg_text(out, x1 - 48.0, a->end - 12.0, SVG_START, name);
}
