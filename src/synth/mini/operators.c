/* Arithmetic, comparison, elements and slices. */
#include <string.h>

#include "base/core/try.h"
#include "synth/mini/run.h"

/* Floor division and the remainder of the divisor's sign, as in Python. */
static int divide(int64_t *out, struct mini_run *run, int op, int64_t a, int64_t b)
{
    if (b == 0) {
        return mini_raise(run, "ZeroDivisionError: integer %s by zero",
                          op == '/' ? "division or modulo" : "modulo");
    }
    if (a == INT64_MIN && b == -1) {
        return mini_raise(run, "OverflowError: a number beyond 64 bits");
    }
    int64_t quotient = a / b, rest = a % b;
    if (rest != 0 && (rest < 0) != (b < 0)) {
        quotient--;
        rest += b;
    }
    *out = op == '/' ? quotient : rest;
    return 0;
}

static int on_numbers(struct mini_value *out, struct mini_run *run, int op, int64_t a, int64_t b)
{
    int64_t number = 0;
    int over = 0;
    if (op == '+') {
        over = __builtin_add_overflow(a, b, &number);
    } else if (op == '-') {
        over = __builtin_sub_overflow(a, b, &number);
    } else if (op == '*') {
        over = __builtin_mul_overflow(a, b, &number);
    } else if (divide(&number, run, op, a, b)) {
        return 1;
    }
    if (over) {
        return mini_raise(run, "OverflowError: a number beyond 64 bits");
    }
    *out = mini_int(number);
    return 0;
}

static int join_strings(struct mini_value *out, struct mini_run *run, const struct mini_string *a,
                        const struct mini_string *b)
{
    char *bytes = arena_take(&run->arena, a->length + b->length + 1);
    if (bytes == NULL) {
        return mini_raise_fatal(run, "MemoryError: the program makes too many values");
    }
    memcpy(bytes, a->bytes, a->length);
    memcpy(bytes + a->length, b->bytes, b->length);
    return mini_string_make(out, run, bytes, a->length + b->length);
}

static int join_lists(struct mini_value *out, struct mini_run *run, const struct mini_list *a,
                      const struct mini_list *b)
{
    struct mini_value made;
    TRY(mini_list_make(&made, run, a->length + b->length));
    struct mini_list *list = made.as.list;
    memcpy(list->items, a->items, a->length * sizeof *a->items);
    memcpy(list->items + a->length, b->items, b->length * sizeof *b->items);
    list->length = a->length + b->length;
    *out = made;
    return 0;
}

/* A string or a list `times` over. */
static int repeat(struct mini_value *out, struct mini_run *run, const struct mini_value *what,
                  int64_t times)
{
    struct mini_value made;
    int text = what->type == MINI_T_STRING;
    if (text ? mini_string_make(&made, run, "", 0) : mini_list_make(&made, run, 0)) {
        return 1;
    }
    for (int64_t i = 0; i < times; i++) {
        if (mini_step(run) || (text ? join_strings(&made, run, made.as.string, what->as.string)
                                    : join_lists(&made, run, made.as.list, what->as.list))) {
            return 1;
        }
    }
    *out = made;
    return 0;
}

int mini_arithmetic(struct mini_value *out, struct mini_run *run, int op,
                    const struct mini_value *a, const struct mini_value *b)
{
    if (mini_is_number(a) && mini_is_number(b)) {
        return on_numbers(out, run, op, a->as.number, b->as.number);
    }
    if (op == '+' && a->type == MINI_T_STRING && b->type == MINI_T_STRING) {
        return join_strings(out, run, a->as.string, b->as.string);
    }
    if (op == '+' && a->type == MINI_T_LIST && b->type == MINI_T_LIST) {
        return join_lists(out, run, a->as.list, b->as.list);
    }
    if (op == '*' && mini_is_number(b) && (a->type == MINI_T_STRING || a->type == MINI_T_LIST)) {
        return repeat(out, run, a, b->as.number);
    }
    if (op == '*' && mini_is_number(a) && (b->type == MINI_T_STRING || b->type == MINI_T_LIST)) {
        return repeat(out, run, b, a->as.number);
    }
    return mini_raise(run, "TypeError: unsupported operand type(s) for %s: '%s' and '%s'",
                      op == '/' ? "//" : (const char[]){(char)op, '\0'}, mini_type_name(a),
                      mini_type_name(b));
}

