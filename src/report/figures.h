/* Which figures a run has. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include <stddef.h>

#include "chart/figure.h"
#include "regret/results.h"
#include "report/ranks.h"
#include "report/slice.h"

/* Those that say something of the run, in the order of the report. A figure that would need what the run
 * does not have, or that would show one point, is left out. */
int figures_make(struct figures *out, const struct regret_results *r);

/* Where the figure of that name stands in a page. */
enum report_part figure_part_of(const char *name);

struct figure_spec;
/* Adds series, rows, panels and points to a chart that is begun; one without points is not shown. */
typedef int figure_fill(struct chart *c, const struct table_data *d,
                        const struct figure_spec *spec);

struct figure_spec {
    const char *name, *title;
    enum report_part part;
    enum chart_kind kind;
    figure_fill *fill;     /* figure_lines() of a figure with a key, whose intervals are bands */
    size_t seeds;          /* the fewest that a run must have for it */
    const char *intervals; /* what they are: of a run of one seed there are none; or NULL and */
    const char *facts;     /* what else is to know */
    const char *caption, *x_name, *y_name;
    const char *by_tag; /* ends the caption in a run with baselines by tag; or NULL */
    enum chart_scale x_scale, y_scale;
    int from_zero;

    /* Of figure_lines(): a line for each subject over the values of a key, a panel for each group of the others. */
    const char *key;
    enum regret_measure measures[3];
    const char *measure_names[3]; /* of the series where there are several measures; NULL: one */
    enum { FIGURE_OF_FAMILIES, FIGURE_OF_FITS, FIGURE_OF_MEASURES } of;
    int by_map; /* a panel for each reward map, too */
    const char *at_key,
        *at_value; /* beside the whole the cells with that value of a key; or NULL */
};

figure_fill figure_lines, figure_means; /* of their files */
figure_fill figure_less_best, figure_seeds, figure_best_agent,
    figure_variants;                                                     /* figure_agents.c */
figure_fill figure_ranks, figure_winners, figure_phase, figure_contexts; /* of their files */
figure_fill figure_agents, figure_shares, figure_coverage;               /* figure_agents.c */
figure_fill figure_costs;                                                /* figure_lines.c */

/* The style that a family has in every figure: its place among the program's families. Others follow in
 * the run's order. */
int family_style(const struct regret_results *r, size_t family);
int baseline_style(const struct regret_subject *baseline);

/* A row and a series for each of the ranked families and of the baselines but the oracle, whose regret
 * is 0. */
struct shown {
    size_t *subjects; /* owned */
    size_t n;
};
int show_families(struct chart *c, struct shown *s, const struct table_data *d);

/* Some cells in panels along `key` (REGRET_NO_ROW: along none): by the reward map and the other swept keys but the
 * budgets and β, as many as make no more than eight panels; the rest is averaged over. */
int split_panels(struct groups *out, const struct slice *cells, const struct table_data *d,
                 size_t key, int by_map);

/* "newswire-ceiling (SYNTHETIC data), 48 cells, 30 seeds; INTERVAL". */
void figure_facts(struct chart *c, const struct table_data *d, const char *interval);

/* The point of a mean with its 95 % interval, by Student's t over seeds; cut to what the measure can be; no interval of
 * one seed. */
struct chart_point estimate_point(const struct slice *s, enum regret_measure m, size_t subject);

/* A point of row i in its series, without an interval; the difference that a paired comparison found. */
struct chart_point plain_point(size_t series, size_t row, double value);
struct chart_point paired_point(size_t series, size_t row, const struct paired *p);

#endif
