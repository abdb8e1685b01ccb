#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "model/model.h"
#include "regret/status.h"
#include "value/within.h"

const char *rule_name(enum rule rule)
{
    static const char *const names[N_RULES] = {"one", "by-tag", "by-request"};
    return names[rule];
}

enum { LEAST_OF_STRATUM = 5 };

int strata_of_tags(uint32_t **stratum, size_t *n_strata, const struct score_table *s)
{
    FREED uint32_t *number = NULL, *of = NULL;
    FREED size_t *size = NULL;
    uint32_t kept = 0;
    TRY(REGRET_NEW(&of, s->n));
    TRY(REGRET_NEW(&number, s->n_tags + 1));
    TRY(REGRET_NEW(&size, s->n_tags + 1));
    for (size_t i = 0; i < s->n && s->tag != NULL; i++) {
        size[s->tag[i]]++;
    }
    for (size_t g = 0; g < s->n_tags; g++) {
        number[g] = size[g] >= LEAST_OF_STRATUM && s->tag_name[g][0] != '\0' ? kept++ : UINT32_MAX;
    }
    for (size_t i = 0; i < s->n; i++) {
        uint32_t g = s->tag != NULL ? number[s->tag[i]] : UINT32_MAX;
        of[i] = g == UINT32_MAX ? kept : g;
    }
    *stratum = of;
    of = NULL;
    *n_strata = kept + 1;
    return REGRET_OK;
}

/* What is learnt on, by strata. */
struct lesson {
    const struct learner *l;
    const size_t *request;
    size_t n, m, strata;
    struct within_effects whole,
        *own;         /* [strata], empty of one without requests; owned, as the others */
    double *share;    /* [strata] of the requests */
    double *mean;     /* [m] effects, of strata by their shares */
    double *variance; /* [m] of a score about the effects of its agent and its request */
};

static void lesson_free(struct lesson *t)
{
    for (size_t g = 0; t->own != NULL && g < t->strata; g++) {
        within_effects_free(&t->own[g]);
    }
    within_effects_free(&t->whole);
    regret_free(t->own);
    regret_free(t->share);
    regret_free(t->mean);
    regret_free(t->variance);
}

static const double *scores_at(const struct lesson *t, size_t i)
{
    return t->l->s->y + t->request[i] * t->m;
}

static size_t stratum_at(const struct lesson *t, size_t i)
{
    return t->l->stratum[t->request[i]];
}

/* ---------------------------------------------------------------- effects */

static int find_effects(struct lesson *t)
{
    const double *y = t->l->s->y;
    FREED size_t *part = NULL;
    TRY(REGRET_NEW(&part, t->n));
    TRY(within_effects_make(&t->whole, y, t->m, t->request, t->n));
    for (size_t g = 0; g < t->strata; g++) {
        size_t k = 0;
        for (size_t i = 0; i < t->n; i++) {
            part[k] = t->request[i];
            k += stratum_at(t, i) == g;
        }
        if (k > 0) {
            TRY(within_effects_make(&t->own[g], y, t->m, part, k));
            within_fill_in(t->own[g].effect, t->whole.effect, &t->own[g], &t->whole);
            t->share[g] = (double)k / (double)t->n;
        }
        for (size_t a = 0; k > 0 && a < t->m; a++) {
            t->mean[a] += t->share[g] * t->own[g].effect[a];
        }
    }
    return REGRET_OK;
}

/* Of each agent by its own residuals; where scores are unknown, of all together. */
static void find_variances(struct lesson *t)
{
    double known = 0.0, requests = 0.0, effects = 0.0, strata = 0.0, all = 0.0;
    for (size_t i = 0; i < t->n; i++) {
        const struct within_effects *own = &t->own[stratum_at(t, i)];
        const double *y = scores_at(t, i);
        double u = within_request(own, y);
        requests += !isnan(u);
        for (size_t a = 0; !isnan(u) && a < t->m; a++) {
            double r = own->joined[a] && !isnan(y[a]) ? y[a] - u - own->effect[a] : 0.0;
            known += own->joined[a] && !isnan(y[a]);
            t->variance[a] += r * r;
            all += r * r;
        }
    }
    for (size_t g = 0; g < t->strata; g++) {
        strata += t->share[g] > 0.0;
        effects += t->share[g] > 0.0 ? (double)t->own[g].n_joined - 1.0 : 0.0;
    }
    int is_whole = known >= (double)(t->n * t->m);
    double df = is_whole ? (double)t->n - strata : known - requests - effects;
    for (size_t a = 0; a < t->m; a++) {
        t->variance[a] = df > 0.0 ? (is_whole ? t->variance[a] : all) / df : 0.0;
    }
}

