/* What `regret import NAME` is made of: an importer is a folder with a `const struct importer importer_NAME` in it and
 * a word in import/importers.h. The program makes its options, its help and its checks of that. */
#ifndef REGRET_IMPORT_IMPORTER_H
#define REGRET_IMPORT_IMPORTER_H

#include <stddef.h>

#include "regret/buffer.h"
#include "regret/pool.h"

enum importer_type {
    IMPORTER_FLAG,      /* int: set to 1 */
    IMPORTER_STRING,    /* const char * */
    IMPORTER_SIZE,      /* size_t within [low, high] */
    IMPORTER_SHARE,     /* double within [low, high] */
    IMPORTER_LIST,      /* struct importer_list; may be given many times */
    IMPORTER_WORD,      /* an enumeration without negative values, by the words for 0, 1, … */
    IMPORTER_CHARACTER, /* char; "tab" for the tabulator */
    IMPORTER_FORCE      /* IMPORTER_FORCE_OPTION */
};

struct importer_list {
    const char *const *items;
    size_t n;
};

struct importer_option {
    const char *name; /* without the dashes */
    char letter;      /* 'm' for -m, or 0 */
    enum importer_type type;
    size_t offset;            /* in the importer's options */
    const char *value;        /* what help calls the value; NULL for a flag */
    const char *help;         /* one line */
    double low, high;         /* of numbers */
    const char *const *words; /* of IMPORTER_WORD; ended by NULL */
    const char *demanded;     /* what to say where it is missing; NULL: it need not be given */
};

/* --force, wherever it stands among the options. */
#define IMPORTER_FORCE_OPTION                                                                      \
    {                                                                                              \
        "force", 'f', IMPORTER_FORCE, 0, NULL, "replace a pool that is there already", 0, 0, NULL, \
            NULL                                                                                   \
    }

/* One import. */
struct importer_call {
    const char *from, *to; /* the file, and the folder of the pool; NULL: nothing is written */
    const char *name;      /* what the report calls it */
    const char *date;      /* of the step in the pool's history; NULL: none */
    int replace;
    struct regret_pool **into;                        /* not NULL: gets the pool */
    void *options;                                    /* of the importer */
    void (*note)(void *context, const char *message); /* for bad rows that are left out */
    void *note_context;
    struct regret_buffer *report; /* gets what people want to know when it is done */
};

struct importer {
    const char *name, *synopsis, *summary, *detail, *examples; /* "import csv"; as in cli.h */
    const struct importer_option *options;                     /* but for --output */
    size_t n_options;
    const void *defaults; /* of the options */
    size_t size;          /* their bytes */
    int can_dry_run;      /* it heeds `into` */
    int makes_log;        /* it makes a log and a trial with their evaluate.json, and no pool */
    int (*run)(const struct importer_call *call);
};

/* The members for an array of options and the defaults of what they set. */
#define IMPORTER_OPTIONS(array, values)                                                            \
    .options = (array), .n_options = sizeof(array) / sizeof *(array), .defaults = &(values),       \
    .size = sizeof(values)

/* A line of a report, "n what", where n, a size_t of the importer's own report, is not 0. */
struct importer_count {
    size_t offset;
    const char *what;
};

/* Appends such lines, and how many pairs have no output. */
void importer_report_counts(struct regret_buffer *report, const struct importer_count *counts,
                            size_t n, const void *values);
void importer_report_missing(struct regret_buffer *report, size_t contexts, size_t agents,
                             size_t pairs);

/* Remembers a name for a message: "a, b, c", each once, as many as there is room for. */
void importer_remember(char *list, size_t size, const char *name);

#endif
