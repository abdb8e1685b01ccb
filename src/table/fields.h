/* Rows of one file by named fields: CSV, lines of JSON, lists of JSON. */
#ifndef TABLE_FIELDS_H
#define TABLE_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "regret/buffer.h"

enum fields_layout {
    FIELDS_CSV,   /* with a header; blanks around fields are none of them */
    FIELDS_LINES, /* JSON: one object a line, or an array of objects */
    FIELDS_SET /* the same, or an object that holds them: in a list "data", or one a key; objects on several lines are parsed whole */
};

/* Between the path to a list whose elements are rows and what is in them. */
#define FIELDS_NEST ".*."

/* Stands for the name of an agent in those of columns. */
#define FIELDS_AGENT "{agent}"

enum {
    FIELDS_MAX_NAME = 500,     /* bytes */
    FIELDS_MAX_WIDE = 19 << 12 /* agents of a wide table × fields of each */
};

struct fields; /* opaque */

/* Opens a file, which is borrowed by name; files that are compressed are unpacked. With `rows` (NULL: none) each element of the list
 * where this path leads in a record of JSON is a row: fields that begin with it and FIELDS_NEST are the element's, others the record's. */
int fields_open(struct fields **out, const char *path, enum fields_layout layout, char separator,
                const char *rows);
void fields_close(struct fields *f); /* NULL is fine */

/* Picks n more fields by their names, which are copied; they are called by number, in the order of picking. NULL: a field that is nowhere.
 * CSV: a column of the header. JSON: a member or, where no member has that name, a path of several with dots between: into objects, by
 * numbers from 0 into lists, and by "scores[quality]" to the value of the element of a list of {"name": …, "value": …} that is
 * called so. REGRET_E_INPUT: no such column, or two. */
int fields_pick(struct fields *f, const char *const *names, size_t n);
const char *fields_name(const struct fields *f, size_t i);

/* A wide table, before its first row: of the fields that were picked those with FIELDS_AGENT in their names are each agent's own. Agents are
 * those listed, or those that a column or member of the pattern (borrowed) names, `most` at most; of JSON they may grow with every row.
 * REGRET_E_INPUT: none, or too many. */
int fields_widen(struct fields *f, const char *pattern, const char *const *agents, size_t n,
                 size_t most);
size_t fields_agents(const struct fields *f);
/* Until the next row the fields are those of agent a, whose name is handed back; before, those that are no agent's own. */
const char *fields_choose(struct fields *f, size_t a);
const char *fields_agent(const struct fields *f); /* the one chosen */
int fields_is_agents_own(const struct fields *f, size_t i);

/* REGRET_E_INPUT: no column of that name is among the n (more than 0) of a header; with the one that may have been meant, and without a
 * place. */
int fields_no_column(const char *name, const char *const *known, size_t n);
/* Each column of a header, or each member of the object that a path leads to in the record at hand ("": the record). */
typedef int fields_named(void *context, const char *name);
int fields_each_name(struct fields *f, const char *path, fields_named *take, void *context);
/* The header of CSV; NULL of JSON. */
const char *const *fields_header(const struct fields *f, size_t *n);

/* The next row; *more is 0 at the end. An error names its place; the next row can be read unless reading is over. */
int fields_next(struct fields *f, int *more);
int fields_is_over(const struct fields *f);

/* Where the row at hand stands, what it is to people (line, record, row) and its number: of lines from 1, of others from 0. The place is
 * borrowed until the next row. */
struct regret_place fields_place(struct fields *f);
const char *fields_unit(const struct fields *f);
size_t fields_number(const struct fields *f);
int fields_is_json(const struct fields *f);
/* REGRET_E_INPUT with that place before what printf() makes. */
#define fields_fail(f, ...) regret_json_error(fields_place(f), __VA_ARGS__)

enum fields_kind {
    FIELDS_ABSENT,
    FIELDS_NULL, /* NaN and infinities, too */
    FIELDS_TEXT, /* a cell of CSV, too */
    FIELDS_NUMBER,
    FIELDS_WORD, /* true or false */
    FIELDS_LIST,
    FIELDS_OBJECT
};

/* What stands in a field. */
struct fields_cell {
    enum fields_kind kind;
    const char *text; /* what it says, digit by digit, or as JSON; NULL: absent or null */
    size_t length;
};

/* Field i of the row at hand, borrowed until the next row. REGRET_E_INPUT: CSV that is no UTF-8 or holds a zero byte. */
int fields_cell(struct fields_cell *out, struct fields *f, size_t i);
/* The same as text: of what is absent or null "" if it may lack, else an error, as of lists and objects; `wanted` is what it must be, NULL "a
 * text or a number". */
int fields_text(const char **out, struct fields *f, size_t i, int may_lack, const char *wanted);
/* The same; of a list of the turns of a chat, or a text that is one, what one side said, an empty line between. What an agent says may
 * lack. */
int fields_turns(const char **out, struct fields *f, size_t i, int is_user);

/* What a field holds, one after the other: the elements of a list, or what a step "*" of its path leads to from each of them, or the one
 * thing. */
struct fields_walk {
    struct fields *f; /* borrowed */
    size_t field, next, end;
    const char *rest;       /* of the path, from each element; NULL: the element itself */
    struct fields_cell one; /* of CSV */
    int is_list;            /* 0: one thing, which may be absent */
};
int fields_walk(struct fields_walk *out, struct fields *f, size_t i);
/* The next, borrowed until the next call; 0 at the end. */
int fields_walk_next(struct fields_cell *out, struct fields_walk *w);

/* What stands in the record at hand of JSON: values by number. */
#define FIELDS_NONE SIZE_MAX
size_t fields_record(const struct fields *f);
/* The first value in an object or a list, the one behind another in it, the member of that name. */
size_t fields_first(const struct fields *f, size_t in);
size_t fields_behind(const struct fields *f, size_t value, size_t in);
size_t fields_member(struct fields *f, size_t in, const char *name);
/* What a value is, and what it is called in an object, each borrowed until the next is asked for. */
struct fields_cell fields_value(struct fields *f, size_t value);
const char *fields_key(struct fields *f, size_t value);

#endif
