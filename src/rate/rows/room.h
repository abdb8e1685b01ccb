/* The table of scored rewrites in memory: every response with its attribute W and the rewards of its three texts,
 * column by column, and what is wrong with it.
 *
 * Offers: struct regret_rate_rows and what adds, averages, edits, drops and finishes its rows (regret/rate.h); for the
 * rooms of rate also the table's parts (rows.h), texts numbered by hash (intern.h), words of texts (words.h) and the
 * streams of random numbers (streams.h).
 * Way: a struct regret_rate_row → variants.c names its models by their rewriter → rows.c appends it and counts issues
 * (issues.c), ids and names found by intern.c → derive.c makes edits of scores, sets long texts aside and joins datasets.
 * Uses: base/core, base/text.
 */
#ifndef REGRET_RATE_ROWS_ROOM_H
#define REGRET_RATE_ROWS_ROOM_H

#include "rate/rows/intern.h"
#include "rate/rows/rows.h"
#include "rate/rows/streams.h"
#include "rate/rows/words.h"
#include "regret/rate.h"

#endif
