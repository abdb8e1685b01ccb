/* What the sources of this folder share. */
#ifndef TABLE_INTERNAL_H
#define TABLE_INTERNAL_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/jsonl.h"
#include "base/names.h"
#include "regret/buffer.h"
#include "table/fields.h"
#include "table/sql.h"

struct source;
struct regret_csv;
struct regret_text_store;

/* ---- scan.c: JSON of strangers, made plain for SQLite. ---- */

/* Which members of a record are kept, and which values are null; both empty: all is kept as it is. */
struct scan_fields {
    struct names kept;    /* of the record itself, where it is an object; none: all */
    struct names without; /* at any depth */
};

/* Where a value stands in a buffer; a length of 0: nowhere. */
struct scan_part {
    size_t begin, length;
};

/* Appends the value that the text is, plain. What is not wanted is passed over by its quotes and brackets, not judged. REGRET_E_INPUT: as
 * json_parse_from() tells it, of a text that begins in this column. */
int scan_json(struct regret_buffer *out, const char *text, size_t length, struct regret_place at,
              size_t column, const struct scan_fields *fields);
/* The same; part[i] says where the value of field i of those that are kept stands. */
int scan_record(struct regret_buffer *out, struct scan_part *part, const char *text, size_t length,
                struct regret_place at, size_t column, const struct scan_fields *fields);

/* A value among those of a text, one behind the other with what is in it. */
struct scan_node {
    struct scan_part key;   /* of a member, between its quotes; of others nothing */
    struct scan_part value; /* plain */
    size_t next;            /* the node behind it and all that is in it */
};
struct scan_tree {
    struct regret_buffer text, room; /* what is read, plain, and room for keys */
    struct scan_node *node;          /* owned */
    size_t n, capacity;
};
/* The same as scan_json() into a tree, in the place of what was in it; NaN and the infinities are null. */
int scan_tree(struct scan_tree *tree, const char *text, size_t length, struct regret_place at,
              size_t column);
void scan_tree_free(struct scan_tree *tree);

/* The elements of a list deep in a document, and the document without it. */
struct scan_list {
    struct json_cursor text;
    const char *lists;            /* as struct sql_source has it; borrowed */
    struct regret_buffer path;    /* of the member at hand, "$.results.results" */
    struct regret_buffer element; /* of a list of members: {"key": …, "value": …} */
    struct regret_buffer *head;   /* gets the document without the list; NULL: nobody wants it */
    int is_open;                  /* within the list: an element or its end comes next */
    int is_of_members;            /* it is an object, whose members are the elements */
    int is_done;                  /* the list is over: what is left is passed over */
    int is_first;                 /* no element has come */
    size_t depth;                 /* of objects that are open, … */
    size_t before[REGRET_JSON_MAX_DEPTH + 1]; /* … and the path before the member at hand of each */
    int is_behind_member;                     /* of the innermost: a member of it has been read */
};

void scan_list_free(struct scan_list *list);
/* Goes to the list; *found is 0 where the document has none. With a head the list is passed over, and the document read to its end. */
int scan_list_open(struct scan_list *list, int *found);
/* The next element, borrowed until the next call, *text NULL at the end of the document, whose rest is passed over; `at` and *column
 * say where it begins. */
int scan_list_next(struct scan_list *list, const char **text, size_t *length,
                   struct regret_place *at, size_t *column);

/* ---- tree.c: Where a path leads. ---- */

/* The first byte of a value: what kind it is of. */
static inline char tree_first(const struct scan_tree *t, size_t node)
{
    return t->text.data[t->node[node].value.begin];
}
/* Appends what a string says, as it is written between its quotes; one that stands in the tree; whether a key is that name. */
void tree_append_string(struct regret_buffer *out, struct regret_span s);
void tree_append(struct regret_buffer *out, const struct scan_tree *t, struct scan_part string);
int tree_key_is(struct regret_span key, struct regret_span name, struct regret_buffer *room);
/* A member of an object, or an element of a list by its place from 0. FIELDS_NONE: there is none. */
size_t tree_member(struct scan_tree *t, size_t from, struct regret_span name);
/* Where a path leads, as fields_pick() has it. */
size_t tree_follow(struct scan_tree *t, size_t from, const char *path);

/* ---- fields.c and wide.c: Rows by named fields. ---- */

struct pick {
    char *name;                /* owned; NULL: nowhere */
    const char *path;          /* of JSON: what of the name leads on from where it begins */
    int is_of_row;             /* that is the nested row, not the record */
    size_t column;             /* of CSV */
    size_t node, row;          /* of JSON: where it led in that row, counted from 1 */
    struct regret_buffer text; /* what stands there */
};

struct fields {
    const char *path; /* borrowed */
    enum fields_layout layout;
    struct pick *pick; /* owned; those that were asked for, and then of each agent as many */
    size_t n, capacity;

    struct regret_csv *csv; /* NULL: JSON */
    char **header;          /* of CSV; owned, and what it holds */
    size_t n_columns;
    struct id_table columns;
    unsigned char *is_twice; /* [n_columns]; owned */

