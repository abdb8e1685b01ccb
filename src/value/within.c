#include "value/within.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "linalg/dense.h"
#include "regret/status.h"
#include "value/strength.h"

/* Agents are joined by so many common requests; a stratum has so many, and an agent is ranked that is joined in strata of all
 * but this share of the requests [C]. */
enum { LEAST_COMMON = 3, LEAST_STRATUM = 5 };
static const double MOST_APART = 0.15;

static int counts(const struct within_effects *e, const double *y, size_t a)
{
    return e->joined[a] && !isnan(y[a]);
}

/* ---------------------------------------------------------------- who is joined */

static void count_common(double *common, const double *y, size_t m)
{
    for (size_t a = 0; a < m; a++) {
        for (size_t b = 0; !isnan(y[a]) && b < m; b++) {
            common[a * m + b] += !isnan(y[b]);
        }
    }
}

/* The largest set of agents that a chain of enough common requests joins; of equals that of most scores, then the first. */
static int join(struct within_effects *e, const double *y, const size_t *request, size_t n)
{
    FREED double *common = NULL;
    FREED uint32_t *of = NULL;
    FREED double *size = NULL; /* agents, and scores as the less */
    double half = fmax(2.0, floor((double)n / 2.0)), least = fmin(LEAST_COMMON, half);
    size_t largest = 0, m = e->m;
    TRY(REGRET_NEW(&common, m * m));
    TRY(REGRET_NEW(&of, m));
    TRY(REGRET_NEW(&size, m));
    for (size_t i = 0; i < n; i++) {
        count_common(common, y + request[i] * m, m);
    }
    parts_begin(of, m);
    for (uint32_t a = 0; a < m; a++) {
        for (uint32_t b = 0; b < a; b++) {
            if (common[a * m + b] >= least) {
                parts_join(of, a, b);
            }
        }
    }
    parts_end(of, m);
    for (size_t a = 0; a < m; a++) {
        size[of[a]] += 1.0 + common[a * m + a] / (1.0 + (double)n * (double)m);
    }
    for (size_t a = 0; a < m; a++) {
        largest = size[a] > size[largest] ? a : largest;
    }
    for (size_t a = 0; a < m; a++) {
        e->joined[a] = of[a] == largest;
        e->n_joined += e->joined[a];
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- effects */

double within_request(const struct within_effects *e, const double *y)
{
    double sum = 0.0, k = 0.0;
    for (size_t a = 0; a < e->m; a++) {
        sum += counts(e, y, a) ? y[a] - e->effect[a] : 0.0;
        k += counts(e, y, a);
    }
    return k > 0.0 ? sum / k : (double)NAN;
}

/* Scores less α of the joined agents that are known, about their mean. */
static void centre(double *s, const struct within_effects *e, const double *y)
{
    double mean = within_request(e, y);
    for (size_t a = 0; a < e->m; a++) {
        s[a] = counts(e, y, a) ? y[a] - e->effect[a] - mean : 0.0;
    }
}

/* L + J/c of the joined; one on the diagonal of the others. */
static void fill_matrix(struct within_effects *e, const double *y, const size_t *request, size_t n)
{
    size_t m = e->m;
    double *l = e->factor;
    for (size_t a = 0; a < m; a++) {
        for (size_t b = 0; b < m; b++) {
            int both = e->joined[a] && e->joined[b];
            l[a * m + b] = both ? 1.0 / (double)e->n_joined : a == b ? 1.0 : 0.0;
        }
    }
    for (size_t i = 0; i < n; i++) {
        const double *row = y + request[i] * m;
        double k = 0.0;
        for (size_t a = 0; a < m; a++) {
            k += counts(e, row, a);
        }
        for (size_t a = 0; k > 1.0 && a < m; a++) {
            for (size_t b = 0; counts(e, row, a) && b < m; b++) {
                l[a * m + b] += counts(e, row, b) ? (a == b) - 1.0 / k : 0.0;
            }
        }
    }
}

/* α, and what each is worth: L⁺ is the inverse less J/c. */
static int solve(struct within_effects *e, const double *y, const size_t *request, size_t n)
{
    size_t m = e->m;
    double c = (double)e->n_joined;
    FREED double *s = NULL;
    TRY(REGRET_NEW(&s, m));
    fill_matrix(e, y, request, n);
    TRY(regret_sym_cholesky(e->factor, m));
    for (size_t i = 0; i < n; i++) {
        centre(s, e, y + request[i] * m);
        for (size_t a = 0; a < m; a++) {
            e->worth[a] += s[a];
        }
    }
    regret_sym_cholesky_solve(e->worth, 1, e->factor, m);
    memcpy(e->effect, e->worth, m * sizeof *s);
    for (size_t a = 0; a < m; a++) {
        memset(s, 0, m * sizeof *s);
        s[a] = 1.0;
        regret_sym_cholesky_solve(s, 1, e->factor, m);
        double left = s[a] - 1.0 / c;
        e->worth[a] = e->joined[a] && c > 1.0 && left > 0.0 ? (1.0 - 1.0 / c) / left : 0.0;
    }
    return REGRET_OK;
}

int within_effects_make(struct within_effects *out, const double *y, size_t m,
                        const size_t *request, size_t n)
{
    FREED_BY(within_effects_free) struct within_effects e = {.m = m};
    TRY(REGRET_NEW(&e.joined, m));
    TRY(REGRET_NEW(&e.effect, m));
    TRY(REGRET_NEW(&e.worth, m));
    TRY(REGRET_NEW(&e.factor, m * m));
    TRY(join(&e, y, request, n));
    TRY(solve(&e, y, request, n));
    *out = e;
    e = (struct within_effects){0};
    return REGRET_OK;
}

void within_effects_free(struct within_effects *e)
{
    regret_free(e->joined);
    regret_free(e->effect);
    regret_free(e->worth);
    regret_free(e->factor);
    *e = (struct within_effects){0};
}

/* ---------------------------------------------------------------- all strata */

/* A stratum, and the influence of its requests on the effects there, L⁺ s_i. */
struct part {
    const double *y;
    size_t n, m;        /* of all */
    const uint32_t *of; /* [n] the stratum of a request; NULL: all are of it */
    uint32_t number;    /* which this is */
    struct within_effects own;
    size_t requests, *request; /* those in it, owned, as the others */
    double *influence;         /* [n × m]; 0 outside the stratum */
};

static void part_free(struct part *p)
{
    within_effects_free(&p->own);
    regret_free(p->request);
    regret_free(p->influence);
}

static int is_in(const struct part *p, size_t i)
{
    return p->of == NULL || p->of[i] == p->number;
}

static int part_make(struct part *out, const double *y, size_t n, size_t m, const uint32_t *of,
                     uint32_t number)
{
    FREED_BY(part_free) struct part p = {.y = y, .n = n, .m = m, .of = of, .number = number};
    TRY(REGRET_NEW(&p.request, n));
    TRY(REGRET_NEW(&p.influence, n * m));
    for (size_t i = 0; i < n; i++) {
        p.request[p.requests] = i;
        p.requests += is_in(&p, i) != 0;
    }
    TRY(within_effects_make(&p.own, y, m, p.request, p.requests));
    for (size_t k = 0; k < p.requests; k++) {
        double *row = p.influence + p.request[k] * m;
        centre(row, &p.own, y + p.request[k] * m);
        regret_sym_cholesky_solve(row, 1, p.own.factor, m);
    }
    *out = p;
    p = (struct part){0};
    return REGRET_OK;
}

void within_fill_in(double *x, const double *all, const struct within_effects *own,
                    const struct within_effects *whole)
{
    double mean = 0.0, n = 0.0;
    for (size_t a = 0; a < own->m; a++) {
        mean += own->joined[a] && whole->joined[a] ? all[a] - x[a] : 0.0;
        n += own->joined[a] && whole->joined[a];
    }
    for (size_t a = 0; a < own->m; a++) {
        x[a] = own->joined[a] ? x[a] : all[a] - (n > 0.0 ? mean / n : 0.0);
    }
}

/* Adds a stratum: `apart` sums the requests of those in which an agent is not joined. */
static void add_part(struct within *w, double *apart, struct part *p, const struct part *whole)
{
    double share = (double)p->requests / (double)w->n;
    within_fill_in(p->own.effect, whole->own.effect, &p->own, &whole->own);
    for (size_t a = 0; a < w->m; a++) {
        w->effect[a] += share * p->own.effect[a];
        apart[a] += p->own.joined[a] ? 0.0 : (double)p->requests;
    }
    for (size_t i = 0; i < w->n; i++) {
        double *row = p->influence + i * w->m;
        within_fill_in(row, whole->influence + i * w->m, &p->own, &whole->own);
        for (size_t a = 0; a < w->m; a++) {
            w->influence[i * w->m + a] +=
                share * row[a] + (is_in(p, i) ? p->own.effect[a] / (double)w->n : 0.0);
        }
    }
}

/* Adds what a stratum has of the mean effect of requests, and of what requests have in it. */
static int add_level(struct within *w, const struct part *p)
{
    FREED double *weight = NULL;
    TRY(REGRET_NEW(&weight, w->m)); /* of each α in the mean of u */
    for (size_t i = 0; i < w->n; i++) {
        const double *y = p->y + i * w->m;
        double own = 0.0, k = 0.0;
        for (size_t a = 0; is_in(p, i) && a < w->m; a++) {
            own += isnan(y[a]) ? 0.0 : y[a] - p->own.effect[a];
            k += !isnan(y[a]);
        }
        for (size_t a = 0; k > 0.0 && a < w->m; a++) {
            weight[a] += isnan(y[a]) ? 0.0 : 1.0 / k / (double)w->n;
        }
        w->common += k > 0.0 ? own / k / (double)w->n : 0.0;
        w->common_influence[i] += k > 0.0 ? own / k / (double)w->n : 0.0;
    }
    for (size_t i = 0; i < w->n; i++) {
        for (size_t a = 0; a < w->m; a++) {
            w->common_influence[i] -= weight[a] * p->influence[i * w->m + a];
        }
    }
    return REGRET_OK;
}

/* The influences lack what is subtracted of every request. */
static void finish(struct within *w, const double *apart)
{
    double n = (double)w->n;
    for (size_t i = 0; i < w->n; i++) {
        w->common_influence[i] -= w->common / n;
        for (size_t a = 0; a < w->m; a++) {
            w->influence[i * w->m + a] -= w->effect[a] / n;
        }
    }
    for (size_t a = 0; a < w->m; a++) {
        w->effect[a] = apart[a] > MOST_APART * n ? NAN : w->effect[a];
    }
}

/* Strata of enough requests keep a number, all others share the last. */
static int number_strata(uint32_t **out, size_t *n_out, const uint32_t *stratum, size_t n_strata,
                         size_t n)
{
    FREED uint32_t *of = NULL, *number = NULL;
    FREED size_t *size = NULL;
    uint32_t kept = 0;
    TRY(REGRET_NEW(&of, n));
    TRY(REGRET_NEW(&size, n_strata + 1));
    TRY(REGRET_NEW(&number, n_strata + 1));
    for (size_t i = 0; i < n && stratum != NULL; i++) {
        size[stratum[i]]++;
    }
    for (size_t g = 0; g < n_strata; g++) {
        number[g] = size[g] >= LEAST_STRATUM ? kept++ : UINT32_MAX;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t g = stratum != NULL ? number[stratum[i]] : UINT32_MAX;
        of[i] = g == UINT32_MAX ? kept : g;
    }
    *out = of;
    of = NULL;
    *n_out = kept + 1;
    return REGRET_OK;
}

static int add_strata(struct within *w, const double *y, const uint32_t *of, size_t n_strata)
{
    FREED_BY(part_free) struct part whole = {0};
    FREED double *apart = NULL;
    TRY(REGRET_NEW(&apart, w->m));
    TRY(part_make(&whole, y, w->n, w->m, NULL, 0));
    for (uint32_t g = 0; g < n_strata; g++) {
        FREED_BY(part_free) struct part p = {0};
        TRY(part_make(&p, y, w->n, w->m, of, g));
        if (p.requests > 0) {
            add_part(w, apart, &p, &whole);
            TRY(add_level(w, &p));
        }
        w->share[g] = (double)p.requests / (double)w->n;
        w->own[g] = p.own;
        p.own = (struct within_effects){0};
    }
    w->whole = whole.own;
    whole.own = (struct within_effects){0};
    finish(w, apart);
    return REGRET_OK;
}

int within_make(struct within *out, const double *y, size_t n, size_t m, const uint32_t *stratum,
                size_t n_strata)
{
    FREED_BY(within_free) struct within w = {.n = n, .m = m};
    TRY(REGRET_NEW(&w.effect, m));
    TRY(REGRET_NEW(&w.influence, n * m));
    TRY(REGRET_NEW(&w.common_influence, n));
    TRY(number_strata(&w.stratum, &w.n_strata, stratum, n_strata, n));
    TRY(REGRET_NEW(&w.own, w.n_strata));
    TRY(REGRET_NEW(&w.share, w.n_strata));
    TRY(add_strata(&w, y, w.stratum, w.n_strata));
    *out = w;
    w = (struct within){0};
    return REGRET_OK;
}

void within_free(struct within *w)
{
    for (size_t g = 0; w->own != NULL && g < w->n_strata; g++) {
        within_effects_free(&w->own[g]);
    }
    within_effects_free(&w->whole);
    void *const block[] = {w->effect, w->influence, w->common_influence,
                           w->own,    w->share,     w->stratum};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        regret_free(block[i]);
    }
    *w = (struct within){0};
}

/* ---------------------------------------------------------------- what it comes to */

/* The mean over ranked agents of a row. */
static double ranked_mean(const struct within *w, const double *row)
{
    double sum = 0.0, n = 0.0;
    for (size_t a = 0; a < w->m; a++) {
        sum += isnan(w->effect[a]) ? 0.0 : row[a];
        n += !isnan(w->effect[a]);
    }
    return sum / n;
}

static double less(const struct within *w, const double *row, size_t a, size_t b)
{
    return row[a] - (b == SIZE_MAX ? ranked_mean(w, row) : row[b]);
}

struct within_gain within_gain(const struct within *w, size_t a, size_t b)
{
    double squares = 0.0, n = (double)w->n;
    double gain = less(w, w->effect, a, b);
    for (size_t i = 0; i < w->n; i++) {
        double d = less(w, w->influence + i * w->m, a, b);
        squares += d * d;
    }
    return (struct within_gain){gain, isnan(gain) ? (double)NAN : sqrt(n / (n - 1.0) * squares)};
}

double within_level_se(const struct within *w, size_t a)
{
    double squares = 0.0, n = (double)w->n;
    for (size_t i = 0; i < w->n; i++) {
        double d = w->influence[i * w->m + a] + w->common_influence[i];
        squares += d * d;
    }
    return isnan(w->effect[a]) ? (double)NAN : sqrt(n / (n - 1.0) * squares);
}

/* Adds what a gap of one between a and b would have of request i, by the equations of `e`. */
static double gap_of(const struct within_effects *e, const double *q, const double *y, size_t a,
                     size_t b)
{
    int has_a = !isnan(y[a]), has_b = !isnan(y[b]);
    double own = 0.5 * ((has_b ? q[b] : 0.0) - (has_a ? q[a] : 0.0)), sum = 0.0, k = 0.0;
    for (size_t c = 0; has_a != has_b && c < e->m; c++) {
        sum += counts(e, y, c) ? q[c] : 0.0;
        k += counts(e, y, c);
    }
    return own - (has_a != has_b ? 0.5 * (has_b - has_a) / k * sum : 0.0);
}

int within_leverage(double *h, const struct within *w, const double *y, size_t a, size_t b)
{
    FREED double *q = NULL;
    TRY(REGRET_NEW(&q, w->m));
    memset(h, 0, w->n * sizeof *h);
    for (size_t g = 0; g < w->n_strata; g++) {
        int is_own = w->share[g] > 0.0 && w->own[g].joined[a] && w->own[g].joined[b];
        const struct within_effects *e = is_own ? &w->own[g] : &w->whole;
        if (!(w->share[g] > 0.0) || !e->joined[a] || !e->joined[b]) {
            continue;
        }
        memset(q, 0, w->m * sizeof *q);
        q[a] = -1.0;
        q[b] = 1.0;
        regret_sym_cholesky_solve(q, 1, e->factor, w->m);
        for (size_t i = 0; i < w->n; i++) {
            if (!is_own || w->stratum[i] == g) {
                h[i] += w->share[g] * gap_of(e, q, y + i * w->m, a, b);
            }
        }
    }
    return REGRET_OK;
}
