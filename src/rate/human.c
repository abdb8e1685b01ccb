/* Reward models against human choices. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "rate/contrast.h"
#include "rate/internal.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"

/* A logistic line with errors of clusters: the sandwich. */

static const char FEW[] = "fewer than three choices, or of fewer than two clusters";
static const char NO_LINE[] =
    "the rewards tell the choices apart without a fault, or not at all, so "
    "that no line fits best";

/* Σ (y − p)(1, u) and Σ p (1 − p) (1, u, u²), with u = x/scale. */
struct sums {
    double score[2], information[3], likelihood;
};

static double probability(const double at[2], double u)
{
    return 1.0 / (1.0 + exp(-(at[0] + at[1] * u)));
}

static struct sums sums_at(const double at[2], const double *x, const double *y, size_t n,
                           double scale)
{
    struct sums s = {{0.0, 0.0}, {0.0, 0.0, 0.0}, 0.0};
    for (size_t k = 0; k < n; k++) {
        double u = x[k] / scale, p = probability(at, u), v = p * (1.0 - p);
        double line = at[0] + at[1] * u;
        s.score[0] += y[k] - p;
        s.score[1] += (y[k] - p) * u;
        s.information[0] += v;
        s.information[1] += v * u;
        s.information[2] += v * u * u;
        s.likelihood += y[k] * line - (line > 0.0 ? line + log1p(exp(-line)) : log1p(exp(line)));
    }
    return s;
}

static double determinant(const struct sums *s)
{
    return s->information[0] * s->information[2] - s->information[1] * s->information[1];
}

/* Newton's steps, halved while they do not climb. 0: it does not settle, or has no curvature. */
static int climb(double at[2], const double *x, const double *y, size_t n, double scale)
{
    struct sums s = sums_at(at, x, y, n, scale);
    for (int step = 0; step < 60; step++) {
        double det = determinant(&s);
        if (!(det > 1e-9 * s.information[0] * s.information[2]) || !(det > 1e-300)) {
            return 0;
        }
        double move[2] = {(s.information[2] * s.score[0] - s.information[1] * s.score[1]) / det,
                          (s.information[0] * s.score[1] - s.information[1] * s.score[0]) / det};
        double gain = move[0] * s.score[0] + move[1] * s.score[1];
        if (gain < 1e-16 * (double)n) {
            return fabs(at[1]) < 1e3 && fabs(at[0]) < 1e3;
        }
        double length = 1.0;
        struct sums next = s;
        double to[2] = {at[0], at[1]};
        for (int half = 0; half < 40; half++, length *= 0.5) {
            to[0] = at[0] + length * move[0];
            to[1] = at[1] + length * move[1];
            next = sums_at(to, x, y, n, scale);
            if (next.likelihood >= s.likelihood) {
                break;
            }
        }
        memcpy(at, to, sizeof to);
        s = next;
        if (s.likelihood > -1e-6 * (double)n) { /* every choice is told */
            return 0;
        }
    }
    return 0;
}

/* A best line exists where neither choice has all of its rewards beyond those of the other (Albert and Anderson,
 * Biometrika 71, 1984); one that is no choice, y = ½, is half of both. */
static int overlap(const double *x, const double *y, size_t n)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t k = 0; k < n; k++) {
        for (int side = 0; side < 2; side++) {
            if (side == 0 ? y[k] < 1.0 : y[k] > 0.0) {
                low[side] = fmin(low[side], x[k]);
                high[side] = fmax(high[side], x[k]);
            }
        }
    }
    return low[0] < high[1] && low[1] < high[0];
}

static struct regret_rate_coefficient coefficient(double estimate, double se, double null,
                                                  double df)
{
    double t = regret_student_quantile(0.975, df);
    double p = se > 0.0 ? 2.0 * regret_student_cdf(-fabs(estimate - null) / se, df) : (double)NAN;
    return (struct regret_rate_coefficient){estimate, se, estimate - t * se, estimate + t * se, p};
}

static void set_missing(struct regret_rate_choices *c, const char *reason)
{
    c->missing = reason;
    c->df = NAN;
    c->intercept = c->slope = (struct regret_rate_coefficient){NAN, NAN, NAN, NAN, NAN};
}

