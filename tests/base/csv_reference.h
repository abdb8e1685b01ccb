/* An independent reading of CSV: one byte at a time over a text in memory, no lookahead buffer. */
#ifndef REGRET_TEST_CSV_REFERENCE_H
#define REGRET_TEST_CSV_REFERENCE_H

#include <stddef.h>

#include "regret/buffer.h"

/* Appends what reading `length` bytes gives: "line@offset" and each field as "(length:bytes)" for a
 * record, "line!" for a malformed one, each ended by a line feed. */
void csv_reference(struct regret_buffer *out, const char *text, size_t length, char separator);

#endif
