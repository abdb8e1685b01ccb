/* Data of generators. */
#ifndef SYNTH_DATA_H
#define SYNTH_DATA_H

#include <stddef.h>

#include "base/json.h"

/* Memory that is freed all at once and has a limit. */

struct arena_block;

struct arena {
    struct arena_block *blocks; /* the newest first; owned */
    size_t room;                /* bytes left in the newest */
    size_t taken;               /* bytes handed out so far */
    size_t limit;               /* most that may be */
    int status;                 /* REGRET_OK, or REGRET_E_NOMEM once memory could not be had */
};

/* The data of a generator: its files of data/synth, put into the program when it is built, and what is
 * read from them. Errors name file and line, as for a file of a user. */

struct cJSON;

#define DATA_FOLDER "data/synth/"

struct data_file {
    const char *name; /* from the project's folder: "data/synth/newswire/card.md" */
    const char *text; /* with a zero behind it */
};

/* The text of one of the files of a generator, a table sorted by name that a NULL name ends (made by
 * cmake/embed.cmake); NULL where there is none. */
const char *data_text(const struct data_file *files, const char *name);

/* What a generator has read: it lives until data_free(). Start with one that knows its files alone. */
struct data {
    const struct data_file *built_in;
    struct cJSON *files; /* the JSON files; owned */
    struct arena arena;  /* what is made of them */
};

struct data_strings {
    const char *const *items;
    size_t n;
};

/* Memory until data_free(), zeroed. */
int data_take(void **out, struct data *data, size_t count, size_t size);
#define DATA_NEW(out, data, count) data_take((void **)(out), (data), (count), sizeof **(out))

/* Parses a JSON file, whose values live until data_free(). */
int data_read(const struct cJSON **out, struct data *data, const char *name);
/* Where an object of that file begins. */
struct regret_place data_place(const char *name, const struct cJSON *object);
/* The array of strings that is the object's field: one at least. */
int data_strings(struct data_strings *out, struct data *data, const struct cJSON *object,
                 const char *field, struct regret_place at);
/* The string field as a number: which of the `n` words it is. */
int data_word(size_t *out, const char *const *words, size_t n, const struct cJSON *object,
              const char *field, struct regret_place at);
void data_free(struct data *data);

#endif