/* The sandwich A⁻¹ (Σ_c s_c s_c') A⁻¹ C/(C − 1), A the information: its diagonal. */
static void sandwich(double variance[2], const double at[2], const double *x, const double *y,
                     size_t n, const uint32_t *cluster, size_t n_clusters, double scale,
                     double *room, double held)
{
    struct sums s = sums_at(at, x, y, n, scale);
    double det = determinant(&s);
    const double inverse[2][2] = {{s.information[2] / det, -s.information[1] / det},
                                  {-s.information[1] / det, s.information[0] / det}};
    memset(room, 0, 2 * n_clusters * sizeof *room);
    for (size_t k = 0; k < n; k++) {
        double u = x[k] / scale, e = y[k] - probability(at, u);
        room[2 * (size_t)cluster[k]] += e;
        room[2 * (size_t)cluster[k] + 1] += e * u;
    }
    variance[0] = variance[1] = 0.0;
    for (size_t c = 0; c < n_clusters; c++) {
        for (int j = 0; j < 2; j++) {
            double psi = inverse[j][0] * room[2 * c] + inverse[j][1] * room[2 * c + 1];
            variance[j] += psi * psi * held / (held - 1.0);
        }
    }
}

/* Clusters that hold a row. */
static size_t count_held(const uint32_t *cluster, size_t n, size_t n_clusters, double *room)
{
    size_t held = 0;
    memset(room, 0, n_clusters * sizeof *room);
    for (size_t k = 0; k < n; k++) {
        held += room[cluster[k]] == 0.0;
        room[cluster[k]] = 1.0;
    }
    return held;
}

/* Fits logit P(y = 1) = a + b x to choices->n rows by Newton's method and fills in intercept, slope (p: of b = 1),
 * df, n_clusters and missing of `choices`. y in [0, 1]; cluster[k] below n_clusters; `room` has two numbers for
 * each cluster. */
static void logit_fit(struct regret_rate_choices *choices, const double *x, const double *y,
                      const uint32_t *cluster, size_t n_clusters, double *room)
{
    size_t n = choices->n;
    double at[2] = {0.0, 0.0}, variance[2], scale = 0.0;
    choices->n_clusters = count_held(cluster, n, n_clusters, room);
    for (size_t k = 0; k < n; k++) {
        scale = fmax(scale, fabs(x[k]));
    }
    if (n < 3 || choices->n_clusters < 2) {
        set_missing(choices, FEW);
        return;
    }
    if (!(scale > 0.0) || !isfinite(scale) || !overlap(x, y, n) || !climb(at, x, y, n, scale)) {
        set_missing(choices, NO_LINE);
        return;
    }
    double held = (double)choices->n_clusters;
    sandwich(variance, at, x, y, n, cluster, n_clusters, scale, room, held);
    choices->missing = NULL;
    choices->df = held - 1.0;
    choices->intercept = coefficient(at[0], sqrt(variance[0]), 0.0, choices->df);
    choices->slope = coefficient(at[1] / scale, sqrt(variance[1]) / scale, 1.0, choices->df);
}

/* Reward models held against people (rate/contrast.h). */

enum { NO_MODEL = REGRET_RATE_MAX_MODELS };

/* Whose labels are people's, and room for the rows of one group. */
struct people {
    const struct regret_rate_rows *rows;
    size_t ratings, choices; /* models, or NO_MODEL */
    struct clusters clusters;
    double *x, *y, *agreed, *room, *block; /* block owns */
    uint32_t *cluster, *decided;           /* cluster owns */
};

static int people_new(struct people *p, const struct regret_rate_rows *rows, const char *human)
{
    const struct regret_span name = {human, strlen(human)};
    uint32_t number = 0;
    memset(p, 0, sizeof *p);
    p->rows = rows;
    p->choices = intern_find(&rows->index->models, 1, name, &number) ? number : NO_MODEL;
    p->ratings = intern_find(&rows->index->models, 0, name, &number) ? number : NO_MODEL;
    if (p->choices == NO_MODEL && p->ratings == NO_MODEL) {
        return rows_find_model(&number, rows, human); /* which says so */
    }
    TRY(clusters_new(&p->clusters, rows->n_clusters, rows->n_rows));
    TRY(REGRET_NEW(&p->block, 5 * rows->n_rows));
    TRY(REGRET_NEW(&p->cluster, 2 * rows->n_rows));
    p->decided = p->cluster + rows->n_rows;
    p->x = p->block;
    p->y = p->x + rows->n_rows;
    p->agreed = p->y + rows->n_rows;
    p->room = p->agreed + rows->n_rows;
    return REGRET_OK;
}

