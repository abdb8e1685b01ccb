/* Lines of JSONL, parsed by threads and handed over in order. Of base, and of readers of many lines. */
#ifndef REGRET_BASE_JSONL_EACH_H
#define REGRET_BASE_JSONL_EACH_H

#include <stddef.h>

#include "regret/json.h"

struct cJSON;

/* Told of one line: an object, borrowed. What it fails with ends the reading. */
typedef int jsonl_line(void *context, const struct cJSON *object, struct regret_place at);

/* Tells `line` of all that are left, counted in *n; a line that is no object is refused. Of several
 * faults the first line's is told. Memory is that of some MiB of lines, or of the longest one. */
int jsonl_each(size_t *n, struct regret_jsonl *lines, enum regret_json_mode mode, size_t threads,
               jsonl_line *line, void *context);

#endif
