/* Effects of rows whose W is partly predicted, corrected by those whose W is known: the formulas are at
 * regret_rate_correct_w(). */
#include <math.h>
#include <string.h>

#include "rate/estimate/influence.h"
#include "rate/labels/corrected.h"

static const char ONE_CLUSTER[] = "all rows with a W of their own that it rests on are of one "
                                  "cluster, so no interval can be made; "
                                  "--cluster none takes them as independent";

/* mean((c0 + c1 W) x) / mean(d0 + d1 W) */
struct ratio {
    double c0, c1, d0, d1;
};

static const struct ratio OVER_ALL = {-1.0, 2.0, 1.0, 0.0}, OVER_ONES = {0.0, 1.0, 0.0, 1.0},
                          OVER_ZEROS = {1.0, -1.0, 1.0, -1.0}, OF_ZEROS = {-1.0, 1.0, 1.0, -1.0},
                          PLAIN = {1.0, 0.0, 1.0, 0.0};

static double numerator(const struct ratio *r, double w, double x)
{
    return (r->c0 + r->c1 * w) * x;
}

static double denominator(const struct ratio *r, double w)
{
    return r->d0 + r->d1 * w;
}

/* M(q) of numerator and denominator: their quotient, and the latter. */
static double corrected_ratio(double *below, const struct ratio *r, const struct labelled_sample *s,
                              double lambda)
{
    double above[3] = {0.0}, under[3] = {0.0};
    for (size_t i = 0; i < s->n; i++) {
        above[0] += numerator(r, s->w[i], s->x[i]);
        under[0] += denominator(r, s->w[i]);
        above[1] += numerator(r, s->p[i], s->x[i]);
        under[1] += denominator(r, s->p[i]);
    }
    for (size_t i = s->n; i < s->n + s->n_more; i++) {
        above[2] += numerator(r, s->p[i], s->x[i]);
        under[2] += denominator(r, s->p[i]);
    }
    double n = (double)s->n, more = (double)s->n_more;
    *below = under[0] / n + lambda * (under[2] / more - under[1] / n);
    return (above[0] / n + lambda * (above[2] / more - above[1] / n)) / *below;
}

/* An effect: one ratio, or the difference of two. */
struct form {
    struct ratio part[2];
    int n_parts;
    double value[2], below[2];
};

static double evaluate(struct form *f, const struct labelled_sample *s, double lambda)
{
    double sum = 0.0;
    for (int k = 0; k < f->n_parts; k++) {
        f->value[k] = corrected_ratio(&f->below[k], &f->part[k], s, lambda);
        sum += k == 0 ? f->value[k] : -f->value[k];
    }
    return sum;
}

/* ψ(w) of a row with x. */
static double influence(const struct form *f, double w, double x)
{
    double sum = 0.0;
    for (int k = 0; k < f->n_parts; k++) {
        double e = (numerator(&f->part[k], w, x) - f->value[k] * denominator(&f->part[k], w)) /
                   f->below[k];
        sum += k == 0 ? e : -e;
    }
    return sum;
}

/* Means and second moments of ψ(W) and ψ(Ŵ) over the labelled rows, of ψ(Ŵ) over the others. */
struct moments {
    double variance_w, covariance, variance_p, variance_more, variance_all;
};

static struct moments moments_of(const struct form *f, const struct labelled_sample *s)
{
    struct moments m = {0.0, 0.0, 0.0, 0.0, 0.0};
    double mean_w = 0.0, mean_p = 0.0, mean_more = 0.0;
    double n = (double)s->n, more = (double)s->n_more;
    for (size_t i = 0; i < s->n; i++) {
        mean_w += influence(f, s->w[i], s->x[i]) / n;
        mean_p += influence(f, s->p[i], s->x[i]) / n;
    }
    for (size_t i = s->n; i < s->n + s->n_more; i++) {
        mean_more += influence(f, s->p[i], s->x[i]) / more;
    }
    for (size_t i = 0; i < s->n; i++) {
        double a = influence(f, s->w[i], s->x[i]) - mean_w;
        double b = influence(f, s->p[i], s->x[i]) - mean_p;
        m.variance_w += a * a / (n - 1.0);
        m.covariance += a * b / (n - 1.0);
        m.variance_p += b * b / (n - 1.0);
    }
    for (size_t i = s->n; i < s->n + s->n_more; i++) {
        double b = influence(f, s->p[i], s->x[i]) - mean_more;
        m.variance_more += s->n_more > 1 ? b * b / (more - 1.0) : 0.0;
    }
    m.variance_all = (m.variance_p * (n - 1.0) + m.variance_more * (more - 1.0)) / (n + more - 2.0);
    return m;
}

