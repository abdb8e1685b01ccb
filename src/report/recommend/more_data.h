/* How much data would tell what a run does not. */
#ifndef REGRET_REPORT_RECOMMEND_MORE_DATA_H
#define REGRET_REPORT_RECOMMEND_MORE_DATA_H

#include "report/recommend/answer.h"

/* In sentences; nothing where nothing is to be said. */
void say_more_data(struct regret_buffer *out, const struct answer *a);

#endif
