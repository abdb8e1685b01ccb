/* Charts: what is drawn as data, and the renderers of it, for anyone who has series of points. It knows nothing of
 * runs, families or effects; texts of any origin are escaped here.
 *
 * Another room makes a chart by chart_begin(kind), chart_facts(), chart_caption(), chart_axes(), chart_series(),
 * chart_row() and chart_column() (of kinds with labels), chart_panel(), chart_point(), in that order, and asks for no
 * status before the end. Then either chart_save(), which writes its two files into a folder, or figures_add(), which
 * keeps it drawn for a page (report/page) and for figures_save(). A series has a style, 0 to 11, or one of the three
 * grey ones for what others are held against.
 *
 * Offers: struct chart and its builders (chart.h), struct figures (figure.h), the styles (style.h); chart_svg()
 * and chart_csv() for one format alone.
 * Way: chart.c takes points into struct chart → parts.c and lines.c (positions of x) make geometry of them → lines.c, rows.c,
 * grid.c and ranks.c draw a kind each by svg.c; csv.c has the numbers → figure.c chooses the kind, keeps the texts and
 * writes them.
 * Uses: base/core, base/csv, base/files, base/text.
 */
#ifndef REGRET_CHART_ROOM_H
#define REGRET_CHART_ROOM_H

#include "chart/chart.h"
#include "chart/figure.h"
#include "chart/style.h"

#endif
