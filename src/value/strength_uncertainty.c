/* Intervals of strengths. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "linalg/dense.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "value/strength.h"

/* The likelihood of strengths, its derivatives and its maxima. */

enum { MOST_STEPS = 200, MOST_HALVINGS = 60 };
/* Newton's method doubles its digits: what is left is rounding. */
static const double LAST_STEP = 1e-11;
/* Keeps γ finite where the first has won always; less than rounding else. */
static const double OF_POSITION = 1e-9;

double strength_win(double theta)
{
    return theta >= 0.0 ? 1.0 / (1.0 + exp(-theta)) : exp(theta) / (1.0 + exp(theta));
}

double strength_value(const double *theta, size_t n, size_t agent)
{
    double sum = 0.0, others = 0.0;
    for (size_t b = 0; b < n; b++) {
        if (b != agent && !isnan(theta[b])) {
            sum += strength_win(theta[agent] - theta[b]);
            others += 1.0;
        }
    }
    return isnan(theta[agent]) ? (double)NAN : others > 0.0 ? sum / others : 0.5;
}

static size_t dim_of(const struct compared *c)
{
    return c->m + (size_t)c->position;
}

/* s log p + (1 − s) log(1 − p) is s d − log(1 + e^d). */
static double strength_likelihood(const struct compared *c, const double *theta, double ridge)
{
    double sum = 0.0;
    for (size_t v = 0; v < c->n_cells; v++) {
        double d = strength_gap(c, theta, &c->cell[v]);
        sum += c->cell[v].votes * (c->cell[v].share * d - fmax(d, 0.0) - log1p(exp(-fabs(d))));
    }
    for (size_t i = 0; i < c->m; i++) {
        double from = theta[i] - c->centre[i];
        sum -= 0.5 * ridge * from * from;
    }
    return sum - (c->position ? 0.5 * OF_POSITION * theta[c->m] * theta[c->m] : 0.0);
}

static void strength_slope(double *g, const struct compared *c, const double *theta, double ridge)
{
    for (size_t i = 0; i < c->m; i++) {
        g[i] = -ridge * (theta[i] - c->centre[i]);
    }
    if (c->position) {
        g[c->m] = -OF_POSITION * theta[c->m];
    }
    for (size_t v = 0; v < c->n_cells; v++) {
        const struct regret_vote *of = &c->cell[v];
        double rest = of->votes * (of->share - strength_win(strength_gap(c, theta, of)));
        g[of->a] += rest;
        g[of->b] -= rest;
        if (c->position) {
            g[c->m] += of->first * rest;
        }
    }
}

static void strength_information(double *h, const struct compared *c, const double *theta,
                                 double ridge)
{
    size_t m = c->m, n = dim_of(c);
    memset(h, 0, n * n * sizeof *h);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            h[i * n + j] = 1.0 / (double)m;
        }
        h[i * n + i] += ridge;
    }
    if (c->position) {
        h[m * n + m] = OF_POSITION;
    }
    for (size_t v = 0; v < c->n_cells; v++) {
        size_t a = c->cell[v].a, b = c->cell[v].b;
        double p = strength_win(strength_gap(c, theta, &c->cell[v]));
        double w = c->cell[v].votes * p * (1.0 - p);
        h[a * n + a] += w;
        h[b * n + b] += w;
        h[a < b ? a * n + b : b * n + a] -= w; /* the lower triangle, by columns */
        if (c->position) {
            h[a * n + m] += c->cell[v].first * w;
            h[b * n + m] -= c->cell[v].first * w;
            h[m * n + m] += (c->cell[v].first != 0 ? w : 0.0);
        }
    }
}

struct newton {
    double *next, *step, *along,
        *h; /* [dim], [dim], [dim], [dim × dim]; step and along are neighbours */
};

/* The contrast stays what it is: the step's part along H⁻¹ contrast is taken off. */
static void keep_contrast(struct newton *w, const struct compared *c, const double *contrast)
{
    double moved = 0.0, along = 0.0;
    for (size_t i = 0; i < dim_of(c); i++) {
        moved += contrast[i] * w->step[i];
        along += contrast[i] * w->along[i];
    }
    for (size_t i = 0; i < dim_of(c); i++) {
        w->step[i] -= moved / along * w->along[i];
    }
}