static void people_free(struct people *p)
{
    clusters_free(&p->clusters);
    regret_free(p->block);
    regret_free(p->cluster);
}

/* Positive where people prefer the text with W = 1; NaN: they were not asked. */
static double preference(const struct people *p, int is_double, size_t i)
{
    double chosen = p->choices != NO_MODEL
                        ? advantage(p->rows, &p->rows->models[p->choices], is_double, i)
                        : (double)NAN;
    return isnan(chosen) && p->ratings != NO_MODEL
               ? advantage(p->rows, &p->rows->models[p->ratings], is_double, i)
               : chosen;
}

/* 1, ½ or 0 of a positive, no or negative difference. */
static double verdict(double difference)
{
    return difference > 0.0 ? 1.0 : difference < 0.0 ? 0.0 : 0.5;
}

static void gather(struct regret_rate_choices *c, struct people *p, const size_t *members, size_t n)
{
    const struct regret_rate_model *m = &p->rows->models[c->model];
    for (size_t k = 0; k < n; k++) {
        size_t i = members[k];
        double difference = advantage(p->rows, m, c->is_double, i);
        double preferred = preference(p, c->is_double, i);
        if (!check_counts(p->rows, c->group, i) || isnan(difference + preferred)) {
            continue;
        }
        p->x[c->n] = difference;
        p->y[c->n] = verdict(preferred);
        p->cluster[c->n++] = cluster_at(&p->clusters, k);
    }
}

static void fill_agreement(struct regret_rate_choices *c, struct people *p)
{
    double agreed = 0.0;
    for (size_t k = 0; k < c->n; k++) {
        double own = verdict(p->x[k]), human = p->y[k];
        c->wins += own / (double)c->n;
        c->human_wins += human / (double)c->n;
        if (human != 0.5) {
            p->agreed[c->n_decided] = human == 1.0 ? own : 1.0 - own;
            p->decided[c->n_decided] = p->cluster[k];
            agreed += p->agreed[c->n_decided++];
        }
    }
    c->agreement = c->agreement_low = c->agreement_high = NAN;
    if (c->n_decided > 0) {
        c->agreement = agreed / (double)c->n_decided;
        struct limits l = share_limits(p->room, p->agreed, p->decided, c->n_decided);
        c->agreement_low = l.low;
        c->agreement_high = l.high;
    }
}

static void fill_bins(struct regret_rate_choices *c, const struct people *p)
{
    for (size_t k = 0; k < c->n; k++) {
        double predicted = 1.0 / (1.0 + exp(-p->x[k]));
        size_t b = (size_t)fmin(floor(predicted * REGRET_RATE_N_BINS), REGRET_RATE_N_BINS - 1.0);
        c->bin_n[b]++;
        c->bin_predicted[b] += predicted;
        c->bin_chosen[b] += p->y[k];
    }
    for (size_t b = 0; b < REGRET_RATE_N_BINS; b++) {
        double n = (double)c->bin_n[b];
        if (c->bin_n[b] > 0) {
            c->calibration_error += fabs(c->bin_predicted[b] - c->bin_chosen[b]) / (double)c->n;
        }
        c->bin_predicted[b] /= n; /* NaN of none */
        c->bin_chosen[b] /= n;
    }
}

