/* The methods of strings and lists. */
#include <string.h>

#include "base/core/try.h"
#include "synth/mini/run.h"

static int upper_letter(char c)
{
    return c >= 'A' && c <= 'Z';
}

static int lower_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

static int digit(char c)
{
    return c >= '0' && c <= '9';
}

/* upper, lower */
static int change_case(struct mini_value *out, struct mini_run *run, const struct mini_string *s,
                       int up)
{
    TRY(mini_string_make(out, run, s->bytes, s->length));
    char *bytes = out->as.string->bytes;
    for (size_t i = 0; i < s->length; i++) {
        if (up ? lower_letter(bytes[i]) : upper_letter(bytes[i])) {
            bytes[i] = (char)(bytes[i] ^ 0x20);
        }
    }
    return 0;
}

/* isdigit, isalpha, isupper, islower: every character is one, and there is one. */
static struct mini_value all_are(const struct mini_string *s, char what)
{
    int yes = s->length > 0, cased = 0;
    for (size_t i = 0; i < s->length && yes; i++) {
        int up = upper_letter(s->bytes[i]), low = lower_letter(s->bytes[i]);
        cased |= up || low;
        yes = what == 'd' ? digit(s->bytes[i]) : what == 'a' ? up || low : what == 'u' ? !low : !up;
    }
    return mini_bool(yes && (cased || what == 'd'));
}

static int strip(struct mini_value *out, struct mini_run *run, const struct mini_string *s)
{
    size_t first = 0, last = s->length;
    while (first < last && s->bytes[first] == ' ') {
        first++;
    }
    while (last > first && s->bytes[last - 1] == ' ') {
        last--;
    }
    return mini_string_make(out, run, s->bytes + first, last - first);
}

static int append_piece(struct mini_run *run, struct mini_list *list, const char *from,
                        size_t length)
{
    struct mini_value piece;
    TRY(mini_step(run));
    TRY(mini_string_make(&piece, run, from, length));
    return mini_list_append(run, list, piece);
}

/* Without a separator: runs of blanks separate, none at the ends. */
static int split(struct mini_value *out, struct mini_run *run, const struct mini_string *s,
                 const struct mini_value *separator)
{
    struct mini_value made;
    TRY(mini_list_make(&made, run, 0));
    const char *by = separator == NULL ? " " : separator->as.string->bytes;
    if (*by == '\0') {
        return mini_raise(run, "ValueError: empty separator");
    }
    for (const char *at = s->bytes;;) {
        const char *end = strstr(at, by);
        size_t length = end == NULL ? strlen(at) : (size_t)(end - at);
        if ((separator != NULL || length > 0) && append_piece(run, made.as.list, at, length)) {
            return 1;
        }
        if (end == NULL) {
            break;
        }
        at = end + strlen(by);
    }
    *out = made;
    return 0;
}

static int join(struct mini_value *out, struct mini_run *run, const struct mini_value *by,
                const struct mini_value *list)
{
    struct mini_value made;
    if (list->type != MINI_T_LIST) {
        return mini_raise(run, "TypeError: can only join an iterable");
    }
    TRY(mini_string_make(&made, run, "", 0));
    for (size_t i = 0; i < list->as.list->length; i++) {
        const struct mini_value *item = &list->as.list->items[i];
        if (item->type != MINI_T_STRING) {
            return mini_raise(run, "TypeError: sequence item %zu: expected str instance, %s found",
                              i, mini_type_name(item));
        }
        if (i > 0 && mini_arithmetic(&made, run, '+', &made, by)) {
            return 1;
        }
        TRY(mini_step(run));
        TRY(mini_arithmetic(&made, run, '+', &made, item));
    }
    *out = made;
    return 0;
}

static struct mini_value affix(const struct mini_string *s, const struct mini_string *with, int end)
{
    if (with->length > s->length) {
        return mini_bool(0);
    }
    const char *at = end ? s->bytes + s->length - with->length : s->bytes;
    return mini_bool(memcmp(at, with->bytes, with->length) == 0);
}

