/* The forms in which an answer is written. */
#ifndef REGRET_REPORT_RECOMMEND_WRITERS_H
#define REGRET_REPORT_RECOMMEND_WRITERS_H

#include "report/recommend/answer.h"
#include "report/recommend/leaf.h"

/* Text or Markdown; and elements of HTML, for the first screen of a page. */
void answer_leaf(struct regret_buffer *out, const struct answer *a, enum leaf_form form);
void answer_page(struct regret_buffer *out, const struct answer *a);
/* The answer alone, as text, in one line. */
void answer_words(struct regret_buffer *out, const struct answer *a);
void answer_csv(struct regret_buffer *out, const struct answer *a);
void answer_json(struct regret_buffer *out, const struct answer *a);

#endif