/* One step, halved while the likelihood falls by it; *length is that of its longest part. */
static int improve(double *length, double *theta, struct newton *w, const struct compared *c,
                   double ridge, const double *contrast)
{
    size_t n = dim_of(c);
    double before = strength_likelihood(c, theta, ridge), share = 1.0;
    double rounding = 1e-13 * fmax(1.0, fabs(before)); /* in it a last step would be lost */
    double rise = 0.0; /* twice that of the likelihood by the step */
    strength_slope(w->step, c, theta, ridge);
    memcpy(w->next, w->step, n * sizeof *w->next);
    strength_information(w->h, c, theta, ridge);
    TRY(regret_sym_cholesky(w->h, n));
    if (contrast != NULL) {
        memcpy(w->along, contrast, n * sizeof *w->along);
    }
    regret_sym_cholesky_solve(w->step, contrast != NULL ? 2 : 1, w->h, n);
    if (contrast != NULL) {
        keep_contrast(w, c, contrast);
    }
    for (size_t i = 0; i < n; i++) {
        rise += w->next[i] * w->step[i];
    }
    for (int k = 0; k < MOST_HALVINGS; k++, share *= 0.5) {
        *length = 0.0;
        for (size_t i = 0; i < n; i++) {
            w->next[i] = theta[i] + share * w->step[i];
            *length = fmax(*length, fabs(share * w->step[i]));
        }
        if (*length <= LAST_STEP || strength_likelihood(c, w->next, ridge) >= before - rounding) {
            break;
        }
    }
    memcpy(theta, w->next, n * sizeof *theta);
    *length = rise > 1e-4 * rounding ? *length : 0.0; /* where it is flat steps are rounding */
    return REGRET_OK;
}

int strength_maximise(double *theta, const struct compared *c, double ridge, const double *contrast,
                      double *room)
{
    size_t n = dim_of(c);
    struct newton w = {room, room + n, room + 2 * n, room + 3 * n};
    double length = INFINITY;
    for (int steps = 0; length > LAST_STEP && steps < MOST_STEPS; steps++) {
        TRY(improve(&length, theta, &w, c, ridge, contrast));
    }
    return length <= LAST_STEP ? REGRET_OK
                               : regret_fail(REGRET_E_NUMERIC,
                                             "strengths of %zu agents do not settle in %d steps; "
                                             "a larger ridge would help",
                                             c->m, (int)MOST_STEPS);
}

/* What the likelihood of strengths says of values and of differences. */

/* By how much the value of a, less that of b unless b is SIZE_MAX, rises with every θ [m]. */
static void strength_gradient(double *g, const double *theta, size_t m, size_t a, size_t b)
{
    memset(g, 0, m * sizeof *g);
    if (a == m) {
        g[m] = 1.0;
        return;
    }
    for (size_t j = 0; j < m; j++) {
        double p = strength_win(theta[a] - theta[j]),
               q = b < m ? strength_win(theta[b] - theta[j]) : 0.0;
        double of_a = j != a ? p * (1.0 - p) / (double)(m - 1) : 0.0;
        double of_b = j != b ? q * (1.0 - q) / (double)(m - 1) : 0.0;
        g[j] += of_b - of_a;
        g[a] += of_a;
        if (b < m) {
            g[b] -= of_b;
        }
    }
}

static double value_at(const double *theta, size_t m, size_t a)
{
    return a == m ? theta[m] : strength_value(theta, m, a);
}

/* A line through the maximum: along H⁻¹ contrast the likelihood falls least, nearly. */
struct along {
    struct profiled *p;
    const double *contrast; /* [dim] */
    double *direction;      /* [dim] H⁻¹ contrast, over its length in the contrast */
    double at, error;       /* the contrast at the maximum, and its error */
    double *theta;          /* [dim] the constrained maximum that was last found */
    double *room;
};

