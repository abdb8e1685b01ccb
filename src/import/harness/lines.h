/* The lines of a file of samples, parsed by all threads and handed over in order. */
#ifndef REGRET_IMPORT_HARNESS_LINES_H
#define REGRET_IMPORT_HARNESS_LINES_H

#include "base/json/jsonl_each.h"

struct harness;
struct source;

/* Reads the member at hand as JSONL (REGRET_JSON_IMPORT); a line that is no object is refused. Memory is that of some MiB of lines, or of
 * the longest one. A file without a line is told in the report of h (NULL: in none). */
int harness_lines(struct harness *h, struct source *source, jsonl_line *line, void *context);

#endif
