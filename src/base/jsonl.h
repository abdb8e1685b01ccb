/* JSON Lines: record by record, in parallel. */
#ifndef BASE_JSONL_H
#define BASE_JSONL_H

#include <stddef.h>

#include "base/json.h"
#include "base/json_array.h"

/* The bytes of a reader of JSONL before they are lines. Of base alone. */

struct cJSON;

/* Where bytes come from, as regret_csv_source. */
typedef long jsonl_source(void *context, char *to, size_t most);
/* Opens it, called `name` in messages; `context` outlives the reader. */
int jsonl_open_source(struct regret_jsonl **out, jsonl_source *source, void *context,
                      const char *name);

/* The *n bytes that are read and not handed out, borrowed until more is read. */
const char *jsonl_ahead(const struct regret_jsonl *reader, size_t *n);
/* Reads on; *got is 0 at the end of the file. */
int jsonl_read_more(struct regret_jsonl *reader, size_t *got);
/* Hands out the first n of them; they stay where they are until more is read. */
void jsonl_take(struct regret_jsonl *reader, size_t n);

/* Lines of JSONL, parsed by threads and handed over in order. Of base, and of readers of many lines. */

/* Told of one line: an object, borrowed. What it fails with ends the reading. */
typedef int jsonl_line(void *context, const struct cJSON *object, struct regret_place at);
/* The same of a row that knows nothing of the others, by any thread. */
typedef int jsonl_row(void *context, size_t row, const struct cJSON *object,
                      struct regret_place at);

/* Either `line` takes the lines one after the other, or `row` as they come, once reserve() made room for so many in all. */
struct jsonl_taker {
    void *context;
    jsonl_line *line;
    jsonl_row *row;
    int (*reserve)(void *context, size_t rows);
};

/* Takes all lines that are left, counted in *n; one that is no object is refused. Of several faults the first line's is
 * told. Memory is that of some MiB of lines, or of the longest one. */
int jsonl_each(size_t *n, struct regret_jsonl *lines, enum regret_json_mode mode, size_t threads,
               const struct jsonl_taker *taker);

/* Records of a data set, whichever way its JSON holds them. */

/* Of an object that holds nothing but objects, or a list "data": */
enum json_records_kind {
    JSON_RECORDS_OF_SET,  /* a data set, whose records it holds */
    JSON_RECORDS_OF_TABLE /* a table, of which it is one record */
};

/* Reads as REGRET_JSON_IMPORT does:
 *
 *   JSONL, a record a line, in the memory of one line;
 *   an array of records, however it is broken into lines, in the memory of one record;
 *   of a data set also an object {"data": [record, …]}, or an object of records under any keys: on many
 *   lines these are parsed whole (REGRET_JSON_MAX_BYTES at most, from a regular file).
 *
 * A reader asks for one record after the other and sees to the fields alone: which of the forms the file has
 * is told by its content. */
struct json_records {
    enum json_records_kind kind;
    struct regret_jsonl *lines; /* JSONL or an array; NULL: a whole file. Owned. */
    struct json_array array;    /* of an array, whose reader is then `lines` */
    struct cJSON *tree;         /* the whole file, or the line or element at hand; owned */
    const struct cJSON *next;   /* the record in it that comes next */
    int is_record;              /* 1: the tree is one record; 0: it holds them */
    size_t line;                /* of the tree; 0: a whole file */
    size_t index;               /* of the record that comes next in the tree or the array, from 0 */
    const char *path;           /* borrowed */
    char *where;                /* room for at.file; owned */
    size_t room;
    struct regret_place at; /* of the record at hand: "FILE:7", "FILE:7: record 3 (from 0)", or that
                               without a line */
    const char *unit;       /* "line" or "record", and … */
    size_t number;          /* … which of them it is */
};

/* Reads nothing but the first bytes. Close *out in any case. */
int json_records_open(struct json_records *out, const char *path, enum json_records_kind kind);
void json_records_close(struct json_records *records);

/* The next record, an object, borrowed until the next call; *record is NULL at the end. */
int json_records_next(struct json_records *records, const struct cJSON **record);

/* 1 after an error that reading cannot go on from; after another one the next record can be read. */
int json_records_is_over(const struct json_records *records);

#endif
