/* The reader of documents, for texts that begin in the middle of a line. */
#ifndef REGRET_BASE_JSON_PARSE_H
#define REGRET_BASE_JSON_PARSE_H

#include <stddef.h>

#include "regret/json.h"

struct cJSON;

/* As regret_json_parse_mode(), of a text whose first byte stands in this column of its line, from 1:
 * faults of the text are told with line and column, "FILE:LINE:COLUMN: …". */
int json_parse_from(struct cJSON **out, const char *text, size_t length, struct regret_place at,
                    size_t column, enum regret_json_mode mode);

/* REGRET_E_INPUT with "FILE:LINE:COLUMN: …" for a byte of a text that begins on line at.line (0: line 1), in
 * this column. Linear in the text before the byte. */
int json_error_at(struct regret_place at, size_t column, const char *text, const char *where,
                  const char *format, ...) REGRET_PRINTF(5, 6);

#endif
