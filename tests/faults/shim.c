#define _GNU_SOURCE
#include "faults/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *const names[SHIM_N_CALLS] = {
#define SHIM_NAME(name) #name,
    SHIM_CALLS(SHIM_NAME)
#undef SHIM_NAME
};

enum { N_WATCHED = 4096 };

static struct {
    int ready; /* libraries that start before us open and allocate, too */
    int first, last;
    long at;
    int sticky, error;
    enum shim_effect effect;
    int kill;
    const char *log;
} plan;

static atomic_long counts[SHIM_N_CALLS], planned, fired;
static atomic_char watched[N_WATCHED];

static void choose_calls(const char *name)
{
    if (strcmp(name, "io") == 0) {
        plan.first = 0;
        plan.last = SHIM_FIRST_ALLOCATION;
    } else if (strcmp(name, "memory") == 0) {
        plan.first = SHIM_FIRST_ALLOCATION;
        plan.last = SHIM_N_CALLS;
    }
    for (int i = 0; i < SHIM_N_CALLS; i++) {
        if (strcmp(names[i], name) == 0) {
            plan.first = i;
            plan.last = i + 1;
        }
    }
}

static void choose_effect(const char *word)
{
    plan.error = atoi(word);
    plan.kill = strcmp(word, "kill") == 0;
    plan.effect = strcmp(word, "short") == 0  ? SHIM_SHORT
                  : strcmp(word, "zero") == 0 ? SHIM_ZERO
                  : strcmp(word, "torn") == 0 ? SHIM_TORN
                                              : SHIM_FAIL;
}

__attribute__((constructor)) static void begin(void)
{
    const char *call = getenv("REGRET_FAULT_CALL"), *at = getenv("REGRET_FAULT_AT"),
               *effect = getenv("REGRET_FAULT_EFFECT");
    if (call != NULL && at != NULL && effect != NULL) {
        choose_calls(call);
        choose_effect(effect);
        plan.at = atol(at);
        plan.sticky = getenv("REGRET_FAULT_STICKY") != NULL;
    }
    plan.log = getenv("REGRET_FAULT_LOG");
    plan.ready = 1;
}

/* By bare calls of the kernel: ours would be counted. */
__attribute__((destructor)) static void end(void)
{
    char text[SHIM_N_CALLS * 40];
    size_t n = 0;
    plan.ready = 0;
    if (plan.log == NULL) {
        return;
    }
    for (int i = 0; i < SHIM_N_CALLS; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s %ld\n", names[i],
                              atomic_load(&counts[i]));
    }
    n += (size_t)snprintf(text + n, sizeof text - n, "fired %ld\n", atomic_load(&fired));
    long fd = syscall(SYS_openat, AT_FDCWD, plan.log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd >= 0 && syscall(SYS_write, fd, text, n) == (long)n) {
        syscall(SYS_close, fd);
    }
}

void shim_kill(void)
{
    kill(getpid(), SIGKILL);
    for (;;) {
        pause();
    }
}

enum shim_effect shim_enter(enum shim_call call)
{
    if (!plan.ready) {
        return SHIM_GO;
    }
    atomic_fetch_add(&counts[call], 1);
    if ((int)call < plan.first || (int)call >= plan.last) {
        return SHIM_GO;
    }
    long k = atomic_fetch_add(&planned, 1) + 1;
    if (plan.sticky ? k < plan.at : k != plan.at) {
        return SHIM_GO;
    }
    atomic_fetch_add(&fired, 1);
    if (plan.kill) {
        shim_kill();
    }
    errno = plan.effect == SHIM_FAIL ? plan.error : errno;
    return plan.effect;
}

int shim_watches_path(const char *path)
{
    static const char *const system_folders[] = {"/proc/", "/sys/", "/etc/", "/lib",
                                                 "/usr/",  "/dev/", "/opt/"};
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++) {
        if (strncmp(path, system_folders[i], strlen(system_folders[i])) == 0) {
            return strncmp(path, "/dev/shm/", 9) == 0;
        }
    }
    return 1;
}

int shim_watches(int fd)
{
    return fd >= 0 && fd < N_WATCHED && atomic_load(&watched[fd]) != 0;
}

void shim_watch(int fd, int yes)
{
    if (fd >= 0 && fd < N_WATCHED) {
        atomic_store(&watched[fd], (char)(yes != 0));
    }
}
