/* The files of a run folder that grow row by row. */
#ifndef REGRET_RESULTS_ROW_FILE_H
#define REGRET_RESULTS_ROW_FILE_H

#include <stddef.h>

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
