/* How a run folder is read for the report: run.json (run_file.c), rows (read_rows.c), then the keys,
 * the seeds, the cube and what is missing (index.c); read.c leads. */
#ifndef REGRET_RESULTS_READER_H
#define REGRET_RESULTS_READER_H

#include "results/row/row_lists.h"
#include "results/run/run_file.h"

/* What is needed only while reading. */
struct results_reader {
    struct regret_results *results; /* being filled; owned until success */
    struct run_file run;            /* its facts are handed to the results at the end */
    struct cJSON **keys;            /* n_cells: of the cell's first row, NULL before; owned */
    size_t n_shards;                /* N of results-I-of-N.jsonl */
    unsigned char *shard_is;        /* n_shards: 1 when that file is there */
    size_t capacity;                /* rows that fit in the columns */
    long long *row_number;          /* the rows' seed numbers */
    size_t *row_shard;              /* from 1 */
    size_t *row_line;               /* in their file */
};

/* Checks one row and appends it to the columns; may take `key` out of `json`. */
int results_add_row(struct results_reader *reader, struct cJSON *json, size_t shard,
                    struct regret_place at);

/* After all rows: keys and cell_value, seeds and row_seed, `at`
 * (refusing rows given twice), lists of one length in a replicate, gaps, lacks. */
int results_index_keys(struct results_reader *reader);
int results_index_rows(struct results_reader *reader);
int results_check_lists(const struct results_reader *reader);
int results_find_gaps(struct results_reader *reader);
int results_find_unmade(struct results_reader *reader);

#endif
