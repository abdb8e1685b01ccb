/* A fitted model of new requests: what it is, what it answers, and its file.
 *
 * Offers: struct regret_model, struct model_columns, regret_model_answer(), regret_model_read() and regret_model_write().
 * Way: model/fit fills the struct → own.c makes features of own columns, answer.c adds up the rows of a request's words, features and tag → file_write.c keeps it,
 * file_read.c checks what comes back.
 * Uses: base/core, base/files, base/json, base/text, linalg/sparse, pool/files, text/features, text/words.
 */
#ifndef REGRET_MODEL_CORE_ROOM_H
#define REGRET_MODEL_CORE_ROOM_H

#include "model/core/model.h"
#include "model/core/own.h"
#include "regret/model.h"

#endif