static int no_method(struct mini_run *run, const struct mini_value *of, const char *name)
{
    return mini_raise(run, "AttributeError: '%s' object has no attribute '%s'", mini_type_name(of),
                      name);
}

static int without_argument(struct mini_value *out, struct mini_run *run,
                            const struct mini_value *of, const char *name)
{
    static const char *const tests[] = {"isdigit", "isalpha", "isupper", "islower"};
    const struct mini_string *s = of->as.string;
    for (size_t i = 0; i < 4; i++) {
        if (strcmp(name, tests[i]) == 0) {
            *out = all_are(s, "daul"[i]);
            return 0;
        }
    }
    if (strcmp(name, "upper") == 0 || strcmp(name, "lower") == 0) {
        return change_case(out, run, s, name[0] == 'u');
    }
    if (strcmp(name, "strip") == 0) {
        return strip(out, run, s);
    }
    if (strcmp(name, "split") == 0) {
        return split(out, run, s, NULL);
    }
    return no_method(run, of, name);
}

static int of_string(struct mini_value *out, struct mini_run *run, const struct mini_value *of,
                     const char *name, const struct mini_value *a, size_t n)
{
    if (n == 0) {
        return without_argument(out, run, of, name);
    }
    if (n == 1 && strcmp(name, "join") == 0) {
        return join(out, run, of, a);
    }
    if (n != 1 || a->type != MINI_T_STRING) {
        return mini_raise(run, "TypeError: wrong arguments of str.%s()", name);
    }
    if (strcmp(name, "split") == 0) {
        return split(out, run, of->as.string, a);
    }
    if (strcmp(name, "startswith") == 0 || strcmp(name, "endswith") == 0) {
        *out = affix(of->as.string, a->as.string, name[0] == 'e');
        return 0;
    }
    return no_method(run, of, name);
}

static int pop(struct mini_value *out, struct mini_run *run, struct mini_list *list,
               const struct mini_value *index)
{
    const struct mini_value last = mini_int(-1);
    const struct mini_value all = {.type = MINI_T_LIST, .as.list = list};
    if (list->length == 0) {
        return mini_raise(run, "IndexError: pop from empty list");
    }
    TRY(mini_element(out, run, &all, index == NULL ? &last : index));
    int64_t i = index == NULL ? -1 : index->as.number;
    size_t place = (size_t)(i < 0 ? i + (int64_t)list->length : i);
    memmove(&list->items[place], &list->items[place + 1],
            (list->length - place - 1) * sizeof *list->items);
    list->length--;
    return 0;
}

static int of_list(struct mini_value *out, struct mini_run *run, const struct mini_value *of,
                   const char *name, const struct mini_value *a, size_t n)
{
    *out = mini_none();
    if (strcmp(name, "append") == 0 && n == 1) {
        return mini_list_append(run, of->as.list, *a);
    }
    if (strcmp(name, "pop") == 0 && n <= 1) {
        return pop(out, run, of->as.list, n == 0 ? NULL : a);
    }
    if (strcmp(name, "count") == 0 && n == 1) {
        int64_t count = 0;
        for (size_t i = 0; i < of->as.list->length; i++) {
            int same = 0;
            TRY(mini_equal(&same, run, &of->as.list->items[i], a, 0));
            count += same;
        }
        *out = mini_int(count);
        return 0;
    }
    return no_method(run, of, name);
}

int mini_method(struct mini_value *out, struct mini_run *run, const struct mini_value *of,
                const char *name, const struct mini_value *arguments, size_t n)
{
    if (of->type == MINI_T_STRING) {
        return of_string(out, run, of, name, arguments, n);
    }
    if (of->type == MINI_T_LIST) {
        return of_list(out, run, of, name, arguments, n);
    }
    return no_method(run, of, name);
}
