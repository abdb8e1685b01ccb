#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
#include "base/text.h"
#include "recommend/internal.h"
#include "regret/status.h"
#include "stats/limits.h"
#include "stats/multiplicity.h"

/* Of fewer requests a tag is not judged, nor words read. Where words tell more than that of which scores are unknown, strata by these
 * stand for tags [C]. */
enum { LEAST_OF_TAG = 5, LEAST_FOR_WORDS = 30, STRATA = 5 };
static const double LEAST_SHARE = 0.1;
/* A gain of so many standard errors is followed where nothing is told [C]. */
static const double LIKELY = 0.5;
/* The price of a cheaper agent that is always shown [C]. */
static const double SMALL = 0.05;

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {"too-few", "nothing", "one-agent", "by-tag", "by-request"};
    return names[verdict];
}

/* What is made on the way. */
struct making {
    struct answer *a;
    const struct score_table *s;
    const struct answer_options *o;
    struct learner l;
    uint32_t *stratum;     /* [n] owned, as the others */
    unsigned char *ranked; /* [m] */
    size_t *request;       /* [n] room */
};

static void making_free(struct making *k)
{
    regret_free(k->stratum);
    regret_free(k->ranked);
    regret_free(k->request);
    words_free(&k->l.words);
}

/* ---------------------------------------------------------------- strata */

/* Fifths of the requests by the left-out prediction, of words, of whether the score of the agent is known whose is told best. */
static int cut_by_words(struct making *k, const struct words_fit *f, size_t agent)
{
    size_t n = k->s->n;
    const double *x = f->left_out + agent * n;
    FREED double *sorted = NULL;
    TRY(REGRET_NEW(&sorted, n));
    memcpy(sorted, x, n * sizeof *sorted);
    regret_sort_numbers(sorted, n);
    for (size_t i = 0; i < n; i++) {
        k->stratum[i] = 0;
        for (size_t g = 1; g < STRATA; g++) {
            k->stratum[i] += x[i] >= regret_quantile(sorted, n, (double)g / STRATA);
        }
    }
    k->l.n_strata = STRATA;
    k->a->by_strata = 1;
    return REGRET_OK;
}

/* How much better left-out fits tell what is known of an agent than its mean does. */
static double share_told(const double *e, const double *fit, size_t n)
{
    double all = 0.0, left = 0.0;
    for (size_t i = 0; i < n; i++) {
        all += e[i] * e[i];
        left += (e[i] - fit[i]) * (e[i] - fit[i]);
    }
    return all > 0.0 ? 1.0 - left / all : 0.0;
}

/* Of a table with holes without tags: whether words tell where they are. */
static int look_for_strata(struct making *k)
{
    const struct score_table *s = k->s;
    FREED_BY(words_fit_free) struct words_fit f = {0};
    FREED double *e = NULL;
    double most = LEAST_SHARE;
    size_t agent = REGRET_NO_AGENT;
    TRY(REGRET_NEW(&e, s->n * s->m));
    for (size_t a = 0; a < s->m; a++) {
        double mean = (double)k->a->all.agent[a].known / (double)s->n;
        for (size_t i = 0; i < s->n; i++) {
            e[a * s->n + i] = (isnan(s->y[i * s->m + a]) ? 0.0 : 1.0) - mean;
        }
    }
    TRY(words_learn(&f, &k->l.words, k->request, s->n, e, s->m, 1));
    for (size_t a = 0; f.left_out != NULL && a < s->m; a++) {
        double share = share_told(e + a * s->n, f.left_out + a * s->n, s->n);
        agent = share > most ? a : agent;
        most = fmax(most, share);
    }
    return agent != REGRET_NO_AGENT ? cut_by_words(k, &f, agent) : REGRET_OK;
}

/* ---------------------------------------------------------------- groups */

static struct comparison compare_all(const struct making *k, double level)
{
    return (struct comparison){.s = k->s,
                               .request = k->request,
                               .n = k->s->n,
                               .stratum = k->l.n_strata > 1 ? k->stratum : NULL,
                               .n_strata = k->l.n_strata,
                               .level = level,
                               .seed = k->o->seed};
}

