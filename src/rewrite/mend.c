/* What Python writes into JSON and JSON does not have. */
#include <string.h>

#include "base/json_escape.h"
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

/* The next fault from *p on: where it begins and how long it is; 0 when there is none. */
static size_t next_fault(const char **p, const char *end, int *in_string)
{
    const char *q = *p;
    while (q < end) {
        int is_none = 0;
        size_t n = 1;
        if (*in_string && *q == '\\') {
            is_none = json_escape_is_wrong(&n, q, (size_t)(end - q));
        } else if (*q == '"') {
            *in_string = !*in_string;
        } else if (!*in_string && (*q == 'N' || *q == 'I' || *q == '-')) {
            n = json_odd_number(q, (size_t)(end - q));
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
