/* When a step of a pool's history is taken. */
#ifndef REGRET_CLI_STEP_DATE_H
#define REGRET_CLI_STEP_DATE_H

enum { STEP_DATE = 24 };

/* The date that is given; else the time now in UTC or, for bytes that do not depend on the clock, that of SOURCE_DATE_EPOCH
 * (reproducible-builds.org), as "2026-11-25T12:30:00Z" in `room`. */
int step_date(const char **out, char room[STEP_DATE], const char *given);

#endif
