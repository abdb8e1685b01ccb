/* What readers of flat files share: the lines of all members of a file, a folder or an archive.
 *
 * Offers: flat_read(), flat_place(), flat_id().
 * Way: base/archive gives the members → flat.c hands out their lines, one object each.
 * Uses: base/archive, base/core, base/json, import/table.
 */
#ifndef REGRET_IMPORT_FLAT_ROOM_H
#define REGRET_IMPORT_FLAT_ROOM_H

#include "import/flat/flat.h"

#endif
