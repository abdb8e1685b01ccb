/* "votes" of a map. */
#ifndef REGRET_IMPORT_TABLE_VOTE_MAP_H
#define REGRET_IMPORT_TABLE_VOTE_MAP_H

#include "import/table/table_map.h"
#include "regret/json.h"

/* Reads it from map->root into map->votes and map->field. REGRET_E_INPUT, too, where the map also has what votes make
 * themselves. */
int table_vote_map_read(struct table_map *map, struct regret_place at);

#endif
