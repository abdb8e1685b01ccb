/* The line that says what a run does, how fast and how long it will take. On a terminal it is drawn over
 * and over, from the first moment and by a thread of its own, so that it moves while nothing is finished;
 * elsewhere there is a line a minute, and none before the first is over. */
#ifndef REGRET_CLI_TERMINAL_PROGRESS_H
#define REGRET_CLI_TERMINAL_PROGRESS_H

#include <pthread.h>

#include "regret/experiment.h"

struct progress {
    int shown;    /* 0 with --quiet: nothing is said */
    int terminal; /* one line, drawn over and over */
    int ticking;  /* there is a thread */
    pthread_t ticker;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t wake;
    int over;
    const char *step;          /* static; NULL: none */
    size_t steps, begun;       /* of how many, 0 where that is not known; and how many have begun */
    struct regret_progress at; /* total 0 where the step has no count */
    size_t threads;
    double began;   /* of the step, on the clock */
    double counted; /* when `at` was true */
    double drawn;   /* the last drawing */
    int open;       /* the cursor stands behind a drawn line */
    double spoke;   /* the last line where nothing is drawn, or the beginning */
};

void progress_begin(struct progress *p, int shown, size_t threads);
/* Ends the line and the thread. */
void progress_end(struct progress *p);

/* A step begins; `total` replicates, of which `done` were there, or 0 where there is nothing to count. The
 * name is static; NULL: nothing is being done. */
void progress_step(struct progress *p, const char *step, size_t done, size_t total);
void progress_count(struct progress *p, const struct regret_progress *at);

/* Replicates a second, in the least unit in which there is more than one: "5.3/s", "2.0/min". */
void progress_rate(char out[32], double rate);

/* cli_say() between two drawings. */
void progress_say(struct progress *p, const char *message);

#endif
