#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "recommend/internal.h"
#include "regret/status.h"
#include "regret/task.h"
#include "stats/limits.h"
#include "stats/multiplicity.h"
#include "value/within.h"

enum { PARTS = 5, PAIRS = 3, MULTIPLIERS = 2000, MOST_NUMBERS = 100000000 };
/* Choosing makes a value vary more than its rows show: ends of its interval are so much further away [C]. */
static const double WIDER = 1.2;
/* A policy is not judged where requests of which nothing is known have this share [C]. */
static const double MOST_UNKNOWN = 0.1;

/* Who is held against whom. */
static const enum rule RICHER[PAIRS] = {RULE_TAG, RULE_REQUEST, RULE_REQUEST},
                       SIMPLER[PAIRS] = {RULE_ONE, RULE_ONE, RULE_TAG};

/* What every rule takes on requests that it was not learnt on, and on all that it was. */
struct crossed_choices {
    const struct learner *l;
    const struct answer_options *o;
    size_t divisions;
    uint32_t *part;            /* [divisions × n] owned, as the others */
    uint32_t *choice[N_RULES]; /* [divisions × n] */
    uint32_t *final[N_RULES];  /* [n] */
};

static void crossed_free(struct crossed_choices *c)
{
    regret_free(c->part);
    for (size_t k = 0; k < N_RULES; k++) {
        regret_free(c->choice[k]);
        regret_free(c->final[k]);
    }
}

/* ---------------------------------------------------------------- divisions */

/* Requests of a stratum one after the other in random order, and of all strata dealt out in turn; those of one text stay together. */
static int deal(uint32_t *part, const struct crossed_choices *c, size_t division)
{
    const struct score_table *s = c->l->s;
    size_t n = s->n, dealt = 0;
    FREED size_t *order = NULL;
    FREED uint32_t *of = NULL; /* the part of a text, and one */
    struct regret_rng rng = regret_rng_at(c->o->seed, REGRET_RNG_CV_FOLDS, division);
    TRY(REGRET_NEW(&order, n));
    TRY(REGRET_NEW(&of, n));
    for (size_t g = 0; g < c->l->n_strata; g++) {
        size_t k = 0;
        for (size_t i = 0; i < n; i++) {
            order[k] = i;
            k += c->l->stratum[i] == g;
        }
        regret_rng_shuffle(&rng, order, k);
        for (size_t i = 0; i < k; i++) {
            uint32_t *text = &of[cluster_of(s, order[i])];
            *text = *text > 0 ? *text : 1 + (uint32_t)(dealt++ % PARTS);
            part[order[i]] = *text - 1;
        }
    }
    for (size_t i = 0; c->o->divisions == 0 && i < n; i++) {
        part[i] = (uint32_t)(i % PARTS);
    }
    return REGRET_OK;
}

/* One part of one division: learnt on the others. */
static int cross(void *self, size_t index, size_t worker)
{
    struct crossed_choices *c = self;
    size_t n = c->l->s->n, division = index / PARTS, k = 0;
    const uint32_t *part = c->part + division * n;
    FREED size_t *request = NULL;
    FREED_BY(rules_free) struct rules p = {0};
    (void)worker;
    TRY(REGRET_NEW(&request, n));
    for (size_t i = 0; i < n; i++) {
        request[k] = i;
        k += part[i] != index % PARTS;
    }
    TRY(rules_learn(&p, c->l, request, k, 0));
    for (size_t i = 0; i < n; i++) {
        for (enum rule r = RULE_ONE; part[i] == index % PARTS && r < N_RULES; r++) {
            c->choice[r][division * n + i] = (uint32_t)rule_choose(&p, c->l, r, i);
        }
    }
    return REGRET_OK;
}

static int crossed_make(struct crossed_choices *c, const struct rules *whole)
{
    size_t n = c->l->s->n;
    c->divisions = c->o->divisions > 0 ? c->o->divisions : 1;
    TRY(REGRET_NEW(&c->part, c->divisions * n));
    for (enum rule r = RULE_ONE; r < N_RULES; r++) {
        TRY(REGRET_NEW(&c->choice[r], c->divisions * n));
        TRY(REGRET_NEW(&c->final[r], n));
        for (size_t i = 0; i < n; i++) {
            c->final[r][i] = (uint32_t)rule_choose(whole, c->l, r, i);
        }
    }
    for (size_t d = 0; d < c->divisions; d++) {
        TRY(deal(c->part + d * n, c, d));
    }
    /* Every thread takes twice the words of the requests: some hundred megabytes of them at most. */
    size_t most = 1 + MOST_NUMBERS / ((n + 1) * (c->l->words.d + 1));
    return regret_parallel_for(c->divisions * PARTS, c->o->threads < most ? c->o->threads : most,
                               cross, c);
}

/* ---------------------------------------------------------------- differences of two rules */

