#include "regret/measure.h"

#include <math.h>

#include "base/core/try.h"
#include "linalg/dense/least_squares.h"
#include "regret/alloc.h"

size_t regret_argmax(const double *value, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++) {
        if (value[i] > value[best] || (isnan(value[best]) && !isnan(value[i]))) {
            best = i;
        }
    }
    return best;
}

size_t regret_argmax_observed(const double *f, const double *mu, size_t n)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(mu[i]) && (best == n || f[i] > f[best] || (isnan(f[best]) && !isnan(f[i])))) {
            best = i;
        }
    }
    return best == n ? 0 : best;
}

static size_t count_observed(const double *mu, size_t n)
{
    size_t observed = 0;
    for (size_t i = 0; i < n; i++) {
        observed += !isnan(mu[i]);
    }
    return observed;
}

int regret_is_comparable(const double *mu, size_t n)
{
    return count_observed(mu, n) >= (n < 2 ? n : 2);
}

double regret_recommendation_regret(const double *mu, const double *f, size_t n_contexts,
                                    size_t n_agents)
{
    double total = 0.0;
    size_t n = 0;
    for (size_t x = 0; x < n_contexts; x++) {
        const double *row = mu + x * n_agents;
        if (regret_is_comparable(row, n_agents)) {
            total += row[regret_argmax(row, n_agents)] -
                     row[regret_argmax_observed(f + x * n_agents, row, n_agents)];
            n++;
        }
    }
    return total / (double)n;
}

double regret_fixed_agent_regret(const double *mu, size_t agent, size_t n_contexts, size_t n_agents)
{
    double total = 0.0;
    for (size_t x = 0; x < n_contexts; x++) {
        const double *row = mu + x * n_agents;
        total += row[regret_argmax(row, n_agents)] - row[agent];
    }
    return total / (double)n_contexts;
}

/* Of an agent drawn uniformly from those that are observed on a context. */
static double random_observed_regret(const double *mu, size_t n_contexts, size_t n_agents)
{
    double total = 0.0;
    size_t n = 0;
    for (size_t x = 0; x < n_contexts; x++) {
        const double *row = mu + x * n_agents;
        double best = row[regret_argmax(row, n_agents)], lost = 0.0;
        if (regret_is_comparable(row, n_agents)) {
            for (size_t a = 0; a < n_agents; a++) {
                lost += isnan(row[a]) ? 0.0 : best - row[a];
            }
            total += lost / (double)count_observed(row, n_agents);
            n++;
        }
    }
    return total / (double)n;
}

double regret_random_regret(const double *mu, size_t n_contexts, size_t n_agents)
{
    double total = 0.0;
    if (count_observed(mu, n_contexts * n_agents) < n_contexts * n_agents) {
        return random_observed_regret(mu, n_contexts, n_agents);
    }
    for (size_t a = 0; a < n_agents; a++) {
        total += regret_fixed_agent_regret(mu, a, n_contexts, n_agents);
    }
    return total / (double)n_agents;
}

double regret_rmse(const double *a, const double *b, size_t n)
{
    double total = 0.0;
    for (size_t i = 0; i < n; i++) {
        total += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(total / (double)n);
}

/* An undefined value has no rank, and so neither has anything beside it. */
static int has_ranks(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (isnan(a[i]) || isnan(b[i])) {
            return 0;
        }
    }
    return n > 0;
}

double regret_top1(const double *truth, const double *estimate, size_t n)
{
    if (!has_ranks(truth, estimate, n)) {
        return NAN;
    }
    return regret_argmax(truth, n) == regret_argmax(estimate, n) ? 1.0 : 0.0;
}

/* The place of i in descending order; ties: the lower index first. */
static size_t place(const double *value, size_t n, size_t i)
{
    size_t before = 0;
    for (size_t j = 0; j < n; j++) {
        before += value[j] > value[i] || (value[j] == value[i] && j < i);
    }
    return before;
}

double regret_top3(const double *truth, const double *estimate, size_t n)
{
    size_t k = n < 3 ? n : 3, shared = 0;
    if (!has_ranks(truth, estimate, n)) {
        return NAN;
    }
    for (size_t i = 0; i < n; i++) {
        shared += place(truth, n, i) < k && place(estimate, n, i) < k;
    }
    return (double)shared / (double)k;
}

