/* Twelve styles for series that the colour-blind tell apart, each a colour and a mark of its own, and
 * five for what series are held against. Colours have a contrast of 3 or more on white and on #16181C.
 * The first six are Okabe and Ito's, "Color Universal Design", two of them darkened. */
#ifndef REGRET_CHART_STYLE_H
#define REGRET_CHART_STYLE_H

enum {
    CHART_N_SERIES_STYLES = 12,
    /* Grey and dashed. */
    CHART_STYLE_REFERENCE = CHART_N_SERIES_STYLES,
    CHART_STYLE_REFERENCE_2,
    CHART_STYLE_REFERENCE_3,
    CHART_STYLE_REFERENCE_4,
    CHART_STYLE_REFERENCE_5,
    CHART_STYLE_REFERENCE_6,
    CHART_STYLE_REFERENCE_7,
    CHART_N_STYLES
};

enum chart_mark {
    MARK_DISC,
    MARK_SQUARE,
    MARK_TRIANGLE,
    MARK_TRIANGLE_DOWN,
    MARK_DIAMOND,
    MARK_CROSS,
    MARK_PLUS,
    MARK_RING,
    MARK_FRAME,
    MARK_DIAMOND_FRAME,
    MARK_TRIANGLE_FRAME,
    MARK_STAR,
    MARK_NONE
};

struct chart_style {
    const char *colour; /* "#0072B2" */
    enum chart_mark mark;
    const char *dash; /* stroke-dasharray, or NULL */
};

/* k in [0, CHART_N_STYLES). */
const struct chart_style *chart_style(int k);

#endif
