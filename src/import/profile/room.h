/* A look at a table before anybody has said what stands where.
 *
 * Offers: table_profile_read() (what every column holds, and which follow from others), column_words() (what names
 * speak for), scale_of() (scales that people score on), slip_find(), sentinel_find(), told_is_made() (of outcomes), and letter grades.
 * Way: profile.c (profile_json.c of JSON) looks at every cell once and keeps counts, ranges and a hash of each;
 * column_names.c, scale.c and grades.c know words, ranges and letters, slip.c numbers that cannot be, told.c columns that follow
 * from an outcome.
 * Uses: base/core, base/csv, base/json, base/text, import/build, import/table.
 */
#ifndef REGRET_IMPORT_PROFILE_ROOM_H
#define REGRET_IMPORT_PROFILE_ROOM_H

#include "import/profile/column_names.h"
#include "import/profile/grades.h"
#include "import/profile/profile.h"
#include "import/profile/scale.h"
#include "import/profile/slip.h"
#include "import/profile/told.h"

#endif
