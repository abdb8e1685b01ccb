#include "value/leak.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "regret/status.h"

/* Sums over the contexts of a group. */
struct group_sums {
    double *all, *held; /* [n_agents] Σ of the errors, and of those held out */
    double *square;     /* [n_agents × n_agents] Σ r rᵀ of those held out */
    size_t n_held, n_trained;
};

FREED_FIELDS(group_sums, of->all, of->held, of->square)

static int is_known(const double *error, size_t n)
{
    double sum = 0.0;
    for (size_t a = 0; a < n; a++) {
        sum += error[a];
    }
    return isfinite(sum);
}

static void add_context(struct group_sums *g, const double *error, size_t n, int held)
{
    for (size_t a = 0; a < n; a++) {
        g->all[a] += error[a];
        g->held[a] += held ? error[a] : 0.0;
        for (size_t b = 0; b < n && held; b++) {
            g->square[a * n + b] += error[a] * error[b];
        }
    }
    g->n_held += held != 0;
    g->n_trained += held == 0;
}

/* What the groups say together. */
struct cancelled {
    double q, mean, variance; /* Q, and what it is and varies by at least */
};

/* A group of which less than two contexts are held out, or none trained on, says nothing. */
static void add_group(struct cancelled *out, const struct group_sums *g, size_t n)
{
    double held = (double)g->n_held, trace = 0.0, trace_of_square = 0.0;
    if (g->n_held < 2 || g->n_trained == 0) {
        return;
    }
    for (size_t a = 0; a < n; a++) {
        out->q += g->all[a] * g->all[a];
        for (size_t b = 0; b < n; b++) {
            double s = (g->square[a * n + b] - g->held[a] * g->held[b] / held) / (held - 1.0);
            trace += a == b ? s : 0.0;
            trace_of_square += s * s;
        }
    }
    out->mean += held * trace;
    out->variance += 2.0 * held * held * trace_of_square;
}

static double probability_of(const struct cancelled *c)
{
    double df = 2.0 * c->mean * c->mean / c->variance;
    return !(c->mean > 0.0)
               ? (c->q > 0.0 ? 1.0 : 0.0) /* no error at all, or one that is constant */
               : chi_square_cdf(df * c->q / c->mean, df);
}

/* By group, or where `group` is NULL over all contexts; NaN where none says anything. */
static int cancel(double *out, const struct leak_problem *p, const uint32_t *group, size_t n_groups)
{
    size_t n = p->n_agents, known = 0;
    FREED_BY(group_sums_fields) struct group_sums g = {0};
    struct cancelled c = {0};
    TRY(REGRET_NEW(&g.all, n));
    TRY(REGRET_NEW(&g.held, n));
    TRY(REGRET_NEW(&g.square, n * n));
    for (size_t k = 0; k < n_groups; k++) {
        memset(g.all, 0, n * sizeof *g.all);
        memset(g.held, 0, n * sizeof *g.held);
        memset(g.square, 0, n * n * sizeof *g.square);
        g.n_held = g.n_trained = 0;
        for (size_t x = 0; x < p->n_contexts; x++) {
            const double *error = p->error + x * n;
            if ((group == NULL || group[x] == k) && p->held[x] < 2 && is_known(error, n)) {
                add_context(&g, error, n, p->held[x]);
            }
        }
        add_group(&c, &g, n);
        known += g.n_held >= 2 && g.n_trained > 0;
    }
    *out = known > 0 ? probability_of(&c) : NAN;
    return REGRET_OK;
}

int leak_probability(double *out, const struct leak_problem *p)
{
    double whole = NAN, parts = NAN;
    TRY(cancel(&whole, p, NULL, 1));
    if (p->group != NULL && p->n_groups > 1) {
        TRY(cancel(&parts, p, p->group, p->n_groups));
        whole = isnan(parts) ? whole : fmin(1.0, 2.0 * fmin(whole, parts));
    }
    *out = whole;
    return REGRET_OK;
}
