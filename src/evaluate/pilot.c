/* What a pilot says of the spread. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/status.h"
#include "evaluate/internal.h"
#include "log/log.h"
#include "regret/evaluate.h"
#include "regret/status.h"

/* An agent's variance counts as so many normal rows more of each of its cells, and that of all agents of each agent: what few
 * rows say of a variance is little, and two equal outcomes do not make it nought. */
static const double PRIOR_ROWS = 4.0;
static const double WORST_VARIANCE = 0.25; /* of [0,1] */

static double weight_of(const struct regret_log_rows *r, const struct pilot *p, size_t i)
{
    return p->is_trial && r->propensity != NULL ? 1.0 / r->propensity[i] : 1.0;
}

static size_t cell_of(const struct regret_log *log, const struct pilot *p,
                      const struct regret_log_rows *r, size_t i, size_t a)
{
    size_t tag = log->tag != NULL ? log->tag[r->context[i]] : 0;
    return tag * p->n_agents + a;
}

static const struct regret_log_rows *rows_of(const struct regret_log *log, const struct pilot *p)
{
    return &log->rows[p->is_trial ? REGRET_LOG_EXP : REGRET_LOG_OBS];
}

/* ---------------------------------------------------------------- means */

/* Shares of tags are those of requests, whoever answers: of the pilot with weights, else of the log. */
static void read_means(struct pilot *p, const struct regret_log *log, const uint32_t *place)
{
    const struct regret_log_rows *r = rows_of(log, p);
    double all = 0.0;
    for (size_t i = 0; i < r->n; i++) {
        size_t a = place[r->agent[i]];
        p->tag_share[log->tag != NULL ? log->tag[r->context[i]] : 0] += 1.0;
        all += 1.0;
        if (a < p->n_agents) {
            size_t k = cell_of(log, p, r, i, a);
            double w = weight_of(r, p, i);
            p->n_rows++;
            p->cell[k].rows++;
            p->agent[a].rows++;
            p->cell[k].weight += w;
            p->cell[k].mean += w * r->outcome[i];
        }
    }
    for (size_t g = 0; g < p->n_tags; g++) {
        p->tag_share[g] = all > 0.0 ? p->tag_share[g] / all : 1.0 / (double)p->n_tags;
    }
    for (size_t k = 0; k < p->n_tags * p->n_agents; k++) {
        p->cell[k].mean = p->cell[k].rows > 0 ? p->cell[k].mean / p->cell[k].weight : NAN;
    }
}

/* The share of requests whose tag the agent has rows in. */
static double covered_share(const struct pilot *p, size_t a)
{
    double sum = 0.0;
    for (size_t g = 0; g < p->n_tags; g++) {
        sum += p->cell[g * p->n_agents + a].rows > 0 ? p->tag_share[g] : 0.0;
    }
    return sum;
}

static void average_over_tags(struct pilot *p)
{
    for (size_t a = 0; a < p->n_agents; a++) {
        double sum = 0.0, share = covered_share(p, a);
        for (size_t g = 0; g < p->n_tags; g++) {
            size_t k = g * p->n_agents + a;
            sum += p->cell[k].rows > 0 ? p->tag_share[g] * p->cell[k].mean : 0.0;
        }
        p->mean[a] = share > 0.0 ? sum / share : NAN;
    }
}

/* ---------------------------------------------------------------- variances */

/* Squares around the cell's mean as of rows that weigh alike, into `variance`; and their tail. */
static void read_squares(struct pilot *p, const struct regret_log *log, const uint32_t *place)
{
    const struct regret_log_rows *r = rows_of(log, p);
    double rows = 0.0, squares = 0.0, fourth = 0.0;
    for (size_t i = 0; i < r->n; i++) {
        size_t a = place[r->agent[i]];
        if (a < p->n_agents) {
            size_t k = cell_of(log, p, r, i, a);
            double e = r->outcome[i] - p->cell[k].mean;
            p->cell[k].variance += weight_of(r, p, i) * e * e;
            rows += p->cell[k].rows > 1 ? 1.0 : 0.0;
            squares += e * e;
            fourth += e * e * e * e;
        }
    }
    p->tail = squares > 0.0 ? fmax(1.0, 0.5 * (rows * fourth / (squares * squares) - 1.0)) : 1.0;
    for (size_t k = 0; k < p->n_tags * p->n_agents; k++) {
        p->cell[k].variance *=
            p->cell[k].rows > 0 ? (double)p->cell[k].rows / p->cell[k].weight : 0.0;
    }
}

