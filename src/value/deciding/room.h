/* By which columns of requests agents were chosen.
 *
 * Offers: deciding_find(), deciding_say(), deciding_json() (deciding.h).
 * Way: choices and columns → deciding.c cuts the requests in two where that tells best who is chosen, and again → deciding_say.c
 * puts it into words and JSON.
 * Uses: base/core, base/text.
 */
#ifndef REGRET_VALUE_DECIDING_ROOM_H
#define REGRET_VALUE_DECIDING_ROOM_H

#include "value/deciding/deciding.h"

#endif