static void begin(struct along *l, struct profiled *p, const double *contrast, double *room)
{
    size_t n = p->c->m + (size_t)p->c->position;
    double variance = 0.0;
    *l = (struct along){p, contrast, room, 0.0, 0.0, room + n, room + 2 * n};
    for (size_t i = 0; i < n; i++) {
        l->direction[i] = 0.0;
        for (size_t j = 0; j < n; j++) {
            l->direction[i] += p->inverse[i * n + j] * contrast[j];
        }
    }
    for (size_t j = 0; j < n; j++) {
        variance += contrast[j] * l->direction[j];
        l->at += contrast[j] * p->theta[j];
    }
    for (size_t i = 0; i < n; i++) {
        l->direction[i] /= variance;
    }
    l->error = sqrt(variance);
}

/* √(twice the fall) where the contrast is x from the maximum's. */
static int fall_at(double *out, struct along *l, double x)
{
    const struct compared *c = l->p->c;
    for (size_t i = 0; i < c->m + (size_t)c->position; i++) {
        l->theta[i] = l->p->theta[i] + x * l->direction[i];
    }
    TRY(strength_maximise(l->theta, c, l->p->ridge, l->contrast, l->room));
    *out = sqrt(2.0 * fmax(0.0, l->p->top - strength_likelihood(c, l->theta, l->p->ridge)));
    return REGRET_OK;
}

/* Leaves in l->theta where the fall is `wanted` on one side; *is_there 0 where the contrast ends before. */
static int find_end(int *is_there, struct along *l, double side, double wanted)
{
    const double farthest = 30.0, enough = 1e-12;
    double low = 0.0, high = INFINITY, fall_low = 0.0, fall_high = 0.0;
    double x = fmin(wanted * l->error, 8.0);
    *is_there = 1;
    for (int k = 0; k < 100; k++) {
        double fall = 0.0;
        if (fabs(l->at + side * x) > farthest && !isfinite(high)) {
            *is_there = 0;
            return REGRET_OK;
        }
        TRY(fall_at(&fall, l, side * x));
        if (fabs(fall - wanted) <= enough * wanted) {
            break;
        }
        if (fall < wanted) {
            low = x;
            fall_low = fall;
        } else {
            high = x;
            fall_high = fall;
        }
        double secant = low + (high - low) * (wanted - fall_low) / (fall_high - fall_low);
        double last = x;
        x = !isfinite(high) ? fmin(2.0 * x, x * fmax(1.1, 1.05 * wanted / fall))
            : k % 3 == 2    ? 0.5 * (low + high)
                            : secant;
        if (fabs(x - last) <= enough * x) {
            break;
        }
    }
    return REGRET_OK;
}

/* The ends of the value of agent a where twice the likelihood's fall is `critical`, along the contrast of θ by which it rises. a = m: of γ. */
static int strength_profile(struct limits *out, struct profiled *p, size_t a, double critical)
{
    size_t m = p->c->m;
    double *contrast = p->room, value = value_at(p->theta, m, a);
    struct along l;
    if (p->c->position) {
        contrast[m] = 0.0;
    }
    strength_gradient(contrast, p->theta, m, a, SIZE_MAX);
    double largest = contrast[a];
    for (size_t i = 0; i < m && a < m; i++) {
        contrast[i] /= largest;
    }
    begin(&l, p, contrast, p->room + m + 1);
    for (int side = -1; side <= 1; side += 2) {
        int is_there = 0;
        TRY(find_end(&is_there, &l, side, sqrt(critical)));
        double end = is_there   ? value_at(l.theta, m, a)
                     : a == m   ? (double)side * INFINITY
                     : side > 0 ? 1.0
                                : 0.0;
        *(side < 0 ? &out->low : &out->high) = side < 0 ? fmin(end, value) : fmax(end, value);
    }
    return REGRET_OK;
}

/* Twice its fall where θ of a and b are equal, or γ (a = m, b SIZE_MAX) is 0. */
static int strength_ratio(double *out, struct profiled *p, size_t a, size_t b)
{
    size_t m = p->c->m;
    double *contrast = p->room, fall = 0.0;
    struct along l;
    memset(contrast, 0, (m + 1) * sizeof *contrast);
    contrast[a] = 1.0;
    if (b < m) {
        contrast[b] = -1.0;
    }
    begin(&l, p, contrast, p->room + m + 1);
    TRY(fall_at(&fall, &l, -l.at));
    *out = fall * fall;
    return REGRET_OK;
}

