/* All rows of a run folder as arrays that reports index by subject, cell and seed.
 *
 * Offers: regret_results_read() and what regret/results.h asks of its answer; regret_results_csv().
 * Way: read.c takes run.json and each shard → read_rows.c appends row by row → index.c numbers keys, seeds and
 * rows and finds gaps, lists.c checks the lists, unmade.c words what families of one's own did not make → results.c
 * answers, csv.c writes them as one table.
 * Uses: base/core, base/files, base/json, base/text, results/row, results/run.
 */
#ifndef REGRET_RESULTS_READ_ROOM_H
#define REGRET_RESULTS_READ_ROOM_H

#endif
