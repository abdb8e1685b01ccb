/* The good outputs of a context as one text: several stand one after the other, a byte between them that UTF-8 has not. */
#ifndef REGRET_IMPORT_REFERENCES_H
#define REGRET_IMPORT_REFERENCES_H

#include "regret/buffer.h"

/* Appends one; the first goes into an empty buffer. */
void references_append(struct regret_buffer *references, const char *text);
/* Appends every text of a JSON list, or the one that it is; whatever is no text is passed over. */
struct cJSON;
void references_append_json(struct regret_buffer *references, const struct cJSON *value);

/* What a buffer has: NULL of none. */
const char *references_get(const struct regret_buffer *references);

/* The bytes of the first. */
size_t references_first(const char *references);
/* regret_metric_score_any() of them all. */
int references_score(double *out, const char *metric, const char *output, const char *references);

#endif