/* How well strengths are known: variances, intervals, ranks. */

struct variances {
    double *inverse; /* [dim × dim] H⁻¹ without the mean of θ, which is known; both triangles */
    double *sandwich; /* [dim × dim], the same; NaN of fewer than two prompts */
    double *factor;   /* [dim × dim] of H */
    size_t n;         /* dim: m + position */
};

FREED_FIELDS(variances, of->inverse, of->sandwich, of->factor)

/* H⁻¹. A 1 in the place of the mean's part of H is a 1 there in its inverse, which is taken off. */
static int invert(struct variances *w, const struct compared *c, const double *theta, double ridge)
{
    size_t m = c->m, n = w->n;
    strength_information(w->factor, c, theta, ridge);
    TRY(regret_sym_cholesky(w->factor, n));
    for (size_t i = 0; i < n; i++) {
        w->inverse[i * n + i] = 1.0;
    }
    regret_sym_cholesky_solve(w->inverse, n, w->factor, n);
    for (size_t i = 0; i < m * m; i++) {
        w->inverse[i / m * n + i % m] -= 1.0 / ((1.0 + ridge) * (double)m);
    }
    return REGRET_OK;
}

/* The votes of the prompt that begins at v: what is left of them adds up in score [m], and *n is how many there are. */
static void add_scores(double *score, size_t *n, const struct compared *c, const double *theta,
                       size_t v)
{
    for (*n = 0; v + *n < c->n && c->vote[v + *n].cluster == c->vote[v].cluster; ++*n) {
        const struct regret_vote *vote = &c->vote[v + *n];
        double rest = vote->votes * (vote->share - strength_win(strength_gap(c, theta, vote)));
        score[vote->a] += rest;
        score[vote->b] -= rest;
        score[c->m] += c->position ? vote->first * rest : 0.0;
    }
}

/* Adds the outer product of a prompt's score, which is not 0 where its n votes have agents; then it is 0 again. */
static void add_product(double *meat, double *score, uint32_t *touched, const struct compared *c,
                        size_t v, size_t n)
{
    const size_t each = c->position ? 3 : 2;
    size_t k = 0, dim = c->m + each - 2;
    for (size_t i = 0; i < n; i++) {
        const uint32_t agents[3] = {c->vote[v + i].a, c->vote[v + i].b, (uint32_t)c->m};
        for (size_t j = 0; j < each; j++) {
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
            meat[touched[i] * dim + touched[j]] += score[touched[i]] * score[touched[j]];
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
    size_t m = w->n, n = 0;
    FREED double *score = NULL;
    FREED uint32_t *touched = NULL;
    double g = (double)c->n_clusters;
    TRY(REGRET_NEW(&score, c->m + 1));
    TRY(REGRET_NEW(&touched, c->m + 2));
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

static double variance_by(const double *v, const double *weight, size_t n, size_t dim)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n && weight[i] != 0.0; j++) {
            sum += weight[i] * weight[j] * v[i * dim + j];
        }
    }
    return sum;
}

/* What intervals and ranks are made with. */
struct sureness {
    struct profiled p;
    struct variances w;
    double *weight;      /* [m + 1] of θ, scratch */
    double t, df;        /* of one vote a prompt z, and infinite */
    double usual;        /* the median of what `spread` gives of agents' values */
    int are_independent; /* one vote a prompt */
};

/* The larger of the two variances of the weighted sum; fmax() passes a NaN by. */
static double variance(const struct sureness *s)
{
    size_t m = s->p.c->m;
    return fmax(variance_by(s->w.inverse, s->weight, m, s->w.n),
                variance_by(s->w.sandwich, s->weight, m, s->w.n));
}

/* By how much prompts blow up the variance of the weighted sum, at least as much as usual. */
static double spread(const struct sureness *s)
{
    size_t m = s->p.c->m;
    double ratio = variance_by(s->w.sandwich, s->weight, m, s->w.n) /
                   variance_by(s->w.inverse, s->weight, m, s->w.n);
    return s->are_independent ? 1.0 : fmax(1.0, fmax(ratio, s->usual));
}

