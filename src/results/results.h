/* Results in memory. */
#ifndef RESULTS_RESULTS_H
#define RESULTS_RESULTS_H

#include <stddef.h>

#include "results/run_file.h"

/* How a run folder is read for the report: run.json (run_file.c), rows (results.c), then the keys,
 * the seeds, the cube and what is missing (read.c); read.c leads. */

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

/* The files of a run folder that grow row by row. */

enum row_file_kind { ROW_FILE_RESULTS, ROW_FILE_TIMING };

enum { ROW_FILE_NAME = 64 };
/* "results-I-of-N.jsonl" */
void row_file_name(char name[ROW_FILE_NAME], enum row_file_kind kind, size_t shard, size_t shards);
/* That name in a folder; free with regret_free(). */
int row_file_path(char **out, const char *folder, enum row_file_kind kind, size_t shard,
                  size_t shards);
/* Reads I and N of the name of a file of rows: 1, 0 when it looks like one but is not, and -1 when it
 * does not look like one. */
int row_file_parse_name(size_t *shard, size_t *shards, const char *name);

/* One that is appended to. */
struct row_file {
    int fd;
    char *path;    /* owned */
    size_t length; /* bytes it has */
};
#define ROW_FILE_INIT                                                                              \
    {                                                                                              \
        -1, NULL, 0                                                                                \
    }
/* Opens the file, keeps its first `keep` bytes and cuts off what follows them. */
int row_file_open(struct row_file *f, const char *folder, enum row_file_kind kind, size_t shard,
                  size_t shards, size_t keep);
/* Both fail, too, when the file is no longer where it was, or has not the bytes written to it. */
int row_file_append(struct row_file *f, const char *text, size_t length);
int row_file_close(struct row_file *f); /* flushes to disk; safe to call twice */
/* For a run that has failed already: flushes what there is and says nothing. */
void row_file_abandon(struct row_file *f);

#endif