/* The variance of ψ(W) − λ ψ(Ŵ) of a labelled row. */
static double labelled_variance(const struct moments *m, double lambda)
{
    return m->variance_w - 2.0 * lambda * m->covariance + lambda * lambda * m->variance_p;
}

static double error_of(const struct moments *m, const struct labelled_sample *s, double lambda)
{
    double variance = labelled_variance(m, lambda) / (double)s->n +
                      lambda * lambda * m->variance_more / (double)s->n_more;
    return sqrt(variance > 0.0 ? variance : 0.0);
}

static double best_lambda(const struct moments *m, const struct labelled_sample *s)
{
    double below = (1.0 + (double)s->n / (double)s->n_more) * m->variance_all;
    int says_something = below > 1e-14 * m->variance_w; /* and is not the rounding of a constant */
    return says_something ? m->covariance / below : 0.0;
}

/* Rows of a sample that something is a mean over. */
enum sample_rows { LABELLED, ONES, ZEROS, PREDICTED, N_ROWS };

/* The labelled rows that an effect rests on. */
static enum sample_rows rows_of(enum regret_rate_effect_kind kind)
{
    switch (kind) {
    case REGRET_EFFECT_NAIVE:
    case REGRET_EFFECT_SINGLE_ATE:
    case REGRET_EFFECT_RATE_ATE:
        return LABELLED;
    case REGRET_EFFECT_SINGLE_ATU:
    case REGRET_EFFECT_RATE_ATU:
    case REGRET_EFFECT_DRIFT_0:
        return ZEROS;
    default:
        return ONES;
    }
}

static struct form form_of(enum regret_rate_effect_kind kind, int contrastive)
{
    switch (kind) {
    case REGRET_EFFECT_NAIVE:
        return (struct form){.part = {OVER_ONES, OVER_ZEROS}, .n_parts = 2};
    case REGRET_EFFECT_SINGLE_ATE:
    case REGRET_EFFECT_RATE_ATE:
        return (struct form){.part = {contrastive ? PLAIN : OVER_ALL}, .n_parts = 1};
    case REGRET_EFFECT_SINGLE_ATU:
    case REGRET_EFFECT_RATE_ATU:
        return (struct form){.part = {contrastive ? OVER_ZEROS : OF_ZEROS}, .n_parts = 1};
    case REGRET_EFFECT_DRIFT_0:
        return (struct form){.part = {OVER_ZEROS}, .n_parts = 1};
    default:
        return (struct form){.part = {OVER_ONES}, .n_parts = 1};
    }
}

/* ---- Clusters ---- */

/* What the clusters are to one effect; each array has one number a cluster. */
struct by_cluster {
    double *size[N_ROWS];           /* rows */
    double n[N_ROWS], held[N_ROWS]; /* rows in all, clusters that have some */
    double *labelled, *predicted;   /* sums over the rows of L, and of U */
    size_t n_clusters, n_held;      /* n_held: with a row of either */
};

static void count_sizes(struct by_cluster *b, const struct labelled_sample *s)
{
    b->n_clusters = s->n_clusters;
    b->n_held = 0;
    memset(s->room, 0, CORRECTED_ROOM * s->n_clusters * sizeof *s->room);
    for (size_t k = 0; k < N_ROWS; k++) {
        b->size[k] = s->room + k * s->n_clusters;
        b->n[k] = b->held[k] = 0.0;
    }
    b->labelled = s->room + (size_t)N_ROWS * s->n_clusters;
    b->predicted = b->labelled + s->n_clusters;
    for (size_t i = 0; i < s->n + s->n_more; i++) {
        b->size[i < s->n ? LABELLED : PREDICTED][s->cluster[i]] += 1.0;
        if (i < s->n) {
            b->size[s->w[i] > 0.5 ? ONES : ZEROS][s->cluster[i]] += 1.0;
        }
    }
    for (size_t c = 0; c < b->n_clusters; c++) {
        for (size_t k = 0; k < N_ROWS; k++) {
            b->n[k] += b->size[k][c];
            b->held[k] += b->size[k][c] > 0.0;
        }
        b->n_held += b->size[LABELLED][c] + b->size[PREDICTED][c] > 0.0;
    }
}

/* The weight of CR2, 1/(n √(1 − m/n)), of a cluster that has m of n rows. */
static double weight_of(double m, double n)
{
    return m < n ? 1.0 / (n * sqrt(1.0 - m / n)) : 0.0;
}

