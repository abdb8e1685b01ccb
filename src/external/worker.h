/* Programs of the user's own, run beside the suite. */
#ifndef EXTERNAL_WORKER_H
#define EXTERNAL_WORKER_H

#include <stddef.h>

struct worker; /* opaque */

/* Starts argv[0], looked up as a shell does, in `folder`. REGRET_E_IO with what the system said. */
int worker_start(struct worker **out, const char *const *argv, const char *folder);
/* Is there a program that worker_start() would start? REGRET_E_INPUT where not. */
int worker_check(const char *const *argv, const char *folder);

/* Asks whether to give up waiting; other than 0: yes. */
struct worker_patience {
    double seconds;                  /* that an answer may take */
    int (*cancelled)(void *context); /* asked ten times a second; may be NULL */
    void *context;
};

enum worker_answer {
    WORKER_ANSWERED, /* with one line and nothing else */
    WORKER_ENDED,    /* it closed its output or ended */
    WORKER_LATE,
    WORKER_BABBLED, /* more than a line, too long a line, or words that nobody asked for */
    WORKER_CANCELLED
};

/* Sends a line (without its end) and waits for one, which is put into `line` without its end and, but for
 * WORKER_ANSWERED, says what happened instead. After anything but WORKER_ANSWERED the worker can only be killed. */
enum worker_answer worker_ask(char *line, size_t size, struct worker *worker, const char *question,
                              const struct worker_patience *patience);

/* Closes its input, gives it two seconds to end by itself, then kills it. NULL is fine. */
void worker_end(struct worker *worker);
/* Kills it and what it started, at once. NULL is fine. */
void worker_kill(struct worker *worker);

#endif
