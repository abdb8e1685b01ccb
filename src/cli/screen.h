/* What stderr, where words go, can show. */
#ifndef REGRET_CLI_SCREEN_H
#define REGRET_CLI_SCREEN_H

#include "regret/report.h"

/* 1 when lines can be drawn over: a terminal that is not "dumb". */
int screen_is_terminal(void);

/* COLUMNS of the environment, else the window's, else 80. */
size_t screen_columns(void);

/* Unicode on a terminal whose locale is UTF-8, colours on a terminal unless NO_COLOR is set. */
struct regret_terminal screen_terminal(void);

/* The ranking of a run's families, to stderr (regret/report.h). */
int screen_ranking(const struct regret_results *results);

#endif
