/* One fault in one command, and the verdict on what came of it. */
#ifndef REGRET_TESTS_FAULTS_TRIAL_H
#define REGRET_TESTS_FAULTS_TRIAL_H

#include "faults/scenario.h"

/* A fault that is not the shim's: the command runs on a file system of so many pages. */
#define TRIAL_FULL_DISK "tmpfs"
/* Nor this: standard output is /dev/full. */
#define TRIAL_FULL_OUTPUT "stdout"

enum verdict {
    VERDICT_RIGHT,   /* exit code 0, the right bytes */
    VERDICT_FAILED,  /* it failed and said so; what followed was right */
    VERDICT_KILLED,  /* what followed was right */
    VERDICT_WRONG,   /* something else */
    VERDICT_SKIPPED, /* not possible here */
    VERDICT_MISSED,  /* right, and the fault was never met */
    N_VERDICTS
};

struct trial {
    const struct scenario *scenario;
    const struct rehearsal *rehearsal;
    struct fault fault;
    size_t at;
    const char *folder; /* to work in */
};

/* Leaves words on what is wrong. */
enum verdict trial_run(char *words, size_t size, const struct trial *trial);

/* Whether this process may mount, in a name space of its own. */
int trial_can_mount(void);

#endif
