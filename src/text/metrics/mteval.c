#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "text/metrics/units.h"

/* Replaces every `from`, found from left to right, by `to`, which is not longer. */
static void replace(char *text, const char *from, const char *to)
{
    size_t n = strlen(from), k = strlen(to);
    char *at = text, *found = NULL;
    const char *rest = text;
    while ((found = strstr(rest, from)) != NULL) {
        size_t kept = (size_t)(found - rest);
        memmove(at, rest, kept);
        memcpy(at + kept, to, k);
        at += kept + k;
        rest = found + n;
    }
    memmove(at, rest, strlen(rest) + 1);
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_no_digit(char c)
{
    return !is_digit(c);
}

static int is_point(char c)
{
    return c == '.' || c == ',';
}

static int is_dash(char c)
{
    return c == '-';
}

/* ASCII punctuation and symbols but for ' , - and the point. */
static int is_sign(char c)
{
    return c > ' ' && c < 0x7f && !is_digit(c) && memchr("',-.", c, 4) == NULL &&
           ((unsigned char)((c | 0x20) - 'a')) >= 26;
}

/* One of the three rules for two neighbours, none of them looked at again: a blank on either side of the second, or of the
 * first. `out` has room for twice the n bytes. */
static size_t part(char *out, const char *in, size_t n, int (*first)(char), int (*second)(char),
                   int around_second)
{
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        if (i + 1 == n || !first(in[i]) || !second(in[i + 1])) {
            out[to++] = in[i];
            continue;
        }
        const char both[] = {in[i], ' ', in[i + 1], ' '}, other[] = {' ', in[i], ' ', in[i + 1]};
        memcpy(out + to, around_second ? both : other, 4);
        to += 4;
        i++;
    }
    return to;
}

int mteval_space(char **out, const char *text)
{
    size_t length = strlen(text), n = 0;
    FREED char *line = NULL, *spare = NULL;
    *out = NULL;
    while (length > 0 && memchr(" \t\n\v\f\r", text[length - 1], 6) != NULL) {
        length--;
    }
    /* Of a byte a sign makes three, a point five, a dash behind a digit three. */
    TRY(REGRET_NEW(&line, 8 * length + 16));
    TRY(REGRET_NEW(&spare, 8 * length + 16));
    memcpy(spare, text, length);
    spare[length] = '\0';
    replace(spare, "<skipped>", "");
    replace(spare, "-\n", "");
    replace(spare, "\n", " ");
    replace(spare, "&quot;", "\"");
    replace(spare, "&amp;", "&");
    replace(spare, "&lt;", "<");
    replace(spare, "&gt;", ">");
    line[n++] = ' ';
    for (const char *c = spare; *c != '\0'; c++) {
        const char apart[] = {' ', *c, ' '};
        int is_apart = is_sign(*c);
        memcpy(line + n, is_apart ? apart : c, is_apart ? 3 : 1);
        n += is_apart ? 3 : 1;
    }
    line[n++] = ' ';
    n = part(spare, line, n, is_no_digit, is_point, 1);
    n = part(line, spare, n, is_point, is_no_digit, 0);
    n = part(spare, line, n, is_digit, is_dash, 1);
    spare[n] = '\0';
    *out = spare;
    spare = NULL;
    return REGRET_OK;
}
