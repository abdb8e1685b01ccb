/* The bytes of a reader of JSONL before they are lines. Of base alone. */
#ifndef REGRET_BASE_JSONL_BYTES_H
#define REGRET_BASE_JSONL_BYTES_H

#include <stddef.h>

#include "regret/json.h"

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

/* Parses a line, as regret_jsonl_next() does. */
int jsonl_parse(struct cJSON **value, const char *line, size_t length, struct regret_place at,
                enum regret_json_mode mode);

#endif
