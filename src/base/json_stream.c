#include "base/json_stream.h"

#include <cJSON.h>

#include "base/try.h"

int json_stream_open(struct json_stream *out, const char *path)
{
    *out = (struct json_stream){0};
    TRY(regret_jsonl_open(&out->lines, path));
    regret_jsonl_set_mode(out->lines, REGRET_JSON_IMPORT);
    if (regret_jsonl_peek(out->lines) == '[') {
        out->array = (struct json_array){.reader = out->lines, .path = path};
    }
    return REGRET_OK;
}

void json_stream_close(struct json_stream *s)
{
    regret_jsonl_close(s->lines);
    *s = (struct json_stream){0};
}

static int next_line(struct json_stream *s, cJSON **value, struct regret_place *at)
{
    int rc = regret_jsonl_next(s->lines, value, at);
    s->over = rc != REGRET_OK && regret_jsonl_is_over(s->lines);
    return rc;
}

static int next_element(struct json_stream *s, cJSON **value, struct regret_place *at)
{
    int rc = json_array_next_value(&s->array, value, at);
    s->over = rc != REGRET_OK && s->array.state == JSON_ARRAY_OVER;
    return rc;
}

static int check_object(const struct json_stream *s, const cJSON *value, struct regret_place at)
{
    return s->array.reader == NULL ? regret_jsonl_check_object(value, at)
           : cJSON_IsObject(value)
               ? REGRET_OK
               : regret_json_error(at, "an element of the array must be an object in braces");
}

int json_stream_next(struct json_stream *s, cJSON **object, struct regret_place *at)
{
    cJSON *value = NULL;
    *object = NULL;
    TRY(s->array.reader != NULL ? next_element(s, &value, at) : next_line(s, &value, at));
    int rc = value != NULL ? check_object(s, value, *at) : REGRET_OK;
    if (rc != REGRET_OK) {
        cJSON_Delete(value);
        value = NULL;
    }
    *object = value;
    return rc;
}
