/* Starts the program with bounded time and, if wanted, one fault. */
#ifndef REGRET_TESTS_FAULTS_LAUNCH_H
#define REGRET_TESTS_FAULTS_LAUNCH_H

#include <stddef.h>

enum { LAUNCH_MAX_WORDS = 24 };

struct fault {
    const char *call;   /* of SHIM_CALLS, "io" or "memory"; NULL: none */
    const char *effect; /* "EIO", ..., "short", "zero", "torn", "kill" */
    int sticky;
};

struct launch {
    const char *folder; /* to run in */
    const char *beside; /* a folder for what it says, outside of that */
    const char *line;   /* arguments, separated by blanks; "<FILE" is standard input */
    struct fault fault;
    size_t at;
    const char *log;    /* of the counts, or NULL */
    const char *output; /* another file for stdout, or NULL */
};

struct outcome {
    int code; /* -1: did not exit by itself */
    int signal;
    int hung; /* killed by us, for time */
    char said[2048];
    char *wrote; /* stdout; free() */
    size_t wrote_size;
};

void launch(struct outcome *out, const struct launch *how);
void outcome_free(struct outcome *outcome);
/* The number of errno for "EIO", or the word itself. */
const char *launch_effect_word(char *buffer, size_t size, const char *effect);
/* Seconds after which a process is called hung. */
enum { LAUNCH_SECONDS = 30 };

#endif
