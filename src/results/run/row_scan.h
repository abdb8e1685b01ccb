/* The rows of a file held against those that belong there, by run.json: when a run is resumed, and
 * when shards are merged. */
#ifndef REGRET_RESULTS_ROW_SCAN_H
#define REGRET_RESULTS_ROW_SCAN_H

#include "results/run/run_file.h"

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

#endif
