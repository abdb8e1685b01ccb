/* A log as text: what a test compares. */
#ifndef REGRET_TESTS_LOG_TOLD_H
#define REGRET_TESTS_LOG_TOLD_H

#include "regret/buffer.h"
#include "regret/evaluate.h"

/* Appends all that a log says, a line a row, by names and not by numbers; the lines of a source are sorted, so that the
 * order of its rows is not told. With `lines` rows say which line they are of. */
void told_log(struct regret_buffer *out, const struct regret_log *log, int lines);

/* 1 where a note has these words. */
int told_note(const struct regret_log *log, const char *words);

#endif
