#include "csv_records.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the field at p, its quotes with it. */
static size_t field_length(const char *p)
{
    const char *end = p + 1;
    if (*p != '"') {
        return strcspn(p, ",\n");
    }
    while (*end != '\0' && (end[0] != '"' || end[1] == '"')) {
        end += end[0] == '"' ? 2 : 1;
    }
    return (size_t)(end - p);
}

/* The field at *p, which is moved over it; quotes are undone. */
static char *take_field(const char **p)
{
    char *field = calloc(field_length(*p) + 1, 1);
    size_t n = 0;
    if (**p == '"') {
        for ((*p)++; (*p)[0] != '"' || (*p)[1] == '"'; (*p)++) {
            cr_assert_neq(**p, '\0', "an open quote");
            *p += **p == '"';
            field[n++] = **p;
        }
        (*p)++;
        cr_assert(strchr(",\n", **p) != NULL, "text after a closing quote: %.20s", *p);
    } else {
        while (**p != ',' && **p != '\n' && **p != '\0') {
            cr_assert_neq(**p, '"', "a quote in a bare field: %.20s", *p);
            field[n++] = *(*p)++;
        }
    }
    return field;
}

struct csv_records csv_parse(const char *text)
{
    struct csv_records c = {NULL, NULL, 0};
    while (*text != '\0') {
        c.fields = realloc(c.fields, (c.n + 1) * sizeof *c.fields);
        c.widths = realloc(c.widths, (c.n + 1) * sizeof *c.widths);
        c.fields[c.n] = NULL;
        c.widths[c.n] = 0;
        for (int more = 1; more; more = *text++ == ',') {
            size_t w = c.widths[c.n]++;
            c.fields[c.n] = realloc(c.fields[c.n], (w + 1) * sizeof **c.fields);
            c.fields[c.n][w] = take_field(&text);
        }
        c.n++;
    }
    return c;
}

void csv_free(struct csv_records *c)
{
    for (size_t i = 0; i < c->n; i++) {
        for (size_t j = 0; j < c->widths[i]; j++) {
            free(c->fields[i][j]);
        }
        free(c->fields[i]);
    }
    free(c->fields);
    free(c->widths);
}

long csv_find(const struct csv_records *c, const char *block, const char *row, const char *column)
{
    for (size_t i = 1; i < c->n; i++) {
        cr_assert_eq(c->widths[i], 6);
        if (strcmp(c->fields[i][0], block) == 0 && strcmp(c->fields[i][1], row) == 0 &&
            strcmp(c->fields[i][2], column) == 0) {
            return (long)i;
        }
    }
    return -1;
}

long csv_find_row(const struct csv_records *c, const char *row, const char *column)
{
    for (size_t i = 1; i < c->n; i++) {
        if (strcmp(c->fields[i][1], row) == 0 && strcmp(c->fields[i][2], column) == 0) {
            return (long)i;
        }
    }
    return -1;
}

static const char *field(const struct csv_records *c, const char *block, const char *row,
                         const char *column, size_t k)
{
    long i = csv_find(c, block, row, column);
    cr_assert(i >= 0, "no cell (%s | %s | %s)", block, row, column);
    return c->fields[i][k];
}

static double number(const char *text)
{
    return text[0] == '\0' ? NAN : strtod(text, NULL);
}

double csv_value(const struct csv_records *c, const char *block, const char *row,
                 const char *column)
{
    return number(field(c, block, row, column, 3));
}

double csv_se(const struct csv_records *c, const char *block, const char *row, const char *column)
{
    return number(field(c, block, row, column, 4));
}

const char *csv_text(const struct csv_records *c, const char *block, const char *row,
                     const char *column)
{
    return field(c, block, row, column, 5);
}
