/* DM, DR and SNDR of rows with their influence. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "evaluate/internal.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "stats/limits.h"

/* Rows that s² counts as, beside those of a policy [C]. */
static const double PRIOR_ROWS = 4.0;

static double square(double x)
{
    return x * x;
}

/* ---------------------------------------------------------------- intervals */

struct tails tails_of_chosen(double level, size_t n)
{
    const double below = 0.8;
    return n < 2 ? tails_of(level)
                 : (struct tails){below * (1.0 - level) / (double)n, (1.0 - below) * (1.0 - level)};
}

void student_set_interval(struct regret_valued *v, struct tails tails)
{
    int is_none = !(v->error > 0.0); /* 0, or NaN */
    v->low =
        v->value - (is_none ? v->error : -v->error * regret_student_quantile(tails.below, v->df));
    v->high =
        v->value + (is_none ? v->error : -v->error * regret_student_quantile(tails.above, v->df));
}

void value_set_interval(struct regret_valued *v, const struct bounded *of, struct tails tails)
{
    struct limits l = bounded_limits(of, tails);
    v->low = l.low;
    v->high = l.high;
}

void difference_set_interval(struct regret_valued *v, const struct gap *of, struct tails tails)
{
    struct limits l = bounded_difference(&of->x, &of->y, of->rho, tails);
    double d = of->x.value - of->y.value, error = sqrt(of->by_share);
    double below = error > 0.0 ? -error * regret_student_quantile(tails.below, of->df) : error;
    double above = error > 0.0 ? -error * regret_student_quantile(tails.above, of->df) : error;
    if (of->share > 0.0) {
        v->low = v->value - hypot(of->share * (d - l.low), below);
        v->high = v->value + hypot(of->share * (l.high - d), above);
    }
}

/* ---------------------------------------------------------------- one policy's rows */

static int is_in(const struct part *part, size_t i)
{
    return part == NULL || part->group == NULL || part->group[i] == part->value;
}

static uint32_t choice_of(const struct chooser *x, size_t i)
{
    return x->choice != NULL ? x->choice[i] : x->agent;
}

/* Row i of a part, where the agent of x, and that of y if there is one, was on offer. */
static int counts(const struct basis *b, const struct part *part, const struct chooser *x,
                  const struct chooser *y, size_t i)
{
    return is_in(part, i) && basis_offers(b, i, choice_of(x, i)) &&
           (y == NULL || basis_offers(b, i, choice_of(y, i)));
}

/* Rows in which a policy's agent was asked, and their residuals. */
struct asked {
    double weight, residual, mean; /* Σ w, Σ w r, R */
    double effective, squares;     /* m; Σ_c (Σ w)² */
    size_t clusters;
    double *of_cluster; /* [n_clusters] Σ w, then Q; owned */
};

FREED_FIELDS(asked, of->of_cluster)

/* Row i where policy x has agent and row in common; `mask` [n] or NULL leaves rows out. */
struct asking {
    const struct basis *b;
    const struct chooser *x;
    const struct part *part;
    const unsigned char *mask;
};

static int is_asked(const struct asking *of, size_t i)
{
    return is_in(of->part, i) && (of->mask == NULL || of->mask[i]) &&
           choice_of(of->x, i) == of->b->agent[i] && basis_offers(of->b, i, of->b->agent[i]);
}

static double residual_of(const struct basis *b, size_t i)
{
    return b->y[i] - basis_surface(b, i)[b->agent[i]];
}

static int ask(struct asked *a, const struct asking *of)
{
    const struct basis *b = of->b;
    TRY(REGRET_NEW(&a->of_cluster, b->n_clusters));
    for (size_t i = 0; i < b->n; i++) {
        if (is_asked(of, i)) {
            double w = 1.0 / b->propensity[i];
            a->weight += w;
            a->residual += w * residual_of(b, i);
            a->of_cluster[b->cluster[i]] += w;
        }
    }
    for (size_t c = 0; c < b->n_clusters; c++) {
        a->squares += square(a->of_cluster[c]);
        a->clusters += a->of_cluster[c] > 0.0;
        a->of_cluster[c] = 0.0;
    }
    a->effective = a->squares > 0.0 ? square(a->weight) / a->squares : 0.0;
    a->mean = a->weight > 0.0 ? a->residual / a->weight : 0.0;
    for (size_t i = 0; i < b->n && a->weight > 0.0; i++) {
        if (is_asked(of, i)) {
            a->of_cluster[b->cluster[i]] +=
                (residual_of(b, i) - a->mean) / b->propensity[i] / a->weight;
        }
    }
    return REGRET_OK;
}

