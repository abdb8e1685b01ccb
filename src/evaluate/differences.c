#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "evaluate/diagnose.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"

void differences_free(struct differences *d)
{
    regret_free(d->at);
    *d = (struct differences){0};
}

double difference_half(const struct difference *d, double two_sided)
{
    return regret_student_quantile(1.0 - 0.5 * two_sided, d->df) * d->error;
}

/* Error and degrees of freedom of difference k, no variance below its floor; Satterthwaite's degrees of freedom, those of a
 * source being its clusters, or its rows in effect where these are fewer, less one. */
static void settle(struct difference *one, size_t k, const struct scores *s, const double *floor,
                   const double *effective)
{
    double v = 0.0, spread = 0.0;
    for (size_t source = 0; source < REGRET_LOG_SOURCES; source++) {
        one->clusters[source] = s->at[k].clusters[source];
        double part = s->at[k].variance[source]; /* NaN has to stay: fmax() would take the floor */
        part = part < floor[source] ? floor[source] : part;
        double df = fmin((double)one->clusters[source], effective[source]) - 1.0;
        v += part;
        spread += df > 0.0 ? part * part / df : NAN;
    }
    double joint = v - 2.0 * s->at[k].cross; /* of clusters in both; they cannot make it certain */
    v = fmax(joint, 0.1 * v);
    one->error =
        spread > 0.0 ? sqrt(v) : NAN; /* outcomes that never differ have no spread to go by */
    one->df = spread > 0.0 ? v * v / spread : NAN;
}

/* What is compared. */
struct comparing {
    struct cells cells;
    double *value, *weight[REGRET_LOG_SOURCES]; /* [n] Σ w of a difference; D_a where adjusted */
};

static void comparing_free(struct comparing *c)
{
    cells_free(&c->cells);
    regret_free(c->value);
    regret_free(c->weight[REGRET_LOG_OBS]);
    regret_free(c->weight[REGRET_LOG_EXP]);
}

/* ---------------------------------------------------------------- plain */

static struct score plain_score(const void *context, enum regret_log_source source, size_t row)
{
    const struct cells *c = &((const struct comparing *)context)->cells;
    size_t k = cell_of(c, source, row);
    double w = cell_weight(c, source, row);
    return (struct score){k, w, w * (c->log->rows[source].outcome[row] - c->at[k].mean[source])};
}

/* Outcomes of few rows may all be alike: the variance of a mean is taken as at least that of independent rows with the
 * variance that the cell has in both sources together. */
static void settle_plain(struct difference *one, const struct comparing *comparing, size_t k,
                         const struct scores *s)
{
    const struct cell *c = &comparing->cells.at[k];
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
    settle(one, k, s, floor, effective);
}

/* ---------------------------------------------------------------- on the tags that OBS covers */

static int is_covered(const struct cell *c)
{
    return c->rows[REGRET_LOG_OBS] >= 2 && c->rows[REGRET_LOG_EXP] > 0;
}

static struct score adjusted_score(const void *context, enum regret_log_source source, size_t row)
{
    const struct comparing *a = context;
    size_t agent = a->cells.log->rows[source].agent[row];
    const struct cell *c = &a->cells.at[cell_of(&a->cells, source, row)];
    double w = cell_weight(&a->cells, source, row), y = a->cells.log->rows[source].outcome[row];
    double from_mean = y - c->mean[REGRET_LOG_OBS];
    if (!is_covered(c)) {
        return (struct score){.cell = SCORE_NONE};
    }
    double value = source == REGRET_LOG_OBS
                       ? c->weight[REGRET_LOG_EXP] / a->weight[REGRET_LOG_EXP][agent] * w *
                             from_mean / c->weight[REGRET_LOG_OBS]
                       : w * (from_mean + a->value[agent]) / a->weight[REGRET_LOG_EXP][agent];
    return (struct score){agent, w, value};
}

