/* Policies by price, the price within a budget, and hulls with the area below them, against brute force. */
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

static double low_cost(const struct world *w)
{
    double low = INFINITY;
    for (size_t a = 0; a < AGENTS; a++) {
        low = fmin(low, w->cost[a]);
    }
    return low;
}

static double high_cost(const struct world *w)
{
    double high = -INFINITY;
    for (size_t a = 0; a < AGENTS; a++) {
        high = fmax(high, w->cost[a]);
    }
    return high;
}

/* The choice as its words say: the best score; of those the cheapest; of those the first. */
static size_t naive_choice(const struct world *w, size_t x, double price)
{
    double range = high_cost(w) - low_cost(w), score[AGENTS], best = -INFINITY, cheap = INFINITY;
    for (size_t a = 0; a < AGENTS; a++) {
        score[a] = w->f[x][a] - price * w->cost[a] / (range > 0.0 ? range : 1.0);
        best = fmax(best, score[a]);
    }
    for (size_t a = 0; a < AGENTS; a++) {
        cheap = score[a] >= best - 1e-12 ? fmin(cheap, w->cost[a]) : cheap;
    }
    for (size_t a = 0; a < AGENTS; a++) {
        if (score[a] >= best - 1e-12 && w->cost[a] == cheap) {
            return a;
        }
    }
    return AGENTS;
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

Test(costs, policies_as_by_hand)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        const struct world w = make(seed);
        const struct regret_priced p = priced(&w);
        double before = INFINITY;
        for (size_t k = 0; k < REGRET_N_PRICES; k++) {
            double value = 0.0, cost = 0.0, wanted_value = 0.0, wanted_cost = 0.0;
            /* at an infinite price: a price at which no f makes up for the smallest way between two costs */
            double price = k + 1 < REGRET_N_PRICES ? regret_price(k) : 1e7;
            regret_priced_policy(&value, &cost, &p, regret_price(k));
            for (size_t x = 0; x < CONTEXTS; x++) {
                size_t a = naive_choice(&w, x, price);
                if (k + 1 == REGRET_N_PRICES) { /* of the cheapest the largest f */
                    a = AGENTS;
                    for (size_t b = 0; b < AGENTS; b++) {
                        a = w.cost[b] == low_cost(&w) && (a == AGENTS || w.f[x][b] > w.f[x][a]) ? b
                                                                                                : a;
                    }
                }
                wanted_value += w.mu[x][a] / CONTEXTS;
                wanted_cost += w.cost[a] / CONTEXTS;
            }
            cr_expect_lt(fabs(value - wanted_value), 1e-12, "seed %d price %zu", (int)seed, k);
            cr_expect_lt(fabs(cost - wanted_cost), 1e-12, "seed %d price %zu", (int)seed, k);
            cr_expect_leq(cost, before + 1e-12, "cost never rises with the price");
            before = cost;
        }
        cr_expect_lt(fabs(before - low_cost(&w)), 1e-12, "in the end the cheapest");
    }
}

/* Where a choice turns: (f_a − f_b)/(c_a − c_b) on some context; the least of those and 0 that is within the budget. */
static double naive_price(const struct world *w, double budget)
{
    const struct regret_priced p = priced(w);
    double best = INFINITY, range = high_cost(w) - low_cost(w);
    for (size_t i = 0; i <= (size_t)CONTEXTS * AGENTS * AGENTS; i++) {
        size_t x = i / (AGENTS * AGENTS), a = i / AGENTS % AGENTS, b = i % AGENTS;
        double turn = 0.0, value = 0.0, cost = 0.0;
        if (x < CONTEXTS) {
            turn = range * (w->f[x][a] - w->f[x][b]) / (w->cost[a] - w->cost[b]);
        }
        if (!(turn >= 0.0) || isinf(turn)) {
            continue;
        }
        regret_priced_policy(&value, &cost, &p, turn * (1.0 + 1e-9));
        best = cost <= budget + 1e-12 ? fmin(best, turn) : best;
    }
    return best;
}

Test(costs, the_price_within_a_budget)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        const struct world w = make(seed);
        const struct regret_priced p = priced(&w);
        double low = low_cost(&w), high = high_cost(&w);
        for (int share = 0; share <= 8; share++) {
            double budget = low + 0.01 * (high - low) + (high - low) * share / 8.0;
            double price = regret_price_within(&p, budget), wanted = naive_price(&w, budget);
            double value = 0.0, cost = 0.0;
            cr_expect_lt(fabs(price - wanted), 1e-8 * (1.0 + wanted), "seed %d: %.12g %.12g",
                         (int)seed, price, wanted);
            regret_priced_policy(&value, &cost, &p, price);
            cr_expect_leq(cost, budget);
        }
        cr_expect(isnan(regret_price_within(&p, low - 0.1)), "less than the cheapest");
        cr_expect_eq(regret_price_within(&p, high), 0.0, "what nobody exceeds");
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
