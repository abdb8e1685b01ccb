/* The three kinds of pictures: intervals by row, lines over levels, densities. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "report/svg.h"

static const double WIDTH = 860.0, TOP = 76.0, BOTTOM = 56.0;

/* The range that holds every interval and zero. */
static void find_range(double *low, double *high, const struct svg_point *points, size_t n)
{
    *low = *high = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(points[i].value)) {
            *low = fmin(*low, fmin(points[i].value, points[i].low));
            *high = fmax(*high, fmax(points[i].value, points[i].high));
        }
    }
}

void svg_intervals(struct regret_text *out, const struct svg_intervals *f)
{
    const double left = 330.0, row = 14.0 + 20.0 * f->n_series;
    double height = TOP + row * (double)f->n_rows + BOTTOM, low = 0.0, high = 0.0;
    find_range(&low, &high, f->points, f->n_rows * (size_t)f->n_series);
    struct svg_axis x = svg_axis(low, high, left, WIDTH - 28.0);
    svg_begin(out, WIDTH, height, f->title, f->description);
    svg_legend(out, 16.0, 52.0, f->series, f->styles, f->n_series);
    svg_axis_x(out, &x, TOP, height - BOTTOM, f->x_name);
    for (size_t i = 0; i < f->n_rows; i++) {
        double middle = TOP + row * ((double)i + 0.5);
        svg_text(out, left - 14.0, middle + 5.0, SVG_END, f->labels[i]);
        for (int k = 0; k < f->n_series; k++) {
            const struct svg_point *p = &f->points[i * (size_t)f->n_series + (size_t)k];
            double y = middle + 20.0 * (k - 0.5 * (f->n_series - 1));
            if (isnan(p->value)) {
                svg_text(out, svg_at(&x, 0.0) + 8.0, y + 5.0, SVG_START, f->missing);
                continue;
            }
            if (!isnan(p->low) && !isnan(p->high)) {
                svg_line(out, f->styles[k], svg_at(&x, p->low), y, svg_at(&x, p->high), y);
            }
            svg_marker(out, f->styles[k], svg_at(&x, p->value), y);
        }
    }
    svg_end(out);
}

void svg_lines(struct regret_text *out, const struct svg_lines *f)
{
    const double left = 80.0, height = 460.0;
    double low = 0.0, high = 0.0;
    find_range(&low, &high, f->points, f->n_x * (size_t)f->n_series);
    struct svg_axis y = svg_axis(low, high, height - BOTTOM, TOP + 26.0);
    struct svg_axis x = svg_axis(f->x[0], f->x[f->n_x - 1], left + 20.0, WIDTH - 40.0);
    svg_begin(out, WIDTH, height, f->title, f->description);
    svg_legend(out, 16.0, 52.0, f->series, f->styles, f->n_series);
    svg_axis_y(out, &y, left, WIDTH - 28.0, f->y_name);
    svg_axis_x(out, &x, TOP + 26.0, height - BOTTOM, f->x_name);
    for (int k = 0; k < f->n_series; k++) {
        const struct svg_point *before = NULL;
        double x_before = 0.0;
        for (size_t i = 0; i < f->n_x; i++) {
            const struct svg_point *p = &f->points[(size_t)k * f->n_x + i];
            /* Side by side, so that intervals do not hide one another. */
            double at = svg_at(&x, f->x[i]) + 5.0 * (k - 0.5 * (f->n_series - 1));
            if (isnan(p->value)) {
                continue;
            }
            if (before != NULL) {
                svg_line(out, f->styles[k], x_before, svg_at(&y, before->value), at,
                         svg_at(&y, p->value));
            }
            if (!isnan(p->low) && !isnan(p->high)) {
                svg_line(out, f->styles[k], at, svg_at(&y, p->low), at, svg_at(&y, p->high));
            }
            svg_marker(out, f->styles[k], at, svg_at(&y, p->value));
            before = p;
            x_before = at;
        }
    }
    svg_end(out);
}

enum { BINS = 512 };

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Silverman's rule of thumb: 0.9 min(sd, IQR/1.34) n^(-1/5); the sample is sorted. */
static double bandwidth(const double *sorted, size_t n)
{
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        mean += sorted[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        squares += (sorted[i] - mean) * (sorted[i] - mean);
    }
    double sd = n > 1 ? sqrt(squares / (double)(n - 1)) : 0.0;
    double iqr = (sorted[3 * (n - 1) / 4] - sorted[(n - 1) / 4]) / 1.34;
    double spread = iqr > 0.0 ? fmin(sd, iqr) : sd;
    return 0.9 * spread * pow((double)n, -0.2);
}

