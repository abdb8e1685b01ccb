#include "evaluate/clusters.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
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
    double *weight, *value; /* [n × sources] of the cluster at hand */
    size_t *touched;        /* [n] cells that it has rows in … */
    unsigned char *is_on;   /* [n] … and whether a cell is one of them */
    size_t n_touched;
    double *psi; /* [n] of touched cells, in their order */
};

FREED_FIELDS(gathering, of->weight, of->value, of->touched, of->psi, of->is_on)

static void add(struct gathering *g, const struct score *score, enum regret_log_source source)
{
    size_t at = score->cell * REGRET_LOG_SOURCES + source;
    if (!g->is_on[score->cell]) {
        g->is_on[score->cell] = 1;
        g->touched[g->n_touched++] = score->cell;
    }
    g->is_on[score->cell] |= (unsigned char)(2U << source);
    g->weight[at] += score->weight;
    g->value[at] += score->value;
}

/* δ of a cell, and forgets its sums. A cluster that is all of a cell cannot be left out. */
static double change(struct gathering *g, size_t cell, enum regret_log_source source)
{
    size_t at = cell * REGRET_LOG_SOURCES + source;
    double value = g->value[at], rest = 1.0;
    if (g->total) {
        rest = g->total[source][cell] - g->weight[at];
        value = rest > 1e-12 * g->total[source][cell] ? value / rest : 0.0;
    }
    if (g->is_on[cell] & (2U << source)) {
        g->scores->clusters[source][cell]++;
        g->scores->variance[source][cell] += value * value;
    }
    g->weight[at] = g->value[at] = 0.0;
    return value;
}

