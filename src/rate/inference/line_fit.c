#include "rate/inference/line_fit.h"

#include <math.h>
#include <string.h>

#include "rate/estimate/clusters.h"
#include "rate/estimate/summation.h"
#include "regret/student.h"

static const char FEW[] = "fewer than three rows";
static const char NO_SPREAD[] = "the levels do not vary enough to tell";
static const char ONE_CLUSTER[] =
    "it rests on one cluster; --cluster none takes rows as independent";

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

static void add_times(double *a, double factor, const double *b, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        a[k] += factor * b[k];
    }
}

/* Makes the columns orthonormal; the length of the last before, 0 where the first makes it up. */
static double make_orthonormal(double *const x[2], size_t n)
{
    double length = 0.0;
    for (int j = 0; j <= (x[1] != NULL); j++) {
        double before = sqrt(dot(x[j], x[j], n));
        for (int twice = 0; j == 1 && twice < 2; twice++) {
            add_times(x[1], -dot(x[0], x[1], n), x[0], n);
        }
        length = sqrt(dot(x[j], x[j], n));
        if (!(length > 1e-9 * before)) {
            return 0.0;
        }
        for (size_t k = 0; k < n; k++) {
            x[j][k] /= length;
        }
    }
    return length;
}

/* u = (I − G)^(−1/2) (0, 1/ρ)' of a symmetric G = (a, b; b, c): with A = I − G and s = √det A,
 * A^(−1/2) = t (A + s I)^(−1), t = √(tr A + 2 s). 0: A is singular. */
static int adjusted(double u[2], const double g[3], double length)
{
    double a = 1.0 - g[0], b = -g[1], c = 1.0 - g[2], det = a * c - b * b;
    if (!(det > 1e-10) || !(a > 0.0)) {
        return 0;
    }
    double s = sqrt(det), t = sqrt(a + c + 2.0 * s);
    double p = a + s, r = c + s, d = p * r - b * b;
    u[0] = -t * b / d / length;
    u[1] = t * p / d / length;
    return 1;
}

/* Satterthwaite's degrees of freedom from the sums over clusters. */
struct degrees {
    double trace, squares, gram[3];
};

static double degrees_of(const struct degrees *s)
{
    double all = s->gram[0] * s->gram[0] + 2.0 * s->gram[1] * s->gram[1] + s->gram[2] * s->gram[2];
    return s->trace * s->trace / (s->squares + all);
}

/* se and df, where q are the orthonormal columns (the second the last) and e the residuals; `g` has five
 * numbers of each cluster, zeroed: G and Q'e. */
static const char *fill_error(struct regret_rate_slope_test *out, double *const q[2],
                              const double *e, const uint32_t *cluster, size_t n, size_t n_clusters,
                              double length, double *g)
{
    struct degrees sums = {0.0, 0.0, {0.0, 0.0, 0.0}};
    double variance = 0.0;
    for (size_t k = 0; k < n; k++) {
        double *own = g + 5 * (size_t)cluster[k], a = q[0] != NULL ? q[0][k] : 0.0, b = q[1][k];
        own[0] += a * a;
        own[1] += a * b;
        own[2] += b * b;
        own[3] += a * e[k];
        own[4] += b * e[k];
    }
    for (size_t c = 0; c < n_clusters; c++) {
        const double *own = g + 5 * c;
        double u[2];
        if (!adjusted(u, own, length)) {
            return ONE_CLUSTER;
        }
        double psi = u[0] * own[3] + u[1] * own[4];
        double v[2] = {own[0] * u[0] + own[1] * u[1], own[1] * u[0] + own[2] * u[1]};
        double held = u[0] * v[0] + u[1] * v[1], lost = v[0] * v[0] + v[1] * v[1];
        variance += psi * psi;
        sums.trace += held - lost;
        sums.squares += held * (held - 2.0 * lost);
        sums.gram[0] += v[0] * v[0];
        sums.gram[1] += v[0] * v[1];
        sums.gram[2] += v[1] * v[1];
        out->n_clusters += own[0] + own[2] > 0.0;
    }
    out->se = sqrt(variance);
    out->df = degrees_of(&sums);
    return NULL;
}

static void set_missing(struct regret_rate_slope_test *out, const char *reason)
{
    out->missing = reason;
    out->slope = out->se = out->df = out->low = out->high = out->p = NAN;
}

void line_fit(struct regret_rate_slope_test *out, double *const x[2], const double *y,
              const uint32_t *cluster, size_t n, size_t n_clusters, double *room)
{
    double *e = room + 5 * n_clusters;
    *out = (struct regret_rate_slope_test){.n = n};
    if (n < 3) {
        set_missing(out, FEW);
        return;
    }
    double length = make_orthonormal(x, n);
    if (length == 0.0) {
        set_missing(out, NO_SPREAD);
        return;
    }
    int last = x[1] != NULL;
    double *const q[2] = {last ? x[0] : NULL, last ? x[1] : x[0]};
    memset(room, 0, 5 * n_clusters * sizeof *room);
    memcpy(e, y, n * sizeof *e);
    out->slope = dot(q[1], y, n) / length;
    for (int j = 0; j < 2; j++) {
        if (q[j] != NULL) {
            add_times(e, -dot(q[j], y, n), q[j], n);
        }
    }
    const char *reason = fill_error(out, q, e, cluster, n, n_clusters, length, room);
    if (reason != NULL) {
        set_missing(out, reason);
        return;
    }
    double t = regret_student_quantile(0.975, out->df);
    out->low = out->slope - t * out->se;
    out->high = out->slope + t * out->se;
    out->p = p_of_zero(out->slope, out->se, out->df);
    if (!(isfinite(out->low) && isfinite(out->high))) {
        set_missing(out, MISSING_TOO_LARGE);
    }
}
