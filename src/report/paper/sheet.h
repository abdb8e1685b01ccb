/* A CSV of short texts in memory: the files of data/paper, built into the library, and those of the user's own. */
#ifndef REGRET_REPORT_SHEET_H
#define REGRET_REPORT_SHEET_H

#include <stddef.h>

#include "regret/json.h"

enum {
    SHEET_MOST = 4096, /* records */
    SHEET_MOST_COLUMNS = 32,
    SHEET_MOST_BYTES = 1 << 20, /* of a file */
    SHEET_LONGEST = 400         /* bytes of a field of data/paper */
};

struct sheet_record {
    char **field; /* of each column; owned */
    size_t line;
};
struct sheet {
    char *name;   /* of the file; owned */
    char **heads; /* n_columns names, each once; owned */
    size_t n_columns;
    struct sheet_record *records;
    size_t n, capacity;
};

/* Reads a file, `text` called `name`, or the file of data/paper of that name. Every record has a field for
 * each column, of at most `longest` bytes of UTF-8 without control characters; errors name the line. */
int sheet_read(struct sheet *out, const char *path, size_t longest);
int sheet_parse(struct sheet *out, const char *text, const char *name, size_t longest);
int sheet_of_paper(struct sheet *out, const char *name);
void sheet_free(struct sheet *s);

/* The column of that head, or REGRET_NO_ROW. */
size_t sheet_column(const struct sheet *s, const char *head);
/* Where record i is, for messages. */
struct regret_place sheet_place(const struct sheet *s, size_t i);

/* The field of record i in the column of that head; "" where there is none. */
const char *sheet_field(const struct sheet *s, size_t i, const char *head);
/* Its *n words, which spaces end; more than `most` are an error. The field is cut into them. */
int sheet_words(const char **out, size_t most, size_t *n, struct sheet *s, size_t i,
                const char *head);
/* Which of the n that are known the word, or the whole field, is; any other is an error with the nearest. */
int sheet_known(size_t *out, const char *word, const char *what, const char *const *known, size_t n,
                struct regret_place at);
int sheet_word(size_t *out, const struct sheet *s, size_t i, const char *head,
               const char *const *known, size_t n);
/* 1 when `name` is a key of a configuration. */
int sheet_is_key(const char *name);

/* A file of data/paper. Made by cmake/embed.cmake; a NULL name ends them. */
struct paper_file {
    const char *name, *text;
};
extern const struct paper_file paper_files[];

#endif
