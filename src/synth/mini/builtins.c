/* The functions built in. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "synth/mini/run.h"

typedef int builtin(struct mini_value *out, struct mini_run *run, const struct mini_value *a,
                    size_t n);

static int list_wanted(struct mini_run *run, const struct mini_value *value)
{
    return mini_raise(run, "TypeError: '%s' object is not iterable", mini_type_name(value));
}

static int number_wanted(struct mini_run *run, const struct mini_value *value)
{
    return mini_raise(run, "TypeError: '%s' object cannot be interpreted as an integer",
                      mini_type_name(value));
}

static int len(struct mini_value *out, struct mini_run *run, const struct mini_value *a, size_t n)
{
    (void)n;
    if (a->type != MINI_T_STRING && a->type != MINI_T_LIST) {
        return mini_raise(run, "TypeError: object of type '%s' has no len()", mini_type_name(a));
    }
    *out =
        mini_int((int64_t)(a->type == MINI_T_STRING ? a->as.string->length : a->as.list->length));
    return 0;
}

static int range(struct mini_value *out, struct mini_run *run, const struct mini_value *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!mini_is_number(&a[i])) {
            return number_wanted(run, &a[i]);
        }
    }
    int64_t from = n == 1 ? 0 : a[0].as.number, to = n == 1 ? a[0].as.number : a[1].as.number;
    int64_t step = n == 3 ? a[2].as.number : 1;
    struct mini_value made;
    if (step == 0) {
        return mini_raise(run, "ValueError: range() arg 3 must not be zero");
    }
    TRY(mini_list_make(&made, run, 0));
    for (int64_t i = from; step > 0 ? i < to : i > to;) {
        TRY(mini_step(run));
        TRY(mini_list_append(run, made.as.list, mini_int(i)));
        if (__builtin_add_overflow(i, step, &i)) {
            break;
        }
    }
    *out = made;
    return 0;
}

/* The extreme of a list or of the arguments: the first of equal ones. */
static int extreme(struct mini_value *out, struct mini_run *run, const struct mini_value *a,
                   size_t n, int sign, const char *name)
{
    if (n == 1 && a->type != MINI_T_LIST) {
        return list_wanted(run, a);
    }
    const struct mini_value *items = n == 1 ? a->as.list->items : a;
    size_t count = n == 1 ? a->as.list->length : n;
    if (count == 0) {
        return mini_raise(run, "ValueError: %s() arg is an empty sequence", name);
    }
    *out = items[0];
    for (size_t i = 1; i < count; i++) {
        int order = 0;
        TRY(mini_order(&order, run, &items[i], out, 0));
        if (sign * order > 0) {
            *out = items[i];
        }
    }
    return 0;
}

static int min(struct mini_value *out, struct mini_run *run, const struct mini_value *a, size_t n)
{
    return extreme(out, run, a, n, -1, "min");
}

static int max(struct mini_value *out, struct mini_run *run, const struct mini_value *a, size_t n)
{
    return extreme(out, run, a, n, 1, "max");
}

static int absolute(struct mini_value *out, struct mini_run *run, const struct mini_value *a,
                    size_t n)
{
    (void)n;
    if (!mini_is_number(a)) {
        return mini_raise(run, "TypeError: bad operand type for abs(): '%s'", mini_type_name(a));
    }
    if (a->as.number == INT64_MIN) {
        return mini_raise(run, "OverflowError: a number beyond 64 bits");
    }
    *out = mini_int(a->as.number < 0 ? -a->as.number : a->as.number);
    return 0;
}

static int sum(struct mini_value *out, struct mini_run *run, const struct mini_value *a, size_t n)
{
    (void)n;
    if (a->type != MINI_T_LIST) {
        return list_wanted(run, a);
    }
    struct mini_value total = mini_int(0);
    for (size_t i = 0; i < a->as.list->length; i++) {
        TRY(mini_step(run));
        TRY(mini_arithmetic(&total, run, '+', &total, &a->as.list->items[i]));
    }
    *out = total;
    return 0;
}

static int str(struct mini_value *out, struct mini_run *run, const struct mini_value *a, size_t n)
{
    (void)n;
    struct regret_buffer t = REGRET_BUFFER_INIT;
    int raised = mini_write(&t, run, a, 1, 0);
    if (regret_buffer_status(&t) != REGRET_OK) {
        run->arena.status = regret_buffer_status(&t);
        raised = mini_raise_fatal(run, "MemoryError: no memory");
    }
    raised = raised || mini_string_make(out, run, regret_buffer_get(&t), t.length);
    regret_buffer_free(&t);
    return raised;
}

