/* What surfaces follow and miss, what families lose, and margins. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "evaluate/internal.h"
#include "log/log.h"
#include "regret/status.h"
#include "stats/distributions.h"

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

/* What families miss of folds that they did not see, on the rows that have an f of their own. */

static double miss_of(const struct basis *b, const double *surface, size_t i)
{
    double gap = b->y[i] - surface[i * b->n_agents + b->agent[i]];
    return gap * gap;
}

/* From what clusters add to the error. */
static void set_error(struct regret_valued *out, const struct basis *b, const double *sum)
{
    double squares = 0.0, n = (double)b->n_clusters;
    for (size_t c = 0; c < b->n_clusters; c++) {
        squares += sum[c] * sum[c];
    }
    out->error = sqrt(squares * n / (n - 1.0));
    out->df = n - 1.0;
    student_set_interval(out, tails_of(b->level));
}

/* A weighted mean of x over rows with its error by clusters; w = 1/p. */
static int mean_by_clusters(struct regret_valued *out, const struct basis *b, const double *x)
{
    FREED double *sum = NULL;
    double weight = 0.0;
    TRY(REGRET_NEW(&sum, b->n_clusters));
    out->value = 0.0;
    for (size_t i = 0; i < b->n; i++) {
        weight += 1.0 / b->propensity[i];
        out->value += x[i] / b->propensity[i];
    }
    out->value /= weight;
    for (size_t i = 0; i < b->n; i++) {
        sum[b->cluster[i]] += (x[i] - out->value) / b->propensity[i] / weight;
    }
    set_error(out, b, sum);
    return REGRET_OK;
}

static struct basis known_rows(const struct valuing *v)
{
    struct basis known = v->basis;
    known.n = v->e->n_known;
    return known;
}

static int compare(struct regret_fitted_family *out, const struct valuing *v,
                   const struct surfaces *s)
{
    const struct basis known = known_rows(v), *b = &known;
    const double *used = v->e->surface;
    FREED double *x = NULL;
    struct regret_valued loss;
    TRY(REGRET_NEW(&x, b->n));
    for (size_t i = 0; i < b->n; i++) {
        x[i] = miss_of(b, s->out_of_fold, i);
    }
    TRY(mean_by_clusters(&loss, b, x));
    for (size_t i = 0; i < b->n; i++) {
        x[i] -= miss_of(b, used, i);
    }
    out->loss = loss.value;
    return mean_by_clusters(&out->difference, b, x);
}

/* The policy by request of a family, valued with its own surface. */
static int value_policy_of(struct regret_fitted_family *out, const struct valuing *v,
                           const struct surfaces *s)
{
    struct basis own = known_rows(v);
    struct regret_valued value[REGRET_N_VALUES];
    FREED uint32_t *choice = NULL;
    own.surface = s->out_of_fold;
    TRY(REGRET_NEW(&choice, own.n));
    for (size_t i = 0; i < own.n; i++) {
        choice[i] = v->is_late[i]
                        ? policy_by_request(v->m, s->early + i * own.n_agents, v->eligible, i)
                        : NO_CHOICE;
    }
    const struct chooser x = {choice, 0};
    TRY(worth_of(value, NULL, &own, &x, &v->late));
    out->policy = value[REGRET_VALUE_SNDR];
    return REGRET_OK;
}

/* The slope of Y − mean_a f on g = f(X, A) − mean_a f, rows weighted by 1/p, with an intercept; its error is the sandwich's by
 * clusters (best linear predictor: Chernozhukov, Demirer, Duflo and Fernández-Val, "Generic machine learning inference on
 * heterogeneous treatment effects in randomized experiments", 2018). */
static int calibrate(struct regret_valued *out, const struct basis *b)
{
    FREED double *g = NULL, *y = NULL, *sum = NULL;
    double weight = 0.0, mean_g = 0.0, mean_y = 0.0, gg = 0.0, gy = 0.0;
    TRY(REGRET_NEW(&g, b->n));
    TRY(REGRET_NEW(&y, b->n));
    TRY(REGRET_NEW(&sum, b->n_clusters));
    for (size_t i = 0; i < b->n; i++) {
        const double *f = basis_surface(b, i);
        double mean = 0.0, agents = 0.0, w = 1.0 / b->propensity[i];
        for (size_t a = 0; a < b->n_agents; a++) {
            agents += basis_offers(b, i, a);
        }
        for (size_t a = 0; a < b->n_agents; a++) {
            mean += basis_offers(b, i, a) ? f[a] / agents : 0.0;
        }
        g[i] = f[b->agent[i]] - mean;
        y[i] = b->y[i] - mean;
        weight += w;
        mean_g += w * g[i];
        mean_y += w * y[i];
    }
    for (size_t i = 0; i < b->n; i++) {
        g[i] -= mean_g / weight;
        y[i] -= mean_y / weight;
        gg += g[i] * g[i] / b->propensity[i];
        gy += g[i] * y[i] / b->propensity[i];
    }
    out->value = gy / gg; /* NaN where f knows no differences */
    for (size_t i = 0; i < b->n; i++) {
        sum[b->cluster[i]] += g[i] * (y[i] - out->value * g[i]) / b->propensity[i] / gg;
    }
    set_error(out, b, sum);
    return REGRET_OK;
}

