/* What long computations ask and tell in their middle: a wish to stop, and what is being done. */
#ifndef REGRET_STOP_H
#define REGRET_STOP_H

#include <stddef.h>

#include "regret/status.h"

/* Other than 0: stop. Asked by any thread that computes, at least a few times a second, so it must be quick and safe to
 * call from several at once; an atomic flag that a signal handler sets is both. */
typedef int regret_cancel_callback(void *context);

/* Who is asked. Whoever computes for long takes it from its caller, and asks between steps that are no longer than about a
 * second: there is no state but this. */
struct regret_stop {
    regret_cancel_callback *cancelled; /* NULL: nobody, and nothing is stopped */
    void *context;
};

/* REGRET_OK to go on; REGRET_E_CANCELLED, with a message, to stop. NULL is nobody to ask. */
REGRET_API int regret_stop_check(const struct regret_stop *stop);

/* Called when a step begins that may take long, by the thread that runs, with its name (static); of what a step counts there are `total`,
 * of which `done` are there already, else 0 and 0. */
typedef void regret_step_callback(void *context, const char *step, size_t done, size_t total);

#endif
