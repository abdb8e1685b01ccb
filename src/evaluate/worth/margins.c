/* Requests by how much better than the incumbent their agent is said to be, and what that really was. */
#include <math.h>

#include "base/core/try.h"
#include "evaluate/worth/values.h"
#include "log/core/offer.h"
#include "regret/alloc.h"
#include "regret/quantile.h"

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
    size_t *last = NULL; /* row of each context, and one */
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
    regret_free(last);
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
