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

enum { MULTIPLIERS = 2000 };
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
    size_t n = 0;
    TRY(REGRET_NEW(&above, x->n));
    TRY(REGRET_NEW(&below, x->n));
    TRY(REGRET_NEW(&rows, x->n));
    for (size_t i = 0; i < x->n; i++) {
        if (!isnan(x->d[i])) {
            rows[n] = x->weight != NULL ? x->weight[i] : 1.0;
            above[n] = rows[n] * unit(x->d[i]);
            below[n] = rows[n] * unit(-x->d[i]);
            n++;
        }
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
    int is_whole;  /* 1: nothing is unknown, and differences are those of scores */
    double *drawn; /* [MULTIPLIERS × m] Σ g ψ */
};

static void judged_free(struct judged *j)
{
    regret_free(j->y);
    regret_free(j->stratum);
    regret_free(j->drawn);
    within_free(&j->w);
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
        if (j.stratum != NULL) {
            j.stratum[i] = c->stratum[c->request[i]];
        }
    }
    TRY(within_make(&j.w, j.y, j.n, j.m, j.stratum, c->n_strata));
    *out = j;
    j = (struct judged){0};
    return REGRET_OK;
}

/* Scores of b less those of a, by request; of a table with holes the difference and what each request adds to it. */
static void less(double *d, const struct judged *j, size_t b, size_t a)
{
    double gap = j->w.effect[b] - j->w.effect[a];
    for (size_t i = 0; i < j->n; i++) {
        const double *y = j->y + i * j->m, *f = j->w.influence + i * j->m;
        d[i] = j->is_whole ? y[b] - y[a] : gap + (double)j->n * (f[b] - f[a]);
    }
}

/* Σ (ψ_b − ψ_a)². */
static double spread(const struct judged *j, size_t b, size_t a)
{
    double squares = 0.0;
    for (size_t i = 0; i < j->n; i++) {
        double d = j->w.influence[i * j->m + b] - j->w.influence[i * j->m + a];
        squares += d * d;
    }
    return squares < 1e-24 ? 0.0 : squares;
}

static int limits_between(struct interval *out, const struct judged *j, size_t b, size_t a,
                          double tail)
{
    FREED double *d = NULL;
    double n = (double)j->n;
    TRY(REGRET_NEW(&d, j->n));
    less(d, j, b, a);
    if (j->is_whole) {
        return difference_limits(out, &(struct row_differences){d, NULL, j->n}, tail);
    }
    double gap = j->w.effect[b] - j->w.effect[a];
    double reach = -regret_student_quantile(tail, n - 1.0) * sqrt(n / (n - 1.0) * spread(j, b, a));
    *out = (struct interval){gap, gap - reach, gap + reach};
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the set */

static int draw_multipliers(struct judged *j)
{
    TRY(REGRET_NEW(&j->drawn, MULTIPLIERS * j->m));
    for (size_t b = 0; b < MULTIPLIERS; b++) {
        struct regret_rng r = regret_rng_at(j->c->seed, REGRET_RNG_BOOTSTRAP, b);
        for (size_t i = 0; i < j->n; i++) {
            double g = regret_rng_normal(&r);
            for (size_t a = 0; a < j->m; a++) {
                j->drawn[b * j->m + a] += g * j->w.influence[i * j->m + a];
            }
        }
    }
    return REGRET_OK;
}

static int is_ranked(const struct judged *j, size_t a)
{
    return !isnan(j->w.effect[a]);
}

/* What the largest lead of another agent may be while a is the best (Hsu 1984; multipliers: Chernozhukov, Chetverikov and Kato 2013),
 * never below the normal quantile; and the largest lead, over its error about 0, not about itself: with scores in [0,1] few
 * requests that differ cannot be infinitely sure. */
static void judge(double *critical, double *largest, const struct judged *j, size_t a,
                  double *squares, double *top)
{
    double n = (double)j->n;
    *largest = 0.0;
    for (size_t b = 0; b < j->m; b++) {
        double gap = j->w.effect[b] - j->w.effect[a];
        squares[b] = b != a && is_ranked(j, b) ? spread(j, b, a) : 0.0;
        double error = sqrt(n / (n - 1.0) * (squares[b] + gap * gap / n));
        if (b != a && is_ranked(j, b) && gap > ROUNDING) {
            *largest = fmax(*largest, gap / error);
        }
    }
    for (size_t k = 0; k < MULTIPLIERS; k++) {
        const double *s = j->drawn + k * j->m;
        top[k] = 0.0;
        for (size_t b = 0; b < j->m; b++) {
            top[k] = squares[b] > 0.0 ? fmax(top[k], (s[b] - s[a]) / sqrt(squares[b])) : top[k];
        }
    }
    regret_sort_numbers(top, MULTIPLIERS);
    size_t place = (size_t)ceil(j->c->level * (MULTIPLIERS + 1.0));
    *critical = fmax(top[place > MULTIPLIERS ? MULTIPLIERS - 1 : place - 1],
                     regret_student_quantile(j->c->level, INFINITY));
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
            x->least = x->may_be_best ? 0.0 : fmax(x->least, l.low);
            x->lead = b == g->best ? l : x->lead;
        }
    }
    return REGRET_OK;
}

