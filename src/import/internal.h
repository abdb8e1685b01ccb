/* What the sources of this folder share. */
#ifndef IMPORT_INTERNAL_H
#define IMPORT_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/files.h"
#include "import/builder.h"
#include "import/table_map.h"

struct table_source;

/* ---- alpacaeval.c: alpacaEval. ---- */

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
/* Adds the rows of a model; counts what is lost. */
int alpacaeval_read_model(struct alpacaeval *s, const char *name, uint32_t number);

/* PATH/A or PATH/A/B, to be freed. */
int alpacaeval_path(char **out, const char *path, const char *a, const char *b);

/* ---- table.c: A table becomes a pool. ---- */

/* A data set that is a table with a map of its own, and what the map cannot say. */
struct table_recipe {
    const char *map;  /* what the file of a map would hold */
    const char *name; /* of the pool; NULL: the map's */
    const char *card; /* the pool's README.md */
    void (*complete)(
        double *values); /* makes the values of a row of those that were read; may be NULL */
    const char *const (*titles)[2]; /* of agents: id and title */
    size_t n_titles;
    const char *by; /* the import's name, for the history */
};

struct table_import {
    const struct regret_table_options *options;
    const struct table_recipe *recipe; /* NULL: the map is a file */
    const char *path;
    struct regret_table_report report;
    size_t wide_rows;       /* what the records of a wide table have of all agents */
    char other_agents[200]; /* the first of those that no pattern asks for */
    struct import_bad_rows bad;
    struct table_map map;
    struct import_builder b;
    uint32_t rater;                /* of the row at hand, of the next */
    struct import_register raters; /* of rows that say who has rated */
    struct table_vote *vote; /* of a table of votes, until they are rows; owned, as is the next */
    size_t n_votes, votes_capacity;
    struct regret_buffer turns;      /* of the conversation read last */
    struct regret_buffer references; /* of the context read last */
    struct regret_buffer id;         /* of two columns */
};

/* Imports as regret_import_table() does; with a recipe its map counts, and map_path is not looked at. */
int table_import(struct regret_table_report *report, const struct table_recipe *recipe,
                 const char *table_path, const char *map_path, const char *pool_path,
                 const struct regret_table_options *options, int replace);

/* Puts the place before a message that has none; returns rc. */
int table_fail_at(int rc, struct regret_place at);
/* Puts the row of that number before a message; returns rc. */
int table_fail_in_row(int rc, const char *path, const char *unit, size_t number);
/* Enters the context of the record at hand, with its text, its tag, its reference and its covariates, whose fields begin at
 * that one. */
int table_context_read(uint32_t *out, struct table_import *t, struct table_source *source,
                       size_t covariates);
/* Sets the text of a context or the title of an agent by field, which must not change. */
int table_entry_text(struct table_import *t, struct import_entry *entry, const char *what,
                     struct table_source *source, enum table_field field);

/* Reads the vote of the record at hand. */
int table_vote_read(struct table_import *t, struct table_source *source);
/* The votes become rows, two for a prompt and a pair of agents: the means of the votes on them. */
int table_votes_settle(struct table_import *t);
void table_votes_free(struct table_import *t);

/* Reads the contexts that stand in a file of their own, if they do: there are no others then. */
int table_read_contexts(struct table_import *t);
/* Rows of several raters of an output become one; one without a score of somebody who is asked for may be left out. */
int table_raters_settle(struct table_import *t);
/* Reads the rows of t->path into the builder. */
int table_read_rows(struct table_import *t);

#endif
