/* What Python writes into JSON and JSON does not have. */
#include <string.h>

#include "base/json_escape.h"
#include "rate/scan.h"
#include "regret/alloc.h"

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

int row_mend(struct row_reader *reader, const char **line, size_t length)
{
    const char *p = *line, *end = p + length;
    int in_string = 0, copied = 0;
    size_t n = 0;
    while ((n = json_next_fault(&p, end, &in_string)) > 0) {
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
