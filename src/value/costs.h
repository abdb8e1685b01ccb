/* Hulls of value against cost. */
#ifndef VALUE_COSTS_H
#define VALUE_COSTS_H

#include <stddef.h>

/* Prices of rows: 0; 10^−3 to 10², five to a decade; and one at which cost alone decides. In units of the outcome for the
 * way from the cheapest agent's cost to the dearest's. */
enum { REGRET_N_PRICES = 28 };
double regret_price(size_t i); /* the last is infinite */

/* Predicted values of agents on contexts, and what they cost. */
struct regret_priced {
    const double *
        surface; /* [n_contexts × n_agents] f; an agent of which it is NaN is not to be had there */
    const double
        *target; /* likewise mu, what a choice is worth; where NaN likewise; NULL: not asked */
    const double *cost; /* [n_agents] finite */
    size_t n_contexts, n_agents;
};

/* The mean over contexts of what argmax_a f(x,a) − p c̃_a costs, and is worth; c̃ is the cost on a scale from 0 for the
 * cheapest to 1 for the dearest, or 0 where all cost the same. Equals, to 10⁻¹²: the cheaper, then the lower; at an infinite
 * price the largest f of the cheapest. So cost never rises with the price. Contexts without an agent to be had are left out;
 * NaN where none is left. *value is NaN without a target. O(contexts · agents). */
void regret_priced_policy(double *value, double *cost, const struct regret_priced *p, double price);

/* The least price at which that policy costs at most `budget` in the mean, to a relative 10⁻¹²; infinite where only the
 * cheapest agents will do, and NaN where they will not. */
double regret_price_within(const struct regret_priced *p, double budget);

/* A policy, or an agent for everybody. */
struct regret_cost_point {
    double cost, value;
};

/* The non-decreasing concave hull of n points: what can be had for each cost by drawing between two of them. The points
 * of the hull are moved to the front, ascending in both, and counted; points that are not finite are none. Of equal cost the
 * most valuable stands for all. RouterBench's (Hu et al. 2024). O(n log n). */
size_t regret_cost_hull(struct regret_cost_point *points, size_t n);
/* What a hull gives for a cost: the last point's value beyond it, NaN before the first. */
double regret_cost_hull_at(const struct regret_cost_point *hull, size_t n, double cost);
/* The mean of that over costs from `low` to `high`: RouterBench's AIQ. The first point's value where low = high; NaN
 * where the hull begins beyond `low`. */
double regret_cost_area(const struct regret_cost_point *hull, size_t n, double low, double high);
/* The least cost at which a hull gives `value`; NaN where it never does. */
double regret_cost_of_value(const struct regret_cost_point *hull, size_t n, double value);

#endif
