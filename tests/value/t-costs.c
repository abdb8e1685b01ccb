/* Policies by price by property, hulls and the area below them by brute force; check_costs.py recomputes policies and budgets. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/task.h"
#include "value/costs.h"

enum { CONTEXTS = 9, AGENTS = 5 };

struct world {
    double f[CONTEXTS][AGENTS], mu[CONTEXTS][AGENTS], cost[AGENTS];
};

/* Every third has costs and predictions with many ties. */
static struct world make(uint64_t seed)
{
    struct world w;
    struct regret_rng r = regret_rng_at(seed, 9, 0);
    int coarse = seed % 3 == 0;
    for (size_t a = 0; a < AGENTS; a++) {
        double u = regret_rng_uniform(&r);
        w.cost[a] = coarse ? floor(3.0 * u) : 10.0 * u;
        for (size_t x = 0; x < CONTEXTS; x++) {
            double v = regret_rng_uniform(&r);
            w.f[x][a] = coarse ? floor(4.0 * v) / 4.0 : v;
            w.mu[x][a] = regret_rng_uniform(&r);
        }
    }
    return w;
}

static struct regret_priced priced(const struct world *w)
{
    return (struct regret_priced){(const double *)w->f, (const double *)w->mu, w->cost, CONTEXTS,
                                  AGENTS};
}

Test(costs, prices_ascend)
{
    cr_expect_eq(regret_price(0), 0.0);
    cr_expect_lt(fabs(regret_price(1) - 1e-3), 1e-17);
    cr_expect_lt(fabs(regret_price(REGRET_N_PRICES - 2) - 100.0), 1e-12);
    cr_expect(isinf(regret_price(REGRET_N_PRICES - 1)));
    for (size_t i = 1; i < REGRET_N_PRICES; i++) {
        cr_expect_gt(regret_price(i), regret_price(i - 1));
    }
}

/* Units of cost, and agents and contexts by other names, change nothing. */
Test(costs, what_does_not_matter)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct world w = make(3 * seed + 1), other;
        const struct regret_priced p = priced(&w), q = priced(&other);
        for (size_t x = 0; x < CONTEXTS; x++) {
            for (size_t a = 0; a < AGENTS; a++) {
                other.f[(x * 4 + 1) % CONTEXTS][(a * 3 + 2) % AGENTS] = w.f[x][a];
                other.mu[(x * 4 + 1) % CONTEXTS][(a * 3 + 2) % AGENTS] = w.mu[x][a];
                other.cost[(a * 3 + 2) % AGENTS] = 1000.0 * w.cost[a];
            }
        }
        for (size_t k = 0; k < REGRET_N_PRICES; k++) {
            double v = 0.0, c = 0.0, v2 = 0.0, c2 = 0.0;
            regret_priced_policy(&v, &c, &p, regret_price(k));
            regret_priced_policy(&v2, &c2, &q, regret_price(k));
            cr_expect_lt(fabs(v - v2), 1e-12);
            cr_expect_lt(fabs(1000.0 * c - c2), 1e-8);
        }
    }
}

Test(costs, degenerate_policies)
{
    double f[] = {0.25, 0.75, NAN, NAN, 0.5, 0.25}, mu[] = {0.1, 0.9, 1.0, 1.0, 0.2, 0.3};
    double equal[] = {2.0, 2.0}, free_or_not[] = {0.0, 1.0}, value = 0.0, cost = 0.0;
    struct regret_priced p = {f, mu, equal, 3, 2};
    for (size_t k = 0; k < REGRET_N_PRICES; k++) { /* equal costs: the prediction alone */
        regret_priced_policy(&value, &cost, &p, regret_price(k));
        cr_expect_lt(fabs(value - 0.5 * (0.9 + 0.2)), 1e-15,
                     "contexts without an agent are left out");
        cr_expect_eq(cost, 2.0);
    }
    p.cost = free_or_not;
    regret_priced_policy(&value, &cost, &p, INFINITY);
    cr_expect_eq(cost, 0.0, "what is free");
    regret_priced_policy(&value, &cost, &p, 0.4);
    cr_expect_eq(cost, 0.5, ".75 − .4 is more than .25, .25 − .4 less than .5");
    regret_priced_policy(&value, &cost, &p, 0.5);
    cr_expect_eq(cost, 0.0, "of equals the cheaper");
    mu[1] = NAN;
    regret_priced_policy(&value, &cost, &p, 0.0);
    cr_expect_lt(fabs(value - 0.15), 1e-15, "what nobody knows the worth of is not to be had");
    p.target = NULL;
    regret_priced_policy(&value, &cost, &p, 0.0);
    cr_expect(isnan(value) && cost == 0.5);
    p.n_contexts = 0;
    regret_priced_policy(&value, &cost, &p, 0.0);
    cr_expect(isnan(value) && isnan(cost));
    cr_expect(isnan(regret_price_within(&p, 1.0)));
    const struct regret_priced one = {f, mu, equal, 2, 1};
    regret_priced_policy(&value, &cost, &one, 1.0);
    cr_expect(value == 0.5 * (0.1 + 0.9) || isnan(mu[1]), "one agent");
}

