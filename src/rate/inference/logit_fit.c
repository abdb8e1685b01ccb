#include "rate/inference/logit_fit.h"

#include <math.h>
#include <string.h>

#include "regret/student.h"

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

void logit_fit(struct regret_rate_choices *choices, const double *x, const double *y,
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
