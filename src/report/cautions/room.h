/* What is to be borne in mind of a run: one list of sentences, which `run`, the report and `recommend` share.
 *
 * Offers: struct cautions, caution_say(), caution_name(), caution_notes(); agents that votes do not order (apart.h); whether an answer
 * stands where outputs are missing (holes.h); whether families read
 * outputs (constant_agents.h).
 * Way: a run's facts and rows (report/rows) → grid_caution.c on missing outputs, apart.c on votes, constant_agents.c on agents with one text, holes.c on agents compared within requests,
 * cautions.c on the rest and in order → sentences; caution_note.c puts some below a table of several runs.
 * Uses: base/core, base/text, report/leaks, report/render, report/rows, results/read, results/row, value/strength.
 */
#ifndef REGRET_REPORT_CAUTIONS_ROOM_H
#define REGRET_REPORT_CAUTIONS_ROOM_H

#include "report/cautions/apart.h"
#include "report/cautions/caution_note.h"
#include "report/cautions/cautions.h"
#include "report/cautions/constant_agents.h"
#include "report/cautions/holes.h"

#endif