static int find_usual(struct sureness *s)
{
    size_t m = s->p.c->m;
    FREED double *ratio = NULL;
    TRY(REGRET_NEW(&ratio, m));
    for (size_t i = 0; i < m; i++) {
        strength_gradient(s->weight, s->p.theta, m, i, SIZE_MAX);
        ratio[i] = spread(s);
    }
    regret_sort_numbers(ratio, m);
    s->usual = regret_quantile(ratio, m, 0.5);
    return REGRET_OK;
}

/* Whether the votes leave room for equal θ; where Wald's statistic is far from the critical value it decides alone, but of agents that
 * have won, or lost, nearly all. */
static int is_told(int *told, struct sureness *s, size_t i, size_t j)
{
    const double least = 0.7, most = 1.6, few = 3.0;
    const struct compared *c = s->p.c;
    memset(s->weight, 0, c->m * sizeof *s->weight);
    s->weight[i] = 1.0;
    s->weight[j] = -1.0;
    double critical = s->t * s->t * spread(s), gap = s->p.theta[i] - s->p.theta[j];
    double wald = fabs(gap) / sqrt(critical * variance_by(s->w.inverse, s->weight, c->m, s->w.n));
    double edge = fmin(fmin(c->wins[i], c->votes[i] - c->wins[i]),
                       fmin(c->wins[j], c->votes[j] - c->wins[j]));
    *told = wald > 1.0;
    if (edge < few || (wald >= least && wald <= most)) {
        double ratio = 0.0;
        TRY(strength_ratio(&ratio, &s->p, i, j));
        *told = ratio > critical;
    }
    return REGRET_OK;
}

static int fill_agent(struct regret_strength *out, struct sureness *s, size_t i)
{
    size_t m = s->p.c->m;
    struct limits l;
    memset(s->weight, 0, m * sizeof *s->weight);
    s->weight[i] = 1.0;
    out->se = sqrt(variance(s));
    strength_gradient(s->weight, s->p.theta, m, i, SIZE_MAX);
    TRY(strength_profile(&l, &s->p, i, s->t * s->t * spread(s)));
    out->low = l.low;
    out->high = l.high;
    out->value_se =
        fmax(sqrt(variance(s)), fmax(out->high - out->value, out->value - out->low) / s->t);
    return REGRET_OK;
}

static int fill_ranks(struct regret_bradley_terry *fit, struct sureness *s)
{
    const struct compared *c = s->p.c;
    for (size_t i = 0; i < c->m; i++) {
        fit->agents[c->agent[i]].rank_high = 1;
        fit->agents[c->agent[i]].rank_low = c->m;
    }
    for (size_t i = 0; i < c->m; i++) {
        for (size_t j = 0; j < i; j++) {
            int told = 0;
            size_t better = s->p.theta[i] > s->p.theta[j] ? i : j;
            TRY(is_told(&told, s, i, j));
            fit->agents[c->agent[better]].rank_low -= (size_t)told;
            fit->agents[c->agent[i + j - better]].rank_high += (size_t)told;
        }
    }
    return REGRET_OK;
}

/* Of the errors of two values. */
static double correlation(const struct sureness *s, size_t a, size_t b)
{
    const size_t pair[3][2] = {{a, SIZE_MAX}, {b, SIZE_MAX}, {a, b}};
    double v[3];
    for (size_t i = 0; i < 3; i++) {
        strength_gradient(s->weight, s->p.theta, s->p.c->m, pair[i][0], pair[i][1]);
        v[i] = variance_by(s->w.inverse, s->weight, s->p.c->m, s->w.n);
    }
    return 0.5 * (v[0] + v[1] - v[2]) / sqrt(v[0] * v[1]);
}