static int fill_set(struct group_answer *g, struct judged *j)
{
    FREED double *squares = NULL, *top = NULL, *critical = NULL;
    TRY(REGRET_NEW(&squares, j->m));
    TRY(REGRET_NEW(&top, MULTIPLIERS));
    TRY(REGRET_NEW(&critical, j->m));
    TRY(draw_multipliers(j));
    for (size_t a = 0; a < j->m; a++) {
        double largest;
        if (is_ranked(j, a)) {
            judge(&critical[a], &largest, j, a, squares, top);
            g->agent[a].may_be_best = largest <= critical[a];
            g->set += largest <= critical[a];
        }
    }
    for (size_t a = 0; a < j->m; a++) {
        if (is_ranked(j, a)) {
            TRY(fill_behind(g, j, a, 0.5 * normal_two_sided(critical[a])));
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- levels */

/* What an agent scores on all requests: the mean, or its effect and that of the mean request. */
static void fill_level(struct agent_answer *out, const struct judged *j, size_t a)
{
    double sum = 0.0, squares = 0.0, n = 0.0;
    for (size_t i = 0; i < j->n; i++) {
        double y = j->y[i * j->m + a];
        sum += isnan(y) ? 0.0 : y;
        squares += isnan(y) ? 0.0 : y * y;
        n += !isnan(y);
    }
    double mean = sum / n,
           sd = n > 1.0 ? sqrt(fmax(0.0, squares - n * mean * mean) / (n - 1.0)) : 0.0;
    struct bounded x = bounded_moments(mean, sd, n);
    out->known = (size_t)n;
    out->raw = mean;
    out->is_ranked = is_ranked(j, a);
    if (n < (double)j->n) {
        double error = within_level_se(&j->w, a);
        x = (struct bounded){unit(j->w.effect[a] + j->w.common), error * error, n, n - 1.0, 0.0};
    }
    struct limits l = bounded_limits(&x, tails_of(0.95));
    out->level = (struct interval){n > 0.0 ? x.value : (double)NAN, l.low, l.high};
}

int group_make(struct group_answer *out, const struct comparison *c)
{
    FREED_BY(judged_free) struct judged j = {0};
    FREED_BY(group_free) struct group_answer g = {.requests = c->n};
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

int lead_wants(double *out, const struct comparison *c, const struct group_answer *g)
{
    const double of_power = 2.8; /* z(.975) + z(.8) */
    FREED_BY(judged_free) struct judged j = {0};
    double n = (double)c->n, lead = INFINITY, error = 0.0;
    TRY(judged_make(&j, c));
    for (size_t a = 0; a < j.m; a++) {
        double gap = j.w.effect[g->best] - j.w.effect[a];
        if (a != g->best && g->agent[a].may_be_best && gap < lead) {
            lead = gap;
            error = sqrt(n / (n - 1.0) * spread(&j, g->best, a));
        }
    }
    double ratio = of_power * error / lead;
    *out = lead < 0.5 * error || lead < ROUNDING ? (double)NAN : n * ratio * ratio;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the incumbent */

/* Influences of the differences of all ranked agents to the incumbent, agent by agent. */
static void fill_influence(double *f, const struct judged *j, size_t incumbent)
{
    for (size_t a = 0; a < j->m; a++) {
        for (size_t i = 0; i < j->n; i++) {
            const double *row = j->w.influence + i * j->m;
            f[a * j->n + i] = is_ranked(j, a) ? row[a] - row[incumbent] : 0.0;
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
    TRY(REGRET_NEW(&f, j.n * j.m));
    fill_influence(f, &j, o->incumbent);
    TRY(simultaneous_level(&each, &critical, f, j.m, j.n, o->level, MULTIPLIERS, o->seed,
                           o->threads));
    double least = normal_of_two_sided(1.0 - o->level);
    double tail = 0.5 * normal_two_sided(isnan(critical) ? least : fmax(critical, least));
    for (size_t b = 0; b < j.m; b++) {
        struct interval *over = &a->incumbent[b].over;
        *over = (struct interval){b == o->incumbent ? 0.0 : (double)NAN, NAN, NAN};
        if (b != o->incumbent && is_ranked(&j, b) && is_ranked(&j, o->incumbent)) {
            TRY(limits_between(over, &j, b, o->incumbent, tail));
        }
    }
    return REGRET_OK;
}
