/* Sums by cell and by cluster. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "evaluate/diagnose.h"
#include "regret/evaluate.h"
#include "regret/status.h"

size_t cell_of(const struct cells *c, enum regret_log_source source, size_t row)
{
    const struct regret_log_rows *rows = &c->log->rows[source];
    return rows->agent[row] * c->n_tags + (c->n_tags > 1 ? c->log->tag[rows->context[row]] : 0);
}

double cell_weight(const struct cells *c, enum regret_log_source source, size_t row)
{
    const double *p = c->log->rows[source].propensity;
    return p && (source == REGRET_LOG_EXP || c->weigh_obs) ? 1.0 / p[row] : 1.0;
}

int cells_build(struct cells *out, const struct regret_log *log, int by_tag, int weigh_obs)
{
    struct cells c = {.log = log, .n_tags = by_tag && log->tag ? log->n_tags : 1};
    c.n = log->n_agents * c.n_tags;
    c.weigh_obs = weigh_obs;
    TRY(REGRET_NEW(&c.at, c.n));
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            struct cell *cell = &c.at[cell_of(&c, s, i)];
            double w = cell_weight(&c, s, i), y = log->rows[s].outcome[i];
            cell->rows[s]++;
            cell->weight[s] += w;
            cell->square[s] += w * w;
            cell->mean[s] += w * y;
            cell->y += y;
            cell->yy += y * y;
        }
        for (size_t k = 0; k < c.n; k++) {
            c.at[k].mean[s] = c.at[k].rows[s] > 0 ? c.at[k].mean[s] / c.at[k].weight[s] : NAN;
        }
    }
    *out = c;
    return REGRET_OK;
}

void cells_free(struct cells *cells)
{
    regret_free(cells->at);
    *cells = (struct cells){0};
}

double cell_leverage(const struct cell *cell, enum regret_log_source source)
{
    double w = cell->weight[source];
    return cell->rows[source] > 0 ? cell->square[source] / (w * w) : 0.0;
}

double cell_effective_rows(const struct cell *cell, enum regret_log_source source)
{
    return cell->rows[source] > 0 ? 1.0 / cell_leverage(cell, source) : 0.0;
}

/* Counts rows a cluster into start[c + 1]. */
static void count(struct cluster_order *order, const struct regret_log *log)
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            order->start[log->rows[s].cluster[i] + 1]++;
        }
    }
    for (size_t c = 0; c < order->n_clusters; c++) {
        order->start[c + 1] += order->start[c];
    }
}

/* Puts every row at the next place of its cluster; start[c] then is where cluster c + 1 begins, and is moved up by one. */
static void place_rows(struct cluster_order *order, const struct regret_log *log)
{
    uint32_t number = 0;
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            order->place[order->start[log->rows[s].cluster[i]]++] = number++;
        }
    }
    for (size_t c = order->n_clusters; c > 0; c--) {
        order->start[c] = order->start[c - 1];
    }
    order->start[0] = 0;
}

int cluster_order_build(struct cluster_order *out, const struct regret_log *log)
{
    size_t n = log->rows[REGRET_LOG_OBS].n + log->rows[REGRET_LOG_EXP].n;
    FREED_BY(cluster_order_free)
    struct cluster_order order = {.n_clusters = log->n_clusters,
                                  .n_obs = log->rows[REGRET_LOG_OBS].n};
    if (n > UINT32_MAX) {
        return regret_fail(REGRET_E_INPUT,
                           "%zu rows in OBS and EXP together; evaluate a part of below 2^32", n);
    }
    TRY(REGRET_NEW(&order.start, order.n_clusters + 1));
    TRY(REGRET_NEW(&order.place, n));
    count(&order, log);
    place_rows(&order, log);
    *out = order;
    order = (struct cluster_order){0};
    return REGRET_OK;
}

void cluster_order_free(struct cluster_order *order)
{
    regret_free(order->start);
    regret_free(order->place);
    *order = (struct cluster_order){0};
}

enum { SCORES_MAX_JOINT = 256 /* cells of which covariances are kept */ };

/* What the rows of one cluster add up to. */
struct gathering {
    struct scores *scores;
    const double *const *total;
    struct in_cluster {
        double weight[REGRET_LOG_SOURCES], value[REGRET_LOG_SOURCES];
        int is_on, has[REGRET_LOG_SOURCES];
    } * at;          /* [n] of the cluster at hand */
    size_t *touched; /* [n] cells that it has rows in */
    size_t n_touched;
    double *psi; /* [n] of touched cells, in their order */
};

FREED_FIELDS(gathering, of->at, of->touched, of->psi)

static void add(struct gathering *g, const struct score *score, enum regret_log_source source)
{
    struct in_cluster *of = &g->at[score->cell];
    if (!of->is_on) {
        of->is_on = 1;
        g->touched[g->n_touched++] = score->cell;
    }
    of->has[source] = 1;
    of->weight[source] += score->weight;
    of->value[source] += score->value;
}

/* δ of a cell. A cluster that is all of a cell cannot be left out. */
static double change(struct gathering *g, size_t cell, enum regret_log_source source)
{
    const struct in_cluster *of = &g->at[cell];
    struct score_sums *to = &g->scores->at[cell];
    double value = of->value[source], rest = 1.0;
    if (g->total) {
        rest = g->total[source][cell] - of->weight[source];
        value = rest > 1e-12 * g->total[source][cell] ? value / rest : 0.0;
    }
    if (of->has[source]) {
        to->clusters[source]++;
        to->variance[source] += value * value;
    }
    return value;
}