/* Of every request: the score of one choice less that of another, 0 where they are the same; NaN where one is unknown. */
static void differ(double *d, const struct score_table *s, const uint32_t *richer,
                   const uint32_t *simpler)
{
    for (size_t i = 0; i < s->n; i++) {
        const double *y = s->y + i * s->m;
        d[i] = richer[i] == simpler[i] ? 0.0 : y[richer[i]] - y[simpler[i]];
    }
}

/* Rows whose difference is unknown are stood for by those of their stratum in which the choices differ too, or of all strata where it
 * has fewer than two. */
struct standing {
    double in,
        known; /* requests on which the choices differ, and those of which the difference is known */
};

/* 1: its own rows stand for it. */
static int stands(const struct standing *g)
{
    return g->known >= 2.0 || g->known >= g->in;
}

/* Weights of rows; *unknown: the share of requests that rows of other strata stand for. */
static int weigh(double *weight, double *unknown, const double *d, const struct learner *l,
                 const uint32_t *richer, const uint32_t *simpler)
{
    size_t n = l->s->n;
    FREED struct standing *of = NULL;
    struct standing rest = {0}, all = {0};
    TRY(REGRET_NEW(&of, l->n_strata));
    for (size_t i = 0; i < n; i++) {
        struct standing *g = &of[l->stratum[i]];
        g->in += richer[i] != simpler[i];
        g->known += richer[i] != simpler[i] && !isnan(d[i]);
    }
    for (size_t g = 0; g < l->n_strata; g++) {
        rest.in += stands(&of[g]) ? 0.0 : of[g].in;
        all.known += of[g].known;
    }
    for (size_t i = 0; i < n; i++) {
        const struct standing *g = &of[l->stratum[i]];
        int differs = richer[i] != simpler[i];
        double own = differs && stands(g) && g->known > 0.0 ? g->in / g->known : 0.0;
        weight[i] = differs ? own + (all.known > 0.0 ? rest.in / all.known : 0.0) : 1.0;
    }
    *unknown = rest.in / (double)n;
    return REGRET_OK;
}

/* The gain of the policies learnt on all, on their own rows: what it can be at most. */
static double own_gain(const double *d, const double *weight, size_t n)
{
    double sum = 0.0, rows = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += isnan(d[i]) ? 0.0 : weight[i] * d[i];
        rows += isnan(d[i]) ? 0.0 : weight[i];
    }
    return rows > 0.0 ? sum / rows : (double)NAN;
}

/* Differences of a pair of rules in every division, and their weights. */
struct paired_rules {
    double *d, *weight; /* [divisions × n] owned */
    double final;       /* gain of those learnt on all */
    double unknown;
    int is_same;
};

FREED_FIELDS(paired_rules, of->d, of->weight)

static int pair_make(struct paired_rules *p, const struct crossed_choices *c, size_t pair)
{
    const struct score_table *s = c->l->s;
    enum rule richer = RICHER[pair], simpler = SIMPLER[pair];
    TRY(REGRET_NEW(&p->d, c->divisions * s->n));
    TRY(REGRET_NEW(&p->weight, c->divisions * s->n));
    differ(p->d, s, c->final[richer], c->final[simpler]);
    TRY(weigh(p->weight, &p->unknown, p->d, c->l, c->final[richer], c->final[simpler]));
    p->final = own_gain(p->d, p->weight, s->n);
    p->is_same = 1;
    for (size_t r = 0; r < c->divisions; r++) {
        size_t at = r * s->n;
        const uint32_t *one = c->choice[richer] + at, *other = c->choice[simpler] + at;
        double unknown;
        differ(p->d + at, s, one, other);
        TRY(weigh(p->weight + at, &unknown, p->d + at, c->l, one, other));
        p->unknown = fmax(p->unknown, unknown);
        p->is_same &= memcmp(one, other, s->n * sizeof *one) == 0;
    }
    p->is_same &= memcmp(c->final[richer], c->final[simpler], s->n * sizeof **c->final) == 0;
    return REGRET_OK;
}

/* What a request adds to the mean over the divisions, for the multipliers. */
static void add_influence(double *f, const struct paired_rules *p, const struct score_table *s,
                          size_t divisions)
{
    size_t n = s->n;
    for (size_t r = 0; r < divisions; r++) {
        const double *d = p->d + r * n, *w = p->weight + r * n;
        double mean = own_gain(d, w, n);
        for (size_t i = 0; i < n; i++) {
            f[cluster_of(s, i)] += isnan(d[i]) || isnan(mean) ? 0.0 : w[i] * (d[i] - mean);
        }
    }
}