/* From sums of squares to variances: of all, of the agents, of the cells. */
static void draw_together(struct pilot *p)
{
    double squares = 0.0, free = 0.0, prior = PRIOR_ROWS * p->tail;
    size_t cells = p->n_tags * p->n_agents;
    for (size_t k = 0; k < cells; k++) {
        squares += p->cell[k].variance;
        free += p->cell[k].rows > 1 ? (double)(p->cell[k].rows - 1) : 0.0;
    }
    double all = free > 0.0 ? squares / free : WORST_VARIANCE;
    for (size_t a = 0; a < p->n_agents; a++) {
        double own = 0.0, own_free = 0.0;
        for (size_t k = a; k < cells; k += p->n_agents) {
            own += p->cell[k].variance;
            own_free += p->cell[k].rows > 1 ? (double)(p->cell[k].rows - 1) : 0.0;
        }
        double within = (own + prior * all) / (own_free + prior);
        p->agent[a].within = within;
        p->agent[a].basis = !(free > 0.0)    ? REGRET_TRIAL_WORST
                            : !p->is_trial   ? REGRET_TRIAL_FROM_LOG
                            : own_free > 0.0 ? REGRET_TRIAL_FROM_PILOT
                                             : REGRET_TRIAL_FROM_OTHERS;
        for (size_t k = a; k < cells; k += p->n_agents) {
            double cell_free = p->cell[k].rows > 1 ? (double)(p->cell[k].rows - 1) : 0.0;
            p->cell[k].variance = (p->cell[k].variance + prior * within) / (cell_free + prior);
        }
    }
}

/* ---------------------------------------------------------------- clusters */

/* One row's part in the estimated value of its agent. */
struct influence {
    uint32_t cluster;
    uint32_t agent;
    double part;
};

static int by_cluster(const void *a, const void *b)
{
    const struct influence *x = a, *y = b;
    if (x->cluster != y->cluster) {
        return x->cluster < y->cluster ? -1 : 1;
    }
    return (x->agent > y->agent) - (x->agent < y->agent);
}

static size_t read_influences(struct influence *out, const struct pilot *p,
                              const struct regret_log *log, const uint32_t *place)
{
    const struct regret_log_rows *r = rows_of(log, p);
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        size_t a = place[r->agent[i]];
        if (a < p->n_agents) {
            size_t k = cell_of(log, p, r, i, a);
            double share = p->tag_share[k / p->n_agents] / covered_share(p, a);
            out[n++] = (struct influence){r->cluster[i], (uint32_t)a,
                                          share * weight_of(r, p, i) / p->cell[k].weight *
                                              (r->outcome[i] - p->cell[k].mean)};
        }
    }
    return n;
}

/* What pairs of rows in a cluster add up to: of an agent with itself, and with the reference. */
struct pair_sums {
    double *own, *with_reference; /* [n_agents] */
};

FREED_FIELDS(pair_sums, of->own, of->with_reference)

/* The rows from `first` to `end` are one cluster's, by agent. */
static void add_cluster(struct pair_sums *s, struct pilot *p, const struct influence *first,
                        const struct influence *end, size_t reference)
{
    double reference_sum = 0.0;
    for (const struct influence *i = first; i < end; i++) {
        reference_sum += i->agent == reference ? i->part : 0.0;
    }
    while (first < end) {
        size_t a = first->agent;
        double sum = 0.0, squares = 0.0;
        for (; first < end && first->agent == a; first++) {
            sum += first->part;
            squares += first->part * first->part;
        }
        s->own[a] += sum * sum - squares;
        s->with_reference[a] += a == reference ? 0.0 : sum * reference_sum;
        p->agent[a].clusters++;
    }
    p->n_clusters++;
}

