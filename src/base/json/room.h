/* Untrusted JSON, read in one way: one tokenizer, which knows places, and one tree (cJSON's nodes) built as it goes.
 *
 * Offers: regret_json_parse() and the fields of an object, json_pick(), json_text(), json_array_next(), regret_jsonl_next(), jsonl_each(),
 * jsonl_open_source(), struct json_records (the records of a data set, whichever way its JSON holds them),
 * json_take_number() and the like for readers without a tree.
 * Way: json_tokens.c reads strings and numbers → json_parse.c checks and builds the tree → json.c gets fields with
 * messages that name file, line and field; jsonl.c gives lines, json_records.c records.
 * Uses: base/core, base/files, base/text.
 */
#ifndef REGRET_BASE_JSON_ROOM_H
#define REGRET_BASE_JSON_ROOM_H

#include "base/json/json_array.h"
#include "base/json/json_parse.h"
#include "base/json/json_pick.h"
#include "base/json/json_records.h"
#include "base/json/json_text.h"
#include "base/json/json_tokens.h"
#include "base/json/jsonl_bytes.h"
#include "base/json/jsonl_each.h"
#include "regret/json.h"

#endif