static int lesson_make(struct lesson *out, const struct learner *l, const size_t *request, size_t n)
{
    FREED_BY(lesson_free)
    struct lesson t = {.l = l, .request = request, .n = n, .m = l->s->m, .strata = l->n_strata};
    TRY(REGRET_NEW(&t.own, t.strata));
    TRY(REGRET_NEW(&t.share, t.strata));
    TRY(REGRET_NEW(&t.mean, t.m));
    TRY(REGRET_NEW(&t.variance, t.m));
    TRY(find_effects(&t));
    find_variances(&t);
    *out = t;
    t = (struct lesson){0};
    return REGRET_OK;
}

/* ---------------------------------------------------------------- agents by tag */

static double worth_of(const struct lesson *t, size_t g, size_t a)
{
    return t->share[g] > 0.0 ? t->own[g].worth[a] : 0.0;
}

/* How much an agent is better in a stratum than by its mean. */
static double special(const struct lesson *t, size_t g, size_t a)
{
    return worth_of(t, g, a) > 0.0 ? t->own[g].effect[a] - t->mean[a] : 0.0;
}

/* The variance σ² of what agents by tag are besides their means, one for all of them, by moments: of each agent
 * E Σ_g n_g I_g² = (G − 1) v + σ² (N − Σ n_g²/N). */
static double common_variance(const struct lesson *t)
{
    double squares = 0.0, noise = 0.0, per = 0.0;
    for (size_t a = 0; a < t->m; a++) {
        double n = 0.0, n_squares = 0.0, strata = 0.0;
        for (size_t g = 0; g < t->strata; g++) {
            double worth = worth_of(t, g, a), d = special(t, g, a);
            n += worth;
            n_squares += worth * worth;
            strata += worth > 0.0;
            squares += worth * d * d;
        }
        noise += strata > 1.0 ? (strata - 1.0) * t->variance[a] : 0.0;
        per += n > 0.0 ? n - n_squares / n : 0.0;
    }
    return per > 0.0 ? fmax(0.0, (squares - noise) / per) : 0.0;
}

static void fill_surface(struct rules *p, const struct lesson *t)
{
    for (size_t g = 0; g < t->strata; g++) {
        double *row = p->surface + g * t->m;
        for (size_t a = 0; a < t->m; a++) {
            double worth = worth_of(t, g, a);
            double kept = p->common > 0.0 && worth > 0.0
                              ? p->common / (p->common + t->variance[a] / worth)
                              : 0.0;
            row[a] = t->mean[a] + kept * special(t, g, a);
        }
        p->by_tag[g] = score_table_greatest(t->l->s, row, t->l->may);
    }
}

/* ---------------------------------------------------------------- words */

static int learn_words(struct rules *p, const struct lesson *t, int wants_left_out)
{
    FREED double *e = NULL; /* by agent */
    TRY(REGRET_NEW(&e, t->n * t->m));
    for (size_t i = 0; i < t->n; i++) {
        const double *y = scores_at(t, i), *row = p->surface + stratum_at(t, i) * t->m;
        double u = within_request(&t->own[stratum_at(t, i)], y);
        for (size_t a = 0; a < t->m; a++) {
            e[a * t->n + i] = isnan(y[a]) || isnan(u) ? 0.0 : y[a] - u - row[a];
        }
    }
    return words_learn(&p->fit, &t->l->words, t->request, t->n, e, t->m, wants_left_out);
}

int rules_learn(struct rules *out, const struct learner *l, const size_t *request, size_t n,
                int wants_left_out)
{
    FREED_BY(lesson_free) struct lesson t = {0};
    FREED_BY(rules_free) struct rules p = {0};
    TRY(REGRET_NEW(&p.by_tag, l->n_strata));
    TRY(REGRET_NEW(&p.surface, l->n_strata * l->s->m));
    TRY(lesson_make(&t, l, request, n));
    p.common = common_variance(&t);
    p.one = score_table_greatest(l->s, t.mean, l->may);
    fill_surface(&p, &t);
    TRY(l->words.d > 0 ? learn_words(&p, &t, wants_left_out) : REGRET_OK);
    p.mean = t.mean;
    t.mean = NULL;
    *out = p;
    p = (struct rules){0};
    return REGRET_OK;
}

void rules_free(struct rules *p)
{
    regret_free(p->by_tag);
    regret_free(p->surface);
    regret_free(p->mean);
    words_fit_free(&p->fit);
    *p = (struct rules){0};
}

/* ---------------------------------------------------------------- choices */

static size_t by_request(const struct rules *p, const struct learner *l, size_t request)
{
    const double *row = p->surface + l->stratum[request] * l->s->m;
    size_t best = REGRET_NO_AGENT;
    double most = -INFINITY;
    for (size_t a = 0; a < l->s->m; a++) {
        double x = row[a] + words_predict(&l->words, &p->fit, request, a);
        if (l->may[a] && x > most) {
            best = a;
            most = x;
        }
    }
    return best;
}

size_t rule_choose(const struct rules *p, const struct learner *l, enum rule rule, size_t request)
{
    return rule == RULE_ONE                            ? p->one
           : rule == RULE_TAG || p->fit.weight == NULL ? p->by_tag[l->stratum[request]]
                                                       : by_request(p, l, request);
}
