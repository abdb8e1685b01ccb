/* What a cell of a log says: outcomes and times in the words that people and programs write. */
#ifndef REGRET_LOG_READ_VALUES_H
#define REGRET_LOG_READ_VALUES_H

/* A finite number, or a word for good (1) or bad (0): what table_source_parse() takes, thumbs up and down, like and
 * dislike and their like; *is_word then. 0 where the text is neither. */
int log_outcome_parse(double *out, int *is_word, const char *text);

/* Seconds since 1970 (UTC): ISO 8601 ("2026-03-01T12:30:05.25+01:00", a blank for the T, a date alone; without a zone
 * UTC), or a number of seconds, from 1e11 on of milliseconds, from 1e14 on of microseconds, from 1e17 on of nanoseconds.
 * 0 where the text is none. */
int log_time_parse(double *out, const char *text);

#endif
