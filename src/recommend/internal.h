/* What the sources of this folder share. */
#ifndef RECOMMEND_INTERNAL_H
#define RECOMMEND_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "recommend/recommend.h"

/* ---- sets.c: agents that may be the best. ---- */

/* Of the n requests `request` of the table; strata [s->n] NULL: there is one. */
struct comparison {
    const struct score_table *s;
    const size_t *request;
    size_t n;
    const uint32_t *stratum;
    size_t n_strata;
    double level; /* with which the best is in the set */
    uint64_t seed;
};
int group_make(struct group_answer *out, const struct comparison *c);
void group_free(struct group_answer *g);

/* The differences of agents to the incumbent, simultaneously. */
int incumbent_make(struct answer *a, const struct comparison *c, const struct answer_options *o);

/* Requests that would tell the lead of the best agent over the next of the set with power .8: n (2.8 error/lead)²; NaN where the lead
 * is below half its error. */
int lead_wants(double *out, const struct comparison *c, const struct group_answer *g);

/* Of rows of a table by their numbers: the mean difference and its limits; `weight` NULL: rows count alike. Rows of which d is NaN
 * do not count. */
struct differences {
    const double *d, *weight; /* [n] */
    size_t n;
};
int difference_limits(struct interval *out, const struct differences *x, double tail);

/* ---- words.c: what requests say, and a ridge of scores on it. ---- */

struct words {
    size_t n, d;
    double *x; /* [n × d], by request */
};
/* Nothing (d = 0) where there are no texts, or they have no word in common. */
int words_make(struct words *out, const char *const *text, size_t n);
void words_free(struct words *w);

/* Ridge of m outcomes at once on the words of n requests, one penalty of twelve for all by what requests that were left out say. */
struct words_fit {
    double *
        weight; /* [d × m], by outcome; NULL: words say nothing that the left out bear out; owned */
    double penalty;
    double share;     /* of the mean square that left-out fits take away; ≤ 0 of none */
    double *left_out; /* [n × m] what they predict; only where asked for; owned */
};
int words_learn(struct words_fit *out, const struct words *w, const size_t *request, size_t n,
                const double *e, size_t m, int wants_left_out);
/* At one penalty, whatever left-out requests say. */
int words_learn_at(struct words_fit *out, const struct words *w, const size_t *request, size_t n,
                   const double *e, size_t m, double penalty);
void words_fit_free(struct words_fit *f);
double words_predict(const struct words *w, const struct words_fit *f, size_t request, size_t k);

/* ---- rules.c: the three rules, learnt on some requests. ---- */

struct learner {
    const struct score_table *s;
    const uint32_t *stratum; /* [s->n] tags, those of few requests together */
    size_t n_strata;
    const unsigned char *ranked; /* [m] who may be chosen */
    struct words words;
};

struct rules {
    size_t one;
    size_t *by_tag;  /* [n_strata] owned, as the others */
    double *surface; /* [n_strata × m] what an agent is worth there over the mean agent */
    double common;   /* σ², of agents by tag */
    struct words_fit fit;
};
int rules_learn(struct rules *out, const struct learner *l, const size_t *request, size_t n);
void rules_free(struct rules *p);
size_t rule_choose(const struct rules *p, const struct learner *l, enum rule rule, size_t request);
/* ---- gains.c: what rules gain on requests that they were not learnt on. ---- */

int gains_make(struct answer *a, const struct learner *l, const struct rules *whole,
               const struct answer_options *o);

/* ---- votes.c: agents by votes. ---- */

int votes_answer(struct answer *a, const struct answer_options *o);

/* ---- cautions.c: what to beware of. ---- */

int answer_cautions(struct answer *a);

#endif
