#include <math.h>

#include "base/core/try.h"
#include "evaluate/worth/worth.h"
#include "regret/alloc.h"
#include "value/miss.h"

/* ---------------------------------------------------------------- how far f follows an agent's own rows */

/* Of agents and folds: what f^(−k) says on average, and the weighted mean of the agent's rows without the fold. */
struct fold_sums {
    size_t n_agents, n_folds;
    double *f, *rows;         /* [folds × agents] Σ f^(−k), and of how many rows */
    double *outcome, *weight; /* [folds × agents] Σ w y and Σ w of the rows in the fold */
};

FREED_FIELDS(fold_sums, of->f, of->rows, of->outcome, of->weight)

static void sum_folds(struct fold_sums *s, const struct basis *b, const uint32_t *fold)
{
    for (size_t i = 0; i < b->n; i++) {
        size_t at = fold[i] * s->n_agents, own = at + b->agent[i];
        for (size_t a = 0; a < s->n_agents; a++) {
            int is_there = basis_offers(b, i, a);
            s->f[at + a] += is_there ? b->surface[i * s->n_agents + a] : 0.0;
            s->rows[at + a] += is_there;
        }
        s->outcome[own] += b->y[i] / b->propensity[i];
        s->weight[own] += 1.0 / b->propensity[i];
    }
}

/* Adds an agent's products of deviations from its means over folds. */
static void add_agent(double products[2], const struct fold_sums *s, size_t a)
{
    double outcome = 0.0, weight = 0.0, mean_f = 0.0, mean_y = 0.0, n = (double)s->n_folds;
    for (size_t k = 0; k < s->n_folds; k++) {
        outcome += s->outcome[k * s->n_agents + a];
        weight += s->weight[k * s->n_agents + a];
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < s->n_folds; k++) {
            size_t at = k * s->n_agents + a;
            double left = weight - s->weight[at];
            if (!(left > 0.0 && s->rows[at] > 0.0)) {
                return; /* all rows in one fold */
            }
            double f = s->f[at] / s->rows[at], y = (outcome - s->outcome[at]) / left;
            products[0] += pass * (f - mean_f) * (y - mean_y);
            products[1] += pass * (y - mean_y) * (y - mean_y);
            mean_f += (1 - pass) * f / n;
            mean_y += (1 - pass) * y / n;
        }
    }
}

int own_share(double *share, const struct basis *b, const uint32_t *fold, size_t n_folds)
{
    FREED_BY(fold_sums_fields) struct fold_sums s = {.n_agents = b->n_agents, .n_folds = n_folds};
    double products[2] = {0.0, 0.0};
    TRY(REGRET_NEW(&s.f, n_folds * b->n_agents));
    TRY(REGRET_NEW(&s.rows, n_folds * b->n_agents));
    TRY(REGRET_NEW(&s.outcome, n_folds * b->n_agents));
    TRY(REGRET_NEW(&s.weight, n_folds * b->n_agents));
    sum_folds(&s, b, fold);
    for (size_t a = 0; a < b->n_agents; a++) {
        add_agent(products, &s, a);
    }
    *share = products[1] > 0.0 ? fmin(1.0, fmax(0.0, products[0] / products[1])) : 0.0;
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
        difference_set_interval(&direct[a], tails_of(level));
    }
}
