#include "evaluate/worth/worth.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/student.h"

/* Rows that s² counts as, beside those of a policy [C]. */
static const double PRIOR_ROWS = 4.0;

/* Of sums of outcomes of [0,1]. */
static const double ROUNDING = 1e-12;

static double square(double x)
{
    return x * x;
}

/* ---------------------------------------------------------------- intervals */

struct tails tails_of(double level)
{
    return (struct tails){0.5 * (1.0 - level), 0.5 * (1.0 - level)};
}

struct tails tails_of_chosen(double level, size_t n)
{
    const double below = 0.8;
    return n < 2 ? tails_of(level)
                 : (struct tails){below * (1.0 - level) / (double)n, (1.0 - below) * (1.0 - level)};
}

static double reach(const struct regret_valued *v, double tail)
{
    double half = v->error > 0.0 ? v->error * regret_student_quantile(1.0 - tail, v->df) : v->error;
    if (v->value != 0.0 && half < ROUNDING) {
        half =
            ROUNDING; /* outcomes that never differ: what is left of a difference is no difference */
    }
    return half;
}

void difference_set_interval(struct regret_valued *v, struct tails tails)
{
    v->low = v->value - reach(v, tails.below);
    v->high = v->value + reach(v, tails.above);
}

/* The end that is `side` of the value: where it is t standard errors from it, which are those of a mean as large as the end. */
static double wilson(const struct regret_valued *v, double tail, double side)
{
    double room = v->value * (1.0 - v->value), t = regret_student_quantile(1.0 - tail, v->df);
    double c = square(t) / fmax(room / square(v->error), v->df + 1.0);
    return (v->value + 0.5 * c + side * sqrt(c * room + 0.25 * c * c)) / (1.0 + c);
}

