#include "base/text/json_list.h"

void json_list(struct regret_buffer *t, size_t n, json_item *put, const void *of)
{
    regret_buffer_append_char(t, '[');
    for (size_t i = 0; i < n; i++) {
        regret_buffer_append(t, i > 0 ? "," : "");
        put(t, of, i);
    }
    regret_buffer_append_char(t, ']');
}

static void put_string(struct regret_buffer *t, const void *of, size_t i)
{
    regret_buffer_json_string(t, ((const char *const *)of)[i]);
}

void json_strings(struct regret_buffer *t, const char *const *text, size_t n)
{
    json_list(t, n, put_string, text);
}

static void put_number(struct regret_buffer *t, const void *of, size_t i)
{
    regret_buffer_json_number(t, ((const double *)of)[i]);
}

void json_numbers(struct regret_buffer *t, const double *number, size_t n)
{
    json_list(t, n, put_number, number);
}
