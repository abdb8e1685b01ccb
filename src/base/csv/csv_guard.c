/* Spreadsheets run what begins with one of these signs as a formula, in quotes or not (OWASP, "CSV
 * injection"). A leading apostrophe makes them show it as text. */
#include <stdlib.h>
#include <string.h>

#include "regret/csv.h"

enum { NUMBER_LENGTH = 64 }; /* longer than any number is written */

/* The field [p, end) without its quotes as a number: those may begin with a sign. */
static int is_number(const char *p, const char *end)
{
    char number[NUMBER_LENGTH], *rest = NULL;
    size_t n = (size_t)(end - p);
    if (n >= sizeof number) {
        return 0;
    }
    memcpy(number, p, n);
    number[n] = '\0';
    (void)strtod(number, &rest);
    return n > 0 && rest == number + n;
}

static int is_formula(const char *p, const char *end)
{
    return p < end && memchr("=+-@\t\r", *p, 6) != NULL && !is_number(p, end);
}

/* Whether a line ends at p. In CRLF the carriage return is no part of the field before it. */
static int is_line_end(const char *p, const char *end)
{
    return *p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n');
}

/* Where the field that begins at p ends: at a comma, a line end or the end. */
static const char *field_end(const char *p, const char *end)
{
    if (p < end && *p == '"') {
        for (p++; p < end && (*p != '"' || (p + 1 < end && p[1] == '"')); p++) {
            p += *p == '"';
        }
    }
    while (p < end && *p != ',' && !is_line_end(p, end)) {
        p++;
    }
    return p;
}

void regret_csv_guard(struct regret_buffer *out, const char *text, size_t length)
{
    const char *p = text, *end = text + length;
    while (p < end) {
        const char *stop = field_end(p, end), *inside = p + (*p == '"');
        const char *last = stop > inside && *p == '"' ? stop - 1 : stop;
        regret_buffer_append_n(out, p, (size_t)(inside - p));
        if (is_formula(inside, last)) {
            regret_buffer_append_char(out, '\'');
        }
        stop += stop < end; /* with what ends it */
        regret_buffer_append_n(out, inside, (size_t)(stop - inside));
        p = stop;
    }
}
