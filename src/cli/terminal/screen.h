/* What stderr, where words go, can show. */
#ifndef REGRET_CLI_TERMINAL_SCREEN_H
#define REGRET_CLI_TERMINAL_SCREEN_H

#include "regret/report.h"

/* 1 when lines can be drawn over: a terminal that is not "dumb". */
int screen_is_terminal(void);

/* COLUMNS of the environment, else the window's, else 80. */
size_t screen_columns(void);

/* What is not written for a terminal is no wider. */
enum { SCREEN_MOST = 100 };

/* "regret: MESSAGE" to stderr, in lines that a terminal has room for, and elsewhere of so many columns; 0: as it is. */
void screen_put_message(const char *message, size_t columns);

/* Appends how a run ends (regret/report.h), its report being in that folder. It is made before a report is written, so that
 * want of memory leaves no report of a command that failed. */
int screen_ending(struct regret_buffer *out, const struct regret_results *results,
                  const char *folder);

#endif
