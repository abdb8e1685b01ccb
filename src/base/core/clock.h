/* Time that only goes forward; in no result. */
#ifndef REGRET_BASE_CLOCK_H
#define REGRET_BASE_CLOCK_H

double clock_seconds(void);

#endif