static void close_cluster(struct gathering *g)
{
    struct scores *s = g->scores;
    for (size_t i = 0; i < g->n_touched; i++) {
        size_t cell = g->touched[i];
        double obs = change(g, cell, REGRET_LOG_OBS), exp = change(g, cell, REGRET_LOG_EXP);
        s->at[cell].cross += obs * exp;
        g->psi[i] = obs - exp;
        g->at[cell] = (struct in_cluster){0};
    }
    for (size_t i = 0; s->covariance && i < g->n_touched; i++) {
        for (size_t j = 0; j <= i; j++) {
            size_t a = g->touched[i], b = g->touched[j], high = a > b ? a : b, low = a > b ? b : a;
            s->covariance[low * s->n + high] += g->psi[i] * g->psi[j];
        }
    }
    g->n_touched = 0;
}

/* The factor c. */
static void correct(struct scores *s, int is_ratio)
{
    for (size_t k = 0; k < s->n; k++) {
        for (size_t source = 0; source < REGRET_LOG_SOURCES; source++) {
            double n = (double)s->at[k].clusters[source];
            s->at[k].variance[source] *= n < 2.0 ? NAN : is_ratio ? (n - 1.0) / n : n / (n - 1.0);
        }
    }
}

int scores_gather(struct scores *out, size_t n, const double *const *total,
                  const struct cluster_order *order, score_of *of, const void *context)
{
    FREED_BY(scores_free) struct scores s = {.n = n};
    FREED_BY(gathering_fields) struct gathering g = {.scores = &s, .total = total};
    TRY(REGRET_NEW(&s.at, n));
    TRY(n <= SCORES_MAX_JOINT ? REGRET_NEW(&s.covariance, n * n) : REGRET_OK);
    TRY(REGRET_NEW(&g.at, n));
    TRY(REGRET_NEW(&g.touched, n));
    TRY(REGRET_NEW(&g.psi, n));
    for (size_t c = 0; c < order->n_clusters; c++) {
        for (size_t i = order->start[c]; i < order->start[c + 1]; i++) {
            size_t place = order->place[i];
            enum regret_log_source source = cluster_source(order, place);
            struct score score = of(context, source, cluster_row(order, place));
            if (score.cell != SCORE_NONE) {
                add(&g, &score, source);
            }
        }
        close_cluster(&g);
    }
    correct(&s, total != NULL);
    *out = s;
    s = (struct scores){0};
    return REGRET_OK;
}

void scores_free(struct scores *s)
{
    regret_free(s->at);
    regret_free(s->covariance);
    *s = (struct scores){0};
}

/* Of a kind, over clusters: Σ a², Σ a b; the variance is a square of both, and of Σ b², that π makes. */
struct kind_sums {
    double own, with;
    double value; /* a of the cluster at hand */
    int is_on;    /* 1: it has the kind */
};

struct sharing {
    struct kind_sums *at; /* [n] */
    size_t *touched;      /* [n] kinds of the cluster at hand */
    double all, total;    /* Σ b², Σ v */
};

FREED_FIELDS(sharing, of->at, of->touched)

static void shares_close_cluster(struct sharing *t, size_t n_touched, double b)
{
    for (size_t i = 0; i < n_touched; i++) {
        struct kind_sums *of = &t->at[t->touched[i]];
        of->own += of->value * of->value;
        of->with += of->value * b;
        of->value = 0.0;
        of->is_on = 0;
    }
    t->all += b * b;
    t->total += b;
}

static void read_cluster(struct shares *s, struct sharing *t, const struct cluster_order *order,
                         size_t cluster, enum regret_log_source source, share_of *of,
                         const void *context)
{
    size_t exp = cluster_exp(order, cluster), n_touched = 0, rows = s->rows;
    size_t from = source == REGRET_LOG_EXP ? exp : order->start[cluster];
    size_t to = source == REGRET_LOG_EXP ? order->start[cluster + 1] : exp;
    double b = 0.0;
    for (size_t i = from; i < to; i++) {
        struct share_row row = of(context, cluster_row(order, order->place[i]));
        if (row.kind == SIZE_MAX) {
            continue;
        }
        struct kind_sums *kind = &t->at[row.kind];
        if (!kind->is_on) {
            kind->is_on = 1;
            t->touched[n_touched++] = row.kind;
        }
        kind->value += row.value;
        s->at[row.kind].sum += row.value;
        s->at[row.kind].count++;
        s->rows++;
        b += row.value;
    }
    s->clusters += s->rows > rows;
    shares_close_cluster(t, n_touched, b);
}

static void finish(struct shares *s, const struct sharing *t)
{
    double n = (double)s->clusters;
    for (size_t k = 0; k < s->n; k++) {
        struct share_sums *to = &s->at[k];
        double share = s->rows > 0 ? (double)to->count / (double)s->rows : 0.0;
        double square = t->at[k].own - 2.0 * share * t->at[k].with + share * share * t->all;
        to->variance = n < 2.0 ? NAN : fmax(square, 0.0) * n / (n - 1.0);
        to->sum -= share * t->total;
    }
}

int shares_gather(struct shares *out, size_t n, const struct cluster_order *order,
                  enum regret_log_source source, share_of *of, const void *context)
{
    FREED_BY(shares_free) struct shares s = {.n = n};
    FREED_BY(sharing_fields) struct sharing t = {0};
    TRY(REGRET_NEW(&s.at, n));
    TRY(REGRET_NEW(&t.at, n));
    TRY(REGRET_NEW(&t.touched, n));
    for (size_t c = 0; c < order->n_clusters; c++) {
        read_cluster(&s, &t, order, c, source, of, context);
    }
    finish(&s, &t);
    *out = s;
    s = (struct shares){0};
    return REGRET_OK;
}

void shares_free(struct shares *s)
{
    regret_free(s->at);
    *s = (struct shares){0};
}
