/* JSON documents: parsed, with the place of what is wrong. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stddef.h>

#include "regret/status.h"

/* Untrusted JSON: parsed by cJSON behind checks of size, depth, UTF-8 and duplicate keys, read
 * field by field with messages that name file, line and field. */

struct cJSON;

/* Where a value came from, for messages: "FILE:LINE" (line 0: "FILE"). */
struct regret_place {
    const char *file; /* borrowed */
    size_t line;      /* from 1; 0 where there is no line */
};

enum {
    REGRET_JSON_MAX_DEPTH = 64,        /* nested arrays and objects */
    REGRET_JSON_MAX_BYTES = 256 << 20, /* a whole JSON file */
    REGRET_JSONL_MAX_LINE = 64 << 20   /* one line of a JSONL file */
};

/* REGRET_E_INPUT with "FILE:LINE: …". */
int regret_json_error(struct regret_place at, const char *format, ...) REGRET_PRINTF(2, 3);

/* How strict the parser is. */
enum regret_json_mode {
    REGRET_JSON_STRICT, /* as RFC 8259 has it */
    REGRET_JSON_IMPORT  /* as other programs write it: NaN, Infinity and -Infinity are read as
                           null; \u0000 and halves of surrogate pairs as U+FFFD */
};

/* Parses `length` bytes. Refuses invalid UTF-8, more than REGRET_JSON_MAX_DEPTH levels, NaN and
 * Infinity, numbers that JSON does not have (03, 1.), of more than 63 bytes or that a double cannot hold,
 * trailing text, zero characters, halves of surrogate pairs and (in objects) a key given twice. Free the
 * value with cJSON_Delete(). What is not JSON is told with its line and column, "FILE:LINE:COLUMN: …":
 * the text's first line is at.line (0: 1), columns are characters from 1; what is wrong with values is
 * told at `at`. Linear in the text, but for the sorting of objects with many keys. */
int regret_json_parse(struct cJSON **out, const char *text, size_t length, struct regret_place at);
int regret_json_parse_mode(struct cJSON **out, const char *text, size_t length,
                           struct regret_place at, enum regret_json_mode mode);

/* A whole file of at most REGRET_JSON_MAX_BYTES. Files compressed by gzip, bzip2, xz or zstd are unpacked on the way, here and by the
 * readers of JSONL and CSV; what then unpacks to 1000 times its size is refused. UTF-16 is refused with the
 * way to convert it. */
int regret_json_read_file(struct cJSON **out, const char *path);
int regret_json_read_file_mode(struct cJSON **out, const char *path, enum regret_json_mode mode);

/* Fields of an object. `get_` functions demand the field and its type; `optional_` ones leave *out
 * as it is when the field is absent or null. Strings are borrowed from the value. Numbers must be
 * finite; integers whole and within [low, high]. */
int regret_json_get_object(const struct cJSON **out, const struct cJSON *object, const char *field,
                           struct regret_place at);
int regret_json_get_array(const struct cJSON **out, const struct cJSON *object, const char *field,
                          struct regret_place at);
int regret_json_get_string(const char **out, const struct cJSON *object, const char *field,
                           struct regret_place at);
int regret_json_get_number(double *out, const struct cJSON *object, const char *field,
                           struct regret_place at);
int regret_json_get_integer(long long *out, const struct cJSON *object, const char *field,
                            long long low, long long high, struct regret_place at);
int regret_json_optional_string(const char **out, const struct cJSON *object, const char *field,
                                struct regret_place at);
int regret_json_optional_number(double *out, const struct cJSON *object, const char *field,
                                struct regret_place at);
int regret_json_optional_integer(long long *out, const struct cJSON *object, const char *field,
                                 long long low, long long high, struct regret_place at);

/* Refuses any key of `object` that is not among the `n` known ones and suggests the nearest. */
int regret_json_check_keys(const struct cJSON *object, const char *const *known, size_t n,
                           struct regret_place at);

/* JSONL, one value a line, streamed. Blank lines are skipped. */
struct regret_jsonl; /* opaque */
int regret_jsonl_open(struct regret_jsonl **out, const char *path);
/* Before the first line is read: the first byte that is not white space, 0 where the file's first
 * 64 KiB have none. */
char regret_jsonl_peek(const struct regret_jsonl *reader);
/* The next value, read as REGRET_JSON_STRICT does, in *value (free with cJSON_Delete()), or NULL at the end of the file; `at` (may be
 * NULL) gets its place, whose `file` is borrowed from the reader. */
int regret_jsonl_next(struct regret_jsonl *reader, struct cJSON **value, struct regret_place *at);
/* The next line that is not blank, as raw text without its end, borrowed until the next call; *line
 * is NULL at the end of the file. For readers that parse by themselves. */
int regret_jsonl_next_line(struct regret_jsonl *reader, const char **line, size_t *length,
                           struct regret_place *at);
/* REGRET_E_INPUT unless the value of a line is an object; an array is told what JSONL is. */
int regret_jsonl_check_object(const struct cJSON *value, struct regret_place at);
void regret_jsonl_close(struct regret_jsonl *reader); /* NULL is fine */

/* The reader of documents, for texts that begin in the middle of a line. */

/* As regret_json_parse_mode(), of a text whose first byte stands in this column of its line, from 1:
 * faults of the text are told with line and column, "FILE:LINE:COLUMN: …". */
int json_parse_from(struct cJSON **out, const char *text, size_t length, struct regret_place at,
                    size_t column, enum regret_json_mode mode);

/* REGRET_E_INPUT with "FILE:LINE:COLUMN: …" for a byte of a text that begins on line at.line (0: line 1), in
 * this column. Linear in the text before the byte. */
int json_error_at(struct regret_place at, size_t column, const char *text, const char *where,
                  const char *format, ...) REGRET_PRINTF(5, 6);

/* Names, ids and words, which JSON may hold as numbers. */

enum { JSON_SCRATCH = 32 }; /* bytes of a number as text */

/* A text, a number or a boolean as text, in `scratch` or borrowed; NULL for others and for none. A number is what stands in the
 * file, byte for byte (of documents read by REGRET_JSON_IMPORT: 9007199254740993, 1.0, 1e3). */
const char *json_text(char scratch[JSON_SCRATCH], const struct cJSON *value);

#endif
