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

/* Of rows of a table by their numbers: the mean difference and its limits; `weight` NULL: rows count alike. Rows of which d is NaN
 * do not count. */
struct row_differences {
    const double *d, *weight; /* [n] */
    size_t n;
    const uint32_t *cluster; /* [n] below n_clusters; NULL: each row is its own */
    size_t n_clusters;
};
int difference_limits(struct interval *out, const struct row_differences *x, double tail);

/* ---- gains.c: what rules gain on requests that they were not learnt on. ---- */

int gains_make(struct answer *a, const struct learner *l, const struct rules *whole,
               const struct answer_options *o);

/* ---- votes.c: agents by votes. ---- */

int votes_answer(struct answer *a, const struct answer_options *o);

/* ---- cautions.c: what to beware of. ---- */

int answer_cautions(struct answer *a);

/* ---- say.c: the headline, one line without its end; sentences, each ended by a new line. ---- */

void answer_headline(struct regret_buffer *out, const struct answer *a);
void answer_sentences(struct regret_buffer *out, const struct answer *a);

#endif
