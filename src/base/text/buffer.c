#include "regret/buffer.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/alloc.h"

static int reserve(struct regret_buffer *t, size_t extra)
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

int regret_buffer_reserve(struct regret_buffer *t, size_t extra)
{
    return reserve(t, extra);
}

void regret_buffer_append_n(struct regret_buffer *t, const char *text, size_t length)
{
    if (length == 0 || reserve(t, length) != REGRET_OK) {
        return;
    }
    memcpy(t->data + t->length, text, length);
    t->length += length;
    t->data[t->length] = '\0';
}

void regret_buffer_append(struct regret_buffer *t, const char *text)
{
    regret_buffer_append_n(t, text, strlen(text));
}

void regret_buffer_append_char(struct regret_buffer *t, char c)
{
    regret_buffer_append_n(t, &c, 1);
}

void regret_buffer_printf(struct regret_buffer *t, const char *format, ...)
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

/* Bytes of a control character at p: C0 and DEL one, C1 (U+0080 to U+009F) two, else 0. Terminals
 * obey all three kinds. */
static size_t control_bytes(const unsigned char *p)
{
    if (p[0] == 0xC2 && p[1] >= 0x80 && p[1] <= 0x9F) {
        return 2;
    }
    return p[0] < 0x20 || p[0] == 0x7F;
}

static void escape_json(struct regret_buffer *t, unsigned char c)
{
    static const char letters[] = "\"\"\\\\\nn\tt\rr";
    for (const char *l = letters; *l != '\0'; l += 2) {
        if (c == (unsigned char)l[0]) {
            regret_buffer_printf(t, "\\%c", l[1]);
            return;
        }
    }
    regret_buffer_printf(t, "\\u%04x", c);
}

void regret_buffer_json_string(struct regret_buffer *t, const char *text)
{
    const unsigned char *p = (const unsigned char *)text, *run = p;
    if (text == NULL) {
        regret_buffer_append(t, "null");
        return;
    }
    regret_buffer_append_char(t, '"');
    while (*p != '\0') {
        size_t n = *p == '"' || *p == '\\' ? 1 : control_bytes(p);
        if (n > 0) {
            regret_buffer_append_n(t, (const char *)run, (size_t)(p - run));
            escape_json(t, p[n - 1]); /* the second byte of a C1 character is its code point */
            run = p + n;
        }
        p += n > 0 ? n : 1;
    }
    regret_buffer_append_n(t, (const char *)run, (size_t)(p - run));
    regret_buffer_append_char(t, '"');
}

void regret_buffer_json_number(struct regret_buffer *t, double value)
{
    if (!isfinite(value)) {
        regret_buffer_append(t, "null");
        return;
    }
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) {
            break;
        }
    }
    regret_buffer_append(t, digits);
}

const char *regret_buffer_get(const struct regret_buffer *t)
{
    return t->data == NULL ? "" : t->data;
}

int regret_buffer_status(const struct regret_buffer *t)
{
    return t->status;
}

void regret_buffer_fail(struct regret_buffer *t, int status)
{
    t->status = t->status != REGRET_OK ? t->status : status;
}

void regret_buffer_clear(struct regret_buffer *t)
{
    t->length = 0; /* and not the status: who uses a buffer over and over asks once, at its end */
    if (t->data != NULL) {
        t->data[0] = '\0';
    }
}

void regret_buffer_free(struct regret_buffer *t)
{
    regret_free(t->data);
    *t = (struct regret_buffer)REGRET_BUFFER_INIT;
}

void regret_buffer_free_into(struct regret_buffer *whole, struct regret_buffer *part)
{
    regret_buffer_fail(whole, part->status);
    regret_buffer_free(part);
}
