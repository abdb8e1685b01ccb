/* Objects one after the other: JSONL, or a JSON array of them, told by the first character. */
#ifndef REGRET_BASE_JSON_STREAM_H
#define REGRET_BASE_JSON_STREAM_H

#include "base/json_array.h"

struct cJSON;

/* Reads as REGRET_JSON_IMPORT does, in the memory of one line or element. Here every object is a record, also one that
 * holds nothing but objects (base/json_records.h takes that for a set of them). */
struct json_stream {
    struct regret_jsonl *lines; /* owned */
    struct json_array array;    /* of an array, whose reader is then `lines` */
    int over;                   /* 1 after an error that reading cannot go on from */
};

/* Close *out in any case. */
int json_stream_open(struct json_stream *out, const char *path);
void json_stream_close(struct json_stream *stream);

/* The next object, to be freed with cJSON_Delete(), NULL at the end; `at` is where it begins. */
int json_stream_next(struct json_stream *stream, struct cJSON **object, struct regret_place *at);

#endif
