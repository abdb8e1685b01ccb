/* From evaluate.json and its tables to struct regret_log.
 *
 * Offers: regret_log_read(); log_config_check_keys(), the one list of what evaluate.json may say, input and estimation.
 * Way: config.c reads evaluate.json (keys.c knows its keys) → rows.c goes through every table once: who was asked, who
 * answered, how good it was (cells.c reads a row, values.c outcomes, probabilities and times, slate.c who was on offer;
 * names.c numbers what it meets, losses.c counts what cannot be used) → settle.c makes numbers of it that mean something,
 * or refuses → draw.c draws the OBS rows whose texts are kept → texts.c goes through the tables again, for these.
 * Uses: base/core, base/files, base/json, base/text, import/build, import/guess, import/profile, import/table, log/core, log/overlap.
 */
#ifndef REGRET_LOG_READ_ROOM_H
#define REGRET_LOG_READ_ROOM_H

#include "log/read/config.h"
#include "log/read/keys.h"
#include "log/read/values.h"

#endif
