/* Interrupts. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/process.h"
#include "regret/status.h"

TestSuite(interrupt, .init = process_open, .fini = process_close);

static size_t rows_of(const char *name)
{
    size_t n = 0;
    if (process_exists(name)) {
        char *text = process_read(name);
        for (const char *p = text; *p != '\0'; p++) {
            n += *p == '\n';
        }
        regret_free(text);
    }
    return n;
}

/* Starts "regret run config.json -o NAME" and gives its process. */
static pid_t start(const char *name)
{
    pid_t pid = fork();
    cr_assert_geq(pid, 0);
    if (pid == 0) {
        if (chdir(process_folder()) != 0 || freopen(".stdout", "w", stdout) == NULL ||
            freopen(".stderr", "w", stderr) == NULL) {
            _exit(99);
        }
        execl(REGRET_PROGRAM, "regret", "run", "config.json", "-o", name, "--threads", "2", "--set",
              "seeds=100", (char *)NULL);
        _exit(98);
    }
    return pid;
}

/* Waits until the run has rows, sends the signal, waits for the end; gives how it came. */
static int interrupt(const char *name, int number)
{
    char rows[64];
    const struct timespec nap = {0, 2000000};
    snprintf(rows, sizeof rows, "%s/results-1-of-1.jsonl", name);
    pid_t pid = start(name);
    for (int i = 0; i < 5000 && rows_of(rows) == 0; i++) {
        nanosleep(&nap, NULL);
    }
    cr_assert_gt(rows_of(rows), 0, "the run does not begin");
    cr_assert_eq(kill(pid, number), 0);
    int status = 0;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return status;
}

static void resume(const char *name)
{
    char line[128];
    snprintf(line, sizeof line, "run config.json -o %s -q --no-report --set seeds=100 --resume",
             name);
    cr_assert_eq(process_run(line), 0, "%s", process_stderr);
    process_same_rows("whole", name);
}

static void stops_and_resumes(const char *name, int number)
{
    char line[128];
    int status = interrupt(name, number);
    cr_assert(WIFEXITED(status), "killed by signal %d", WTERMSIG(status));
    char *said = process_read(".stderr"), *data = process_read(".stdout");
    cr_assert_eq(WEXITSTATUS(status), 1, "%d: %s", WEXITSTATUS(status), said);
    cr_assert_not_null(strstr(said, "regret: stopped after "), "%s", said);
    cr_assert_not_null(strstr(said, "of 200 replicates; --resume goes on from there"), "%s", said);
    cr_assert_str_empty(data);
    regret_free(said);
    regret_free(data);
    snprintf(line, sizeof line, "%s/results-1-of-1.jsonl", name);
    size_t rows = rows_of(line);
    cr_assert_eq(rows % 12, 0, "whole replicates only");
    cr_assert_lt(rows, 200 * 12, "stopped before the end");
    snprintf(line, sizeof line, "report %s --table summary", name);
    cr_assert_eq(process_run(line), 0, "an unfinished run can be looked at");
    snprintf(line, sizeof line, "run config.json -o %s -q --no-report --set seeds=100", name);
    cr_assert_eq(process_run(line), 2);
    process_said("exists already");
    resume(name);
}

/* Killed without warning, the rows may end anywhere; resuming cuts and completes them. */
Test(interrupt, stops_cleanly_and_resume_completes)
{
    cr_assert_eq(process_run("run config.json -o whole -q --no-report --set seeds=100"), 0);
    stops_and_resumes("cut", SIGINT);
    stops_and_resumes("ended", SIGTERM);
    int status = interrupt("killed", SIGKILL);
    cr_assert(WIFSIGNALED(status));
    resume("killed");
}
