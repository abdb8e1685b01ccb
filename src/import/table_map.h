/* MAP.json: where the parts of a pool stand in a table. What it may say: include/regret/import.h. */
#ifndef REGRET_IMPORT_TABLE_MAP_H
#define REGRET_IMPORT_TABLE_MAP_H

#include "import/table_wide.h"
#include "regret/pool.h"
#include "regret/text_buffer.h"

struct cJSON;

enum table_field {
    TABLE_CONTEXT,
    TABLE_AGENT,
    TABLE_OUTPUT,
    TABLE_TEXT,
    TABLE_TAG, /* the last that a file of contexts may have */
    TABLE_TITLE,
    TABLE_COST,
    TABLE_VALUES /* the first of the components, counts and aux labels, in this order */
};

struct table_map {
    struct cJSON *root; /* owns the strings below */
    const char **field; /* [TABLE_VALUES + n_values], NULL where not given; owned */
    size_t n_values;
    int is_wide; /* a row a context: fields may hold TABLE_AGENT_MARK, TABLE_AGENT is NULL */
    struct table_agents agents; /* of a wide table */
    int is_coding; /* the outputs are patches: TABLE_VALUES is their success, and the rest is computed */
    const char
        *contexts[TABLE_TAG + 1]; /* fields of the file of contexts: TABLE_CONTEXT, TABLE_TEXT
                                            and TABLE_TAG, the others NULL */
};

/* Reads and checks a map into *map, which is empty; fills the header of an empty pool but for its
 * agents. Both are to be freed even on failure. With
 * `contexts_apart` the texts of contexts are looked for in a file of their own. `table_path` names
 * the source where the map does not. */
int table_map_read(struct table_map *map, struct regret_pool *pool, const char *path,
                   const char *table_path, int contexts_apart);
void table_map_free(struct table_map *map);

/* Appends the card of the pool. */
void table_map_card(struct regret_text *card, const struct table_map *map,
                    const struct regret_pool *pool);

#endif
