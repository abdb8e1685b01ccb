/* The forms in which an answer is written. */
#ifndef REGRET_REPORT_RECOMMEND_WRITERS_H
#define REGRET_REPORT_RECOMMEND_WRITERS_H

#include "report/recommend/answer.h"
#include "report/recommend/leaf.h"

void answer_leaf(struct regret_buffer *out, const struct answer *a, enum leaf_form form);
/* The contexts alone, all of them, as elements of HTML. */
void answer_contexts(struct regret_buffer *out, const struct answer *a);
void answer_csv(struct regret_buffer *out, const struct answer *a);
void answer_json(struct regret_buffer *out, const struct answer *a);

#endif