static double product(const double *x, const double *y, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* V_Q of m clusters from m/(m − 1) times their sum of squares. */
static double with_prior(double by_rows, double m, double noise)
{
    return ((m - 1.0) * by_rows + PRIOR_ROWS * noise / m) / (m - 1.0 + PRIOR_ROWS);
}

/* n/(n − 1) Σ x² over clusters, n of them in effect. */
static double variance_of(const struct basis *b, const double *x, double n)
{
    return n > 1.0 ? product(x, x, b->n_clusters) * n / (n - 1.0) : NAN;
}

/* A sum of variances with its degrees of freedom. */
struct variance {
    double total, parts, by_df; /* with covariances; without; Σ V²/df */
};

static void add_variance(struct variance *v, double part, double df)
{
    v->total += part;
    v->parts += part;
    v->by_df += square(part) / df;
}

/* A covariance is estimated, too, and must not take nearly all. */
static void set_error(struct regret_valued *out, const struct variance *v)
{
    const double least = 0.1;
    double total = fmax(v->total, least * v->parts);
    out->error = isnan(v->total) ? NAN : sqrt(total);
    out->df = fmax(1.0, square(v->parts) / v->by_df);
}

/* Outcomes of a policy's rows as they are. */
static int find_own(struct own_rows *own, const struct asking *of, const struct asked *a)
{
    const struct basis *b = of->b;
    FREED double *of_cluster = NULL;
    double rows = 0.0, squares = 0.0, weights = 0.0, largest = 0.0, m = a->effective;
    double least = INFINITY, most = -INFINITY;
    TRY(REGRET_NEW(&of_cluster, b->n_clusters));
    for (size_t i = 0; i < b->n; i++) {
        if (is_asked(of, i)) {
            double w = 1.0 / b->propensity[i];
            double *n = &of_cluster[b->cluster[i]];
            squares += 2.0 * *n + 1.0;
            *n += 1.0;
            rows += 1.0;
            weights += square(w);
            largest = fmax(largest, w);
            own->mean += w * b->y[i] / a->weight;
            least = fmin(least, b->y[i]);
            most = fmax(most, b->y[i]);
        }
    }
    own->mean = most > least ? own->mean : least; /* without rounding */
    memset(of_cluster, 0, b->n_clusters * sizeof *of_cluster);
    for (size_t i = 0; i < b->n && rows > 0.0; i++) {
        if (is_asked(of, i)) {
            of_cluster[b->cluster[i]] += (b->y[i] - own->mean) / b->propensity[i] / a->weight;
        }
    }
    own->worth =
        fmin(clusters_worth(rows, squares), fmin(square(a->weight) / weights, a->weight / largest));
    own->clusters = m;
    own->variance = variance_of(b, of_cluster, m);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the value of a policy */

struct surface_sums {
    size_t rows;
    double mean, clusters;
    double *p; /* [n_clusters]; owned */
};

FREED_FIELDS(surface_sums, of->p)

/* Of rows that count, or of those of the mask. */
static int sums_row(const struct asking *of, size_t i)
{
    return of->mask != NULL ? of->mask[i] : counts(of->b, of->part, of->x, NULL, i);
}

static int sum_surface(struct surface_sums *s, const struct asking *of)
{
    const struct basis *b = of->b;
    const struct chooser *x = of->x;
    FREED unsigned char *seen = NULL;
    TRY(REGRET_NEW(&s->p, b->n_clusters));
    TRY(REGRET_NEW(&seen, b->n_clusters));
    for (size_t i = 0; i < b->n; i++) {
        if (sums_row(of, i)) {
            s->rows++;
            s->mean += basis_surface(b, i)[choice_of(x, i)];
            s->clusters += !seen[b->cluster[i]];
            seen[b->cluster[i]] = 1;
        }
    }
    s->mean /= (double)s->rows; /* NaN of no rows */
    for (size_t i = 0; i < b->n; i++) {
        if (sums_row(of, i)) {
            double f = basis_surface(b, i)[choice_of(x, i)];
            s->p[b->cluster[i]] += (f - s->mean) / (double)s->rows;
        }
    }
    return REGRET_OK;
}

/* By the rows of its own a value may be another. */
static struct bounded set_bounded(struct regret_valued *out, const struct own_rows *own,
                                  double level)
{
    struct bounded of = bounded_weighted(out->value, square(out->error), own);
    out->value = of.variance > 0.0 || isnan(of.variance) ? out->value : of.value;
    value_set_interval(out, &of, tails_of(level));
    return of;
}

/* DR's Q: of 1{A=π} w r, which is 0 in most rows, about its mean over all. */
static int dr_error(struct regret_valued *out, const struct asking *of, const struct asked *a,
                    const struct surface_sums *s, const struct own_rows *own)
{
    const struct basis *b = of->b;
    struct variance v = {0};
    FREED double *q = NULL;
    double n = (double)s->rows, mean = a->residual / n;
    TRY(REGRET_NEW(&q, b->n_clusters));
    for (size_t i = 0; i < b->n; i++) {
        if (counts(b, of->part, of->x, NULL, i)) {
            double r = is_asked(of, i) ? residual_of(b, i) / b->propensity[i] : 0.0;
            q[b->cluster[i]] += (r - mean) / n;
        }
    }
    double by_rows = variance_of(b, q, s->clusters), m = a->effective;
    add_variance(&v, variance_of(b, s->p, s->clusters), s->clusters - 1.0);
    add_variance(&v, m >= 2.0 ? with_prior(by_rows, m, b->noise) : NAN, m - 1.0 + PRIOR_ROWS);
    v.total += 2.0 * product(s->p, q, b->n_clusters);
    out->value = s->mean + mean;
    set_error(out, &v);
    set_bounded(out, own, b->level);
    return REGRET_OK;
}

/* The skewness of an influence over √n. */
static double lean_of(const double *p, const double *q, size_t n)
{
    double squares = 0.0, cubes = 0.0;
    for (size_t c = 0; c < n; c++) {
        double x = p[c] + q[c];
        squares += square(x);
        cubes += x * square(x);
    }
    return squares > 0.0 ? cubes / (squares * sqrt(squares)) : 0.0;
}

static struct bounded sndr_error(struct regret_valued *out, const struct basis *b,
                                 const struct asked *a, const struct surface_sums *s,
                                 const struct own_rows *own)
{
    struct variance v = {0};
    double m = a->effective, by_rows = variance_of(b, a->of_cluster, m);
    add_variance(&v, variance_of(b, s->p, s->clusters), s->clusters - 1.0);
    add_variance(&v, m >= 2.0 ? with_prior(by_rows, m, b->noise) : NAN, m - 1.0 + PRIOR_ROWS);
    v.total += 2.0 * product(s->p, a->of_cluster, b->n_clusters);
    out->value = s->mean + a->mean;
    set_error(out, &v);
    struct own_rows leaning = *own;
    leaning.lean = b->range_of_data ? lean_of(s->p, a->of_cluster, b->n_clusters) : 0.0;
    return set_bounded(out, &leaning, b->level);
}

int worth_of(struct regret_valued out[REGRET_N_VALUES], struct worth_parts *parts,
             const struct basis *b, const struct chooser *x, const struct part *part)
{
    const struct asking of = {b, x, part, NULL};
    struct own_rows own = {0};
    FREED_BY(asked_fields) struct asked a = {0};
    FREED_BY(surface_sums_fields) struct surface_sums s = {0};
    struct variance v = {0};
    TRY(ask(&a, &of));
    TRY(sum_surface(&s, &of));
    TRY(find_own(&own, &of, &a));
    double by_surface = variance_of(b, s.p, s.clusters);
    add_variance(&v, by_surface, s.clusters - 1.0);
    out[REGRET_VALUE_DM].value = s.mean;
    set_error(&out[REGRET_VALUE_DM], &v);
    student_set_interval(&out[REGRET_VALUE_DM], tails_of(b->level));
    struct bounded bounded = sndr_error(&out[REGRET_VALUE_SNDR], b, &a, &s, &own);
    TRY(dr_error(&out[REGRET_VALUE_DR], &of, &a, &s, &own));
    for (size_t k = 0; k < REGRET_N_VALUES; k++) {
        out[k].rows = s.rows;
    }
    if (parts != NULL) {
        *parts =
            (struct worth_parts){a.mean,     by_surface,  variance_of(b, a.of_cluster, a.effective),
                                 s.clusters, a.effective, a.clusters,
                                 bounded};
    }
    return REGRET_OK;
}

int basis_noise(double *noise, const struct basis *b)
{
    double sum = 0.0, df = 0.0;
    for (uint32_t a = 0; a < b->n_agents; a++) {
        const struct chooser x = {NULL, a};
        const struct asking of = {b, &x, NULL, NULL};
        struct asked asked = {0};
        int rc = ask(&asked, &of);
        double m = asked.effective;
        if (m >= 2.0) {
            sum += square(m) * product(asked.of_cluster, asked.of_cluster, b->n_clusters);
            df += m - 1.0;
        }
        regret_free(asked.of_cluster);
        TRY(rc);
    }
    *noise = df > 0.0 ? sum / df : 0.0;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the difference of two */

struct differing {
    const struct basis *b;
    const struct chooser *x, *y;
    const struct part *part;
    unsigned char *mask; /* [n] 1: a row on which they differ; owned */
    double rows, differ, clusters;
    struct asked of_x, of_y;
    double *p; /* [n_clusters]; owned */
};

FREED_FIELDS(differing, of->mask, of->p, of->of_x.of_cluster, of->of_y.of_cluster)

static int find_differing(struct differing *d)
{
    const struct basis *b = d->b;
    FREED unsigned char *seen = NULL;
    TRY(REGRET_NEW(&d->mask, b->n));
    TRY(REGRET_NEW(&seen, b->n_clusters));
    for (size_t i = 0; i < b->n; i++) {
        if (counts(b, d->part, d->x, d->y, i)) {
            d->mask[i] = choice_of(d->x, i) != choice_of(d->y, i);
            d->rows += 1.0;
            d->differ += d->mask[i];
            d->clusters += !seen[b->cluster[i]];
            seen[b->cluster[i]] = 1;
        }
    }
    return REGRET_OK;
}

static double gap(const struct differing *d, size_t i)
{
    const double *f = basis_surface(d->b, i);
    return d->mask[i] ? f[choice_of(d->x, i)] - f[choice_of(d->y, i)] + d->of_x.mean - d->of_y.mean
                      : 0.0;
}

/* P of the difference, whose share of differing rows is estimated, too. */
static void sum_gaps(struct differing *d)
{
    double mean = 0.0;
    for (size_t i = 0; i < d->b->n; i++) {
        mean += gap(d, i);
    }
    mean /= d->rows;
    for (size_t i = 0; i < d->b->n; i++) {
        d->p[d->b->cluster[i]] +=
            counts(d->b, d->part, d->x, d->y, i) ? (gap(d, i) - mean) / d->rows : 0.0;
    }
}

/* Of no rows in common, so that Q of x and of y are of different rows, if perhaps of the same clusters. */
static void difference_error(struct regret_valued *out, const struct differing *d)
{
    const struct basis *b = d->b;
    const double *qx = d->of_x.of_cluster, *qy = d->of_y.of_cluster;
    size_t n = b->n_clusters;
    double share = d->differ / d->rows, mx = d->of_x.effective, my = d->of_y.effective;
    struct variance v = {0};
    double vx = mx >= 2.0 ? with_prior(variance_of(b, qx, mx), mx, b->noise) : NAN;
    double vy = my >= 2.0 ? with_prior(variance_of(b, qy, my), my, b->noise) : NAN;
    add_variance(&v, variance_of(b, d->p, d->clusters), d->clusters - 1.0);
    add_variance(&v, square(share) * vx, mx - 1.0 + PRIOR_ROWS);
    add_variance(&v, square(share) * vy, my - 1.0 + PRIOR_ROWS);
    v.total += 2.0 * share * (product(d->p, qx, n) - product(d->p, qy, n)) -
               2.0 * square(share) * product(qx, qy, n);
    set_error(out, &v);
}

/* SNDR of one side on the rows where they differ. psi gets its influence. */
static int value_side(struct bounded *out, double *value, double *psi, const struct asking *of,
                      const struct asked *a)
{
    FREED_BY(surface_sums_fields) struct surface_sums s = {0};
    struct regret_valued one = {0};
    struct own_rows own = {0};
    TRY(find_own(&own, of, a));
    TRY(sum_surface(&s, of));
    *out = sndr_error(&one, of->b, a, &s, &own);
    *value = one.value;
    for (size_t c = 0; c < of->b->n_clusters; c++) {
        psi[c] = s.p[c] + a->of_cluster[c];
    }
    return REGRET_OK;
}

/* How the share of rows on which they differ varies between clusters. */
static int share_error(struct gap *g, const struct differing *d)
{
    FREED double *sum = NULL;
    TRY(REGRET_NEW(&sum, d->b->n_clusters));
    for (size_t i = 0; i < d->b->n; i++) {
        if (counts(d->b, d->part, d->x, d->y, i)) {
            sum[d->b->cluster[i]] += (d->mask[i] - g->share) / d->rows;
        }
    }
    g->by_share = square(g->x.value - g->y.value) * variance_of(d->b, sum, d->clusters);
    g->df = d->clusters - 1.0;
    return REGRET_OK;
}

static int find_gap(struct gap *g, double *difference, const struct differing *d,
                    const struct asking *of_x, const struct asking *of_y)
{
    double x = NAN, y = NAN;
    FREED double *psi = NULL;
    size_t n = d->b->n_clusters;
    TRY(REGRET_NEW(&psi, 2 * n));
    TRY(value_side(&g->x, &x, psi, of_x, &d->of_x));
    TRY(value_side(&g->y, &y, psi + n, of_y, &d->of_y));
    g->share = d->differ / d->rows;
    *difference = g->share * (x - y);
    g->rho = product(psi, psi + n, n) / sqrt(g->x.variance * g->y.variance);
    return share_error(g, d);
}

int worth_difference(struct regret_valued *out, struct gap *gap, double *influence,
                     const struct basis *b, const struct chooser *x, const struct chooser *y,
                     const struct part *part)
{
    struct gap own = {0}, *g = gap != NULL ? gap : &own;
    FREED_BY(differing_fields) struct differing d = {.b = b, .x = x, .y = y, .part = part};
    TRY(find_differing(&d));
    *g = own;
    *out = d.rows > 0.0 ? (struct regret_valued){.df = INFINITY, .rows = (size_t)d.rows}
                        : (struct regret_valued){NAN, NAN, NAN, NAN, NAN, 0};
    if (d.differ == 0.0) {
        return REGRET_OK;
    }
    const struct asking of_x = {b, x, part, d.mask}, of_y = {b, y, part, d.mask};
    TRY(REGRET_NEW(&d.p, b->n_clusters));
    TRY(ask(&d.of_x, &of_x));
    TRY(ask(&d.of_y, &of_y));
    sum_gaps(&d);
    difference_error(out, &d);
    TRY(find_gap(g, &out->value, &d, &of_x, &of_y));
    double share = g->share;
    difference_set_interval(out, g, tails_of(b->level));
    for (size_t c = 0; influence != NULL && c < b->n_clusters; c++) {
        influence[c] = d.p[c] + share * (d.of_x.of_cluster[c] - d.of_y.of_cluster[c]);
    }
    return REGRET_OK;
}
