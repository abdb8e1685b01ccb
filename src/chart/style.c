#include "chart/style.h"

#include <stddef.h>

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
