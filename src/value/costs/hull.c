#include <math.h>
#include <stdlib.h>

#include "regret/costs.h"

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
