#include "regret/text_buffer.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/alloc.h"

static int reserve(struct regret_text *t, size_t extra)
{
    if (t->status != REGRET_OK) {
        return t->status;
    }
    if (extra >= SIZE_MAX - t->length) {
        t->status = regret_fail(REGRET_E_NOMEM, "out of memory: a text of %zu more bytes", extra);
        return t->status;
    }
    size_t need = t->length + extra + 1;
    if (need <= t->capacity) {
        return REGRET_OK;
    }
    size_t grown = t->capacity < SIZE_MAX / 2 ? t->capacity * 2 : need;
    if (grown < need) {
        grown = need < 64 ? 64 : need;
    }
    t->status = regret_realloc((void **)&t->data, grown, 1, "a text buffer");
    if (t->status == REGRET_OK) {
        t->capacity = grown;
    }
    return t->status;
}

void regret_text_append_n(struct regret_text *t, const char *text, size_t length)
{
    if (length == 0 || reserve(t, length) != REGRET_OK) {
        return;
    }
    memcpy(t->data + t->length, text, length);
    t->length += length;
    t->data[t->length] = '\0';
}

void regret_text_append(struct regret_text *t, const char *text)
{
    regret_text_append_n(t, text, strlen(text));
}

void regret_text_append_char(struct regret_text *t, char c)
{
    regret_text_append_n(t, &c, 1);
}

void regret_text_printf(struct regret_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n >= 0 && reserve(t, (size_t)n) == REGRET_OK) {
        vsnprintf(t->data + t->length, (size_t)n + 1, format, again);
        t->length += (size_t)n;
    }
    va_end(again);
}

void regret_text_json_string(struct regret_text *t, const char *text)
{
    regret_text_append_char(t, '"');
    const char *run = text;
    for (const char *p = text;; p++) {
        unsigned char c = (unsigned char)*p;
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f) {
            continue;
        }
        regret_text_append_n(t, run, (size_t)(p - run));
        run = p + 1;
        if (c == '\0') {
            break;
        }
        switch (c) {
        case '"':
            regret_text_append(t, "\\\"");
            break;
        case '\\':
            regret_text_append(t, "\\\\");
            break;
        case '\n':
            regret_text_append(t, "\\n");
            break;
        case '\t':
            regret_text_append(t, "\\t");
            break;
        case '\r':
            regret_text_append(t, "\\r");
            break;
        default:
            regret_text_printf(t, "\\u%04x", c);
        }
    }
    regret_text_append_char(t, '"');
}

void regret_text_json_number(struct regret_text *t, double value)
{
    if (!isfinite(value)) {
        regret_text_append(t, "null");
        return;
    }
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) {
            break;
        }
    }
    regret_text_append(t, digits);
}

const char *regret_text_get(const struct regret_text *t)
{
    return t->data == NULL ? "" : t->data;
}

int regret_text_status(const struct regret_text *t)
{
    return t->status;
}

void regret_text_clear(struct regret_text *t)
{
    t->length = 0;
    t->status = REGRET_OK;
    if (t->data != NULL) {
        t->data[0] = '\0';
    }
}

void regret_text_free(struct regret_text *t)
{
    regret_free(t->data);
    *t = (struct regret_text)REGRET_TEXT_INIT;
}
