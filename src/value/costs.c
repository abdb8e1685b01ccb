#include "value/costs.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

double regret_price(size_t i)
{
    if (i == 0 || i + 1 >= REGRET_N_PRICES) {
        return i == 0 ? 0.0 : INFINITY;
    }
    return pow(10.0, ((double)i - 16.0) / 5.0);
}

/* Predictions are of the order of 1. */
static const double ROUNDING = 1e-12;

/* The way from the cheapest to the dearest; 1 where there is none, so that no cost is divided by 0. */
static double cost_range(const struct regret_priced *p)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t a = 0; a < p->n_agents; a++) {
        low = fmin(low, p->cost[a]);
        high = fmax(high, p->cost[a]);
    }
    return high > low ? high - low : 1.0;
}

/* What an agent is taken for: f less price times cost or, at an infinite price, that it is cheap. */
static double score_of(double f, double cost, double price)
{
    return isinf(price) ? -cost : f - price * cost;
}

/* Among agents of the best score, is a rather to be taken than b? */
static int is_better(double fa, double ca, double fb, double cb, double price)
{
    return isinf(price) ? fa > fb : ca < cb;
}

static int is_there(const struct regret_priced *p, size_t x, size_t a)
{
    size_t i = x * p->n_agents + a;
    return !isnan(p->surface[i]) && (p->target == NULL || !isnan(p->target[i]));
}

/* The agent that is taken on context x, or n_agents. Scores that differ by rounding alone are equal. */
static size_t choose(const struct regret_priced *p, size_t x, double price)
{
    const double *f = p->surface + x * p->n_agents;
    double most = -INFINITY;
    size_t best = p->n_agents;
    for (size_t a = 0; a < p->n_agents; a++) {
        most = is_there(p, x, a) ? fmax(most, score_of(f[a], p->cost[a], price)) : most;
    }
    for (size_t a = 0; a < p->n_agents; a++) {
        if (is_there(p, x, a) &&
            score_of(f[a], p->cost[a], price) >= most - (isinf(price) ? 0.0 : ROUNDING) &&
            (best == p->n_agents || is_better(f[a], p->cost[a], f[best], p->cost[best], price))) {
            best = a;
        }
    }
    return best;
}

/* With the price of a unit of cost. */
static void policy(double *value, double *cost, const struct regret_priced *p, double price)
{
    double n = 0.0, sum_value = 0.0, sum_cost = 0.0;
    for (size_t x = 0; x < p->n_contexts; x++) {
        size_t a = choose(p, x, price);
        if (a < p->n_agents) {
            n += 1.0;
            sum_value += p->target != NULL ? p->target[x * p->n_agents + a] : (double)NAN;
            sum_cost += p->cost[a];
        }
    }
    *value = n > 0.0 ? sum_value / n : NAN;
    *cost = n > 0.0 ? sum_cost / n : NAN;
}

void regret_priced_policy(double *value, double *cost, const struct regret_priced *p, double price)
{
    policy(value, cost, p, price / cost_range(p));
}

static int is_within(const struct regret_priced *p, double budget, double price)
{
    double value = 0.0, cost = 0.0;
    regret_priced_policy(&value, &cost, p, price);
    return cost <= budget * (1.0 + ROUNDING);
}

double regret_price_within(const struct regret_priced *p, double budget)
{
    const double most = 0x1p60, enough = 1e-12;
    double low = 0.0, high = 0x1p-20;
    if (!is_within(p, budget, INFINITY)) {
        return NAN;
    }
    if (is_within(p, budget, 0.0)) {
        return 0.0;
    }
    while (high < most && !is_within(p, budget, high)) {
        low = high;
        high *= 2.0;
    }
    if (high >= most) {
        return INFINITY;
    }
    while (high - low > enough * high) {
        double middle = low + 0.5 * (high - low);
        if (is_within(p, budget, middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

static int by_cost(const void *left, const void *right)
{
    const struct regret_cost_point *a = left, *b = right;
    if (a->cost != b->cost) {
        return a->cost < b->cost ? -1 : 1;
    }
    return a->value > b->value ? -1 : a->value < b->value;
}

/* Is b on or below the line from a to c, which lie on either side of it? */
static int is_below(const struct regret_cost_point *a, const struct regret_cost_point *b,
                    const struct regret_cost_point *c)
{
    return (b->value - a->value) * (c->cost - a->cost) <=
           (c->value - a->value) * (b->cost - a->cost);
}

/* Andrew's monotone chain, of points that add value only. */
size_t regret_cost_hull(struct regret_cost_point *points, size_t n)
{
    size_t finite = 0, k = 0;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(points[i].cost) && isfinite(points[i].value)) {
            points[finite++] = points[i];
        }
    }
    if (finite > 1) {
        qsort(points, finite, sizeof *points, by_cost);
    }
    for (size_t i = 0; i < finite; i++) {
        const struct regret_cost_point p = points[i];
        if (k > 0 && p.value <= points[k - 1].value) {
            continue; /* the best so far is no dearer */
        }
        while (k > 1 && is_below(&points[k - 2], &points[k - 1], &p)) {
            k--;
        }
        points[k++] = p;
    }
    return k;
}

double regret_cost_hull_at(const struct regret_cost_point *hull, size_t n, double cost)
{
    size_t i = 0;
    if (n == 0 || !(cost >= hull[0].cost)) {
        return NAN;
    }
    while (i + 1 < n && hull[i + 1].cost <= cost) {
        i++;
    }
    if (i + 1 == n) {
        return hull[i].value;
    }
    double share = (cost - hull[i].cost) / (hull[i + 1].cost - hull[i].cost);
    return hull[i].value + share * (hull[i + 1].value - hull[i].value);
}

double regret_cost_area(const struct regret_cost_point *hull, size_t n, double low, double high)
{
    double sum = 0.0, from = low, at = regret_cost_hull_at(hull, n, low);
    if (isnan(at) || !(high > low)) {
        return at;
    }
    for (size_t i = 0; i < n && hull[i].cost < high; i++) {
        if (hull[i].cost > from) {
            sum += 0.5 * (at + hull[i].value) * (hull[i].cost - from);
            from = hull[i].cost;
            at = hull[i].value;
        }
    }
    sum += 0.5 * (at + regret_cost_hull_at(hull, n, high)) * (high - from);
    return sum / (high - low);
}

double regret_cost_of_value(const struct regret_cost_point *hull, size_t n, double value)
{
    for (size_t i = 0; i < n; i++) {
        if (hull[i].value >= value) {
            if (i == 0) {
                return hull[0].cost;
            }
            double share = (value - hull[i - 1].value) / (hull[i].value - hull[i - 1].value);
            return hull[i - 1].cost + share * (hull[i].cost - hull[i - 1].cost);
        }
    }
    return NAN;
}
