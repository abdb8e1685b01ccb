/* The task pool and its folder: read, checked as strangers' data, put into order, written in its one canonical form.
 *
 * Offers: regret_pool_read(), regret_pool_check(), regret_pool_write(); the rules by themselves for importers
 * (check.h), the covariates of contexts (columns.h), and the header of a pool of patches (coding_pool.h).
 * Way: read_header.c reads pool.json, read.c contexts and outputs line by line, columns.c the covariates → check.c judges ids, references and
 * ranges → order.c sorts → struct regret_pool (memory.c frees it) → write.c.
 * Uses: base/core, base/files, base/json, base/text, text/patch.
 */
#ifndef REGRET_POOL_FILES_ROOM_H
#define REGRET_POOL_FILES_ROOM_H

#include "pool/files/check.h"
#include "pool/files/coding_pool.h"
#include "pool/files/columns.h"
#include "pool/files/history.h"
#include "pool/files/read.h"
#include "pool/files/write.h"
#include "regret/pool.h"

#endif
