/* The list of families. A family is one file of estimate/families, which says everything of itself, and one line
 * here.
 *
 * Offers: regret_family_count(), regret_family_at(), regret_family_find() and regret_family_register(); every
 * hyper-parameter, and the options with the presets of all (regret/families.h).
 * Way: families.c lists the records of estimate/families → configurations, runs and reports take names, roles and
 * hyper-parameters from them.
 * Uses: base/core, base/text, estimate/families.
 */
#ifndef REGRET_ESTIMATE_ROOM_H
#define REGRET_ESTIMATE_ROOM_H

#include "estimate/families.h"
#include "regret/families.h"

#endif
