/* A figure of every kind for every shape of data that an axis can have, as files for check_figures.py.
 * usage: planted FOLDER */
#include <math.h>
#include <stdio.h>

#include "chart/chart.h"

enum { SERIES = 3, LEVELS = 4 };

/* The value of series k at level i of a shape. */
struct shape {
    const char *name;
    double from, step;
    int one_point;
};

static const struct shape shapes[] = {
    {"negative", -0.9, 0.06, 0},    {"positive", 0.013, 0.05, 0},  {"mixed", -0.31, 0.057, 0},
    {"one-negative", -0.4, 0.0, 1}, {"one-positive", 7.0, 0.0, 1}, {"one-huge", 3e17, 0.0, 1},
    {"one-tiny", -2e-11, 0.0, 1},   {"huge", -4e12, 7.3e11, 0},    {"tiny", -3e-13, 5.1e-14, 0},
    {"far", 123456.7, 0.01, 0},     {"none", 0.0, 0.0, 0},         {"spread", 1e-4, 30.0, 0},
    {"vast", -8e305, 1.4e305, 0},
};

static const struct {
    const char *name;
    enum chart_kind kind;
    int limited, numbered, from_zero;
    enum chart_scale y_scale;
} kinds[] = {
    {"lines", CHART_LINES, 0, 0, 0, CHART_LINEAR},
    {"lines-log", CHART_LINES, 0, 0, 0, CHART_LOG},
    {"lines-spread", CHART_LINES, 0, 0, 0, CHART_SPREAD},
    {"lines-zero", CHART_LINES, 0, 0, 1, CHART_LINEAR},
    {"intervals", CHART_INTERVALS, 0, 0, 0, CHART_LINEAR},
    {"intervals-numbered", CHART_INTERVALS, 0, 1, 0, CHART_LINEAR},
    {"intervals-limited", CHART_INTERVALS, 1, 0, 0, CHART_LINEAR},
    {"intervals-zero", CHART_INTERVALS, 0, 0, 1, CHART_LINEAR},
    {"strips", CHART_STRIPS, 0, 0, 0, CHART_LINEAR},
    {"winners", CHART_WINNERS, 0, 0, 0, CHART_LINEAR},
    {"shares", CHART_SHARES, 0, 0, 0, CHART_LINEAR},
    {"ranks", CHART_RANKS, 0, 0, 0, CHART_LINEAR},
};

static void plant(struct chart *c, const struct shape *shape, int panel)
{
    int series = shape->one_point ? 1 : SERIES, levels = shape->one_point ? 1 : LEVELS;
    int grid = c->kind == CHART_WINNERS || c->kind == CHART_SHARES;
    chart_panel(c, "panel %d", panel);
    for (int k = 0; k < series; k++) {
        for (int i = 0; i < (c->kind == CHART_RANKS ? 1 : levels); i++) {
            double value = shape->from + shape->step * (k * LEVELS + i + panel);
            double half = shape->one_point ? 0.0 : 0.4 * shape->step * (1 + i);
            value = c->kind == CHART_SHARES  ? (double)(k + i) / (SERIES + LEVELS)
                    : c->kind == CHART_RANKS ? 1.0 + 0.7 * k
                                             : value;
            chart_point(c, (struct chart_point){.series = (size_t)k,
                                                .row = (size_t)i,
                                                .column = grid ? (size_t)k : 0,
                                                .x = 100.0 * (i + 1),
                                                .value = value,
                                                .low = value - half,
                                                .high = value + 1.5 * half,
                                                .flags = i % 2 ? CHART_TIE : 0});
        }
    }
}

int main(int argc, char **argv)
{
    for (size_t t = 0; argc == 2 && t < sizeof kinds / sizeof *kinds; t++) {
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            struct chart c;
            char name[64];
            snprintf(name, sizeof name, "%s-%s", kinds[t].name, shapes[s].name);
            chart_begin(&c, kinds[t].kind, name, "%s", name);
            chart_axes(&c, "x", "y");
            c.y_scale = kinds[t].y_scale;
            c.from_zero = kinds[t].from_zero;
            c.numbered = kinds[t].numbered;
            c.limit = kinds[t].limited ? fmax(shapes[s].from + 3.5 * shapes[s].step, 0.0) : 0.0;
            c.decimals = 4;
            for (int i = 0; i < LEVELS; i++) {
                chart_row(&c, "row %d", i);
                chart_series(&c, i, "series %d", i);
                chart_column(&c, "column %d", i);
            }
            for (int panel = 0; panel < (kinds[t].kind == CHART_RANKS ? 1 : 2); panel++) {
                plant(&c, &shapes[s], panel);
            }
            if (chart_save(argv[1], &c) != REGRET_OK) {
                fprintf(stderr, "%s: %s\n", name, regret_error_message());
                return 1;
            }
        }
    }
    return argc == 2 ? 0 : 2;
}
