/* What models charge for tokens, from a table of one's own.
 *
 * Offers: struct prices: prices_read(), prices_cost().
 * Way: import/table reads the lines → prices.c keeps them by model.
 * Uses: base/core, base/json, import/table.
 */
#ifndef REGRET_IMPORT_PRICES_ROOM_H
#define REGRET_IMPORT_PRICES_ROOM_H

#include "import/prices/prices.h"

#endif
