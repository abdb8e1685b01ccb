/* Lines of JSONL, parsed by threads and handed over in order. Of base, and of readers of many lines. */
#ifndef REGRET_BASE_JSONL_EACH_H
#define REGRET_BASE_JSONL_EACH_H

#include <stddef.h>

#include "regret/json.h"

struct cJSON;

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

#endif
