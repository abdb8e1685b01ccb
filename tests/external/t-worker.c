/* Processes that answer lines: shells, which are everywhere. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/scratch.h"
#include "base/status.h"
#include "external/worker.h"
#include "regret/status.h"

static char line[1024];

TestSuite(worker, .init = scratch_enter, .fini = scratch_leave, .timeout = 60);

static struct worker *start(const char *script)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    struct worker *w = NULL;
    cr_assert_eq(worker_start(&w, argv, scratch_folder), 0, "%s", regret_error_message());
    return w;
}

static enum worker_answer ask(struct worker *w, const char *question, double seconds)
{
    const struct worker_patience patience = {seconds, NULL, NULL};
    return worker_ask(line, sizeof line, w, question, &patience);
}

/* What a script does with one question. */
static enum worker_answer answer_of(const char *script)
{
    struct worker *w = start(script);
    enum worker_answer answer = ask(w, "fit here", 20.0);
    worker_kill(w);
    return answer;
}

static void no_child_is_left(void)
{
    cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1);
    cr_expect_eq(errno, ECHILD);
}

Test(worker, answers_many_lines)
{
    struct worker *w = start("while read a b; do echo \"$b $a\"; done");
    for (int i = 0; i < 50; i++) {
        char question[32], wanted[32];
        snprintf(question, sizeof question, "x %d", i);
        snprintf(wanted, sizeof wanted, "%d x", i);
        cr_assert_eq(ask(w, question, 20.0), WORKER_ANSWERED, "%s", line);
        cr_assert_str_eq(line, wanted);
    }
    worker_end(w);
    no_child_is_left();
}

Test(worker, works_where_it_is_told)
{
    cr_assert_eq(answer_of("read a; pwd"), WORKER_ANSWERED);
    cr_assert_str_eq(line, scratch_folder);
}

Test(worker, has_three_descriptors_and_nothing_ignored)
{
    int kept = open("/dev/null", O_RDONLY); /* not closed on exec */
    struct worker *other = start("read a");
    signal(SIGPIPE, SIG_IGN);
    cr_assert_eq(answer_of("read a; echo $(ls /proc/self/fd | head -n -1)"), WORKER_ANSWERED);
    cr_expect_str_eq(line, "0 1 2", "and that by which ls looks, which is cut off: %s", line);
    cr_assert_eq(answer_of("read a; grep -e SigIgn -e SigBlk /proc/self/status | tr -d '\\n'"),
                 WORKER_ENDED, "no end of the line");
    cr_assert_eq(answer_of("read a; echo $(grep -e SigIgn -e SigBlk /proc/self/status)"),
                 WORKER_ANSWERED);
    unsigned long blocked = 1, ignored = 1;
    cr_assert_eq(sscanf(line, "SigBlk: %lx SigIgn: %lx", &blocked, &ignored), 2, "%s", line);
    cr_expect_eq(blocked, 0);
    cr_expect_eq(ignored & 0x7fffffff, 0, "but for two signals of the C library's own: %s", line);
    worker_end(other);
    close(kept);
}

Test(worker, ends_are_told)
{
    cr_expect_eq(answer_of("exit 3"), WORKER_ENDED);
    cr_expect_str_eq(line, "it ended with status 3");
    cr_expect_eq(answer_of("read a; kill -9 $$"), WORKER_ENDED);
    cr_expect_str_eq(line, "it was killed by signal 9");
    cr_expect_eq(answer_of("read a; exec 1>&-; sleep 100"), WORKER_ENDED);
    cr_expect_str_eq(line, "it closed its standard output");
    no_child_is_left();
}

/* A child of it that lives on holds its output open. */
Test(worker, an_end_behind_an_open_pipe_is_seen)
{
    double begun = clock_seconds();
    cr_expect_eq(answer_of("sleep 100 & exit 4"), WORKER_ENDED);
    cr_expect_str_eq(line, "it ended with status 4");
    cr_expect_lt(clock_seconds() - begun, 15.0);
}

Test(worker, babble_is_no_answer)
{
    cr_expect_eq(answer_of("read a; printf 'one\\ntwo\\n'; read b"), WORKER_BABBLED);
    cr_expect_eq(answer_of("read a; head -c 2000 /dev/zero | tr '\\0' x; read b"), WORKER_BABBLED);
    cr_expect_eq(answer_of("read a; printf 'a\\0b\\n'; read b"), WORKER_BABBLED);
    struct worker *w = start("read a; echo done; sleep 0.2; echo more; read b; read c");
    const struct timespec nap = {0, 600000000};
    cr_expect_eq(ask(w, "fit", 20.0), WORKER_ANSWERED);
    nanosleep(&nap, NULL);
    cr_expect_eq(ask(w, "fit", 20.0), WORKER_BABBLED, "said before it was asked");
    worker_kill(w);
}

