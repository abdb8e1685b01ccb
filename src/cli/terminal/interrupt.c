#include <signal.h>
#include <stdatomic.h>

#include "cli/terminal/cli.h"

/* The thread that takes the signal need not be the one that asks, so sig_atomic_t is not enough. */
static atomic_int interrupted = 0;

static void on_signal(int number)
{
    atomic_store(&interrupted, 1);
    signal(number, SIG_DFL);
}

void cli_catch_interrupts(void)
{
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
}

int cli_interrupted(void)
{
    return atomic_load(&interrupted);
}

int cli_cancelled(void *unused)
{
    (void)unused;
    return cli_interrupted();
}
