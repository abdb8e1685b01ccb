/* Internal to the importer of AlpacaEval's published results. */
#ifndef REGRET_IMPORT_ALPACAEVAL_H
#define REGRET_IMPORT_ALPACAEVAL_H

#include "base/files/folder_list.h"
#include "import/build/builder.h"

/* The values of an output. */
enum { ALPACAEVAL_PREFERENCE, ALPACAEVAL_BREVITY, ALPACAEVAL_VALUES };

/* The last row that a model has for a context. */
struct alpacaeval_last {
    uint32_t model; /* its number, from 1; 0: none has one */
    size_t row;
};

struct alpacaeval {
    const struct regret_alpacaeval_options *options; /* borrowed */
    const char *path;                                /* the folder of results; borrowed */
    struct regret_alpacaeval_report report;
    struct import_bad_rows bad;
    struct import_builder b;
    struct folder_list models;    /* the folders that are asked for */
    char *annotator;              /* owned */
    struct alpacaeval_last *last; /* by context; owned */
    size_t last_capacity;
    char there[400]; /* folders no pattern asks for, the first few, for messages */
};

/* A model under way. */
struct alpacaeval_model {
    uint32_t agent;
    uint32_t number; /* from 1 */
    size_t begin;    /* the first of its rows */
    size_t seen;     /* records so far */
    char *generator; /* what its first record calls it; owned */
};

/* The folders of s->path that are asked for. */
int alpacaeval_find_models(struct alpacaeval *s);
/* The annotator whose judgements are read: the one that is asked for, or the only one there is. */
int alpacaeval_find_annotator(struct alpacaeval *s);
/* Adds the rows of a model; counts what is lost. */
int alpacaeval_read_model(struct alpacaeval *s, const char *name, uint32_t number);

/* PATH/A or PATH/A/B, to be freed. */
int alpacaeval_path(char **out, const char *path, const char *a, const char *b);

#endif
