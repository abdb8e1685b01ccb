#include "base/buffer.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "regret/buffer.h"
#include "regret/status.h"

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
    if (fabs(value) < 1e15 && value == (double)(long long)value && !signbit(value)) { /* faster */
        snprintf(digits, sizeof digits, "%lld", (long long)value);
        regret_buffer_append(t, digits);
        return;
    }
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

typedef void change(struct regret_buffer *, const char *);

/* Appends what `escape` makes of what `show` makes of a text that is not plain. */
static void escape_shown(struct regret_buffer *out, const char *text, change *show, change *escape)
{
    const unsigned char *p = (const unsigned char *)text;
    while (*p >= ' ' && *p < 0x7F) {
        p++;
    }
    if (*p == '\0') { /* nothing to make visible, as nearly always */
        escape(out, text);
        return;
    }
    struct regret_buffer visible = REGRET_BUFFER_INIT;
    show(&visible, text);
    regret_buffer_fail(out, regret_buffer_status(&visible));
    escape(out, regret_buffer_get(&visible));
    regret_buffer_free(&visible);
}

static void markdown(struct regret_buffer *out, const char *text)
{
    for (const char *p = text; *p != '\0'; p++) {
        /* An underscore between letters stresses nothing in this dialect, and n_exp reads better
         * without a backslash. */
        int inside = p > text && isalnum((unsigned char)p[-1]) && isalnum((unsigned char)p[1]);
        if (*p == '<' || *p == '>' || *p == '&') {
            regret_buffer_append(out, *p == '<' ? "&lt;" : *p == '>' ? "&gt;" : "&amp;");
        } else if (*p == '\n' || *p == '\t') {
            regret_buffer_append_char(out, ' ');
        } else if (strchr("\\`*|[]~$#", *p) != NULL || (*p == '_' && !inside)) {
            regret_buffer_append_char(out, '\\');
            regret_buffer_append_char(out, *p);
        } else {
            regret_buffer_append_char(out, *p);
        }
    }
}

void markdown_escape(struct regret_buffer *out, const char *text)
{
    escape_shown(out, text, regret_buffer_append_visible, markdown);
}

static void html(struct regret_buffer *out, const char *text)
{
    for (const char *p = text; *p != '\0'; p++) {
        switch (*p) {
        case '&':
            regret_buffer_append(out, "&amp;");
            break;
        case '<':
            regret_buffer_append(out, "&lt;");
            break;
        case '>':
            regret_buffer_append(out, "&gt;");
            break;
        case '"':
            regret_buffer_append(out, "&quot;");
            break;
        default:
            regret_buffer_append_char(out, *p == '\n' || *p == '\t' ? ' ' : *p);
        }
    }
}

void html_escape(struct regret_buffer *out, const char *text)
{
    escape_shown(out, text, regret_buffer_append_visible, html);
}

static void csv(struct regret_buffer *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        regret_buffer_append(out, text);
        return;
    }
    regret_buffer_append_char(out, '"');
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '"') {
            regret_buffer_append_char(out, '"');
        }
        regret_buffer_append_char(out, *p);
    }
    regret_buffer_append_char(out, '"');
}

/* `text` with its control characters, but new lines and tabs, made visible; of bytes that are no UTF-8 U+FFFD. */
static void text_without_controls(struct regret_buffer *out, const char *text)
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

void csv_field(struct regret_buffer *out, const char *text)
{
    escape_shown(out, text, text_without_controls, csv);
}

void csv_number(struct regret_buffer *out, double value)
{
    if (isfinite(value)) {
        regret_buffer_json_number(out, value);
    }
}

/* What plain LaTeX has no letter for, and its own special characters. */
static const struct {
    const char *text, *latex;
} escape_letters[] = {
    {"\\", "\\textbackslash{}"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"#", "\\#"},
    {"$", "\\$"},
    {"%", "\\%"},
    {"&", "\\&"},
    {"_", "\\_"},
    {"<", "$<$"},
    {">", "$>$"},
    {"β", "$\\beta$"},
    {"λ", "$\\lambda$"},
    {"α", "$\\alpha$"},
    {"ρ", "$\\rho$"},
    {"τ", "$\\tau$"},
    {"ω", "$\\omega$"},
    {"Δ", "$\\Delta$"},
    {"−", "$-$"},
    {"±", "$\\pm$"},
    {"≈", "$\\approx$"},
    {"×", "$\\times$"},
    {"²", "$^2$"},
    {"–", "--"},
    {"≤", "$\\le$"},
    {"\n", " "},
    {"|", "$|$"},
};

