/* Tables as queries: SQLite behind the project's own readers. */
#ifndef TABLE_SQL_H
#define TABLE_SQL_H

#include <sqlite3.h>
#include <stddef.h>

#include "regret/buffer.h"
#include "regret/status.h"

/* SQLite picks, joins, groups and checks; what it reads comes from sources, which are ours: each record with its file and
 * line, its JSON checked (UTF-8, depth, keys given twice) and made plain: keys and texts without escapes that stand for no character,
 * NaN as "NaN", infinities as 9e999 and -9e999, numbers digit by digit. SQLite's own JSON functions read no other. */

struct names;
struct sql; /* a database in memory; opaque. Of one thread at a time. */

int sql_open(struct sql **out);
void sql_close(struct sql *s); /* NULL is fine */
sqlite3 *sql_handle(struct sql *s);

/* What option(NAME) is in queries; NULL: nothing. Both are copied. */
int sql_set_option(struct sql *s, const char *name, const char *value);

/* For tests: rows of databases opened from here on come in the other order, on which no query may depend. */
void sql_reverse(int is_reversed);

/* ---- sources ---- */

/* `file` is a path, within an archive behind that of the archive; `nr` counts the records of a source, for lines may hold several. */
enum sql_source_kind {
    SQL_JSON,  /* NAME(file, document): a document a file */
    SQL_JSONL, /* NAME(file, line, nr, record): a line a record */
    SQL_ROWS, /* NAME(file, line, nr, record): rows of CSV or TSV, lines of JSONL or elements of an array, each as an object */
    SQL_LINES, /* NAME(file, line, nr, text): lines as they are */
    SQL_CELLS, /* NAME(file, line, nr, field, name, value): the cells of CSV or TSV, whatever their number; `field` from 0 */
    SQL_LIST, /* NAME(file, line, nr, record): the elements of a list deep in a document, one after the other; NAME_head(file,
                  document): the document without it */
    SQL_KINDS
};

/* A table that is read from files when a query asks for it. Texts are copied. */
struct sql_source {
    const char *name;
    enum sql_source_kind kind;
    const char *const *paths; /* files, folders and archives; */
    size_t n_paths;
    const char *text; /* of SQL_ROWS: CSV that is no file; NULL: there are paths. Borrowed. */
    const char *
        patterns; /* which of their members, shell patterns between bars; NULL: all. One matches the last parts of a path,
                             as many as it has itself; a part of two asterisks is any number of folders; "!" stands before those left out. */
    const char *
        lists; /* of SQL_LIST: where the list may be, "$.results.results|$.results" ("$": the document), the first that is there; "$.eval.*" is an object */
    int is_mended; /* 1: in CSV bytes that are no UTF-8 become U+FFFD; 0: they are refused */
    const char *
        fields; /* members of records that are kept, "id, doc"; each is a column, too: its value as JSON, NULL where it is not
                             there; "*": the others, an object; NULL: all members, without columns of their own */
    const char *
        without; /* names whose values are left out at any depth, "tokens, embedding"; NULL: none */
};

/* Adds it as a table of the database. SQL_JSON and heads are kept once read; others are streamed, once for every query that
 * mentions them. REGRET_E_INPUT: no such list, path or pattern. */
int sql_add_source(struct sql *s, const struct sql_source *source);

/* The records of its last whole reading. */
size_t sql_source_records(const struct sql *s, const char *name);

/* Files that sources came by, as queries call them. */
enum sql_files {
    SQL_FILES_MET,
    SQL_FILES_READ,  /* those that one of them reads */
    SQL_FILES_DISK,  /* what these are or are in, on disk */
    SQL_FILES_PASSED /* what cannot be read: why and where, a newline between */
};
const struct names *sql_files(const struct sql *s, enum sql_files which);

/* ---- statements ---- */

/* From here on nothing is allowed but SELECT, temporary tables, views and indexes, and INSERT into them: when sources and tables are there. */
void sql_guard(struct sql *s);
/* Runs statements of a script, which `at` names with the line it begins on. REGRET_E_INPUT: "FILE:LINE: …" with what SQLite says, or what a
 * source met. */
struct regret_place;
int sql_run(struct sql *s, const char *script, const struct regret_place *at);

/* Forgets the temporary tables and views of scripts that have run, for the next. */
int sql_clear(struct sql *s);

/* Told of a row of a query; what it fails with ends that. */
typedef int sql_row(void *context, sqlite3_stmt *row);
/* The statement at *script, which is then behind it, in its place. `begin` is told of it before any row; both may be NULL. */
int sql_statement(struct sql *s, const char **script, const struct regret_place *at, sql_row *begin,
                  sql_row *row, void *context);
/* A query of the program's own, which may do anything; `row` may be NULL. The varargs of sqlite3_mprintf(): %Q a text, %w a name. */
int sql_each(struct sql *s, sql_row *row, void *context, const char *query, ...);
/* The one text or number of a query; NULL and NAN where it has no row. */
int sql_text(char **out, struct sql *s, const char *query, ...);
int sql_number(double *out, struct sql *s, const char *query, ...);

/* ---- functions.c: what queries have beyond SQLite's own functions; data/import/README.md tells of each. ---- */

int sql_add_functions(sqlite3 *db);
/* Hands a text that was built over as what the function gives; the buffer is as new. */
void sql_give(sqlite3_context *c, struct regret_buffer *text);

#endif
