/* A run folder: run.json, the shards, the lock; what it takes to begin, resume and compare.
 *
 * Offers: run_file_* (run.json), run_folder_* (begin, resume, lock), run_grids_* (agents and contexts),
 * run_difference().
 * Way: run_folder.c opens or makes the folder → run_file.c reads run.json, run_grids.c its grids, run_means.c its means → row_scan.c
 * finds the rows that are whole → run_difference.c says in what two runs differ.
 * Uses: base/core, base/files, base/json, base/text, estimate, estimate/fit, results/row.
 */
#ifndef REGRET_RESULTS_RUN_ROOM_H
#define REGRET_RESULTS_RUN_ROOM_H

#include "results/run/row_scan.h"
#include "results/run/run_file.h"
#include "results/run/run_folder.h"

#endif
