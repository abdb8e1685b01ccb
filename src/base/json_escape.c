#include "base/json_escape.h"

#include <string.h>

/* The code unit of "\uXXXX" at p, or -1 where there is none. */
static long code_unit(const char *p, size_t n)
{
    long unit = 0;
    if (n < 6 || p[0] != '\\' || p[1] != 'u') {
        return -1;
    }
    for (size_t i = 2; i < 6; i++) {
        char c = p[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) {
            return -1;
        }
        unit = 16 * unit + digit;
    }
    return unit;
}

int json_escape_is_wrong(size_t *length, const char *p, size_t n)
{
    long unit = code_unit(p, n);
    *length = unit >= 0 ? 6 : n < 2 ? n : 2;
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        long low = code_unit(p + 6, n - 6);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            *length = 12;
            return 0;
        }
        return 1;
    }
    return unit == 0 || (unit >= 0xDC00 && unit <= 0xDFFF);
}

/* The length of a number that JSON does not have, at p outside strings; 0 where there is none. */
static size_t odd_number(const char *p, size_t n)
{
    static const char *const WORDS[] = {"NaN", "Infinity", "-Infinity"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        size_t length = strlen(WORDS[i]);
        if (length <= n && memcmp(p, WORDS[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

size_t json_next_fault(const char **p, const char *end, int *in_string)
{
    const char *q = *p;
    while (q < end) {
        int is_fault = 0;
        size_t n = 1;
        if (*in_string && *q == '\\') {
            is_fault = json_escape_is_wrong(&n, q, (size_t)(end - q));
        } else if (*q == '"') {
            *in_string = !*in_string;
        } else if (!*in_string && (*q == 'N' || *q == 'I' || *q == '-')) {
            n = odd_number(q, (size_t)(end - q));
            is_fault = n > 0;
            n += n == 0;
        }
        if (is_fault) {
            *p = q;
            return n;
        }
        q = (size_t)(end - q) > n ? q + n : end;
    }
    return 0;
}

void json_mend(struct regret_text *out, int *changed, const char *text, size_t length)
{
    const char *kept = text, *p = text, *end = text + length; /* up to `kept` all is done */
    int in_string = 0;
    size_t n = 0;
    *changed = 0;
    while ((n = json_next_fault(&p, end, &in_string)) > 0) {
        regret_text_append_n(out, kept, (size_t)(p - kept));
        regret_text_append(out, in_string ? "\\uFFFD" : "null");
        p += n;
        kept = p;
        *changed = 1;
    }
    if (*changed) {
        regret_text_append_n(out, kept, (size_t)(end - kept));
    }
}
