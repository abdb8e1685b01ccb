#include "rate/sheet.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/escape.h"

int regret_rate_format_parse(enum regret_rate_format *out, const char *word)
{
    static const char *const words[] = {"md", "csv", "json"};
    for (int k = 0; k < 3; k++) {
        if (strcmp(word, words[k]) == 0) {
            *out = (enum regret_rate_format)k;
            return REGRET_OK;
        }
    }
    return regret_fail(REGRET_E_INPUT, "\"%s\" is no format; give md, csv or json", word);
}

void document_begin(struct regret_text *out, enum regret_rate_format format)
{
    regret_text_append(out, format == REGRET_RATE_JSON ? "{" : "");
}

void document_end(struct regret_text *out, enum regret_rate_format format)
{
    regret_text_append(out, format == REGRET_RATE_JSON ? "\n}\n" : "");
}

static int is_shown(const struct sheet *t, size_t column)
{
    return t->format != REGRET_RATE_MARKDOWN || !t->columns[column].detail;
}

void sheet_begin(struct sheet *t, struct regret_text *out, enum regret_rate_format format,
                 const char *name, const char *title, int first, const struct sheet_column *columns,
                 size_t n_columns)
{
    *t = (struct sheet){out, format, columns, n_columns, 0, 0};
    if (format == REGRET_RATE_JSON) {
        regret_text_printf(out, "%s\n\"%s\": [", first ? "" : ",", name);
        return;
    }
    if (format == REGRET_RATE_MARKDOWN) {
        regret_text_printf(out, "%s## %s\n\n|", first ? "" : "\n", title);
    }
    const char *comma = "";
    for (size_t k = 0; k < n_columns; k++) {
        if (is_shown(t, k)) {
            regret_text_printf(out, format == REGRET_RATE_CSV ? "%s%s" : "%s %s |", comma,
                               columns[k].name);
            comma = format == REGRET_RATE_CSV ? "," : "";
        }
    }
    regret_text_append(out, format == REGRET_RATE_CSV ? "\n" : "\n|");
    for (size_t k = 0; k < n_columns && format == REGRET_RATE_MARKDOWN; k++) {
        regret_text_append(out, is_shown(t, k) ? "---|" : "");
    }
    regret_text_append(out, format == REGRET_RATE_CSV ? "" : "\n");
}

/* What stands before a cell. */
static void open_cell(struct sheet *t)
{
    struct regret_text *out = t->out;
    if (t->format == REGRET_RATE_JSON) {
        regret_text_append(out, t->column > 0 ? ", " : t->n_rows > 0 ? ",\n  {" : "\n  {");
        regret_text_json_string(out, t->columns[t->column].name);
        regret_text_append(out, ": ");
    } else if (t->format == REGRET_RATE_CSV) {
        regret_text_append(out, t->column > 0 ? "," : "");
    } else {
        regret_text_append(out, t->column == 0 ? "| " : is_shown(t, t->column) ? " " : "");
    }
}

static void close_cell(struct sheet *t)
{
    if (t->format == REGRET_RATE_MARKDOWN && is_shown(t, t->column)) {
        regret_text_append(t->out, " |");
    }
    if (++t->column == t->n_columns) {
        regret_text_append(t->out, t->format == REGRET_RATE_JSON ? "}" : "\n");
        t->column = 0;
        t->n_rows++;
    }
}

static int is_plain(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text < 0x20 || *text > 0x7E) {
            return 0;
        }
    }
    return 1;
}

/* Names of unknown origin as a terminal may show them; their blanks stay as they are. */
static void make_safe(struct regret_text *safe, const char *text)
{
    struct regret_text word = REGRET_TEXT_INIT;
    while (*text != '\0') {
        size_t n = strcspn(text, " "), blanks = strspn(text + n, " ");
        regret_text_clear(&word);
        regret_text_append_n(&word, text, n);
        regret_text_fail(safe, regret_text_status(&word));
        regret_text_append_safe(safe, regret_text_get(&word), SIZE_MAX);
        regret_text_append_n(safe, text + n, blanks);
        text += n + blanks;
    }
    regret_text_free(&word);
}

/* For the formats that people look at in a terminal. */
static void put_text(struct sheet *t, const char *text)
{
    struct regret_text safe = REGRET_TEXT_INIT;
    if (!is_plain(text)) {
        make_safe(&safe, text);
        regret_text_fail(t->out, regret_text_status(&safe));
        text = regret_text_get(&safe);
    }
    if (t->format == REGRET_RATE_CSV) {
        csv_field(t->out, text);
    } else {
        markdown_escape(t->out, text);
    }
    regret_text_free(&safe);
}

void sheet_text(struct sheet *t, const char *text)
{
    open_cell(t);
    if (t->format == REGRET_RATE_JSON) {
        if (text != NULL) {
            regret_text_json_string(t->out, text);
        } else {
            regret_text_append(t->out, "null");
        }
    } else if (text != NULL && is_shown(t, t->column)) {
        put_text(t, text);
    }
    close_cell(t);
}

void sheet_number(struct sheet *t, double value)
{
    open_cell(t);
    if (t->format == REGRET_RATE_MARKDOWN) {
        if (is_shown(t, t->column)) {
            regret_text_printf(t->out, !isfinite(value) ? "–" : "%.4g", value);
        }
    } else if (t->format == REGRET_RATE_JSON || isfinite(value)) {
        regret_text_json_number(t->out, value);
    }
    close_cell(t);
}

void sheet_count(struct sheet *t, size_t value)
{
    open_cell(t);
    if (is_shown(t, t->column)) {
        regret_text_printf(t->out, "%zu", value);
    }
    close_cell(t);
}

void sheet_end(struct sheet *t)
{
    regret_text_append(t->out, t->format == REGRET_RATE_JSON ? (t->n_rows > 0 ? "\n]" : "]") : "");
}
