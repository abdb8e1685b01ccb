/* Internal to the importer of tables: rows as they are read, before they are a pool. */
#ifndef REGRET_IMPORT_IMPORT_TABLE_H
#define REGRET_IMPORT_IMPORT_TABLE_H

#include "base/id_table.h"
#include "import/table_map.h"
#include "import/table_source.h"

/* A context or an agent. */
struct table_thing {
    char *given, *id; /* as the table has it, and as the pool may; owned */
    char *text;       /* of a context, title of an agent; owned, may be NULL */
    size_t line;      /* where it was first met */
    size_t rows;      /* of the outputs that count */
    double cost;      /* sum over all its rows; agents */
    size_t costs;     /* how many those are */
    uint32_t index;   /* in the pool */
};

struct table_things {
    const char *what; /* "context" or "agent" */
    struct table_thing *thing;
    size_t n, capacity, most;
    struct id_table ids;
};

struct table_row {
    uint32_t context, agent, draw;
    int kept;
    size_t line;
    char *text;     /* owned until the pool takes it over */
    double *values; /* the same */
};

struct table_import {
    const struct regret_table_options *options;
    struct regret_table_report report;
    struct table_map map;
    struct table_things contexts, agents;
    struct table_row *rows;
    size_t n_rows, row_capacity;
};

/* Reads the contexts, if they are apart, and the rows. */
int table_read(struct table_import *t, const char *table_path);

/* Chooses among the rows of a pair, and numbers draws. */
int table_settle_repeats(struct table_import *t, const char *table_path);

/* Moves everything into t->map.pool. */
int table_fill_pool(struct table_import *t);

#endif
