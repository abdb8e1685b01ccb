#include "base/text/escape.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

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
} letters[] = {
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
        size_t i = 0, n = sizeof letters / sizeof *letters;
        while (i < n && strncmp(text, letters[i].text, strlen(letters[i].text)) != 0) {
            i++;
        }
        if (i < n) {
            regret_buffer_append(out, letters[i].latex);
            text += strlen(letters[i].text);
        } else {
            regret_buffer_append_char(out, *text++);
        }
    }
}

void latex_escape(struct regret_buffer *out, const char *text)
{
    escape_shown(out, text, regret_buffer_append_visible, latex);
}

void shell_quote(struct regret_buffer *out, const char *text)
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
