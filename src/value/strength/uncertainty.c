/* How well strengths are known: variances, intervals, ranks. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/symmetric.h"
#include "regret/alloc.h"
#include "regret/student.h"
#include "value/strength/strength.h"

struct variances {
    double *inverse;  /* [m × m] H⁻¹ without the mean of θ, which is known; both triangles */
    double *sandwich; /* [m × m], the same; NaN of fewer than two prompts */
    double *factor;   /* [m × m] of H */
};

FREED_FIELDS(variances, of->inverse, of->sandwich, of->factor)

/* H⁻¹. A 1 in the place of the mean's part of H is a 1 there in its inverse, which is taken off. */
static int invert(struct variances *w, const struct compared *c, const double *theta, double ridge)
{
    size_t m = c->m;
    strength_information(w->factor, c, theta, ridge, 1.0);
    TRY(regret_sym_cholesky(w->factor, m));
    for (size_t i = 0; i < m; i++) {
        w->inverse[i * m + i] = 1.0;
    }
    regret_sym_cholesky_solve(w->inverse, m, w->factor, m);
    for (size_t i = 0; i < m * m; i++) {
        w->inverse[i] -= 1.0 / ((1.0 + ridge) * (double)m);
    }
    return REGRET_OK;
}

/* The votes of the prompt that begins at v: what is left of them adds up in score [m], and *n is how many there are. */
static void add_scores(double *score, size_t *n, const struct compared *c, const double *theta,
                       size_t v)
{
    for (*n = 0; v + *n < c->n && c->vote[v + *n].cluster == c->vote[v].cluster; ++*n) {
        const struct regret_vote *vote = &c->vote[v + *n];
        double rest = vote->votes * (vote->share - strength_win(theta[vote->a] - theta[vote->b]));
        score[vote->a] += rest;
        score[vote->b] -= rest;
    }
}

/* Adds the outer product of a prompt's score, which is not 0 where its n votes have agents; then it is 0 again. */
static void add_product(double *meat, double *score, uint32_t *touched, const struct compared *c,
                        size_t v, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t agents[2] = {c->vote[v + i].a, c->vote[v + i].b};
        for (size_t j = 0; j < 2; j++) {
            size_t seen = 0;
            while (seen < k && touched[seen] != agents[j]) {
                seen++;
            }
            touched[seen] = agents[j];
            k += seen == k;
        }
    }
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < k; j++) {
            meat[touched[i] * c->m + touched[j]] += score[touched[i]] * score[touched[j]];
        }
    }
    for (size_t i = 0; i < k; i++) {
        score[touched[i]] = 0.0;
    }
}

static void transpose(double *a, size_t m)
{
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < i; j++) {
            double x = a[i * m + j];
            a[i * m + j] = a[j * m + i];
            a[j * m + i] = x;
        }
    }
}

/* H⁻¹ M H⁻¹: scores sum to 0 over agents, so that the part of the mean in H plays no role. */
static int make_sandwich(struct variances *w, const struct compared *c, const double *theta)
{
    size_t m = c->m, n = 0;
    FREED double *score = NULL;
    FREED uint32_t *touched = NULL;
    double g = (double)c->n_clusters;
    TRY(REGRET_NEW(&score, m));
    TRY(REGRET_NEW(&touched, m + 1));
    for (size_t v = 0; v < c->n; v += n) {
        add_scores(score, &n, c, theta, v);
        add_product(w->sandwich, score, touched, c, v, n);
    }
    regret_sym_cholesky_solve(w->sandwich, m, w->factor, m);
    transpose(w->sandwich, m);
    regret_sym_cholesky_solve(w->sandwich, m, w->factor, m);
    for (size_t i = 0; i < m * m; i++) {
        w->sandwich[i] *= c->n_clusters > 1 ? g / (g - 1.0) : NAN;
    }
    return REGRET_OK;
}

/* The variance of θ_i − θ_j or, with i = j, of θ_i: the larger of the two; fmax() passes a NaN by. */
static double variance(const struct variances *w, size_t m, size_t i, size_t j)
{
    const double *const both[2] = {w->inverse, w->sandwich};
    double largest = 0.0;
    for (size_t k = 0; k < 2; k++) {
        const double *v = both[k];
        double x = i == j ? v[i * m + i] : v[i * m + i] + v[j * m + j] - 2.0 * v[i * m + j];
        largest = fmax(largest, x);
    }
    return largest;
}

