/* How a run folder is read: run.json (results_run.c), rows (results_row.c), then the keys, the
 * seeds, the cube and what is missing (results_index.c); results.c leads. */
#ifndef REGRET_REPORT_RESULTS_H
#define REGRET_REPORT_RESULTS_H

#include "regret/json.h"
#include "regret/report.h"

/* What is needed only while reading. */
struct results_reader {
    struct regret_results *results; /* being filled; owned until success */
    struct cJSON *config;           /* run.json's; owned */
    struct cJSON **keys;     /* n_cells objects: the cell's keys, from run.json, then its rows */
    unsigned char *seen;     /* n_cells: 1 once a row has completed the cell's keys */
    size_t n_shards;         /* N of results-I-of-N.jsonl */
    unsigned char *shard_is; /* n_shards: 1 when that file is there */
    size_t capacity;         /* rows that fit in the columns */
    long long *row_number;   /* the rows' seed numbers */
    size_t *row_shard;       /* from 1 */
    size_t *row_line;        /* in their file */
};

int results_read_run(struct results_reader *reader, const char *folder);

/* Refuses key values that are neither text, number, boolean nor list. */
int results_check_key(const struct cJSON *key, struct regret_place at);

/* Checks one row and appends it to the columns; may take `key` out of `row`. */
int results_add_row(struct results_reader *reader, struct cJSON *row, size_t shard,
                    struct regret_place at);

/* After all rows: keys and cell_value, seeds and row_seed, `at`
 * (refusing rows given twice), gaps. */
int results_index_keys(struct results_reader *reader);
int results_index_rows(struct results_reader *reader);
int results_find_gaps(struct results_reader *reader);

#endif
