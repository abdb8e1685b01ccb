/* The lines of a file of samples, parsed by all threads and handed over in order. */
#ifndef REGRET_IMPORT_HARNESS_LINES_H
#define REGRET_IMPORT_HARNESS_LINES_H

#include "regret/json.h"

struct cJSON;
struct harness;
struct source;

/* Told of one line: an object, borrowed. What it fails with ends the reading. */
typedef int harness_line(void *context, const struct cJSON *object, struct regret_place at);

/* Reads the member at hand as JSONL (REGRET_JSON_IMPORT); a line that is no object is refused. Memory is that of some MiB of lines, or of
 * the longest one. A file without a line is told in the report of h (NULL: in none). */
int harness_lines(struct harness *h, struct source *source, harness_line *line, void *context);

#endif
