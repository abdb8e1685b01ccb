#include "report/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "regret/results.h"
#include "regret/status.h"
#include "report/lists.h"
#include "report/slice.h"
#include "value/costs.h"

static const double HALF = 0.5, MOST = 0.8;

/* Numbers of every seed, and their means over all or all but one of the seeds that have them all. */
struct by_seed {
    double *number; /* [n_seeds × width] owned */
    size_t n_seeds, width;
};

FREED_FIELDS(by_seed, of->number)

static int is_whole(const struct by_seed *x, size_t seed)
{
    double sum = 0.0;
    for (size_t i = 0; i < x->width; i++) {
        sum += x->number[seed * x->width + i];
    }
    return isfinite(sum);
}

/* A list of a subject. */
static int read_list(struct by_seed *out, const struct slice *s, enum regret_list list,
                     size_t subject, size_t width)
{
    *out = (struct by_seed){NULL, s->r->n_seeds, width};
    TRY(REGRET_NEW(&out->number, out->n_seeds * width));
    for (size_t seed = 0; seed < out->n_seeds; seed++) {
        for (size_t i = 0; i < width; i++) {
            out->number[seed * width + i] = list_mean(s, list, subject, i, seed);
        }
    }
    return REGRET_OK;
}

/* The means over the seeds of `in` but `without`; returns how many these are. */
static size_t means(double *out, const struct by_seed *x, const unsigned char *in, size_t without)
{
    size_t n = 0;
    memset(out, 0, x->width * sizeof *out);
    for (size_t seed = 0; seed < x->n_seeds; seed++) {
        for (size_t i = 0; i < x->width && in[seed] && seed != without; i++) {
            out[i] += x->number[seed * x->width + i];
        }
        n += in[seed] && seed != without;
    }
    for (size_t i = 0; i < x->width; i++) {
        out[i] = n > 0 ? out[i] / (double)n : NAN;
    }
    return n;
}

/* ---------------------------------------------------------------- statistics */

/* What a board is made of while it is made. */
struct maker {
    const struct slice *slice;
    struct cost_board *board;
    struct by_seed agents;          /* values of single agents */
    unsigned char *in;              /* [n_seeds] room */
    double *agent_mean;             /* [n_agents] room */
    struct regret_cost_point *hull; /* [n_agents] room */
};

/* The hull of the single agents at their mean values; its length. */
static size_t agents_hull(struct regret_cost_point *hull, const struct cost_board *b,
                          const double *value)
{
    for (size_t a = 0; a < b->grid->n_agents; a++) {
        hull[a] = (struct regret_cost_point){b->grid->costs[a], value[a]};
    }
    return regret_cost_hull(hull, b->grid->n_agents);
}

/* The share sent to the dearer of two agents at which a hull gains a part of what that one is worth more. */
static double dear_share(const struct cost_board *b, const double *agents,
                         const struct regret_cost_point *hull, size_t n, double part)
{
    size_t cheap = b->grid->costs[0] == b->low ? 0 : 1;
    double more = agents[1 - cheap] - agents[cheap];
    return b->grid->n_agents == 2 && b->high > b->low && more > 0.0
               ? (regret_cost_of_value(hull, n, agents[cheap] + part * more) - b->low) /
                     (b->high - b->low)
               : NAN;
}

/* A mean of costs, which lists have with six digits: what is not told from the cheapest or the dearest agent's is that one's,
 * or a hull would begin beyond the cheapest by rounding, and have no area. */
static const double SIX_DIGITS = 1e-5;

static double cost_between(const struct cost_board *b, double cost)
{
    if (fabs(cost - b->low) <= SIX_DIGITS * fabs(b->low)) {
        return b->low;
    }
    return fabs(cost - b->high) <= SIX_DIGITS * fabs(b->high) ? b->high : cost;
}

static void statistics_of(double out[N_COST_STATISTICS], const struct maker *m, const double *curve,
                          const double *agents)
{
    const struct cost_board *b = m->board;
    struct regret_cost_point hull[REGRET_N_PRICES];
    for (size_t k = 0; k < REGRET_N_PRICES; k++) {
        double cost = cost_between(b, curve[REGRET_N_PRICES + k]);
        hull[k] = (struct regret_cost_point){cost, curve[k]};
    }
    size_t n = regret_cost_hull(hull, REGRET_N_PRICES);
    size_t n_agents = agents_hull(m->hull, b, agents);
    out[COST_AREA] = regret_cost_area(hull, n, b->low, b->high);
    out[COST_GAIN] = out[COST_AREA] - regret_cost_area(m->hull, n_agents, b->low, b->high);
    out[COST_HALF] = dear_share(b, agents, hull, n, HALF);
    out[COST_MOST] = dear_share(b, agents, hull, n, MOST);
}

/* Sums for the jackknife's variance, (n − 1)/n Σ (θ₋ₖ − mean θ₋)². */
struct left_out {
    double sum, squares;
    size_t n;
};

