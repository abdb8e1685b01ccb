/* The map of a table. */
#ifndef IMPORT_TABLE_MAP_H
#define IMPORT_TABLE_MAP_H

#include <stddef.h>

#include "base/json.h"
#include "import/importer.h"
#include "import/summary_scores.h"
#include "regret/buffer.h"
#include "regret/pool.h"

struct cJSON;

/* What a column is; several may be one of it together. */
enum map_role {
    MAP_CONTEXT,
    MAP_AGENT, /* of a vote the first of the two, as the output is its */
    MAP_OUTPUT,
    MAP_TEXT,
    MAP_TAG,
    MAP_REFERENCE,
    MAP_TITLE,
    MAP_COST,
    MAP_RATER, /* who has given the scores of the row */
    MAP_OTHER_AGENT,
    MAP_OTHER_OUTPUT,
    MAP_WINNER,
    MAP_ROLES
};

struct map_fields {
    size_t first, n; /* of map_table.field; n 0: not given */
};

/* The fields that are asked of one table. */
struct map_table {
    const char **field; /* owned, the strings borrowed of the map */
    size_t n, capacity;
    struct map_fields role[MAP_ROLES], covariates;
};

/* A value of the pool: the mean of its fields. */
struct map_value {
    struct map_fields from;    /* n 0: it is made */
    const struct cJSON *words; /* what words count, an object of numbers; NULL: none; of the map */
    const char *rater;         /* whose scores count; NULL: the mean of all raters; of the map */
    int is_reversed; /* 1: smaller is better, and the pool has low + high less the value */
};

/* "votes": rows are outcomes of two answers. */
struct table_votes {
    int wanted;
    int is_words; /* the field says who has won in words; else, of one, what model_a has of the win, of several which is so */
    int first;    /* who was shown first: 0 model_a, 1 model_b; -1: nobody knows */
    int drops_bad; /* 1: a vote that finds both bad is left out; 0: it is a tie */
};

struct table_map {
    struct cJSON *root;             /* owns the strings below */
    struct map_table rows, context; /* of the table, of the file of contexts */
    struct map_value *value;        /* components, counts and aux labels, in this order; owned */
    size_t n_values, capacity;
    size_t first_number;          /* of the fields of the table: from it on they are numbers */
    struct summary_scores derive; /* what is made of the texts */
    struct made_score
        made[REGRET_POOL_MAX_COMPONENTS]; /* and what of texts and references, or of repeats */
    size_t n_made;
    int is_wide; /* a row a context: fields may hold FIELDS_AGENT, there is no agent */
    const char *agent_pattern; /* which column names one; NULL: */
    const char **agent;        /* the list; owned, the strings borrowed */
    size_t n_agents;
    struct table_votes votes;
    int decimal_comma; /* 1: 3,5 is 3.5 */
    int is_coding;     /* the outputs are patches: value 0 is their success, the rest is computed */
};

/* Reads and checks a map into *map, which is empty; fills the header of an empty pool but for its
 * agents. Both are to be freed even on failure. With
 * `contexts_apart` the texts of contexts are looked for in a file of their own. `table_path` names
 * the source where the map does not. With `text` not NULL that is the map, and `path` its name in messages. */
int table_map_read(struct table_map *map, struct regret_pool *pool, const char *text,
                   const char *path, const char *table_path, int contexts_apart);
void table_map_free(struct table_map *map);

/* The name of the first field of that role; NULL: not given. */
const char *table_map_field(const struct map_table *table, enum map_role role);
/* Appends the card of the pool. */
void table_map_card(struct regret_buffer *card, const struct table_map *map,
                    const struct regret_pool *pool);

#endif
