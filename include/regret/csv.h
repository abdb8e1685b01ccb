/* CSV as RFC 4180 has it, streamed: records of any number of fields, read in bounded memory.
 *
 *   - fields are separated by one byte, records end with LF or CRLF, the last one may lack its end;
 *   - a field that begins with a quote runs to the next single quote and may hold separators, line
 *     ends and quotes, the latter doubled;
 *   - a UTF-8 byte order mark at the beginning and empty lines between records are skipped;
 *   - white space is part of the field, unless `trim` says otherwise.
 * What RFC 4180 does not allow is an error that names the line: a quote inside an unquoted field,
 * anything but a separator or line end after a closing quote, a carriage return alone outside
 * quotes, a quote that is never closed. Bytes are not otherwise looked at: encodings and zero bytes
 * are the caller's to check. */
#ifndef REGRET_CSV_H
#define REGRET_CSV_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/status.h"

struct regret_csv_options {
    char separator;    /* not a quote, CR or LF */
    size_t chunk;      /* bytes asked for at a time, at least 1 */
    size_t max_record; /* bytes of the longest record allowed: a quote that is never closed is
                          noticed here, not when memory is full */
    size_t max_fields; /* of a record */
    int stray_quotes;  /* 1: a quote that RFC 4180 does not allow is text, and with it the field
                          that it begins, as tab-separated files in the wild have it */
    int trim;          /* 1: blanks around fields, those within quotes aside, are none of them */
};
#define REGRET_CSV_OPTIONS_INIT                                                                    \
    {                                                                                              \
        ',', (size_t)256 << 10, (size_t)256 << 20, (size_t)1 << 16, 0, 0                           \
    }

struct regret_csv; /* opaque */

/* Where bytes come from: puts at most `most` of them at `to` and returns their number, 0 at the
 * end, or a negative code with its message set. */
typedef long (*regret_csv_source)(void *context, char *to, size_t most);

/* Opens a file, or a source called `name` in messages. `options` may be NULL. */
REGRET_API int regret_csv_open(struct regret_csv **out, const char *path,
                               const struct regret_csv_options *options);
REGRET_API int regret_csv_open_source(struct regret_csv **out, regret_csv_source source,
                                      void *context, const char *name,
                                      const struct regret_csv_options *options);
REGRET_API void regret_csv_close(struct regret_csv *csv); /* NULL is fine */

/* Reads the next record: *n_fields >= 1, or 0 at the end of the file. Fields stay valid until the
 * next call. REGRET_E_INPUT: the record is malformed ("FILE:LINE: …"); reading may go on and
 * resumes after the line where the fault was found (after the end, for a quote never closed). Other
 * errors are final, and so is a record longer than max_record. Memory is that of the longest record
 * and one chunk. */
REGRET_API int regret_csv_next(struct regret_csv *csv, size_t *n_fields);

/* Field i (below *n_fields) of the record at hand, quotes resolved, ended by a zero that is not
 * counted in *length (may be NULL). Resolving is done in place when first asked for, so that fields
 * nobody asks for cost nothing. */
REGRET_API const char *regret_csv_field(size_t *length, struct regret_csv *csv, size_t i);

/* The line the record at hand (or the malformed one) begins on, from 1, and its first byte's offset
 * in the file. */
REGRET_API size_t regret_csv_line(const struct regret_csv *csv);
REGRET_API uint64_t regret_csv_offset(const struct regret_csv *csv);
/* 1 after an error that reading cannot go on from. */
REGRET_API int regret_csv_is_over(const struct regret_csv *csv);

/* Appends a whole text of CSV (RFC 4180, separated by commas) with an apostrophe before every field
 * that a spreadsheet would take for a formula: one that begins with =, +, -, @, a tab or a carriage
 * return and is no number. */
REGRET_API void regret_csv_guard(struct regret_buffer *out, const char *text, size_t length);

#endif
