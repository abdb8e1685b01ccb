/* A library to preload: counts the program's calls of libc that touch files or memory, and lets one
 * of them fail, or kills the process there. What it does is said in the environment:
 *
 *   REGRET_FAULT_CALL    a name of SHIM_CALLS, "io" for every call but allocations, "memory" for
 *                        every allocation
 *   REGRET_FAULT_AT      which of them, from 1
 *   REGRET_FAULT_EFFECT  a number of errno; "short", "zero" (reads and writes); "kill" (before the
 *                        call); "torn" (in the middle of a write)
 *   REGRET_FAULT_STICKY  if set, every later one of them, too
 *   REGRET_FAULT_LOG     a file that gets the counts, "NAME COUNT" a line, and "fired COUNT"
 *
 * Files of the system (/proc, /usr, ...) and descriptors the process was born with are let alone:
 * faults of the loader or of the terminal are none of the program's. */
#ifndef REGRET_TESTS_FAULTS_SHIM_H
#define REGRET_TESTS_FAULTS_SHIM_H

/* libc may call a function what headers call another: families share one name. */
#define SHIM_CALLS(X)                                                                              \
    X(open)                                                                                        \
    X(openat)                                                                                      \
    X(read)                                                                                        \
    X(write)                                                                                       \
    X(fsync)                                                                                       \
    X(close)                                                                                       \
    X(rename)                                                                                      \
    X(renameat2)                                                                                   \
    X(link)                                                                                        \
    X(symlink)                                                                                     \
    X(mkdir)                                                                                       \
    X(mkdirat)                                                                                     \
    X(rmdir)                                                                                       \
    X(unlink)                                                                                      \
    X(unlinkat)                                                                                    \
    X(ftruncate)                                                                                   \
    X(lseek)                                                                                       \
    X(stat)                                                                                        \
    X(lstat)                                                                                       \
    X(fstat)                                                                                       \
    X(fstatat)                                                                                     \
    X(access)                                                                                      \
    X(flock)                                                                                       \
    X(fcntl)                                                                                       \
    X(opendir)                                                                                     \
    X(fdopendir)                                                                                   \
    X(readdir)                                                                                     \
    X(fopen)                                                                                       \
    X(fdopen)                                                                                      \
    X(fread)                                                                                       \
    X(fwrite)                                                                                      \
    X(fflush)                                                                                      \
    X(fclose)                                                                                      \
    X(mmap)                                                                                        \
    X(pthread_create)                                                                              \
    X(malloc)                                                                                      \
    X(calloc)                                                                                      \
    X(realloc)                                                                                     \
    X(aligned_alloc)

enum shim_call {
#define SHIM_ENUM(name) SHIM_##name,
    SHIM_CALLS(SHIM_ENUM)
#undef SHIM_ENUM
        SHIM_N_CALLS
};

enum { SHIM_FIRST_ALLOCATION = SHIM_malloc };

enum shim_effect {
    SHIM_GO,    /* as if we were not there */
    SHIM_FAIL,  /* errno is set */
    SHIM_SHORT, /* less than was asked for */
    SHIM_ZERO,  /* nothing, and no error */
    SHIM_TORN,  /* half of it, then shim_kill() */
};

/* Counts a call, and says how it is to go. Does not return where the process dies. */
enum shim_effect shim_enter(enum shim_call call);
void shim_kill(void);

/* Whether a path, or a descriptor, is the program's own. */
int shim_watches_path(const char *path);
int shim_watches(int fd);
void shim_watch(int fd, int watched);

/* libc's own definition, in `next`. */
#define SHIM_NEXT(name)                                                                            \
    static __typeof__(&name) next;                                                                 \
    if (next == NULL) {                                                                            \
        next = __extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name);                           \
    }

#endif
