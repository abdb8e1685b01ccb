/* Making, comparing and writing values. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "synth/mini/run.h"

enum { VALUE_DEPTH = 20, WRITTEN_BYTES = 4096 };

int mini_raise(struct mini_run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->error, sizeof run->error, format, arguments);
    va_end(arguments);
    return 1;
}

int mini_raise_fatal(struct mini_run *run, const char *what)
{
    run->fatal = 1;
    return mini_raise(run, "%s", what);
}

int mini_step(struct mini_run *run)
{
    if (run->steps >= run->limits.steps) {
        return mini_raise_fatal(run, "TimeoutError: the program does not end");
    }
    run->steps++;
    return 0;
}

struct mini_value mini_none(void)
{
    return (struct mini_value){.type = MINI_T_NONE};
}

struct mini_value mini_int(int64_t number)
{
    return (struct mini_value){.type = MINI_T_INT, .as.number = number};
}

struct mini_value mini_bool(int yes)
{
    return (struct mini_value){.type = MINI_T_BOOL, .as.number = yes != 0};
}

static void *take(struct mini_run *run, size_t bytes)
{
    void *out = arena_take(&run->arena, bytes);
    if (out == NULL) {
        mini_raise_fatal(run, "MemoryError: the program makes too many values");
    }
    return out;
}

int mini_string_make(struct mini_value *out, struct mini_run *run, const char *bytes, size_t length)
{
    struct mini_string *made = take(run, sizeof *made + length + 1);
    if (made == NULL) {
        return 1;
    }
    made->length = length;
    memcpy(made->bytes, bytes, length);
    *out = (struct mini_value){.type = MINI_T_STRING, .as.string = made};
    return 0;
}

int mini_list_make(struct mini_value *out, struct mini_run *run, size_t capacity)
{
    struct mini_list *made = take(run, sizeof *made);
    if (made == NULL) {
        return 1;
    }
    if (capacity > SIZE_MAX / sizeof *made->items) {
        return mini_raise_fatal(run, "MemoryError: the program makes too many values");
    }
    made->items = take(run, capacity * sizeof *made->items);
    if (made->items == NULL) {
        return 1;
    }
    made->capacity = capacity;
    *out = (struct mini_value){.type = MINI_T_LIST, .as.list = made};
    return 0;
}

int mini_list_append(struct mini_run *run, struct mini_list *list, struct mini_value item)
{
    if (list->length == list->capacity) {
        size_t capacity = list->capacity < 4 ? 8 : 2 * list->capacity;
        struct mini_value *items = take(run, capacity * sizeof *items);
        if (items == NULL) {
            return 1;
        }
        memcpy(items, list->items, list->length * sizeof *items);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->length++] = item;
    return 0;
}

int mini_is_number(const struct mini_value *value)
{
    return value->type == MINI_T_INT || value->type == MINI_T_BOOL;
}

int mini_truth(const struct mini_value *value)
{
    switch (value->type) {
    case MINI_T_NONE:
        return 0;
    case MINI_T_BOOL:
    case MINI_T_INT:
        return value->as.number != 0;
    case MINI_T_STRING:
        return value->as.string->length > 0;
    case MINI_T_LIST:
        return value->as.list->length > 0;
    }
    return 0;
}

const char *mini_type_name(const struct mini_value *value)
{
    static const char *const names[] = {"NoneType", "bool", "int", "str", "list"};
    return names[value->type];
}

/* A step of the comparison of two values that are `depth` lists deep. */
static int step_into(struct mini_run *run, int depth)
{
    TRY(mini_step(run));
    if (depth > VALUE_DEPTH) {
        return mini_raise_fatal(run, "RecursionError: maximum recursion depth exceeded");
    }
    return 0;
}