    struct regret_jsonl *lines;
    struct scan_list list; /* of an array */
    int is_list, is_whole; /* an array; a file that was parsed as one */
    struct regret_buffer whole, where;
    struct scan_tree tree;
    size_t next, end;         /* records in the tree that come next: nodes */
    size_t record, row;       /* those at hand: nodes; the row FIELDS_NONE without nested ones */
    size_t next_row, end_row; /* nested ones */
    char *rows;               /* path to them; owned; NULL: none */
    size_t line;              /* of the tree */
    size_t index, next_index; /* of the record in its tree or array, and of the next, from 0 */
    size_t row_index, n_rows; /* of the nested row, from 1, and how many there were */
    size_t stamp;             /* rows so far, of all kinds */
    int is_alone;             /* the record is the whole of its tree */
    int is_first, is_over, is_placed;

    /* A wide table. */
    const char *pattern;  /* borrowed; NULL: the agents are listed, or it is none */
    struct names agents;  /* found so far */
    size_t n_asked, most; /* fields of each, and agents at most */
    size_t base;          /* where the fields of the agent chosen begin */
    char seen[200];       /* names that are no agent's, for a message */
};

/* Of a wide table: the agents of the record at hand are entered; at the end there must be some. */
int wide_record(struct fields *f);
int wide_check(struct fields *f);

/* ---- source.c: Sources as virtual tables. ---- */

struct kept {
    char *file; /* owned */
    char *text; /* of the store */
};

struct source_table {
    struct sql *sql; /* borrowed */
    char *name;
    enum sql_source_kind kind;
    int is_head, is_mended;
    char **paths;
    size_t n_paths;
    const char *given; /* text that is no file; NULL: there are paths. Borrowed. */
    struct names patterns;
    char *lists;
    struct scan_fields fields;
    size_t records, readings;
    struct kept *kept; /* owned */
    struct regret_text_store *store;
    size_t n_kept, kept_capacity;
};

struct cursor {
    sqlite3_vtab_cursor base;
    struct source_table *t;
    size_t path;                /* of those of the source: the next one */
    size_t given;               /* bytes of a text that is no file that were handed out */
    struct source *source;      /* NULL: none is open */
    struct regret_buffer file;  /* at hand, as queries call it */
    struct regret_jsonl *lines; /* the source's; NULL: not read by lines */
    int is_list;
    struct scan_list list;
    struct regret_csv *csv;    /* NULL: no CSV */
    struct names header;       /* of CSV */
    size_t field, n_fields;    /* of SQL_CELLS: the one at hand */
    size_t line;               /* of the record at hand */
    struct regret_buffer text; /* the record at hand */
    struct scan_part *part;    /* of the fields that are kept; owned */
    size_t row;                /* so far */
    int is_over;
};

/* ---- member.c: The records of a source. ---- */

/* The next record, in c->text; is_over behind the last. */
int cursor_next(struct cursor *c);
void cursor_close_member(struct cursor *c);
void cursor_free(struct cursor *c);

/* ---- sql.c: The database. ---- */

struct sql {
    sqlite3 *db;
    struct source_table **source; /* owned */
    size_t n_sources, capacity;
    struct names option; /* names, and … */
    char **value;        /* … what they are; owned */
    size_t value_capacity;
    struct names files[4]; /* by enum sql_files */
    double end;            /* when the statement at hand must be done, by clock_seconds() */
    int failed;            /* what a source met, and its message; REGRET_OK: nothing */
    char said[1024];
};

/* What SQLite is told within a virtual table of a code of ours; the message of a failure is kept. */
int sql_code(struct sql *s, int rc);
void source_table_free(struct source_table *t); /* NULL is fine */
int source_register(struct sql *s);

/* ---- functions.c ---- */

/* A function of queries, of at least and at most so many arguments. */
struct sql_function {
    const char *name;
    int least, most;
    void (*call)(sqlite3_context *c, int n, sqlite3_value **v);
};

/* A value as text, "" of NULL. */
struct regret_span sql_span(sqlite3_value *v);
/* Gives a piece of a text that stands elsewhere. */
void sql_give_piece(sqlite3_context *c, const char *text, size_t length);
/* Which of n words a value is; n after the error that names the function and them. */
size_t sql_word(sqlite3_context *c, sqlite3_value *v, const char *function,
                const char *const *words, size_t n);

int sql_is_null(sqlite3_value *v);
void sql_fail(sqlite3_context *c, const char *format, ...) REGRET_PRINTF(2, 3);

/* ---- records.c and templates.c: the last of their functions has no name. ---- */

extern const struct sql_function SQL_RECORD_FUNCTIONS[], SQL_TEMPLATE_FUNCTIONS[];

/* Appends the text of a JSON value: of a string what it says, of others what stands there; 0 of null. */
int sql_append_plain(struct regret_buffer *out, struct regret_span json);
/* Appends the texts of one side of the turns of a chat; -1 of what is neither a list nor an object. */
int sql_append_turns(struct regret_buffer *out, struct regret_span json, int is_user);
/* The value of the member of an object that has this name; 0: there is none. */
int sql_find_member(struct regret_span *out, struct regret_span object, struct regret_span name);
/* The name, as it is written between its quotes, and the value of member i. */
int sql_member_at(struct regret_span *name, struct regret_span *out, struct regret_span object,
                  int i);

#endif
