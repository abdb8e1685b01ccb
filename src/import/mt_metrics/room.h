/* Test sets of the WMT metrics tasks, as mt-metrics-eval keeps them: systems by segments, with ratings by people.
 *
 * Offers: importer_mt_metrics.
 * Way: mt_metrics.c finds the language pair → members.c reads its texts, line by line, and scores.c its ratings → mt_metrics.c hands
 * over an answer for each system and segment to import/harness.
 * Uses: base/archive, base/core, base/json, base/text, import/build, import/harness.
 */
#ifndef REGRET_IMPORT_MT_METRICS_ROOM_H
#define REGRET_IMPORT_MT_METRICS_ROOM_H

#endif