static int read_clusters(struct pilot *p, const struct regret_log *log, const uint32_t *place,
                         size_t reference)
{
    FREED struct influence *influence = NULL;
    FREED_BY(pair_sums_fields) struct pair_sums sums = {0};
    TRY(REGRET_NEW(&influence, p->n_rows));
    TRY(REGRET_NEW(&sums.own, p->n_agents));
    TRY(REGRET_NEW(&sums.with_reference, p->n_agents));
    size_t n = read_influences(influence, p, log, place);
    qsort(influence, n, sizeof *influence, by_cluster);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && influence[end].cluster == influence[i].cluster; end++) {
        }
        add_cluster(&sums, p, influence + i, influence + end, reference);
    }
    for (size_t a = 0; a < p->n_agents; a++) {
        double pairs = sums.own[a] + sums.own[reference] - 2.0 * sums.with_reference[a];
        p->agent[a].excess = fmax(0.0, (double)p->n_rows * sums.own[a]);
        p->agent[a].excess_difference = a == reference ? 0.0 : fmax(0.0, (double)p->n_rows * pairs);
    }
    return REGRET_OK;
}

/* The variance of a cell's mean as if rows were independent. */
static double mean_variance(const struct pilot *p, size_t cell)
{
    return p->cell[cell].rows > 0 ? p->cell[cell].variance / (double)p->cell[cell].rows : 0.0;
}

/* How values differ by tag, less what the errors of the cells' means make of it. */
static double spread_over_tags(const struct pilot *p, size_t a, size_t other)
{
    double sum = 0.0, mean = 0.0, share = 0.0, chance = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t g = 0; g < p->n_tags; g++) {
            size_t k = g * p->n_agents + a, l = g * p->n_agents + other;
            if (p->cell[k].rows == 0 || p->cell[l].rows == 0) {
                continue;
            }
            double d = p->cell[k].mean - (a == other ? 0.0 : p->cell[l].mean), w = p->tag_share[g];
            if (pass == 0) {
                mean += w * d;
                share += w;
            } else {
                sum += w * (d - mean) * (d - mean);
                chance += w * (1.0 - w / share) *
                          (mean_variance(p, k) + (a == other ? 0.0 : mean_variance(p, l)));
            }
        }
        mean = share > 0.0 ? mean / (pass == 0 ? share : 1.0) : 0.0;
    }
    return share > 0.0 ? fmax(0.0, (sum - chance) / share) : 0.0;
}

static void read_spreads(struct pilot *p, size_t reference)
{
    for (size_t a = 0; a < p->n_agents; a++) {
        double rows = (double)p->n_rows, sum = 0.0, share = covered_share(p, a);
        p->agent[a].between = spread_over_tags(p, a, a);
        p->agent[a].between_difference = a == reference ? 0.0 : spread_over_tags(p, a, reference);
        for (size_t g = 0; g < p->n_tags; g++) {
            double s = p->tag_share[g] / (share > 0.0 ? share : 1.0);
            sum += s * s * mean_variance(p, g * p->n_agents + a);
        }
        p->se2[a] =
            share > 0.0 ? sum + (p->agent[a].excess + p->agent[a].between) / rows : INFINITY;
    }
}

/* ---------------------------------------------------------------- agents that come and go */

/* Rows, Σ w and Σ w y of an agent and of the reference where both were on offer. */
struct together {
    double rows, weight[2], sum[2];
};

static void count_together(struct together *cell, const struct pilot *p,
                           const struct regret_log *log, const uint32_t *place, size_t reference)
{
    const struct regret_log_rows *r = rows_of(log, p);
    enum regret_log_source s = p->is_trial ? REGRET_LOG_EXP : REGRET_LOG_OBS;
    uint32_t other = 0;
    while (place[other] != reference) {
        other++;
    }
    for (size_t i = 0; i < r->n; i++) {
        for (uint32_t a = 0; a < log->n_agents && was_on_offer(log, s, i, other); a++) {
            if (place[a] < p->n_agents && was_on_offer(log, s, i, a)) {
                struct together *c = &cell[cell_of(log, p, r, i, place[a])];
                const uint32_t agent[2] = {a, other};
                for (size_t k = 0; k < 2; k++) {
                    double w = agent[k] == r->agent[i] ? weight_of(r, p, i) : 0.0;
                    c->weight[k] += w;
                    c->sum[k] += w * r->outcome[i];
                }
                c->rows += a == r->agent[i];
            }
        }
    }
}