/* A Gaussian kernel estimate on the axis, by way of bins: O(n + BINS²). */
static void estimate_density(double density[BINS], const double *sorted, size_t n,
                             const struct svg_axis *x)
{
    double counts[BINS] = {0.0}, step = (x->high - x->low) / (BINS - 1);
    double h = fmax(bandwidth(sorted, n), 2.0 * step);
    for (size_t i = 0; i < n; i++) {
        counts[(size_t)((sorted[i] - x->low) / step + 0.5)] += 1.0;
    }
    for (int i = 0; i < BINS; i++) {
        density[i] = 0.0;
        for (int j = 0; j < BINS; j++) {
            double u = step * (i - j) / h;
            density[i] += counts[j] > 0.0 ? counts[j] * exp(-0.5 * u * u) : 0.0;
        }
        density[i] /= (double)n * h * sqrt(2.0 * 3.14159265358979323846);
    }
}

static void draw_curve(struct regret_text *out, int k, int dashed, const double density[BINS],
                       const struct svg_axis *x, const struct svg_axis *y)
{
    regret_text_printf(out,
                       "<path fill=\"%s\" fill-opacity=\"0.15\" stroke=\"%s\" "
                       "stroke-width=\"2\"%s d=\"M%.1f %.1f",
                       svg_colour(k), svg_colour(k), dashed ? " stroke-dasharray=\"7 4\"" : "",
                       x->begin, svg_at(y, 0.0));
    for (int i = 0; i < BINS; i += 2) {
        double value = x->low + (x->high - x->low) * i / (BINS - 1);
        regret_text_printf(out, " L%.1f %.1f", svg_at(x, value), svg_at(y, density[i]));
    }
    regret_text_printf(out, " L%.1f %.1f\"/>\n", x->end, svg_at(y, 0.0));
}

static size_t sort_sample(double *sorted, const double *sample, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(sample[i])) {
            sorted[kept++] = sample[i];
        }
    }
    qsort(sorted, kept, sizeof *sorted, compare_numbers);
    return kept;
}

static void draw_density_frame(struct regret_text *out, const struct svg_densities *f,
                               const struct svg_axis *x, const struct svg_axis *y)
{
    svg_begin(out, WIDTH, 420.0, f->title, f->description);
    svg_legend(out, 16.0, 52.0, f->series, f->styles, f->n_series);
    svg_axis_y(out, y, 80.0, WIDTH - 28.0, "density");
    svg_axis_x(out, x, TOP + 26.0, 420.0 - BOTTOM, f->x_name);
}

int svg_densities(struct regret_text *out, const struct svg_densities *f)
{
    double *sorted = NULL, *density = NULL, low = INFINITY, high = -INFINITY, top = 0.0;
    size_t kept[SVG_MAX_SERIES];
    int rc;
    TRY_CLEANUP(REGRET_NEW(&sorted, f->n * (size_t)f->n_series + 1));
    TRY_CLEANUP(REGRET_NEW(&density, (size_t)BINS * SVG_MAX_SERIES));
    for (int k = 0; k < f->n_series; k++) {
        double *own = sorted + (size_t)k * f->n;
        kept[k] = sort_sample(own, f->samples[k], f->n);
        low = kept[k] > 0 ? fmin(low, own[0]) : low;
        high = kept[k] > 0 ? fmax(high, own[kept[k] - 1]) : high;
    }
    struct svg_axis x =
        svg_axis(low - 0.08 * (high - low), high + 0.08 * (high - low), 80.0, WIDTH - 28.0);
    for (int k = 0; k < f->n_series; k++) {
        if (kept[k] > 0) {
            estimate_density(density + (size_t)k * BINS, sorted + (size_t)k * f->n, kept[k], &x);
        }
        for (int i = 0; i < BINS; i++) {
            top = fmax(top, density[k * BINS + i]);
        }
    }
    struct svg_axis y = svg_axis(0.0, top, 420.0 - BOTTOM, TOP + 26.0);
    draw_density_frame(out, f, &x, &y);
    for (int k = 0; k < f->n_series; k++) {
        if (kept[k] > 0) {
            draw_curve(out, f->styles[k], k > 0, density + (size_t)k * BINS, &x, &y);
        }
    }
    svg_end(out);
    rc = regret_text_status(out);
cleanup:
    regret_free(sorted);
    regret_free(density);
    return rc;
}
