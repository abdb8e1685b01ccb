/* Families of the user's own whose errors say that they have seen what was held out.
 *
 * Offers: leak_caution(), leak_evidence().
 * Way: results (results/read) → leak_caution.c gathers the rows' lists "leak" over cells and seeds, and words what is
 * unlikely of an honest family.
 * Uses: base/text, estimate/fit, results/read, results/row, stats.
 */
#ifndef REGRET_REPORT_LEAKS_ROOM_H
#define REGRET_REPORT_LEAKS_ROOM_H

#include "report/leaks/leak_caution.h"

#endif
