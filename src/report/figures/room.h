/* The figures of a report: each is an entry of data in figures.c, which names its words, its axes, what a run must have
 * for it, and what fills it. A new one is an entry; one of lines along a key needs no more.
 *
 * Offers: figures_make(), all that say something of a run; the styles that families and baselines have in any figure.
 * Way: table_data of the run (report/rows) → figures.c begins a chart from an entry → figure_lines.c, figure_families.c,
 * figure_ranks.c, figure_winners.c, figure_agents.c, figure_costs.c, figure_contexts.c or figure_means.c fill it by
 * figure_parts.c → chart draws it.
 * Uses: base/core, base/text, chart, estimate, estimate/fit, report/costs, report/rows, report/tables, results/read,
 * task/reward, value.
 */
#ifndef REGRET_REPORT_FIGURES_ROOM_H
#define REGRET_REPORT_FIGURES_ROOM_H

#include "report/figures/figure.h"

#endif