/* Appends the two kinds of pairs of one reward model in one group, where there are some. */
static void add_choices(struct regret_rate_calibration *out, struct people *p, size_t group,
                        size_t model, const size_t *members, size_t n)
{
    for (int is_double = 1; is_double >= 0; is_double--) {
        struct regret_rate_choices *c = &out->choices[out->n_choices];
        *c = (struct regret_rate_choices){.group = group,
                                          .model = model,
                                          .is_double = is_double,
                                          .clustered = p->clusters.matter};
        gather(c, p, members, n);
        if (c->n == 0) {
            continue;
        }
        fill_agreement(c, p);
        fill_bins(c, p);
        logit_fit(c, p->x, p->y, p->cluster, cluster_count(&p->clusters, n), p->room);
        out->n_choices++;
    }
}

static int calibrate(struct regret_rate_calibration *out, struct people *p,
                     const struct regret_rate_options *options)
{
    const struct regret_rate_rows *rows = p->rows;
    FREED size_t *order = NULL, *start = NULL;
    TRY(REGRET_NEW(&out->choices, 2 * rows->n_groups * rows->n_models));
    TRY(sort_by_group(&order, &start, rows, options));
    for (size_t g = 0; g < rows->n_groups; g++) {
        const size_t *members = order + start[g];
        size_t n = start[g + 1] - start[g];
        clusters_number(&p->clusters, rows->cluster, members, n, options->clusters);
        for (size_t m = 0; m < rows->n_models; m++) {
            if (m != p->ratings && m != p->choices && rows->models[m].part_of == 0) {
                add_choices(out, p, g, m, members, n);
            }
        }
    }
    return REGRET_OK;
}

/* A contrast the other way round. */
static void turn(struct regret_rate_contrast *c)
{
    double low = c->low, value = c->value[0];
    size_t first = c->estimate[0];
    c->estimate[0] = c->estimate[1];
    c->estimate[1] = first;
    c->value[0] = c->value[1];
    c->value[1] = value;
    c->difference = -c->difference;
    c->low = -c->high;
    c->high = -low;
}

/* The contrasts with people's ratings among all between models, adjusted by Holm. */
static int find_skews(struct regret_rate_calibration *out, const struct people *p,
                      const struct regret_rate_options *options)
{
    const struct regret_rate_contrast_options how = {.kinds = 1U << REGRET_CONTRAST_MODELS,
                                                     .effect = REGRET_EFFECT_RATE_ATE,
                                                     .scale = REGRET_SCALE_D,
                                                     .clusters = options->clusters};
    FREED_BY(regret_rate_contrasts_free) struct regret_rate_contrasts all = {0};
    FREED double *adjusted = NULL;
    TRY(regret_rate_contrast(&all, p->rows, &how));
    TRY(REGRET_NEW(&out->skews, all.n));
    TRY(REGRET_NEW(&adjusted, all.n));
    for (size_t k = 0; k < all.n; k++) {
        struct regret_rate_contrast one = all.contrasts[k];
        int second = all.estimates[one.estimate[1]].model == p->ratings;
        if (second || all.estimates[one.estimate[0]].model == p->ratings) {
            if (!second) {
                turn(&one);
            }
            adjusted[out->n_skews] = one.p;
            out->skews[out->n_skews++] = one;
        }
    }
    TRY(regret_holm(adjusted, adjusted, out->n_skews));
    for (size_t k = 0; k < out->n_skews; k++) {
        out->skews[k].p_holm = adjusted[k];
        out->skews[k].all_low = out->skews[k].all_high = NAN; /* of all models, not of these */
    }
    out->estimates = all.estimates;
    all.estimates = NULL;
    return REGRET_OK;
}

int regret_rate_calibrate(struct regret_rate_calibration *out, const struct regret_rate_rows *rows,
                          const char *human, const struct regret_rate_options *options)
{
    FREED_BY(regret_rate_calibration_free) struct regret_rate_calibration made = {0};
    FREED_BY(people_free) struct people p = {0};
    TRY(people_new(&p, rows, human));
    TRY(calibrate(&made, &p, options));
    if (p.ratings != NO_MODEL) {
        TRY(find_skews(&made, &p, options));
    }
    *out = made;
    made = (struct regret_rate_calibration){0};
    return REGRET_OK;
}

void regret_rate_calibration_free(struct regret_rate_calibration *calibration)
{
    regret_free(calibration->choices);
    regret_free(calibration->skews);
    regret_free(calibration->estimates);
    *calibration = (struct regret_rate_calibration){0};
}
