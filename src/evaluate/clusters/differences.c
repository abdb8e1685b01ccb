#include "evaluate/clusters/differences.h"

#include <math.h>

#include "base/core/try.h"
#include "evaluate/clusters/cells.h"
#include "evaluate/clusters/joint.h"
#include "evaluate/clusters/scores.h"
#include "regret/alloc.h"

static int make(struct differences *d, size_t n)
{
    d->n = n;
    TRY(REGRET_NEW(&d->at, n));
    return REGRET_NEW(&d->z, n);
}

void differences_free(struct differences *d)
{
    regret_free(d->at);
    regret_free(d->z);
    regret_free(d->covariance);
    *d = (struct differences){0};
}

/* Error and degrees of freedom of difference k, no variance below its floor; Satterthwaite's degrees of freedom, those of a
 * source being its clusters, or its rows in effect where these are fewer, less one. */
static void settle(struct differences *d, size_t k, const struct scores *s, const double *floor,
                   const double *effective)
{
    struct difference *one = &d->at[k];
    double v = 0.0, spread = 0.0;
    for (size_t source = 0; source < REGRET_LOG_SOURCES; source++) {
        one->clusters[source] = s->clusters[source][k];
        double part = s->variance[source][k]; /* NaN has to stay: fmax() would take the floor */
        part = part < floor[source] ? floor[source] : part;
        double df = fmin((double)one->clusters[source], effective[source]) - 1.0;
        v += part;
        spread += df > 0.0 ? part * part / df : NAN;
    }
    double joint = v - 2.0 * s->cross[k]; /* of clusters in both; they cannot make it certain */
    v = fmax(joint, 0.1 * v);
    one->error = isnan(spread) ? NAN : sqrt(v);
    one->df = spread > 0.0 ? v * v / spread : NAN;
    d->z[k] = one->error > 0.0 ? normal_of_student(one->value / one->error, one->df) : NAN;
}

/* Gives away what was made, and the covariance with it. */
static void hand_over(struct differences *out, struct differences *d, struct scores *s)
{
    *out = *d;
    out->covariance = s->covariance;
    *d = (struct differences){0};
    s->covariance = NULL;
}

static struct score plain_score(const void *context, enum regret_log_source source, size_t row)
{
    const struct cells *c = context;
    size_t k = cell_of(c, source, row);
    double w = cell_weight(c, source, row);
    return (struct score){k, w, w * (c->log->rows[source].outcome[row] - c->at[k].mean[source])};
}

/* Outcomes of few rows may all be alike: the variance of a mean is taken as at least that of independent rows with the
 * variance that the cell has in both sources together. */
static void settle_plain(struct differences *d, const struct cells *cells, const struct scores *s)
{
    for (size_t k = 0; k < d->n; k++) {
        const struct cell *c = &cells->at[k];
        struct difference *one = &d->at[k];
        double n = (double)(c->rows[REGRET_LOG_OBS] + c->rows[REGRET_LOG_EXP]);
        double variance = n > 0.0 ? fmax(0.0, c->yy / n - (c->y / n) * (c->y / n)) : 0.0;
        double floor[REGRET_LOG_SOURCES], effective[REGRET_LOG_SOURCES];
        for (size_t source = 0; source < REGRET_LOG_SOURCES; source++) {
            one->rows[source] = c->rows[source];
            one->mean[source] = c->mean[source];
            floor[source] = variance * cell_leverage(c, source);
            effective[source] = cell_effective_rows(c, source);
        }
        one->value = one->mean[REGRET_LOG_OBS] - one->mean[REGRET_LOG_EXP];
        one->covered = 1.0;
        settle(d, k, s, floor, effective);
    }
}

int differences_plain(struct differences *out, const struct regret_log *log,
                      const struct cluster_order *order, int by_tag)
{
    struct differences d = {0};
    struct cells cells = {0};
    struct scores s = {0};
    double *total[REGRET_LOG_SOURCES] = {NULL, NULL};
    int rc;
    TRY_CLEANUP(cells_build(&cells, log, by_tag, 0));
    TRY_CLEANUP(make(&d, cells.n));
    for (size_t source = 0; source < REGRET_LOG_SOURCES; source++) {
        TRY_CLEANUP(REGRET_NEW(&total[source], cells.n));
        for (size_t k = 0; k < cells.n; k++) {
            total[source][k] = cells.at[k].weight[source];
        }
    }
    TRY_CLEANUP(
        scores_gather(&s, cells.n, (const double *const *)total, order, plain_score, &cells));
    settle_plain(&d, &cells, &s);
    hand_over(out, &d, &s);
cleanup:
    differences_free(&d);
    cells_free(&cells);
    scores_free(&s);
    regret_free(total[REGRET_LOG_OBS]);
    regret_free(total[REGRET_LOG_EXP]);
    return rc;
}

/* Cells by tag, and of every agent the difference on the tags that OBS covers. */
struct adjusting {
    struct cells cells;
    double *value, *weight; /* [agents] D_a, Σ w of EXP on covered tags */
};

