/* Folders of Arena-Hard-Auto and of MT-bench: questions, models' answers, judges' verdicts.
 *
 * Offers: importer_arenahard.
 * Way: arenahard.c reads question.jsonl → judgments.c the verdicts of one judge, by model and question (keys.c) → answers.c hands over the
 * answers that were judged, and those of the baseline, to import/harness.
 * Uses: base/archive, base/core, base/json, base/text, import/build, import/harness, import/table.
 */
#ifndef REGRET_IMPORT_ARENAHARD_ROOM_H
#define REGRET_IMPORT_ARENAHARD_ROOM_H

#endif