int compare_families(struct valuing *v)
{
    struct regret_evaluation *e = v->e;
    const struct basis known = known_rows(v);
    TRY(REGRET_NEW(&e->family, v->list->n));
    e->lambda = NAN;
    for (size_t i = 0; i < v->list->n; i++) {
        const struct surfaces *s = &v->list->of[i];
        struct regret_fitted_family *to = &e->family[e->n_families];
        if (s->status != REGRET_OK) {
            continue;
        }
        e->used = i == v->list->used ? e->n_families : e->used;
        *to = (struct regret_fitted_family){.name = s->family->name, .lambda = s->lambda};
        to->single = s->learned[v->list->folds].single;
        TRY(compare(to, v, s));
        TRY(value_policy_of(to, v, s));
        e->best = to->loss < e->family[e->best].loss ? e->n_families : e->best;
        if (strcmp(to->name, "cvci") == 0) {
            e->lambda = to->lambda;
        }
        e->n_families++;
    }
    return calibrate(&e->calibration, &known);
}

/* Requests by how much better than the incumbent their agent is said to be, and what that really was. */

/* Groups of positive margins, at most, and rows that each has at least [C]; group 0 holds what stays with the incumbent, 1 may be empty. */
enum { MOST_GROUPS = 4, LEAST_ROWS = 50 };

static double margin_of(const struct regret_evaluation *e, const double *f, uint32_t agent)
{
    return f[agent] - f[e->incumbent];
}

/* 1 for a row with a margin: of a late fold, and both it and the incumbent were on offer. */
static int has_margin(const struct valuing *v, size_t i)
{
    return v->is_late[i] && v->e->choice[REGRET_POLICY_REQUEST][i] != NO_CHOICE &&
           basis_offers(&v->basis, i, v->e->incumbent);
}

/* The least margin of each group: quantiles of the n positive ones, in order, of which equal ones stay together. */
static void set_least(struct regret_evaluation *e, const double *margin, size_t n)
{
    size_t most = n / LEAST_ROWS > MOST_GROUPS ? MOST_GROUPS : n / LEAST_ROWS, from = 0;
    e->n_groups = 2;
    e->group[0].least = -INFINITY;
    e->group[1].least = 0.0;
    for (size_t g = 1; g < most; g++) {
        size_t first = g * n / most;
        while (first > from && margin[first - 1] == margin[first]) {
            first--;
        }
        if (first - from >= LEAST_ROWS) {
            e->group[e->n_groups++].least = margin[first];
            from = first;
        }
    }
}

static int cut(struct regret_evaluation *e, const struct valuing *v)
{
    const double *early = v->list->of[v->list->used].early;
    FREED double *margin = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&margin, e->rows));
    for (size_t i = 0; i < e->rows; i++) {
        uint32_t choice = e->choice[REGRET_POLICY_REQUEST][i];
        double is = has_margin(v, i) ? margin_of(e, early + i * e->n_agents, choice) : 0.0;
        if (is > 0.0) {
            margin[n++] = is;
        }
    }
    regret_sort_numbers(margin, n);
    TRY(REGRET_NEW(&e->group, 1 + MOST_GROUPS));
    set_least(e, margin, n);
    return REGRET_OK;
}

/* Group 0 without a margin; 1 from any. */
static uint32_t group_of(const struct regret_evaluation *e, double margin)
{
    uint32_t g = margin > 0.0 ? 1 : 0;
    while (g > 0 && g + 1 < e->n_groups && margin >= e->group[g + 1].least) {
        g++;
    }
    return g;
}

