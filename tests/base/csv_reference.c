#include "base/csv_reference.h"

#include <string.h>

enum state { FIELD_START, PLAIN, QUOTED, QUOTE_IN_QUOTED };

struct reference {
    const char *text;
    size_t length, at, line;
    struct regret_buffer record, field;
};

static void end_field(struct reference *r)
{
    regret_buffer_printf(&r->record, "(%zu:", r->field.length);
    regret_buffer_append_n(&r->record, regret_buffer_get(&r->field), r->field.length);
    regret_buffer_append(&r->record, ")");
    regret_buffer_clear(&r->field);
}

static int starts(const struct reference *r, const char *what)
{
    size_t n = strlen(what);
    return r->length - r->at >= n && memcmp(r->text + r->at, what, n) == 0;
}

/* One record: 1 read, 0 malformed, with `at` on the byte at fault. */
static int read_record(struct reference *r, char separator)
{
    enum state state = FIELD_START;
    for (; r->at < r->length; r->at++) {
        char c = r->text[r->at];
        if (state == QUOTED) {
            if (c == '"') {
                state = QUOTE_IN_QUOTED;
            } else {
                regret_buffer_append_char(&r->field, c);
            }
        } else if (state == FIELD_START && c == '"') {
            state = QUOTED;
        } else if (state == QUOTE_IN_QUOTED && c == '"') {
            regret_buffer_append_char(&r->field, c);
            state = QUOTED;
        } else if (c == separator) {
            end_field(r);
            state = FIELD_START;
        } else if (c == '\n') {
            end_field(r);
            r->at++;
            return 1;
        } else if (c == '\r') {
            if (!starts(r, "\r\n")) {
                return 0;
            }
        } else if (state == QUOTE_IN_QUOTED || c == '"') {
            return 0;
        } else {
            regret_buffer_append_char(&r->field, c);
            state = PLAIN;
        }
    }
    end_field(r);
    return state != QUOTED;
}

static size_t lines_between(const char *text, size_t from, size_t to)
{
    size_t n = 0;
    for (size_t i = from; i < to; i++) {
        n += text[i] == '\n';
    }
    return n;
}

void csv_reference(struct regret_buffer *out, const char *text, size_t length, char separator)
{
    struct reference r = {text, length, 0, 1, REGRET_BUFFER_INIT, REGRET_BUFFER_INIT};
    if (starts(&r, "\xef\xbb\xbf")) {
        r.at = 3;
    }
    while (r.at < length) {
        if (starts(&r, "\n") || starts(&r, "\r\n")) {
            r.at += text[r.at] == '\r' ? 2 : 1;
            r.line++;
            continue;
        }
        size_t begin = r.at;
        if (read_record(&r, separator)) {
            regret_buffer_printf(out, "%zu@%zu", r.line, begin);
            regret_buffer_append_n(out, regret_buffer_get(&r.record), r.record.length);
            regret_buffer_append(out, "\n");
        } else {
            regret_buffer_printf(out, "%zu!\n", r.line);
            while (r.at < length && text[r.at] != '\n') {
                r.at++;
            }
            r.at += r.at < length;
        }
        r.line += lines_between(text, begin, r.at);
        regret_buffer_clear(&r.record);
        regret_buffer_clear(&r.field);
    }
    regret_buffer_free(&r.record);
    regret_buffer_free(&r.field);
}