/* The place of i among the observed of a context, as place() has it among all. */
static size_t place_observed(const double *f, const double *mu, size_t n, size_t i)
{
    size_t before = 0;
    for (size_t j = 0; j < n; j++) {
        before += !isnan(mu[j]) && (f[j] > f[i] || (f[j] == f[i] && j < i));
    }
    return before;
}

double regret_hit_rate(const double *mu, const double *f, size_t n_contexts, size_t n_agents,
                       size_t k)
{
    double hits = 0.0;
    size_t n = 0;
    for (size_t x = 0; x < n_contexts; x++) {
        const double *truth = mu + x * n_agents, *estimate = f + x * n_agents;
        if (!regret_is_comparable(truth, n_agents)) {
            continue;
        }
        double best = truth[regret_argmax(truth, n_agents)];
        int hit = 0;
        for (size_t a = 0; a < n_agents; a++) {
            if (!isnan(truth[a]) && isnan(estimate[a])) {
                return NAN;
            }
            hit |= truth[a] == best && place_observed(estimate, truth, n_agents, a) < k;
        }
        hits += hit;
        n++;
    }
    return hits / (double)n;
}

static double average_rank(const double *value, size_t n, size_t i)
{
    double less = 0.0, equal = 0.0;
    for (size_t j = 0; j < n; j++) {
        less += value[j] < value[i];
        equal += value[j] == value[i];
    }
    return less + (equal + 1.0) / 2.0;
}

double regret_spearman(const double *a, const double *b, size_t n)
{
    double sab = 0.0, saa = 0.0, sbb = 0.0, mean = ((double)n + 1.0) / 2.0;
    if (!has_ranks(a, b, n)) {
        return NAN;
    }
    for (size_t i = 0; i < n; i++) {
        double ra = average_rank(a, n, i) - mean, rb = average_rank(b, n, i) - mean;
        sab += ra * rb;
        saa += ra * ra;
        sbb += rb * rb;
    }
    return saa > 0.0 && sbb > 0.0 ? sab / sqrt(saa * sbb) : NAN;
}

/* −1, 0 or 1. */
static double sign_of(double x)
{
    return (double)(x > 0.0) - (double)(x < 0.0);
}

double regret_kendall(const double *a, const double *b, size_t n)
{
    double sum = 0.0, pairs_a = 0.0, pairs_b = 0.0;
    if (!has_ranks(a, b, n)) {
        return NAN;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double sa = sign_of(a[i] - a[j]), sb = sign_of(b[i] - b[j]);
            sum += sa * sb;
            pairs_a += sa * sa;
            pairs_b += sb * sb;
        }
    }
    return pairs_a > 0.0 && pairs_b > 0.0 ? sum / sqrt(pairs_a * pairs_b) : NAN;
}

int regret_held_out_r2(double *out, double *clipped, const double *x, size_t d, const double *y,
                       size_t n, const unsigned char *train, const unsigned char *test)
{
    FREED double *b = NULL;
    double mean = 0.0, count = 0.0, sse = 0.0, clipped_sse = 0.0, sst = 0.0;
    TRY(REGRET_NEW(&b, d + 1));
    TRY(least_squares(b, x, d, y, n, train));
    for (size_t i = 0; i < n; i++) {
        mean += test[i] ? y[i] : 0.0;
        count += test[i] != 0;
    }
    mean /= count;
    for (size_t i = 0; i < n; i++) {
        if (!test[i]) {
            continue;
        }
        double fit = b[d];
        for (size_t j = 0; j < d; j++) {
            fit += b[j] * x[j * n + i];
        }
        double near = fmin(fmax(fit, 0.0), 1.0);
        sse += (y[i] - fit) * (y[i] - fit);
        clipped_sse += (y[i] - near) * (y[i] - near);
        sst += (y[i] - mean) * (y[i] - mean);
    }
    *out = sst > 1e-20 * count ? 1.0 - sse / sst : NAN;
    if (clipped != NULL) {
        *clipped = sst > 1e-20 * count ? 1.0 - clipped_sse / sst : NAN;
    }
    return REGRET_OK;
}
