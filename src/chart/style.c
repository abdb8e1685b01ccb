#include "chart/style.h"

#include <stddef.h>

static const struct chart_style styles[CHART_N_STYLES] = {
    {"#D55E00", MARK_DISC, NULL, "*", "solid"},
    {"#0072B2", MARK_SQUARE, NULL, "square*", "solid"},
    {"#B8860B", MARK_TRIANGLE_DOWN, NULL, "triangle*,mark options={rotate=180}", "solid"},
    {"#009E73", MARK_TRIANGLE, NULL, "triangle*", "solid"},
    {"#B65C9A", MARK_DIAMOND, NULL, "diamond*", "solid"},
    {"#8C564B", MARK_CROSS, NULL, "x", "solid"},
    {"#3391C7", MARK_PLUS, NULL, "+", "solid"},
    {"#6B7A00", MARK_RING, NULL, "o", "solid"},
    {"#6A5ACD", MARK_FRAME, NULL, "square", "solid"},
    {"#008080", MARK_DIAMOND_FRAME, NULL, "diamond", "solid"},
    {"#C2185B", MARK_TRIANGLE_FRAME, NULL, "triangle", "solid"},
    {"#5F7A8A", MARK_STAR, NULL, "asterisk", "solid"},
    {"#757575", MARK_NONE, "7 4", "none", "dashed"},
    {"#757575", MARK_NONE, "2 4", "none", "dotted"},
    {"#757575", MARK_NONE, "10 3 2 3", "none", "dash dot"},
    {"#757575", MARK_NONE, "12 6", "none", "loosely dashed"},
    {"#757575", MARK_NONE, "2 8", "none", "loosely dotted"},
    {"#757575", MARK_NONE, "10 3 2 3 2 3", "none", "dash dot dot"},
    {"#757575", MARK_NONE, "10 6 2 6", "none", "loosely dash dot"},
};

const struct chart_style *chart_style(int k)
{
    return &styles[k];
}
