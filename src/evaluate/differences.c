#include "evaluate/differences.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
#include "evaluate/clusters.h"
#include "regret/status.h"
#include "regret/task.h"
#include "stats/distributions.h"

enum { FEW = 10 /* draws beyond, below which they say little */ };

double normal_two_sided(double z)
{
    return erfc(fabs(z) / sqrt(2.0));
}

double normal_of_two_sided(double p)
{
    return p >= 1.0 ? 0.0 : p <= 0.0 ? INFINITY : -regret_student_quantile(0.5 * p, INFINITY);
}

double normal_of_student(double t, double df)
{
    if (isnan(t) || !(df > 0.0)) {
        return NAN;
    }
    double p = 2.0 * regret_student_cdf(-fabs(t), df);
    double z =
        p > 1e-300 ? normal_of_two_sided(fmin(p, 1.0)) : 37.0; /* where p leaves the numbers */
    return t < 0.0 ? -z : z;
}

/* Šidák's 1 − (1 − p)^n, without loss where p is small. */
static double sidak(double p, size_t n)
{
    return -expm1((double)n * log1p(-p));
}

/* The statistics that there are, and the factor L of their correlations. */
struct present {
    size_t *at; /* [m] */
    size_t m;
    double *factor; /* [m × m], row by row; NULL without a covariance */
};

FREED_FIELDS(present, of->at, of->factor)

static double correlation(const struct joint *j, size_t a, size_t b)
{
    size_t low = a < b ? a : b, high = a < b ? b : a;
    double v = j->covariance[a * j->n + a] * j->covariance[b * j->n + b];
    return a == b ? 1.0 : v > 0.0 ? j->covariance[low * j->n + high] / sqrt(v) : 0.0;
}

/* L Lᵀ = R, row by row; a row that earlier ones determine gets no part of its own. */
static void factorise(struct present *p, const struct joint *j)
{
    for (size_t a = 0; a < p->m; a++) {
        double *row = p->factor + a * p->m, rest = 1.0;
        for (size_t b = 0; b < a; b++) {
            const double *other = p->factor + b * p->m;
            double dot = correlation(j, p->at[a], p->at[b]);
            for (size_t k = 0; k < b; k++) {
                dot -= row[k] * other[k];
            }
            row[b] = other[b] > 0.0 ? dot / other[b] : 0.0;
            rest -= row[b] * row[b];
        }
        row[a] = rest > 1e-10 ? sqrt(rest) : 0.0;
    }
}

/* Draw b: its largest |z| and Σ z². */
static void draw(double *largest, double *squares, const struct present *p, double *normal,
                 struct regret_rng *r)
{
    *largest = *squares = 0.0;
    for (size_t k = 0; k < p->m; k++) {
        normal[k] = regret_rng_normal(r);
    }
    for (size_t a = 0; a < p->m; a++) {
        const double *row = p->factor + a * p->m;
        double z = 0.0;
        for (size_t k = 0; k <= a; k++) {
            z += row[k] * normal[k];
        }
        *largest = fmax(*largest, fabs(z));
        *squares += z * z;
    }
}

/* tr R² of what is there. */
static double squared_correlations(const struct joint *j, const struct present *p)
{
    double sum = 0.0;
    for (size_t a = 0; a < p->m; a++) {
        for (size_t b = 0; b < p->m; b++) {
            double r = correlation(j, p->at[a], p->at[b]);
            sum += r * r;
        }
    }
    return sum;
}

/* The share of sorted numbers that are not below x, the drawn among the possible ones. */
static double tail(const double *sorted, size_t n, double x, size_t *beyond)
{
    size_t low = sorted_below(sorted, n, x);
    *beyond = n - low;
    return (double)(1 + n - low) / (double)(n + 1);
}

/* Of the largest: the draws' probability, or Šidák's where they are too few to say. */
static double tail_of_largest(const double *sorted, size_t draws, double z, size_t m)
{
    double bound = sidak(normal_two_sided(z), m);
    size_t beyond = 0;
    double drawn = sorted ? tail(sorted, draws, fabs(z), &beyond) : 1.0;
    return beyond < FEW ? fmin(bound, drawn) : drawn;
}

static double tail_of_squares(const struct joint *j, const struct present *p, const double *sorted)
{
    double sum = 0.0, r2 = squared_correlations(j, p), m = (double)p->m;
    size_t beyond;
    for (size_t k = 0; k < p->m; k++) {
        sum += j->z[p->at[k]] * j->z[p->at[k]];
    }
    double drawn = tail(sorted, j->draws, sum, &beyond);
    double approximate = 1.0 - chi_square_cdf(sum * m / r2, m * m / r2);
    return beyond < FEW ? fmin(fmax(approximate, 0.0), drawn) : drawn;
}

static void answer(struct joint_answer *out, double *adjusted, const struct joint *j,
                   const struct present *p, double *largest, double *squares)
{
    double top = -1.0;
    if (largest) {
        regret_sort_numbers(largest, j->draws);
        regret_sort_numbers(squares, j->draws);
    }
    for (size_t k = 0; k < p->m; k++) {
        double z = fabs(j->z[p->at[k]]);
        if (z > top) {
            top = z;
            out->largest = p->at[k];
        }
        if (adjusted) {
            adjusted[p->at[k]] = tail_of_largest(largest, j->draws, z, p->m);
        }
    }
    out->critical = normal_of_two_sided(-expm1(log(j->level) / (double)p->m));
    out->p = tail_of_largest(largest, j->draws, top, p->m);
    if (largest) {
        out->critical = regret_quantile(largest, j->draws, j->level);
        out->p = fmin(1.0, 2.0 * fmin(out->p, tail_of_squares(j, p, squares)));
    }
}

int joint_test(struct joint_answer *out, double *adjusted, const struct joint *j)
{
    FREED_BY(present_fields) struct present p = {0};
    FREED double *largest = NULL, *squares = NULL, *normal = NULL;
    struct regret_rng r = regret_rng_at(j->seed, REGRET_RNG_DIAGNOSE, j->stream);
    struct joint_answer found = {NAN, NAN, j->n};
    TRY(REGRET_NEW(&p.at, j->n));
    for (size_t k = 0; k < j->n; k++) {
        if (adjusted) {
            adjusted[k] = NAN;
        }
        if (!isnan(j->z[k])) {
            p.at[p.m++] = k;
        }
    }
    if (j->covariance && p.m > 1) {
        TRY(REGRET_NEW(&p.factor, p.m * p.m));
        TRY(REGRET_NEW(&normal, p.m));
        TRY(REGRET_NEW(&largest, j->draws));
        TRY(REGRET_NEW(&squares, j->draws));
        factorise(&p, j);
        for (size_t b = 0; b < j->draws; b++) {
            draw(&largest[b], &squares[b], &p, normal, &r);
        }
    }
    if (p.m > 0) {
        answer(&found, adjusted, j, &p, largest, squares);
    }
    *out = found;
    return REGRET_OK;
}

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
    one->error =
        spread > 0.0 ? sqrt(v) : NAN; /* outcomes that never differ have no spread to go by */
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
