/* Rows of RATE from CSV, and the values of cells. */
#ifndef RATE_READ_CSV_H
#define RATE_READ_CSV_H

#include <stddef.h>

#include "base/json_tokens.h"

struct reading;

/* The values and objects of a row's JSON, one after the other as they stand in the text, without a tree.
 * What is malformed or not allowed sets `wrong` and ends the text, so that everything after it finds
 * nothing more. */

struct value_reader {
    struct json_tokens t; /* importing */
    const char *text;     /* the beginning of it */
    size_t depth;         /* of the arrays and objects entered */
    int wrong;            /* 1: the text is not JSON, not even as Python writes it */
    int failure;          /* a failure that is not the text's, such as want of memory */
    char *unescaped;      /* the values of the strings with escapes that were asked for; owned */
    size_t room, used;    /* bytes of it */
};

/* Begins a text; what was unescaped of the one before is gone. */
void begin_values(struct value_reader *r, const char *text, size_t length);
void free_values(struct value_reader *r);

/* NOTHING: NaN, Infinity, -Infinity and an empty array. */
enum value_kind { A_NULL, NOTHING, A_TRUE, A_FALSE, A_NUMBER, A_STRING, AN_ARRAY, AN_OBJECT };

struct value {
    enum value_kind kind;
    double number;
    struct regret_span
        text; /* of a number as it stands there; of a string its value, or, escaped, what stands there */
    int escaped;
};

static inline int is_nothing(const struct value *v)
{
    return v->kind == A_NULL || v->kind == NOTHING;
}

static inline int at_object(const struct value_reader *r)
{
    return r->t.at < r->t.end && *r->t.at == '{';
}

/* Any value. Numbers are those of strtod(); an array or object is read and left behind. */
struct value take_value(struct value_reader *r);
/* The same with a string's escapes resolved, which lives until the next text; an escape that stands for
 * no character is U+FFFD. */
struct value take_text_value(struct value_reader *r);
const char *value_kind_name(enum value_kind kind); /* "a boolean", …; not of A_NULL or NOTHING */

enum { MAX_KEYS = 64 };

/* The object at hand. */
struct members {
    const char *begin;
    size_t n;                          /* keys so far */
    struct regret_span seen[MAX_KEYS]; /* the first of them */
};

/* Into the object that at_object() sees. */
void enter_object(struct value_reader *r, struct members *m);
/* The next key (its escapes resolved), on to its value, which must be taken before the next call; 0
 * behind the object, and when something is wrong, such as a key given twice. */
int next_member(struct value_reader *r, struct members *m, struct regret_span *key);

/* Takes note that the text is wrong. */
void refuse(struct value_reader *r);

/* Rows in a table of CSV or TSV. */

/* All rows of a table; its columns are in regret/rate.h. */
int read_table(struct reading *r, const char *path, char separator);

#endif
