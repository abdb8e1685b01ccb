/* Which rows a run has, in which order: read from its run.json, so that rows found in a file can be
 * held against it when a run is resumed and when shards are merged. */
#ifndef REGRET_EXPERIMENT_ROW_ORDER_H
#define REGRET_EXPERIMENT_ROW_ORDER_H

#include "experiment/row_fields.h"

struct row_order {
    struct cJSON *run;        /* run.json; owned */
    const struct cJSON **key; /* [cells] borrowed from it; the array is owned */
    size_t cells, seeds;
    long long first_seed;
    struct row_subject {
        enum regret_row_kind kind;
        const char *name; /* borrowed */
    } * subject;          /* [lines]; owned */
    size_t lines;         /* of a replicate */
};

int row_order_read(struct row_order *out, const char *description, struct regret_place at);
void row_order_free(struct row_order *order); /* safe on a zeroed one */

/* The rows of a file that should hold the replicates [begin, end) of the run. */
struct row_scan {
    size_t replicates; /* whole and right ones at the head of the file */
    size_t length;     /* bytes that they take */
};
/* Scans as far as rows are right. REGRET_E_INPUT at the first line that is complete and wrong, with
 * its place in `path`; *out is filled in then, too. The end of the text, even within a line, is no
 * error. */
int row_order_scan(struct row_scan *out, const struct row_order *order, size_t begin, size_t end,
                   const char *path, const char *text, size_t length);

#endif