Test(worker, time_is_up)
{
    double begun = clock_seconds();
    struct worker *w = start("trap '' TERM HUP INT; sleep 100");
    cr_expect_eq(ask(w, "fit", 0.3), WORKER_LATE);
    cr_expect_str_eq(line, "no answer within 0.3 s");
    worker_kill(w);
    cr_expect_lt(clock_seconds() - begun, 15.0);
    no_child_is_left();
}

static int third_time(void *context)
{
    return ++*(int *)context >= 3;
}

Test(worker, waiting_is_given_up)
{
    int asked = 0;
    const struct worker_patience patience = {100.0, third_time, &asked};
    struct worker *w = start("sleep 100");
    cr_expect_eq(worker_ask(line, sizeof line, w, "fit", &patience), WORKER_CANCELLED);
    cr_expect_eq(asked, 3);
    worker_kill(w);
    no_child_is_left();
}

/* The number of the process that a script has written down. */
static pid_t written(void)
{
    long pid = 0;
    FILE *f = fopen("pid", "r");
    cr_assert_not_null(f);
    cr_assert_eq(fscanf(f, "%ld", &pid), 1);
    fclose(f);
    return (pid_t)pid;
}

/* A process that is there and no zombie: whoever takes in orphans may be slow to wait for them. */
static int is_alive(pid_t pid)
{
    char path[64], state = 'Z';
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *f = fopen(path, "r");
    if (f != NULL) {
        cr_assert_eq(fscanf(f, "%*d (%*[^)]) %c", &state), 1);
        fclose(f);
    }
    return state != 'Z' && state != 'X';
}

Test(worker, what_it_started_ends_with_it)
{
    struct worker *w = start("sleep 100 & echo $! >pid; read a; echo done; read b");
    cr_assert_eq(ask(w, "fit", 20.0), WORKER_ANSWERED);
    pid_t child = written();
    cr_assert(is_alive(child));
    worker_end(w);
    const struct timespec nap = {0, 20000000};
    for (int i = 0; i < 200 && is_alive(child); i++) {
        nanosleep(&nap, NULL);
    }
    cr_expect(!is_alive(child));
}

/* Nobody reads: no signal, but an end. */
Test(worker, a_broken_pipe_is_no_signal)
{
    struct worker *w = start("exec 0<&-; exit 0");
    const struct timespec nap = {0, 300000000};
    nanosleep(&nap, NULL);
    cr_expect_eq(ask(w, "fit", 20.0), WORKER_ENDED);
    worker_kill(w);
}

Test(worker, programs_that_are_not_there)
{
    static const char *const nothing[] = {"no-such-program-of-ours", NULL},
                             *const relative[] = {"./mine", NULL}, *const shell[] = {"sh", NULL};
    struct worker *w = NULL;
    cr_expect_eq(worker_check(nothing, scratch_folder), REGRET_E_INPUT);
    cr_expect_eq(worker_start(&w, nothing, scratch_folder), REGRET_E_IO);
    cr_expect_eq(worker_check(relative, scratch_folder), REGRET_E_INPUT);
    scratch_put("mine", "#!/bin/sh\n");
    cr_assert_eq(chmod("mine", 0700), 0);
    cr_expect_eq(worker_check(relative, scratch_folder), 0, "%s", regret_error_message());
    cr_expect_eq(worker_check(shell, scratch_folder), 0, "%s", regret_error_message());
    cr_expect_eq(worker_check(shell, "/no/such/folder"), REGRET_E_INPUT);
    cr_expect_eq(worker_start(&w, shell, "/no/such/folder"), REGRET_E_IO);
    no_child_is_left();
}

/* Ours closed, their numbers are given to the pipes. */
Test(worker, starts_without_standard_descriptors)
{
    int in = dup(0), out = dup(1);
    close(0);
    close(1);
    enum worker_answer answer = answer_of("read a; echo $a");
    dup2(in, 0);
    dup2(out, 1);
    cr_expect_eq(answer, WORKER_ANSWERED, "%s", line);
    cr_expect_str_eq(line, "fit here");
}