static int value_groups(struct valuing *v)
{
    struct regret_evaluation *e = v->e;
    const struct chooser x = {e->choice[REGRET_POLICY_REQUEST], 0};
    const struct chooser incumbent = {NULL, (uint32_t)e->incumbent};
    const double *early = v->list->of[v->list->used].early;
    uint32_t *group;
    TRY(REGRET_NEW(&e->margin_group, e->rows));
    group = e->margin_group;
    for (size_t i = 0; i < e->rows; i++) {
        if (!has_margin(v, i)) {
            group[i] = NO_CHOICE;
            continue;
        }
        double is = margin_of(e, early + i * e->n_agents, x.choice[i]);
        group[i] = group_of(e, is);
        e->group[group[i]].rows++;
        e->group[group[i]].predicted += is;
    }
    for (uint32_t g = 0; g < e->n_groups; g++) {
        const struct part part = {group, g};
        e->group[g].predicted /= (double)e->group[g].rows; /* NaN of an empty one */
        TRY(worth_difference(&e->group[g].margin, NULL, NULL, &v->basis, &x, &incumbent, &part));
    }
    return REGRET_OK;
}

/* By what was learned of all rows; `row` is the last of those with pairs on the context, SIZE_MAX: none. */
static void advise(struct regret_recommended *to, const struct valuing *v, const double *f,
                   size_t row)
{
    const struct regret_evaluation *e = v->e;
    int stays = row == SIZE_MAX || basis_offers(&v->basis, row, e->incumbent);
    to->row = row != SIZE_MAX ? e->row[row] : UINT32_MAX;
    to->by_request = policy_by_request(v->m, f, v->eligible, row);
    to->value = to->by_request != NO_CHOICE ? f[to->by_request] : NAN;
    to->margin = to->by_request != NO_CHOICE && stays ? margin_of(e, f, to->by_request) : NAN;
    to->group = isnan(to->margin) ? NO_CHOICE : group_of(e, to->margin);
}

static int advise_all(struct valuing *v)
{
    const struct material *m = v->m;
    const double *whole = v->list->of[v->list->used].whole;
    const struct regret_rows *rows = &m->rows[m->drawn.basis];
    struct regret_evaluation *e = v->e;
    FREED size_t *last = NULL; /* row of each context, and one */
    TRY(REGRET_NEW(&e->advice, m->n_advised));
    TRY(REGRET_NEW(&last, m->n_contexts));
    e->n_advice = m->n_advised;
    for (size_t i = 0; i < rows->n; i++) {
        last[m->context[rows->pair[i]]] = i + 1;
    }
    for (size_t i = 0; i < e->n_advice; i++) {
        uint32_t x = m->log->evaluation[i];
        e->advice[i].context = x;
        advise(&e->advice[i], v, whole + m->first[m->local[x]], last[m->local[x]] - 1);
    }
    return REGRET_OK;
}

/* Of each group the share of its rows that go to an agent, less that of the requests that are advised. */
static void compare_shares(double *difference, const struct regret_evaluation *e)
{
    const uint32_t *choice = e->choice[REGRET_POLICY_REQUEST];
    double advised[1 + MOST_GROUPS] = {0.0};
    for (size_t i = 0; i < e->n_advice; i++) {
        if (e->advice[i].group != NO_CHOICE) {
            advised[e->advice[i].group] += 1.0;
        }
    }
    for (size_t i = 0; i < e->rows; i++) {
        uint32_t g = e->margin_group[i];
        if (g != NO_CHOICE) {
            difference[g * e->n_agents + choice[i]] += 1.0 / (double)e->group[g].rows;
        }
    }
    for (size_t i = 0; i < e->n_advice; i++) {
        uint32_t g = e->advice[i].group;
        if (g != NO_CHOICE) {
            difference[g * e->n_agents + e->advice[i].by_request] -= 1.0 / advised[g];
        }
    }
}

/* Where slates differ, a group may be of other agents and times when all is learned than when it was valued: of requests more than a
 * third of which go to others [C] its margin says nothing, and they are of no group. */
static int leave_strange_groups(struct regret_evaluation *e)
{
    const double most = 1.0 / 3.0;
    FREED double *difference = NULL;
    double apart[1 + MOST_GROUPS] = {0.0};
    TRY(REGRET_NEW(&difference, e->n_groups * e->n_agents));
    compare_shares(difference, e);
    for (size_t k = 0; k < e->n_groups * e->n_agents; k++) {
        apart[k / e->n_agents] += 0.5 * fabs(difference[k]);
    }
    for (size_t i = 0; i < e->n_advice; i++) {
        uint32_t g = e->advice[i].group;
        e->advice[i].group = g != NO_CHOICE && apart[g] > most ? NO_CHOICE : g;
    }
    return REGRET_OK;
}

int value_margins(struct valuing *v)
{
    TRY(cut(v->e, v));
    TRY(value_groups(v));
    TRY(advise_all(v));
    return some_were_absent(v->m->log) ? leave_strange_groups(v->e) : REGRET_OK;
}
