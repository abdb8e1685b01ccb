#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "model/model.h"
#include "recommend/internal.h"
#include "regret/status.h"
#include "regret/task.h"
#include "stats/distributions.h"
#include "stats/limits.h"
#include "stats/multiplicity.h"
#include "value/within.h"

/* Of more clusters than that what they add is added up by groups: sums of independent clusters are independent, too. */
enum { MULTIPLIERS = 2000, MOST_CLUSTERS = 20000 };
/* Effects that differ by less are equal. */
static const double ROUNDING = 1e-12;

/* ---------------------------------------------------------------- limits of differences */

static double unit(double x)
{
    return fmin(fmax(x, 0.0), 1.0);
}

int difference_limits(struct interval *out, const struct row_differences *x, double tail)
{
    FREED double *above = NULL, *below = NULL, *rows = NULL;
    size_t n = 0, clusters = x->cluster != NULL ? x->n_clusters : x->n;
    TRY(REGRET_NEW(&above, clusters));
    TRY(REGRET_NEW(&below, clusters));
    TRY(REGRET_NEW(&rows, clusters));
    for (size_t i = 0; i < x->n; i++) {
        size_t c = x->cluster != NULL ? x->cluster[i] : i;
        double w = isnan(x->d[i]) ? 0.0 : x->weight != NULL ? x->weight[i] : 1.0;
        rows[c] += w;
        above[c] += w > 0.0 ? w * unit(x->d[i]) : 0.0;
        below[c] += w > 0.0 ? w * unit(-x->d[i]) : 0.0;
    }
    for (size_t c = 0; c < clusters; c++) { /* those with rows */
        rows[n] = rows[c];
        above[n] = above[c];
        below[n] = below[c];
        n += rows[c] > 0.0;
    }
    *out = (struct interval){NAN, NAN, NAN};
    if (n > 1) {
        struct pairs pairs = {above, below, rows, n};
        struct paired_limits l = paired_limits_of(&pairs, (struct tails){tail, tail});
        *out = (struct interval){l.value, l.low, l.high};
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- agents compared within requests */

/* A table of the requests that are compared, and the effects of agents there. */
struct judged {
    const struct comparison *c;
    size_t n, m;
    double *y;         /* [n × m] owned, as the others */
    uint32_t *stratum; /* [n]; NULL: there is one */
    struct within w;
    int is_whole;      /* 1: nothing is unknown, and differences are those of scores */
    uint32_t *cluster; /* [n] which requests are about one text */
    size_t n_clusters;
    double *sum[3];     /* [n_clusters] room */
    double *h;          /* [n] room */
    double *of_request; /* [n] u; where nobody is known that of all */
    double *drawn;      /* [MULTIPLIERS × m] Σ g ψ */
};

static void judged_free(struct judged *j)
{
    regret_free(j->y);
    regret_free(j->stratum);
    regret_free(j->drawn);
    regret_free(j->cluster);
    regret_free(j->h);
    regret_free(j->of_request);
    for (size_t k = 0; k < 3; k++) {
        regret_free(j->sum[k]);
    }
    within_free(&j->w);
}

/* Those of the requests at hand, anew from 0. */
static int number_clusters(struct judged *j)
{
    const struct score_table *s = j->c->s;
    FREED uint32_t *number = NULL;
    TRY(REGRET_NEW(&j->cluster, j->n));
    TRY(REGRET_NEW(&number, s->n)); /* and one, for 0 is none */
    for (size_t i = 0; i < j->n; i++) {
        size_t c = cluster_of(s, j->c->request[i]);
        number[c] = number[c] > 0 ? number[c] : (uint32_t)++j->n_clusters;
        j->cluster[i] = number[c] - 1;
    }
    return REGRET_OK;
}

static int judged_make(struct judged *out, const struct comparison *c)
{
    FREED_BY(judged_free) struct judged j = {.c = c, .n = c->n, .m = c->s->m, .is_whole = 1};
    TRY(REGRET_NEW(&j.y, j.n * j.m));
    if (c->stratum != NULL) {
        TRY(REGRET_NEW(&j.stratum, j.n));
    }
    for (size_t i = 0; i < j.n; i++) {
        memcpy(j.y + i * j.m, c->s->y + c->request[i] * j.m, j.m * sizeof *j.y);
        for (size_t a = 0; a < j.m; a++) {
            j.is_whole &= !isnan(j.y[i * j.m + a]);
        }
        if (j.stratum != NULL && c->stratum != NULL) {
            j.stratum[i] = c->stratum[c->request[i]];
        }
    }
    TRY(within_make(&j.w, j.y, j.n, j.m, j.stratum, c->n_strata));
    TRY(number_clusters(&j));
    TRY(REGRET_NEW(&j.h, j.n));
    TRY(REGRET_NEW(&j.of_request, j.n));
    for (size_t i = 0; i < j.n; i++) {
        double u = within_request(&j.w.own[j.w.stratum[i]], j.y + i * j.m);
        j.of_request[i] = isnan(u) ? j.w.common : u;
        j.h[i] = 1.0 / (double)j.n;
    }
    for (size_t k = 0; k < 3; k++) {
        TRY(REGRET_NEW(&j.sum[k], j.n_clusters));
    }
    *out = j;
    j = (struct judged){0};
    return REGRET_OK;
}

/* The lead of b over a and its error, about itself and about 0, by clusters. */
struct lead {
    double gap, squares, error, about_zero, clusters;
};

static int find_lead(struct lead *out, const struct judged *j, size_t b, size_t a)
{
    struct lead l = {.gap = j->w.effect[b] - j->w.effect[a]};
    double zero = 0.0, worth = 0.0;
    TRY(j->is_whole ? REGRET_OK : within_leverage(j->h, &j->w, j->y, a, b));
    for (size_t k = 0; k < 3; k++) {
        memset(j->sum[k], 0, j->n_clusters * sizeof *j->sum[k]);
    }
    for (size_t i = 0; i < j->n; i++) {
        double d = j->w.influence[i * j->m + b] - j->w.influence[i * j->m + a];
        j->sum[0][j->cluster[i]] += d;
        j->sum[1][j->cluster[i]] += d + l.gap * j->h[i];
        j->sum[2][j->cluster[i]] += j->h[i];
    }
    for (size_t c = 0; c < j->n_clusters; c++) {
        l.squares += j->sum[0][c] * j->sum[0][c];
        zero += j->sum[1][c] * j->sum[1][c];
        worth += j->sum[2][c] * j->sum[2][c];
    }
    l.clusters = worth > 0.0 ? fmax(1.0 / worth, 1.0 + 1e-9) : 1.0 + 1e-9;
    double scale = l.clusters / (l.clusters - 1.0);
    l.squares = l.squares < 1e-24 ? 0.0 : l.squares;
    l.error = sqrt(scale * l.squares);
    l.about_zero = sqrt(scale * zero);
    *out = l;
    return REGRET_OK;
}

static int limits_between(struct interval *out, const struct judged *j, size_t b, size_t a,
                          double tail)
{
    FREED double *d = NULL;
    struct lead l;
    TRY(REGRET_NEW(&d, j->n));
    if (j->is_whole) {
        for (size_t i = 0; i < j->n; i++) {
            d[i] = j->y[i * j->m + b] - j->y[i * j->m + a];
        }
        return difference_limits(
            out, &(struct row_differences){d, NULL, j->n, j->cluster, j->n_clusters}, tail);
    }
    TRY(find_lead(&l, j, b, a));
    double reach = -regret_student_quantile(tail, l.clusters - 1.0) * l.error;
    *out = (struct interval){l.gap, l.gap - reach, l.gap + reach};
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the set */

static int draw_multipliers(struct judged *j)
{
    FREED double *f = NULL; /* by cluster */
    size_t clusters = j->n_clusters > MOST_CLUSTERS ? MOST_CLUSTERS : j->n_clusters;
    TRY(REGRET_NEW(&f, clusters * j->m));
    TRY(REGRET_NEW(&j->drawn, MULTIPLIERS * j->m));
    for (size_t i = 0; i < j->n; i++) {
        for (size_t a = 0; a < j->m; a++) {
            f[j->cluster[i] % clusters * j->m + a] += j->w.influence[i * j->m + a];
        }
    }
    for (size_t b = 0; b < MULTIPLIERS; b++) {
        struct regret_rng r = regret_rng_at(j->c->seed, REGRET_RNG_BOOTSTRAP, b);
        for (size_t c = 0; c < clusters; c++) {
            double g = regret_rng_normal(&r);
            for (size_t a = 0; a < j->m; a++) {
                j->drawn[b * j->m + a] += g * f[c * j->m + a];
            }
        }
    }
    return REGRET_OK;
}

static int is_ranked(const struct judged *j, size_t a)
{
    return !isnan(j->w.effect[a]);
}

/* What leads of others over an agent may be by chance, and what they are. */
struct judging {
    double *squares; /* [m] */
    double *top;     /* [MULTIPLIERS] the largest over the agent at hand; and over any agent */
    double *top_of_all;
    double *critical, *largest; /* [m] */
};

FREED_FIELDS(judging, of->squares, of->top, of->top_of_all, of->critical, of->largest)

/* The quantile of the largest, never below the normal one. */
static double critical_of(double *top, double level)
{
    regret_sort_numbers(top, MULTIPLIERS);
    size_t place = (size_t)ceil(level * (MULTIPLIERS + 1.0));
    return fmax(top[place > MULTIPLIERS ? MULTIPLIERS - 1 : place - 1],
                regret_student_quantile(level, INFINITY));
}

/* What the largest lead of another agent may be while a is the best (Hsu 1984; multipliers: Chernozhukov, Chetverikov and Kato 2013);
 * and the largest lead, over its error about 0, not about itself: with scores in [0,1] few requests that differ cannot be infinitely
 * sure. */
static int judge(struct judging *g, const struct judged *j, size_t a)
{
    for (size_t b = 0; b < j->m; b++) {
        struct lead l = {0};
        TRY(b != a && is_ranked(j, b) ? find_lead(&l, j, b, a) : REGRET_OK);
        g->squares[b] = l.squares;
        if (l.gap > ROUNDING) {
            g->largest[a] = fmax(g->largest[a], l.gap / l.about_zero);
        }
    }
    for (size_t k = 0; k < MULTIPLIERS; k++) {
        const double *s = j->drawn + k * j->m;
        double top = 0.0;
        for (size_t b = 0; b < j->m; b++) {
            top = g->squares[b] > 0.0 ? fmax(top, (s[b] - s[a]) / sqrt(g->squares[b])) : top;
        }
        g->top[k] = top;
        g->top_of_all[k] = fmax(g->top_of_all[k], top);
    }
    g->critical[a] = critical_of(g->top, j->c->level);
    return REGRET_OK;
}

/* How much better those of the set may be, and the best of all is. */
static int fill_behind(struct group_answer *g, const struct judged *j, size_t a, double tail)
{
    struct agent_answer *x = &g->agent[a];
    x->behind = x->least = 0.0;
    for (size_t b = 0; b < j->m; b++) {
        struct interval l;
        if (b != a && (g->agent[b].may_be_best || b == g->best)) {
            TRY(limits_between(&l, j, b, a, tail));
            x->behind = fmax(x->behind, l.high);
            x->least = x->is_worse ? fmax(x->least, l.low) : 0.0;
            x->lead = b == g->best ? l : x->lead;
        }
    }
    return REGRET_OK;
}

/* The set holds the best; that an agent is worse than another is told of all pairs at once: where nobody is, all may be equal. */
static int fill_set(struct group_answer *g, struct judged *j)
{
    FREED_BY(judging_fields) struct judging k = {0};
    TRY(REGRET_NEW(&k.squares, j->m));
    TRY(REGRET_NEW(&k.top, MULTIPLIERS));
    TRY(REGRET_NEW(&k.top_of_all, MULTIPLIERS));
    TRY(REGRET_NEW(&k.critical, j->m));
    TRY(REGRET_NEW(&k.largest, j->m));
    TRY(draw_multipliers(j));
    for (size_t a = 0; a < j->m; a++) {
        TRY(is_ranked(j, a) ? judge(&k, j, a) : REGRET_OK);
    }
    double of_all = critical_of(k.top_of_all, j->c->level);
    for (size_t a = 0; a < j->m; a++) {
        g->agent[a].may_be_best = is_ranked(j, a) && k.largest[a] <= k.critical[a];
        g->agent[a].is_worse = is_ranked(j, a) && k.largest[a] > of_all;
        g->set += g->agent[a].may_be_best != 0;
        g->worse += g->agent[a].is_worse != 0;
    }
    for (size_t a = 0; a < j->m; a++) {
        double critical = g->agent[a].is_worse ? of_all : k.critical[a];
        TRY(is_ranked(j, a) ? fill_behind(g, j, a, 0.5 * normal_two_sided(critical)) : REGRET_OK);
    }
    return REGRET_OK;
}

static int fill_wanted(struct group_answer *g, const struct judged *j)
{
    const double of_power = 2.8; /* z(.975) + z(.8) */
    struct lead least = {.gap = INFINITY};
    for (size_t a = 0; a < j->m; a++) {
        struct lead l = {.gap = INFINITY};
        TRY(a != g->best && g->agent[a].may_be_best ? find_lead(&l, j, g->best, a) : REGRET_OK);
        least = l.gap < least.gap ? l : least;
    }
    double ratio = of_power * least.error / least.gap;
    g->wanted = least.gap < 0.5 * least.error || least.gap < ROUNDING
                    ? (double)NAN
                    : (double)j->n * ratio * ratio;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- levels */

/* What an agent scores on all requests: the mean, where unknown by its effect and that of the request. */
static void fill_level(struct agent_answer *out, const struct judged *j, size_t a)
{
    double n = 0.0, sum = 0.0, filled = 0.0;
    size_t k = 0;
    memset(j->sum[0], 0, j->n_clusters * sizeof **j->sum);
    memset(j->sum[1], 0, j->n_clusters * sizeof **j->sum);
    for (size_t i = 0; i < j->n; i++) {
        double y = j->y[i * j->m + a];
        j->sum[0][j->cluster[i]] += isnan(y) ? 0.0 : y;
        j->sum[1][j->cluster[i]] += !isnan(y);
        sum += isnan(y) ? 0.0 : y;
        filled += isnan(y) ? j->w.own[j->w.stratum[i]].effect[a] + j->of_request[i] : y;
        n += !isnan(y);
    }
    for (size_t c = 0; c < j->n_clusters; c++) { /* those with scores */
        j->sum[0][k] = j->sum[0][c];
        j->sum[1][k] = j->sum[1][c];
        k += j->sum[1][c] > 0.0;
    }
    struct bounded x = bounded_clusters(j->sum[0], j->sum[1], k);
    out->known = (size_t)n;
    out->raw = sum / n;
    out->is_ranked = is_ranked(j, a);
    if (n < (double)j->n) {
        double error = within_level_se(&j->w, a);
        x.value = unit(filled / (double)j->n);
        x.variance = error * error;
    }
    struct limits l = bounded_limits(&x, tails_of(0.95));
    out->level = (struct interval){n > 0.0 ? x.value : (double)NAN, l.low, l.high};
}

int group_make(struct group_answer *out, const struct comparison *c)
{
    FREED_BY(judged_free) struct judged j = {0};
    FREED_BY(group_free) struct group_answer g = {.requests = c->n, .wanted = NAN};
    FREED unsigned char *ranked = NULL;
    TRY(REGRET_NEW(&ranked, c->s->m));
    TRY(REGRET_NEW(&g.agent, c->s->m));
    TRY(judged_make(&j, c));
    for (size_t a = 0; a < j.m; a++) {
        g.agent[a].behind = g.agent[a].least = NAN;
        g.agent[a].lead = (struct interval){NAN, NAN, NAN};
        fill_level(&g.agent[a], &j, a);
    }
    for (size_t a = 0; a < j.m; a++) {
        ranked[a] = is_ranked(&j, a);
    }
    g.best = g.chosen = score_table_greatest(c->s, j.w.effect, ranked);
    if (c->level > 0.0) {
        TRY(fill_set(&g, &j));
        TRY(g.set > 1 ? fill_wanted(&g, &j) : REGRET_OK);
    }
    *out = g;
    g = (struct group_answer){0};
    return REGRET_OK;
}

void group_free(struct group_answer *g)
{
    regret_free(g->agent);
    *g = (struct group_answer){0};
}

/* ---------------------------------------------------------------- the incumbent */

/* Influences of the differences of all ranked agents to the incumbent, agent by agent. */
static void fill_influence(double *f, const struct judged *j, size_t incumbent)
{
    for (size_t a = 0; a < j->m; a++) {
        for (size_t i = 0; i < j->n; i++) {
            const double *row = j->w.influence + i * j->m;
            f[a * j->n_clusters + j->cluster[i]] += is_ranked(j, a) ? row[a] - row[incumbent] : 0.0;
        }
    }
}

int incumbent_make(struct answer *a, const struct comparison *c, const struct answer_options *o)
{
    FREED_BY(judged_free) struct judged j = {0};
    FREED double *f = NULL;
    double each, critical;
    a->incumbent_agent = o->incumbent;
    TRY(REGRET_NEW(&a->incumbent, c->s->m));
    TRY(judged_make(&j, c));
    TRY(REGRET_NEW(&f, j.n_clusters * j.m));
    fill_influence(f, &j, o->incumbent);
    TRY(simultaneous_level(&each, &critical, f, j.m, j.n_clusters, o->level, MULTIPLIERS, o->seed,
                           o->threads));
    double least = normal_of_two_sided(1.0 - o->level);
    double tail = 0.5 * normal_two_sided(fmax(critical, least));
    for (size_t b = 0; b < j.m; b++) {
        struct interval *over = &a->incumbent[b].over;
        *over = (struct interval){b == o->incumbent ? 0.0 : (double)NAN, NAN, NAN};
        if (b != o->incumbent && is_ranked(&j, b) && is_ranked(&j, o->incumbent)) {
            TRY(limits_between(over, &j, b, o->incumbent, tail));
        }
    }
    return REGRET_OK;
}
