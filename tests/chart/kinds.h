/* A chart of every kind, small and full. */
#ifndef REGRET_TESTS_CHART_KINDS_H
#define REGRET_TESTS_CHART_KINDS_H

#include <math.h>

#include "chart/chart.h"
#include "chart/svg.h"

/* `series` series and `levels` rows, columns or x of each; every text is `word`. */
static inline void make_chart(struct chart *c, enum chart_kind kind, size_t series, size_t levels,
                              const char *word)
{
    chart_begin(c, kind, "made-up", "%s", word);
    chart_facts(c, "%s", word);
    chart_caption(c, "%s", word);
    chart_axes(c, word, word);
    for (size_t k = 0; k < series; k++) {
        chart_series(c, (int)(k % CHART_N_STYLES), "%s", word);
    }
    int columns = kind == CHART_WINNERS || kind == CHART_SHARES;
    for (size_t i = 0; i < levels; i++) {
        chart_row(c, "%s", word);
        if (columns) {
            chart_column(c, "%s", word);
        }
    }
    for (int panel = 0; panel < 3; panel++) {
        chart_panel(c, "%s", word);
        for (size_t k = 0; k < series; k++) {
            for (size_t i = 0; i < levels; i++) {
                double value = 0.1 + 0.5 * fabs(sin((double)(k * 31 + i * 7 + (size_t)panel)));
                chart_point(c, (struct chart_point){.series = k,
                                                    .row = i,
                                                    .column = columns ? (i + k) % levels : 0,
                                                    .x = (double)i,
                                                    .value = value,
                                                    .low = value - 0.05,
                                                    .high = value + 0.05,
                                                    .flags = i % 2 ? CHART_TIE : 0});
            }
        }
    }
    if (kind == CHART_RANKS) {
        chart_point(c, (struct chart_point){
                           .series = CHART_NO_SERIES, .value = NAN, .low = 1.0, .high = 2.0});
    }
}

#endif
