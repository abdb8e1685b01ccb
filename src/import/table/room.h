/* A table of one's own, CSV, JSONL or an array, long or wide, becomes a pool by a map that says what stands where;
 * the importers csv and jsonl. Other importers read their tables through it.
 *
 * Offers: table_import() with a recipe (a map that is built in), struct table_source (records with named fields,
 * whichever way they are written), table_source_number() and other cells.
 * Way: table_map.c reads MAP.json, table_map_columns.c what stands where in it → table_source.c opens the table and gives one record after the other,
 * table_wide.c the agents of a wide one → table_cell.c reads fields, table_turns.c conversations → table_rows.c and
 * table_context.c fill the builder; table_votes.c keeps votes (table_vote_map.c) until it settles them →
 * table.c settles all, table_card.c describes it.
 * Uses: base/core, base/csv, base/files, base/json, base/text, import/build, pool/files, pool/votes, text/features, text/patch,
 * text/words.
 */
#ifndef REGRET_IMPORT_TABLE_ROOM_H
#define REGRET_IMPORT_TABLE_ROOM_H

#include "import/table/table.h"
#include "import/table/table_cell.h"
#include "import/table/table_map.h"
#include "import/table/table_source.h"
#include "import/table/table_turns.h"
#include "import/table/table_wide.h"

#endif