/* By how much the value of an agent rises with every θ. */
static void find_slope(double *slope, const double *theta, size_t m, size_t i)
{
    slope[i] = 0.0;
    for (size_t j = 0; j < m; j++) {
        double p = strength_win(theta[i] - theta[j]);
        if (j != i) {
            slope[j] = -p * (1.0 - p) / (double)(m - 1);
            slope[i] -= slope[j];
        }
    }
}

/* The larger of the two variances of a sum of θ with these weights. */
static double variance_of(const struct variances *w, const double *weight, size_t m)
{
    const double *const both[2] = {w->inverse, w->sandwich};
    double largest = 0.0;
    for (size_t k = 0; k < 2; k++) {
        double sum = 0.0;
        for (size_t i = 0; i < m; i++) {
            for (size_t j = 0; j < m; j++) {
                sum += weight[i] * weight[j] * both[k][i * m + j];
            }
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

/* On the scale of log(v/(1 − v)), so that the ends are chances, too. */
static void fill_interval(struct regret_strength *s, double t)
{
    double v = fmin(fmax(s->value, DBL_EPSILON), 1.0 - DBL_EPSILON);
    double odds = log(v / (1.0 - v)), half = t * s->value_se / (v * (1.0 - v));
    s->low = strength_win(odds - half);
    s->high = strength_win(odds + half);
}

/* Where a value is near its end the slope says too little: then the error is that of its interval's long side. */
static void fill_lead(struct regret_bradley_terry *fit, const struct compared *c,
                      const struct variances *w, const double *theta, double t, double *slope)
{
    size_t best[2] = {c->m, c->m};
    for (size_t i = 0; i < c->m; i++) {
        if (best[0] == c->m || theta[i] > theta[best[0]]) {
            best[1] = best[0];
            best[0] = i;
        } else if (best[1] == c->m || theta[i] > theta[best[1]]) {
            best[1] = i;
        }
    }
    fit->first = c->agent[best[0]];
    fit->second = c->agent[best[1]];
    fit->lead = fit->agents[fit->first].value - fit->agents[fit->second].value;
    find_slope(slope, theta, c->m, best[0]);
    find_slope(slope + c->m, theta, c->m, best[1]);
    for (size_t i = 0; i < c->m; i++) {
        slope[i] -= slope[c->m + i];
    }
    const struct regret_strength *a = &fit->agents[fit->first], *b = &fit->agents[fit->second];
    fit->lead_se =
        fmax(sqrt(variance_of(w, slope, c->m)), hypot(a->value - a->low, b->high - b->value) / t);
}

static void fill_agent(struct regret_bradley_terry *fit, const struct compared *c,
                       const struct variances *w, const double *theta, double t, double *slope,
                       size_t i)
{
    struct regret_strength *s = &fit->agents[c->agent[i]];
    size_t better = 0, worse = 0;
    s->se = sqrt(variance(w, c->m, i, i));
    find_slope(slope, theta, c->m, i);
    s->value_se = sqrt(variance_of(w, slope, c->m));
    fill_interval(s, t);
    s->value_se = fmax(s->value_se, fmax(s->high - s->value, s->value - s->low) / t);
    for (size_t j = 0; j < c->m; j++) {
        double half = j != i ? t * sqrt(variance(w, c->m, i, j)) : INFINITY;
        better += theta[j] - theta[i] > half;
        worse += theta[i] - theta[j] > half;
    }
    s->rank_high = 1 + better;
    s->rank_low = c->m - worse;
}

int strength_uncertainty(struct regret_bradley_terry *fit, const struct compared *c,
                         const double *theta, const struct regret_bradley_terry_options *options)
{
    FREED_BY(variances_fields) struct variances w = {NULL, NULL, NULL};
    double df = c->n_clusters > 1 ? (double)(c->n_clusters - 1) : 1.0;
    double t = regret_student_quantile(0.5 + 0.5 * options->level, df);
    FREED double *slope = NULL;
    TRY(REGRET_NEW(&slope, 2 * c->m));
    TRY(REGRET_NEW(&w.inverse, c->m * c->m));
    TRY(REGRET_NEW(&w.sandwich, c->m * c->m));
    TRY(REGRET_NEW(&w.factor, c->m * c->m));
    TRY(invert(&w, c, theta, options->ridge));
    TRY(make_sandwich(&w, c, theta));
    for (size_t i = 0; i < c->m; i++) {
        fill_agent(fit, c, &w, theta, t, slope, i);
    }
    fill_lead(fit, c, &w, theta, t, slope);
    return REGRET_OK;
}
