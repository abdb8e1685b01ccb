/* Who is recommended on each held-out context and on all, by every family and by their vote.
 *
 * Offers: regret_recommend().
 * Way: the lists of a run's rows (report/rows) → recommend.c counts recommendations and takes values and margins →
 * recommend_text.c writes them as Markdown, CSV or JSON.
 * Uses: base/core, base/text, report/leaks, report/rows, results/read.
 */
#ifndef REGRET_REPORT_RECOMMEND_ROOM_H
#define REGRET_REPORT_RECOMMEND_ROOM_H

#endif