static int is_covered(const struct cell *c)
{
    return c->rows[REGRET_LOG_OBS] >= 2 && c->rows[REGRET_LOG_EXP] > 0;
}

static struct score adjusted_score(const void *context, enum regret_log_source source, size_t row)
{
    const struct adjusting *a = context;
    size_t agent = a->cells.log->rows[source].agent[row];
    const struct cell *c = &a->cells.at[cell_of(&a->cells, source, row)];
    double w = cell_weight(&a->cells, source, row), y = a->cells.log->rows[source].outcome[row];
    double from_mean = y - c->mean[REGRET_LOG_OBS];
    if (!is_covered(c)) {
        return (struct score){.cell = SCORE_NONE};
    }
    double value = source == REGRET_LOG_OBS ? c->weight[REGRET_LOG_EXP] / a->weight[agent] * w *
                                                  from_mean / c->weight[REGRET_LOG_OBS]
                                            : w * (from_mean + a->value[agent]) / a->weight[agent];
    return (struct score){agent, w, value};
}

static void settle_agent(struct differences *d, const struct adjusting *a, size_t agent,
                         const struct scores *s)
{
    struct difference *one = &d->at[agent];
    double square[REGRET_LOG_SOURCES] = {0.0, 0.0}, rows = 0.0, within = 0.0, all = 0.0;
    *one = (struct difference){.mean = {NAN, 0.0}};
    double obs = 0.0;
    for (size_t t = 0; t < a->cells.n_tags; t++) {
        const struct cell *c = &a->cells.at[agent * a->cells.n_tags + t];
        double n = (double)(c->rows[REGRET_LOG_OBS] + c->rows[REGRET_LOG_EXP]);
        all += c->weight[REGRET_LOG_EXP];
        if (!is_covered(c)) {
            continue;
        }
        double share = c->weight[REGRET_LOG_EXP] / a->weight[agent];
        obs += share * c->mean[REGRET_LOG_OBS];
        square[REGRET_LOG_OBS] += share * share * cell_leverage(c, REGRET_LOG_OBS);
        square[REGRET_LOG_EXP] += c->square[REGRET_LOG_EXP];
        within += fmax(0.0, c->yy - c->y * c->y / n);
        rows += n - 1.0;
        one->rows[REGRET_LOG_OBS] += c->rows[REGRET_LOG_OBS];
        one->rows[REGRET_LOG_EXP] += c->rows[REGRET_LOG_EXP];
    }
    double w = a->weight[agent], variance = rows > 0.0 ? within / rows : 0.0;
    square[REGRET_LOG_EXP] = w > 0.0 ? square[REGRET_LOG_EXP] / (w * w) : 0.0;
    double floor[] = {variance * square[REGRET_LOG_OBS], variance * square[REGRET_LOG_EXP]};
    double effective[] = {w > 0.0 ? 1.0 / square[REGRET_LOG_OBS] : 0.0,
                          w > 0.0 ? 1.0 / square[REGRET_LOG_EXP] : 0.0};
    one->value = w > 0.0 ? a->value[agent] : NAN;
    one->mean[REGRET_LOG_OBS] = w > 0.0 ? obs : NAN;
    one->mean[REGRET_LOG_EXP] = w > 0.0 ? obs - one->value : NAN;
    one->covered = all > 0.0 ? w / all : 0.0;
    settle(d, agent, s, floor, effective);
}

static void adjust(struct adjusting *a, size_t n_agents)
{
    for (size_t agent = 0; agent < n_agents; agent++) {
        for (size_t t = 0; t < a->cells.n_tags; t++) {
            const struct cell *c = &a->cells.at[agent * a->cells.n_tags + t];
            if (is_covered(c)) {
                double w = c->weight[REGRET_LOG_EXP];
                a->weight[agent] += w;
                a->value[agent] += w * (c->mean[REGRET_LOG_OBS] - c->mean[REGRET_LOG_EXP]);
            }
        }
        a->value[agent] /= a->weight[agent] > 0.0 ? a->weight[agent] : 1.0;
    }
}

int differences_adjusted(struct differences *out, const struct regret_log *log,
                         const struct cluster_order *order)
{
    struct differences d = {0};
    struct adjusting a = {0};
    struct scores s = {0};
    int rc;
    TRY_CLEANUP(cells_build(&a.cells, log, 1, 1));
    TRY_CLEANUP(make(&d, log->n_agents));
    TRY_CLEANUP(REGRET_NEW(&a.value, log->n_agents));
    TRY_CLEANUP(REGRET_NEW(&a.weight, log->n_agents));
    adjust(&a, log->n_agents);
    TRY_CLEANUP(scores_gather(&s, log->n_agents, NULL, order, adjusted_score, &a));
    for (size_t agent = 0; agent < log->n_agents; agent++) {
        settle_agent(&d, &a, agent, &s);
    }
    hand_over(out, &d, &s);
cleanup:
    differences_free(&d);
    cells_free(&a.cells);
    scores_free(&s);
    regret_free(a.value);
    regret_free(a.weight);
    return rc;
}