static void settle_adjusted(struct difference *one, const struct comparing *a, size_t agent,
                            const struct scores *s)
{
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
        double share = c->weight[REGRET_LOG_EXP] / a->weight[REGRET_LOG_EXP][agent];
        obs += share * c->mean[REGRET_LOG_OBS];
        square[REGRET_LOG_OBS] += share * share * cell_leverage(c, REGRET_LOG_OBS);
        square[REGRET_LOG_EXP] += c->square[REGRET_LOG_EXP];
        within += fmax(0.0, c->yy - c->y * c->y / n);
        rows += n - 1.0;
        one->rows[REGRET_LOG_OBS] += c->rows[REGRET_LOG_OBS];
        one->rows[REGRET_LOG_EXP] += c->rows[REGRET_LOG_EXP];
    }
    double w = a->weight[REGRET_LOG_EXP][agent], variance = rows > 0.0 ? within / rows : 0.0;
    square[REGRET_LOG_EXP] = w > 0.0 ? square[REGRET_LOG_EXP] / (w * w) : 0.0;
    double floor[] = {variance * square[REGRET_LOG_OBS], variance * square[REGRET_LOG_EXP]};
    double effective[] = {w > 0.0 ? 1.0 / square[REGRET_LOG_OBS] : 0.0,
                          w > 0.0 ? 1.0 / square[REGRET_LOG_EXP] : 0.0};
    one->value = w > 0.0 ? a->value[agent] : NAN;
    one->mean[REGRET_LOG_OBS] = w > 0.0 ? obs : NAN;
    one->mean[REGRET_LOG_EXP] = w > 0.0 ? obs - one->value : NAN;
    one->covered = all > 0.0 ? w / all : 0.0;
    settle(one, agent, s, floor, effective);
}

static void adjust(struct comparing *a)
{
    double *weight = a->weight[REGRET_LOG_EXP];
    for (size_t agent = 0; agent < a->cells.log->n_agents; agent++) {
        for (size_t t = 0; t < a->cells.n_tags; t++) {
            const struct cell *c = &a->cells.at[agent * a->cells.n_tags + t];
            if (is_covered(c)) {
                double w = c->weight[REGRET_LOG_EXP];
                weight[agent] += w;
                a->value[agent] += w * (c->mean[REGRET_LOG_OBS] - c->mean[REGRET_LOG_EXP]);
            }
        }
        a->value[agent] /= weight[agent] > 0.0 ? weight[agent] : 1.0;
    }
}

/* ---------------------------------------------------------------- all of them */

/* What each is, with its part in the test of all. */
static int test(struct differences *d, const struct scores *s,
                const struct regret_diagnose_options *options, enum differences_kind kind)
{
    struct joint_answer answer;
    FREED double *z = NULL, *p = NULL;
    TRY(REGRET_NEW(&z, d->n));
    TRY(REGRET_NEW(&p, d->n));
    for (size_t k = 0; k < d->n; k++) {
        const struct difference *one = &d->at[k];
        z[k] = one->error > 0.0 ? normal_of_student(one->value / one->error, one->df) : NAN;
    }
    TRY(joint_test(&answer, p,
                   &(struct joint){.z = z,
                                   .covariance = s->covariance,
                                   .n = d->n,
                                   .draws = options->resamples,
                                   .seed = options->seed,
                                   .stream = kind,
                                   .level = options->level}));
    for (size_t k = 0; k < d->n; k++) {
        d->at[k].p = p[k];
    }
    d->p = answer.p;
    d->critical = answer.critical;
    return REGRET_OK;
}

int differences_make(struct differences *out, const struct regret_log *log,
                     const struct cluster_order *order, enum differences_kind kind,
                     const struct regret_diagnose_options *options)
{
    int is_adjusted = kind == DIFFERENCES_ADJUSTED;
    FREED_BY(differences_free) struct differences d = {0};
    FREED_BY(comparing_free) struct comparing c = {0};
    FREED_BY(scores_free) struct scores s = {0};
    TRY(cells_build(&c.cells, log, kind != DIFFERENCES_OF_AGENTS, is_adjusted));
    d.n = is_adjusted ? log->n_agents : c.cells.n;
    TRY(REGRET_NEW(&d.at, d.n));
    TRY(REGRET_NEW(&c.value, d.n));
    for (size_t source = 0; source < REGRET_LOG_SOURCES; source++) {
        TRY(REGRET_NEW(&c.weight[source], d.n));
        for (size_t k = 0; k < d.n && !is_adjusted; k++) {
            c.weight[source][k] = c.cells.at[k].weight[source];
        }
    }
    if (is_adjusted) {
        adjust(&c);
    }
    TRY(scores_gather(&s, d.n, is_adjusted ? NULL : (const double *const *)c.weight, order,
                      is_adjusted ? adjusted_score : plain_score, &c));
    for (size_t k = 0; k < d.n; k++) {
        (is_adjusted ? settle_adjusted : settle_plain)(&d.at[k], &c, k, &s);
    }
    TRY(test(&d, &s, options, kind));
    *out = d;
    d = (struct differences){0};
    return REGRET_OK;
}
