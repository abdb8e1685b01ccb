/* Public data sets and tables of one's own become task pools: the list of importers, above the rooms that have one
 * each.
 *
 * Offers: importers[], of which `regret import`, its help and its completions are made.
 * Way: a source → the importer's room reads it → build makes the pool. Another importer: a folder with a `const
 * struct importer`, and its name in importers.h.
 * Uses: import/alpacaeval, import/arenahard, import/batch, import/build, import/helm, import/inspect, import/lm_eval, import/mt_metrics, import/promptfoo, import/ratings,
 * import/summeval, import/swebench, import/table.
 */
#ifndef REGRET_IMPORT_ROOM_H
#define REGRET_IMPORT_ROOM_H

#include "import/importers.h"

#endif