static int contains(int *out, struct mini_run *run, const struct mini_value *all,
                    const struct mini_value *one)
{
    *out = 0;
    if (all->type == MINI_T_LIST) {
        for (size_t i = 0; !*out && i < all->as.list->length; i++) {
            TRY(mini_equal(out, run, &all->as.list->items[i], one, 0));
        }
        return 0;
    }
    if (all->type != MINI_T_STRING || one->type != MINI_T_STRING) {
        return mini_raise(run, "TypeError: argument of type '%s' is not iterable",
                          mini_type_name(all->type == MINI_T_STRING ? one : all));
    }
    *out = strstr(all->as.string->bytes, one->as.string->bytes) != NULL;
    return 0;
}

int mini_compare(struct mini_value *out, struct mini_run *run, enum mini_comparison op,
                 const struct mini_value *a, const struct mini_value *b)
{
    int yes = 0, sign = 0;
    if (op == MINI_EQ || op == MINI_NE) {
        TRY(mini_equal(&yes, run, a, b, 0));
        *out = mini_bool(yes == (op == MINI_EQ));
        return 0;
    }
    if (op == MINI_IN || op == MINI_NOT_IN) {
        TRY(contains(&yes, run, b, a));
        *out = mini_bool(yes == (op == MINI_IN));
        return 0;
    }
    TRY(mini_order(&sign, run, a, b, 0));
    *out = mini_bool(op == MINI_LT   ? sign < 0
                     : op == MINI_LE ? sign <= 0
                     : op == MINI_GT ? sign > 0
                                     : sign >= 0);
    return 0;
}

static size_t length_of(const struct mini_value *of)
{
    return of->type == MINI_T_STRING ? of->as.string->length : of->as.list->length;
}

/* The place an index names, negative ones from the end. */
static int place_of(size_t *out, struct mini_run *run, const struct mini_value *of,
                    const struct mini_value *index)
{
    if (of->type != MINI_T_STRING && of->type != MINI_T_LIST) {
        return mini_raise(run, "TypeError: '%s' object is not subscriptable", mini_type_name(of));
    }
    const char *kind = of->type == MINI_T_STRING ? "string" : "list";
    if (!mini_is_number(index)) {
        return mini_raise(run, "TypeError: %s indices must be integers", kind);
    }
    int64_t n = (int64_t)length_of(of), i = index->as.number;
    if (i < -n || i >= n) {
        return mini_raise(run, "IndexError: %s index out of range", kind);
    }
    *out = (size_t)(i < 0 ? i + n : i);
    return 0;
}

int mini_element(struct mini_value *out, struct mini_run *run, const struct mini_value *of,
                 const struct mini_value *index)
{
    size_t place = 0;
    TRY(place_of(&place, run, of, index));
    if (of->type == MINI_T_STRING) {
        return mini_string_make(out, run, of->as.string->bytes + place, 1);
    }
    *out = of->as.list->items[place];
    return 0;
}

int mini_element_set(struct mini_run *run, const struct mini_value *of,
                     const struct mini_value *index, const struct mini_value *value)
{
    size_t place = 0;
    if (of->type != MINI_T_LIST) {
        return mini_raise(run, "TypeError: '%s' object does not support item assignment",
                          mini_type_name(of));
    }
    TRY(place_of(&place, run, of, index));
    of->as.list->items[place] = *value;
    return 0;
}

/* An end of a slice, brought into 0..n. */
static int end_of(size_t *out, struct mini_run *run, const struct mini_value *end, size_t absent,
                  size_t n)
{
    *out = absent;
    if (end == NULL || end->type == MINI_T_NONE) {
        return 0;
    }
    if (!mini_is_number(end)) {
        return mini_raise(run, "TypeError: slice indices must be integers or None");
    }
    int64_t i = end->as.number, length = (int64_t)n;
    if (i < 0) {
        i = i < -length ? 0 : i + length;
    }
    *out = (size_t)(i > length ? length : i);
    return 0;
}

int mini_slice(struct mini_value *out, struct mini_run *run, const struct mini_value *of,
               const struct mini_value *from, const struct mini_value *to)
{
    size_t first = 0, last = 0;
    if (of->type != MINI_T_STRING && of->type != MINI_T_LIST) {
        return mini_raise(run, "TypeError: '%s' object is not subscriptable", mini_type_name(of));
    }
    TRY(end_of(&first, run, from, 0, length_of(of)));
    TRY(end_of(&last, run, to, length_of(of), length_of(of)));
    size_t length = last > first ? last - first : 0;
    if (of->type == MINI_T_STRING) {
        return mini_string_make(out, run, of->as.string->bytes + first, length);
    }
    TRY(mini_list_make(out, run, length));
    memcpy(out->as.list->items, of->as.list->items + first, length * sizeof *out->as.list->items);
    out->as.list->length = length;
    return 0;
}