static void close_cluster(struct gathering *g)
{
    struct scores *s = g->scores;
    for (size_t i = 0; i < g->n_touched; i++) {
        size_t cell = g->touched[i];
        double obs = change(g, cell, REGRET_LOG_OBS), exp = change(g, cell, REGRET_LOG_EXP);
        s->cross[cell] += obs * exp;
        g->psi[i] = obs - exp;
        g->is_on[cell] = 0;
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
    for (size_t source = 0; source < REGRET_LOG_SOURCES; source++) {
        for (size_t k = 0; k < s->n; k++) {
            double n = (double)s->clusters[source][k];
            s->variance[source][k] *= n < 2.0 ? NAN : is_ratio ? (n - 1.0) / n : n / (n - 1.0);
        }
    }
}

static int scores_make(struct scores *s, size_t n)
{
    s->n = n;
    for (size_t source = 0; source < REGRET_LOG_SOURCES; source++) {
        TRY(REGRET_NEW(&s->variance[source], n));
        TRY(REGRET_NEW(&s->clusters[source], n));
    }
    TRY(REGRET_NEW(&s->cross, n));
    return n <= SCORES_MAX_JOINT ? REGRET_NEW(&s->covariance, n * n) : REGRET_OK;
}

static int gathering_make(struct gathering *g, size_t n)
{
    TRY(REGRET_NEW(&g->weight, n * REGRET_LOG_SOURCES));
    TRY(REGRET_NEW(&g->value, n * REGRET_LOG_SOURCES));
    TRY(REGRET_NEW(&g->touched, n));
    TRY(REGRET_NEW(&g->psi, n));
    return REGRET_NEW(&g->is_on, n);
}

int scores_gather(struct scores *out, size_t n, const double *const *total,
                  const struct cluster_order *order, score_of *of, const void *context)
{
    FREED_BY(scores_free) struct scores s = {0};
    FREED_BY(gathering_fields) struct gathering g = {.scores = &s, .total = total};
    TRY(scores_make(&s, n));
    TRY(gathering_make(&g, n));
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
    for (size_t source = 0; source < REGRET_LOG_SOURCES; source++) {
        regret_free(s->variance[source]);
        regret_free(s->clusters[source]);
    }
    regret_free(s->cross);
    regret_free(s->covariance);
    *s = (struct scores){0};
}

enum { MOST = 1 << 16 };

int time_order_build(struct time_order *out, const double *times, size_t n)
{
    struct time_order order = {0};
    size_t step = n / MOST + 1;
    TRY(REGRET_NEW(&order.sorted, n / step + 1));
    for (size_t i = 0; i < n; i += step) {
        if (!isnan(times[i])) {
            order.sorted[order.n++] = times[i];
        }
    }
    regret_sort_numbers(order.sorted, order.n);
    *out = order;
    return REGRET_OK;
}

void time_order_free(struct time_order *order)
{
    regret_free(order->sorted);
    *order = (struct time_order){0};
}

double time_place(const struct time_order *order, double time)
{
    return isnan(time) || order->n == 0
               ? NAN
               : 0.5 *
                     (double)(sorted_below(order->sorted, order->n, time) +
                              sorted_below(order->sorted, order->n, nextafter(time, INFINITY))) /
                     (double)order->n;
}

/* Sums over clusters: Σ a², Σ a b of each kind, Σ b²; the variance is a square of both that π makes. */
struct share_sums {
    double *own, *with; /* [n] */
    double all, total;  /* Σ b², Σ v */
    double *value;      /* [n] a of the cluster at hand */
    size_t *touched;    /* [n] kinds that it has */
    unsigned char *is_on;
};

FREED_FIELDS(share_sums, of->own, of->with, of->value, of->touched, of->is_on)

static void shares_close_cluster(struct share_sums *t, size_t n_touched, double b)
{
    for (size_t i = 0; i < n_touched; i++) {
        size_t k = t->touched[i];
        t->own[k] += t->value[k] * t->value[k];
        t->with[k] += t->value[k] * b;
        t->value[k] = 0.0;
        t->is_on[k] = 0;
    }
    t->all += b * b;
    t->total += b;
}

static void read_cluster(struct shares *s, struct share_sums *t, const struct cluster_order *order,
                         size_t cluster, enum regret_log_source source, share_of *of,
                         const void *context)
{
    size_t n_touched = 0, rows = s->rows;
    double b = 0.0;
    for (size_t i = order->start[cluster]; i < order->start[cluster + 1]; i++) {
        if (cluster_source(order, order->place[i]) != source) {
            continue;
        }
        struct share_row row = of(context, cluster_row(order, order->place[i]));
        if (row.kind == SIZE_MAX) {
            continue;
        }
        if (!t->is_on[row.kind]) {
            t->is_on[row.kind] = 1;
            t->touched[n_touched++] = row.kind;
        }
        t->value[row.kind] += row.value;
        s->sum[row.kind] += row.value;
        s->count[row.kind]++;
        s->rows++;
        b += row.value;
    }
    s->clusters += s->rows > rows;
    shares_close_cluster(t, n_touched, b);
}

static void finish(struct shares *s, const struct share_sums *t)
{
    double n = (double)s->clusters;
    for (size_t k = 0; k < s->n; k++) {
        double share = s->rows > 0 ? (double)s->count[k] / (double)s->rows : 0.0;
        double square = t->own[k] - 2.0 * share * t->with[k] + share * share * t->all;
        s->variance[k] = n < 2.0 ? NAN : fmax(square, 0.0) * n / (n - 1.0);
        s->sum[k] -= share * t->total;
    }
}

static int make(struct shares *s, struct share_sums *t, size_t n)
{
    s->n = n;
    TRY(REGRET_NEW(&s->count, n));
    TRY(REGRET_NEW(&s->sum, n));
    TRY(REGRET_NEW(&s->variance, n));
    TRY(REGRET_NEW(&t->own, n));
    TRY(REGRET_NEW(&t->with, n));
    TRY(REGRET_NEW(&t->value, n));
    TRY(REGRET_NEW(&t->touched, n));
    return REGRET_NEW(&t->is_on, n);
}

int shares_gather(struct shares *out, size_t n, const struct cluster_order *order,
                  enum regret_log_source source, share_of *of, const void *context)
{
    FREED_BY(shares_free) struct shares s = {0};
    FREED_BY(share_sums_fields) struct share_sums t = {0};
    TRY(make(&s, &t, n));
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
    regret_free(s->count);
    regret_free(s->sum);
    regret_free(s->variance);
    *s = (struct shares){0};
}

enum { LEAST_ROWS = 10, LEAST_CLUSTERS = 5 /* of an agent in a source */ };

/* Sums over the rows of an agent in a source. */
struct moments {
    double n, t, y;
    double tt, ty, yy; /* about the means */
};

struct fitting {
    const struct regret_log *log;
    const double *const *place;
    struct moments *at; /* [agents × sources] */
};

FREED_FIELDS(fitting, of->at)

static struct moments *moments_of(const struct fitting *f, size_t agent, size_t source)
{
    return &f->at[agent * REGRET_LOG_SOURCES + source];
}

static int is_there(const struct fitting *f, size_t source, size_t row)
{
    return f->place[source] && !isnan(f->place[source][row]);
}

static void sum(struct fitting *f, size_t source)
{
    const struct regret_log_rows *rows = &f->log->rows[source];
    for (size_t i = 0; i < rows->n; i++) {
        if (is_there(f, source, i)) {
            struct moments *m = moments_of(f, rows->agent[i], source);
            m->n += 1.0;
            m->t += f->place[source][i];
            m->y += rows->outcome[i];
        }
    }
    for (size_t a = 0; a < f->log->n_agents; a++) {
        struct moments *m = moments_of(f, a, source);
        m->t /= m->n > 0.0 ? m->n : 1.0;
        m->y /= m->n > 0.0 ? m->n : 1.0;
    }
    for (size_t i = 0; i < rows->n; i++) {
        if (is_there(f, source, i)) {
            struct moments *m = moments_of(f, rows->agent[i], source);
            double t = f->place[source][i] - m->t, y = rows->outcome[i] - m->y;
            m->tt += t * t;
            m->ty += t * y;
            m->yy += y * y;
        }
    }
}

static int is_enough(const struct moments *m)
{
    return m->n >= LEAST_ROWS && m->tt > 1e-9 * m->n;
}

static struct score slope_score(const void *context, enum regret_log_source source, size_t row)
{
    const struct fitting *f = context;
    const struct regret_log_rows *rows = &f->log->rows[source];
    const struct moments *m = moments_of(f, rows->agent[row], source);
    if (!is_there(f, source, row) || !is_enough(m)) {
        return (struct score){.cell = SCORE_NONE};
    }
    double t = f->place[source][row] - m->t;
    return (struct score){rows->agent[row], 0.0, t * (rows->outcome[row] - m->y) / m->tt};
}

static void settle(struct slope *slope, const struct fitting *f, const struct scores *s,
                   size_t agent, size_t source)
{
    const struct moments *m = moments_of(f, agent, source);
    double variance = s->variance[source][agent];
    slope->rows[source] = (size_t)m->n;
    slope->value[source] = slope->error[source] = NAN;
    if (is_enough(m) && s->clusters[source][agent] >= LEAST_CLUSTERS && m->yy > 0.0) {
        slope->value[source] = m->ty / m->tt;
        slope->error[source] = sqrt(fmax(variance, m->yy / (m->n - 1.0) / m->tt));
    }
}

int slopes_build(struct slopes *out, const struct regret_log *log,
                 const struct cluster_order *order, const double *const *place)
{
    FREED_BY(fitting_fields) struct fitting f = {.log = log, .place = place};
    FREED_BY(slopes_free) struct slopes slopes = {.n = log->n_agents};
    FREED_BY(scores_free) struct scores s = {0};
    TRY(REGRET_NEW(&f.at, log->n_agents * REGRET_LOG_SOURCES));
    TRY(REGRET_NEW(&slopes.at, log->n_agents));
    sum(&f, REGRET_LOG_OBS);
    sum(&f, REGRET_LOG_EXP);
    TRY(scores_gather(&s, log->n_agents, NULL, order, slope_score, &f));
    for (size_t a = 0; a < log->n_agents; a++) {
        settle(&slopes.at[a], &f, &s, a, REGRET_LOG_OBS);
        settle(&slopes.at[a], &f, &s, a, REGRET_LOG_EXP);
    }
    slopes.covariance = s.covariance;
    s.covariance = NULL;
    *out = slopes;
    memset(&slopes, 0, sizeof slopes); /* handed on */
    return REGRET_OK;
}

void slopes_free(struct slopes *slopes)
{
    regret_free(slopes->at);
    regret_free(slopes->covariance);
    *slopes = (struct slopes){0};
}
