/* Who is chosen, in words and tables. */
#ifndef REGRET_REPORT_RECOMMEND_ANSWER_WHO_H
#define REGRET_REPORT_RECOMMEND_ANSWER_WHO_H

#include "report/recommend/answer.h"
#include "report/recommend/leaf.h"

void answer_single(struct leaf *w, const struct answer *a);
/* By tag, those of most contexts first; in text as many as `lines` hold, three at least. */
void answer_tags(struct leaf *w, const struct answer *a, size_t lines);
/* Those that the filters let through. */
void answer_contexts(struct leaf *w, const struct answer *a);

/* A half-width that is no wider than the scale of the values; a wider one says nothing and is not shown. */
int answer_is_on_scale(const struct answer *a, double half);
/* "+0.1234 ± 0.0234", or that it cannot be told. */
void answer_half(struct regret_buffer *t, const struct answer *a, double mean, double half);
/* What rewards are called in heads and names: "value" or, of votes, "won": the share that the chosen of two answers has won. */
const char *answer_value_name(const struct answer *a);
/* leaf_table() with that name for a head that is NULL. */
void answer_table(struct leaf *w, const struct answer *a, const struct leaf_column *columns,
                  size_t n);
/* A cell with four decimals, or "-". */
void answer_number(struct leaf *w, const struct leaf_column *columns, double x);

#endif
