/* Calls of the system that fail when a test wants it. */
#ifndef REGRET_TESTS_SYSTEM_CALLS_H
#define REGRET_TESTS_SYSTEM_CALLS_H

enum system_call {
    CALL_FSYNC,
    CALL_FLOCK,
    CALL_FSTAT,
    CALL_LSTAT,
    CALL_MKDIR,
    CALL_RENAME,
    CALL_RENAMEAT,
    CALL_RENAMEAT2,
    CALL_UNLINKAT,
    CALL_READ,
    CALL_WRITE,
    CALL_POLL, /* with error 0: nothing came in time */
    CALL_READDIR,
    CALL_FDOPENDIR,
    CALL_PTHREAD_CREATE,
    N_SYSTEM_CALLS
};

/* The call after the next `after` calls fails with this error, once. All others go through. */
void system_fail(enum system_call call, int after, int error);

/* How many of the failures that were wanted have happened since the last question. */
int system_failures(void);

#endif
