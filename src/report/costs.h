/* Curves of value against cost. */
#ifndef REPORT_COSTS_H
#define REPORT_COSTS_H

#include <stddef.h>

#include "report/slice.h"
#include "value/costs.h"

struct regret_run_grid;

/* A number and its standard error over seeds by the jackknife; NaN where there is none. */
struct cost_number {
    double value, se;
};

/* Of a curve, between the cheapest and the dearest agent. */
enum cost_statistic {
    COST_AREA, /* mean value over costs, of the hull: RouterBench's AIQ */
    COST_GAIN, /* that less the area below the hull of single agents */
    COST_HALF, /* of two agents: the least share sent to the dear one that gains half of what it is worth more … */
    COST_MOST, /* … and 80 %; RouteLLM's call-performance thresholds */
    N_COST_STATISTICS
};

struct cost_curve {
    size_t subject;
    struct regret_cost_point points[REGRET_N_PRICES]; /* by price, means over cells and seeds */
    struct cost_number statistics[N_COST_STATISTICS];
    struct cost_number budget_value, budget_cost; /* of the policy within costs.budget */
};

struct cost_agent {
    size_t agent; /* of the grid */
    struct regret_cost_point point;
    double se; /* of the value */
    int is_on_hull;
};

struct cost_board {
    const struct regret_run_grid *grid; /* that all cells have */
    double low, high;                   /* costs of the cheapest and of the dearest agent */
    struct cost_curve *curves;          /* owned: ranked families, then baselines */
    size_t n_curves;
    struct cost_agent *agents;      /* [grid->n_agents] owned, the cheapest first */
    struct regret_cost_point *hull; /* of single agents; owned */
    size_t n_hull;
    struct cost_number agents_area; /* below that hull */
};

/* Of the cells of a slice; a board without curves where they have no lists by price, or not one grid. `families` are the
 * ranked ones. Means are over cells, then over the seeds that have every cell. */
int cost_board_make(struct cost_board *out, const struct slice *cells, const size_t *families,
                    size_t n_families);
void cost_board_free(struct cost_board *board);

#endif
