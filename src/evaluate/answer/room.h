/* The verdict, and how it is told: a screen, result.json, tables, a model of new requests.
 *
 * Offers: answer_decide(), answer_add_checks() (answer.h), regret_evaluation_describe(), regret_evaluation_json() and
 * regret_evaluation_write() (regret/evaluate.h).
 * Way: the numbers of evaluate/worth → checks.c puts own questions among the diagnostics, decide.c makes the verdict, deciding.c finds the columns behind it → screen.c, json.c
 * and tables.c tell it, model.c fits a model of new requests, write.c puts the folder into place.
 * Uses: base/core, base/csv, base/files, base/text, evaluate/core, evaluate/diagnose, log/core, model/core, model/fit,
 * value/deciding.
 */
#ifndef REGRET_EVALUATE_ANSWER_ROOM_H
#define REGRET_EVALUATE_ANSWER_ROOM_H

#include "evaluate/answer/answer.h"

#endif