/* ---------------------------------------------------------------- hulls */

/* The most that drawing between two of the points, or giving money away, gets for at most `cost`. */
static double naive_at(const struct regret_cost_point *p, size_t n, double cost)
{
    double best = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (p[i].cost > cost) {
                continue;
            }
            best = fmax(best, p[i].value);
            if (p[j].cost > cost) {
                double share = (cost - p[i].cost) / (p[j].cost - p[i].cost);
                best = fmax(best, p[i].value + share * (p[j].value - p[i].value));
            }
        }
    }
    return isinf(best) ? NAN : best;
}

Test(costs, hulls_are_what_drawing_gets)
{
    enum { MOST = 12, STEPS = 100 };
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct regret_rng r = regret_rng_at(seed, 10, 0);
        struct regret_cost_point p[MOST], hull[MOST];
        size_t n = 1 + (size_t)(regret_rng_uniform(&r) * MOST);
        n = n > MOST ? MOST : n;
        for (size_t i = 0; i < n; i++) {
            double u = regret_rng_uniform(&r);
            p[i] = (struct regret_cost_point){seed % 2 ? floor(4.0 * u) : u,
                                              floor(8.0 * regret_rng_uniform(&r)) / 8.0};
        }
        memcpy(hull, p, n * sizeof *hull);
        size_t k = regret_cost_hull(hull, n);
        double low = INFINITY, high = -INFINITY, area = 0.0;
        for (size_t i = 0; i < n; i++) {
            low = fmin(low, p[i].cost);
            high = fmax(high, p[i].cost);
        }
        cr_assert(k >= 1 && k <= n);
        for (size_t i = 1; i < k; i++) {
            cr_expect(hull[i].cost > hull[i - 1].cost && hull[i].value > hull[i - 1].value);
        }
        for (int s = 0; s <= STEPS; s++) {
            double c = low + (high - low) * s / STEPS, at = naive_at(p, n, c);
            cr_expect_lt(fabs(regret_cost_hull_at(hull, k, c) - at), 1e-12, "seed %d", (int)seed);
        }
        /* The hull bends nowhere but at costs of points, so that trapezia between those are exact. */
        for (double from = low; from < high;) {
            double to = high;
            for (size_t i = 0; i < n; i++) {
                to = p[i].cost > from ? fmin(to, p[i].cost) : to;
            }
            area += 0.5 * (naive_at(p, n, from) + naive_at(p, n, to)) * (to - from) / (high - low);
            from = to;
        }
        double exact = regret_cost_area(hull, k, low, high);
        area = high > low ? area : naive_at(p, n, low);
        cr_expect_lt(fabs(exact - area), 1e-12, "seed %d: %g %g", (int)seed, exact, area);
        /* Two halves make the whole; beyond the dearest nothing is gained. */
        double middle = low + 0.3 * (high - low);
        cr_expect_lt(fabs(0.3 * regret_cost_area(hull, k, low, middle) +
                          0.7 * regret_cost_area(hull, k, middle, high) - exact),
                     1e-12);
        cr_expect_eq(regret_cost_hull_at(hull, k, high + 1.0), hull[k - 1].value);
        cr_expect(isnan(regret_cost_hull_at(hull, k, low - 1.0)));
        cr_expect(isnan(regret_cost_area(hull, k, low - 1.0, high)));
        /* The cost of a value is where the hull has it. */
        double wanted = hull[0].value + 0.6 * (hull[k - 1].value - hull[0].value);
        double c = regret_cost_of_value(hull, k, wanted);
        cr_expect_lt(fabs(regret_cost_hull_at(hull, k, c) - wanted), 1e-12);
        cr_expect(isnan(regret_cost_of_value(hull, k, hull[k - 1].value + 1.0)));
        cr_expect_eq(regret_cost_of_value(hull, k, hull[0].value - 1.0), hull[0].cost);
    }
}

Test(costs, degenerate_hulls)
{
    struct regret_cost_point same[] = {{1.0, 0.2}, {1.0, 0.7}, {1.0, 0.5}, {NAN, 1.0}, {2.0, NAN}};
    size_t n = regret_cost_hull(same, 5);
    cr_expect_eq(n, 1, "of equal cost the most valuable; what is not finite is no point");
    cr_expect_eq(same[0].value, 0.7);
    cr_expect_eq(regret_cost_area(same, n, 1.0, 1.0), 0.7, "all cost the same");
    cr_expect_eq(regret_cost_area(same, n, 1.0, 5.0), 0.7);
    cr_expect_eq(regret_cost_hull(same, 0), 0);
    cr_expect(isnan(regret_cost_area(same, 0, 0.0, 1.0)));
    cr_expect(isnan(regret_cost_of_value(same, 0, 0.0)));
    struct regret_cost_point line[] = {{0.0, 0.0}, {1.0, 0.5}, {2.0, 1.0}, {3.0, 0.9}};
    cr_expect_eq(regret_cost_hull(line, 4), 2, "points on a line are none of its ends");
    cr_expect_eq(line[1].cost, 2.0);
}