static void leave_out(struct left_out *j, double x)
{
    j->sum += x;
    j->squares += x * x;
    j->n++;
}

/* NaN where a statistic is: fmax() would take it for 0. */
static double jackknife_se(const struct left_out *j)
{
    double n = (double)j->n;
    return j->n > 1 && isfinite(j->sum)
               ? sqrt((n - 1.0) / n * fmax(0.0, j->squares - j->sum * j->sum / n))
               : NAN;
}

/* The statistics of a curve and their errors, seeds being left out of curve and agents alike. */
static void take_statistics(struct cost_curve *out, const struct maker *m,
                            const struct by_seed *curve)
{
    struct left_out left[N_COST_STATISTICS] = {{0}};
    double mean[2 * REGRET_N_PRICES], x[N_COST_STATISTICS];
    for (size_t seed = 0; seed < curve->n_seeds; seed++) {
        m->in[seed] = is_whole(curve, seed) && is_whole(&m->agents, seed);
    }
    for (size_t seed = 0; seed <= curve->n_seeds; seed++) { /* the last leaves out none */
        int none = seed == curve->n_seeds;
        if ((!none && !m->in[seed]) || means(mean, curve, m->in, seed) == 0) {
            continue;
        }
        means(m->agent_mean, &m->agents, m->in, seed);
        statistics_of(x, m, mean, m->agent_mean);
        for (size_t k = 0; k < N_COST_STATISTICS; k++) {
            if (none) {
                out->statistics[k] = (struct cost_number){x[k], jackknife_se(&left[k])};
            } else {
                leave_out(&left[k], x[k]);
            }
        }
        for (size_t k = 0; none && k < REGRET_N_PRICES; k++) {
            out->points[k] = (struct regret_cost_point){mean[REGRET_N_PRICES + k], mean[k]};
        }
    }
}

static struct cost_number seeds_number(double *x, size_t n)
{
    struct paired p = paired_moments(x, keep_finite(x, n));
    return (struct cost_number){p.n > 0 ? p.mean : NAN, p.se};
}

/* An element of the list "budget"; `x` has room for the seeds. */
static struct cost_number budget_number(double *x, const struct slice *s, size_t subject,
                                        enum regret_budget which)
{
    for (size_t seed = 0; seed < s->r->n_seeds; seed++) {
        x[seed] = list_mean(s, REGRET_LIST_BUDGET, subject, which, seed);
    }
    return seeds_number(x, s->r->n_seeds);
}

static int take_budget(struct cost_curve *out, const struct maker *m)
{
    double *x = NULL;
    TRY(REGRET_NEW(&x, m->slice->r->n_seeds));
    out->budget_value = budget_number(x, m->slice, out->subject, REGRET_BUDGET_VALUE);
    out->budget_cost = budget_number(x, m->slice, out->subject, REGRET_BUDGET_COST);
    regret_free(x);
    return REGRET_OK;
}

/* Values by price, and costs behind them. */
static int read_curve(struct by_seed *out, const struct slice *s, size_t subject)
{
    FREED_BY(by_seed_fields) struct by_seed value = {0};
    FREED_BY(by_seed_fields) struct by_seed cost = {0};
    size_t n = REGRET_N_PRICES;
    *out = (struct by_seed){NULL, s->r->n_seeds, 2 * n};
    TRY(read_list(&value, s, REGRET_LIST_PRICE_VALUE, subject, n));
    TRY(read_list(&cost, s, REGRET_LIST_PRICE_COST, subject, n));
    TRY(REGRET_NEW(&out->number, out->n_seeds * out->width));
    for (size_t seed = 0; seed < out->n_seeds; seed++) {
        memcpy(out->number + seed * out->width, value.number + seed * n, n * sizeof(double));
        memcpy(out->number + seed * out->width + n, cost.number + seed * n, n * sizeof(double));
    }
    return REGRET_OK;
}

