/* Which contexts are listed. */
#ifndef REGRET_REPORT_RECOMMEND_FILTERS_H
#define REGRET_REPORT_RECOMMEND_FILTERS_H

#include "report/recommend/answer.h"

/* Filters become the run's names, and may be typed as these are shown: without outer blanks, ends of lines as blanks.
 * REGRET_E_INPUT where one is none, or a context was never held out. */
int filters_find(struct regret_recommend_options *o, const struct recommend *s);
/* 1 where they let the context, which was held out, through by what the source says of it. */
int answer_shows(const struct answer *a, size_t source, size_t x);

#endif
