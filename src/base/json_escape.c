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

size_t json_odd_number(const char *p, size_t n)
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

void json_mend(struct regret_text *out, int *changed, const char *text, size_t length)
{
    size_t kept = 0; /* bytes of the text that are done with */
    int in_string = 0;
    *changed = 0;
    for (size_t i = 0, step = 1; i < length; i += step) {
        const char *by = NULL;
        step = 1;
        if (in_string && text[i] == '\\') {
            by = json_escape_is_wrong(&step, text + i, length - i) ? "\\uFFFD" : NULL;
        } else if (text[i] == '"') {
            in_string = !in_string;
        } else if (!in_string && (text[i] == 'N' || text[i] == 'I' || text[i] == '-')) {
            size_t odd = json_odd_number(text + i, length - i);
            by = odd > 0 ? "null" : NULL;
            step = odd > 0 ? odd : 1;
        }
        if (by != NULL) {
            regret_text_append_n(out, text + kept, i - kept);
            regret_text_append(out, by);
            kept = i + step;
            *changed = 1;
        }
    }
    if (*changed) {
        regret_text_append_n(out, text + kept, length - kept);
    }
}