/* Adds the curve of a subject that has one. */
static int add_curve(struct maker *m, size_t subject)
{
    FREED_BY(by_seed_fields) struct by_seed curve = {0};
    struct cost_curve made = {.subject = subject};
    size_t whole = 0;
    TRY(read_curve(&curve, m->slice, subject));
    for (size_t seed = 0; seed < curve.n_seeds; seed++) {
        whole += is_whole(&curve, seed) && is_whole(&m->agents, seed);
    }
    if (whole > 0) {
        take_statistics(&made, m, &curve);
        TRY(take_budget(&made, m));
        m->board->curves[m->board->n_curves++] = made;
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- single agents */

static int cheapest_first(const void *left, const void *right)
{
    const struct cost_agent *a = left, *b = right;
    if (a->point.cost != b->point.cost) {
        return a->point.cost < b->point.cost ? -1 : 1;
    }
    return a->agent < b->agent ? -1 : a->agent > b->agent;
}

static int is_on_hull(const struct cost_board *b, const struct regret_cost_point *p)
{
    size_t i = 0;
    while (i < b->n_hull && (b->hull[i].cost != p->cost || b->hull[i].value != p->value)) {
        i++;
    }
    return i < b->n_hull;
}

static int take_agents(struct maker *m)
{
    struct cost_board *b = m->board;
    struct left_out left = {0};
    double *x = NULL;
    size_t n = m->agents.n_seeds, n_agents = b->grid->n_agents;
    TRY(REGRET_NEW(&b->agents, n_agents));
    TRY(REGRET_NEW(&b->hull, n_agents));
    TRY(REGRET_NEW(&x, n));
    for (size_t seed = 0; seed < n; seed++) {
        m->in[seed] = is_whole(&m->agents, seed);
    }
    for (size_t seed = 0; seed < n; seed++) {
        if (m->in[seed] && means(m->agent_mean, &m->agents, m->in, seed) > 0) {
            size_t k = agents_hull(m->hull, b, m->agent_mean);
            leave_out(&left, regret_cost_area(m->hull, k, b->low, b->high));
        }
    }
    means(m->agent_mean, &m->agents, m->in, n);
    b->n_hull = agents_hull(b->hull, b, m->agent_mean);
    b->agents_area = (struct cost_number){regret_cost_area(b->hull, b->n_hull, b->low, b->high),
                                          jackknife_se(&left)};
    for (size_t a = 0; a < n_agents; a++) {
        struct cost_agent *to = &b->agents[a];
        *to = (struct cost_agent){.agent = a, .point = {b->grid->costs[a], m->agent_mean[a]}};
        for (size_t seed = 0; seed < n; seed++) {
            x[seed] = m->in[seed] ? m->agents.number[seed * n_agents + a] : NAN;
        }
        to->se = seeds_number(x, n).se;
        to->is_on_hull = is_on_hull(b, &to->point);
    }
    qsort(b->agents, n_agents, sizeof *b->agents, cheapest_first);
    regret_free(x);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the board */

/* The grid of all cells, if it is one and its costs are known; else NULL. */
static const struct regret_run_grid *one_grid(const struct slice *s)
{
    const struct regret_results *r = s->r;
    if (r->n_grids == 0 || s->n_cells == 0) {
        return NULL;
    }
    size_t first = r->cell_grid[s->cells[0]];
    for (size_t i = 1; i < s->n_cells; i++) {
        if (r->cell_grid[s->cells[i]] != first) {
            return NULL;
        }
    }
    return r->grids[first].costs != NULL ? &r->grids[first] : NULL;
}

static int make(struct maker *m, const size_t *families, size_t n_families, size_t oracle)
{
    const struct regret_results *r = m->slice->r;
    struct cost_board *b = m->board;
    b->low = INFINITY;
    b->high = -INFINITY;
    for (size_t a = 0; a < b->grid->n_agents; a++) {
        b->low = fmin(b->low, b->grid->costs[a]);
        b->high = fmax(b->high, b->grid->costs[a]);
    }
    TRY(REGRET_NEW(&b->curves, r->n_subjects));
    TRY(REGRET_NEW(&m->in, r->n_seeds));
    TRY(REGRET_NEW(&m->agent_mean, b->grid->n_agents));
    TRY(REGRET_NEW(&m->hull, b->grid->n_agents));
    TRY(read_list(&m->agents, m->slice, REGRET_LIST_AGENT_VALUE, oracle, b->grid->n_agents));
    TRY(take_agents(m));
    for (size_t i = 0; i < n_families; i++) {
        TRY(add_curve(m, families[i]));
    }
    for (size_t i = r->n_families; i < r->n_subjects; i++) {
        TRY(r->subjects[i].kind == REGRET_ROW_BASELINE ? add_curve(m, i) : REGRET_OK);
    }
    return REGRET_OK;
}

int cost_board_make(struct cost_board *out, const struct slice *cells, const size_t *families,
                    size_t n_families)
{
    struct cost_board board = {.grid = one_grid(cells)};
    struct maker m = {.slice = cells, .board = &board};
    size_t oracle = regret_results_subject(cells->r, REGRET_ROW_BASELINE, "oracle");
    int rc = REGRET_OK;
    if (board.grid != NULL && oracle != REGRET_NO_ROW) {
        TRY_CLEANUP(make(&m, families, n_families, oracle));
    }
    *out = board;
    board = (struct cost_board){0};
cleanup:
    cost_board_free(&board);
    regret_free(m.agents.number);
    regret_free(m.in);
    regret_free(m.agent_mean);
    regret_free(m.hull);
    return rc;
}

void cost_board_free(struct cost_board *b)
{
    regret_free(b->curves);
    regret_free(b->agents);
    regret_free(b->hull);
    *b = (struct cost_board){0};
}
