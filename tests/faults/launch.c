#define _GNU_SOURCE
#include "faults/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *launch_effect_word(char *buffer, size_t size, const char *effect)
{
    static const struct {
        const char *name;
        int number;
    } errors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EINTR", EINTR},
                  {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM}, {"EINVAL", EINVAL},
                  {"ENOLCK", ENOLCK}, {"EAGAIN", EAGAIN}, {"EACCES", EACCES}};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (strcmp(effect, errors[i].name) == 0) {
            snprintf(buffer, size, "%d", errors[i].number);
            return buffer;
        }
    }
    return effect;
}

static void set_fault(const struct launch *how)
{
    char number[32], at[32];
    if (how->fault.call != NULL) {
        snprintf(at, sizeof at, "%zu", how->at);
        setenv("REGRET_FAULT_CALL", how->fault.call, 1);
        setenv("REGRET_FAULT_EFFECT", launch_effect_word(number, sizeof number, how->fault.effect),
               1);
        setenv("REGRET_FAULT_AT", at, 1);
        if (how->fault.sticky) {
            setenv("REGRET_FAULT_STICKY", "1", 1);
        }
    }
    setenv("OPENBLAS_NUM_THREADS", "1", 1); /* the program starts over to set it */
    setenv("SOURCE_DATE_EPOCH", "0", 1);    /* bytes are compared */
    if (how->log != NULL) {
        setenv("REGRET_FAULT_LOG", how->log, 1);
    }
    if (how->fault.call != NULL || how->log != NULL) {
        setenv("LD_PRELOAD", REGRET_SHIM, 1);
    }
}

static void redirect(const char *folder, const char *name, int to)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s%s", folder, folder[0] != '\0' ? "/" : "", name);
    int fd = open(path, to == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || dup2(fd, to) < 0) {
        tree_die("open", path);
    }
    close(fd);
}

/* In the child. */
static _Noreturn void become(const struct launch *how)
{
    static char words[1024];
    char *argv[LAUNCH_MAX_WORDS] = {(char *)"regret"};
    const char *input = NULL;
    size_t n = 1;
    sigset_t none;
    snprintf(words, sizeof words, "%s", how->line);
    for (char *word = strtok(words, " "); word != NULL && n + 1 < LAUNCH_MAX_WORDS;
         word = strtok(NULL, " ")) {
        if (word[0] == '<') {
            input = word + 1;
        } else {
            argv[n++] = word;
        }
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    redirect(how->beside, "stderr", STDERR_FILENO);
    if (how->output != NULL) {
        redirect("", how->output, STDOUT_FILENO);
    } else {
        redirect(how->beside, "stdout", STDOUT_FILENO);
    }
    if (chdir(how->folder) != 0) {
        tree_die("enter", how->folder);
    }
    redirect("", input != NULL ? input : "/dev/null", STDIN_FILENO);
    set_fault(how);
    execv(REGRET_PROGRAM, argv);
    tree_die("start", REGRET_PROGRAM);
}

/* SIGCHLD is blocked, and waited for. */
static void await(struct outcome *out, pid_t pid)
{
    struct timespec now, end;
    sigset_t child;
    int status = 0;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += LAUNCH_SECONDS;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        struct timespec second = {1, 0};
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec >= end.tv_sec) {
            out->hung = 1;
            kill(pid, SIGKILL);
            waitpid(pid, &status, 0);
            break;
        }
        sigtimedwait(&child, NULL, &second);
    }
    out->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    out->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void take(struct outcome *out, const struct launch *how)
{
    struct tree said = TREE_INIT;
    tree_read(&said, how->beside);
    const struct tree_entry *errors = tree_find(&said, "stderr"),
                            *data = tree_find(&said, "stdout");
    snprintf(out->said, sizeof out->said, "%s", errors != NULL ? errors->data : "");
    if (data != NULL) {
        out->wrote = strdup(data->data);
        out->wrote_size = data->size;
    }
    tree_free(&said);
}

void launch(struct outcome *out, const struct launch *how)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    *out = (struct outcome){0};
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        tree_die("start", "a process");
    }
    if (pid == 0) {
        become(how);
    }
    await(out, pid);
    take(out, how);
}

void outcome_free(struct outcome *outcome)
{
    free(outcome->wrote);
    outcome->wrote = NULL;
}
