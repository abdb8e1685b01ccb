/* JSON Lines: record by record, in parallel, piece by piece. */
#ifndef BASE_JSONL_H
#define BASE_JSONL_H

#include <stddef.h>

#include "base/json.h"

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

/* Told of one line, an object, borrowed, whose number from 0 is `row`, by any thread: it knows nothing of the others. What it fails with
 * ends the reading. */
typedef int jsonl_row(void *context, size_t row, const struct cJSON *object,
                      struct regret_place at);

struct jsonl_taker {
    void *context;
    jsonl_row *row;
    int (*reserve)(void *context, size_t rows); /* makes room for so many in all */
};

/* Takes all lines that are left, counted in *n; one that is no object is refused. Of several faults the first line's is
 * told. Memory is that of some MiB of lines, or of the longest one. */
int jsonl_each(size_t *n, struct regret_jsonl *lines, enum regret_json_mode mode, size_t threads,
               const struct jsonl_taker *taker);

/* Where somebody is who reads a text piece by piece. */
struct json_cursor {
    struct regret_jsonl *reader; /* nothing of it handed out yet; borrowed */
    struct regret_place at;      /* of the next byte; line 0 before the first; `file` is borrowed */
    size_t column;               /* of it, from 1 */
};

/* Past a byte order mark, to line 1. */
void json_cursor_begin(struct json_cursor *c);
/* Hands out the next n bytes, which were read, and counts the lines and columns that they take; they stay where they are until more is
 * read. */
void json_cursor_take(struct json_cursor *c, size_t n);
/* The next byte that is not white space, not handed out; -1 at the end of the file. */
int json_cursor_peek(int *byte, struct json_cursor *c);
/* Looks for the end of the value that the next byte begins, *length bytes on; *end is the byte after it, one of `ends`, 0 where the file
 * ends first. REGRET_E_INPUT: more than REGRET_JSONL_MAX_LINE bytes of `what`. */
int json_cursor_find_end(size_t *length, char *end, struct json_cursor *c, const char *ends,
                         const char *what);

#endif
