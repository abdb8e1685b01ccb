/* Kernel densities, one a series. */
#include <math.h>

#include "base/core/try.h"
#include "chart/density.h"
#include "chart/svg.h"
#include "regret/alloc.h"
#include "regret/quantile.h"

enum { BINS = DENSITY_BINS };

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

double density_x(const struct densities *d, int i)
{
    return d->low + (d->high - d->low) * i / (BINS - 1);
}

/* A Gaussian kernel estimate, by way of bins. */
static void estimate_density(double density[BINS], const double *sorted, size_t n,
                             const struct densities *d)
{
    double counts[BINS] = {0.0}, step = (d->high - d->low) / (BINS - 1);
    double h = fmax(bandwidth(sorted, n), 2.0 * step);
    for (size_t i = 0; i < n; i++) {
        counts[(size_t)((sorted[i] - d->low) / step + 0.5)] += 1.0;
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

/* The finite values of a series of the panel, sorted. */
static size_t gather_sample(double *sorted, const struct chart_panel *panel, size_t series)
{
    size_t n = 0;
    for (size_t j = 0; j < panel->n_points; j++) {
        if (panel->points[j].series == series && isfinite(panel->points[j].value)) {
            sorted[n++] = panel->points[j].value;
        }
    }
    regret_sort_numbers(sorted, n);
    return n;
}

int densities_make(struct densities *out, const struct chart *c, double low, double high)
{
    struct densities d = {low, high, NULL, 0.0};
    double *sorted = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&d.curve, c->n_series));
    TRY_CLEANUP(REGRET_NEW(&sorted, c->panels[0].n_points));
    for (size_t k = 0; k < c->n_series; k++) {
        size_t n = gather_sample(sorted, &c->panels[0], k);
        if (n > 0) {
            estimate_density(d.curve[k], sorted, n, &d);
        }
        for (int i = 0; i < BINS; i++) {
            d.most = fmax(d.most, d.curve[k][i]);
        }
    }
    *out = d;
    d.curve = NULL;
cleanup:
    regret_free(sorted);
    densities_free(&d);
    return rc;
}

void densities_free(struct densities *d)
{
    regret_free(d->curve);
    d->curve = NULL;
}

static void draw_curve(struct regret_buffer *out, int style, int dashed, const struct densities *d,
                       size_t k, const struct svg_axis *x, const struct svg_axis *y)
{
    const char *colour = chart_style(style)->colour;
    regret_buffer_printf(out,
                         "<path class=\"density s%d\" fill=\"%s\" fill-opacity=\"0.15\" "
                         "stroke=\"%s\" stroke-width=\"2\"%s d=\"M%.1f %.1f",
                         style, colour, colour, dashed ? " stroke-dasharray=\"7 4\"" : "", x->begin,
                         svg_at(y, 0.0));
    for (int i = 0; i < BINS; i += 2) {
        regret_buffer_printf(out, " L%.1f %.1f", svg_at(x, density_x(d, i)),
                             svg_at(y, d->curve[k][i]));
    }
    regret_buffer_printf(out, " L%.1f %.1f\"/>\n", x->end, svg_at(y, 0.0));
}

int svg_draw_densities(struct regret_buffer *out, const struct chart *c)
{
    const double top = svg_head(NULL, c) + 26.0, bottom = top + 300.0;
    struct densities d;
    double low = 0.0, high = 0.0;
    svg_range(&low, &high, c);
    struct svg_axis x =
        svg_axis(low - 0.08 * (high - low), high + 0.08 * (high - low), 80.0, svg_width(c) - 28.0);
    TRY(densities_make(&d, c, x.low, x.high));
    struct svg_axis y = svg_axis(0.0, d.most, bottom, top);
    svg_begin(out, c, bottom + 56.0);
    svg_head(out, c);
    svg_axis_y(out, &y, 80.0, svg_width(c) - 28.0, "density");
    svg_axis_x(out, &x, top, bottom, c->x_name);
    for (size_t k = 0; k < c->n_series; k++) {
        svg_begin_series(out, k);
        draw_curve(out, c->series[k].style, k > 0, &d, k, &x, &y);
        svg_end_group(out);
    }
    svg_end(out);
    densities_free(&d);
    return REGRET_OK;
}
