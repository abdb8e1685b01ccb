/* The figures of a report. Each is a chart (chart/chart.h) of the run's rows, drawn as SVG, with its numbers
 * as CSV and itself for pgfplots. */
#ifndef REGRET_REPORT_FIGURE_H
#define REGRET_REPORT_FIGURE_H

#include "chart/figure.h"
#include "report/rows/table_data.h"

/* Those that say something of the run, in the order of the report. A figure that would need what the run
 * does not have, or that would show one point, is left out. */
int figures_make(struct figures *out, const struct regret_results *r);

/* ---------------------------------------------------------------- builders: one line each in figures.c */

/* Fills a chart that is not begun; one without points is not shown. */
typedef int figure_part(struct chart *c, const struct table_data *d);
figure_part figure_agents, figure_shares, figure_coverage, figure_contexts;
figure_part figure_overall, figure_ranks, figure_best_agent, figure_winners, figure_variants,
    figure_seeds;

/* A line for each subject over the values of a key, a panel for each group of the other keys. */
struct line_figure {
    const char *name, *title;
    const char *key, *key_symbol; /* NULL: that of a parameter of a reward map, or the key's */
    const char *value_name, *caption;
    enum regret_measure measures[3];
    const char *measure_names[3]; /* of the series where there are several measures; NULL: one */
    enum figure_lines { FIGURE_OF_FAMILIES, FIGURE_OF_FITS, FIGURE_OF_MEASURES } of;
    enum chart_scale x_scale, y_scale;
    int from_zero;
    int by_map; /* a panel for each reward map, too */
    const char *at_key,
        *at_value; /* beside the whole the cells with that value of a key; or NULL */
};
int figure_lines(struct chart *c, const struct table_data *d, const struct line_figure *spec);

/* ---------------------------------------------------------------- parts of builders */

/* The style that a family has in every figure: its place among the program's families. Others follow in
 * the run's order. */
int family_style(const struct regret_results *r, size_t family);
int baseline_style(const char *name);

/* The keys whose values make panels of a figure along `key` (REGRET_NO_ROW: along none): the reward map and
 * the other swept ones but the budgets and β, as many as make no more than eight panels; the rest is averaged
 * over. `keys` has room for 2·(n_keys + 1). */
size_t panel_keys(size_t *keys, const struct table_data *d, size_t key, int by_map);

/* "newswire-ceiling (SYNTHETIC data), 48 cells, 30 seeds; INTERVAL". */
void figure_facts(struct chart *c, const struct table_data *d, const char *interval);

/* The point of a mean with its 95 % interval, by Student's t over seeds; cut to what the measure can be; no interval of
 * one seed. */
struct chart_point estimate_point(const struct slice *s, enum regret_measure m, size_t subject);

#endif
