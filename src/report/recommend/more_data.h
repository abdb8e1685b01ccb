/* How much data would tell what a run does not. */
#ifndef REGRET_REPORT_RECOMMEND_MORE_DATA_H
#define REGRET_REPORT_RECOMMEND_MORE_DATA_H

#include "report/recommend/answer.h"

/* What would tell a difference as large as the one seen: as many contexts, or seeds, all else as it is, or so many times
 * of both; 0 where there is no such number. `least` is what the run can tell with RULES_POWER. */
struct more_data {
    double seen, least;
    double contexts, seeds, both;
};
struct more_data more_data(const struct contest *rules, const struct rule_gain *c);

/* In sentences; nothing where nothing is to be said. */
void say_more_data(struct regret_buffer *out, const struct answer *a);

/* Of a richer rule than the answer that seems better, what would tell it; nothing where there is none. */
void say_untold(struct regret_buffer *out, const struct answer *a);

#endif
