#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np and addclosefrom_np */

#include "external/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "regret/status.h"

enum { LINE_SIZE = 1024, TICK_MS = 100, GRACE_MS = 2000, GRACE_TICK_MS = 5 };

struct worker {
    pid_t pid;
    int to;   /* a socket: MSG_NOSIGNAL spares us SIGPIPE */
    int from; /* a pipe */
    char held[LINE_SIZE];
    size_t n; /* bytes in it */
};

static void close_one(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
    }
    *fd = -1;
}

/* Moves a descriptor above those that the child gets: where ours are closed, a pipe may have become one of them. */
static int raise_one(int *fd)
{
    int higher = *fd > STDERR_FILENO ? *fd : fcntl(*fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (higher != *fd) {
        close_one(fd);
    }
    *fd = higher;
    return higher >= 0;
}

/* ends[0] and ends[1] are ours, ends[2] and ends[3] its input and output. */
static int open_ends(int ends[4])
{
    int socket[2] = {-1, -1}, pipe[2] = {-1, -1};
    int opened = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socket) == 0 &&
                 pipe2(pipe, O_CLOEXEC) == 0;
    const int made[] = {socket[0], pipe[0], socket[1], pipe[1]};
    memcpy(ends, made, sizeof made);
    for (size_t i = 0; i < 4; i++) {
        opened = opened && raise_one(&ends[i]);
    }
    return opened ? REGRET_OK : regret_fail(REGRET_E_IO, "cannot open a pipe: %s", strerror(errno));
}

/* What the child does before it becomes the program. */
static int set_actions(posix_spawn_file_actions_t *actions, const int ends[4], const char *folder)
{
    int error = posix_spawn_file_actions_adddup2(actions, ends[2], STDIN_FILENO);
    error = error != 0 ? error : posix_spawn_file_actions_adddup2(actions, ends[3], STDOUT_FILENO);
    error =
        error != 0 ? error : posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
    return error != 0 ? error : posix_spawn_file_actions_addchdir_np(actions, folder);
}

static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    int error = posix_spawnattr_setsigdefault(attributes, &all);
    error = error != 0 ? error : posix_spawnattr_setsigmask(attributes, &none);
    error = error != 0 ? error : posix_spawnattr_setpgroup(attributes, 0);
    return error != 0 ? error
                      : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF |
                                                                 POSIX_SPAWN_SETSIGMASK |
                                                                 POSIX_SPAWN_SETPGROUP);
}

static int spawn(pid_t *pid, const char *const *argv, const char *folder, const int ends[4])
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    int error = set_actions(&actions, ends, folder);
    error = error != 0 ? error : set_attributes(&attributes);
    if (error == 0) {
        /* posix_spawn() changes no word of its argument, whose type is older than const. */
        error = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)argv, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error == 0 ? REGRET_OK
                      : regret_fail(error == ENOMEM ? REGRET_E_NOMEM : REGRET_E_IO,
                                    "cannot start \"%.200s\" in %.200s: %s", argv[0], folder,
                                    strerror(error));
}

int worker_start(struct worker **out, const char *const *argv, const char *folder)
{
    struct worker *w = NULL;
    int ends[4] = {-1, -1, -1, -1}, rc;
    TRY(REGRET_NEW(&w, 1));
    TRY_CLEANUP(open_ends(ends));
    TRY_CLEANUP(spawn(&w->pid, argv, folder, ends));
    w->to = ends[0];
    w->from = ends[1];
    ends[0] = ends[1] = -1;
    *out = w;
    w = NULL;
cleanup:
    for (size_t i = 0; i < 4; i++) {
        close_one(&ends[i]);
    }
    regret_free(w);
    return rc;
}

/* Is folder/name, or an absolute name, a program? */
static int is_program(const char *folder, size_t folder_length, const char *name)
{
    char path[PATH_MAX];
    int n = name[0] == '/'
                ? snprintf(path, sizeof path, "%s", name)
                : snprintf(path, sizeof path, "%.*s/%s", (int)folder_length, folder, name);
    return n > 0 && (size_t)n < sizeof path && access(path, X_OK) == 0;
}

int worker_check(const char *const *argv, const char *folder)
{
    const char *path = getenv("PATH");
    int found = 0;
    if (access(folder, X_OK) != 0) {
        return regret_fail(REGRET_E_INPUT, "cannot enter the folder %.200s: %s", folder,
                           strerror(errno));
    }
    if (strchr(argv[0], '/') != NULL) {
        found = is_program(folder, strlen(folder), argv[0]);
    }
    /* Without a PATH the C library has one of its own. */
    path = path != NULL ? path : "/bin:/usr/bin";
    for (; strchr(argv[0], '/') == NULL && !found && path != NULL;
         path = strchr(path, ':') != NULL ? strchr(path, ':') + 1 : NULL) {
        found = is_program(path, strcspn(path, ":"), argv[0]);
    }
    return found
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "there is no program \"%.200s\" (looked for from %.200s); install it "
                             "or name it with its path",
                             argv[0], folder);
}

/* ---------------------------------------------------------------- asking */

