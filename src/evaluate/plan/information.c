#include "evaluate/plan/information.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- the prior */

/* The logarithm of the means' likelihood, their centre integrated out, and that centre. */
static double likelihood(double *centre, const double *mean, const double *se2, size_t n, double sd)
{
    double weights = 0.0, sum = 0.0, log_sum = 0.0, squares = 0.0;
    for (size_t a = 0; a < n; a++) {
        if (isfinite(se2[a])) {
            double v = se2[a] + sd * sd;
            weights += 1.0 / v;
            sum += mean[a] / v;
            log_sum += log(v);
        }
    }
    *centre = weights > 0.0 ? sum / weights : 0.5;
    for (size_t a = 0; a < n; a++) {
        squares +=
            isfinite(se2[a]) ? (mean[a] - *centre) * (mean[a] - *centre) / (se2[a] + sd * sd) : 0.0;
    }
    return -0.5 * (log_sum + squares + (weights > 0.0 ? log(weights) : 0.0));
}

struct information_prior information_fit(const double *mean, const double *se2, size_t n)
{
    /* The deviation is u²/2, u in (0,1): nodes are dense where errors are small. */
    enum { STEPS = 400 };
    double log_density[STEPS], centre[STEPS], most = -INFINITY, all = 0.0, sum = 0.0;
    for (size_t i = 0; i < STEPS; i++) {
        double u = ((double)i + 0.5) / STEPS;
        log_density[i] = likelihood(&centre[i], mean, se2, n, 0.5 * u * u) + log(u);
        most = fmax(most, log_density[i]);
    }
    for (size_t i = 0; i < STEPS; i++) {
        all += exp(log_density[i] - most);
    }
    for (size_t i = 0; i < STEPS; i++) {
        sum += exp(log_density[i] - most);
        if (sum >= 0.5 * all) {
            double u = ((double)i + 0.5) / STEPS;
            return (struct information_prior){centre[i], 0.5 * u * u};
        }
    }
    return (struct information_prior){0.5, 0.5};
}

/* ---------------------------------------------------------------- regret */

size_t information_scratch(size_t n_agents)
{
    return (INFORMATION_POINTS + 2) * n_agents + 2;
}

/* How much the posterior mean of a cell will move: its variance then. The slope is that by the cell's share. */
static double movement(double *slope, const struct information *i, size_t cell, double share,
                       double n)
{
    double v = i->variance[cell], noise = (i->noise[cell] / share + i->common[cell]) / n;
    if (slope != NULL) {
        double total = v + noise;
        *slope = total > 0.0 ? v * v * i->noise[cell] / (n * share * share * total * total) : 0.0;
    }
    return v + noise > 0.0 ? v * v / (v + noise) : 0.0;
}

/* E max of what the groups' agents will seem worth, in the mean over groups; `slope` may be NULL. */
static double expected(double *slope, const struct information *i, const double *share, double n)
{
    double *sd = i->scratch, *points = sd + i->n_agents, sum = 0.0;
    for (size_t g = 0; g < i->n_groups; g++) {
        size_t first = g * i->n_agents;
        if (!(i->group_share[g] > 0.0)) {
            memset(slope != NULL ? slope + first : sd, 0, i->n_agents * sizeof *sd);
            continue;
        }
        for (size_t a = 0; a < i->n_agents; a++) {
            sd[a] = sqrt(movement(NULL, i, first + a, share[first + a], n));
        }
        sum +=
            i->group_share[g] * information_expected_max(slope != NULL ? slope + first : NULL,
                                                         points, i->mean + first, sd, i->n_agents);
        for (size_t a = 0; slope != NULL && a < i->n_agents; a++) {
            double by_share;
            movement(&by_share, i, first + a, share[first + a], n);
            slope[first + a] *= by_share * i->group_share[g];
        }
    }
    return sum;
}

/* E max of what the agents are worth, and the greatest that they seem worth now. */
static void best_values(double *truth, double *seems, const struct information *i)
{
    double *sd = i->scratch, *points = sd + i->n_agents;
    *truth = *seems = 0.0;
    for (size_t g = 0; g < i->n_groups; g++) {
        size_t first = g * i->n_agents;
        double most = -INFINITY;
        for (size_t a = 0; a < i->n_agents; a++) {
            sd[a] = sqrt(i->variance[first + a]);
            most = fmax(most, i->mean[first + a]);
        }
        *truth += i->group_share[g] *
                  information_expected_max(NULL, points, i->mean + first, sd, i->n_agents);
        *seems += i->group_share[g] * most;
    }
}

double information_regret_now(const struct information *i)
{
    double truth, seems;
    best_values(&truth, &seems, i);
    return fmax(0.0, truth - seems);
}

double information_regret(const struct information *i, const double *share, double n)
{
    double truth, seems;
    best_values(&truth, &seems, i);
    return fmax(0.0, truth - expected(NULL, i, share, n));
}

/* ---------------------------------------------------------------- allocation */

static const double KEPT = 0.1; /* of every row's chance stays uniform */

static void normalise(double *share, const struct information *i, int by_group)
{
    size_t groups = by_group ? i->n_groups : 1, width = i->n_groups * i->n_agents / groups;
    for (size_t g = 0; g < groups; g++) {
        double sum = 0.0, whole = by_group ? i->group_share[g] : 1.0;
        for (size_t k = g * width; k < (g + 1) * width; k++) {
            sum += share[k];
        }
        for (size_t k = g * width; k < (g + 1) * width; k++) {
            share[k] *= sum > 0.0 ? whole / sum : 0.0;
        }
    }
}

/* One step from `share`: x grows by its slope against the mean of all. */
static void step(double *next, const double *share, const double *uniform, const double *slope,
                 const struct information *i, int by_group, double length)
{
    size_t cells = i->n_groups * i->n_agents;
    double mean = 0.0, most = 0.0;
    for (size_t k = 0; k < cells; k++) {
        mean += share[k] * slope[k];
    }
    for (size_t k = 0; k < cells; k++) {
        most = fmax(most, fabs(slope[k] - mean));
    }
    for (size_t k = 0; k < cells; k++) {
        double free = fmax(0.0, share[k] - KEPT * uniform[k]);
        next[k] = free * exp(most > 0.0 ? length * (slope[k] - mean) / most : 0.0);
    }
    normalise(next, i, by_group);
    for (size_t k = 0; k < cells; k++) {
        next[k] = (1.0 - KEPT) * next[k] + KEPT * uniform[k];
    }
}

void information_allocate(double *share, const struct information *i, const double *uniform,
                          double n, int by_group, double *next, double *slope)
{
    enum { STEPS = 80 };
    size_t cells = i->n_groups * i->n_agents;
    double length = 1.0;
    for (size_t k = 0; k < cells; k++) {
        share[k] = (1.0 - KEPT) * share[k] + KEPT * uniform[k];
    }
    double now = expected(slope, i, share, n);
    for (size_t s = 0; s < STEPS && length > 1e-4; s++) {
        step(next, share, uniform, slope, i, by_group, length);
        double then = expected(NULL, i, next, n);
        if (then > now) {
            memcpy(share, next, cells * sizeof *share);
            now = expected(slope, i, share, n);
            length *= 1.5;
        } else {
            length *= 0.5;
        }
    }
}