int mini_equal(int *out, struct mini_run *run, const struct mini_value *a,
               const struct mini_value *b, int depth)
{
    TRY(step_into(run, depth));
    if (mini_is_number(a) && mini_is_number(b)) {
        *out = a->as.number == b->as.number;
        return 0;
    }
    *out = a->type == b->type;
    if (!*out || a->type == MINI_T_NONE) {
        return 0;
    }
    if (a->type == MINI_T_STRING) {
        *out = a->as.string->length == b->as.string->length &&
               memcmp(a->as.string->bytes, b->as.string->bytes, a->as.string->length) == 0;
        return 0;
    }
    const struct mini_list *x = a->as.list, *y = b->as.list;
    *out = x->length == y->length;
    for (size_t i = 0; *out && i < x->length; i++) {
        TRY(mini_equal(out, run, &x->items[i], &y->items[i], depth + 1));
    }
    return 0;
}

static int order_lists(int *out, struct mini_run *run, const struct mini_list *x,
                       const struct mini_list *y, int depth)
{
    for (size_t i = 0; i < x->length && i < y->length; i++) {
        int same = 0;
        TRY(mini_equal(&same, run, &x->items[i], &y->items[i], depth + 1));
        if (!same) {
            return mini_order(out, run, &x->items[i], &y->items[i], depth + 1);
        }
    }
    *out = (x->length > y->length) - (x->length < y->length);
    return 0;
}

int mini_order(int *out, struct mini_run *run, const struct mini_value *a,
               const struct mini_value *b, int depth)
{
    TRY(step_into(run, depth));
    if (mini_is_number(a) && mini_is_number(b)) {
        *out = (a->as.number > b->as.number) - (a->as.number < b->as.number);
        return 0;
    }
    if (a->type == MINI_T_STRING && b->type == MINI_T_STRING) {
        size_t n = a->as.string->length, m = b->as.string->length;
        int sign = memcmp(a->as.string->bytes, b->as.string->bytes, n < m ? n : m);
        *out = sign != 0 ? sign : (n > m) - (n < m);
        return 0;
    }
    if (a->type == MINI_T_LIST && b->type == MINI_T_LIST) {
        return order_lists(out, run, a->as.list, b->as.list, depth);
    }
    return mini_raise(run, "TypeError: '<' not supported between instances of '%s' and '%s'",
                      mini_type_name(a), mini_type_name(b));
}

static int write_list(struct regret_buffer *t, struct mini_run *run, const struct mini_list *list,
                      int depth)
{
    regret_buffer_append_char(t, '[');
    for (size_t i = 0; i < list->length; i++) {
        regret_buffer_append(t, i == 0 ? "" : ", ");
        TRY(mini_write(t, run, &list->items[i], 0, depth + 1));
    }
    regret_buffer_append_char(t, ']');
    return 0;
}

int mini_write(struct regret_buffer *t, struct mini_run *run, const struct mini_value *value,
               int plain, int depth)
{
    TRY(mini_step(run));
    if (depth > VALUE_DEPTH || t->length > WRITTEN_BYTES) {
        return mini_raise_fatal(run, "MemoryError: a value too large to write");
    }
    switch (value->type) {
    case MINI_T_NONE:
        regret_buffer_append(t, "None");
        break;
    case MINI_T_BOOL:
        regret_buffer_append(t, value->as.number != 0 ? "True" : "False");
        break;
    case MINI_T_INT:
        regret_buffer_printf(t, "%" PRId64, value->as.number);
        break;
    case MINI_T_STRING: {
        /* Without escapes a string holds at most one kind of quotes. */
        const struct mini_string *string = value->as.string;
        const char *quote = memchr(string->bytes, '\'', string->length) != NULL ? "\"" : "'";
        regret_buffer_append(t, plain ? "" : quote);
        regret_buffer_append_n(t, string->bytes, string->length);
        regret_buffer_append(t, plain ? "" : quote);
        break;
    }
    case MINI_T_LIST:
        return write_list(t, run, value->as.list, depth);
    }
    return 0;
}
