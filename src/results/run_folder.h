/* The folder of a run. */
#ifndef RESULTS_RUN_FOLDER_H
#define RESULTS_RUN_FOLDER_H

#include <stddef.h>

#include "results/run_file.h"

/* The rows of a file held against those that belong there, by run.json: when a run is resumed, and
 * when shards are merged. */

/* What a file has that should hold the replicates [begin, end) of the run. */
struct row_scan {
    size_t replicates; /* whole and right ones at the head of the file */
    size_t length;     /* bytes that they take */
};
/* Scans as far as rows are right. REGRET_E_INPUT at the first line that is complete and wrong, with
 * its place in `path`; *out is filled in then, too. The end of the text, even within a line, is no
 * error. The order of the run must have been read. */
int row_scan_read(struct row_scan *out, const struct run_file *run, size_t begin, size_t end,
                  const char *path, const char *text, size_t length);

/* The folder of a run as long as it is being written: made or found, locked, its rows counted. */

/* Holds a lock while open; the kernel lets go of it when the process ends, however it ends. */
struct run_lock {
    int fd; /* -1: none */
};
#define RUN_LOCK_INIT                                                                              \
    {                                                                                              \
        -1                                                                                         \
    }
void run_lock_release(struct run_lock *lock); /* safe to call twice */

/* Locks a run folder by its run.json, if there is one; refuses (REGRET_E_IO) when another process
 * is writing there. Reading needs no lock. */
int run_lock_take(struct run_lock *lock, const char *folder);

/* REGRET_E_IO when the run.json of `folder` is no longer the one that is locked. */
int run_lock_check(const struct run_lock *lock, const char *folder);

/* What a run folder holds, for regret_staging_begin(): it may be reported on. */
#define RUN_FILES                                                                                  \
    "run.json results-*-of-*.jsonl timing-*-of-*.jsonl model.regret model-*.regret "               \
    "report/report.md report/report.html report/requests.html report/config.json "                 \
    "report/results.csv report/figures/*.svg report/figures/*.csv report/tables/*.csv "            \
    "report/tables/*.md report/tables/*.html report/tables/*.tex report/tables/wide/*.csv"

/* Where the rows of a shard go. */
struct run_folder {
    const char *path, *description; /* of the folder, and its run.json */
    struct shard_range range;
    int resume, force;
    void (*notice)(void *context, const char *message); /* of what is computed again; may be NULL */
    void *notice_context;
};

/* How far the rows found there can be kept: `replicates` whole ones of the shard, in the first bytes
 * of the two files. */
struct run_found {
    size_t replicates, row_bytes, timing_bytes;
};

/* Makes the folder, or finds it (with `resume`) as an interrupted run of the same description left
 * it, and locks it. */
int run_folder_open(struct run_lock *lock, struct run_found *found,
                    const struct run_folder *folder);

/* The same as it would be, with nothing made or repaired; locked only while the rows are read. */
int run_folder_look(struct run_found *found, const struct run_folder *folder);

#endif
