/* A pool in the making. */
#ifndef IMPORT_BUILDER_H
#define IMPORT_BUILDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/names.h"
#include "import/importer.h"
#include "regret/pool.h"

/* A context or an agent. */
struct import_entry {
    char *given, *id; /* as the source has it, and as the pool may; owned */
    char *text;       /* of a context; of an agent its title, NULL for `given`; import_text()'s */
    char *tag;        /* of a context; NULL without; owned */
    struct regret_covariate
        *columns;     /* of a context: one a column of the pool; NULL without; owned */
    size_t n_columns; /* how many */
    char *
        reference; /* of a context: outputs that are known to be good (importer.h); NULL without; import_text()'s */
    size_t number;  /* of the row it was first met in */
    double cost;    /* of an agent: the sum over `costs` rows, whose mean is its cost; */
    size_t costs;   /* 0: the cost is 1 */
    size_t rows;    /* of the outputs that are kept; set by import_build() */
    uint32_t index; /* in the pool; set by import_build() */
};

struct import_register {
    const char *what;      /* "context": one of them in messages */
    const char *many;      /* "contexts": many of them */
    const char *row;       /* what rows are to people: "line", or "record" */
    const char *closed_by; /* what holds all there are; NULL: new ones are entered */
    size_t most;
    struct import_entry *entry; /* owned */
    size_t n, capacity;
    struct id_table ids;
};

struct import_row {
    size_t number; /* in the source, such as its line: orders rows and names them */
    uint32_t context, agent;
    uint32_t run;       /* where an agent has several runs: the one the row is of */
    uint32_t draw;      /* set by import_number_draws() */
    unsigned char kept; /* set by import_settle_repeats() */
    char *text;         /* import_text()'s */
    double *values;     /* owned, and the pool's from import_build() on */
};

struct import_builder {
    struct regret_pool *pool; /* the importer fills its header; owned */
    struct import_register contexts, agents;
    struct import_row *rows; /* owned */
    size_t n_rows, capacity;
    size_t pairs; /* of the pool: of context and agent that have an output */
    char **files; /* that were read (importer.h); owned */
    size_t n_files, files_capacity;
};

/* An empty pool, and registers whose rows are lines. */
int import_begin(struct import_builder *b);
void import_free(struct import_builder *b);
void import_register_free(struct import_register *r);

/* Strings of the pool's header. */
struct import_description {
    const char *name, *title, *version, *licence, *source;
};
int import_describe(struct regret_pool *pool, const struct import_description *description);

/* The entry of what the source calls `given` in row `number` at `at`, a new one if it is the first
 * of its id. Another name whose id would be the same gets one with ":2" behind.
 * REGRET_E_INPUT: no id can be made of it, there are too many, or the register is closed. */
int import_enter(uint32_t *out, struct import_register *r, const char *given, size_t number,
                 struct regret_place at);

/* Gives a context the tag that the source calls `given`, made fit for a pool; one that is blank is none.
 * A context that has a tag keeps it: *differs is then 1 where this is another one. REGRET_E_INPUT: no
 * tag can be made of it. */
int import_set_tag(int *differs, struct import_entry *context, const char *given,
                   struct regret_place at);

/* A copy of a text in *out, which stands as long as the pool; many need not be in memory (base/text.h). */
int import_text(char **out, struct import_builder *b, const char *text);

/* Adds a row. The builder owns its values from here on, even on failure. */
int import_add_row(struct import_builder *b, const struct import_row *row);
/* Frees the values of a row that is not added. */
void import_row_clear(struct import_row *row);

/* Puts the agents into natural order ("M2" before "M10"). */
int import_rank_agents(struct import_builder *b);

/* Two rows of a pair, by their numbers, where there may be one. */
struct import_repeat {
    const char *context, *agent; /* ids */
    const char *unit;            /* what the numbers count: "line", or "record" */
    size_t first, second;
};

/* Rows of one context, agent and text by several raters, the numbers of which are `run`, become one: values are the means of
 * those that are there, and NaN where none is. A rater's second row is of a further output. *merged grows by the rows that
 * are so gone. O(rows log rows). */
void import_merge_ratings(size_t *merged, struct import_builder *b, size_t n_values);

/* Sorts the rows by context, agent and number, and marks those that are kept. `refuse` makes the
 * error of REGRET_REPEATS_REFUSE for the rows that were read from `path`. */
typedef int import_refusal(const struct import_repeat *repeat, const char *path);
int import_settle_repeats(struct import_builder *b, enum regret_repeats rule,
                          import_refusal *refuse, const char *path);

/* Numbers the rows kept of each context and agent 0, 1, … in the order in which they are; rows of a
 * context stand together. */
int import_number_draws(struct import_builder *b);

/* Makes b->pool complete, and checks it. */
int import_build(struct import_builder *b);

/* Writes the pool with its card, but for a pool_path of NULL, and hands it over to *into where that is given. */
int import_finish(struct import_builder *b, struct regret_pool **into, const char *pool_path,
                  const char *card, int replace);

/* What becomes of bad rows. */
struct import_bad_rows {
    int skip; /* 1: counted and left out; 0: the first is an error */
    void (*note)(void *context, const char *message); /* NULL: nobody is told */
    void *note_context;
    size_t n;
};

/* Given what a row came to, REGRET_OK or its error: REGRET_OK when it is good, or bad and left out;
 * else the error, with the way out where the row is bad. */
int import_skip_row(struct import_bad_rows *bad, int rc);

#endif
