/* Which contexts are listed. */
#ifndef REGRET_REPORT_RECOMMEND_FILTERS_H
#define REGRET_REPORT_RECOMMEND_FILTERS_H

#include "report/recommend/answer.h"

/* REGRET_E_INPUT where a filter names what the run has not. */
int filters_check(const struct answer *a);
/* 1 where they let the context, which was held out, through by what the source says of it. */
int answer_shows(const struct answer *a, size_t source, size_t x);

#endif
