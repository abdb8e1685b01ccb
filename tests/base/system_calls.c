#define _GNU_SOURCE /* RTLD_NEXT */
#include "base/system_calls.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_WANTED = 4 };

/* Failures wanted of each call: the number of calls until then. */
static struct wanted {
    int n, left[MOST_WANTED], error[MOST_WANTED];
} wanted[N_SYSTEM_CALLS];
static int failures;

void system_fail(enum system_call call, int after, int error)
{
    struct wanted *w = &wanted[call];
    w->left[w->n] = after;
    w->error[w->n++] = error;
}

int system_failures(void)
{
    int n = failures;
    failures = 0;
    return n;
}

/* 1, with errno set, when this call is to fail. */
static int fails(enum system_call call)
{
    struct wanted *w = &wanted[call];
    int found = -1;
    for (int i = 0; i < w->n; i++) {
        if (w->left[i]-- == 0) {
            found = i;
        }
    }
    if (found < 0) {
        return 0;
    }
    errno = w->error[found];
    failures++;
    w->n--;
    w->left[found] = w->left[w->n];
    w->error[found] = w->error[w->n];
    return 1;
}

/* The next definition of a function after the one here, as that function's type. */
#define NEXT(name) ((__typeof__(&(name)))(uintptr_t)dlsym(RTLD_NEXT, #name))

int fsync(int fd)
{
    return fails(CALL_FSYNC) ? -1 : NEXT(fsync)(fd);
}

int flock(int fd, int operation)
{
    return fails(CALL_FLOCK) ? -1 : NEXT(flock)(fd, operation);
}

int fstat(int fd, struct stat *info)
{
    return fails(CALL_FSTAT) ? -1 : NEXT(fstat)(fd, info);
}

int lstat(const char *path, struct stat *info)
{
    return fails(CALL_LSTAT) ? -1 : NEXT(lstat)(path, info);
}

int mkdir(const char *path, mode_t mode)
{
    return fails(CALL_MKDIR) ? -1 : NEXT(mkdir)(path, mode);
}

int rename(const char *from, const char *to)
{
    return fails(CALL_RENAME) ? -1 : NEXT(rename)(from, to);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    return fails(CALL_RENAMEAT) ? -1 : NEXT(renameat)(from_folder, from, to_folder, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    return fails(CALL_RENAMEAT2) ? -1 : NEXT(renameat2)(from_folder, from, to_folder, to, flags);
}

int unlinkat(int folder, const char *name, int flags)
{
    return fails(CALL_UNLINKAT) ? -1 : NEXT(unlinkat)(folder, name, flags);
}

ssize_t read(int fd, void *to, size_t most)
{
    return fails(CALL_READ) ? -1 : NEXT(read)(fd, to, most);
}

ssize_t write(int fd, const void *from, size_t most)
{
    return fails(CALL_WRITE) ? -1 : NEXT(write)(fd, from, most);
}

int poll(struct pollfd *wanted_events, nfds_t n, int milliseconds)
{
    if (fails(CALL_POLL)) {
        return errno == 0 ? 0 : -1;
    }
    return NEXT(poll)(wanted_events, n, milliseconds);
}

struct dirent *readdir(DIR *folder)
{
    return fails(CALL_READDIR) ? NULL : NEXT(readdir)(folder);
}

DIR *fdopendir(int fd)
{
    return fails(CALL_FDOPENDIR) ? NULL : NEXT(fdopendir)(fd);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *context)
{
    return fails(CALL_PTHREAD_CREATE) ? errno
                                      : NEXT(pthread_create)(thread, attributes, start, context);
}
