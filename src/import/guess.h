/* What a table is: the guess. */
#ifndef IMPORT_GUESS_H
#define IMPORT_GUESS_H

#include <stddef.h>

#include "import/column_names.h"
#include "import/guess_parts.h"
#include "import/importer.h"
#include "import/profile.h"
#include "regret/buffer.h"

enum guess_layout {
    GUESS_EITHER,
    GUESS_LONG, /* a row an output */
    GUESS_WIDE  /* a row a context */
};

/* What is known of a table before looking; zero: nothing. */
struct guess_known {
    char separator;
    enum guess_layout layout;
    const char *context, *agent; /* columns; borrowed. An agent's column makes the table long. */
    const double *range;         /* of scores, the worse end first; borrowed; NULL: guessed */
};

enum { GUESS_WIDE_FIELDS = 16 };

/* Columns that every agent of a wide table has one of. */
struct guess_field {
    enum guess_role role;
    struct profile_column over; /* all of them together; `name` is the pattern of the map, owned */
};

struct guess_wide {
    char **agent; /* owned */
    size_t n_agents;
    struct guess_field field[GUESS_WIDE_FIELDS];
    size_t n_fields;
    size_t scored; /* cells with a score */
    size_t
        rival; /* a column of as many others as there are agents; GUESS_NO_COLUMN: agents are told by more */
    char other
        [80]; /* the first of other agents that the names of the same columns may mean; "" without */
};

struct table_guess {
    struct table_profile profile;
    int is_json;
    char separator;           /* of CSV */
    size_t context, agent;    /* the columns that were named; or none */
    const double *range;      /* that was given; or none */
    enum guess_layout layout; /* the same */
    size_t
        ids; /* the column of ids of which several have one text, which is the context then; or none */
    size_t
        again; /* ids with a text that an earlier one has, where they are contexts all the same */
    enum guess_role *role;  /* of each column */
    size_t at[GUESS_ROLES]; /* the column of a role that one column has; GUESS_NO_COLUMN: none */
    size_t n_components, n_aux;
    size_t success; /* the outputs are patches, and this column says whether one is good; or none */
    size_t contexts, agents, pairs;
    size_t
        costless; /* agents without a cost in any row where others have some: costs are left out then */
    size_t grid_contexts,
        grid_agents;         /* of the part without holes that a run takes, or nearly so */
    struct guess_wide wide;  /* without agents where the table cannot be wide */
    unsigned char *is_score; /* 1 of each column that holds scores; owned */
    unsigned char
        *doubt; /* enum guess_doubt of each column of a wide one; NULL: it is none; owned */
    unsigned char *leak; /* enum guess_leak of each column; owned, as is the next */
    unsigned char *left; /* enum guess_left of each column without a role */
    size_t n_covariates;
    struct guess_numbers numbers;
    struct guess_relations relations;
    struct guess_votes votes; /* where they are found there is nothing else */
    int is_wide;              /* taken for it */
    int is_either;            /* 1: it could be of the other layout, too */
    size_t unscored;          /* rows without a number in some component, at least */
    char *
        lacking; /* the agent who lacks a score in the most contexts of its own; owned; NULL: none */
    size_t lacks, lacks_of; /* in so many, of so many */
    size_t zeros;           /* zero_may_be_none() of so many scores */
    double spread; /* standard deviation of the first score among rows of a pair; NaN: not known */
    struct regret_table_options
        import; /* with which import takes the table by the map; see table_guess_try() */
    struct regret_table_report imported; /* what became of the rows then */
    char *
        refused; /* what import says of the first bad row or, with `fails`, of the whole table; NULL: nothing; owned */
    int fails;   /* 1: import takes it in no way, or not without losing agents to bad rows */
    size_t lost_agents, lost_contexts; /* without a row that import takes */
};
#define GUESS_NO_COLUMN ((size_t)-1)

/* Looks at a regular file: JSON (JSONL, an array of objects) where no separator is known and the first character is a
 * brace or a bracket, else CSV. REGRET_E_INPUT where no two columns can be contexts and agents, those named cannot, or
 * none is a score; the message says what was looked for. */
int table_guess_make(struct table_guess *out, const char *path, const struct guess_known *known);
void table_guess_free(struct table_guess *guess);

/* Takes texts for contexts, and sets guess->ids, where the same come again under other ids. O(rows log rows) a column. */
int guess_copies_find(struct table_guess *guess);
/* Finds the part without holes of a long table whose columns are known. O(pairs log pairs), and as
 * grid_drop_greedily(). */
int guess_grid(struct table_guess *guess);
/* Sets guess->spread of a long table. O(rows log rows). */
int guess_spread(struct table_guess *guess);

/* Looks for agents among the columns; out->n_agents is 0 where there are none. O(columns² · agents). */
int guess_wide_find(struct guess_wide *out, const struct table_guess *guess);
/* Finds the context of a wide table, or takes the one named, and marks the agents' columns; 0: no column tells rows
 * apart. */
int guess_wide_context(struct table_guess *guess);
/* 1 where column k stands in place `field` of guess_field_at(), of a wide table for an agent. */
int guess_is_of_field(const struct table_guess *guess, size_t k, size_t field);
/* Marks the agents' columns of scores: guess->is_score. */
void guess_wide_mark_scores(struct table_guess *guess);
/* 1 where a pattern with the agent's name in it is the column's. */
int guess_wide_is_column(const char *column, const char *pattern, const char *agent);
/* Takes agent a out of a wide table. */
void guess_wide_drop(struct table_guess *guess, size_t a);
/* What stands in place i beside the contexts, and its role: of a wide table a field of its agents, of a long one a column;
 * NULL after the last. */
const struct profile_column *guess_field_at(const struct table_guess *guess, size_t i,
                                            enum guess_role *role);
void guess_wide_free(struct guess_wide *wide);

/* From where to where scores of a column or a field may go, the worse end first: as given, of ranks from the last found to the
 * first, else scale_of(). */
void guess_range(double out[2], const struct table_guess *guess,
                 const struct profile_column *column);

enum { GUESS_FEW_CONTEXTS = 20 };
/* 1 where some agent has no row of some context. */
int guess_has_holes(const struct table_guess *guess);

/* Append MAP.json and a configuration with budgets for a table of this size; and what was assumed, for people. */
void table_guess_map(struct regret_buffer *out, const struct table_guess *guess, const char *name);
void table_guess_config(struct regret_buffer *out, const struct table_guess *guess);
/* Imports the table by the map at map_path into memory, and adds the options without which import would refuse it:
 * first --drop-unscored, then --skip-bad. What it leaves is counted. Memory is that of the pool. Failures other than the table's are returned. */
int table_guess_try(struct table_guess *guess, const char *path, const char *map_path);
/* The options, each after a blank, with which import takes the table by that map. */
void table_guess_options(struct regret_buffer *out, const struct table_guess *guess);
void table_guess_explain(struct regret_buffer *out, const struct table_guess *guess);
/* After table_guess_try(): REGRET_E_INPUT, with why, where there is no command that would import the table. */
int table_guess_refusal(const struct table_guess *guess);

#endif