/* A mean becomes the reference's and the difference to it where both were on offer; of who never was with it nothing is known. */
static int compare_together(struct pilot *p, const struct regret_log *log, const uint32_t *place,
                            size_t reference)
{
    FREED struct together *cell = NULL;
    size_t cells = p->n_tags * p->n_agents;
    if (!some_were_absent(log)) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&cell, cells));
    count_together(cell, p, log, place, reference);
    for (size_t k = 0; k < cells; k++) {
        const struct together *c = &cell[k];
        size_t of = k - k % p->n_agents + reference;
        if (k != of) {
            int is_known = c->weight[0] > 0.0 && c->weight[1] > 0.0;
            p->cell[k].rows = is_known ? (size_t)c->rows : 0;
            p->cell[k].mean =
                is_known ? p->cell[of].mean + c->sum[0] / c->weight[0] - c->sum[1] / c->weight[1]
                         : NAN;
        }
    }
    average_over_tags(p);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- all of it */

int pilot_make(struct pilot *out, const struct regret_log *log, const uint32_t *place,
               size_t n_agents, size_t reference)
{
    FREED_BY(pilot_clear)
    struct pilot p = {.n_agents = n_agents,
                      .n_tags = log->tag != NULL && log->n_tags > 0 ? log->n_tags : 1,
                      .is_trial = log->rows[REGRET_LOG_EXP].n > 0};
    TRY(REGRET_NEW(&p.tag_share, p.n_tags));
    TRY(REGRET_NEW(&p.cell, p.n_tags * n_agents));
    TRY(REGRET_NEW(&p.agent, n_agents));
    TRY(REGRET_NEW(&p.mean, n_agents));
    TRY(REGRET_NEW(&p.se2, n_agents));
    read_means(&p, log, place);
    average_over_tags(&p);
    read_squares(&p, log, place);
    draw_together(&p);
    TRY(read_clusters(&p, log, place, reference));
    TRY(compare_together(&p, log, place, reference));
    read_spreads(&p, reference);
    *out = p;
    p = (struct pilot){0};
    return REGRET_OK;
}

void pilot_clear(struct pilot *p)
{
    regret_free(p->tag_share);
    regret_free(p->cell);
    regret_free(p->agent);
    regret_free(p->mean);
    regret_free(p->se2);
    *p = (struct pilot){0};
}

/* The variance of a row of agent a within tags, these as requests have them. */
static double pilot_row_variance(const struct pilot *p, size_t a)
{
    double sum = 0.0;
    for (size_t g = 0; g < p->n_tags; g++) {
        sum += p->tag_share[g] * p->cell[g * p->n_agents + a].variance;
    }
    return sum;
}

static double within_tags(const struct pilot *p, const double *share, const double *safe, size_t a)
{
    return pilot_row_variance(p, a) / share[a] * (safe != NULL ? safe[a] : 1.0);
}

double pilot_value_variance(const struct pilot *p, const double *share, const double *safe,
                            size_t a)
{
    return within_tags(p, share, safe, a) + p->agent[a].excess + p->agent[a].between;
}

double pilot_difference_variance(const struct pilot *p, const double *share, const double *safe,
                                 size_t a, size_t reference)
{
    return a == reference
               ? 0.0
               : within_tags(p, share, safe, a) + within_tags(p, share, safe, reference) +
                     p->agent[a].excess_difference + p->agent[a].between_difference;
}

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

struct prior prior_fit(const double *mean, const double *se2, size_t n)
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
            return (struct prior){centre[i], 0.5 * u * u};
        }
    }
    return (struct prior){0.5, 0.5};
}

void shares_uniform(double *share, const struct pilot *p)
{
    for (size_t a = 0; a < p->n_agents; a++) {
        share[a] = 1.0 / (double)p->n_agents;
    }
}

void shares_neyman(double *share, const struct pilot *p, size_t reference, double differences)
{
    double sum = 0.0;
    for (size_t a = 0; a < p->n_agents; a++) {
        share[a] = sqrt(pilot_row_variance(p, a) * (a == reference ? differences : 1.0));
        sum += share[a];
    }
    if (!(sum > 0.0)) { /* no outcome scatters at all */
        shares_uniform(share, p);
        return;
    }
    for (size_t a = 0; a < p->n_agents; a++) {
        share[a] /= sum;
    }
}
