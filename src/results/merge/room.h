/* Shards of one run into one folder, with what is missing and why.
 *
 * Offers: regret_merge() and its preview.
 * Way: merge_shard.c reads and checks each source → merge_preview.c says what would come of it, merge_missing.c
 * what lacks → merge.c writes the folder.
 * Uses: base/core, base/files, base/text, results/row, results/run.
 */
#ifndef REGRET_RESULTS_MERGE_ROOM_H
#define REGRET_RESULTS_MERGE_ROOM_H

#endif
