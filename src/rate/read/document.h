/* A whole file that is one JSON document: an array of rows, or an object of rows by id, compact or
 * indented, as json.dump() writes them. Its rows are found without building a tree. */
#ifndef REGRET_RATE_DOCUMENT_H
#define REGRET_RATE_DOCUMENT_H

#include "regret/json.h"
#include "regret/rate.h"

struct document {
    struct regret_place at; /* of the present row; `file` is borrowed */
    char *text;             /* owned */
    size_t length, position;
    char close;     /* ']' or '}' */
    size_t n;       /* rows so far */
    size_t counted; /* bytes whose lines are in at.line */
    char *key;      /* room for the present row's; owned; NULL in an array */
};

/* Reads the file if it is a document, by its content: it begins with '[', or it is one object whose
 * members are all objects, the first not of scores, under keys that no row has. *is_document is 0
 * for anything else, of which only the beginning was read, and for what can be read but once
 * (pipes). At most REGRET_RATE_MAX_DOCUMENT bytes. Free *d with document_free() in any case. */
int document_open(struct document *d, int *is_document, const char *path,
                  struct regret_span z_field);
/* The text of the next row, borrowed, and its key; *row is NULL after the last. */
int document_next(struct document *d, const char **row, size_t *length, struct regret_span *key);
void document_free(struct document *d);

#endif