static int judge_all(struct making *k)
{
    const struct comparison c =
        compare_all(k, k->a->comparable >= LEAST_REQUESTS ? k->o->level : 0.0);
    group_free(&k->a->all);
    TRY(group_make(&k->a->all, &c));
    for (size_t a = 0; a < k->s->m; a++) {
        k->ranked[a] = (unsigned char)k->a->all.agent[a].is_ranked;
    }
    return REGRET_OK;
}

/* Sets by tag hold together, by Šidák over the tags that are judged. */
static int judge_tags(struct making *k)
{
    const struct score_table *s = k->s;
    FREED size_t *request = NULL;
    size_t judged = k->l.n_strata - 1;
    if (s->tag == NULL) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&request, s->n));
    TRY(REGRET_NEW(&k->a->tag, s->n_tags));
    for (size_t g = 0; g < s->n_tags; g++) {
        struct comparison c = {.s = s, .request = request, .seed = k->o->seed, .n_strata = 1};
        for (size_t i = 0; i < s->n; i++) {
            request[c.n] = i;
            c.n += s->tag[i] == g;
        }
        c.level =
            c.n >= LEAST_OF_TAG && s->tag_name[g][0] != '\0' && k->a->comparable >= LEAST_REQUESTS
                ? pow(k->o->level, 1.0 / (double)judged)
                : 0.0;
        TRY(group_make(&k->a->tag[g], &c));
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the verdict */

static int is_told(const struct gain_answer *g)
{
    return g->is_known && !g->is_same && g->gain.low > 0.0;
}

static int is_likely(const struct gain_answer *g, double critical)
{
    return g->is_known && !g->is_same &&
           g->gain.value > LIKELY * (g->gain.value - g->gain.low) / critical;
}

static void decide(struct answer *a)
{
    int tag = is_told(&a->tag_over_one), like_tag = is_likely(&a->tag_over_one, a->critical);
    a->verdict = is_told(&a->request_over_one) && (is_told(&a->request_over_tag) || !tag)
                     ? VERDICT_BY_REQUEST
                 : tag              ? VERDICT_BY_TAG
                 : a->all.worse > 0 ? VERDICT_SET
                                    : VERDICT_NOTHING;
    a->likely = is_likely(&a->request_over_one, a->critical) &&
                        (is_likely(&a->request_over_tag, a->critical) || !like_tag)
                    ? RULE_REQUEST
                : like_tag ? RULE_TAG
                           : RULE_ONE;
    if (a->verdict == VERDICT_BY_REQUEST || a->verdict == VERDICT_BY_TAG) {
        a->likely = a->verdict == VERDICT_BY_TAG ? RULE_TAG : RULE_REQUEST;
    }
}

/* ---------------------------------------------------------------- what an agent costs */

static void find_cheaper(struct answer *a, double worse)
{
    const double *cost = a->s->cost;
    double most = isnan(worse) ? SMALL : worse;
    a->cheaper = a->cheapest_of_set = REGRET_NO_AGENT;
    for (size_t b = 0; cost != NULL && a->all.best != REGRET_NO_AGENT && b < a->s->m; b++) {
        const struct agent_answer *x = &a->all.agent[b];
        int saves = x->is_ranked && cost[b] < cost[a->all.best];
        if (saves && x->behind <= most &&
            (a->cheaper == REGRET_NO_AGENT || cost[b] < cost[a->cheaper])) {
            a->cheaper = b;
        }
        if (saves && x->may_be_best &&
            (a->cheapest_of_set == REGRET_NO_AGENT || cost[b] < cost[a->cheapest_of_set])) {
            a->cheapest_of_set = b;
        }
    }
}

/* ---------------------------------------------------------------- all of it */

static int check(const struct score_table *s, const struct answer_options *o)
{
    if (s->m < 2) {
        return regret_fail(REGRET_E_INPUT, "there is one agent, %s: nothing to choose",
                           s->agent[0]);
    }
    return o->incumbent != REGRET_NO_AGENT && o->incumbent >= s->m
               ? regret_fail(REGRET_E_INPUT, "the incumbent is none of the %zu agents", s->m)
               : REGRET_OK;
}

static int learn(struct making *k)
{
    FREED_BY(rules_free) struct rules whole = {0};
    TRY(rules_learn(&whole, &k->l, k->request, k->s->n, 0));
    TRY(gains_make(k->a, &k->l, &whole, k->o));
    for (size_t i = 0; k->a->tag != NULL && k->s->tag != NULL && i < k->s->n && !k->a->by_strata;
         i++) {
        k->a->tag[k->s->tag[i]].chosen = whole.by_tag[k->stratum[i]];
    }
    decide(k->a);
    return REGRET_OK;
}

static int make(struct making *k)
{
    struct answer *a = k->a;
    if (k->s->votes != NULL) {
        TRY(votes_answer(a, k->o));
        find_cheaper(a, k->o->worse);
        return answer_cautions(a);
    }
    for (size_t c = 0; c < k->s->n * k->s->m; c++) {
        a->unknown += isnan(k->s->y[c]) != 0;
    }
    TRY(judge_all(k));
    if (k->s->n >= LEAST_FOR_WORDS) {
        TRY(words_make(&k->l.words, k->s));
        TRY(words_turn(&k->l.words));
    }
    if (a->unknown > 0 && k->s->tag == NULL && k->l.words.d > 0) {
        TRY(look_for_strata(k));
        TRY(a->by_strata ? judge_all(k) : REGRET_OK);
    }
    TRY(judge_tags(k));
    if (k->a->comparable >= LEAST_REQUESTS && a->all.best != REGRET_NO_AGENT) {
        TRY(learn(k));
        find_cheaper(a, k->o->worse);
    }
    if (k->o->incumbent != REGRET_NO_AGENT && k->a->comparable >= LEAST_REQUESTS) {
        const struct comparison c = compare_all(k, k->o->level);
        TRY(incumbent_make(a, &c, k->o));
    }
    return answer_cautions(a);
}

/* Names of other people's, fit to be shown. */
static int show_names(char ***out, char *const *name, size_t n)
{
    TRY(REGRET_NEW(out, n));
    for (size_t i = 0; i < n; i++) {
        struct regret_buffer shown = REGRET_BUFFER_INIT;
        regret_buffer_append_visible(&shown, name[i][0] != '\0' ? name[i] : "no category");
        TRY(text_take(&(*out)[i], &shown));
    }
    return REGRET_OK;
}

/* The answer by some steps of it. */
static int answer_by(struct answer *out, const struct score_table *s,
                     const struct answer_options *options, int (*steps)(struct making *k))
{
    FREED_BY(answer_free)
    struct answer a = {.s = s,
                       .all = {.wanted = NAN},
                       .cheaper = REGRET_NO_AGENT,
                       .cheapest_of_set = REGRET_NO_AGENT,
                       .incumbent_agent = REGRET_NO_AGENT};
    FREED_BY(making_free) struct making k = {.a = &a, .s = s, .o = options};
    TRY(check(s, options));
    TRY(show_names(&a.agent, s->agent, s->m));
    TRY(show_names(&a.tag_name, s->tag_name, s->n_tags));
    TRY(REGRET_NEW(&k.ranked, s->m));
    TRY(REGRET_NEW(&k.request, s->n));
    for (size_t i = 0; i < s->n; i++) {
        k.request[i] = i;
    }
    k.l = (struct learner){.s = s, .may = k.ranked};
    TRY(strata_of_tags(&k.stratum, &k.l.n_strata, s));
    k.l.stratum = k.stratum;
    for (size_t i = 0; s->votes == NULL && i < s->n; i++) {
        size_t known = 0;
        for (size_t b = 0; b < s->m; b++) {
            known += !isnan(s->y[i * s->m + b]);
        }
        a.comparable += known > 1;
    }
    TRY(steps(&k));
    *out = a;
    a = (struct answer){0};
    return REGRET_OK;
}

int answer_lead(struct answer *out, const struct score_table *s,
                const struct answer_options *options)
{
    return answer_by(out, s, options, judge_all);
}

int answer_make(struct answer *out, const struct score_table *s,
                const struct answer_options *options)
{
    return answer_by(out, s, options, make);
}

void answer_free(struct answer *a)
{
    for (size_t g = 0; a->tag != NULL && g < a->s->n_tags; g++) {
        group_free(&a->tag[g]);
    }
    if (a->s != NULL) {
        texts_free(a->agent, a->s->m);
        texts_free(a->tag_name, a->s->n_tags);
    }
    group_free(&a->all);
    regret_free(a->tag);
    regret_free(a->incumbent);
    regret_buffer_free(&a->caution);
    *a = (struct answer){0};
}