static int integer(struct mini_value *out, struct mini_run *run, const struct mini_value *a,
                   size_t n)
{
    (void)n;
    if (mini_is_number(a)) {
        *out = mini_int(a->as.number);
        return 0;
    }
    if (a->type != MINI_T_STRING) {
        return mini_raise(run, "TypeError: int() argument must be a string or a number, not '%s'",
                          mini_type_name(a));
    }
    const char *text = a->as.string->bytes;
    const char *digits = text + (*text == '-' || *text == '+');
    char *end = NULL;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (*digits < '0' || *digits > '9' || *end != '\0' || errno != 0) {
        return mini_raise(run, "ValueError: invalid literal for int() with base 10: '%s'", text);
    }
    *out = mini_int(number);
    return 0;
}

static int boolean(struct mini_value *out, struct mini_run *run, const struct mini_value *a,
                   size_t n)
{
    (void)n;
    (void)run;
    *out = mini_bool(mini_truth(a));
    return 0;
}

/* A new list of the elements of a list, or of the characters of a string. */
static int list(struct mini_value *out, struct mini_run *run, const struct mini_value *a, size_t n)
{
    (void)n;
    struct mini_value made;
    if (a->type == MINI_T_LIST) {
        return mini_slice(out, run, a, NULL, NULL);
    }
    if (a->type != MINI_T_STRING) {
        return list_wanted(run, a);
    }
    TRY(mini_list_make(&made, run, a->as.string->length));
    for (size_t i = 0; i < a->as.string->length; i++) {
        struct mini_value one;
        TRY(mini_string_make(&one, run, a->as.string->bytes + i, 1));
        TRY(mini_list_append(run, made.as.list, one));
    }
    *out = made;
    return 0;
}

static int reversed(struct mini_value *out, struct mini_run *run, const struct mini_value *a,
                    size_t n)
{
    TRY(list(out, run, a, n));
    struct mini_list *made = out->as.list;
    for (size_t i = 0, j = made->length; i + 1 < j; i++) {
        struct mini_value held = made->items[i];
        made->items[i] = made->items[--j];
        made->items[j] = held;
    }
    return 0;
}

/* Insertion sort: stable, and every comparison is a step. */
static int sorted(struct mini_value *out, struct mini_run *run, const struct mini_value *a,
                  size_t n)
{
    TRY(list(out, run, a, n));
    struct mini_value *items = out->as.list->items;
    for (size_t i = 1; i < out->as.list->length; i++) {
        struct mini_value held = items[i];
        size_t j = i;
        for (; j > 0; j--) {
            int order = 0;
            TRY(mini_order(&order, run, &held, &items[j - 1], 0));
            if (order >= 0) {
                break;
            }
            items[j] = items[j - 1];
        }
        items[j] = held;
    }
    return 0;
}

static int ordinal(struct mini_value *out, struct mini_run *run, const struct mini_value *a,
                   size_t n)
{
    (void)n;
    if (a->type != MINI_T_STRING || a->as.string->length != 1) {
        return mini_raise(run, "TypeError: ord() expected a character");
    }
    *out = mini_int((unsigned char)a->as.string->bytes[0]);
    return 0;
}

static int character(struct mini_value *out, struct mini_run *run, const struct mini_value *a,
                     size_t n)
{
    (void)n;
    if (!mini_is_number(a)) {
        return number_wanted(run, a);
    }
    if (a->as.number < 32 || a->as.number > 126) {
        return mini_raise(run, "ValueError: chr() arg not in range(32, 127)");
    }
    const char byte = (char)a->as.number;
    return mini_string_make(out, run, &byte, 1);
}

static int print(struct mini_value *out, struct mini_run *run, const struct mini_value *a, size_t n)
{
    (void)run;
    (void)a;
    (void)n;
    *out = mini_none();
    return 0;
}

static const struct {
    const char *name;
    size_t least, most;
    builtin *call;
} table[] = {
    {"len", 1, 1, len},
    {"range", 1, 3, range},
    {"min", 1, MINI_MAX_PARAMETERS, min},
    {"max", 1, MINI_MAX_PARAMETERS, max},
    {"abs", 1, 1, absolute},
    {"sum", 1, 1, sum},
    {"str", 1, 1, str},
    {"int", 1, 1, integer},
    {"bool", 1, 1, boolean},
    {"list", 1, 1, list},
    {"reversed", 1, 1, reversed},
    {"sorted", 1, 1, sorted},
    {"ord", 1, 1, ordinal},
    {"chr", 1, 1, character},
    {"print", 0, MINI_MAX_PARAMETERS, print},
};

int mini_builtin(struct mini_value *out, struct mini_run *run, const char *name,
                 const struct mini_value *arguments, size_t n)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(table[i].name, name) != 0) {
            continue;
        }
        if (n < table[i].least || n > table[i].most) {
            return mini_raise(run, "TypeError: %s() got %zu arguments", name, n);
        }
        return table[i].call(out, run, arguments, n);
    }
    return -1;
}

int mini_is_builtin(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return 1;
        }
    }
    return 0;
}
