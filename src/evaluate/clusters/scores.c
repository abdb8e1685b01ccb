#include "evaluate/clusters/scores.h"

#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"

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
