/* Text of unknown origin made fit for a terminal. */
#include <stdint.h>
#include <stdio.h>

#include <utf8proc.h>

#include "base/text/escape.h"

enum { PIECE_SIZE = 16 };

static int is_space(utf8proc_int32_t c)
{
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return 1;
    default:
        return c >= '\t' && c <= '\r';
    }
}

static int is_hidden(utf8proc_int32_t c)
{
    utf8proc_category_t category = utf8proc_category(c);
    return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
           category == UTF8PROC_CATEGORY_CS;
}

/* Writes how the character at *text is shown, moves *text past it (and past all of a run of white
 * space), and returns the columns it takes. */
static size_t next_piece(char piece[PIECE_SIZE], const utf8proc_uint8_t **text)
{
    utf8proc_int32_t c = 0;
    utf8proc_ssize_t n = utf8proc_iterate(*text, -1, &c);
    if (n <= 0) {
        (*text)++;
        snprintf(piece, PIECE_SIZE, "\xef\xbf\xbd");
        return 1;
    }
    const utf8proc_uint8_t *begin = *text;
    *text += n;
    if (is_space(c)) {
        while (**text != '\0' && (n = utf8proc_iterate(*text, -1, &c)) > 0 && is_space(c)) {
            *text += n;
        }
        snprintf(piece, PIECE_SIZE, " ");
        return 1;
    }
    if (is_hidden(c)) {
        return (size_t)snprintf(piece, PIECE_SIZE, "\\u{%x}", (unsigned)c);
    }
    snprintf(piece, PIECE_SIZE, "%.*s", (int)n, (const char *)begin);
    int width = utf8proc_charwidth(c);
    return width > 0 ? (size_t)width : 0;
}

/* Returns the columns that were used. */
static size_t append_cut(struct regret_buffer *t, const char *text, size_t columns)
{
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)text;
    size_t used = 0;
    size_t cut = t->length, cut_used = 0; /* where "…" would still fit */
    while (*p != '\0' && t->status == REGRET_OK) {
        char piece[PIECE_SIZE];
        size_t width = next_piece(piece, &p);
        if (used + width > columns) {
            t->length = cut;
            if (columns > 0) {
                regret_buffer_append(t, "\xe2\x80\xa6");
            }
            return cut_used + (columns > 0);
        }
        regret_buffer_append(t, piece);
        used += width;
        if (used + 1 <= columns) {
            cut = t->length;
            cut_used = used;
        }
    }
    return used;
}

void regret_buffer_append_safe(struct regret_buffer *t, const char *text, size_t columns)
{
    append_cut(t, text, columns);
}

void safe_middle(struct regret_buffer *out, const char *text, size_t columns)
{
    struct regret_buffer safe = REGRET_BUFFER_INIT;
    append_cut(&safe, text, SIZE_MAX);
    const utf8proc_uint8_t *rest = (const utf8proc_uint8_t *)regret_buffer_get(&safe);
    size_t left = regret_text_columns(regret_buffer_get(&safe));
    if (left > columns) {
        append_cut(out, regret_buffer_get(&safe), columns - columns / 2);
        while (left > columns / 2) {
            char piece[PIECE_SIZE];
            left -= next_piece(piece, &rest);
        }
    }
    regret_buffer_append(out, (const char *)rest);
    regret_buffer_free_into(out, &safe);
}

void regret_buffer_append_field(struct regret_buffer *t, const char *text, size_t columns)
{
    for (size_t used = append_cut(t, text, columns); used < columns; used++) {
        regret_buffer_append_char(t, ' ');
    }
}

size_t regret_text_columns(const char *text)
{
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)text;
    size_t columns = 0;
    while (*p != '\0') {
        char piece[PIECE_SIZE];
        columns += next_piece(piece, &p);
    }
    return columns;
}

void regret_buffer_append_visible(struct regret_buffer *t, const char *text)
{
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)text;
    while (*p != '\0' && t->status == REGRET_OK) {
        char piece[PIECE_SIZE];
        if ((*p >= ' ' && *p < 0x7F) || *p == '\n' || *p == '\t') {
            regret_buffer_append_char(t, (char)*p++);
        } else {
            next_piece(piece, &p);
            regret_buffer_append(t, piece);
        }
    }
}

void text_without_controls(struct regret_buffer *out, const char *text)
{
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)text;
    while (*p != '\0' && out->status == REGRET_OK) {
        utf8proc_int32_t c = 0;
        utf8proc_ssize_t n = utf8proc_iterate(p, -1, &c);
        if (n <= 0) {
            regret_buffer_append(out, "\xef\xbf\xbd");
        } else if (c != '\n' && c != '\t' && utf8proc_category(c) == UTF8PROC_CATEGORY_CC) {
            regret_buffer_printf(out, "\\u{%x}", (unsigned)c);
        } else {
            regret_buffer_append_n(out, (const char *)p, (size_t)n);
        }
        p += n > 0 ? n : 1;
    }
}
