#include <float.h>
#include <math.h>

#include "base/core/try.h"
#include "evaluate/worth/worth.h"
#include "regret/alloc.h"
#include "value/miss.h"

/* ---------------------------------------------------------------- how far f follows an agent's own rows */

struct fold_sums {
    size_t n_agents, n_folds;
    const double *level;       /* [folds × agents] mean f^(−k) */
    double *residual, *weight; /* [folds × agents] Σ w r and Σ w of the rows in the fold; owned */
};

FREED_FIELDS(fold_sums, of->residual, of->weight)

static void sum_folds(struct fold_sums *s, const struct basis *b, const uint32_t *fold)
{
    for (size_t i = 0; i < b->n; i++) {
        size_t own = fold[i] * b->n_agents + b->agent[i];
        double w = 1.0 / b->propensity[i];
        s->residual[own] += w * (b->y[i] - basis_surface(b, i)[b->agent[i]]);
        s->weight[own] += w;
    }
}

/* Adds an agent's products of deviations from its means over folds. */
static void add_agent(double products[2], const struct fold_sums *s, size_t a)
{
    double residual = 0.0, weight = 0.0, mean_f = 0.0, mean_r = 0.0, n = (double)s->n_folds;
    for (size_t k = 0; k < s->n_folds; k++) {
        residual += s->residual[k * s->n_agents + a];
        weight += s->weight[k * s->n_agents + a];
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < s->n_folds; k++) {
            size_t at = k * s->n_agents + a;
            double left = weight - s->weight[at], f = s->level[at];
            if (!(left > 0.0)) {
                return; /* all rows in one fold */
            }
            double r = (residual - s->residual[at]) / left;
            products[0] += pass * (f - mean_f) * (r - mean_r);
            products[1] += pass * (r - mean_r) * (r - mean_r);
            mean_f += (1 - pass) * f / n;
            mean_r += (1 - pass) * r / n;
        }
    }
}

/* The residuals of a fold hold its rows' errors, and less the share of those of all other folds, which f^(−k) follows: they differ by
 * 1 + s/(K − 1) times what the errors do, and the slope on them is s/(1 + s/(K − 1)). */
int own_share(double *share, const struct basis *b, const uint32_t *fold, size_t n_folds,
              const double *level)
{
    FREED_BY(fold_sums_fields)
    struct fold_sums s = {b->n_agents, n_folds, level, NULL, NULL};
    double products[2] = {0.0, 0.0};
    TRY(REGRET_NEW(&s.residual, n_folds * b->n_agents));
    TRY(REGRET_NEW(&s.weight, n_folds * b->n_agents));
    sum_folds(&s, b, fold);
    for (size_t a = 0; a < b->n_agents; a++) {
        add_agent(products, &s, a);
    }
    double of_all = products[1] - products[0] / ((double)n_folds - 1.0);
    *share = fmin(1.0, fmax(0.0, products[0]) / fmax(of_all, DBL_MIN));
    return REGRET_OK;
}

/* ---------------------------------------------------------------- intervals */

static int is_known(const struct worth_parts *parts)
{
    return parts->effective >= 2.0;
}

void direct_intervals(struct regret_valued *direct, const struct worth_parts *parts, size_t n,
                      double share, double level)
{
    double agents = 0.0, square = 0.0, variance = 0.0, squares = 0.0;
    for (size_t a = 0; a < n; a++) {
        if (is_known(&parts[a])) {
            agents += 1.0;
            square += parts[a].correction * parts[a].correction;
            variance += parts[a].by_rows;
            squares += parts[a].by_rows * parts[a].by_rows;
        }
    }
    double left = (1.0 - share) * (1.0 - share);
    double miss =
        mean_above_zero((square - left * variance) / agents, left * sqrt(2.0 * squares) / agents);
    for (size_t a = 0; a < n; a++) {
        const struct worth_parts *p = &parts[a];
        double rows = share * share * p->by_rows, total = p->by_surface + rows + miss;
        direct[a].error = is_known(p) ? sqrt(total) : NAN;
        direct[a].df = total * total /
                       (p->by_surface * p->by_surface / (p->clusters - 1.0) +
                        rows * rows / (p->effective - 1.0) + miss * miss / agents);
        student_set_interval(&direct[a], tails_of(level));
    }
}
