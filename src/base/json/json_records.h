/* Records of a data set, whichever way its JSON holds them. */
#ifndef REGRET_BASE_JSON_RECORDS_H
#define REGRET_BASE_JSON_RECORDS_H

#include <stddef.h>

#include "base/json/json_array.h"
#include "regret/json.h"

struct cJSON;

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