/* Whether it has ended; it stays a zombie, so that its number is not given to another. */
static int has_ended(const struct worker *w, siginfo_t *info)
{
    memset(info, 0, sizeof *info);
    return waitid(P_PID, (id_t)w->pid, info, WEXITED | WNOHANG | WNOWAIT) != 0 || info->si_pid != 0;
}

/* Says how it ended, waiting a little for one that closed its output just before. */
static enum worker_answer tell_end(char *line, size_t size, const struct worker *w)
{
    const struct timespec nap = {0, GRACE_TICK_MS * 1000000L};
    siginfo_t info;
    int ended = has_ended(w, &info);
    for (int waited = 0; !ended && waited < GRACE_MS; waited += GRACE_TICK_MS) {
        nanosleep(&nap, NULL);
        ended = has_ended(w, &info);
    }
    if (!ended) {
        snprintf(line, size, "it closed its standard output");
    } else if (info.si_code == CLD_EXITED) {
        snprintf(line, size, "it ended with status %d", info.si_status);
    } else {
        snprintf(line, size, "it was killed by signal %d", info.si_status);
    }
    return WORKER_ENDED;
}

static enum worker_answer babbled(char *line, size_t size, const char *what)
{
    snprintf(line, size, "%s", what);
    return WORKER_BABBLED;
}

/* Sends all of the question; 0 when nobody is there to take it. A worker that does not read would make us wait: so
 * long a line fits into the buffer of a socket. */
static int send_line(const struct worker *w, const char *question)
{
    char line[LINE_SIZE];
    int n = snprintf(line, sizeof line, "%s\n", question);
    for (int sent = 0; sent < n;) {
        ssize_t more = send(w->to, line + sent, (size_t)(n - sent), MSG_NOSIGNAL);
        if (more < 0 && errno != EINTR) {
            return 0;
        }
        sent += more > 0 ? (int)more : 0;
    }
    return n < (int)sizeof line;
}

/* Is there something to read within so many milliseconds? */
static int is_readable(const struct worker *w, int milliseconds)
{
    struct pollfd p = {.fd = w->from, .events = POLLIN};
    return poll(&p, 1, milliseconds) > 0;
}

/* Takes what is there; 0 at the end. */
static int take_bytes(struct worker *w)
{
    ssize_t n = 0;
    do {
        n = read(w->from, w->held + w->n, sizeof w->held - w->n);
    } while (n < 0 && errno == EINTR);
    w->n += n > 0 ? (size_t)n : 0;
    return n > 0;
}

/* The one line that is held, if it is whole. */
static enum worker_answer hand_over(char *line, size_t size, struct worker *w, const char *end)
{
    size_t n = (size_t)(end - w->held);
    if (n + 1 != w->n) {
        return babbled(line, size, "more than one line on its standard output");
    }
    n -= n > 0 && w->held[n - 1] == '\r';
    w->held[n] = '\0';
    w->n = 0;
    if (strlen(w->held) != n) {
        return babbled(line, size, "a zero byte on its standard output");
    }
    snprintf(line, size, "%s", w->held);
    return WORKER_ANSWERED;
}

enum worker_answer worker_ask(char *line, size_t size, struct worker *w, const char *question,
                              const struct worker_patience *patience)
{
    double until = clock_seconds() + patience->seconds;
    siginfo_t info;
    if (is_readable(w, 0) && take_bytes(w)) {
        return babbled(line, size, "words on its standard output before it was asked");
    }
    if (!send_line(w, question)) {
        return tell_end(line, size, w);
    }
    for (;;) {
        double left = 1000.0 * (until - clock_seconds());
        if (is_readable(w, left < 0.0 ? 0 : left < TICK_MS ? (int)left + 1 : TICK_MS)) {
            if (!take_bytes(w)) {
                return tell_end(line, size, w);
            }
            const char *end = memchr(w->held, '\n', w->n);
            if (end != NULL) {
                return hand_over(line, size, w, end);
            }
            if (w->n == sizeof w->held) {
                return babbled(line, size, "a line of more than 1023 bytes on its standard output");
            }
        } else if (has_ended(w, &info) && !is_readable(w, 0)) {
            return tell_end(line, size, w); /* what it started may hold its output open */
        }
        if (patience->cancelled != NULL && patience->cancelled(patience->context)) {
            snprintf(line, size, "stopped");
            return WORKER_CANCELLED;
        }
        if (clock_seconds() >= until) {
            snprintf(line, size, "no answer within %g s", patience->seconds);
            return WORKER_LATE;
        }
    }
}

/* ---------------------------------------------------------------- the end */

void worker_kill(struct worker *w)
{
    if (w == NULL) {
        return;
    }
    close_one(&w->to);
    close_one(&w->from);
    kill(-w->pid,
         SIGKILL); /* the group first: as long as it is not waited for, the number is its own */
    kill(w->pid, SIGKILL);
    while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    regret_free(w);
}

void worker_end(struct worker *w)
{
    const struct timespec nap = {0, GRACE_TICK_MS * 1000000L};
    siginfo_t info;
    if (w == NULL) {
        return;
    }
    close_one(&w->to);
    for (int waited = 0; waited < GRACE_MS && !has_ended(w, &info); waited += GRACE_TICK_MS) {
        nanosleep(&nap, NULL);
    }
    worker_kill(w);
}