void value_set_interval(struct regret_valued *v, struct tails tails)
{
    if (!(v->error > 0.0 && v->value > 0.0 && v->value < 1.0)) {
        difference_set_interval(v, tails);
        return;
    }
    v->low = wilson(v, tails.below, -1.0);
    v->high = wilson(v, tails.above, 1.0);
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

static double scaled(double squares, double n)
{
    return n > 1.0 ? squares * n / (n - 1.0) : NAN;
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

/* ---------------------------------------------------------------- the value of a policy */

struct surface_sums {
    size_t rows;
    double mean, clusters;
    double *p; /* [n_clusters]; owned */
};

FREED_FIELDS(surface_sums, of->p)

static int sum_surface(struct surface_sums *s, const struct basis *b, const struct chooser *x,
                       const struct part *part)
{
    FREED unsigned char *seen = NULL;
    TRY(REGRET_NEW(&s->p, b->n_clusters));
    TRY(REGRET_NEW(&seen, b->n_clusters));
    for (size_t i = 0; i < b->n; i++) {
        if (counts(b, part, x, NULL, i)) {
            s->rows++;
            s->mean += basis_surface(b, i)[choice_of(x, i)];
            s->clusters += !seen[b->cluster[i]];
            seen[b->cluster[i]] = 1;
        }
    }
    s->mean /= (double)s->rows; /* NaN of no rows */
    for (size_t i = 0; i < b->n; i++) {
        if (counts(b, part, x, NULL, i)) {
            double f = basis_surface(b, i)[choice_of(x, i)];
            s->p[b->cluster[i]] += (f - s->mean) / (double)s->rows;
        }
    }
    return REGRET_OK;
}

/* DR's Q: of 1{A=π} w r, which is 0 in most rows, about its mean over all. */
static int dr_error(struct regret_valued *out, const struct asking *of, const struct asked *a,
                    const struct surface_sums *s)
{
    const struct basis *b = of->b;
    struct variance v = {0};
    double *q = NULL, n = (double)s->rows, mean = a->residual / n;
    TRY(REGRET_NEW(&q, b->n_clusters));
    for (size_t i = 0; i < b->n; i++) {
        if (counts(b, of->part, of->x, NULL, i)) {
            double r = is_asked(of, i) ? residual_of(b, i) / b->propensity[i] : 0.0;
            q[b->cluster[i]] += (r - mean) / n;
        }
    }
    double by_rows = scaled(product(q, q, b->n_clusters), s->clusters), m = a->effective;
    add_variance(&v, scaled(product(s->p, s->p, b->n_clusters), s->clusters), s->clusters - 1.0);
    add_variance(&v, m >= 2.0 ? with_prior(by_rows, m, b->noise) : NAN, m - 1.0 + PRIOR_ROWS);
    v.total += 2.0 * product(s->p, q, b->n_clusters);
    out->value = s->mean + mean;
    set_error(out, &v);
    value_set_interval(out, tails_of(b->level));
    regret_free(q);
    return REGRET_OK;
}

static void sndr_error(struct regret_valued *out, const struct basis *b, const struct asked *a,
                       const struct surface_sums *s)
{
    struct variance v = {0};
    double m = a->effective,
           by_rows = scaled(product(a->of_cluster, a->of_cluster, b->n_clusters), m);
    add_variance(&v, scaled(product(s->p, s->p, b->n_clusters), s->clusters), s->clusters - 1.0);
    add_variance(&v, m >= 2.0 ? with_prior(by_rows, m, b->noise) : NAN, m - 1.0 + PRIOR_ROWS);
    v.total += 2.0 * product(s->p, a->of_cluster, b->n_clusters);
    out->value = s->mean + a->mean;
    set_error(out, &v);
    value_set_interval(out, tails_of(b->level));
}

int worth_of(struct regret_valued out[REGRET_N_VALUES], struct worth_parts *parts,
             const struct basis *b, const struct chooser *x, const struct part *part)
{
    const struct asking of = {b, x, part, NULL};
    FREED_BY(asked_fields) struct asked a = {0};
    FREED_BY(surface_sums_fields) struct surface_sums s = {0};
    struct variance v = {0};
    TRY(ask(&a, &of));
    TRY(sum_surface(&s, b, x, part));
    double by_surface = scaled(product(s.p, s.p, b->n_clusters), s.clusters);
    add_variance(&v, by_surface, s.clusters - 1.0);
    out[REGRET_VALUE_DM].value = s.mean;
    set_error(&out[REGRET_VALUE_DM], &v);
    difference_set_interval(&out[REGRET_VALUE_DM], tails_of(b->level));
    sndr_error(&out[REGRET_VALUE_SNDR], b, &a, &s);
    TRY(dr_error(&out[REGRET_VALUE_DR], &of, &a, &s));
    for (size_t k = 0; k < REGRET_N_VALUES; k++) {
        out[k].rows = s.rows;
    }
    if (parts != NULL) {
        *parts = (struct worth_parts){
            a.mean,
            by_surface,
            scaled(product(a.of_cluster, a.of_cluster, b->n_clusters), a.effective),
            s.clusters,
            a.effective,
            a.clusters};
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
static double sum_gaps(struct differing *d)
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
    return mean;
}

/* Of no rows in common, so that Q of x and of y are of different rows, if perhaps of the same clusters. */
static void difference_error(struct regret_valued *out, const struct differing *d)
{
    const struct basis *b = d->b;
    const double *qx = d->of_x.of_cluster, *qy = d->of_y.of_cluster;
    size_t n = b->n_clusters;
    double share = d->differ / d->rows, mx = d->of_x.effective, my = d->of_y.effective;
    struct variance v = {0};
    double vx = mx >= 2.0 ? with_prior(scaled(product(qx, qx, n), mx), mx, b->noise) : NAN;
    double vy = my >= 2.0 ? with_prior(scaled(product(qy, qy, n), my), my, b->noise) : NAN;
    add_variance(&v, scaled(product(d->p, d->p, n), d->clusters), d->clusters - 1.0);
    add_variance(&v, square(share) * vx, mx - 1.0 + PRIOR_ROWS);
    add_variance(&v, square(share) * vy, my - 1.0 + PRIOR_ROWS);
    v.total += 2.0 * share * (product(d->p, qx, n) - product(d->p, qy, n)) -
               2.0 * square(share) * product(qx, qy, n);
    set_error(out, &v);
    difference_set_interval(out, tails_of(b->level));
}

int worth_difference(struct regret_valued *out, double *influence, const struct basis *b,
                     const struct chooser *x, const struct chooser *y, const struct part *part)
{
    struct differing d = {.b = b, .x = x, .y = y, .part = part};
    int rc;
    TRY_CLEANUP(find_differing(&d));
    *out = d.rows > 0.0 ? (struct regret_valued){.df = INFINITY, .rows = (size_t)d.rows}
                        : (struct regret_valued){NAN, NAN, NAN, NAN, NAN, 0};
    if (d.differ == 0.0) {
        goto cleanup;
    }
    const struct asking of_x = {b, x, part, d.mask}, of_y = {b, y, part, d.mask};
    TRY_CLEANUP(REGRET_NEW(&d.p, b->n_clusters));
    TRY_CLEANUP(ask(&d.of_x, &of_x));
    TRY_CLEANUP(ask(&d.of_y, &of_y));
    out->value = sum_gaps(&d);
    difference_error(out, &d);
    double share = d.differ / d.rows;
    for (size_t c = 0; influence != NULL && c < b->n_clusters; c++) {
        influence[c] = d.p[c] + share * (d.of_x.of_cluster[c] - d.of_y.of_cluster[c]);
    }
cleanup:
    regret_free(d.mask);
    regret_free(d.p);
    regret_free(d.of_x.of_cluster);
    regret_free(d.of_y.of_cluster);
    return rc;
}
