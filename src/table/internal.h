/* What the sources of this folder share. */
#ifndef TABLE_INTERNAL_H
#define TABLE_INTERNAL_H

#include <sqlite3.h>

#include "regret/buffer.h"
#include "regret/status.h"

/* ---- functions.c ---- */

/* A function of queries, of at least and at most so many arguments. */
struct sql_function {
    const char *name;
    int least, most;
    void (*call)(sqlite3_context *c, int n, sqlite3_value **v);
};

/* A value as text, "" of NULL. */
struct regret_span sql_span(sqlite3_value *v);
/* Hands a text that was built over as what the function gives; the buffer is as new. */
void sql_give(sqlite3_context *c, struct regret_buffer *text);
/* Gives a piece of a text that stands elsewhere. */
void sql_give_piece(sqlite3_context *c, const char *text, size_t length);
/* Which of n words a value is; n after the error that names the function and them. */
size_t sql_word(sqlite3_context *c, sqlite3_value *v, const char *function,
                const char *const *words, size_t n);

/* ---- records.c: functions of JSON; the last has no name. ---- */

extern const struct sql_function SQL_RECORD_FUNCTIONS[];

/* Appends the text of a JSON value: of a string what it says, of others what stands there; 0 of null. */
int sql_append_plain(struct regret_buffer *out, struct regret_span json);
/* The value of the member of an object that has this name; 0: there is none. */
int sql_find_member(struct regret_span *out, struct regret_span object, struct regret_span name);

#endif