static void latex(struct regret_buffer *out, const char *text)
{
    while (*text != '\0') {
        size_t i = 0, n = sizeof escape_letters / sizeof *escape_letters;
        while (i < n &&
               strncmp(text, escape_letters[i].text, strlen(escape_letters[i].text)) != 0) {
            i++;
        }
        if (i < n) {
            regret_buffer_append(out, escape_letters[i].latex);
            text += strlen(escape_letters[i].text);
        } else {
            regret_buffer_append_char(out, *text++);
        }
    }
}

void latex_escape(struct regret_buffer *out, const char *text)
{
    escape_shown(out, text, regret_buffer_append_visible, latex);
}

/* `text` in single quotes, one word of a POSIX shell. */
static void shell_quote(struct regret_buffer *out, const char *text)
{
    regret_buffer_append_char(out, '\'');
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '\'') {
            regret_buffer_append(out, "'\\''");
        } else {
            regret_buffer_append_char(out, *p);
        }
    }
    regret_buffer_append_char(out, '\'');
}

/* 1 where a terminal would show the text as it is: no control characters, none that hide, and UTF-8. */
static int is_harmless(struct regret_buffer *errors, const char *text)
{
    struct regret_buffer safe = REGRET_BUFFER_INIT;
    regret_buffer_append_safe(&safe, text, SIZE_MAX);
    int same = strcmp(regret_buffer_get(&safe), text) == 0;
    regret_buffer_free_into(errors, &safe);
    return same;
}

/* Every byte that is not plain by its number: what a shell makes of it is the text, but for new lines at its end. */
static void shell_printf(struct regret_buffer *out, const char *text, const char *plain)
{
    regret_buffer_append(out, "\"$(printf '");
    for (const char *p = text; *p != '\0'; p++) {
        if (strchr(plain, *p) != NULL && *p != '%') {
            regret_buffer_append_char(out, *p);
        } else {
            regret_buffer_printf(out, "\\%03o", (unsigned)(unsigned char)*p);
        }
    }
    regret_buffer_append(out, "')\"");
}

void shell_word(struct regret_buffer *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+.,/:@%=";
    if (text[0] != '\0' && text[strspn(text, plain)] == '\0') {
        regret_buffer_append(out, text);
    } else if (text[0] != '\0' && !is_harmless(out, text)) {
        shell_printf(out, text, plain);
    } else {
        shell_quote(out, text);
    }
}

void shell_path(struct regret_buffer *out, const char *before, const char *path, const char *rest)
{
    struct regret_buffer whole = REGRET_BUFFER_INIT;
    regret_buffer_append(&whole, path);
    regret_buffer_append(&whole, rest);
    regret_buffer_append(out, before);
    shell_word(out, regret_buffer_get(&whole));
    regret_buffer_free_into(out, &whole);
}

void json_list(struct regret_buffer *t, size_t n, json_item *put, const void *of)
{
    regret_buffer_append_char(t, '[');
    for (size_t i = 0; i < n; i++) {
        regret_buffer_append(t, i > 0 ? "," : "");
        put(t, of, i);
    }
    regret_buffer_append_char(t, ']');
}

static void put_string(struct regret_buffer *t, const void *of, size_t i)
{
    regret_buffer_json_string(t, ((const char *const *)of)[i]);
}

void json_strings(struct regret_buffer *t, const char *const *text, size_t n)
{
    json_list(t, n, put_string, text);
}

static void put_number(struct regret_buffer *t, const void *of, size_t i)
{
    regret_buffer_json_number(t, ((const double *)of)[i]);
}

void json_numbers(struct regret_buffer *t, const double *number, size_t n)
{
    json_list(t, n, put_number, number);
}

/* Text of unknown origin made fit for a terminal. */

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
