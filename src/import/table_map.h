/* The map of a table. */
#ifndef IMPORT_TABLE_MAP_H
#define IMPORT_TABLE_MAP_H

#include <stddef.h>

#include "base/json.h"
#include "import/importer.h"
#include "import/summary_scores.h"
#include "import/table_wide.h"
#include "regret/buffer.h"
#include "regret/pool.h"

struct cJSON;

enum table_field {
    TABLE_CONTEXT,
    TABLE_AGENT,
    TABLE_OUTPUT,
    TABLE_TEXT,
    TABLE_TAG,
    TABLE_REFERENCE, /* the last that a file of contexts may have, but for the other one */
    TABLE_TITLE,
    TABLE_COST,
    TABLE_RATER,           /* who has given the scores of the row */
    TABLE_OTHER_REFERENCE, /* where the first has none */
    TABLE_SECOND_CONTEXT,  /* of two columns that name a context together, as the next an agent */
    TABLE_SECOND_AGENT,
    /* Of a vote; the first of the two agents and its output are TABLE_AGENT and TABLE_OUTPUT. */
    TABLE_OTHER_AGENT,
    TABLE_OTHER_OUTPUT,
    TABLE_WINNER, /* or whether the first has won, and the other, whether it is a tie, and whether both are bad */
    TABLE_OTHER_WINNER,
    TABLE_TIE,
    TABLE_BAD,
    TABLE_VALUES /* the first of those that components, counts and aux labels are made of, and then of
                    those that are covariates of a context */
};

/* Field TABLE_VALUES + i. A value of the pool is the mean of its fields, which stand together. */
struct table_number {
    size_t value;              /* which one it is a part of */
    const struct cJSON *words; /* what words count, an object of numbers; NULL: none; of the map */
    const char *rater;         /* whose scores count; NULL: the mean of all raters; of the map */
    int is_reversed; /* 1: smaller is better, and the pool has low + high less the value */
};

/* "votes": rows are outcomes of two answers. */
struct table_votes {
    int wanted;
    size_t
        n_winners; /* fields that say who has won, from TABLE_WINNER on: one, in words, or flags of each outcome */
    int is_share;  /* 1: the one field is a number, what model_a has of the win: 1, 0 or 0.5 */
    int first;     /* who was shown first: 0 model_a, 1 model_b; -1: nobody knows */
    int drops_bad; /* 1: a vote that finds both bad is left out; 0: it is a tie */
};

struct table_map {
    struct cJSON *root; /* owns the strings below */
    const char **field; /* [TABLE_VALUES + n_numbers + n_covariates], NULL where not given; owned */
    struct table_number *number; /* [n_numbers]; owned */
    size_t n_numbers, capacity, number_capacity;
    size_t n_covariates;          /* columns of the pool */
    size_t n_values;              /* components, counts and aux labels, in this order */
    struct summary_scores derive; /* what is made of the texts */
    struct made_score
        made[REGRET_POOL_MAX_COMPONENTS]; /* and what of texts and references, or of repeats */
    size_t n_made;
    int is_wide; /* a row a context: fields may hold TABLE_AGENT_MARK, TABLE_AGENT is NULL */
    struct table_agents agents; /* of a wide table */
    struct table_votes votes;
    int decimal_comma; /* 1: 3,5 is 3.5 */
    int is_coding; /* the outputs are patches: TABLE_VALUES is their success, and the rest is computed */
    /* Fields of the file of contexts: TABLE_CONTEXT, TABLE_TEXT, TABLE_TAG, the references and, from TABLE_VALUES on,
     * the covariates; the others NULL. */
    const char *contexts[TABLE_VALUES + REGRET_POOL_MAX_COLUMNS];
};

/* Reads and checks a map into *map, which is empty; fills the header of an empty pool but for its
 * agents. Both are to be freed even on failure. With
 * `contexts_apart` the texts of contexts are looked for in a file of their own. `table_path` names
 * the source where the map does not. With `text` not NULL that is the map, and `path` its name in messages. */
int table_map_read(struct table_map *map, struct regret_pool *pool, const char *text,
                   const char *path, const char *table_path, int contexts_apart);
void table_map_free(struct table_map *map);

/* Appends the card of the pool. */
void table_map_card(struct regret_buffer *card, const struct table_map *map,
                    const struct regret_pool *pool);

/* Of table_source.c: reads "agents", which a wide table has; "columns" and "contexts"; an object of fields, the first
 * `demanded` of which must be there; and checks a field's name, `what` being the part of the map that has it, and what the
 * columns of a wide table must be once all are known. */
int table_map_read_agents(struct table_map *map, struct regret_place at);
int table_map_read_fields(struct table_map *map, struct regret_place at, int contexts_apart);
int table_map_read_columns(const char **out, const struct cJSON *object, const char *const *wanted,
                           size_t n, size_t demanded, struct regret_place at);
int table_map_check_field(const char *field, const char *what, struct regret_place at);
int table_map_check_wide(const struct table_map *map, struct regret_place at);

/* Reads "votes" of map->root into map->votes and map->field (table_votes.c). REGRET_E_INPUT, too, where the map also has
 * what votes make themselves. */
int table_vote_map_read(struct table_map *map, struct regret_place at);

#endif