/* √Σ u_c², where u_c is what the rows of cluster c contribute, about the means over L and U. */
static double clustered_error(const struct by_cluster *b, const struct form *f,
                              const struct labelled_sample *s, double lambda)
{
    double mean = 0.0, mean_more = 0.0, variance = 0.0;
    double n = (double)s->n, more = (double)s->n_more;
    memset(b->labelled, 0, 2 * b->n_clusters * sizeof *b->labelled);
    for (size_t i = 0; i < s->n; i++) {
        double psi = influence(f, s->w[i], s->x[i]) - lambda * influence(f, s->p[i], s->x[i]);
        b->labelled[s->cluster[i]] += psi;
        mean += psi / n;
    }
    for (size_t i = s->n; i < s->n + s->n_more; i++) {
        double psi = lambda * influence(f, s->p[i], s->x[i]);
        b->predicted[s->cluster[i]] += psi;
        mean_more += psi / more;
    }
    for (size_t c = 0; c < b->n_clusters; c++) {
        double m = b->size[LABELLED][c], k = b->size[PREDICTED][c];
        double u = weight_of(m, n) * (b->labelled[c] - m * mean) +
                   weight_of(k, more) * (b->predicted[c] - k * mean_more);
        variance += u * u;
    }
    return sqrt(variance);
}

/* Satterthwaite's degrees of freedom, under independent rows, of the labelled rows that the effect rests on,
 * or, where that is less, of all rows together. */
static double clustered_df(const struct by_cluster *b, const struct moments *m,
                           enum regret_rate_effect_kind kind, double lambda)
{
    enum sample_rows rows = kind == REGRET_EFFECT_NAIVE ? ONES : rows_of(kind);
    struct cluster_mean means[2] = {{b->size[rows], b->n[rows], 1.0},
                                    {b->size[ZEROS], b->n[ZEROS], 1.0}};
    double df = cluster_df(means, kind == REGRET_EFFECT_NAIVE ? 2 : 1, b->n_clusters);
    if (lambda != 0.0) {
        means[0] = (struct cluster_mean){b->size[LABELLED], b->n[LABELLED],
                                         fmax(0.0, labelled_variance(m, lambda))};
        means[1] = (struct cluster_mean){b->size[PREDICTED], b->n[PREDICTED],
                                         lambda * lambda * m->variance_more};
        df = fmin(df, cluster_df(means, 2, b->n_clusters));
    }
    return df;
}

static int rests_on_one(const struct by_cluster *b, enum regret_rate_effect_kind kind)
{
    return kind == REGRET_EFFECT_NAIVE ? b->held[ONES] < 2.0 || b->held[ZEROS] < 2.0
                                       : b->held[rows_of(kind)] < 2.0;
}

/* λ is that of independent rows: the estimate is right with any, and one fitted to the noise of a few clusters
 * would make the error too small. Where all predicted rows are of one cluster, nothing tells how they vary
 * between clusters, and λ = 0. */
static void correct_clustered(struct corrected_effect *out, struct form *form,
                              const struct labelled_sample *s, enum regret_rate_effect_kind kind,
                              double fixed_lambda)
{
    struct by_cluster b;
    count_sizes(&b, s);
    out->n_clusters = b.n_held;
    if (rests_on_one(&b, kind)) {
        out->missing = ONE_CLUSTER;
        return;
    }
    struct moments m = moments_of(form, s);
    out->labelled_se = clustered_error(&b, form, s, 0.0);
    out->lambda = b.held[PREDICTED] < 2.0 ? 0.0
                  : isnan(fixed_lambda)   ? best_lambda(&m, s)
                                          : fixed_lambda;
    out->estimate = evaluate(form, s, out->lambda);
    m = moments_of(form, s);
    out->se = clustered_error(&b, form, s, out->lambda);
    out->df = clustered_df(&b, &m, kind, out->lambda);
}

/* ---- Either ---- */

static void correct_independent(struct corrected_effect *out, struct form *form,
                                const struct labelled_sample *s, enum regret_rate_effect_kind kind,
                                double fixed_lambda)
{
    struct moments m = moments_of(form, s);
    double ones = 0.0, n = (double)s->n;
    out->labelled_se = error_of(&m, s, 0.0);
    out->lambda = isnan(fixed_lambda) ? best_lambda(&m, s) : fixed_lambda;
    out->estimate = evaluate(form, s, out->lambda);
    m = moments_of(form, s);
    out->se = error_of(&m, s, out->lambda);
    for (size_t i = 0; i < s->n; i++) {
        ones += s->w[i];
    }
    out->df = (rows_of(kind) == ONES    ? ones
               : rows_of(kind) == ZEROS ? n - ones
                                        : n) -
              1.0 - (kind == REGRET_EFFECT_NAIVE);
    out->n_clusters = s->n + s->n_more;
}

struct corrected_effect correct_effect(const struct labelled_sample *s,
                                       enum regret_rate_effect_kind kind, int contrastive,
                                       double fixed_lambda)
{
    struct corrected_effect out = {0};
    struct form form = form_of(kind, contrastive);
    out.labelled = evaluate(&form, s, 0.0);
    (s->cluster != NULL ? correct_clustered : correct_independent)(&out, &form, s, kind,
                                                                   fixed_lambda);
    return out;
}