/* Ends are the means of those of the divisions: what is averaged over divisions varies less than what one learns from one sample. */
static int gain_of(struct gain_answer *out, const struct paired_rules *p,
                   const struct crossed_choices *c, double tail)
{
    size_t n = c->l->s->n;
    struct interval sum = {0.0, 0.0, 0.0};
    for (size_t r = 0; r < c->divisions; r++) {
        struct interval l;
        const struct row_differences x = {p->d + r * n, p->weight + r * n, n, c->l->s->cluster, n};
        TRY(difference_limits(&l, &x, tail));
        sum.value += l.value / (double)c->divisions;
        sum.low += l.low / (double)c->divisions;
        sum.high += l.high / (double)c->divisions;
    }
    out->gain = sum;
    out->gain.high = fmax(sum.high, p->final);
    out->is_same = p->is_same;
    out->is_known = p->unknown < MOST_UNKNOWN && !isnan(sum.low);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- values for new requests */

/* A request's score of the agent; where unknown by the effects of all requests. */
struct filled {
    const struct score_table *s;
    struct within_effects e;
};

static void filled_free(struct filled *f)
{
    within_effects_free(&f->e);
}

static double score_or_effect(const struct filled *f, size_t i, size_t a)
{
    const double *y = f->s->y + i * f->s->m;
    double u = within_request(&f->e, y);
    return !isnan(y[a]) ? y[a] : fmin(fmax(f->e.effect[a] + u, 0.0), 1.0);
}

/* The mean of what a rule takes in one division, and its limits by the rows that are known. */
static int value_of(struct interval *out, const struct filled *f, const uint32_t *choice)
{
    FREED double *sum = NULL, *rows = NULL;
    double all = 0.0, n = 0.0;
    size_t k = 0;
    TRY(REGRET_NEW(&sum, f->s->n));
    TRY(REGRET_NEW(&rows, f->s->n));
    for (size_t i = 0; i < f->s->n; i++) {
        double y = score_or_effect(f, i, choice[i]), own = f->s->y[i * f->s->m + choice[i]];
        all += isnan(y) ? 0.0 : y;
        n += !isnan(y);
        sum[cluster_of(f->s, i)] += isnan(own) ? 0.0 : own;
        rows[cluster_of(f->s, i)] += !isnan(own);
    }
    for (size_t c = 0; c < f->s->n; c++) { /* texts with known rows */
        sum[k] = sum[c];
        rows[k] = rows[c];
        k += rows[c] > 0.0;
    }
    struct bounded x = bounded_clusters(sum, rows, k);
    x.value = all / n;
    struct limits l = bounded_limits(&x, tails_of(0.95));
    *out = (struct interval){x.value, l.low, l.high};
    return REGRET_OK;
}

static int values_make(struct answer *a, const struct crossed_choices *c)
{
    FREED_BY(filled_free) struct filled f = {.s = c->l->s};
    FREED size_t *all = NULL;
    double divisions = (double)c->divisions;
    TRY(REGRET_NEW(&all, f.s->n));
    for (size_t i = 0; i < f.s->n; i++) {
        all[i] = i;
    }
    TRY(within_effects_make(&f.e, f.s->y, f.s->m, all, f.s->n));
    for (enum rule k = RULE_ONE; k < N_RULES; k++) {
        struct interval *v = &a->value[k];
        *v = (struct interval){0.0, 0.0, 0.0};
        for (size_t r = 0; r < c->divisions; r++) {
            struct interval l;
            TRY(value_of(&l, &f, c->choice[k] + r * f.s->n));
            v->value += l.value / divisions;
            v->low += l.low / divisions;
            v->high += l.high / divisions;
        }
        v->low = fmax(0.0, v->value - WIDER * (v->value - v->low));
        v->high = fmin(1.0, v->value + WIDER * (v->high - v->value));
    }
    return REGRET_OK;
}

int gains_make(struct answer *a, const struct learner *l, const struct rules *whole,
               const struct answer_options *o)
{
    FREED_BY(crossed_free) struct crossed_choices c = {.l = l, .o = o};
    struct gain_answer *const out[PAIRS] = {&a->tag_over_one, &a->request_over_one,
                                            &a->request_over_tag};
    FREED_BY(paired_rules_fields) struct paired_rules first = {0};
    FREED_BY(paired_rules_fields) struct paired_rules second = {0};
    FREED_BY(paired_rules_fields) struct paired_rules third = {0};
    struct paired_rules *const pair[PAIRS] = {&first, &second, &third};
    FREED double *f = NULL;
    double each, critical, least = normal_of_two_sided(1.0 - o->level);
    size_t n = l->s->n;
    TRY(crossed_make(&c, whole));
    TRY(REGRET_NEW(&f, PAIRS * n));
    for (size_t k = 0; k < PAIRS; k++) {
        TRY(pair_make(pair[k], &c, k));
        add_influence(f + k * n, pair[k], l->s, c.divisions);
    }
    TRY(simultaneous_level(&each, &critical, f, PAIRS, n, o->level, MULTIPLIERS, o->seed,
                           o->threads));
    a->critical = fmax(critical, least);
    for (size_t k = 0; k < PAIRS; k++) {
        TRY(gain_of(out[k], pair[k], &c, 0.5 * normal_two_sided(a->critical)));
    }
    return values_make(a, &c);
}
