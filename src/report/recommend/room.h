/* What a run recommends: one agent for everything, one by tag or one by request, and how sure that is; and who is
 * recommended on each held-out context, by every family and by their vote.
 *
 * Offers: regret_recommend(); recommend_for_page(), the same as elements (for_page.h).
 * Way: the lists of a run's rows (report/rows) → recommend.c counts recommendations and takes values and margins;
 * contest.c compares the three rules and decides, agents.c says which agent and which comes next, picked_words.c by which words and own columns → advice.c puts them
 * together with report/cautions → answer_leaf.c and answer_who.c write text or Markdown through leaf.c, with how much data would do
 * (more_data.c); records.c CSV or JSON; requests.c, for a page, every request with its texts; filters.c says which contexts.
 * Uses: base/core, base/text, pool/files, report/cautions, report/leaks, report/render, report/rows, report/tables,
 * results/read, text/words, value, value/deciding.
 */
#ifndef REGRET_REPORT_RECOMMEND_ROOM_H
#define REGRET_REPORT_RECOMMEND_ROOM_H

#include "report/recommend/for_page.h"

#endif
