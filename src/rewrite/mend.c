/* What Python writes into JSON and JSON does not have. */
#include <string.h>

#include "regret/alloc.h"
#include "rewrite/scan.h"

/* The text to change: a copy, made when the first fault is met. */
static int own_copy(struct row_reader *reader, const char *line, size_t length)
{
    if (length > reader->mended_capacity) {
        int rc = regret_realloc((void **)&reader->mended, length, 1, "a line to mend");
        if (rc != REGRET_OK) {
            return rc;
        }
        reader->mended_capacity = length;
    }
    memcpy(reader->mended, line, length);
    return REGRET_OK;
}

static int unit_at(const char *p, const char *end)
{
    int code = 0;
    if (end - p < 6 || p[0] != '\\' || p[1] != 'u') {
        return -1;
    }
    for (int i = 2; i < 6; i++) {
        int digit = hex_digit(p[i]);
        if (digit < 0) {
            return -1;
        }
        code = code * 16 + digit;
    }
    return code;
}

/* The escape at p: its length, and whether it stands for no character at all. */
static size_t pass_escape(const char *p, const char *end, int *is_none)
{
    int unit = unit_at(p, end);
    *is_none = unit == 0 || (unit >= 0xDC00 && unit <= 0xDFFF);
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        int second = unit_at(p + 6, end);
        if (second >= 0xDC00 && second <= 0xDFFF) {
            return 12;
        }
        *is_none = 1;
    }
    return unit >= 0 ? 6 : 2;
}

/* The length of a word of Python's at p, or 0. */
static size_t python_number(const char *p, const char *end)
{
    static const char *const words[] = {"NaN", "Infinity", "-Infinity"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        size_t n = strlen(words[k]);
        if ((size_t)(end - p) >= n && memcmp(p, words[k], n) == 0) {
            return n;
        }
    }
    return 0;
}

/* The next fault from *p on: where it begins and how long it is; 0 when there is none. */
static size_t next_fault(const char **p, const char *end, int *in_string)
{
    const char *q = *p;
    while (q < end) {
        int is_none = 0;
        size_t n = 1;
        if (*in_string && *q == '\\') {
            n = pass_escape(q, end, &is_none);
        } else if (*q == '"') {
            *in_string = !*in_string;
        } else if (!*in_string && (*q == 'N' || *q == 'I' || *q == '-')) {
            n = python_number(q, end);
            is_none = n > 0;
            n += n == 0;
        }
        if (is_none) {
            *p = q;
            return n;
        }
        q = (size_t)(end - q) > n ? q + n : end;
    }
    return 0;
}

int row_mend(struct row_reader *reader, const char **line, size_t length)
{
    const char *p = *line, *end = p + length;
    int in_string = 0, copied = 0;
    size_t n = 0;
    while ((n = next_fault(&p, end, &in_string)) > 0) {
        int rc = copied ? REGRET_OK : own_copy(reader, *line, length);
        if (rc != REGRET_OK) {
            return rc;
        }
        copied = 1;
        char *to = reader->mended + (p - *line);
        memset(to, ' ', n); /* everything else stays where it was, for the messages */
        memcpy(to, in_string ? "\\ufffd" : "[]", in_string ? 6 : 2);
        p += n;
    }
    *line = copied ? reader->mended : *line;
    return REGRET_OK;
}