static int fill_lead(struct regret_bradley_terry *fit, struct sureness *s)
{
    const struct compared *c = s->p.c;
    const double *theta = s->p.theta;
    size_t best[2] = {c->m, c->m};
    double ratio = 0.0;
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
    double rho = correlation(s, best[0], best[1]);
    const struct regret_strength *one = &fit->agents[fit->first], *two = &fit->agents[fit->second];
    struct limits l = limits_of_gap(one->value, (struct limits){one->low, one->high}, two->value,
                                    (struct limits){two->low, two->high}, rho);
    strength_gradient(s->weight, theta, c->m, best[0], best[1]);
    double by = spread(s);
    fit->lead_se = sqrt(variance(s));
    fit->lead_low = l.low;
    fit->lead_high = l.high;
    fit->lead_se = fmax(fit->lead_se, fmax(l.high - fit->lead, fit->lead - l.low) / s->t);
    TRY(strength_ratio(&ratio, &s->p, best[0], best[1]));
    fit->lead_p = 2.0 * regret_student_cdf(-sqrt(ratio / by), s->df);
    return REGRET_OK;
}

/* By how much being shown first has moved what agents have won. */
static void fill_moved(struct regret_bradley_terry *fit, const struct compared *c,
                       const double *theta)
{
    for (size_t v = 0; v < c->n_cells; v++) {
        const struct regret_vote *of = &c->cell[v];
        double by =
            strength_win(strength_gap(c, theta, of)) - strength_win(theta[of->a] - theta[of->b]);
        fit->moved[c->agent[of->a]] += of->votes * by / c->votes[of->a];
        fit->moved[c->agent[of->b]] -= of->votes * by / c->votes[of->b];
        fit->known_order += of->first != 0 ? of->votes : 0.0;
    }
}

static int fill_position(struct regret_bradley_terry *fit, struct sureness *s)
{
    const struct compared *c = s->p.c;
    struct limits l;
    double ratio = 0.0;
    size_t at = c->m * s->w.n + c->m;
    fill_moved(fit, c, s->p.theta);
    fit->position = fit->position_low = fit->position_high = fit->position_p = NAN;
    if (!c->position) {
        return REGRET_OK;
    }
    double by =
        s->are_independent ? 1.0 : fmax(1.0, fmax(s->w.sandwich[at] / s->w.inverse[at], s->usual));
    fit->position = s->p.theta[c->m];
    TRY(strength_profile(&l, &s->p, c->m, s->t * s->t * by));
    fit->position_low = l.low;
    fit->position_high = l.high;
    TRY(strength_ratio(&ratio, &s->p, c->m, SIZE_MAX));
    fit->position_p = 2.0 * regret_student_cdf(-sqrt(ratio / by), s->df);
    return REGRET_OK;
}

static int fill_all(struct regret_bradley_terry *fit, struct sureness *s)
{
    const struct compared *c = s->p.c;
    TRY(find_usual(s));
    for (size_t i = 0; i < c->m; i++) {
        TRY(fill_agent(&fit->agents[c->agent[i]], s, i));
    }
    TRY(fill_ranks(fit, s));
    TRY(fill_lead(fit, s));
    return fill_position(fit, s);
}

int strength_uncertainty(struct regret_bradley_terry *fit, const struct compared *c,
                         const double *theta, const struct regret_bradley_terry_options *options)
{
    FREED_BY(variances_fields) struct variances w = {.n = c->m + (size_t)c->position};
    FREED double *weight = NULL, *room = NULL;
    int alone = !(fit->votes > (double)c->n_clusters);
    double df = alone ? INFINITY : c->n_clusters > 1 ? (double)(c->n_clusters - 1) : 1.0;
    TRY(REGRET_NEW(&w.inverse, w.n * w.n));
    TRY(REGRET_NEW(&w.sandwich, w.n * w.n));
    TRY(REGRET_NEW(&w.factor, w.n * w.n));
    TRY(REGRET_NEW(&weight, c->m + 1));
    TRY(REGRET_NEW(&room, (c->m + 1) * (c->m + 8)));
    TRY(invert(&w, c, theta, options->ridge));
    TRY(make_sandwich(&w, c, theta));
    struct sureness s = {
        {c, theta, w.inverse, options->ridge, strength_likelihood(c, theta, options->ridge), room},
        w,
        weight,
        regret_student_quantile(0.5 + 0.5 * options->level, df),
        df,
        1.0,
        alone};
    return fill_all(fit, &s);
}
